//! `jigo export`: writes a dataset as game records, tables or arrays.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use jigo_analysis::export::{
    Bounds, CappedGames, EventFilter, ExportError, ExportFormat, ExportSpec, ExportSummary, GameFilter,
    PlySample, Rate, Winner, export, export_imported,
};
use jigo_engine::{Komi, life::Status, rules::KomiChoice};
use jigo_selfplay::{
    RunConfig,
    dataset::{Dataset, ImportedDataset, is_import},
};

use crate::{
    args::{self, CellArgs, ThreadArgs, provenance},
    output::{Failure, group, megabytes, quantity, tell, warn},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Folder of the dataset.
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,

    /// What to write: game records, a table with a row for each game, or arrays of positions for NumPy.
    #[arg(long)]
    to: Format,

    /// Folder for the export, new or empty. Running the same command again replaces the export.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Points added to White's score, for results: a number, or `rules` for the komi of the rule set on this size. Imported games have their own.
    #[arg(long, default_value = "rules", allow_hyphen_values = true)]
    komi: KomiChoice,

    /// sgf: games in a file, or `all` [default: 1000].
    #[arg(long, value_name = "N", value_parser = games_per_file)]
    games_per_file: Option<GamesPerFile>,

    /// csv: also write events.csv, with a row for each superko event.
    #[arg(long)]
    events: bool,

    #[command(flatten)]
    cells: CellArgs,

    /// npz: positions sampled from each game [default: 1].
    #[arg(long, value_name = "K", conflicts_with = "position_rate", value_parser = args::within(1..=RunConfig::MAX_PLY_CAP))]
    positions_per_game: Option<u32>,

    /// npz: share of all positions to sample, as in 0.05.
    #[arg(long, value_name = "RATE")]
    position_rate: Option<Rate>,

    /// npz: positions in a file, at most 65536 [default: 8192].
    #[arg(long, value_name = "N", value_parser = args::within(1_u64..=65_536))]
    rows_per_file: Option<u64>,

    #[command(flatten)]
    threads: ThreadArgs,

    #[command(flatten)]
    filter: FilterArgs,
}

/// Which games are exported: those that pass every filter.
#[derive(Args, Debug)]
#[command(next_help_heading = "Filters")]
struct FilterArgs {
    /// Margins before komi, both ends included, as in -3..3, 10.., ..-1 or 0.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    margin: Option<Bounds>,

    /// Result after komi: black, white or jigo.
    #[arg(long)]
    result: Option<Winner>,

    /// Lengths in plies, passes included, as in ..99.
    #[arg(long, value_name = "A..B")]
    plies: Option<Bounds>,

    /// Games with a superko event: any, or one whose cycle has this many plies.
    #[arg(long, value_name = "any|PLIES")]
    superko: Option<EventFilter>,

    /// Games with a chain of this status in the final position: alive, seki, unsettled, ko, dead or unknown (slow).
    #[arg(long, value_parser = status)]
    status: Option<Status>,

    /// A random share of the games, as in 0.05. The same games are always chosen.
    #[arg(long, value_name = "RATE")]
    sample: Option<Rate>,

    /// Games stopped at the move limit: exclude, include or only.
    #[arg(long, value_name = "HOW", default_value = "exclude")]
    capped: CappedGames,

    /// Stop after this many games.
    #[arg(long, value_name = "N", value_parser = args::game_count)]
    limit: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Sgf,
    Csv,
    Npz,
}

/// The number of games in a file of records; `None` puts all into one file.
#[derive(Clone, Copy, Debug)]
struct GamesPerFile(Option<u64>);

fn games_per_file(text: &str) -> Result<GamesPerFile, String> {
    if text == "all" {
        return Ok(GamesPerFile(None));
    }
    let count = args::game_count(text).map_err(|error| format!("{error}, or `all`"))?;
    Ok(GamesPerFile(Some(count)))
}

fn status(name: &str) -> Result<Status, String> {
    let names = Status::ALL.map(Status::name).join(", ");
    Status::from_name(name).ok_or_else(|| format!("`{name}` is not one of {names}"))
}

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<()> {
    args.threads.start()?;
    let FilterArgs { margin, result, plies, superko, status, sample, capped, limit } = args.filter;
    let format = format(args)?;
    args::check_folder(&args.out)?;
    let filter = GameFilter { margin, result, plies, superko, status, sample, capped, limit };
    let spec = |komi| ExportSpec { format, filter, komi, provenance: provenance() };
    let progress = progress::stoppable();
    let exported = if is_import(&args.dataset) {
        let dataset = ImportedDataset::open_complete(&args.dataset)?;
        let komi = match args.komi {
            KomiChoice::Rules => Komi::ZERO,
            KomiChoice::Fixed(_) => {
                bail!("imported games have the komi and results of their records: leave --komi out")
            }
        };
        let spec = spec(komi);
        progress::shown("export", dataset.manifest().games, progress, || {
            export_imported(&dataset, &spec, &args.out, progress)
        })
    } else {
        let dataset = Dataset::open(&args.dataset)?;
        let jigo_selfplay::RunConfig { rules, size, .. } = dataset.spec().run.config;
        let spec = spec(args.komi.at(rules, size));
        progress::shown("export", dataset.spec().games, progress, || {
            export(&dataset, &spec, &args.out, progress)
        })
    };
    match exported {
        Ok(summary) => {
            tell(&conclusion(args, &summary));
            if summary.counts.games_kept == 0 {
                warn("no game passes the filters, so the export is empty");
            }
            Ok(())
        }
        Err(ExportError::Stopped) => {
            Err(Failure::interrupted("the finished files are kept; the same command begins again"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the format with its options, and refuses the options of another format.
fn format(args: &ExportArgs) -> anyhow::Result<ExportFormat> {
    let options = [
        ("--games-per-file", Format::Sgf, args.games_per_file.is_some()),
        ("--events", Format::Csv, args.events),
        ("--raw", Format::Csv, args.cells.raw),
        ("--positions-per-game", Format::Npz, args.positions_per_game.is_some()),
        ("--position-rate", Format::Npz, args.position_rate.is_some()),
        ("--rows-per-file", Format::Npz, args.rows_per_file.is_some()),
    ];
    for (option, format, is_given) in options {
        if is_given && args.to != format {
            let format = format!("{format:?}").to_lowercase();
            return Err(Failure::wrong_arguments(format!("{option} belongs to --to {format}: leave it out")));
        }
    }
    Ok(match args.to {
        Format::Sgf => ExportFormat::Sgf {
            games_per_file: args
                .games_per_file
                .map_or(Some(ExportSpec::DEFAULT_GAMES_PER_FILE), |GamesPerFile(games)| games),
        },
        Format::Csv => ExportFormat::Csv { events: args.events, cells: args.cells.cells() },
        Format::Npz => ExportFormat::Npz {
            plies: match args.position_rate {
                Some(rate) => PlySample::Rate(rate),
                None => PlySample::Count(args.positions_per_game.unwrap_or(1)),
            },
            rows_per_file: args.rows_per_file.unwrap_or(ExportSpec::DEFAULT_ROWS_PER_FILE),
        },
    })
}

fn conclusion(args: &ExportArgs, ExportSummary { counts, files }: &ExportSummary) -> String {
    let positions = match args.to {
        Format::Npz => format!(", {}", quantity(files.iter().map(|file| file.rows).sum::<u64>(), "position")),
        Format::Sgf | Format::Csv => String::new(),
    };
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    format!(
        "exported {} of {}{positions} in {} ({}) to {}",
        group(counts.games_kept),
        quantity(counts.games_read, "game"),
        quantity(files.len() as u64, "file"),
        megabytes(bytes),
        args.out.display()
    )
}
