//! Datasets to game records, tables and arrays for numpy.
//!
//! The formats are described in `docs/dataset.md`. [`export()`] reads a dataset game by game, keeps those that a [`GameFilter`] accepts and writes
//! them in the order of their indices: the bytes depend on the run and the [`ExportSpec`] alone.

mod csv;
mod error;
mod filter;
mod folder;
mod imported;
mod manifest;
mod npz;
mod sample;
mod sgf;
mod spec;
mod verify;
mod work;

#[cfg(test)]
mod tests;

use std::path::Path;

use jigo_selfplay::{Progress, dataset::Dataset};

pub use error::ExportError;
pub use filter::{Bounds, CappedGames, EventFilter, GameFilter, InvalidBounds, UnknownChoice, Winner};
pub use folder::ExportedFile;
pub use imported::export_imported;
pub use manifest::{EXPORT_FORMAT_VERSION, ExportCounts};
pub use sample::{InvalidRate, PlySample, Rate};
pub use spec::{EventRows, ExportFormat, ExportSpec};
pub use verify::{ExportProblem, ExportReport, is_export, verify_export};

use folder::Folder;
use manifest::{Manifest, Origin};
use work::{Job, run};

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportSummary {
    /// Games.
    pub counts: ExportCounts,
    /// All files but `export.json`, in order.
    pub files: Vec<ExportedFile>,
}

/// Exports games of a dataset to the folder `out`, which must be empty or hold the same export, finished or not: that is written anew.
///
/// Every file is written aside, flushed to the disk and moved into its place; `export.json` says that the export is complete when it is. Every shard
/// is compared with its digest. Works on the threads of the current rayon pool, in memory that does not grow with the number of games; `progress`
/// counts games read and can stop the work.
///
/// # Errors
/// [`ExportError`] names the file, or the game and move. Finished files stay.
pub fn export(
    dataset: &Dataset,
    spec: &ExportSpec,
    out: &Path,
    progress: &Progress,
) -> Result<ExportSummary, ExportError> {
    spec.validate()?;
    let about = dataset.manifest();
    let manifest = Manifest::new(Origin::Run(Box::new(about.run.clone())), &about.run_fingerprint, spec);
    let folder = Folder::open(out, &manifest)?;
    let job = Job { dataset, spec, folder: &folder, about: &manifest.request_json() };
    let summary = match spec.format {
        ExportFormat::Sgf { games_per_file } => run(&job, sgf::Records::new(&job, games_per_file), progress),
        ExportFormat::Csv { events } => run(
            &job,
            csv::Tables::new(&folder, dataset.spec().run.config.count_forbidden, events, &[])?,
            progress,
        ),
        ExportFormat::Npz { plies, rows_per_file } => {
            run(&job, npz::Arrays::new(&job, plies, rows_per_file), progress)
        }
    }?;
    folder.write_manifest(&manifest.completed(summary.counts, summary.files.clone()))?;
    Ok(summary)
}
