//! From records to a dataset of imported games.

use std::{
    io::BufWriter,
    path::{Path, PathBuf},
};

use jigo_engine::for_width;
use jigo_selfplay::{
    dataset::{
        DatasetSpec, GameSource, Import, ImportManifest, ImportWriter, ImportedGame, Provenance, SourceCounts,
    },
    files::AtomicFile,
    sgf::{self, Limits, Record},
};

use super::{
    AnalyzeOptions, Fault, FaultStage, FaultWriter, Input, ReadProgress, RecordsError, SourceLimits,
    analyze::{KeptGame, kept_or_new},
    batches::{Batch, Batches, Played, for_each_batch},
    source::display,
};

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
    let names = paths.iter().map(|path| display(path)).collect();
    let import = Import::new(names, options.shard_games, options.provenance.clone());
    let writer = ImportWriter::create(out, import)?;
    let faults = FaultWriter::new(BufWriter::new(writer.faults_file()?)).map_err(RecordsError::Faults)?;
    let mut output = Output { writer, faults, fault_count: 0, sources: SourceCounts::default() };
    let read = |batches: &mut Batches| Ok(batches.read(&paths, options.source_limits, progress));
    let play = |batch: Batch| {
        let mut kept = KeptGame::default();
        batch
            .play(options.record_limits, progress, |file, place, record| play(&mut kept, file, place, record))
    };
    let other_files = for_each_batch(progress, read, play, |played| output.write(played))?;
    if progress.is_stopped() {
        return Err(RecordsError::Stopped);
    }
    output.sources.other_files = other_files;
    output.finish()
}

/// What is written, and what was read for it.
struct Output {
    writer: ImportWriter,
    faults: FaultWriter<BufWriter<AtomicFile>>,
    fault_count: u64,
    sources: SourceCounts,
}

impl Output {
    fn write(&mut self, played: Vec<Played<ImportedGame>>) -> Result<(), RecordsError> {
        for Played { bytes, games } in played {
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

    fn finish(self) -> Result<ImportManifest, RecordsError> {
        let faults = self.faults.into_inner().and_then(|faults| Ok(faults.into_inner()?));
        let faults = (self.fault_count, faults.map_err(RecordsError::Faults)?);
        Ok(self.writer.finish(self.sources, faults)?)
    }
}

/// Plays one game by the rules that its record names.
fn play(kept: &mut KeptGame, file: &str, place: u64, record: Record) -> Result<ImportedGame, Fault> {
    Fault::check_rules(file, &record)?;
    let (size, rules) = (record.game.size, sgf::rules_of(&record.game));
    let replay = for_width!(size, W => {
        let mut game = kept_or_new::<W>(kept, size, rules);
        let replay = sgf::replay_in(&mut game, &record);
        *kept = Some(game);
        replay
    });
    let replay = replay.map_err(|fault| Fault::from_replay(file, &fault))?;
    let byte = record.byte as u64;
    let source = GameSource { file: file.to_owned(), byte, place };
    let too_large = |error| Fault::new(FaultStage::Record, file, byte, "too large", &error);
    ImportedGame::new(record, &replay, source).map_err(too_large)
}
