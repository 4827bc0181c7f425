//! One line of the table: one way to play the games of a setting, timed several times.

use std::fmt;

use anyhow::ensure;
use jigo_selfplay::{Backend, Run, RunConfig, Signature};

use super::sums::Sums;
use crate::config::Recorded;

/// One way to play some games, and how long it took.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) spec: Run,
    pub(super) threads: usize,
    pub(super) means: Backend,
    pub(super) needs: Recorded,
    pub(super) sums: Sums,
    pub(super) signature: Signature,
    /// Wall-clock time of each repetition.
    pub(super) seconds: Vec<f64>,
}

/// Median and range of repeated measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Spread {
    /// Of an even number of values, the median is the mean of the two in the middle.
    ///
    /// # Panics
    /// When there are no values.
    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
        Self { median: f64::midpoint(low, high), min: values[0], max: values[values.len() - 1] }
    }
}

impl Line {
    pub(super) fn games_per_s(&self) -> Spread {
        Spread::of(self.seconds.iter().map(|seconds| self.sums.games as f64 / seconds))
    }

    pub(super) fn plies_per_s(&self) -> f64 {
        self.games_per_s().median * self.sums.plies as f64 / self.sums.games as f64
    }

    /// How long one thread takes for a ply, as if its share of the work were even.
    pub(super) fn ns_per_ply_per_thread(&self) -> f64 {
        1e9 * self.threads as f64 / self.plies_per_s()
    }

    /// How many times as fast as `first`: the median over repetitions, each compared with the one that was timed in the same round.
    pub(super) fn ratio_to(&self, first: &Self) -> f64 {
        Spread::of(first.seconds.iter().zip(&self.seconds).map(|(first, own)| first / own)).median
    }

    /// Whether the lines are of one group: timed in turn and compared with its first.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.spec == other.spec && self.threads == other.threads
    }

    /// Fails unless a timed run played the games that the signature tells of.
    pub(super) fn check_sums(&self, timed: Sums) -> anyhow::Result<()> {
        let Self { sums, .. } = self;
        ensure!(
            timed == *sums,
            "{self} played other games when timed than when their moves were recorded: {timed:?} instead of {sums:?}. \
             Its speed means nothing; please report this"
        );
        Ok(())
    }

    /// Fails if `other` had to play the same games and did not.
    pub(super) fn check_signature(&self, other: &Self) -> anyhow::Result<()> {
        let are_same = self.spec == other.spec && self.sums.games == other.sums.games;
        ensure!(
            !are_same || (self.signature == other.signature && self.sums == other.sums),
            "{self} and {other} played different games: signatures {} and {}. Their speeds cannot be compared; please report this",
            self.signature,
            other.signature
        );
        Ok(())
    }
}

/// RunConfig and way.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { means, needs, threads, .. } = self;
        let RunConfig { size, rules, policy, .. } = self.spec.config;
        let (needs, threads) = (needs.name(), threads_text(*threads));
        write!(f, "{size} {rules} {policy} by {means}, {needs}, {threads}")
    }
}

/// `1 thread`, `2 threads`.
pub(super) fn threads_text(threads: usize) -> String {
    if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") }
}

/// Lines for tests of what is made of them.
#[cfg(test)]
pub(super) fn example(means: &str, seconds: &[f64]) -> Line {
    let (size, rules, policy) =
        ("9".parse().unwrap(), "chinese".parse().unwrap(), "eye-safe".parse().unwrap());
    Line {
        spec: RunConfig::new(size, rules, policy).seed(1),
        threads: 1,
        means: means.parse().unwrap(),
        needs: Recorded::End,
        sums: Sums { games: 1000, plies: 111_000, margins: 1850, positions: 7 },
        signature: Signature::default(),
        seconds: seconds.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{Position, Rules};
    use jigo_selfplay::{Policy, Progress};

    use super::*;

    #[test]
    fn speeds() {
        let line = example("board", &[0.02, 0.01, 0.04]);
        assert_eq!(line.games_per_s(), Spread { median: 50_000.0, min: 25_000.0, max: 100_000.0 });
        assert!((line.plies_per_s() - 5_550_000.0).abs() < 1e-3);
        assert!((line.ns_per_ply_per_thread() - 180.18).abs() < 0.01);
        let faster = example("plain", &[0.01, 0.005, 0.01]);
        assert!((faster.ratio_to(&line) - 2.0).abs() < 1e-9, "rounds are 2, 2 and 4 times as fast");
        assert!((Spread::of([1.0, 2.0, 4.0, 9.0]).median - 3.0).abs() < 1e-9);
    }

    #[test]
    fn other_games_cannot_pass() {
        let line = example("board", &[0.02]);
        assert!(line.check_sums(line.sums).is_ok());
        let timed = Sums { positions: 8, ..line.sums };
        let message = line.check_sums(timed).unwrap_err().to_string();
        assert!(message.contains("9x9 chinese eye-safe by board, end, 1 thread played other"), "{message}");
        let mut other = example("plain", &[0.01]);
        assert!(line.check_signature(&other).is_ok());
        let spec = RunConfig::new("3".parse().unwrap(), Rules::TROMP_TAYLOR, Policy::EYE_SAFE).seed(1);
        other.signature = spec.play(0..1, Signature::default, &Progress::new()).unwrap();
        let message = line.check_signature(&other).unwrap_err().to_string();
        assert!(message.contains("board") && message.contains("plain"), "{message}");
        other.sums.games += 1;
        assert!(line.check_signature(&other).is_ok(), "fewer games are other games");
    }

    #[test]
    fn sums_see_the_final_position() {
        use jigo_engine::{Color, Point};
        use jigo_selfplay::Sink as _;
        let spec = RunConfig::new("3".parse().unwrap(), Rules::TROMP_TAYLOR, Policy::EYE_SAFE).seed(1);
        let record = spec.game(0);
        let sums = |stones: &[(u8, u8)]| {
            let mut position = Position::<1>::new(spec.config.size);
            stones.iter().for_each(|&(x, y)| position.set_stone(Point::new(x, y), Some(Color::White)));
            let mut sink = crate::command::bench::sums::Timed::<0>::default();
            sink.add(&record, &position);
            sink.0.positions
        };
        assert_eq!(sums(&[(0, 0)]), sums(&[(0, 0)]));
        assert_ne!(sums(&[(0, 0)]), sums(&[(0, 1)]));
    }
}
