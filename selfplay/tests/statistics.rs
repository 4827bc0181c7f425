//! Statistics of playouts against published and independently computed values.
//!
//! Seeds are fixed, so a test here either always passes or always fails; the bounds are chosen so that a correct program passes with all but
//! the stated probability over the choice of the seed.

use jigo_engine::{BoardSize, Rules};
use jigo_selfplay::{AnyPosition, GameRecord, Policy, Progress, RunConfig, Sink};

/// Sums of what the tests compare.
#[derive(Default)]
struct Sums {
    games: u64,
    capped: u64,
    plies: Moments,
    passes: Moments,
    margin: Moments,
    placed: Moments,
    black_wins_at_7_5: u64,
    black_wins: u64,
    draws: u64,
}

/// First and second moment of an integer quantity, exact.
#[derive(Default, Clone, Copy)]
struct Moments {
    sum: i64,
    squares: i64,
}

impl Moments {
    fn add(&mut self, value: i64) {
        self.sum += value;
        self.squares += value * value;
    }

    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    fn mean(self, games: u64) -> f64 {
        self.sum as f64 / games as f64
    }

    fn standard_deviation(self, games: u64) -> f64 {
        (self.squares as f64 / games as f64 - self.mean(games).powi(2)).sqrt()
    }

    /// Asserts that the mean is within `limit` standard errors of the expected value, whose own standard error is given.
    #[track_caller]
    fn expect(self, what: &str, games: u64, expected: f64, expected_error: f64, limit: f64) {
        let error = (self.standard_deviation(games).powi(2) / games as f64 + expected_error.powi(2)).sqrt();
        let distance = (self.mean(games) - expected).abs() / error;
        assert!(
            distance < limit,
            "{what}: {} is {distance:.1} standard errors from {expected}",
            self.mean(games)
        );
    }
}

impl Sink for Sums {
    fn add(&mut self, record: &GameRecord, _: AnyPosition<'_>) {
        let margin = i64::from(record.margin());
        self.games += 1;
        self.capped += u64::from(record.is_capped());
        self.plies.add(i64::from(record.ply_count()));
        self.passes.add(i64::from(record.passes));
        self.placed.add(i64::from(record.ply_count() - record.passes));
        self.margin.add(margin);
        self.black_wins_at_7_5 += u64::from(margin > 7);
        self.black_wins += u64::from(margin > 0);
        self.draws += u64::from(margin == 0);
    }

    fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.capped += other.capped;
        self.plies.merge(other.plies);
        self.passes.merge(other.passes);
        self.placed.merge(other.placed);
        self.margin.merge(other.margin);
        self.black_wins_at_7_5 += other.black_wins_at_7_5;
        self.black_wins += other.black_wins;
        self.draws += other.draws;
    }
}

fn sums(size: &str, rules: &str, policy: &str, games: u64) -> Sums {
    let size: BoardSize = size.parse().unwrap();
    let rules: Rules = rules.parse().unwrap();
    let policy: Policy = policy.parse().unwrap();
    // Uniform play on tiny boards goes on for much longer than three plies per point; the expected values know no cap.
    let ply_cap = RunConfig::default_ply_cap(size).max(1000);
    let spec = RunConfig::new(size, rules, policy).seed(20_261_121).ply_cap(ply_cap);
    spec.play(0..games, Sums::default, &Progress::new()).unwrap()
}

#[track_caller]
fn expect_share(what: &str, count: u64, games: u64, expected: f64, limit: f64) {
    let share = count as f64 / games as f64;
    let error = (expected * (1.0 - expected) / games as f64).sqrt();
    let distance = (share - expected).abs() / error;
    assert!(distance < limit, "{what}: {share} is {distance:.1} standard errors from {expected}");
}

/// The expected values of one size under policy U, with the uncertainty of the source.
struct PolicyU {
    size: &'static str,
    plies: (f64, f64),
    passes: f64,
    black_wins_at_7_5: (f64, f64),
    margin: (f64, f64),
    margin_deviation: f64,
}

/// Seven independent programs agree on these (no superko, no suicide, area). Five comparisons per size at 4 standard errors: a correct
/// program fails with probability below 0.1 %.
fn check_policy_u(games: u64, expected: &PolicyU) {
    let sums = sums(expected.size, "chinese", "eye-safe", games);
    assert_eq!(sums.games, games);
    sums.plies.expect("plies", games, expected.plies.0, expected.plies.1, 4.0);
    sums.passes.expect("passes", games, expected.passes, 0.005, 4.0);
    sums.margin.expect("margin", games, expected.margin.0, expected.margin.1, 4.0);
    let deviation = sums.margin.standard_deviation(games);
    let error = (deviation.powi(2) / (2.0 * games as f64) + 0.05_f64.powi(2)).sqrt();
    assert!((deviation - expected.margin_deviation).abs() < 4.0 * error, "s.d. of margin: {deviation}");
    let share = sums.black_wins_at_7_5 as f64 / games as f64;
    let (wins, rounding) = expected.black_wins_at_7_5;
    let error = (wins * (1.0 - wins) / games as f64 + rounding * rounding).sqrt();
    assert!((share - wins).abs() < 4.0 * error, "wins at 7.5: {share}");
}

#[test]
fn policy_u_on_9x9() {
    check_policy_u(
        400_000,
        &PolicyU {
            size: "9",
            plies: (111.06, 0.01),
            passes: 3.68,
            black_wins_at_7_5: (0.4217, 0.0001),
            margin: (2.20, 0.02),
            margin_deviation: 39.1,
        },
    );
}

#[test]
fn policy_u_on_13x13() {
    check_policy_u(
        200_000,
        &PolicyU {
            size: "13",
            plies: (219.37, 0.03),
            passes: 3.90,
            black_wins_at_7_5: (0.4451, 0.0001),
            margin: (2.10, 0.04),
            margin_deviation: 50.2,
        },
    );
}

#[test]
fn policy_u_on_19x19() {
    check_policy_u(
        100_000,
        &PolicyU {
            size: "19",
            plies: (455.4, 0.1),
            passes: 4.26,
            black_wins_at_7_5: (0.462, 0.0005),
            margin: (2.05, 0.1),
            margin_deviation: 69.7,
        },
    );
}

/// Backend when multi-stone suicide is played as the rules allow (no superko): the biased variant of policy U, told apart by 300 standard errors.
#[test]
fn suicide_makes_playouts_longer() {
    for (size, plies, error, games) in [("9", 114.55, 0.01, 100_000), ("13", 227.6, 0.05, 50_000)] {
        let sums = sums(size, "area+simple-ko+suicide", "eye-safe:suicide=rules", games);
        sums.plies.expect("plies with suicide", games, plies, error, 4.0);
    }
}

/// Uniform play over all legal moves under Tromp–Taylor rules; the expected values are exact, by enumeration. False alarm below 0.1 %.
#[test]
fn uniform_play_on_tiny_boards() {
    let two = sums("1x2", "tromp-taylor", "uniform", 1000);
    assert_eq!((two.plies.mean(1000), two.placed.mean(1000), two.margin.mean(1000)), (4.0, 2.0, -2.0));
    let games = 200_000;
    let three = sums("1x3", "tromp-taylor", "uniform", games);
    assert_eq!(three.margin.mean(games), -3.0);
    three.plies.expect("plies on 1x3", games, 15.0, 0.0, 4.0);
    three.placed.expect("stones on 1x3", games, 10.83333, 0.00001, 4.0);
    let games = 1_000_000;
    let four = sums("2x2", "tromp-taylor", "uniform", games);
    assert_eq!(four.capped, 0, "raise the ply cap");
    four.plies.expect("plies on 2x2", games, 22.159_650_4, 1e-7, 4.0);
    four.placed.expect("stones on 2x2", games, 18.109_191_6, 1e-7, 4.0);
    four.margin.expect("margin on 2x2", games, -2.701_812_9, 1e-7, 4.0);
    expect_share("Black's wins on 2x2", four.black_wins, games, 0.155_094_030, 4.0);
    expect_share("draws on 2x2", four.draws, games, 0.036_518_071, 4.0);
}

/// The first two stones of uniform play on 4×3 are each of the 132 ordered pairs equally often: chi-square with 131 degrees of freedom, whose
/// quantile at 1 − 10⁻⁵ is 212. False alarm 10⁻⁵.
#[test]
fn moves_are_uniform() {
    #[derive(Default)]
    struct Pairs(std::collections::BTreeMap<(u16, u16), u64>);
    impl Sink for Pairs {
        fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
            let mut codes = record.codes(position.size());
            let pair = (codes.next().unwrap(), codes.next().unwrap());
            *self.0.entry(pair).or_default() += 1;
        }

        fn merge(&mut self, other: Self) {
            other.0.into_iter().for_each(|(pair, count)| *self.0.entry(pair).or_default() += count);
        }
    }
    let games = 132_000;
    let size: BoardSize = "4x3".parse().unwrap();
    let spec = RunConfig::new(size, Rules::TROMP_TAYLOR, Policy::UNIFORM).seed(5).ply_cap(2);
    let Pairs(counts) = spec.play(0..games, Pairs::default, &Progress::new()).unwrap();
    assert_eq!(counts.len(), 132);
    let expected = games as f64 / 132.0;
    let chi_square: f64 = counts.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    assert!(chi_square < 212.0, "{chi_square}");
}
