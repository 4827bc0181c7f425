//! `jigo solve`: exact results of tiny boards.

use std::fmt::Write as _;

use jigo_engine::{
    Board, Ko, Suicide,
    count::{Solution, solve},
};
use serde_json::json;

use crate::{args::SolveArgs, config::RuleSets, output::print, progress};

pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    // Counting is by area and there is no handicap: only ko and suicide make a difference.
    let mut choices: Vec<(Ko, Suicide)> = Vec::new();
    for rules in RuleSets::expand(&args.rules) {
        if !choices.contains(&(rules.ko, rules.suicide)) {
            choices.push((rules.ko, rules.suicide));
        }
    }
    let mut results = Vec::new();
    for (ko, suicide) in choices {
        let board: Board = Board::new(args.size, suicide);
        let solution = progress::counted(|report| solve(&board, ko, report))?;
        if args.json {
            results.push(as_json(args, ko, suicide, &solution));
        } else {
            print(&as_text(args, ko, suicide, &solution))?;
        }
    }
    if args.json { print(&format!("{:#}\n", json!(results))) } else { Ok(()) }
}

fn names(ko: Ko, suicide: Suicide) -> (&'static str, &'static str) {
    let ko = match ko {
        Ko::Simple => "simple-ko",
        Ko::PositionalSuperko => "positional-superko",
        Ko::SituationalSuperko => "situational-superko",
    };
    (ko, if suicide == Suicide::Allowed { "suicide" } else { "no-suicide" })
}

fn line(args: &SolveArgs, solution: &Solution) -> Vec<String> {
    solution.line.iter().map(|mv| mv.to_gtp(args.size)).collect()
}

fn as_text(args: &SolveArgs, ko: Ko, suicide: Suicide, solution: &Solution) -> String {
    let (ko, suicide) = names(ko, suicide);
    let mut text = String::new();
    let Solution { margin, nodes, .. } = solution;
    let _ = writeln!(text, "{} area+{ko}+{suicide}: Black {margin:+} ({nodes} nodes)", args.size);
    let _ = writeln!(text, "    {}", line(args, solution).join(" "));
    text
}

fn as_json(args: &SolveArgs, ko: Ko, suicide: Suicide, solution: &Solution) -> serde_json::Value {
    let (ko, suicide) = names(ko, suicide);
    json!({
        "size": args.size.to_string(),
        "ko": ko,
        "suicide": suicide,
        "margin": solution.margin,
        "line": line(args, solution),
        "nodes": solution.nodes,
    })
}
