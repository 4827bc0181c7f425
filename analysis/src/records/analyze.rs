//! Measures game records: one thread reads and decompresses, the others parse and play.

use std::{
    any::Any,
    collections::BTreeMap,
    io,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, sync_channel},
    },
    thread,
};

use jigo_engine::{BoardSize, Game, Rules, for_width};
use jigo_selfplay::{
    dataset::{DatasetError, ImportedDataset, ImportedGame},
    sgf::{self, GameResult, Limits, Record, ReplayFault, WinBy},
};

use super::{
    Fault, GroupKey, Input, ReadProgress, RecordStudy, SourceItem, SourceLimits,
    batches::{Batch, Batches, Item},
};
use crate::study::FinalStatusSolver;

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
    /// How the last positions are solved.
    pub status: StatusMethod,
}

/// How the last positions of real games are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatusMethod {
    /// By unconditional life alone, at almost no cost: most chains stay unknown, because people stop long before everything is settled.
    #[default]
    Benson,
    /// By certified statuses where the players counted the position, which costs a search of some hundredths of a second for each game;
    /// by unconditional life where they did not, as after a resignation.
    Search,
}

impl Default for AnalyzeOptions {
    fn default() -> Self {
        let record_limits = Limits {
            games: 200_000,
            nodes: 100_000,
            values: 100_000,
            setup_points: 100_000,
            ..Limits::default()
        };
        let (source_limits, status) = (SourceLimits::default(), StatusMethod::default());
        Self { source_limits, record_limits, rules: None, status }
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

/// Why records were neither analysed nor imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// [`ReadProgress::stop`] was called.
    #[error("stopped on request")]
    Stopped,
    /// The list of faults could not be written.
    #[error("the list of faults cannot be written: {0}")]
    Faults(#[source] io::Error),
    /// A dataset could not be read or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The list of faults of an import could not be read.
    #[error("{}: {source}; check the import with `jigo verify`", path.display())]
    ImportFaults {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        source: io::Error,
    },
    /// A path to import is a dataset already.
    #[error("{} holds a dataset of jigo's own; `import` reads SGF files, folders and archives of them", .0.display())]
    IsDataset(PathBuf),
}

/// Measures all game records that the paths name, on the threads of the current rayon pool and one more that reads.
///
/// For what paths may be, see [`read_sources`](crate::records::read_sources); imported games are records too, in place of the files they come from. Every file and game that cannot be used is passed to `on_fault`, in the order of the paths
/// and files whatever the threads do, and counted. The analysis is the same for any number of threads.
///
/// Memory: a few files for each thread and the counts; it does not grow with the number of games.
///
/// # Errors
/// [`RecordsError::Stopped`] when `progress` was told to stop, [`RecordsError::Faults`] when `on_fault` failed, others when imported games
/// cannot be read. What was measured is dropped then.
pub fn analyze(
    paths: &[PathBuf],
    options: &AnalyzeOptions,
    progress: &ReadProgress,
    on_fault: &mut (dyn FnMut(&Fault) -> io::Result<()> + Send),
) -> Result<Analysis, RecordsError> {
    let (mut datasets, mut imports, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        match Input::new(path) {
            Input::Dataset(path) => datasets.push(path),
            Input::Import(path) => imports.push(ImportedDataset::open_complete(&path)?),
            Input::Records(path) => sources.push(path),
        }
    }
    let faults = Mutex::new(InOrder { next: 0, waiting: BTreeMap::new(), on_fault, error: None });
    let records = thread::scope(|scope| {
        let (sender, receiver) = sync_channel(4 * rayon::current_num_threads());
        let receiver = Mutex::new(receiver);
        let reader = scope.spawn(|| {
            let mut batches = Batches::new(sender);
            let other_files = batches.read(&sources, options.source_limits, progress);
            imports.iter().try_for_each(|import| batches.read_import(import, progress))?;
            _ = batches.send();
            Ok::<_, RecordsError>(other_files)
        });
        let parts = rayon::broadcast(|_| count_batches(&receiver, options, progress, &faults));
        let mut records = parts.into_iter().fold(RecordStudy::default(), |mut all, part| {
            all.merge(part);
            all
        });
        let other_files = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        records.other_files = other_files;
        for import in &imports {
            let sources = &import.manifest().sources;
            records.files += sources.files;
            records.bytes += sources.bytes;
            records.other_files += sources.other_files;
        }
        Ok::<_, RecordsError>(records)
    })?;
    if let Some(error) = faults.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        return Err(RecordsError::Faults(error));
    }
    if progress.is_stopped() {
        return Err(RecordsError::Stopped);
    }
    Ok(Analysis { records, datasets })
}

/// Counts batches until there are no more.
fn count_batches(
    receiver: &Mutex<Receiver<Batch>>,
    options: &AnalyzeOptions,
    progress: &ReadProgress,
    faults: &Mutex<InOrder<'_>>,
) -> RecordStudy {
    let mut reader = FileReader::new(options);
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

fn count_item(reader: &mut FileReader, item: Item, progress: &ReadProgress, found: &mut Vec<Fault>) {
    let before = found.len();
    match item {
        Item::File(SourceItem { name, content: Ok(bytes) }) => {
            let result = reader.read(&name, &bytes);
            progress.add_file(bytes.len() as u64, result.games);
            found.extend(result.faults);
        }
        Item::File(SourceItem { name, content: Err(error) }) => {
            let fault = Fault::from_file(&name, &error);
            reader.add_fault(fault.clone());
            progress.add_file(0, 0);
            found.push(fault);
        }
        Item::Game(game) => {
            let fault = reader.read_imported(&game);
            progress.add_games(u64::from(fault.is_none()));
            found.extend(fault);
        }
        Item::Fault(fault) => {
            reader.add_fault(fault.clone());
            found.push(fault);
        }
    }
    progress.add_faults(found.len() - before);
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

/// Reads files and counts their games, keeping the memory of one game for the next.
pub(super) struct FileReader {
    limits: Limits,
    rules: Option<Rules>,
    status: StatusMethod,
    study: RecordStudy,
    /// A `Game` of the board and rules played last.
    game: KeptGame,
    /// Solvers for all rules met.
    solvers: Vec<FinalStatusSolver>,
}

/// A `Game` of some width, kept for the next record, or nothing.
pub(super) type KeptGame = Option<Box<dyn Any + Send>>;

/// How many games a file had, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct FileResult {
    pub(super) games: u64,
    pub(super) faults: Vec<Fault>,
}

impl FileReader {
    /// Returns a reader with the options for records.
    pub(super) fn new(options: &AnalyzeOptions) -> Self {
        let AnalyzeOptions { record_limits: limits, rules, status, .. } = *options;
        Self { limits, rules, status, study: RecordStudy::default(), game: None, solvers: Vec::new() }
    }

    /// Returns all that was counted since the last call.
    pub(super) fn take(&mut self) -> RecordStudy {
        std::mem::take(&mut self.study)
    }

    /// Counts the games of a file.
    pub(super) fn read(&mut self, name: &str, bytes: &[u8]) -> FileResult {
        let mut result = FileResult::default();
        self.study.files += 1;
        self.study.bytes += bytes.len() as u64;
        for (place, record) in (0..).zip(sgf::read_games(bytes, self.limits)) {
            let counted = match &record {
                Err(error) => Err(Fault::from_record(name, error)),
                Ok(record) => self.check_and_add(name, place, record),
            };
            match counted {
                Ok(()) => result.games += 1,
                Err(fault) => {
                    self.study.faults.add(fault.clone());
                    result.faults.push(fault);
                }
            }
        }
        result
    }

    /// Counts an imported game; returns what is wrong with it, if anything is.
    pub(super) fn read_imported(&mut self, game: &ImportedGame) -> Option<Fault> {
        let counted = self.check_and_add(&game.source.file, game.source.place, &game.record);
        counted.err().inspect(|fault| self.study.faults.add(fault.clone()))
    }

    /// Counts a file that could not be read.
    pub(super) fn add_fault(&mut self, fault: Fault) {
        self.study.faults.add(fault);
    }

    /// Counts a game unless its rules, where the record is to name them, meant something else when it was written.
    fn check_and_add(&mut self, name: &str, place: u64, record: &Record) -> Result<(), Fault> {
        if self.rules.is_none() {
            let checked = record.game.check_rules_fingerprint();
            checked.map_err(|error| Fault::from_rules(name, record.byte, &error))?;
        }
        let added = for_width!(record.game.size, W => self.add::<W>(name, place, record));
        added.map_err(|fault| Fault::from_replay(name, &fault))
    }

    fn add<const W: usize>(&mut self, name: &str, place: u64, record: &Record) -> Result<(), ReplayFault> {
        let size = record.game.size;
        let rules = self.rules.unwrap_or_else(|| sgf::rules_of(&record.game));
        let mut game = kept_or_new::<W>(&mut self.game, size, rules);
        let replay = sgf::replay_in(&mut game, record);
        if let Ok(replay) = &replay {
            let group = self.study.group(GroupKey::new(&record.game));
            let (solver, position) = (solver(&mut self.solvers, rules), game.board().position());
            let is_searched = self.status == StatusMethod::Search && is_counted(record);
            let status =
                if is_searched { solver.solve(&position) } else { solver.solve_by_benson(&position) };
            group.add(record, replay, game.board(), &status, (name, place));
            group.searched += u64::from(is_searched);
        }
        self.game = Some(game);
        replay.map(|_| ())
    }
}

/// Returns the game that was kept, if it fits, or a new one.
pub(super) fn kept_or_new<const W: usize>(
    kept: &mut KeptGame,
    size: BoardSize,
    rules: Rules,
) -> Box<Game<W>> {
    let kept = kept.take().and_then(|game| game.downcast::<Game<W>>().ok());
    let fits = |game: &Game<W>| game.board().size() == size && game.rules() == rules;
    kept.filter(|game| fits(game)).unwrap_or_else(|| Box::new(Game::new(size, rules)))
}

/// Returns whether the players counted the last position: others are taken from the middle of a game.
fn is_counted(record: &Record) -> bool {
    let result = record.game.result();
    matches!(result, Some(GameResult::Draw | GameResult::Win { by: WinBy::HalfPoints(_), .. }))
}

/// Returns the solver for these rules.
fn solver(solvers: &mut Vec<FinalStatusSolver>, rules: Rules) -> &mut FinalStatusSolver {
    let found = solvers.iter().position(|solver| solver.is_for(rules));
    let place = found.unwrap_or_else(|| {
        solvers.push(FinalStatusSolver::new(rules));
        solvers.len() - 1
    });
    &mut solvers[place]
}
