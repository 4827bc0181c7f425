//! `jigo verify`: checks every folder that jigo writes.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use jigo_analysis::{
    FilesReport,
    export::{is_export, verify_export},
    proofs::{ProofFileError, read_proofs},
    report::{TournamentCheck, is_report, is_tournament, verify_report, verify_tournament},
};
use jigo_engine::{rules::Tax, solve};
use jigo_selfplay::{
    dataset::{Dataset, DatasetError, ImportedDataset, Problem, ReplayMode, is_import, verify},
    matches::{is_match, verify_match},
};
use serde_json::{Value, json};

use super::solve::{proof_json, summary};
use crate::{
    args::ThreadArgs,
    output::{Failure, group, print, print_json, quantity},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Folder of a dataset, imported games, an export, a report, a match or a tournament; or a file of proofs by `jigo solve`.
    #[arg(value_name = "FOLDER|FILE")]
    folder: PathBuf,

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
    let folder = &args.folder;
    if folder.is_file() {
        return check_proofs(args);
    }
    let listed = if is_export(folder) {
        Some(verify_export(folder)?)
    } else if is_report(folder) {
        Some(verify_report(folder)?)
    } else {
        None
    };
    if listed.is_some() && (args.replay || args.reference) {
        bail!(
            "{} is an export or a report, which has no games to replay: leave out --replay and --reference, or name the dataset",
            folder.display()
        );
    }
    match listed {
        Some(report) => conclude_files(args, &report),
        None if is_match(folder) => check_match(args),
        None if is_tournament(folder) => check_tournament(args),
        None => check_dataset(args),
    }
}

/// Checks the proofs of a file, and says what they prove.
fn check_proofs(args: &VerifyArgs) -> anyhow::Result<()> {
    let path = args.folder.display();
    if args.replay || args.reference {
        bail!("{path} is a file of proofs, which has no games to replay: leave out --replay and --reference");
    }
    // A refused proof is a finding, not an error of the program.
    let refused = |reason: String| Failure::ProblemsFound(format!("{path}: {reason}"));
    let proofs = match read_proofs(&args.folder) {
        Err(ProofFileError::Io(error)) => return Err(error).with_context(|| format!("cannot read {path}")),
        proofs => proofs.map_err(|error| refused(error.to_string()))?,
    };
    let (mut text, mut values) = (String::new(), Vec::new());
    for proof in &proofs {
        let problem = proof.problem();
        let (name, tax) = (problem_name(problem), proof.rules().map_or(Tax::None, |rules| rules.tax));
        let refusal = |flaw| refused(format!("{name}: Black {} is not proved: {flaw}", proof.claim()));
        let verdict = proof.check().map_err(refusal)?;
        text += &format!("ok: {name}: Black {}\n", summary(proof, verdict));
        let mut value = proof_json(proof, verdict);
        value["size"] = problem.size().to_string().into();
        value["position"] = problem.position().to_string().into();
        value["to_play"] = problem.to_play().to_string().into();
        value["suicide"] = problem.suicide().name().into();
        value["tax"] = tax.name().into();
        values.push(value);
    }
    if args.json { print_json(&json!({ "ok": true, "proofs": values })) } else { print(&text) }
}

/// Says what a problem is about.
fn problem_name(problem: &solve::Problem) -> String {
    let (size, suicide, to_play) = (problem.size(), problem.suicide(), problem.to_play());
    let is_empty = problem.position().colored_stones().next().is_none();
    let start = if is_empty { "" } else { " with stones" };
    format!("{size}{start}, {suicide}, {to_play} to play")
}

/// Checks a match, whose games are always replayed.
fn check_match(args: &VerifyArgs) -> anyhow::Result<()> {
    let (games, problems) = verify_match(&args.folder)?;
    let summary = format!("{} replayed and counted", quantity(games, "game"));
    conclude(args, &problems, &summary, json!({ "games": games }))
}

/// Checks the matches of a tournament, whose games are always replayed.
fn check_tournament(args: &VerifyArgs) -> anyhow::Result<()> {
    let TournamentCheck { matches, games, problems } = verify_tournament(&args.folder)?;
    let [folders, played] = [quantity(matches, "folder"), quantity(games, "game")];
    let summary = format!("{played} in {folders} replayed and counted");
    conclude(args, &problems, &summary, json!({ "matches": matches, "games": games }))
}

fn check_dataset(args: &VerifyArgs) -> anyhow::Result<()> {
    let replay = match args {
        VerifyArgs { reference: true, .. } => ReplayMode::Reference,
        VerifyArgs { replay: true, .. } => ReplayMode::Fast,
        _ => ReplayMode::No,
    };
    let games = if is_import(&args.folder) {
        if replay == ReplayMode::Reference {
            bail!("--reference compares games that jigo played; use --replay for imported ones");
        }
        ImportedDataset::open(&args.folder).map_or(0, |dataset| dataset.manifest().games)
    } else {
        Dataset::open(&args.folder).map_or(0, |dataset| dataset.spec().games)
    };
    let progress = progress::stoppable();
    let report = progress::shown("verify", games, progress, || verify(&args.folder, replay, progress));
    let report = match report {
        Err(DatasetError::Stopped) => return Err(Failure::interrupted("nothing was changed")),
        Err(DatasetError::NotADataset(folder, reason)) => bail!(
            "{}: {reason}. Name a folder that jigo wrote: a dataset, import, export, report, match or tournament",
            folder.display()
        ),
        other => other?,
    };
    let replayed = match replay {
        ReplayMode::No => String::new(),
        _ => format!(", {} plies replayed", group(report.plies)),
    };
    let read = format!("{}, {} read", quantity(report.shards, "shard"), quantity(report.games, "game"));
    let numbers = json!({ "shards": report.shards, "games": report.games, "plies": report.plies });
    conclude(args, &report.problems, &format!("{read}{replayed}"), numbers)
}

/// Shows the check of files by their digests.
fn conclude_files(args: &VerifyArgs, report: &FilesReport) -> anyhow::Result<()> {
    let summary = format!("{}, {} bytes", quantity(report.files, "file"), group(report.bytes));
    let numbers = json!({ "files": report.files, "bytes": report.bytes });
    conclude(args, &report.problems, &summary, numbers)
}

/// Prints the problems and what was read, and fails if there are problems.
fn conclude(
    args: &VerifyArgs,
    problems: &[Problem],
    summary: &str,
    mut numbers: Value,
) -> anyhow::Result<()> {
    let is_ok = problems.is_empty();
    let as_json = |problem: &Problem| json!({ "file": problem.file, "game": problem.game_index, "problem": problem.kind.to_string() });
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
        return Err(Failure::ProblemsFound(format!("{problems} found in {}", args.folder.display())).into());
    }
    Ok(())
}
