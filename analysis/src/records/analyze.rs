//! Measures game records: one thread reads and decompresses, the others parse and play.

use std::{
    collections::BTreeMap,
    io, mem,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use jigo_engine::{
    AnyGame, AnyPosition, Ko, Rules, Suicide,
    life::{Status, StatusSolver},
};
use jigo_selfplay::{
    dataset::{DatasetError, ImportedDataset, SourceCounts},
    sgf::{self, Limits, Record, Replay, ReplayFault},
};

use super::{
    BoardMeasures, Fault, FaultStage, GroupKey, Input, ReadProgress, RecordStudy, SourceLimits, SourcesRead,
    batches::{Batch, Batches, Item, for_each_batch},
    estimate,
};
use crate::study::GameName;

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
    /// As [`Search`](Self::Search), and by an [estimate](jigo_selfplay::search::Estimate) of what is not proved: some tenths of a second for each game.
    Estimate,
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
    /// The game records: of all that the paths held, or of what was read until the work was stopped.
    pub records: RecordStudy,
    /// How far the paths were read.
    pub read: SourcesRead,
    /// Paths that are datasets of jigo's own, in the order given; not read.
    pub datasets: Vec<PathBuf>,
}

/// Why records were neither analysed nor imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// [`ReadProgress::stop`] was called while games were imported.
    #[error("stopped on request")]
    Stopped,
    /// What an interrupted analysis read is not what the paths hold now.
    #[error("the files are not those that were read before")]
    OtherSources,
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
/// When `progress` is told to stop, the analysis has what was read until then, in order. To go on, call the function again with the same options, and with
/// those records and [how far](Analysis::read) the paths were read as `before`. What was counted is then read again and compared by its digest, but its
/// games are not played, and only new faults are passed to `on_fault`.
///
/// Memory: a few files for each thread and the counts; it does not grow with the number of games.
///
/// # Errors
/// [`RecordsError::OtherSources`] when what was counted `before` is not there any more, [`RecordsError::Faults`] when `on_fault` failed, others when
/// imported games cannot be read.
pub fn analyze(
    paths: &[PathBuf],
    options: &AnalyzeOptions,
    (records, before): (RecordStudy, SourcesRead),
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
        batches.read(&sources, options.source_limits);
        imports.iter().try_for_each(|import| batches.read_import(import))
    };
    let idle = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let count = |batch| {
        let reader = lock().pop();
        let mut reader = reader.unwrap_or_else(|| FileReader::new(options));
        let counted = reader.read(batch, &before, progress);
        lock().push(reader);
        counted
    };
    let mut total = Total::new(records, &before);
    for_each_batch(progress, read, count, |batch| total.add(batch, on_fault))?;
    let (records, read) = total.finish(progress)?;
    Ok(Analysis { records, read, datasets })
}

/// What is counted of one batch.
pub(super) struct CountedBatch {
    /// The measurements.
    pub(super) study: RecordStudy,
    /// What is wrong, in order.
    faults: Vec<Fault>,
    /// BLAKE3 of each item.
    digests: Vec<blake3::Hash>,
    /// Items of which everything is counted, from the first on.
    whole: usize,
    /// Games and faults of the item after these that are counted, now or before.
    games_of_next: u64,
}

/// The sum of batches, in the order of reading.
struct Total<'a> {
    study: RecordStudy,
    before: &'a SourcesRead,
    read: SourcesRead,
    /// BLAKE3 of all that is counted, item by item.
    digest: blake3::Hash,
    /// Whether the work was stopped in a batch: what comes after it does not count.
    is_cut: bool,
}

impl<'a> Total<'a> {
    fn new(study: RecordStudy, before: &'a SourcesRead) -> Self {
        let (read, digest) = (SourcesRead::default(), blake3::hash(&[]));
        Self { study, before, read, digest, is_cut: false }
    }

    fn add(
        &mut self,
        batch: CountedBatch,
        on_fault: &mut (dyn FnMut(&Fault) -> io::Result<()> + Send),
    ) -> Result<(), RecordsError> {
        if self.is_cut {
            return Ok(());
        }
        let (whole, rest) = batch.digests.split_at(batch.whole);
        for &digest in whole {
            self.include(digest)?;
            self.read.items += 1;
        }
        self.is_cut = !rest.is_empty();
        if batch.games_of_next > 0 {
            self.include(rest[0])?;
            self.read.games_of_next = batch.games_of_next;
        }
        batch.faults.iter().try_for_each(on_fault).map_err(RecordsError::Faults)?;
        self.study.merge(batch.study);
        Ok(())
    }

    /// Adds the digest of the next item. After the last one of those before, all must be the same as then.
    fn include(&mut self, item: blake3::Hash) -> Result<(), RecordsError> {
        self.digest = blake3::hash(&[*self.digest.as_bytes(), *item.as_bytes()].concat());
        let is_last = self.read.items + 1 == self.before.items_begun();
        if is_last && self.digest.to_hex().as_str() != self.before.blake3 {
            return Err(RecordsError::OtherSources);
        }
        Ok(())
    }

    fn finish(self, progress: &ReadProgress) -> Result<(RecordStudy, SourcesRead), RecordsError> {
        let Self { study, before, mut read, digest, .. } = self;
        read.is_complete = !progress.is_stopped();
        read.blake3 = digest.to_hex().to_string();
        if read.items_begun() >= before.items_begun() {
            Ok((study, read))
        } else if read.is_complete {
            Err(RecordsError::OtherSources)
        } else {
            // Stopped before anything new was read.
            Ok((study, SourcesRead { is_complete: false, ..before.clone() }))
        }
    }
}

/// Counts games, keeping the memory of one game for the next.
pub(super) struct FileReader {
    options: AnalyzeOptions,
    /// What was counted of the batch in work.
    study: RecordStudy,
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

    /// Counts the files and games of a batch that were not counted `before`, until `progress` is stopped.
    pub(super) fn read(
        &mut self,
        batch: Batch,
        before: &SourcesRead,
        progress: &ReadProgress,
    ) -> CountedBatch {
        let (first, digests) = (batch.first, batch.items.iter().map(Item::digest).collect());
        let played = batch.play(self.options.record_limits, before, progress, |file, place, record| {
            self.add(file, place, &record)
        });
        let whole = played.iter().take_while(|item| item.is_whole).count();
        let counted_before = if first + whole as u64 == before.items { before.games_of_next } else { 0 };
        let games_of_next = played.get(whole).map_or(0, |item| counted_before + item.games.len() as u64);
        for SourceCounts { files, bytes, other_files } in played.iter().map(|item| item.sources) {
            self.study.files += files;
            self.study.bytes += bytes;
            self.study.other_files += other_files;
        }
        let faults: Vec<Fault> =
            played.into_iter().flat_map(|item| item.games).filter_map(Result::err).collect();
        faults.iter().for_each(|fault| self.study.faults.add(fault.clone()));
        CountedBatch { study: mem::take(&mut self.study), faults, digests, whole, games_of_next }
    }

    /// Counts a game, which is played by the rules that its record names.
    fn add(&mut self, name: &str, place: u64, record: &Record) -> Result<(), Fault> {
        let (replay, position) = replay_kept(&mut self.game, name, record)?;
        let name = GameName { source: name, index: place, moves: None };
        let Rules { suicide, ko, .. } = replay.rules;
        let solver = self.solvers.entry((suicide, ko)).or_insert_with(|| StatusSolver::new(suicide, ko));
        // Where the players did not count it, the last position is from the middle of a game.
        let is_counted = record.game.result().is_some_and(|result| result.half_points().is_some());
        let is_searched = self.options.status != StatusMethod::Benson && is_counted;
        let status = solver.final_status(position, is_searched);
        let game = &record.game;
        self.study.boards.entry(game.size).or_insert_with(|| BoardMeasures::new(game.size)).add(game);
        self.study.examples.add(game, &replay, &status, is_searched, name);
        let group = self.study.group(GroupKey::new(game));
        group.add(record, &replay, &status, name);
        let chains = status.open.as_ref().map_or(&[][..], |open| &open.chains);
        if chains.iter().all(|chain| chain.status != Status::Unknown)
            && let Some(difference) = estimate::difference(position, game, &replay, chains)
        {
            group.solved_differences.add(difference);
        }
        group.searched += u64::from(is_searched);
        if is_searched && self.options.status == StatusMethod::Estimate {
            group.estimates.add(position, game, &replay, &status);
        }
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
