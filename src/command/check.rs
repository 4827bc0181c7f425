//! `jigo check`: tests a GTP program against the rules.

use std::{fmt::Write as _, time::Duration};

use clap::Args;
use jigo_engine::{BoardSize, RuleSet, Rules};
use jigo_selfplay::{
    conformance::{CheckError, CheckReport, CheckRow, CheckSpec, Fault, check_engine},
    fingerprint::rules_fingerprint,
};
use serde_json::{Value, json};

use crate::{
    args,
    output::{Failure, group, print, print_json, quantity, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Command line of the program to test, as in "gnugo --mode gtp".
    #[arg(value_name = "ENGINE", value_parser = args::command_line)]
    engine: String,

    /// Largest board of random games: a square of 5 to 25.
    #[arg(short, long, default_value = "9", value_parser = args::suggesting::<BoardSize>())]
    size: BoardSize,

    /// Rule set that the program must play by: a name, or values joined with +. GTP has no command for rules: configure the program with its own
    /// options [default: any; its replies are compared with tromp-taylor until its rules are known].
    #[arg(short, long, value_name = "RULES", value_parser = args::suggesting::<RuleSet>())]
    rules: Option<RuleSet>,

    /// Positions of random games, in each of which several points are tried.
    #[arg(long, value_name = "N", default_value = "5k", value_parser = |text: &str| args::count_of("positions", text))]
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
        rules: args.rules.unwrap_or(Rules::TROMP_TAYLOR.into()),
        positions: args.positions,
        seed: args.seed,
        time_limit: args.time_limit,
    };
    spec.check()?;
    let limit = args.time_limit.as_secs_f64();
    tell(&format!("checking `{}`, which has {limit} s for each answer (--time-limit)", args.engine));
    let progress = progress::stoppable();
    let report = progress::shown_positions("check", progress, || check_engine(&spec, progress));
    let report = report.map_err(|error| match error {
        CheckError::Stopped => Failure::interrupted("nothing is printed of a check that is not finished"),
        error => error.into(),
    })?;
    if args.json { print_json(&json(&spec, &report)) } else { print(&text(&spec, &report)) }?;
    conclude(args, &spec, &report)
}

/// Fails where there are faults, or where the program plays by other rules than those that `--rules` demands.
fn conclude(args: &CheckArgs, spec: &CheckSpec, report: &CheckReport) -> anyhow::Result<()> {
    let CheckSpec { program, rules, .. } = spec;
    let other = (report.rules != **rules).then(|| {
        format!(
            "plays by other rules than {rules}: set its rules by its own options, or check it with --rules {}",
            report.rules.canonical()
        )
    });
    let message = match other {
        _ if report.has_errors() => format!("`{program}` gives wrong replies: see the commands above"),
        Some(other) if args.rules.is_some() => format!("`{program}` makes no mistakes but {other}"),
        Some(other) => {
            tell(&format!("note: `{program}` {other}"));
            return Ok(());
        }
        None => return Ok(()),
    };
    Err(Failure::ProblemsFound(message).into())
}

/// Returns the results as a table, and below it what is wrong and where the program plays by other rules.
fn text(spec: &CheckSpec, report: &CheckReport) -> String {
    let mut text =
        format!("{} {}: {} rules, boards to {}\n\n", report.name, report.version, spec.rules, spec.size);
    let _ = writeln!(text, "{:<10}{:>8}{:>7}{:>13}", "check", "replies", "wrong", "other rules");
    for CheckRow { check, cases, wrong, explained, note } in &report.rows {
        let note = note.as_ref().map_or(String::new(), |note| format!("  {note}"));
        let (cases, wrong, explained) = (group(cases), group(wrong), group(explained));
        let _ = writeln!(text, "{:<10}{cases:>8}{wrong:>7}{explained:>13}{note}", check.name());
    }
    push_faults(&mut text, &report.faults);
    if !report.differences.is_empty() {
        let _ = writeln!(text, "\nRight by other rules than {}:", spec.rules);
        push_faults(&mut text, &report.differences);
    }
    text
}

/// Adds the commands that show each fault or difference, and what they must be answered.
fn push_faults(text: &mut String, faults: &[Fault]) {
    for Fault { check, what, count, commands, expected, answered, is_repeatable } in faults {
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
        "differences": report.differences.iter().map(fault_json).collect::<Vec<_>>(),
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
