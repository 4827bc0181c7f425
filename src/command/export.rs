//! `jigo export`: a dataset as game records, tables or arrays.

use anyhow::bail;
use jigo_analysis::export::{
    EventRows, ExportError, ExportFormat, ExportSpec, ExportSummary, GameFilter, PlySample, export,
    export_imported,
};
use jigo_selfplay::dataset::{Dataset, ImportedDataset, Provenance, is_import};

use crate::{
    args::{ExportArgs, FilterArgs, Format},
    config::{self, COMMIT, VERSION},
    output::{Failure, group, quantity, tell},
    progress,
};

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<()> {
    config::use_threads(&args.threads)?;
    let spec = ExportSpec {
        format: format(args)?,
        filter: filter(&args.filter),
        komi: args.komi,
        provenance: Provenance { version: VERSION.to_owned(), commit: COMMIT.to_owned() },
    };
    let progress = progress::stoppable();
    let exported = if is_import(&args.dataset) {
        let dataset = ImportedDataset::open_complete(&args.dataset)?;
        progress::shown("export", dataset.manifest().games, progress, || {
            export_imported(&dataset, &spec, &args.out, progress)
        })
    } else {
        let dataset = Dataset::open(&args.dataset)?;
        progress::shown("export", dataset.spec().games, progress, || {
            export(&dataset, &spec, &args.out, progress)
        })
    };
    match exported {
        Ok(summary) => {
            tell(&conclusion(args, &summary));
            Ok(())
        }
        Err(ExportError::Stopped) => {
            let advice = "the finished files are kept; the same command begins again";
            Err(Failure::Interrupted(advice.to_owned()).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// The format with its options; those of another one are refused.
fn format(args: &ExportArgs) -> anyhow::Result<ExportFormat> {
    let options = [
        ("--games-per-file", Format::Sgf, args.games_per_file.is_some()),
        ("--events", Format::Csv, args.events),
        ("--positions-per-game", Format::Npz, args.positions_per_game.is_some()),
        ("--position-rate", Format::Npz, args.position_rate.is_some()),
        ("--rows-per-file", Format::Npz, args.rows_per_file.is_some()),
    ];
    for (option, format, is_given) in options {
        if is_given && args.to != format {
            bail!("{option} belongs to --to {}: leave it out", format!("{format:?}").to_lowercase());
        }
    }
    Ok(match args.to {
        Format::Sgf => ExportFormat::Sgf {
            games_per_file: match args.games_per_file {
                Some(games) => games.0,
                None => Some(ExportSpec::DEFAULT_GAMES_PER_FILE),
            },
        },
        Format::Csv => {
            ExportFormat::Csv { events: if args.events { EventRows::Each } else { EventRows::Count } }
        }
        Format::Npz => ExportFormat::Npz {
            plies: match args.position_rate {
                Some(rate) => PlySample::Rate(rate),
                None => PlySample::Count(args.positions_per_game.unwrap_or(1)),
            },
            rows_per_file: args.rows_per_file.unwrap_or(ExportSpec::DEFAULT_ROWS_PER_FILE),
        },
    })
}

fn filter(args: &FilterArgs) -> GameFilter {
    let FilterArgs { margin, result, plies, superko, status, sample, capped, limit } = *args;
    let limit = limit.map(|games| games.0);
    GameFilter { margin, result, plies, superko, status, sample, capped, limit }
}

fn conclusion(args: &ExportArgs, summary: &ExportSummary) -> String {
    let ExportSummary { counts, files } = summary;
    let positions = match args.to {
        Format::Npz => format!(", {}", quantity(files.iter().map(|file| file.rows).sum::<u64>(), "position")),
        Format::Sgf | Format::Csv => String::new(),
    };
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    format!(
        "exported {} of {}{positions} in {} ({:.1} MB) to {}",
        group(counts.games_kept),
        quantity(counts.games_read, "game"),
        quantity(files.len() as u64, "file"),
        bytes as f64 / 1e6,
        args.out.display()
    )
}
