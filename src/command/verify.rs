//! `jigo verify`: checks a dataset or an export.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use jigo_analysis::export::{is_export, verify_export};
use jigo_selfplay::dataset::{
    Dataset, DatasetError, ImportedDataset, Problem, ReplayMode, is_import, verify,
};
use serde_json::{Value, json};

use crate::{
    args::ThreadArgs,
    output::{Failure, group, print, print_json, quantity},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Folder of the dataset or export.
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,

    /// Also replay every game from its moves and, unless it was imported, from its seed.
    #[arg(long)]
    replay: bool,

    /// Like --replay, and compare every move with the slow reference board.
    #[arg(long)]
    reference: bool,

    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    threads: ThreadArgs,
}

pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    args.threads.start()?;
    if is_export(&args.dataset) { check_export(args) } else { check_dataset(args) }
}

fn check_dataset(args: &VerifyArgs) -> anyhow::Result<()> {
    let replay = match args {
        VerifyArgs { reference: true, .. } => ReplayMode::Reference,
        VerifyArgs { replay: true, .. } => ReplayMode::Fast,
        _ => ReplayMode::No,
    };
    let games = if is_import(&args.dataset) {
        if replay == ReplayMode::Reference {
            bail!("--reference compares games that jigo played; use --replay for imported ones");
        }
        ImportedDataset::open(&args.dataset).map_or(0, |dataset| dataset.manifest().games)
    } else {
        Dataset::open(&args.dataset).map_or(0, |dataset| dataset.spec().games)
    };
    let progress = progress::stoppable();
    let report = progress::shown("verify", games, progress, || verify(&args.dataset, replay, progress));
    let report = match report {
        Err(DatasetError::Stopped) => return Err(Failure::interrupted("nothing was changed")),
        other => other?,
    };
    let replayed = match replay {
        ReplayMode::No => String::new(),
        _ => format!(", {} plies replayed", group(report.plies)),
    };
    let read = format!("{}, {} read", quantity(report.shards, "shard"), quantity(report.games, "game"));
    let numbers = json!({ "shards": report.shards, "games": report.games, "plies": report.plies });
    let as_json = |problem: &Problem| json!({ "file": problem.file, "game": problem.game_index, "problem": problem.kind.to_string() });
    conclude(args, &report.problems, as_json, &format!("{read}{replayed}"), numbers)
}

/// Checks the files of an export by their digests: they contain nothing to replay.
fn check_export(args: &VerifyArgs) -> anyhow::Result<()> {
    if args.replay || args.reference {
        bail!(
            "{} is an export, whose games cannot be replayed: leave out --replay and --reference, or name the dataset",
            args.dataset.display()
        );
    }
    let report = verify_export(&args.dataset)?;
    let summary = format!("{} files, {} bytes", report.files, report.bytes);
    let numbers = json!({ "files": report.files, "bytes": report.bytes });
    let as_json = |problem: &Problem| json!({ "file": problem.file, "problem": problem.kind.to_string() });
    conclude(args, &report.problems, as_json, &summary, numbers)
}

/// Prints the problems and what was read, and fails if there are problems.
fn conclude(
    args: &VerifyArgs,
    problems: &[Problem],
    as_json: impl Fn(&Problem) -> Value,
    summary: &str,
    mut numbers: Value,
) -> anyhow::Result<()> {
    let is_ok = problems.is_empty();
    if args.json {
        numbers["ok"] = is_ok.into();
        numbers["problems"] = problems.iter().map(as_json).collect();
        print_json(&numbers)?;
    } else {
        let listed: String = problems.iter().map(|problem| format!("{problem}\n")).collect();
        print(&format!("{listed}{}{summary}\n", if is_ok { "ok: " } else { "" }))?;
    }
    if !is_ok {
        let problems = quantity(problems.len(), "problem");
        return Err(Failure::ProblemsFound(format!("{problems} found in {}", args.dataset.display())).into());
    }
    Ok(())
}
