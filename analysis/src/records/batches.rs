//! Reads records in batches, shares these out to threads, and counts how far the reading is.

use std::{
    cmp::Ordering as Order,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use jigo_selfplay::{
    dataset::{ImportedDataset, ImportedGame, SourceCounts},
    files::open_regular,
    sgf::{self, Limits, Record},
};
use rayon::prelude::*;

use super::{
    Fault, FaultStage, RecordsError, SourceItem, SourceLimits, SourcesRead, read_sources, report::read_faults,
};

/// Files, or what was imported from files, that go to a thread together.
#[derive(Default)]
pub(super) struct Batch {
    /// How many items were read before these.
    pub(super) first: u64,
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
    /// What is known of sources beside their games, and the text that says so: the manifest of an import.
    Sources(SourceCounts, String),
}

/// What became of an item.
pub(super) struct Played<T> {
    /// What is counted of the sources; nothing before all games are played.
    pub(super) sources: SourceCounts,
    pub(super) games: Vec<Result<T, Fault>>,
    /// Whether all games were played. Otherwise the work was stopped.
    pub(super) is_whole: bool,
}

impl Item {
    /// Returns BLAKE3 of the name and the content.
    pub(super) fn digest(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &[u8]| _ = hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        match self {
            Self::File(SourceItem { name, content: Ok(bytes) }) => [name.as_bytes(), bytes].map(&mut add),
            Self::File(SourceItem { name, content: Err(error) }) => {
                add(name.as_bytes());
                [error.reason.as_bytes(), error.text.as_bytes()].map(&mut add)
            }
            // The manifest, which comes first, has the digests of all shards.
            Self::Game(game) => [game.source.file.as_bytes(), &game.source.place.to_le_bytes()].map(&mut add),
            Self::Fault(fault) => [fault.file.as_bytes(), fault.text.as_bytes()].map(&mut add),
            Self::Sources(counts, text) => [&counts.other_files.to_le_bytes(), text.as_bytes()].map(&mut add),
        };
        hasher.finalize()
    }
}

impl Batch {
    /// Enough to make the passing on cheap, few enough to share the work evenly.
    const BYTES: usize = 1 << 16;
    const ITEMS: usize = 256;

    /// Plays all games after those that were counted `before`, until `progress` is stopped. `play` gets the file, the game's place in it and its
    /// record.
    pub(super) fn play<T>(
        self,
        limits: Limits,
        before: &SourcesRead,
        progress: &ReadProgress,
        mut play: impl FnMut(&str, u64, Record) -> Result<T, Fault>,
    ) -> Vec<Played<T>> {
        let items = (self.first..).zip(self.items).take_while(|_| !progress.is_stopped());
        let played = items.map(|(index, item)| {
            let skipped = match index.cmp(&before.items) {
                Order::Less => {
                    return Played { sources: SourceCounts::default(), games: Vec::new(), is_whole: true };
                }
                Order::Equal => before.games_of_next as usize,
                Order::Greater => 0,
            };
            let is_file = matches!(item, Item::File(_));
            let (mut sources, mut is_whole) = (SourceCounts::default(), true);
            let games: Vec<_> = match item {
                Item::File(SourceItem { name, content: Ok(bytes) }) => {
                    let games = (0..).zip(sgf::read_games(&bytes, limits)).skip(skipped);
                    let games = games.take_while(|_| {
                        is_whole = !progress.is_stopped();
                        is_whole
                    });
                    let games = games.map(|(place, record)| match record {
                        Ok(record) => play(&name, place, record),
                        Err(error) => {
                            Err(Fault::from_game(FaultStage::Record, &name, &error, error.kind.name()))
                        }
                    });
                    let games = games.collect();
                    if is_whole {
                        sources = SourceCounts { files: 1, bytes: bytes.len() as u64, other_files: 0 };
                    }
                    games
                }
                Item::File(SourceItem { name, content: Err(error) }) => {
                    vec![Err(Fault::new(FaultStage::File, &name, error.byte, error.reason, &error))]
                }
                Item::Game(game) => {
                    let ImportedGame { record, source, .. } = *game;
                    vec![play(&source.file, source.place, record)]
                }
                Item::Fault(fault) => vec![Err(fault)],
                Item::Sources(counts, _) => {
                    sources = counts;
                    Vec::new()
                }
            };
            let faults = games.iter().filter(|game: &&Result<T, Fault>| game.is_err()).count() as u64;
            let add = |counter: &AtomicU64, number| _ = counter.fetch_add(number, Ordering::Relaxed);
            add(&progress.files, is_file.into());
            add(&progress.games, games.len() as u64 - faults);
            add(&progress.faults, faults);
            Played { sources, games, is_whole }
        });
        played.collect()
    }
}

/// Lets `read` read on a thread of its own and `play` turn batches into parts on the threads of the current rayon pool, until `progress` is
/// stopped. `take` gets the parts in the order of reading, while the next ones are played.
pub(super) fn for_each_batch<T: Send>(
    progress: &ReadProgress,
    read: impl FnOnce(&mut Batches<'_>) -> Result<(), RecordsError> + Send,
    play: impl Fn(Batch) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), RecordsError> + Send,
) -> Result<(), RecordsError> {
    let threads = rayon::current_num_threads();
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(4 * threads);
        let reader = scope.spawn(|| {
            let mut batches = Batches { batch: Batch::default(), sender, progress };
            read(&mut batches)?;
            batches.send();
            Ok(())
        });
        let mut played = Vec::new();
        loop {
            let most = if progress.is_stopped() { 0 } else { 16 * threads };
            let batches = next_batches(&receiver, most);
            if batches.is_empty() && played.is_empty() {
                break;
            }
            let play = || batches.into_par_iter().map(&play).collect();
            let take = || std::mem::take(&mut played).into_iter().try_for_each(&mut take);
            let (next, taken) = rayon::join(play, take);
            taken?;
            played = next;
        }
        // So that the reader is not left waiting for somebody to receive.
        drop(receiver);
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Returns the next batches, fewer of large files; none at the end.
fn next_batches(receiver: &Receiver<Batch>, most: usize) -> Vec<Batch> {
    /// Bytes of files whose games are held at once, at least one file: a game may take two hundred times the bytes of its record.
    const BYTES: usize = 16 << 20;
    let (mut batches, mut bytes) = (Vec::new(), 0);
    while batches.len() < most
        && bytes < BYTES
        && let Ok(batch) = receiver.recv()
    {
        bytes += batch.bytes;
        batches.push(batch);
    }
    batches
}

/// Sends items in batches.
pub(super) struct Batches<'a> {
    batch: Batch,
    sender: SyncSender<Batch>,
    progress: &'a ReadProgress,
}

impl Batches<'_> {
    /// Adds all files that the paths name, and how many others there are.
    pub(super) fn read(&mut self, paths: &[PathBuf], limits: SourceLimits) {
        let other_files = read_sources(paths, limits, |item| {
            let bytes = item.content.as_ref().map_or(0, Vec::len);
            self.add(Item::File(item), bytes)
        });
        // Otherwise they are not all counted.
        if !self.progress.is_stopped() {
            let counts = SourceCounts { other_files, ..SourceCounts::default() };
            _ = self.add(Item::Sources(counts, String::new()), 0);
        }
    }

    /// Adds an import, what was left out of it, and its games.
    pub(super) fn read_import(&mut self, import: &ImportedDataset) -> Result<(), RecordsError> {
        let manifest = import.manifest();
        let text = serde_json::to_string(manifest).expect("structs of text and numbers");
        _ = self.add(Item::Sources(manifest.sources, text), 0);
        let path = import.faults_path();
        let faults = open_regular(&path).and_then(read_faults);
        for fault in faults.map_err(|source| RecordsError::ImportFaults { path, source })? {
            _ = self.add(Item::Fault(fault), 0);
        }
        for game in import.games() {
            let game = game?;
            let bytes = game.stored_bytes() as usize;
            if self.add(Item::Game(Box::new(game)), bytes).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn add(&mut self, item: Item, bytes: usize) -> ControlFlow<()> {
        self.batch.bytes += bytes;
        self.batch.items.push(item);
        let is_full = self.batch.bytes >= Batch::BYTES || self.batch.items.len() >= Batch::ITEMS;
        let has_receiver = !is_full || self.send();
        if has_receiver && !self.progress.is_stopped() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Sends the current batch. Returns whether anybody receives it: nobody does once the work has failed or was stopped.
    fn send(&mut self) -> bool {
        let first = self.batch.first + self.batch.items.len() as u64;
        self.sender.send(std::mem::replace(&mut self.batch, Batch { first, ..Batch::default() })).is_ok()
    }
}

/// How far an analysis or an import is, for progress bars; and the way to stop it.
#[derive(Debug, Default)]
pub struct ReadProgress {
    files: AtomicU64,
    games: AtomicU64,
    faults: AtomicU64,
    stop: AtomicBool,
}

impl ReadProgress {
    /// Returns the progress of reading that has not begun.
    #[must_use]
    pub const fn new() -> Self {
        let [files, games, faults] = [const { AtomicU64::new(0) }; 3];
        Self { files, games, faults, stop: AtomicBool::new(false) }
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

    /// Returns the faults found.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.faults.load(Ordering::Relaxed)
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
