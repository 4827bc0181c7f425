//! Playing on all threads: sharing games out, adding them up, and how far a run is.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use jigo_engine::{AnyPosition, batch::Needs};
use rayon::prelude::*;

use crate::GameRecord;

/// What takes in the games of a run.
///
/// Games arrive in any order on several threads; each thread fills a value of its own, and the values are merged. So that the result depends
/// neither on the number of threads nor on their timing, adding and `merge` must be commutative and associative.
pub trait Sink: Send {
    /// What must be known of each game. Records lack what was not asked for, and games are played faster.
    const NEEDS: Needs = Needs::All;

    /// Takes in one game with its final position.
    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>);

    /// Takes in all that `other` has.
    fn merge(&mut self, other: Self);
}

/// Games that a thread takes at once where games are short, few enough to share work out evenly.
const SHARE: u64 = 64;

/// Shares games out to the threads of the current rayon pool and merges their sinks.
///
/// `work` plays the games that its second argument names, until it names none, adds them to the sink, and counts them. The first error ends the run. Where
/// games are long, each is shared out by itself.
pub(crate) fn share_out<S: Sink, E: From<Stopped> + Send>(
    games: Range<u64>,
    new_sink: &(impl Fn() -> S + Sync),
    progress: &Progress,
    are_long: bool,
    work: impl Fn(&mut S, &mut dyn FnMut() -> Option<u64>, &mut Count<'_>) -> Result<(), E> + Sync,
) -> Result<S, E> {
    let next = AtomicU64::new(games.start);
    let failed = AtomicBool::new(false);
    let work = |_| {
        let mut sink = new_sink();
        let size = if are_long { 1 } else { SHARE };
        let mut count = Count { progress, share: size, games: 0, plies: 0 };
        let mut share = 0..0;
        let mut next_game = || {
            if share.is_empty() {
                let start = next.fetch_add(size, Ordering::Relaxed).min(games.end);
                share = start..games.end.min(start + size);
            }
            share.next().filter(|_| !progress.is_stopped() && !failed.load(Ordering::Relaxed))
        };
        let result = work(&mut sink, &mut next_game, &mut count);
        failed.fetch_or(result.is_err(), Ordering::Relaxed);
        result.map(|()| sink)
    };
    let merge = |mut one: S, other| {
        one.merge(other);
        Ok(one)
    };
    let threads = rayon::current_num_threads();
    let merged = (0..threads).into_par_iter().with_max_len(1).map(work).try_reduce_with(merge).transpose()?;
    if progress.is_stopped() { Err(Stopped.into()) } else { Ok(merged.unwrap_or_else(new_sink)) }
}

/// Tells a progress of games, some at a time.
pub(crate) struct Count<'a> {
    progress: &'a Progress,
    /// Games after which it is told.
    share: u64,
    games: u64,
    plies: u64,
}

impl Count<'_> {
    #[inline]
    pub(crate) fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        self.plies += u64::from(record.ply_count());
        if self.games == self.share {
            self.tell();
        }
    }

    fn tell(&mut self) {
        self.progress.add(self.games, self.plies);
        (self.games, self.plies) = (0, 0);
    }
}

impl Drop for Count<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}

/// How far a run is, for progress bars, and the way to stop it.
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
    /// Returns the progress of a run with nothing played yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            games: AtomicU64::new(0),
            skipped_games: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// Returns the number of games finished, those that were skipped included.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// Returns the number of games that an earlier run had played already: not to be counted in a rate.
    #[must_use]
    pub fn skipped_games(&self) -> u64 {
        self.skipped_games.load(Ordering::Relaxed)
    }

    /// Returns the number of plies of the games finished, except those skipped.
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
    pub fn skip(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
        self.skipped_games.fetch_add(games, Ordering::Relaxed);
    }

    /// Asks the run to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns whether the run was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
