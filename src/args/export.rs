//! The arguments of `jigo export`.

use std::{path::PathBuf, str::FromStr};

use clap::{Args, ValueEnum};
use jigo_analysis::export::{Bounds, CappedGames, EventFilter, Rate, Winner};
use jigo_engine::{Komi, life::Status};

use super::ThreadArgs;
use crate::config::GameCount;

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Folder of the dataset.
    #[arg(value_name = "DATASET")]
    pub(crate) dataset: PathBuf,

    /// What to write: game records, a table with a row for each game, or arrays of positions for numpy.
    #[arg(long)]
    pub(crate) to: Format,

    /// Folder of the export, new or empty; the same command writes it anew.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Points added to White's score, for results.
    #[arg(long, default_value = "0", allow_hyphen_values = true)]
    pub(crate) komi: Komi,

    /// sgf: games in a file, or `all` [default: 1000].
    #[arg(long, value_name = "N")]
    pub(crate) games_per_file: Option<GamesPerFile>,

    /// csv: also write events.csv, with a row for each superko event.
    #[arg(long)]
    pub(crate) events: bool,

    /// npz: positions drawn from each game [default: 1].
    #[arg(long, value_name = "K", conflicts_with = "position_rate", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) positions_per_game: Option<u32>,

    /// npz: the share of all positions that is drawn, as in 0.05.
    #[arg(long, value_name = "RATE")]
    pub(crate) position_rate: Option<Rate>,

    /// npz: positions in a file, at most 65536 [default: 8192].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub(crate) rows_per_file: Option<u64>,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

/// Which games are exported. All that is asked for must hold.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which games")]
pub(crate) struct FilterArgs {
    /// Margins before komi, both ends included, as in -3..3, 10.., ..-1 or 0.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    pub(crate) margin: Option<Bounds>,

    /// Results after komi: black, white or jigo.
    #[arg(long)]
    pub(crate) result: Option<Winner>,

    /// Lengths in plies, passes included, as in ..99.
    #[arg(long, value_name = "A..B")]
    pub(crate) plies: Option<Bounds>,

    /// Games with a superko event: any, or one whose cycle has so many plies.
    #[arg(long, value_name = "any|PLIES")]
    pub(crate) superko: Option<EventFilter>,

    /// Games with a chain of this status in the last position: alive, seki, unsettled, ko, dead or unknown (slow).
    #[arg(long, value_parser = status)]
    pub(crate) status: Option<Status>,

    /// A share of the games, drawn by their indices, as in 0.05.
    #[arg(long, value_name = "RATE")]
    pub(crate) sample: Option<Rate>,

    /// Games that the ply cap cut off: exclude, include or only.
    #[arg(long, value_name = "HOW", default_value = "exclude")]
    pub(crate) capped: CappedGames,

    /// Stop after so many games.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<GameCount>,
}

/// What is written of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Sgf,
    Csv,
    Npz,
}

/// Games in a file of records, or all in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GamesPerFile(pub(crate) Option<u64>);

impl FromStr for GamesPerFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self(None));
        }
        let count: GameCount = text.parse().map_err(|error| format!("{error}, or `all`"))?;
        Ok(Self(Some(count.0)))
    }
}

fn status(name: &str) -> Result<Status, String> {
    let known = Status::ALL.map(Status::name).join(", ");
    Status::from_name(name).ok_or_else(|| format!("`{name}` is not one of {known}"))
}
