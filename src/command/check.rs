//! `jigo check`: tests a GTP program against the rules.

use std::{fmt::Write as _, time::Duration};

use clap::Args;
use jigo_engine::{BoardSize, RuleSet};
use jigo_selfplay::{
    conformance::{CheckError, CheckReport, CheckRow, CheckSpec, Fault, check_engine},
    fingerprint::rules_fingerprint,
};
use serde_json::{Value, json};

use crate::{
    args,
    output::{Failure, group, print, print_json, quantity},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Command line of the program to test, as in "gnugo --mode gtp".
    #[arg(value_name = "ENGINE")]
    engine: String,

    /// Largest board of random games: a square of 5 to 25.
    #[arg(short, long, default_value = "9", value_parser = args::suggesting::<BoardSize>())]
    size: BoardSize,

    /// Rule set that the program should play by: a name, or values joined with +. GTP has no command for rules: configure the program with its own
    /// options.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSet>())]
    rules: RuleSet,

    /// Positions of random games, in each of which several points are tried.
    #[arg(long, value_name = "N", default_value = "5k", value_parser = args::game_count)]
    positions: u64,

    /// Seed of the random games.
    #[arg(long, default_value_t = 1, value_parser = args::seed)]
    seed: u64,

    /// Seconds the program has to answer each command.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = args::seconds)]
    time_limit: Duration,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<()> {
    let spec = CheckSpec {
        program: args.engine.clone(),
        size: args.size,
        rules: args.rules,
        positions: args.positions,
        seed: args.seed,
        time_limit: args.time_limit,
    };
    let progress = progress::stoppable();
    let report = progress::shown_positions("check", progress, || check_engine(&spec, progress));
    let report = report.map_err(|error| match error {
        CheckError::Stopped => Failure::interrupted("nothing is printed of a check that is not finished"),
        error => error.into(),
    })?;
    if args.json { print_json(&json(&spec, &report)) } else { print(&text(&spec, &report)) }?;
    match failure(&spec, &report) {
        Some(message) => Err(Failure::ProblemsFound(message).into()),
        None => Ok(()),
    }
}

/// Returns what was found, if it was anything: wrong replies, or another rule set than the one that was asked for.
fn failure(spec: &CheckSpec, report: &CheckReport) -> Option<String> {
    let CheckSpec { program, rules, .. } = spec;
    let other = (report.rules != **rules).then(|| {
        let option = report.rules.canonical();
        format!(
            "plays by other rules than {rules}: set its rules by its own options, or check it with --rules {option}"
        )
    });
    match (report.has_errors(), other) {
        (true, Some(other)) => Some(format!("`{program}` gives wrong replies, and {other}")),
        (true, None) => Some(format!("`{program}` gives wrong replies: see the commands above")),
        (false, Some(other)) => Some(format!("`{program}` makes no mistakes but {other}")),
        (false, None) => None,
    }
}

/// Returns the results as a table, and below it what is wrong.
fn text(spec: &CheckSpec, report: &CheckReport) -> String {
    let mut text =
        format!("{} {}: {} rules, boards to {}\n\n", report.name, report.version, spec.rules, spec.size);
    let _ = writeln!(text, "{:<10}{:>10}{:>8}", "check", "replies", "wrong");
    for CheckRow { check, cases, wrong, note, .. } in &report.rows {
        let note = note.as_ref().map_or(String::new(), |note| format!("  {note}"));
        let (cases, wrong) = (group(cases), group(wrong));
        let _ = writeln!(text, "{:<10}{cases:>10}{wrong:>8}{note}", check.name());
    }
    for Fault { check, what, count, commands, expected, answered, is_repeatable } in &report.faults {
        let _ = writeln!(text, "\n{check}: {what} ({})", quantity(*count, "time"));
        if !is_repeatable {
            text.push_str("  not seen again with these commands alone\n");
        }
        let Some((last, before)) = commands.split_last() else { continue };
        for command in before {
            let _ = writeln!(text, "    {command}");
        }
        let _ = writeln!(text, "    {last}\n      must be  {expected}\n      is       {answered}");
    }
    text
}

fn json(spec: &CheckSpec, report: &CheckReport) -> Value {
    json!({
        "engine": spec.program,
        "name": report.name,
        "version": report.version,
        "size": spec.size.to_string(),
        "rules": spec.rules.to_string(),
        "rules_in_full": spec.rules.canonical(),
        "rules_fingerprint": rules_fingerprint(*spec.rules),
        "plays_by": report.rules.canonical(),
        "positions": spec.positions,
        "seed": spec.seed,
        "has_errors": report.has_errors(),
        "checks": report.rows.iter().map(row_json).collect::<Vec<_>>(),
        "faults": report.faults.iter().map(fault_json).collect::<Vec<_>>(),
    })
}

fn row_json(row: &CheckRow) -> Value {
    json!({
        "check": row.check.name(),
        "replies": row.cases,
        "wrong": row.wrong,
        "explained": row.explained,
        "note": row.note,
    })
}

fn fault_json(fault: &Fault) -> Value {
    json!({
        "check": fault.check.name(),
        "what": fault.what,
        "count": fault.count,
        "commands": fault.commands,
        "expected": fault.expected,
        "answered": fault.answered,
        "is_repeatable": fault.is_repeatable,
    })
}
