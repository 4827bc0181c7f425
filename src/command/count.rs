//! `jigo count`: exact numbers of positions, moves and games.

use std::ops::ControlFlow;

use clap::{ArgGroup, Args};
use jigo_engine::{
    BoardSize, RuleSet,
    count::{CountError, game_count, legal_positions, move_totals},
};
use serde_json::{Value, json};

use crate::{
    args,
    output::{group, print, print_json, quantity},
    progress,
};

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["legal", "moves", "games"]))]
pub(crate) struct CountArgs {
    /// Count the legal positions on a board of this size.
    #[arg(long, value_name = "SIZE")]
    legal: Option<BoardSize>,

    /// Count the moves in all legal positions, by kind.
    #[arg(long, value_name = "SIZE")]
    moves: Option<BoardSize>,

    /// Count the games on a tiny board under a superko rule.
    #[arg(long, value_name = "SIZE")]
    games: Option<BoardSize>,

    /// Rule set for --games: a name, or values joined with +.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSet>())]
    rules: RuleSet,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CountArgs) -> anyhow::Result<()> {
    let (text, value) = count(args)?;
    if args.json { print_json(&value) } else { print(&text) }
}

/// Runs a count. It has no result before its end.
fn counted<T>(
    work: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<T, CountError>,
) -> anyhow::Result<T> {
    progress::counted(work).map_err(|error| {
        progress::count_failure(error, "nothing was counted: there is no number before the end of a count")
    })
}

/// Counts, and returns the result as text and as JSON. Numbers above 2⁵³ are strings in JSON, because many readers round them.
fn count(args: &CountArgs) -> anyhow::Result<(String, Value)> {
    if let Some(size) = args.legal {
        let count = counted(|report| legal_positions(size, report))?;
        let value = json!({ "size": size.to_string(), "legal_positions": count.to_string() });
        return Ok((format!("{size}: {} legal positions\n", group(count)), value));
    }
    if let Some(size) = args.moves {
        let totals = counted(|report| move_totals(size, report))?;
        let text = format!(
            "{size}, all legal positions with each colour to move:\n\
             {:>16} moves that are not suicide, of which\n\
             {:>16} capture\n\
             {:>16} suicides of two or more stones\n\
             {:>16} suicides of a single stone\n",
            group(totals.no_suicides),
            group(totals.captures),
            group(totals.chain_suicides),
            group(totals.stone_suicides)
        );
        let value = json!({
            "size": size.to_string(),
            "no_suicides": totals.no_suicides,
            "captures": totals.captures,
            "chain_suicides": totals.chain_suicides,
            "stone_suicides": totals.stone_suicides,
        });
        return Ok((text, value));
    }
    let size = args.games.unwrap_or_else(|| unreachable!("one of the three options is required"));
    let count = counted(|report| game_count(size, *args.rules, report))?;
    let value =
        json!({ "size": size.to_string(), "rules": args.rules.canonical(), "games": count.to_string() });
    Ok((format!("{size}, {}: {}\n", args.rules, quantity(count, "game")), value))
}
