//! Reads records in batches for the threads that play them, and counts how far the reading is.

use std::{
    fs::File,
    io::BufReader,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::SyncSender,
    },
};

use jigo_selfplay::dataset::{ImportedDataset, ImportedGame};

use super::{Fault, RecordsError, SourceItem, SourceLimits, read_sources, report::read_faults};

/// Files, or what was imported from files, that go to a thread together.
pub(super) struct Batch {
    /// Its place in the order of reading.
    pub(super) index: u64,
    pub(super) items: Vec<Item>,
    /// Those of the files, or about those of the games.
    pub(super) bytes: usize,
}

/// What a thread takes from a batch.
pub(super) enum Item {
    /// A file, or the reason why there is none.
    File(SourceItem),
    /// A game that was imported.
    Game(Box<ImportedGame>),
    /// A fault that was found when games were imported.
    Fault(Fault),
}

impl Batch {
    /// Enough to make the passing on cheap, few enough to share the work evenly.
    const BYTES: usize = 1 << 16;
    const ITEMS: usize = 256;

    const fn new(index: u64) -> Self {
        Self { index, items: Vec::new(), bytes: 0 }
    }
}

/// Sends items in batches.
pub(super) struct Batches {
    batch: Batch,
    sender: SyncSender<Batch>,
}

impl Batches {
    pub(super) fn new(sender: SyncSender<Batch>) -> Self {
        Self { batch: Batch::new(0), sender }
    }

    /// Adds all files that the paths name. Returns how many others there are.
    pub(super) fn read(&mut self, paths: &[PathBuf], limits: SourceLimits, progress: &ReadProgress) -> u64 {
        read_sources(paths, limits, |item| {
            let bytes = item.content.as_ref().map_or(0, Vec::len);
            let flow = self.add(Item::File(item), bytes);
            if progress.is_stopped() { ControlFlow::Break(()) } else { flow }
        })
    }

    /// Adds what was left out of an import, and its games.
    pub(super) fn read_import(
        &mut self,
        import: &ImportedDataset,
        progress: &ReadProgress,
    ) -> Result<(), RecordsError> {
        let path = import.faults_path();
        let faults = File::open(&path).and_then(|file| read_faults(BufReader::new(file)));
        for fault in faults.map_err(|source| RecordsError::ImportFaults { path, source })? {
            _ = self.add(Item::Fault(fault), 0);
        }
        for game in import.games() {
            let game = game?;
            let bytes = game.stored_bytes() as usize;
            if self.add(Item::Game(Box::new(game)), bytes).is_break() || progress.is_stopped() {
                break;
            }
        }
        Ok(())
    }

    fn add(&mut self, item: Item, bytes: usize) -> ControlFlow<()> {
        self.batch.bytes += bytes;
        self.batch.items.push(item);
        if self.batch.bytes >= Batch::BYTES || self.batch.items.len() >= Batch::ITEMS {
            return self.send();
        }
        ControlFlow::Continue(())
    }

    /// Sends the current batch.
    pub(super) fn send(&mut self) -> ControlFlow<()> {
        let next = Batch::new(self.batch.index + 1);
        // Nobody receives any more when a thread has failed.
        match self.sender.send(std::mem::replace(&mut self.batch, next)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

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
    /// Returns the progress of reading that has not begun.
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

    /// Returns the files finished, readable or not.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Returns the games measured or imported.
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

    /// Returns whether a stop was asked for.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
