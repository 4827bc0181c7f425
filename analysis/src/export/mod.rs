//! Exports datasets as game records, tables and arrays for numpy.
//!
//! The formats are described in `docs/dataset.md`. [`export()`] reads a dataset game by game, keeps those that a [`GameFilter`] accepts and writes
//! them in the order of their indices: the bytes depend on the run and the [`ExportSpec`] alone.

use std::{
    io,
    path::{Path, PathBuf},
};

use jigo_engine::{IllegalMove, Komi};
use jigo_selfplay::{
    Progress,
    dataset::{Dataset, DatasetError, Provenance},
};

mod csv;
mod filter;
mod folder;
mod imported;
mod npz;
mod rows;
mod sgf;
mod work;

#[cfg(test)]
mod tests;

pub use filter::{
    Bounds, CappedGames, EventFilter, GameFilter, InvalidBounds, InvalidRate, PlySample, Rate, UnknownChoice,
    Winner,
};
pub use folder::{
    EXPORT_FORMAT_VERSION, ExportCounts, ExportProblem, ExportReport, ExportedFile, is_export, verify_export,
};
pub use imported::export_imported;

use folder::{Folder, Manifest, Origin};
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

/// Everything that, with the dataset, determines the bytes of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportSpec {
    /// What is written.
    pub format: ExportFormat,
    /// Which games.
    pub filter: GameFilter,
    /// Points added to White's score, for results.
    pub komi: Komi,
    /// The program that exports.
    pub provenance: Provenance,
}

/// What is written of the games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExportFormat {
    /// Game records.
    Sgf {
        /// Games in each file but the last; `None` for one file.
        games_per_file: Option<u64>,
    },
    /// A row for each game.
    Csv {
        /// What is written of superko events.
        events: EventRows,
    },
    /// Positions with what followed, as arrays for numpy.
    Npz {
        /// Which positions.
        plies: PlySample,
        /// Positions in each file but the last.
        rows_per_file: u64,
    },
}

/// What a table says about superko events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventRows {
    /// How many a game has.
    #[default]
    Count,
    /// Also each in a row of its own, in a second file.
    Each,
}

impl ExportSpec {
    /// Games in a file of records unless something else is asked for.
    pub const DEFAULT_GAMES_PER_FILE: u64 = 1000;
    /// Positions in a file of arrays unless something else is asked for.
    pub const DEFAULT_ROWS_PER_FILE: u64 = 8192;
    /// The most positions in a file of arrays: they are gathered in memory.
    pub const MAX_ROWS_PER_FILE: u64 = 65_536;

    /// Checks the limits.
    ///
    /// # Errors
    /// [`ExportError::InvalidSpec`] naming the value and its limits.
    pub(super) fn validate(&self) -> Result<(), ExportError> {
        let invalid = |reason: String| Err(ExportError::InvalidSpec { reason });
        if self.filter.limit == Some(0) {
            return invalid("no games are asked for; ask for at least 1".to_owned());
        }
        match self.format {
            ExportFormat::Sgf { games_per_file: Some(0) } => {
                invalid("the files hold no games; they must hold at least 1".to_owned())
            }
            ExportFormat::Npz { rows_per_file, .. }
                if !(1..=Self::MAX_ROWS_PER_FILE).contains(&rows_per_file) =>
            {
                invalid(format!(
                    "{rows_per_file} rows in a file; it must be from 1 to {}",
                    Self::MAX_ROWS_PER_FILE
                ))
            }
            ExportFormat::Npz { plies: PlySample::Count(0), .. } => {
                invalid("no positions are asked for; ask for at least 1 of each game".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Returns the options of `jigo export` that ask for this, with their values; those without a value have an empty one.
    pub(super) fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = match self.format {
            ExportFormat::Sgf { games_per_file } => {
                let games = games_per_file.map_or_else(|| "all".to_owned(), |games| games.to_string());
                vec![("to", "sgf".to_owned()), ("games-per-file", games)]
            }
            ExportFormat::Csv { events: EventRows::Count } => vec![("to", "csv".to_owned())],
            ExportFormat::Csv { events: EventRows::Each } => {
                vec![("to", "csv".to_owned()), ("events", String::new())]
            }
            ExportFormat::Npz { plies, rows_per_file } => {
                let plies = match plies {
                    PlySample::Count(count) => ("positions-per-game", count.to_string()),
                    PlySample::Rate(rate) => ("position-rate", rate.to_string()),
                };
                vec![("to", "npz".to_owned()), plies, ("rows-per-file", rows_per_file.to_string())]
            }
        };
        options.push(("komi", self.komi.to_string()));
        options.extend(self.filter.options());
        options
    }

    /// Returns the command with all its options. Folders do not matter to what is exported, so they stand as words.
    #[must_use]
    pub fn command(&self) -> String {
        let mut command = "jigo export DATASET --out OUT".to_owned();
        for (name, value) in self.options() {
            command.push_str(&format!(" --{name}"));
            if !value.is_empty() {
                command.push_str(&format!("={value}"));
            }
        }
        command
    }
}

/// Why a dataset cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A value outside its limits.
    #[error("{reason}")]
    InvalidSpec {
        /// The value and its limits.
        reason: String,
    },
    /// A file of the dataset.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A stored move.
    #[error(
        "game {game_index}: move {number} is illegal ({reason}); check the dataset with `jigo verify --replay`"
    )]
    Illegal {
        /// The game.
        game_index: u64,
        /// The move, from 1.
        number: usize,
        /// The rule it breaks.
        reason: IllegalMove,
    },
    /// The disk or the quota is full.
    #[error(
        "no space left for {}: {source}. The finished files are kept; free some space and run the same command again",
        path.display()
    )]
    DiskFull {
        /// The file that found no room.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system refused something else.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was to be done with the file.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The folder holds something else.
    #[error(
        "{} is not empty and not an export (it has no export.json but has `{found}`); choose a new or empty folder with --out",
        dir.display()
    )]
    NotEmpty {
        /// The folder.
        dir: PathBuf,
        /// One thing in it.
        found: String,
    },
    /// The folder holds the export of another dataset or command.
    #[error(
        "{} holds another export, or one by another version of jigo (its export.json says which); choose another folder with --out",
        dir.display()
    )]
    OtherExport {
        /// The folder.
        dir: PathBuf,
    },
    /// Another process exports to the folder.
    #[error("{} is in use: another jigo is exporting to it", dir.display())]
    InUse {
        /// The folder.
        dir: PathBuf,
    },
    /// Stopped by [`Progress::stop`](jigo_selfplay::Progress::stop).
    #[error("stopped on request")]
    Stopped,
}

impl ExportError {
    /// Returns an error of the operating system, with the full disk told apart.
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, source },
            _ => Self::Io { action, path, source },
        }
    }
}
