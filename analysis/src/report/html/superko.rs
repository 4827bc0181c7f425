//! How often positions would come back, or do.

use jigo_engine::Ko;

use super::{Figure, Group, Titled, View, bins::Bins, parts::rate_cells};
use crate::{
    report::{
        chart::{Bars, Caption, Dot, Dots},
        data_table::DataTable,
        format::{DASH, counted, fixed, grouped, in_per_cent, with_interval},
        summary::{EventSummary, Rate},
    },
    study::{Balance, EventCounts, SuperkoCounts},
};

/// The most rows of a chart; the table behind it has all.
const MAX_DOTS: usize = 20;

/// One way in which repetition shows.
struct Kind {
    /// Part of the names of its figures.
    id: &'static str,
    /// For one event.
    name: &'static str,
    of: fn(&SuperkoCounts) -> &EventCounts,
}

const REFUSED: Kind = Kind { id: "refused", name: "refused draw", of: |superko| &superko.refused_draws };
const REPEATED: Kind = Kind { id: "repeated", name: "repetition", of: |superko| &superko.repetitions };
const FORBIDDEN: Kind =
    Kind { id: "forbidden", name: "forbidden candidate", of: |superko| &superko.forbidden_candidates };

/// What this cell's rules can show.
fn kinds(view: &View<'_>) -> Vec<Kind> {
    let ko = view.cell.config.rules.ko;
    let mut kinds = Vec::new();
    if ko.is_superko() {
        kinds.push(REFUSED);
        if view.cell.config.count_forbidden {
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
    group.tables = vec![overview(view)];
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

/// The main rate in words.
fn sentence(view: &View<'_>) -> String {
    let Some(kind) = kinds(view).into_iter().next() else { return String::new() };
    let games = view.finished().games;
    let rate = Rate::new((kind.of)(&view.finished().superko).games, games);
    let (share, interval) = with_interval(100.0 * rate.share.unwrap_or(0.0), in_per_cent(rate.interval));
    format!(
        "Of {}, {} had at least one {}: {share} % ({interval} %, exact 95 % interval).",
        counted(games, "finished game"),
        grouped(rate.count),
        kind.name
    )
}

pub(super) fn overview(view: &View<'_>) -> Titled {
    let headings = [
        "event",
        "cycle",
        "in games",
        "events",
        "events per game",
        "games with one",
        "% of games",
        "95 % interval",
    ];
    let mut table = DataTable::new(3, headings);
    for kind in kinds(view) {
        for games in view.kinds() {
            let measures = games.measures(view.cell);
            let counts = (kind.of)(&measures.superko);
            let numbers = EventSummary::new(counts, measures.games);
            let unbalanced = numbers.events - numbers.balanced_events;
            for (cycle, events, rate) in [
                ("any", numbers.events, numbers.games),
                ("balanced", numbers.balanced_events, numbers.balanced_games),
                ("unbalanced", unbalanced, numbers.unbalanced_games),
            ] {
                let words = [kind.name, cycle, games.name()].map(str::to_owned);
                let per_game = per_game(events, measures.games);
                table.push(words.into_iter().chain([grouped(events), per_game]).chain(rate_cells(rate)));
            }
        }
    }
    Titled::new("Events and the games that have them", table)
}

fn per_game(events: u64, games: u64) -> String {
    if games == 0 { DASH.to_owned() } else { fixed(events as f64 / games as f64, 6) }
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
    let title = format!("Games with a {}, by length of the cycle", kind.name);
    let text = and_the_rest(
        "A cycle is counted in plies from the earlier position to the move that recreates it. Each length has its own rate.",
        rows.len(),
    );
    let id = format!("{}-{}-cycles", view.id, kind.id);
    let svg = dots(Caption { id: &id, title: &title, description: &text }, "cycle, plies", &rows, games);
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
    Figure { title, text, svg, table }
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
    let title = format!("Games with a {}, by balance of the cycle", kind.name);
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
    let bins = Bins::of(&events.by_ply);
    let title = format!("When: {}s by ply", kind.name);
    let text = "Plies played before the event. A game may have several events.".to_owned();
    let chart = Bars {
        caption: Caption { id: &format!("{}-{}-plies", view.id, kind.id), title: &title, description: &text },
        x_label: "ply",
        y_label: &bins.share_label("events", "plies"),
        bars: &bins.bars(None),
        parts: None,
        mark: None,
    };
    Figure { svg: chart.draw(), table: bins.table("ply", "events"), title, text }
}
