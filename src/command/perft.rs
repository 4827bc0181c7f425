//! `jigo perft`: counts the nodes of the game tree to a depth.

use std::{fmt::Write as _, path::PathBuf, time::Instant};

use anyhow::Context as _;
use clap::Args;
use jigo_engine::{
    BoardSize, Color, Game, RuleSet,
    count::{PlyCount, perft},
};
use serde_json::{Value, json};

use crate::{
    args,
    input::{self, Input},
    output::{fixed, group, print, print_json, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Plies to look ahead.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,

    /// Board size: 9 or 9x13.
    #[arg(short, long, default_value = "9", conflicts_with = "diagram", value_parser = args::suggesting::<BoardSize>())]
    size: BoardSize,

    /// File with a diagram of the starting position, `-` for standard input: X, O and . in rows.
    #[arg(long, value_name = "FILE")]
    diagram: Option<PathBuf>,

    /// Rule set: a name, or values joined with +.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSet>())]
    rules: RuleSet,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let (size, stones) = match &args.diagram {
        Some(path) => {
            let Input { name, bytes } = Input::read(path)?;
            let text = String::from_utf8_lossy(&bytes);
            let position = input::diagram(&text).with_context(|| format!("{name} shows no position"))?;
            let stones = position.colored_stones().collect();
            (position.size(), stones)
        }
        None => (args.size, Vec::new()),
    };
    let start = Instant::now();
    let mut game: Game = Game::new(size, *args.rules);
    game.set_position(stones, Color::Black)?;
    // Depth by depth, so that those that are complete can be printed after Ctrl-C. The last one takes nearly all the time.
    let (mut counts, mut plies) = (Vec::new(), 0);
    let result = progress::counted(|report| {
        for depth in 1..=args.depth as usize {
            counts = perft(&game, depth, report)?;
            plies += counts.iter().map(|count| count.plies).sum::<u64>();
        }
        Ok(())
    });
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let depths: Vec<_> = (1..).zip(&counts).map(depth_json).collect();
        let (size, rules) = (size.to_string(), args.rules.canonical());
        print_json(&json!({ "size": size, "rules": rules, "depths": depths }))?;
    } else {
        print(&table(&counts))?;
    }
    let complete = match counts.len() {
        0 => "no depth is complete".to_owned(),
        depth => format!("the count is complete to depth {depth}"),
    };
    result.map_err(|error| progress::count_failure(error, complete))?;
    if !args.json {
        let speed = plies as f64 / seconds / 1e6;
        let (seconds, speed) = (fixed(seconds, 2), fixed(speed, 1));
        tell(&format!("{size}, {}: {seconds} s, {speed} million plies per second", args.rules));
    }
    Ok(())
}

fn table(counts: &[PlyCount]) -> String {
    let mut text = String::from(
        "depth             plies      passes    captures  stones taken    suicides       ended  superko rejected\n",
    );
    for (depth, count) in (1..).zip(counts) {
        let columns =
            [count.plies, count.passes, count.captures, count.captured_stones, count.suicides, count.ended];
        let [plies, passes, captures, taken, suicides, ended] = columns.map(group);
        let rejected = group(count.superko_refused);
        let _ = writeln!(
            text,
            "{depth:>5} {plies:>17} {passes:>11} {captures:>11} {taken:>13} {suicides:>11} {ended:>11} {rejected:>17}"
        );
    }
    text
}

fn depth_json((depth, count): (u32, &PlyCount)) -> Value {
    json!({
        "depth": depth,
        "plies": count.plies,
        "passes": count.passes,
        "captures": count.captures,
        "captured_stones": count.captured_stones,
        "suicides": count.suicides,
        "given_up_stones": count.given_up_stones,
        "ended": count.ended,
        "superko_refused": count.superko_refused,
    })
}
