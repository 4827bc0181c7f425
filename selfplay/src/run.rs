//! Playing many games on all processors.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use jigo_engine::{Position, for_width};
use rayon::prelude::*;

use crate::{
    playout::{Census, Player, PlayoutSpec},
    record::GameRecord,
};

/// What takes in the games of a run.
///
/// Games arrive in batches on several threads; each batch fills a value of its own, and the values are merged. So that the result depends
/// neither on the number of threads nor on their timing, `merge` must be commutative and associative.
pub trait Sink: Send {
    /// Takes in one game with its final position.
    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>);

    /// Takes in all that `other` has.
    fn merge(&mut self, other: Self);
}

/// How far a run is, for progress bars; and the way to stop it.
#[derive(Debug, Default)]
pub struct Progress {
    games: AtomicU64,
    skipped_games: AtomicU64,
    plies: AtomicU64,
    stop: AtomicBool,
}

/// The run was stopped by [`Progress::stop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped on request")]
pub struct Stopped;

impl Progress {
    /// Nothing played yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            games: AtomicU64::new(0),
            skipped_games: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// Games finished, those that were skipped included.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// Games that had not to be played because an earlier run did: not to be counted in a rate.
    #[must_use]
    pub fn skipped_games(&self) -> u64 {
        self.skipped_games.load(Ordering::Relaxed)
    }

    /// Plies of the games finished, except those skipped.
    #[must_use]
    pub fn plies(&self) -> u64 {
        self.plies.load(Ordering::Relaxed)
    }

    /// Counts games played elsewhere.
    pub fn add(&self, games: u64, plies: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
        self.plies.fetch_add(plies, Ordering::Relaxed);
    }

    /// Counts games that need not be played.
    pub(crate) fn skip(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
        self.skipped_games.fetch_add(games, Ordering::Relaxed);
    }

    /// Asks the run to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Games in a batch: enough to forget what starting one costs, few enough to share work out evenly.
const BATCH: u64 = 256;

/// Plays the games with these indices on the threads of the current rayon pool and returns the merged sink.
///
/// Memory does not grow with the number of games, except for what the sink keeps.
///
/// # Errors
/// [`Stopped`] when `progress` was told to stop before all games were played; what was taken in is dropped then, because which games these are
/// depends on timing.
pub fn run<S: Sink>(
    spec: &PlayoutSpec,
    games: Range<u64>,
    census: Census,
    new_sink: impl Fn() -> S + Sync,
    progress: &Progress,
) -> Result<S, Stopped> {
    for_width!(spec.size, W => run_width::<W, S>(spec, games, census, new_sink, progress))
}

fn run_width<const W: usize, S: Sink>(
    spec: &PlayoutSpec,
    games: Range<u64>,
    census: Census,
    new_sink: impl Fn() -> S + Sync,
    progress: &Progress,
) -> Result<S, Stopped> {
    let batches = games.end.saturating_sub(games.start).div_ceil(BATCH);
    let result = (0..batches)
        .into_par_iter()
        .fold(
            || (new_sink(), None),
            |(mut sink, player), batch| {
                if progress.is_stopped() {
                    return (sink, player);
                }
                let mut player = player.unwrap_or_else(|| Box::new(Player::<W>::new(*spec, census)));
                let start = games.start + batch * BATCH;
                let end = games.end.min(start + BATCH);
                let mut plies = 0;
                for index in start..end {
                    let (record, position) = player.play(index);
                    plies += u64::from(record.ply_count());
                    sink.add(record, position);
                }
                progress.add(end - start, plies);
                (sink, Some(player))
            },
        )
        .map(|(sink, _)| sink)
        .reduce_with(|mut one, other| {
            one.merge(other);
            one
        });
    if progress.is_stopped() { Err(Stopped) } else { Ok(result.unwrap_or_else(new_sink)) }
}
