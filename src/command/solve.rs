//! `jigo solve`: exact results of tiny boards.

use clap::Args;
use jigo_engine::{
    Board, BoardSize,
    count::{CountError, Solution, solve},
    rules::Supply,
};
use serde_json::json;

use crate::{
    args::{self, RuleSets, unique},
    output::{print, print_json},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// Board size: 2 or 2x3.
    #[arg(value_name = "SIZE")]
    size: BoardSize,

    /// Rule sets: names, or values joined with +, in a list, or `lattice` for every combination of values.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSets>())]
    rules: Vec<RuleSets>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let rule_sets = RuleSets::expand(&args.rules);
    if rule_sets.iter().any(|rules| rules.supply == Supply::Finite) {
        return Err(CountError::FiniteStones.into());
    }
    // Area is counted and there is no handicap, so only ko and suicide make a difference.
    let choices = rule_sets.into_iter().map(|rules| (rules.ko, rules.suicide));
    let mut values = Vec::new();
    for (ko, suicide) in unique(choices) {
        let board: Board = Board::new(args.size, suicide);
        let name = format!("{} area+{ko}+{suicide}", args.size);
        let mut value = json!({ "size": args.size.to_string(), "ko": ko.name(), "suicide": suicide.name() });
        let result = progress::counted(|report| solve(&board, ko, report));
        let text = match &result {
            Ok(Solution { margin, line, nodes }) => {
                let line: Vec<String> = line.iter().map(|mv| mv.to_gtp(args.size)).collect();
                let text = format!("{name}: Black {margin:+} ({nodes} nodes)\n    {}\n", line.join(" "));
                (value["margin"], value["line"], value["nodes"]) =
                    ((*margin).into(), line.into(), (*nodes).into());
                text
            }
            Err(CountError::StoppedBetween { least, most }) => {
                (value["least_margin"], value["most_margin"]) = ((*least).into(), (*most).into());
                format!("{name}: Black from {least:+} to {most:+}, not solved\n")
            }
            Err(_) => String::new(),
        };
        values.extend(args.json.then_some(value).filter(|_| !text.is_empty()));
        if !args.json {
            print(&text)?;
        } else if result.is_err() {
            print_json(&std::mem::take(&mut values).into())?;
        }
        result.map_err(|error| progress::count_failure(error, format!("{name} is not solved")))?;
    }
    if args.json { print_json(&values.into()) } else { Ok(()) }
}
