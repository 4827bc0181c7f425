//! How often positions would come back, or do.

use super::{
    Figure, Group,
    parts::{DataTable, distribution, quantity_tables, rate_cells},
};
use crate::{
    report::{
        chart::{Dot, Dots},
        format::{cells, group, quantity},
        quantities::{FORBIDDEN, REPETITIONS, SUPERKO_REJECTED, Section},
        summary::{Rate, RunSummary},
    },
    stats::Estimate,
    study::{Balance, EventCounts, SuperkoCounts},
};

/// The most rows of a chart; the table behind it has all.
const MAX_DOTS: usize = 20;

struct Kind {
    /// Begins the names of its quantities, and is part of the names of its pictures.
    name: &'static str,
    id: &'static str,
    /// One event and several.
    names: [&'static str; 2],
    of: fn(&SuperkoCounts) -> &EventCounts,
}

const KINDS: [Kind; 3] = [
    Kind {
        name: SUPERKO_REJECTED,
        id: "rejected",
        names: ["move rejected by superko", "moves rejected by superko"],
        of: |superko| &superko.rejected,
    },
    Kind {
        name: FORBIDDEN,
        id: "forbidden",
        names: ["candidate forbidden by superko", "candidates forbidden by superko"],
        of: |superko| &superko.forbidden_candidates,
    },
    Kind {
        name: REPETITIONS,
        id: "repeated",
        names: ["repetition", "repetitions"],
        of: |superko| &superko.repetitions,
    },
];

pub(super) fn for_run(id: &str, run: &RunSummary<'_>) -> Group {
    let mut group = Group::new("Superko");
    let finished = &run.finished;
    let games = finished.counts.games;
    // The kinds that games of this run can have, and how many games have one.
    let kinds = KINDS.iter().filter_map(|kind| Some((kind, finished.rate(&format!("{}_games", kind.name))?)));
    if let Some((kind, rate)) = kinds.clone().next() {
        let [count, share, interval] = rate_cells(rate);
        group.text = format!(
            "Of {}, {count} had at least one {}: {share} % ({interval} %, exact 95 % interval).",
            quantity(games, "finished game"),
            kind.names[0]
        );
    }
    group.tables = quantity_tables(run, Section::Superko);
    for (kind, _) in kinds {
        let events = (kind.of)(&finished.counts.superko);
        if events.events > 0 {
            let id = format!("{id}-{}", kind.id);
            group.figures.push(by_cycle(&id, kind.names[0], events, games));
            group.figures.push(by_balance(&id, kind.names[0], events, games));
            group.figures.push(by_ply(&id, kind.names[1], events));
        }
    }
    group
}

/// Draws in how many of the games something happened; each row has a label and games.
fn rates_figure(
    [id, title, text, row_label]: [&str; 4],
    rows: impl ExactSizeIterator<Item = (String, u64)>,
    games: u64,
    table: DataTable,
) -> Figure {
    let text = match rows.len().saturating_sub(MAX_DOTS) {
        0 => text.to_owned(),
        more => format!("{text} {more} more are in the table."),
    };
    let dot = |(label, count)| Some((label, Rate::new(count, games).estimate().map(Estimate::in_per_cent)?));
    let dots: Vec<Dot> = rows.take(MAX_DOTS).filter_map(dot).collect();
    let chart = Dots { x_label: "% of games, with exact 95 % interval", row_label, dots: &dots };
    Figure::new(id, title, text, &chart, table)
}

fn by_cycle(id: &str, name: &str, events: &EventCounts, games: u64) -> Figure {
    let words: [&str; 4] = [
        &format!("{id}-cycles"),
        &format!("Games with a {name}, by length of the cycle"),
        "A cycle is counted in plies from the earlier position to the move that recreates it. Each length has its own rate.",
        "cycle, plies",
    ];
    let rows = events.by_cycle.iter().map(|(plies, cycle)| (plies.to_string(), cycle.games));
    rates_figure(words, rows, games, cycles(events, games))
}

/// Shows the events of so many games by the length of their cycles.
pub(super) fn cycles(events: &EventCounts, games: u64) -> DataTable {
    let headings = [
        "cycle, plies",
        "games",
        "% of games",
        "95 % interval",
        "events",
        "balanced",
        "unbalanced",
        "with a pass",
        "same player to move",
    ];
    let mut table = DataTable::new(0, headings);
    for (plies, cycle) in &events.by_cycle {
        let counts =
            [cycle.events(), cycle.balanced, cycle.unbalanced, cycle.with_pass, cycle.same_player].map(group);
        let rate = rate_cells(Rate::new(cycle.games, games));
        table.push(cells![plies].into_iter().chain(rate).chain(counts));
    }
    table
}

fn balance_name(balance: Balance) -> String {
    let most = |stones| if stones == Balance::MAX { "+" } else { "" };
    let Balance { more, fewer } = balance;
    if more == fewer {
        format!("balanced, {more}{} each", most(more))
    } else {
        format!("send {more}{} return {fewer}{}", most(more), most(fewer))
    }
}

fn by_balance(id: &str, name: &str, events: &EventCounts, games: u64) -> Figure {
    let mut balances: Vec<_> = events.by_balance.iter().collect();
    balances.sort_by_key(|(balance, counts)| (std::cmp::Reverse(counts.games), **balance));
    let mut table = DataTable::new(1, ["cycle", "games", "% of games", "95 % interval", "events"]);
    for (balance, counts) in &balances {
        let rate = rate_cells(Rate::new(counts.games, games));
        table.push(cells![balance_name(**balance)].into_iter().chain(rate).chain([group(counts.events)]));
    }
    let words: [&str; 4] = [
        &format!("{id}-balance"),
        &format!("Games with a {name}, by balance of the cycle"),
        "Stones lost in the cycle. Balanced: both players lose equally many, as in a triple ko. Unbalanced: one sends more than the other \
         returns.",
        "stones lost",
    ];
    let rows = balances.into_iter().map(|(balance, counts)| (balance_name(*balance), counts.games));
    rates_figure(words, rows, games, table)
}

fn by_ply(id: &str, names: &str, events: &EventCounts) -> Figure {
    let (id, title) = (format!("{id}-plies"), format!("When: {names} by ply"));
    let text = "Plies played before the event. A game may have several events.";
    distribution([&id, &title, text], &events.by_ply, ["ply", "events", "plies"], None)
}
