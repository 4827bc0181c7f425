//! What is exported, and how.

use jigo_engine::Komi;
use jigo_selfplay::dataset::Provenance;

use super::{ExportError, filter::GameFilter, sample::PlySample};

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

    /// The options of `jigo export` that ask for this, with their values; those without a value have an empty one.
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

    /// The command with all its options. Folders do not matter to what is exported, so they stand as words.
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
