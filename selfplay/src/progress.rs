//! How far a run is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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
