use proptest::prelude::*;

use super::*;
use crate::{Histogram, test_random::Stream};

fn margins(pairs: &[(i32, u64)]) -> MarginCounts {
    Histogram::try_from(pairs.to_vec()).unwrap().try_into().unwrap()
}

fn chosen(pairs: &[(i32, u64)]) -> (String, String) {
    let fair = fair_komi(&margins(pairs)).unwrap();
    (fair.half.komi.to_string(), fair.whole.komi.to_string())
}

#[test]
fn too_few_games_are_refused() {
    assert_eq!(fair_komi(&margins(&[(1, MIN_GAMES - 1)])), Err(TooFewGames { games: MIN_GAMES - 1 }));
    assert!(fair_komi(&margins(&[(1, MIN_GAMES)])).is_ok());
    assert!(fair_komi(&MarginCounts::new()).unwrap_err().to_string().contains("at least 100 games"));
}

#[test]
fn odd_margins_prefer_the_komi_beside_the_median() {
    // Median 3; from 1 to 3 nothing changes (550 to 450), so 2.5 is chosen of 1.5 and 2.5; at 3 it is 350 to 450.
    let fair = fair_komi(&margins(&[(-1, 250), (1, 200), (3, 200), (5, 350)])).unwrap();
    assert_eq!((fair.median.lower, fair.median.upper), (3, 3));
    assert_eq!(fair.half.komi.to_string(), "2.5");
    assert_eq!(fair.half.shares, Shares { black: 550, jigo: 0, white: 450 });
    // 2 and 3 are equals in imbalance, and jigo happens at 3.
    assert_eq!(fair.whole.komi.to_string(), "3");
    assert_eq!(fair.whole.shares, Shares { black: 350, jigo: 200, white: 450 });
    // Balance 0.1 before 3's share and −0.1 at 3; at 1 it is 0.3: three quarters of the way.
    assert!((fair.estimate.estimate - 2.5).abs() < 1e-12);
}

#[test]
fn a_balanced_gap_may_leave_no_jigo() {
    let fair = fair_komi(&margins(&[(1, 500), (3, 500)])).unwrap();
    assert_eq!(fair.whole.komi.to_string(), "2");
    assert_eq!(fair.whole.shares, Shares { black: 500, jigo: 0, white: 500 });
    assert_eq!((fair.median.lower, fair.median.upper), (1, 3));
    assert_eq!(fair.half.komi.to_string(), "1.5");
}

#[test]
fn the_whole_komi_has_jigo_where_parity_leaves_it_little_room() {
    // At 2 the wins differ by 20 only, but jigo cannot happen there; at 3 neither side wins more than half.
    let fair = fair_komi(&margins(&[(-1, 250), (1, 240), (3, 230), (5, 280)])).unwrap();
    assert_eq!(fair.whole.komi.to_string(), "3");
    assert_eq!(fair.whole.shares, Shares { black: 280, jigo: 230, white: 490 });
}

#[test]
fn equals_are_told_apart_as_documented() {
    // Symmetric about 0, then about ±7: nearest to zero, then positive.
    assert_eq!(chosen(&[(-1, 100), (0, 100), (1, 100)]), ("0.5".into(), "0".into()));
    assert_eq!(chosen(&[(6, 100), (7, 100), (8, 100)]), ("6.5".into(), "7".into()));
    assert_eq!(chosen(&[(-8, 100), (-7, 100), (-6, 100)]), ("-6.5".into(), "-7".into()));
    // A wide gap: nearest to its middle.
    assert_eq!(chosen(&[(-25, 100), (25, 100)]), ("0.5".into(), "0".into()));
    assert_eq!(chosen(&[(-21, 100), (30, 100)]), ("4.5".into(), "4".into()));
}

/// All komi of a kind between −60 and 60, judged in full.
fn by_search(margins: &MarginCounts, median: Interval<i32>, parity: i32) -> (u64, i32) {
    let twice_middle = median.lower + median.upper;
    let all = (-120..=120_i32).filter(|half_points| half_points.rem_euclid(2) == parity);
    let judged = all.map(|half_points| {
        let shares = margins.shares(Komi::from_half_points(half_points));
        let distance = (half_points - twice_middle).abs();
        let most = shares.black.max(shares.white);
        (
            parity == 0 && 2 * most > shares.games(),
            shares.black.abs_diff(shares.white),
            u64::MAX - shares.jigo,
            distance,
            half_points.abs(),
            half_points < 0,
            half_points,
        )
    });
    judged.min().map(|best| (best.1, best.6)).unwrap()
}

proptest! {
    #[test]
    fn no_other_komi_is_better(values in proptest::collection::vec(-25..=25_i32, 1..12), step in 1..3_i32) {
        let margins: MarginCounts = values.iter().cycle().take(100 * values.len()).map(|value| value * step).collect();
        let fair = fair_komi(&margins).unwrap();
        for (found, parity) in [(fair.half, 1), (fair.whole, 0)] {
            let Shares { black, white, .. } = found.shares;
            let best = (black.abs_diff(white), found.komi.half_points());
            prop_assert_eq!(best, by_search(&margins, fair.median, parity));
        }
    }

    #[test]
    fn swapping_colours_negates_the_komi(values in proptest::collection::vec(-25..=25_i32, 1..12)) {
        let cycle = || values.iter().cycle().take(100 * values.len());
        let fair = fair_komi(&cycle().copied().collect()).unwrap();
        let swapped = fair_komi(&cycle().map(|value| -value).collect()).unwrap();
        prop_assert_eq!(fair.whole.komi.half_points(), -swapped.whole.komi.half_points());
        let (half, other) = (fair.half.komi.half_points(), swapped.half.komi.half_points());
        prop_assert!(half == -other || (half, other) == (1, 1));
        prop_assert_eq!(fair.median.midpoint(), -swapped.median.midpoint());
        prop_assert_eq!(fair.median_interval.lower, -swapped.median_interval.upper);
        prop_assert!((fair.estimate.estimate + swapped.estimate.estimate).abs() < 1e-9);
        prop_assert!((fair.estimate.interval.lower + swapped.estimate.interval.upper).abs() < 1e-9);
    }
}

#[test]
fn a_million_games_pin_the_komi_down() {
    // Odd margins about a true median of 3 (interpolated 2.2), as wide as on 9×9.
    let weight = |margin: i32| (1e9 * (-((f64::from(margin) - 2.2) / 39.0).powi(2) / 2.0).exp()) as u64;
    let population = (-40..=40).map(|half| (2 * half + 1, weight(2 * half + 1))).collect::<Vec<_>>();
    let sample: MarginCounts =
        Stream::new(11).sample(&Histogram::try_from(population).unwrap(), 1_000_000).try_into().unwrap();
    let fair = fair_komi(&sample).unwrap();
    // Standard error 0.05: within five of them, a false alarm once in two million seeds.
    assert!((fair.estimate.estimate - 2.2).abs() < 0.25, "{fair:?}");
    assert!((0.15..0.25).contains(&fair.estimate.interval.width()), "{fair:?}");
    assert!(fair.median_interval.lower >= 1 && fair.median_interval.upper <= 3);
    assert!(["1.5", "2.5"].contains(&fair.half.komi.to_string().as_str()));
}

#[test]
fn json_names_points() {
    let json = serde_json::to_value(fair_komi(&margins(&[(6, 100), (7, 100), (8, 100)])).unwrap()).unwrap();
    assert_eq!(json["half"]["komi"], 6.5);
    assert_eq!(json["whole"]["shares"]["jigo"], 100);
    assert_eq!(json["estimate"]["estimate"], 7.0);
}
