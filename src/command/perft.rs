//! `jigo perft`: the game tree to a depth.

use std::{fmt::Write as _, path::Path, time::Instant};

use anyhow::Context as _;
use jigo_engine::{
    Board, BoardSize, Color, Game, Point, Rules,
    count::{PlyCount, perft},
    for_width,
};
use jigo_selfplay::files::{MAX_TEXT_BYTES, read_bounded, read_file};
use serde_json::json;

use crate::{
    args::PerftArgs,
    output::{group, print, tell},
    progress,
};

pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let (size, stones) = match &args.diagram {
        Some(path) => position(path)?,
        None => (args.size, Vec::new()),
    };
    let start = Instant::now();
    let counts = for_width!(size, W => count::<W>(size, args.rules, stones, args.depth))?;
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        return print(&as_json(&counts, size, args.rules));
    }
    print(&as_table(&counts))?;
    let plies: u64 = counts.iter().map(|count| count.plies).sum();
    tell(&format!(
        "{size}, {}: {seconds:.2} s, {:.1} million plies per second",
        args.rules,
        plies as f64 / seconds / 1e6
    ));
    Ok(())
}

fn count<const W: usize>(
    size: BoardSize,
    rules: Rules,
    stones: Vec<(Point, Color)>,
    depth: u32,
) -> anyhow::Result<Vec<PlyCount>> {
    let mut game = Game::<W>::new(size, rules);
    game.set_position(stones, Color::Black)?;
    progress::counted(|report| perft(&mut game, depth as usize, report))
}

/// The position that a file shows.
fn position(path: &Path) -> anyhow::Result<(BoardSize, Vec<(Point, Color)>)> {
    let bytes = if path == Path::new("-") {
        read_bounded(std::io::stdin().lock(), MAX_TEXT_BYTES).context("cannot read standard input")?
    } else {
        read_file(path, MAX_TEXT_BYTES).with_context(|| format!("cannot read {}", path.display()))?
    };
    let text = String::from_utf8(bytes).with_context(|| format!("{} shows no position", path.display()))?;
    let board: Board = Board::from_diagram(&text, jigo_engine::Suicide::Forbidden)
        .with_context(|| format!("{} shows no position", path.display()))?;
    let stones = Color::BOTH
        .into_iter()
        .flat_map(|color| board.stones(color).map(move |point| (point, color)))
        .collect();
    Ok((board.size(), stones))
}

fn as_table(counts: &[PlyCount]) -> String {
    let mut text = String::from(
        "depth             plies      passes    captures  stones taken    suicides       ended  superko refused\n",
    );
    for (depth, count) in (1..).zip(counts) {
        let columns =
            [count.plies, count.passes, count.captures, count.captured_stones, count.suicides, count.ended];
        let [plies, passes, captures, taken, suicides, ended] = columns.map(group);
        let refused = group(count.superko_refused);
        let _ = writeln!(
            text,
            "{depth:>5} {plies:>17} {passes:>11} {captures:>11} {taken:>13} {suicides:>11} {ended:>11} {refused:>16}"
        );
    }
    text
}

fn as_json(counts: &[PlyCount], size: BoardSize, rules: Rules) -> String {
    let depths: Vec<_> = (1..)
        .zip(counts)
        .map(|(depth, count): (u32, _)| {
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
        })
        .collect();
    format!("{:#}\n", json!({ "size": size.to_string(), "rules": rules.canonical(), "depths": depths }))
}
