//! `jigo perft`: counts the nodes of the game tree to a depth.

use std::{path::PathBuf, time::Instant};

use anyhow::Context as _;
use clap::Args;
use jigo_engine::{
    BoardSize, Color, Game, Move, RuleSet,
    count::{PlyCount, perft},
};
use serde_json::{Map, Value, json};

use crate::{
    args,
    input::{self, Input},
    output::{fixed, group, print, print_json, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Plies to look ahead.
    #[arg(value_name = "DEPTH", value_parser = args::within(1_u32..=64))]
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

    /// Print how many plies there are at DEPTH after each first move, and their total, in place of the table.
    #[arg(long)]
    divide: bool,

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
    let mut counted = Counted::default();
    let result = if args.divide { counted.divide(&game, args) } else { counted.depths(&game, args) };
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let depths: Vec<_> = (1..).zip(&counted.depths).map(depth_json).collect();
        let (size, rules) = (size.to_string(), args.rules.canonical());
        let mut value = json!({ "size": size, "rules": rules, "depths": depths });
        if args.divide {
            value["divide"] = counted.divide.into();
        }
        print_json(&value)?;
    }
    result?;
    if !args.json {
        let speed = counted.plies as f64 / seconds / 1e6;
        let (seconds, speed) = (fixed(seconds, 2), fixed(speed, 1));
        tell(&format!("{size}, {}: {seconds} s, {speed} million plies per second", args.rules));
    }
    Ok(())
}

/// What has been counted so far, also when Ctrl-C ends the count.
#[derive(Default)]
struct Counted {
    /// The depths that are complete.
    depths: Vec<PlyCount>,
    /// The plies at the last depth after each first move.
    divide: Map<String, Value>,
    /// All plies that were counted.
    plies: u64,
}

impl Counted {
    /// Counts depth by depth and prints each as soon as it is complete. The last one takes nearly all the time.
    fn depths(&mut self, game: &Game, args: &PerftArgs) -> anyhow::Result<()> {
        if !args.json {
            print(HEADING)?;
        }
        for depth in 1..=args.depth as usize {
            let complete = match depth {
                1 => "no depth is complete".to_owned(),
                _ => format!("the count is complete to depth {}", depth - 1),
            };
            self.depths = self.count(game, depth, complete)?;
            if !args.json {
                print(&row(depth, &self.depths[depth - 1]))?;
            }
        }
        Ok(())
    }

    /// Counts the plies at the last depth after each first move, and prints each number as soon as it is known.
    fn divide(&mut self, game: &Game, args: &PerftArgs) -> anyhow::Result<()> {
        let size = game.board().size();
        let moves = size.points().map(Move::Play).chain([Move::Pass]).filter(|&mv| game.check(mv).is_ok());
        let moves: Vec<Move> = moves.collect();
        let mut depths = self.count(game, 1, "no first move is counted".to_owned())?;
        depths.resize(args.depth as usize, PlyCount::default());
        for (done, &mv) in moves.iter().enumerate() {
            let mut after = game.clone();
            after.play(mv)?;
            let complete = format!("{done} of {} first moves are counted", moves.len());
            let counts = self.count(&after, depths.len() - 1, complete)?;
            depths[1..].iter_mut().zip(&counts).for_each(|(sum, count)| *sum += *count);
            let (name, leaves) = (mv.to_gtp(size), counts.last().map_or(1, |last| last.plies));
            if !args.json {
                print(&format!("{name}: {leaves}\n"))?;
            }
            self.divide.insert(name, leaves.into());
        }
        self.depths = depths;
        if !args.json {
            let total = self.depths.last().map_or(1, |last| last.plies);
            print(&format!("total: {total}\n"))?;
        }
        Ok(())
    }

    /// Counts to a depth. After Ctrl-C the error says what is complete.
    fn count(&mut self, game: &Game, depth: usize, complete: String) -> anyhow::Result<Vec<PlyCount>> {
        let counts = progress::counted(|report| perft(game, depth, report));
        let counts = counts.map_err(|error| progress::count_failure(error, complete))?;
        self.plies += counts.iter().map(|count| count.plies).sum::<u64>();
        Ok(counts)
    }
}

const HEADING: &str = "depth             plies      passes    captures  stones taken    suicides       ended  superko rejected\n";

/// Returns the row of a depth under the [`HEADING`].
fn row(depth: usize, count: &PlyCount) -> String {
    let columns =
        [count.plies, count.passes, count.captures, count.captured_stones, count.suicides, count.ended];
    let [plies, passes, captures, taken, suicides, ended] = columns.map(group);
    let rejected = group(count.superko_refused);
    format!(
        "{depth:>5} {plies:>17} {passes:>11} {captures:>11} {taken:>13} {suicides:>11} {ended:>11} {rejected:>17}\n"
    )
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
