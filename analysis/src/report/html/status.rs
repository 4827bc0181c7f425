//! Life and death in final positions.

use jigo_engine::life::Status;

use super::{
    Figure, Group,
    parts::{DataTable, distribution, per_cent, quantity_tables, rate_cells},
};
use crate::{
    Histogram,
    report::{
        board::Gallery,
        format::{cells, group, quantity},
        quantities::Section,
        summary::{Rate, RunSummary, StatusTables},
    },
    study::StatusCounts,
};

const MAX_DRAWN: usize = 12;

/// What was counted of games with a name, and the same as tables.
type Shown<'a> = [(&'a str, &'a StatusCounts, &'a StatusTables)];

pub(super) fn for_run(id: &str, run: &RunSummary<'_>) -> Group {
    let games = run.parts_with_games().map(|(kind, figures)| (kind, &figures.counts.status, &figures.status));
    let mut group = group_of(&games.collect::<Vec<_>>(), id);
    group.tables.extend(quantity_tables(run, Section::Life));
    group
}

/// Shows the statuses of games with these names.
pub(super) fn group_of(shown: &Shown<'_>, id: &str) -> Group {
    let mut group = Group::new("Life and death");
    group.text = coverage_text(shown);
    for (index, &(name, counts, tables)) in shown.iter().enumerate() {
        let (id, solved) = (format!("{id}-life{index}"), solved_text(tables));
        group.figures.extend(sizes(&id, name, Status::Dead, &counts.dead_sizes, &solved));
        group.figures.extend(sizes(&id, name, Status::Seki, &counts.seki_sizes, &solved));
        group.figures.extend(shapes(&id, name, tables, &solved));
    }
    group.tables = vec![chains(shown)];
    if shown.iter().any(|(_, counts, _)| counts.sekis.iter().any(|&sekis| sekis > 0)) {
        group.tables.push(sekis(shown));
    }
    group
}

fn coverage_text(shown: &Shown<'_>) -> String {
    let mut text = String::from(
        "Every chain of the final positions has a status and a proof, or counts as unknown; nothing is guessed. Positions with unknown chains \
         may have more of every status: shares of seki, ko and dead \
         are lower bounds by as much.",
    );
    for (name, _, StatusTables { both, .. }) in shown {
        text += &format!(
            " Solved in {name} games: {} % of {} with {} % of {}.",
            per_cent(both.solved_chain_share),
            quantity(both.chains, "chain"),
            per_cent(both.solved_stone_share),
            quantity(both.stones, "stone"),
        );
    }
    text
}

/// Says beside a figure how many of the chains are solved.
fn solved_text(tables: &StatusTables) -> String {
    format!("{} % of the chains are solved.", per_cent(tables.both.solved_chain_share))
}

/// Shows how many final positions have a chain of each status.
pub(super) fn positions(counts: &StatusCounts, tables: &StatusTables) -> DataTable {
    let mut table = DataTable::new(1, ["final positions", "positions", "% of positions", "95 % interval"]);
    let with =
        Status::ALL.map(|status| (format!("with a chain that is {status}"), counts.positions_with(status)));
    let solved = [
        ("with every chain solved".to_owned(), counts.decided_positions),
        ("solved by unconditional life alone".to_owned(), counts.benson_positions),
    ];
    for (what, count) in with.into_iter().chain(solved) {
        table.push(std::iter::once(what).chain(rate_cells(Rate::new(count, counts.positions))));
    }
    table.titled("Final positions by what they hold", solved_text(tables))
}

fn chains(shown: &Shown<'_>) -> DataTable {
    let headings = ["games", "side", "status", "proof", "chains", "% of chains", "stones", "% of stones"];
    let mut table = DataTable::new(4, headings);
    for (name, _, tables) in shown {
        for (side, shares) in [("Black", &tables.black), ("White", &tables.white), ("both", &tables.both)] {
            for row in shares.rows.iter().filter(|row| row.chains > 0) {
                let chains = cells![group(row.chains), per_cent(row.chain_share)];
                let stones = cells![group(row.stones), per_cent(row.stone_share)];
                table.push([cells![name, side, row.status, row.proof], chains, stones].concat());
            }
        }
    }
    let note = "Statuses that occurred. Proofs: benson, unconditional life or the opponent’s unconditional territory; static, theorems about \
                eyes and links, without reading ahead; search, all lines of play in a part of the board that depends on nothing else, or on open \
                boards those that matter to the chain.";
    table.titled("Chains and stones by status and proof", note)
}

fn sekis(shown: &Shown<'_>) -> DataTable {
    let mut table = DataTable::new(2, ["games", "kind of seki", "sekis", "% of sekis"]);
    for (name, counts, tables) in shown {
        let all: u64 = counts.sekis.iter().sum();
        for seki in &tables.sekis {
            let share = (all > 0).then(|| seki.sekis as f64 / all as f64);
            table.push(cells![name, seki.kind, group(seki.sekis), per_cent(share)]);
        }
    }
    table.titled("Kinds of seki", "")
}

/// Draws how large chains of a status are, where there are any.
fn sizes(id: &str, name: &str, status: Status, sizes: &Histogram, solved: &str) -> Option<Figure> {
    let counted = if status == Status::Seki { "chains in seki" } else { "dead chains" };
    let id = format!("{id}-{status}");
    let title = format!("Stones of {counted}, {name} games");
    let text = format!("How many stones {counted} have. {solved}");
    let words = ["stones of the chain", counted, "stones"];
    (!sizes.is_empty()).then(|| distribution([&id, &title, &text], sizes, words, None))
}

fn shapes(id: &str, name: &str, tables: &StatusTables, solved: &str) -> Option<Figure> {
    let drawn = tables.shapes.iter().take(MAX_DRAWN).filter_map(|found| {
        Some((found.shape.parse().ok()?, format!("{} × {}", group(found.parts), found.kind)))
    });
    let gallery = Gallery { exhibits: drawn.collect() };
    let text = format!(
        "Parts of the board that unconditional life does not decide, turned and coloured alike; pale stones beside them are unconditionally \
         alive. Under each: how many there were, and the kind of seki, or dead. {} too large to be kept by shape. {solved}",
        match tables.larger_parts {
            1 => "1 part was".to_owned(),
            parts => format!("{} parts were", group(parts)),
        }
    );
    let mut table = DataTable::new(3, ["shape", "holds", "first in", "game", "parts"]);
    for found in &tables.shapes {
        let parts = group(found.parts);
        table.push(cells![found.shape, found.kind, found.first_source, found.first_index, parts]);
    }
    let title = format!("Seki and dead chains, the most frequent shapes, {name} games");
    let figure = || Figure::new(&format!("{id}-shapes"), title, text, &gallery, table);
    (!gallery.exhibits.is_empty()).then(figure)
}
