//! How far the reading of records is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How far an analysis or an import is, for progress bars; and the way to stop it.
#[derive(Debug, Default)]
pub struct ReadProgress {
    files: AtomicU64,
    games: AtomicU64,
    faults: AtomicU64,
    bytes: AtomicU64,
    stop: AtomicBool,
}

impl ReadProgress {
    /// Nothing read yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            files: AtomicU64::new(0),
            games: AtomicU64::new(0),
            faults: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        }
    }

    /// Files finished, readable or not.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Games measured or imported.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// Faults found.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.faults.load(Ordering::Relaxed)
    }

    /// Bytes of the files finished, decompressed.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Counts a file with its games.
    pub(super) fn add_file(&self, bytes: u64, games: u64) {
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.add_games(games);
    }

    /// Counts games.
    pub(super) fn add_games(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }

    /// Counts faults.
    pub(super) fn add_faults(&self, faults: usize) {
        self.faults.fetch_add(faults as u64, Ordering::Relaxed);
    }

    /// Asks for an early stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
