//! Exports datasets as game records, tables and arrays for numpy.
//!
//! The formats are described in `docs/dataset.md`. [`export()`] reads a dataset game by game, keeps those that a [`GameFilter`] accepts and writes
//! them in the order of their indices: the bytes depend on the run and the [`ExportSpec`] alone.

use std::{
    io,
    path::{Path, PathBuf},
};

use jigo_engine::{IllegalMove, Komi, rules::Supply};
use jigo_selfplay::{
    GameRecord, Policy, Progress, Run, RunConfig,
    dataset::{Dataset, DatasetError, ImportedDataset, ImportedGame, Provenance},
    files::{FileError, FolderInUse},
};

use crate::cells::Cells;

mod csv;
mod filter;
mod folder;
mod npz;
mod positions;
mod rows;
mod sgf;
mod work;

#[cfg(test)]
mod tests;

pub use filter::{Bounds, CappedGames, EventFilter, GameFilter, InvalidFilter, PlySample, Rate, Winner};
pub use folder::{EXPORT_FORMAT_VERSION, ExportCounts, ExportedFile, is_export, verify_export};
pub use npz::Array;
pub use positions::PositionBatches;

use csv::Columns;
use folder::{Folder, Manifest, Origin};
use npz::Arrays;
use sgf::{RecordFiles, Written};
use work::{Maker, Selection};

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
    let (about, run) = (dataset.manifest(), dataset.spec().run);
    let manifest = Manifest::new(Origin::Run(Box::new(about.run.clone())), &about.run_fingerprint, spec);
    write_folder(out, manifest, |folder, request| {
        let (accepts, plies) = (|| work::accepts(spec, run), |game: &GameRecord| game.plies);
        let games = dataset.games();
        let games = Selection { games, accepts: &accepts, plies, limit: spec.filter.limit, progress };
        match spec.format {
            ExportFormat::Sgf { games_per_file } => {
                let record = |game: &GameRecord| sgf::record(game, &run, &about.run_fingerprint, spec.komi);
                let make = || |game: &GameRecord| Ok(Written::new(record(game)));
                let files = RecordFiles::new(folder, games_per_file, Some(request));
                games.write(batch_games(&run, 1024), make, files)
            }
            ExportFormat::Csv { events, cells } => {
                let RunConfig { count_forbidden, rules, .. } = run.config;
                let supply = rules.supply == Supply::Finite;
                let columns = Columns { count_forbidden, supply, events, cells };
                let make = || |game: &GameRecord| Ok(columns.rows(game, []));
                games.write(batch_games(&run, 4096), make, columns.tables(folder, &[])?)
            }
            ExportFormat::Npz { plies, rows_per_file } => {
                let arrays = Arrays::new(folder, run.config.size, request, rows_per_file);
                games.write(npz::batch_games(plies, &run), || npz::row_maker(run, spec.komi, plies), arrays)
            }
        }
    })
}

/// Returns how many games are worked on at a time: so many, or fewer if the visits of their searches could take more than 64 MiB.
fn batch_games(run: &Run, most: usize) -> usize {
    const MAX_VISIT_BYTES: usize = 64 << 20;
    let RunConfig { size, policy, ply_cap, .. } = run.config;
    let visits = (size.point_count() + 1) * ply_cap as usize;
    match policy {
        Policy::Playout(_) => most,
        Policy::Uct(_) => (MAX_VISIT_BYTES / (size_of::<u32>() * visits)).clamp(1, most),
    }
}

/// Exports imported games as [`export`](export()) does: as SGF that says all that their records said, or as a table.
///
/// Results are those recorded, so [`ExportSpec::komi`] must be zero. They cannot be exported as positions for numpy, nor selected by status.
///
/// # Errors
/// As [`export`](export()).
pub fn export_imported(
    dataset: &ImportedDataset,
    spec: &ExportSpec,
    out: &Path,
    progress: &Progress,
) -> Result<ExportSummary, ExportError> {
    /// Few, since each game may be large.
    const BATCH_GAMES: usize = 16;
    spec.validate()?;
    let refuse = |reason: &str| Err(ExportError::InvalidSpec { reason: reason.to_owned() });
    if spec.komi != Komi::ZERO {
        return refuse("imported games have the komi and results of their records: leave --komi out");
    }
    if spec.filter.status.is_some() {
        return refuse("--status is not asked of imported games: leave it out");
    }
    if matches!(spec.format, ExportFormat::Npz { .. }) {
        return refuse("imported games are not exported as npz; ask for sgf or csv");
    }
    let about = dataset.manifest();
    let manifest =
        Manifest::new(Origin::Import(Box::new(about.import.clone())), &about.run_fingerprint, spec);
    write_folder(out, manifest, |folder, _| {
        let accepts = || -> Maker<'_, ImportedGame, bool> {
            Box::new(|game| {
                let winner = || Some(Winner::from_name(game.winner()?).unwrap_or(Winner::Jigo));
                Ok(spec.filter.accepts(&game.played, 0, winner))
            })
        };
        let (games, plies) = (dataset.games(), |game: &ImportedGame| game.played.plies);
        let games = Selection { games, accepts: &accepts, plies, limit: spec.filter.limit, progress };
        match spec.format {
            ExportFormat::Csv { events, cells } => {
                let columns = Columns { count_forbidden: false, supply: false, events, cells };
                let further: Vec<&str> = ImportedGame::field_names().collect();
                let make = || |game: &ImportedGame| Ok(columns.rows(&game.played, game.fields()));
                games.write(BATCH_GAMES, make, columns.tables(folder, &further)?)
            }
            ExportFormat::Sgf { games_per_file } => {
                let make = || |game: &ImportedGame| Ok(Written::new(game.record.game.clone()));
                games.write(BATCH_GAMES, make, RecordFiles::new(folder, games_per_file, None))
            }
            ExportFormat::Npz { .. } => unreachable!("refused before"),
        }
    })
}

/// Takes the folder, lets `write` fill it, which gets what the files say of themselves, and completes its manifest.
fn write_folder(
    out: &Path,
    manifest: Manifest,
    write: impl FnOnce(&Folder, &str) -> Result<ExportSummary, ExportError>,
) -> Result<ExportSummary, ExportError> {
    let folder = Folder::open(out, &manifest)?;
    let summary = write(&folder, &manifest.request_json())?;
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
        /// Whether each superko event also gets a row of its own, in a second file.
        events: bool,
        /// How text from records is written.
        cells: Cells,
    },
    /// Positions with what followed, as arrays for numpy.
    Npz {
        /// Which positions.
        plies: PlySample,
        /// Positions in each file but the last.
        rows_per_file: u64,
    },
}

impl ExportSpec {
    /// Games in a file of records unless something else is asked for.
    pub const DEFAULT_GAMES_PER_FILE: u64 = 1000;
    /// Positions in a file of arrays unless something else is asked for.
    pub const DEFAULT_ROWS_PER_FILE: u64 = 8192;
    /// The most positions in a file of arrays: they are gathered in memory.
    pub const MAX_ROWS_PER_FILE: u64 = 65_536;

    /// Checks the limits, and names a value that is outside with them.
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
            ExportFormat::Csv { events, cells } => {
                let flags = [("events", events), ("raw", cells == Cells::Raw)];
                let given = flags.into_iter().filter(|(_, is_given)| *is_given);
                let flags = given.map(|(name, _)| (name, String::new()));
                [("to", "csv".to_owned())].into_iter().chain(flags).collect()
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
    /// What could not be done with a file or folder of the export. Files that are finished stay.
    #[error(transparent)]
    File(#[from] FileError),
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
    #[error(transparent)]
    InUse(#[from] FolderInUse),
    /// Stopped by [`Progress::stop`](jigo_selfplay::Progress::stop).
    #[error("stopped on request")]
    Stopped,
}

impl ExportError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File(FileError { action, path: path.to_owned(), source })
    }
}
