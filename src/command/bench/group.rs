//! Lines that are timed in turn: the same games on as many threads.

use std::{ops::Range, time::Instant};

use anyhow::Context as _;
use jigo_selfplay::{Backend, Progress, Run, Sink, Stopped};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{
    line::{Line, threads_text},
    sums::{ALL, END, Identified, MOVES, REPETITIONS, Sums, Timed},
};
use crate::{
    args::BenchArgs,
    config::{GameCount, Recorded},
    progress,
};

/// What a repetition takes where the number of games is not given, on average over the lines of a group.
const REPETITION_S: f64 = 0.4;
/// What is played at least to learn the speed of a line.
const PROBE_S: f64 = 0.03;
/// Games with which learning the speed begins, for each thread.
const PROBE_GAMES: u64 = 128;

/// A setting, a number of threads, and the ways to play the games.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    pub(super) spec: Run,
    pub(super) threads: usize,
    pub(super) ways: Vec<(Backend, Recorded)>,
}

impl Group {
    /// Plays the games by every way, first to know which they are, then in turn to time them, and appends a line for each way.
    ///
    /// # Errors
    /// [`Stopped`] on request, with the lines as far as they are; or what the first line is that played other games.
    pub(super) fn measure(
        &self,
        args: &BenchArgs,
        progress: &Progress,
        lines: &mut Vec<Line>,
    ) -> anyhow::Result<()> {
        let Self { spec, threads, ways } = self;
        let pool = ThreadPoolBuilder::new().num_threads(*threads).build();
        let pool = &pool.context("cannot start the worker threads")?;
        let games = args.games.map_or_else(|| self.games_by_speed(pool, progress), |GameCount(n)| Ok(n))?;
        let label = format!(
            "{} {} {}, {}",
            spec.config.size,
            spec.config.rules,
            spec.config.policy,
            threads_text(*threads)
        );
        let total = games.saturating_mul(ways.len() as u64 * (1 + u64::from(args.repetitions)));
        progress::shown(&label, total, progress, || {
            let own = lines.len()..lines.len() + ways.len();
            for &way in ways {
                let line = self.identify(pool, way, games, progress)?;
                lines.iter().try_for_each(|other| other.check_signature(&line))?;
                lines.push(line);
            }
            for round in 0..args.repetitions {
                for index in turns(round, own.clone()) {
                    let line = &mut lines[index];
                    let (seconds, sums) =
                        self.time(pool, (line.means, line.needs), line.sums.games, progress)?;
                    line.check_sums(sums)?;
                    line.seconds.push(seconds);
                }
            }
            Ok(())
        })
    }

    /// Plays games without timing them.
    fn identify(
        &self,
        pool: &ThreadPool,
        way @ (means, needs): (Backend, Recorded),
        games: u64,
        progress: &Progress,
    ) -> Result<Line, Stopped> {
        let Identified { sums, signature } = self.play(pool, way, games, progress)?;
        let Self { spec, threads, .. } = *self;
        Ok(Line { spec, threads, means, needs, sums, signature, seconds: Vec::new() })
    }

    /// Plays games and says how long it took.
    fn time(
        &self,
        pool: &ThreadPool,
        way @ (_, needs): (Backend, Recorded),
        games: u64,
        progress: &Progress,
    ) -> Result<(f64, Sums), Stopped> {
        let start = Instant::now();
        let sums = match needs {
            Recorded::End => self.play::<Timed<END>>(pool, way, games, progress)?.0,
            Recorded::Moves => self.play::<Timed<MOVES>>(pool, way, games, progress)?.0,
            Recorded::Repetitions => self.play::<Timed<REPETITIONS>>(pool, way, games, progress)?.0,
            Recorded::All => self.play::<Timed<ALL>>(pool, way, games, progress)?.0,
        };
        Ok((start.elapsed().as_secs_f64(), sums))
    }

    fn play<S: Sink + Default>(
        &self,
        pool: &ThreadPool,
        (means, _): (Backend, Recorded),
        games: u64,
        progress: &Progress,
    ) -> Result<S, Stopped> {
        pool.install(|| self.spec.play_on(means, 0..games, S::default, progress))
    }

    /// So many games that a repetition takes [`REPETITION_S`] on average; a number with two significant digits.
    fn games_by_speed(&self, pool: &ThreadPool, progress: &Progress) -> Result<u64, Stopped> {
        let mut seconds_per_game = 0.0;
        for &way in &self.ways {
            let mut games = PROBE_GAMES * self.threads as u64;
            let mut seconds = self.time(pool, way, games, progress)?.0;
            while seconds < PROBE_S {
                games *= 2;
                seconds = self.time(pool, way, games, progress)?.0;
            }
            seconds_per_game += seconds / games as f64;
        }
        Ok(two_digits((REPETITION_S * self.ways.len() as f64 / seconds_per_game) as u64))
    }
}

/// The lines in the order in which a round times them: every second round backwards, so that a steady drift of the machine hits all alike.
fn turns(round: u32, lines: Range<usize>) -> Vec<usize> {
    if round.is_multiple_of(2) { lines.collect() } else { lines.rev().collect() }
}

/// The number with all but its first two digits zero; 10 at least.
fn two_digits(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(10).ilog10() - 1);
    number.max(10) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_alternate() {
        assert_eq!(turns(0, 3..6), [3, 4, 5]);
        assert_eq!(turns(1, 3..6), [5, 4, 3]);
    }

    #[test]
    fn round_numbers_of_games() {
        for (number, rounded) in [(0, 10), (10, 10), (99, 99), (101, 100), (78_912, 78_000)] {
            assert_eq!(two_digits(number), rounded);
        }
    }
}
