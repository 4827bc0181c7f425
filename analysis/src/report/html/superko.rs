//! How often positions would come back, or do.

use jigo_engine::Ko;

use super::{
    Figure, Group, View,
    parts::{DataTable, Distribution, quantity_tables, rate_cells},
};
use crate::{
    report::{
        chart::{Caption, Dot, Dots},
        format::{counted, grouped, in_per_cent, with_interval},
        quantities::Section,
        summary::Rate,
    },
    study::{Balance, EventCounts, SuperkoCounts},
};

/// The most rows of a chart; the table behind it has all.
const MAX_DOTS: usize = 20;

/// A kind of superko event.
struct Kind {
    /// Part of the names of its pictures.
    id: &'static str,
    /// One event and several.
    names: [&'static str; 2],
    of: fn(&SuperkoCounts) -> &EventCounts,
}

const REJECTED: Kind = Kind {
    id: "rejected",
    names: ["move rejected by superko", "moves rejected by superko"],
    of: |superko| &superko.rejected,
};
const REPEATED: Kind =
    Kind { id: "repeated", names: ["repetition", "repetitions"], of: |superko| &superko.repetitions };
const FORBIDDEN: Kind = Kind {
    id: "forbidden",
    names: ["candidate forbidden by superko", "candidates forbidden by superko"],
    of: |superko| &superko.forbidden_candidates,
};

/// Returns the kinds that games under these rules can have.
fn kinds(view: &View<'_>) -> Vec<Kind> {
    let ko = view.run.config.rules.ko;
    let mut kinds = Vec::new();
    if ko.is_superko() {
        kinds.push(REJECTED);
        if view.run.config.count_forbidden {
            kinds.push(FORBIDDEN);
        }
    }
    if ko != Ko::PositionalSuperko {
        kinds.push(REPEATED);
    }
    kinds
}

pub(super) fn group(view: &View<'_>) -> Group {
    let mut group = Group::new("Superko");
    group.text = sentence(view);
    group.tables = quantity_tables(view, Section::Superko);
    for kind in kinds(view) {
        let events = (kind.of)(&view.finished().superko);
        if events.events > 0 {
            group.figures.push(by_cycle(view, &kind, events));
            group.figures.push(by_balance(view, &kind, events));
            group.figures.push(by_ply(view, &kind, events));
        }
    }
    group
}

/// Writes the main rate in words.
fn sentence(view: &View<'_>) -> String {
    let Some(kind) = kinds(view).into_iter().next() else { return String::new() };
    let games = view.finished().games;
    let rate = Rate::new((kind.of)(&view.finished().superko).games, games);
    let (share, interval) = with_interval(100.0 * rate.share.unwrap_or(0.0), in_per_cent(rate.interval));
    format!(
        "Of {}, {} had at least one {}: {share} % ({interval} %, exact 95 % interval).",
        counted(games, "finished game"),
        grouped(rate.count),
        kind.names[0]
    )
}

/// A row of a chart of rates: label and games.
type Row = (String, u64);

fn dots(caption: Caption<'_>, row_label: &str, rows: &[Row], games: u64) -> String {
    let dot = |(label, count): &Row| {
        let rate = Rate::new(*count, games);
        Dot {
            label: label.clone(),
            estimate: 100.0 * rate.share.unwrap_or(0.0),
            interval: in_per_cent(rate.interval),
        }
    };
    let dots: Vec<Dot> = rows.iter().take(MAX_DOTS).map(dot).collect();
    Dots { caption, x_label: "% of games, with exact 95 % interval", row_label, dots: &dots }.draw()
}

/// Says what is only in the table.
fn and_the_rest(text: &str, rows: usize) -> String {
    match rows.saturating_sub(MAX_DOTS) {
        0 => text.to_owned(),
        more => format!("{text} {more} more are in the table."),
    }
}

fn by_cycle(view: &View<'_>, kind: &Kind, events: &EventCounts) -> Figure {
    let games = view.finished().games;
    let rows: Vec<Row> =
        events.by_cycle.iter().map(|(plies, cycle)| (plies.to_string(), cycle.games)).collect();
    let title = format!("Games with a {}, by length of the cycle", kind.names[0]);
    let text = and_the_rest(
        "A cycle is counted in plies from the earlier position to the move that recreates it. Each length has its own rate.",
        rows.len(),
    );
    let id = format!("{}-{}-cycles", view.id, kind.id);
    let svg = dots(Caption { id: &id, title: &title, description: &text }, "cycle, plies", &rows, games);
    Figure { title, text, svg, table: cycles(events, games) }
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
        let counts = [cycle.events(), cycle.balanced, cycle.unbalanced, cycle.with_pass, cycle.same_player]
            .map(grouped);
        let rate = rate_cells(Rate::new(cycle.games, games));
        table.push(std::iter::once(plies.to_string()).chain(rate).chain(counts));
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

fn by_balance(view: &View<'_>, kind: &Kind, events: &EventCounts) -> Figure {
    let games = view.finished().games;
    let mut balances: Vec<_> = events.by_balance.iter().collect();
    balances.sort_by_key(|(balance, counts)| (std::cmp::Reverse(counts.games), **balance));
    let rows: Vec<Row> =
        balances.iter().map(|(balance, counts)| (balance_name(**balance), counts.games)).collect();
    let title = format!("Games with a {}, by balance of the cycle", kind.names[0]);
    let text = and_the_rest(
        "Stones lost in the cycle. Balanced: both players lose equally many, as in a triple ko. Unbalanced: one sends more than the other \
         returns.",
        rows.len(),
    );
    let id = format!("{}-{}-balance", view.id, kind.id);
    let svg = dots(Caption { id: &id, title: &title, description: &text }, "stones lost", &rows, games);
    let mut table = DataTable::new(1, ["cycle", "games", "% of games", "95 % interval", "events"]);
    for (balance, counts) in balances {
        let name = std::iter::once(balance_name(*balance));
        let rate = rate_cells(Rate::new(counts.games, games));
        table.push(name.chain(rate).chain([grouped(counts.events)]));
    }
    Figure { title, text, svg, table }
}

fn by_ply(view: &View<'_>, kind: &Kind, events: &EventCounts) -> Figure {
    let distribution = Distribution {
        id: &format!("{}-{}-plies", view.id, kind.id),
        title: &format!("When: {} by ply", kind.names[1]),
        text: "Plies played before the event. A game may have several events.",
        values: &events.by_ply,
        x_label: "ply",
        counted: "events",
        unit: "plies",
        mark: None,
    };
    distribution.figure()
}
