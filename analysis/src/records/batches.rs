//! Records on their way to the threads that work them off.

use std::{fs::File, io::BufReader, ops::ControlFlow, path::PathBuf, sync::mpsc::SyncSender};

use jigo_selfplay::dataset::{ImportedDataset, ImportedGame};

use super::{AnalyzeError, Fault, ReadProgress, report::read_faults};
use crate::records::{SourceItem, SourceLimits, read_sources};

/// Files, or what was imported from files, that go to a thread together.
pub(super) struct Batch {
    /// Its place in the order of reading.
    pub(super) index: u64,
    pub(super) items: Vec<Item>,
    /// Those of the files, or about those of the games.
    pub(super) bytes: usize,
}

/// What a thread works off.
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

/// Sends items off in batches.
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
    ) -> Result<(), AnalyzeError> {
        let path = import.faults_path();
        let faults = File::open(&path).and_then(|file| read_faults(BufReader::new(file)));
        for fault in faults.map_err(|source| AnalyzeError::ImportFaults { path, source })? {
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

    /// Sends off what there is.
    pub(super) fn send(&mut self) -> ControlFlow<()> {
        let next = Batch::new(self.batch.index + 1);
        // Nobody receives any more when a thread has failed.
        match self.sender.send(std::mem::replace(&mut self.batch, next)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
