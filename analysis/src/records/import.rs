//! From records to a dataset of imported games: one thread reads and decompresses, the others parse and play, in turns with the encoding.

use std::{
    io::BufWriter,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, sync_channel},
    thread,
};

use jigo_engine::for_width;
use jigo_selfplay::{
    dataset::{
        DatasetSpec, FaultsFile, GameSource, ImportManifest, ImportSpec, ImportWriter, ImportedGame,
        Provenance, SourceCounts,
    },
    sgf::{self, Limits, Record},
};
use rayon::prelude::*;

use super::{
    AnalyzeOptions, Fault, FaultWriter, ReadProgress, RecordsError,
    analyze::{KeptGame, kept_or_new},
    batches::{Batch, Batches, Item},
};
use crate::records::{Input, SourceItem, SourceLimits, source::display};

/// Bytes of files whose games are held at once, at least one file: a game may take two hundred times the bytes of its record.
const ROUND_BYTES: usize = 16 << 20;

/// How records are read, and how their games are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportOptions {
    /// How much is accepted of files and archives.
    pub source_limits: SourceLimits,
    /// How much is accepted of one game.
    pub record_limits: Limits,
    /// Games in each shard but the last; at least 1.
    pub shard_games: u64,
    /// The program that imports.
    pub provenance: Provenance,
}

impl ImportOptions {
    /// Returns the defaults, which read as [`analyze`](super::analyze) does; but no game may have more than 65,535 nodes, as many as plies can be counted.
    #[must_use]
    pub fn new(provenance: Provenance) -> Self {
        let AnalyzeOptions { source_limits, record_limits, .. } = AnalyzeOptions::default();
        let record_limits = Limits { nodes: u16::MAX.into(), ..record_limits };
        Self { source_limits, record_limits, shard_games: DatasetSpec::DEFAULT_SHARD_GAMES, provenance }
    }
}

/// Imports all game records that the paths name into the folder `out`, on the threads of the current rayon pool and one more that reads.
///
/// Paths may be what [`read_sources`](crate::records::read_sources) reads, and are read in their order by name. Games whose moves break the rules that the
/// record names, and files that cannot be read, are left out and listed in the folder's `faults.csv`. The bytes written are a function of the paths as
/// they are named, the files and the options alone.
///
/// Memory: some files for each thread, and a row group of the games; it does not grow with the number of games.
///
/// # Errors
/// [`RecordsError::Stopped`] when `progress` was told to stop, others as they say. The folder then says that it is not complete, and the same
/// call begins again.
pub fn import(
    paths: &[PathBuf],
    options: &ImportOptions,
    out: &Path,
    progress: &ReadProgress,
) -> Result<ImportManifest, RecordsError> {
    let mut paths = paths.to_vec();
    paths.sort_unstable();
    let is_dataset = |path: &&PathBuf| !matches!(Input::new(path), Input::Records(_));
    if let Some(path) = paths.iter().find(is_dataset) {
        return Err(RecordsError::IsDataset(path.clone()));
    }
    let spec = ImportSpec {
        paths: paths.iter().map(|path| display(path)).collect(),
        shard_games: options.shard_games,
        provenance: options.provenance.clone(),
    };
    let mut output = Output::create(out, &spec)?;
    let threads = rayon::current_num_threads();
    let other_files = thread::scope(|scope| {
        let (sender, receiver) = sync_channel(4 * threads);
        let reader = scope.spawn(|| {
            let mut batches = Batches::new(sender);
            let other_files = batches.read(&paths, options.source_limits, progress);
            _ = batches.send();
            other_files
        });
        // Gone before the reader is waited for, so that it is not left waiting itself.
        output.take_in(receiver, threads, options.record_limits, progress)?;
        Ok::<_, RecordsError>(reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    if progress.is_stopped() {
        return Err(RecordsError::Stopped);
    }
    output.finish(other_files)
}

/// What is written, and what was read for it.
struct Output {
    writer: ImportWriter,
    faults: FaultWriter<BufWriter<FaultsFile>>,
    fault_count: u64,
    sources: SourceCounts,
}

/// What became of one file.
struct Read {
    /// Its length, if it could be read.
    bytes: Option<u64>,
    games: Vec<Result<ImportedGame, Fault>>,
}

impl Output {
    fn create(out: &Path, spec: &ImportSpec) -> Result<Self, RecordsError> {
        let writer = ImportWriter::create(out, spec)?;
        let faults = BufWriter::new(writer.faults_file()?);
        let faults = FaultWriter::new(faults).map_err(RecordsError::Faults)?;
        Ok(Self { writer, faults, fault_count: 0, sources: SourceCounts::default() })
    }

    /// Plays what is received and writes it in order: some batches are played while those before them are encoded.
    fn take_in(
        &mut self,
        receiver: Receiver<Batch>,
        threads: usize,
        limits: Limits,
        progress: &ReadProgress,
    ) -> Result<(), RecordsError> {
        let mut played = Vec::new();
        loop {
            let batches = next_batches(&receiver, 4 * threads);
            if progress.is_stopped() || batches.is_empty() && played.is_empty() {
                return Ok(());
            }
            let play = || {
                let items = batches.into_par_iter().map_init(KeptGame::default, |kept, batch| {
                    let files = batch.items.into_iter().map(|item| read_item(kept, item, limits, progress));
                    files.collect::<Vec<_>>()
                });
                items.collect::<Vec<_>>()
            };
            let (next, written) = rayon::join(play, || self.write(std::mem::take(&mut played)));
            written?;
            played = next;
        }
    }

    fn write(&mut self, batches: Vec<Vec<Read>>) -> Result<(), RecordsError> {
        for Read { bytes, games } in batches.into_iter().flatten() {
            self.sources.files += u64::from(bytes.is_some());
            self.sources.bytes += bytes.unwrap_or_default();
            for game in games {
                match game {
                    Ok(game) => self.writer.add(game)?,
                    Err(fault) => {
                        self.fault_count += 1;
                        self.faults.write(&fault).map_err(RecordsError::Faults)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, other_files: u64) -> Result<ImportManifest, RecordsError> {
        self.sources.other_files = other_files;
        let faults = self.faults.into_inner().and_then(|faults| Ok(faults.into_inner()?));
        let faults = (self.fault_count, faults.map_err(RecordsError::Faults)?);
        Ok(self.writer.finish(self.sources, faults)?)
    }
}

/// Returns the next batches, fewer of large files; none at the end.
fn next_batches(receiver: &Receiver<Batch>, most: usize) -> Vec<Batch> {
    let (mut batches, mut bytes) = (Vec::new(), 0);
    while batches.len() < most
        && bytes < ROUND_BYTES
        && let Ok(batch) = receiver.recv()
    {
        bytes += batch.bytes;
        batches.push(batch);
    }
    batches
}

/// Reads and plays the games of a file.
fn read_item(kept: &mut KeptGame, item: Item, limits: Limits, progress: &ReadProgress) -> Read {
    let read = match item {
        Item::File(SourceItem { name, content: Ok(bytes) }) => {
            let games = (0..).zip(sgf::read_games(&bytes, limits));
            let games = games.map(|(place, record)| match record {
                Ok(record) => play(kept, &name, place, record),
                Err(error) => Err(Fault::from_record(&name, &error)),
            });
            Read { games: games.collect(), bytes: Some(bytes.len() as u64) }
        }
        Item::File(SourceItem { name, content: Err(error) }) => {
            Read { games: vec![Err(Fault::from_file(&name, &error))], bytes: None }
        }
        Item::Fault(fault) => Read { games: vec![Err(fault)], bytes: None },
        Item::Game(game) => Read { games: vec![Ok(*game)], bytes: None },
    };
    let faults = read.games.iter().filter(|game| game.is_err()).count();
    progress.add_file(read.bytes.unwrap_or_default(), (read.games.len() - faults) as u64);
    progress.add_faults(faults);
    read
}

/// Plays one game by the rules that its record names.
fn play(kept: &mut KeptGame, file: &str, place: u64, record: Record) -> Result<ImportedGame, Fault> {
    let checked = record.game.check_rules_fingerprint();
    checked.map_err(|error| Fault::from_rules(file, record.byte, &error))?;
    let (size, rules) = (record.game.size, sgf::rules_of(&record.game));
    let replay = for_width!(size, W => {
        let mut game = kept_or_new::<W>(kept, size, rules);
        let replay = sgf::replay_in(&mut game, &record);
        *kept = Some(game);
        replay
    });
    let replay = replay.map_err(|fault| Fault::from_replay(file, &fault))?;
    let byte = record.byte;
    let source = GameSource { file: file.to_owned(), byte: byte as u64, place };
    ImportedGame::new(record, &replay, source).map_err(|error| Fault::from_size(file, byte, &error))
}
