use super::*;
use crate::{Histogram, test_random::Stream};

#[track_caller]
fn assert_near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-6 * expected.abs().max(1.0), "{value} is not {expected}");
}

#[test]
fn elo_and_share_are_inverse() {
    assert_near(expected_share(0.0), 0.5);
    assert_near(expected_share(400.0), 10.0 / 11.0);
    for elo in [-700.0, -10.0, 0.0, 3.5, 250.0] {
        assert_near(elo_difference(expected_share(elo)), elo);
    }
    assert_eq!([0.0, 1.0].map(elo_difference), [f64::NEG_INFINITY, f64::INFINITY]);
}

/// The values are those of the complementary error function in Python's standard library.
#[test]
fn the_normal_distribution() {
    for (x, probability) in [
        (-6.0, 9.865_876_450_377_012e-10),
        (-3.0, 0.001_349_898_031_630_095_7),
        (0.0, 0.5),
        (0.5, 0.691_462_461_274_013_1),
        (2.0, 0.977_249_868_051_820_8),
    ] {
        assert!((normal_cdf(x) - probability).abs() < 1e-15, "{x}: {}", normal_cdf(x));
    }
    assert_eq!([-1e9, -9.0, 9.0, f64::INFINITY].map(normal_cdf), [0.0, 0.0, 1.0, 1.0]);
}

/// The expected values solve the quadratic equation of Wilson's interval, and take the likelihood of superiority from the error function; both were computed
/// in Python.
#[test]
fn intervals_and_superiority() {
    for (counts, elo, lower, upper, superiority) in [
        ([10, 20, 40, 25, 12], 14.620_400_797, -22.710_532_939, 51.951_334_533, 0.778_268_165_7),
        ([3, 0, 5, 0, 9], 128.134_060_344, -16.174_645_543, 272.442_766_232, 0.958_170_074_9),
        ([5, 40, 100, 60, 15], 31.672_498_419, 10.798_504_651, 52.546_492_187, 0.998_540_871_0),
    ] {
        let pairs = PairCounts::new(counts);
        let found = pairs.elo().unwrap();
        assert_near(found.estimate, elo);
        assert_near(found.interval.lower, lower);
        assert_near(found.interval.upper, upper);
        assert_near(pairs.superiority().unwrap(), superiority);
    }
}

#[test]
fn nothing_is_certain_from_games_that_are_all_alike() {
    assert!(PairCounts::default().elo().is_none() && PairCounts::default().superiority().is_none());
    let won = PairCounts::new([0, 0, 0, 0, 10]).elo().unwrap();
    assert!(won.estimate.is_infinite() && won.interval.upper.is_infinite());
    assert!(won.interval.lower > 100.0 && won.interval.lower < 300.0, "{won}");
    // Black won every game.
    let balanced = PairCounts::new([0, 0, 10, 0, 0]).elo().unwrap();
    assert_near(balanced.estimate, 0.0);
    assert!(balanced.interval.upper > 20.0, "{balanced}");
    assert_near(PairCounts::new([0, 0, 10, 0, 0]).superiority().unwrap(), 0.5);
}

/// The players exchanged.
#[test]
fn both_players_have_the_same_interval() {
    let of = |counts: [u64; 5]| PairCounts::new(counts).elo().unwrap();
    let (one, other) = (of([1, 4, 9, 3, 5]), of([5, 3, 9, 4, 1]));
    assert_near(one.estimate, -other.estimate);
    assert_near(one.interval.lower, -other.interval.upper);
}

/// Weights of the five kinds of pairs.
fn population(weights: [u64; 5]) -> Histogram {
    (0..).zip(weights).flat_map(|(kind, weight)| (0..weight).map(move |_| kind)).collect()
}

/// Simulates 1,000 matches for each population and length. The true coverage, from 6,000 to 20,000 matches each in another program, is at least 94.7 %, and
/// at most 95.6 % with 200 pairs. So each of the 20 comparisons fails by chance once in 2,000 seeds at most; the seed is fixed.
#[test]
fn intervals_cover_the_true_difference() {
    let mut stream = Stream::new(1);
    for weights in
        [[1, 0, 2, 0, 1], [4, 0, 32, 0, 64], [1, 4, 6, 4, 1], [5, 0, 85, 0, 10], [2, 5, 18, 30, 45]]
    {
        let elo = elo_difference(PairCounts::new(weights).share().unwrap());
        for pairs in [10, 50, 200] {
            let mut covered = 0;
            for _ in 0..1000 {
                let sample = stream.sample(&population(weights), pairs);
                let mut counts = PairCounts::default();
                sample.iter().for_each(|(kind, count)| counts.0[kind as usize] = count);
                covered += u32::from(counts.elo().unwrap().interval.contains(elo));
            }
            assert!(covered >= 920, "{weights:?}, {pairs} pairs: {covered}");
            assert!(pairs < 200 || covered <= 980, "{weights:?}, {pairs} pairs: {covered}");
        }
    }
}

#[test]
fn tests_are_read_and_written() {
    let test: Sprt = "0,10".parse().unwrap();
    assert_eq!(test.to_string(), "0,10,0.05,0.05");
    assert_eq!(test.to_string().parse(), Ok(test));
    // The logarithm of 19.
    assert_near(test.bounds().upper, 2.944_438_979_166_44);
    assert_near(test.bounds().lower, -2.944_438_979_166_44);
    for text in
        ["", "0", "10,0", "0,0", "0,10,0.05", "0,10,0,0.05", "0,10,0.05,0.5", "nan,10", "0,inf", "a,b"]
    {
        assert!(text.parse::<Sprt>().is_err(), "{text}");
    }
}

/// The expected values come from maximising both likelihoods over the probabilities and the multipliers of two constraints by Newton's method, in
/// Python.
#[test]
fn likelihood_ratios() {
    for (counts, test, ratio) in [
        ([10, 20, 40, 25, 12], "0,10", 0.274_098_471_297_776),
        ([3, 0, 5, 0, 9], "0,50", 0.988_060_077_759_606),
        ([0, 0, 30, 0, 0], "0,20", -1.768_746_786_498_628),
        ([5, 40, 100, 60, 15], "-5,5", 2.838_703_376_513_195),
    ] {
        let test: Sprt = test.parse().unwrap();
        assert_near(test.log_likelihood_ratio(&PairCounts::new(counts)), ratio);
    }
    let test: Sprt = "0,100".parse().unwrap();
    assert_eq!(test.log_likelihood_ratio(&PairCounts::default()), 0.0);
    assert_eq!(test.decision(&PairCounts::new([0, 0, 0, 0, 60])), Some(Hypothesis::H1));
    assert_eq!(test.decision(&PairCounts::new([60, 0, 0, 0, 0])), Some(Hypothesis::H0));
    assert_eq!(test.decision(&PairCounts::new([1, 0, 1, 0, 1])), None);
}

/// Simulates 1,000 tests under each hypothesis, with a fifth of the games drawn. An error rate of 5 % is found above 7.5 % with a probability of 2 in
/// 10,000; the seed is fixed. Errors are rarer than stated, because the ratio passes its bound by a part of a pair, but they are not absent.
#[test]
fn wrong_decisions_are_as_rare_as_stated() {
    const DRAWS: u64 = 2000;
    let test: Sprt = "0,100".parse().unwrap();
    let mut stream = Stream::new(2);
    for (elo, right) in [(test.elo0, Hypothesis::H0), (test.elo1, Hypothesis::H1)] {
        let wins = (10_000.0 * expected_share(elo)) as u64 - DRAWS / 2;
        let mut wrong = 0;
        for _ in 0..1000 {
            let mut pairs = PairCounts::default();
            let decision = loop {
                let mut half_points = || match stream.below(10_000) {
                    place if place < wins => 2,
                    place if place < wins + DRAWS => 1,
                    _ => 0,
                };
                let points = half_points() + half_points();
                pairs.add(points);
                if let Some(decision) = test.decision(&pairs) {
                    break decision;
                }
            };
            wrong += u32::from(decision != right);
        }
        assert!((10..=75).contains(&wrong), "{elo} Elo: {wrong} of 1000");
    }
}
