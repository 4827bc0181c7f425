//! `jigo count`: exact numbers.

use jigo_engine::count::{game_count, legal_positions, move_totals};
use serde_json::{Value, json};

use crate::{
    args::CountArgs,
    output::{group, print, quantity},
    progress,
};

pub(crate) fn run(args: &CountArgs) -> anyhow::Result<()> {
    let (text, value) = counted(args)?;
    print(&if args.json { format!("{value:#}\n") } else { text })
}

/// The number asked for, for people and for machines. Numbers above 2⁵³ are text in JSON, since many readers round them.
fn counted(args: &CountArgs) -> anyhow::Result<(String, Value)> {
    if let Some(size) = args.legal {
        let count = progress::counted(|report| legal_positions(size, report))?;
        let value = json!({ "size": size.to_string(), "legal_positions": count.to_string() });
        return Ok((format!("{size}: {} legal positions\n", group(count)), value));
    }
    if let Some(size) = args.moves {
        let totals = progress::counted(|report| move_totals(size, report))?;
        let text = format!(
            "{size}, all legal positions, both colours to move:\n\
             {:>16} moves that are no suicide, of these\n\
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
    let count = progress::counted(|report| game_count(size, args.rules, report))?;
    let value =
        json!({ "size": size.to_string(), "rules": args.rules.canonical(), "games": count.to_string() });
    Ok((format!("{size}, {}: {}\n", args.rules, quantity(count, "game")), value))
}
