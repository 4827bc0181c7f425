//! Measures game records: one thread reads and decompresses, the others parse and play.

use std::{
    collections::BTreeMap,
    io,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use jigo_engine::{AnyGame, AnyPosition, Ko, Rules, Suicide, life::StatusSolver};
use jigo_selfplay::{
    dataset::{DatasetError, ImportedDataset},
    sgf::{self, Limits, Record, Replay, ReplayFault},
};

use super::{
    Fault, FaultStage, GroupKey, Input, ReadProgress, RecordStudy, SourceLimits,
    batches::{Batch, Batches, for_each_batch},
};

/// How files are read and games are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalyzeOptions {
    /// How much is accepted of files and archives.
    pub source_limits: SourceLimits,
    /// How much is accepted of one game. The default is lower than that of [`Limits`]: no real game has 100,000 moves, and the
    /// search for repetitions takes time that grows with the square of the length.
    pub record_limits: Limits,
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
        Self { source_limits, record_limits, status }
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
    let read = |batches: &mut Batches<'_>| {
        let other_files = batches.read(&sources, options.source_limits);
        imports.iter().try_for_each(|import| batches.read_import(import))?;
        Ok(other_files)
    };
    let idle = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let count = |batch| {
        let reader = lock().pop();
        let mut reader = reader.unwrap_or_else(|| FileReader::new(options));
        let faults = reader.read(batch, progress);
        lock().push(reader);
        faults
    };
    let report =
        |faults: Vec<Fault>| faults.iter().try_for_each(&mut *on_fault).map_err(RecordsError::Faults);
    let mut records =
        RecordStudy { other_files: for_each_batch(progress, read, count, report)?, ..RecordStudy::default() };
    if progress.is_stopped() {
        return Err(RecordsError::Stopped);
    }
    idle.into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .into_iter()
        .for_each(|reader| records.merge(reader.study));
    for import in &imports {
        let sources = &import.manifest().sources;
        records.files += sources.files;
        records.bytes += sources.bytes;
        records.other_files += sources.other_files;
    }
    Ok(Analysis { records, datasets })
}

/// Counts games, keeping the memory of one game for the next.
pub(super) struct FileReader {
    options: AnalyzeOptions,
    /// All that was counted.
    pub(super) study: RecordStudy,
    /// The game played last.
    game: Option<AnyGame>,
    /// Solvers for all rules met, by what matters to them.
    solvers: BTreeMap<(Suicide, Ko), StatusSolver>,
}

impl FileReader {
    /// Returns a reader with the options for records.
    pub(super) fn new(options: &AnalyzeOptions) -> Self {
        let (study, solvers) = (RecordStudy::default(), BTreeMap::new());
        Self { options: *options, study, game: None, solvers }
    }

    /// Counts the files and games of a batch, and returns what is wrong with them.
    pub(super) fn read(&mut self, batch: Batch, progress: &ReadProgress) -> Vec<Fault> {
        let played = batch
            .play(self.options.record_limits, progress, |file, place, record| self.add(file, place, &record));
        let lengths = || played.iter().filter_map(|item| item.bytes);
        self.study.files += lengths().count() as u64;
        self.study.bytes += lengths().sum::<u64>();
        let faults: Vec<Fault> =
            played.into_iter().flat_map(|item| item.games).filter_map(Result::err).collect();
        faults.iter().for_each(|fault| self.study.faults.add(fault.clone()));
        faults
    }

    /// Counts a game, which is played by the rules that its record names.
    fn add(&mut self, name: &str, place: u64, record: &Record) -> Result<(), Fault> {
        let (replay, position) = replay_kept(&mut self.game, name, record)?;
        let group = self.study.group(GroupKey::new(&record.game));
        let Rules { suicide, ko, .. } = replay.rules;
        let solver = self.solvers.entry((suicide, ko)).or_insert_with(|| StatusSolver::new(suicide, ko));
        // Where the players did not count it, the last position is from the middle of a game.
        let is_counted = record.game.result().is_some_and(|result| result.half_points().is_some());
        let is_searched = self.options.status == StatusMethod::Search && is_counted;
        let status = solver.final_status(position, is_searched);
        group.add(record, &replay, &status, (name, place));
        group.searched += u64::from(is_searched);
        Ok(())
    }
}

/// Plays a record by the rules that it names, in the game that was kept if that fits; a game whose rules meant something else when its record was
/// written is refused.
pub(super) fn replay_kept<'a>(
    kept: &'a mut Option<AnyGame>,
    file: &str,
    record: &Record,
) -> Result<(Replay, AnyPosition<'a>), Fault> {
    let changed = |error| Fault::new(FaultStage::Record, file, record.byte as u64, "changed rules", &error);
    record.game.check_rules_fingerprint().map_err(changed)?;
    let (size, rules) = (record.game.size, sgf::rules_of(&record.game));
    kept.take_if(|game| game.size() != size || game.rules() != *rules);
    let game = kept.get_or_insert_with(|| AnyGame::new(size, *rules));
    let illegal = |fault: ReplayFault| Fault::from_game(FaultStage::Replay, file, &fault, fault.kind.name());
    let replay = sgf::replay_in(game, record).map_err(illegal)?;
    Ok((replay, game.position()))
}
