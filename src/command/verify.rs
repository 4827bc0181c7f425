//! `jigo verify`: check a dataset or an export.

use std::fmt::Write as _;

use anyhow::bail;
use jigo_analysis::export::{ExportReport, is_export, verify_export};
use jigo_selfplay::dataset::{
    Dataset, DatasetError, ImportedDataset, Replay, VerifyOptions, VerifyReport, is_import, verify,
};
use serde_json::json;

use crate::{
    args::VerifyArgs,
    config,
    output::{Failure, group, print, quantity},
    progress,
};

pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    config::use_threads(&args.threads)?;
    if is_export(&args.dataset) {
        return check_export(args);
    }
    let replay = match args {
        VerifyArgs { reference: true, .. } => Replay::Reference,
        VerifyArgs { replay: true, .. } => Replay::Fast,
        _ => Replay::No,
    };
    let games = if is_import(&args.dataset) {
        if replay == Replay::Reference {
            bail!("--reference compares games that jigo played; use --replay for imported ones");
        }
        ImportedDataset::open(&args.dataset).map_or(0, |dataset| dataset.manifest().games)
    } else {
        Dataset::open(&args.dataset).map_or(0, |dataset| dataset.spec().games)
    };
    let progress = progress::stoppable();
    let report = progress::shown("verify", games, progress, || {
        verify(&args.dataset, VerifyOptions { replay }, progress)
    });
    let report = match report {
        Err(DatasetError::Stopped) => {
            return Err(Failure::Interrupted("nothing was changed".to_owned()).into());
        }
        other => other?,
    };
    print(&if args.json { as_json(&report) } else { as_text(&report, replay) })?;
    conclude(args, report.problems.len())
}

/// Checks the files of an export by their digests: there is nothing in them to replay.
fn check_export(args: &VerifyArgs) -> anyhow::Result<()> {
    if args.replay || args.reference {
        bail!(
            "{} is an export, whose games cannot be replayed: leave --replay and --reference out, or name the dataset",
            args.dataset.display()
        );
    }
    let report = verify_export(&args.dataset)?;
    print(&if args.json { export_as_json(&report) } else { export_as_text(&report) })?;
    conclude(args, report.problems.len())
}

fn conclude(args: &VerifyArgs, problems: usize) -> anyhow::Result<()> {
    match problems {
        0 => Ok(()),
        count => {
            let problems = quantity(count, "problem");
            Err(Failure::ProblemsFound(format!("{problems} found in {}", args.dataset.display())).into())
        }
    }
}

fn export_as_text(report: &ExportReport) -> String {
    let mut text: String = report.problems.iter().map(|problem| format!("{problem}\n")).collect();
    let verdict = if report.is_ok() { "ok: " } else { "" };
    let _ = writeln!(text, "{verdict}{} files, {} bytes", report.files, report.bytes);
    text
}

fn export_as_json(report: &ExportReport) -> String {
    let problem = |problem: &jigo_analysis::export::ExportProblem| json!({ "file": problem.file, "problem": problem.problem });
    let problems: Vec<_> = report.problems.iter().map(problem).collect();
    let value =
        json!({ "ok": report.is_ok(), "files": report.files, "bytes": report.bytes, "problems": problems });
    format!("{value:#}\n")
}

fn as_text(report: &VerifyReport, replay: Replay) -> String {
    let mut text = String::new();
    for problem in &report.problems {
        let _ = writeln!(text, "{problem}");
    }
    let replayed = match replay {
        Replay::No => String::new(),
        _ => format!(", {} plies replayed", group(report.plies)),
    };
    let verdict = if report.is_ok() { "ok: " } else { "" };
    let _ = writeln!(
        text,
        "{verdict}{}, {} read{replayed}",
        quantity(report.shards, "shard"),
        quantity(report.games, "game")
    );
    text
}

fn as_json(report: &VerifyReport) -> String {
    let problems: Vec<_> = report
        .problems
        .iter()
        .map(|problem| json!({ "file": problem.file, "game": problem.game_index, "problem": problem.kind.to_string() }))
        .collect();
    let value = json!({
        "ok": report.is_ok(),
        "shards": report.shards,
        "games": report.games,
        "plies": report.plies,
        "problems": problems,
    });
    format!("{value:#}\n")
}
