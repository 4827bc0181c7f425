//! From paths to measurements: one thread reads and decompresses, the others parse and play.

use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use jigo_engine::Rules;
use jigo_selfplay::sgf::Limits;

use super::{Fault, RecordStudy, file::FileReader};
use crate::{Input, SourceItem, SourceLimits, read_sources};

/// How files are read and games are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalyzeOptions {
    /// How much is accepted of files and archives.
    pub source_limits: SourceLimits,
    /// How much is accepted of one game. The default is lower than that of [`Limits`]: no real game has 100,000 moves, and the
    /// search for repetitions takes time that grows with the square of the length.
    pub record_limits: Limits,
    /// The rules that moves are checked against, in place of those that each record names (see
    /// [`rules_of`](jigo_selfplay::sgf::rules_of)).
    pub rules: Option<Rules>,
}

impl Default for AnalyzeOptions {
    fn default() -> Self {
        let record_limits = Limits { nodes: 100_000, setup_points: 100_000, ..Limits::default() };
        Self { source_limits: SourceLimits::default(), record_limits, rules: None }
    }
}

/// What the paths held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The game records.
    pub records: RecordStudy,
    /// Paths that are datasets of jigo's own, in the order given; not read.
    pub datasets: Vec<PathBuf>,
}

/// Why there is no analysis.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyzeError {
    /// [`ReadProgress::stop`] was called.
    #[error("stopped on request")]
    Stopped,
    /// The list of faults could not be written.
    #[error("the list of faults cannot be written: {0}")]
    Faults(#[source] io::Error),
}

/// How far an analysis is, for progress bars; and the way to stop it.
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

    /// Games measured.
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

    /// Asks the analysis to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the analysis was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Measures all game records that the paths name, on the threads of the current rayon pool and one more that reads.
///
/// For what paths may be, see [`read_sources`]. Every file and game that cannot be used is passed to `on_fault`, in the order of the paths
/// and files whatever the threads do, and counted. The analysis is the same for any number of threads.
///
/// Memory: a few files for each thread and the counts; it does not grow with the number of games.
///
/// # Errors
/// [`AnalyzeError::Stopped`] when `progress` was told to stop, [`AnalyzeError::Faults`] when `on_fault` failed. What was measured is dropped
/// then.
pub fn analyze(
    paths: &[PathBuf],
    options: &AnalyzeOptions,
    progress: &ReadProgress,
    on_fault: &mut (dyn FnMut(&Fault) -> io::Result<()> + Send),
) -> Result<Analysis, AnalyzeError> {
    let (mut datasets, mut sources) = (Vec::new(), Vec::new());
    for path in paths {
        match Input::of(path) {
            Input::Dataset(path) => datasets.push(path),
            Input::Records(path) => sources.push(path),
        }
    }
    let faults = Mutex::new(InOrder { next: 0, waiting: BTreeMap::new(), on_fault, error: None });
    let records = thread::scope(|scope| {
        let (sender, receiver) = sync_channel(4 * rayon::current_num_threads());
        let receiver = Mutex::new(receiver);
        let reader = scope.spawn(|| read_batches(&sources, options.source_limits, progress, sender));
        let parts = rayon::broadcast(|_| count_batches(&receiver, options, progress, &faults));
        let mut records = parts.into_iter().fold(RecordStudy::default(), |mut all, part| {
            all.merge(part);
            all
        });
        records.other_files = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        records
    });
    if let Some(error) = faults.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        return Err(AnalyzeError::Faults(error));
    }
    if progress.is_stopped() {
        return Err(AnalyzeError::Stopped);
    }
    Ok(Analysis { records, datasets })
}

/// Files that go to a thread together.
struct Batch {
    index: u64,
    items: Vec<SourceItem>,
    bytes: usize,
}

impl Batch {
    /// Enough to make the passing on cheap, few enough to share the work evenly.
    const BYTES: usize = 1 << 16;
    const ITEMS: usize = 256;

    const fn new(index: u64) -> Self {
        Self { index, items: Vec::new(), bytes: 0 }
    }
}

/// Sends all files off in batches. Returns how many others there are.
fn read_batches(
    paths: &[PathBuf],
    limits: SourceLimits,
    progress: &ReadProgress,
    sender: SyncSender<Batch>,
) -> u64 {
    let mut batch = Batch::new(0);
    let other_files = read_sources(paths, limits, |item| {
        batch.bytes += item.content.as_ref().map_or(0, Vec::len);
        batch.items.push(item);
        if batch.bytes >= Batch::BYTES || batch.items.len() >= Batch::ITEMS {
            let next = Batch::new(batch.index + 1);
            // Nobody receives any more when a thread has failed.
            if sender.send(std::mem::replace(&mut batch, next)).is_err() {
                return ControlFlow::Break(());
            }
        }
        if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    _ = sender.send(batch);
    other_files
}

/// Counts batches until there are no more.
fn count_batches(
    receiver: &Mutex<Receiver<Batch>>,
    options: &AnalyzeOptions,
    progress: &ReadProgress,
    faults: &Mutex<InOrder<'_>>,
) -> RecordStudy {
    let mut reader = FileReader::new(options.record_limits, options.rules);
    loop {
        let received = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = received else { break };
        let mut found = Vec::new();
        for item in batch.items {
            // After a stop the batches are only emptied, so that the reader is not left waiting.
            if !progress.is_stopped() {
                count_item(&mut reader, item, progress, &mut found);
            }
        }
        let mut in_order = faults.lock().unwrap_or_else(PoisonError::into_inner);
        if !in_order.pass_on(batch.index, found) {
            progress.stop();
        }
    }
    reader.take()
}

fn count_item(reader: &mut FileReader, item: SourceItem, progress: &ReadProgress, found: &mut Vec<Fault>) {
    let SourceItem { name, content } = item;
    let before = found.len();
    match content {
        Ok(bytes) => {
            let result = reader.read(&name, &bytes);
            progress.games.fetch_add(result.games, Ordering::Relaxed);
            progress.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            found.extend(result.faults);
        }
        Err(error) => {
            let fault = Fault::of_file(name, &error);
            reader.add_fault(fault.clone());
            found.push(fault);
        }
    }
    progress.files.fetch_add(1, Ordering::Relaxed);
    progress.faults.fetch_add((found.len() - before) as u64, Ordering::Relaxed);
}

/// Puts the faults of batches back into the order in which the batches were read.
struct InOrder<'a> {
    next: u64,
    waiting: BTreeMap<u64, Vec<Fault>>,
    on_fault: &'a mut (dyn FnMut(&Fault) -> io::Result<()> + Send),
    error: Option<io::Error>,
}

impl InOrder<'_> {
    /// Takes the faults of one batch and passes on all whose turn it is. Returns whether that went well.
    fn pass_on(&mut self, index: u64, faults: Vec<Fault>) -> bool {
        self.waiting.insert(index, faults);
        while let Some(faults) = self.waiting.remove(&self.next) {
            self.next += 1;
            if self.error.is_none() {
                self.error = faults.iter().find_map(|fault| (self.on_fault)(fault).err());
            }
        }
        self.error.is_none()
    }
}
