//! From records to a dataset of imported games.

use std::path::{Path, PathBuf};

use jigo_engine::AnyGame;
use jigo_selfplay::{
    dataset::{
        DatasetSpec, GameSource, Import, ImportManifest, ImportWriter, ImportedGame, Provenance, SourceCounts,
    },
    sgf::{Limits, Record},
};

use super::{
    AnalyzeOptions, Fault, FaultStage, FaultWriter, Input, ReadProgress, RecordsError, SourceLimits,
    SourcesRead,
    analyze::replay_kept,
    batches::{Batch, Batches, Played, for_each_batch},
    source::display,
};
use crate::cells::Cells;

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
/// record names, and files that cannot be read, are left out and listed in the folder's `faults.csv`, with [marked cells](Cells::Marked). The bytes written are a function of the paths as
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
    let mut writer = ImportWriter::create(out, import)?;
    let mut faults = FaultWriter::new(writer.faults_file()?, Cells::Marked).map_err(RecordsError::Faults)?;
    let (mut fault_count, mut sources) = (0, SourceCounts::default());
    let read = |batches: &mut Batches<'_>| {
        batches.read(&paths, options.source_limits);
        Ok(())
    };
    let from_start = SourcesRead::default();
    let play = |batch: Batch| {
        let mut kept = None;
        batch.play(options.record_limits, &from_start, progress, |file, place, record| {
            play(&mut kept, file, place, record)
        })
    };
    let write = |played: Vec<Played<ImportedGame>>| -> Result<(), RecordsError> {
        for Played { sources: SourceCounts { files, bytes, other_files }, games, .. } in played {
            sources.files += files;
            sources.bytes += bytes;
            sources.other_files += other_files;
            for game in games {
                match game {
                    Ok(game) => writer.add(game)?,
                    Err(fault) => {
                        fault_count += 1;
                        faults.write(&fault).map_err(RecordsError::Faults)?;
                    }
                }
            }
        }
        Ok(())
    };
    for_each_batch(progress, read, play, write)?;
    if progress.is_stopped() {
        return Err(RecordsError::Stopped);
    }
    let faults = faults.into_inner().map_err(RecordsError::Faults)?;
    Ok(writer.finish(sources, (fault_count, faults))?)
}

/// Plays one game by the rules that its record names.
fn play(kept: &mut Option<AnyGame>, file: &str, place: u64, record: Record) -> Result<ImportedGame, Fault> {
    let (replay, _) = replay_kept(kept, file, &record)?;
    let byte = record.byte as u64;
    let source = GameSource { file: file.to_owned(), byte, place };
    let too_large = |error| Fault::new(FaultStage::Record, file, byte, "too large", &error);
    ImportedGame::new(record, &replay, source).map_err(too_large)
}
