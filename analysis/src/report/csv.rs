//! Tidy CSV files: one observation in each row, one variable in each column, the setting in the first columns.

use csv::Writer;
use jigo_engine::{BoardSize, Color, Point};

use super::{
    changes::ComparisonSummary,
    summary::{CellSummary, GameKind, Rate},
};
use crate::{Cell, EventCounts, Setting, Study, SuperkoCounts, fair_komi};

mod rules;
mod status;
mod summary;

/// The columns that tell cells apart.
const SETTING: [&str; 5] = ["size", "rules", "policy", "ply_cap", "census"];

/// A CSV file in memory.
struct Sheet(Writer<Vec<u8>>);

impl Sheet {
    fn new(columns: &[&str]) -> Self {
        let mut sheet = Self(Writer::from_writer(Vec::new()));
        sheet.row(SETTING.iter().chain(columns).map(|&column| column.to_owned()));
        sheet
    }

    fn row(&mut self, fields: impl IntoIterator<Item = String>) {
        self.0.write_record(fields).expect("rows in memory are as long as their header");
    }

    fn cell_row(&mut self, setting: &Setting, fields: impl IntoIterator<Item = String>) {
        self.row(setting_fields(setting).into_iter().chain(fields));
    }

    fn bytes(self) -> Vec<u8> {
        self.0.into_inner().expect("writing to memory does not fail")
    }
}

fn setting_fields(setting: &Setting) -> [String; 5] {
    let census = if setting.counts_candidates { "candidates" } else { "draws" };
    [
        setting.size.to_string(),
        setting.rules.to_string(),
        setting.policy.to_string(),
        setting.ply_cap.to_string(),
        census.to_owned(),
    ]
}

/// All files with their names.
pub(super) fn files(
    study: &Study,
    summaries: &[CellSummary],
    comparisons: &[ComparisonSummary],
) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("summary.csv", summary::sheet(summaries)),
        ("rules.csv", rules::sheet(comparisons)),
        ("margins.csv", margins(study)),
        ("lengths.csv", lengths(study)),
        ("counts.csv", counts(study)),
        ("superko_cycles.csv", superko_cycles(study)),
        ("superko_balance.csv", superko_balance(study)),
        ("superko_plies.csv", superko_plies(study)),
        ("status.csv", status::chains(study)),
        ("status_games.csv", status::games(study)),
        ("status_sizes.csv", status::sizes(study)),
        ("status_sekis.csv", status::sekis(study)),
        ("status_margins.csv", status::margins(study)),
        ("status_shapes.csv", status::shapes(study)),
        ("first_moves.csv", first_moves(study)),
        ("ownership.csv", ownership(study)),
    ]
}

/// Every cell's finished games, then its capped games.
fn parts(study: &Study) -> impl Iterator<Item = (&Cell, GameKind)> {
    study.cells.iter().flat_map(|cell| GameKind::BOTH.map(|kind| (cell, kind)))
}

fn margins(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "margin", "games"]);
    for (cell, kind) in parts(study) {
        for (margin, games) in kind.measures(cell).margins.histogram() {
            sheet.cell_row(&cell.setting, [kind.name().to_owned(), margin.to_string(), games.to_string()]);
        }
    }
    sheet.bytes()
}

fn lengths(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "plies", "games"]);
    for (cell, kind) in parts(study) {
        for (plies, games) in &kind.measures(cell).plies {
            sheet.cell_row(&cell.setting, [kind.name().to_owned(), plies.to_string(), games.to_string()]);
        }
    }
    sheet.bytes()
}

/// Distributions per game for which no other file is meant.
fn counts(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "quantity", "value", "games"]);
    for (cell, kind) in parts(study) {
        let measures = kind.measures(cell);
        for (quantity, histogram) in [
            ("passes", &measures.passes),
            ("neutral_points", &measures.neutral),
            ("black_stones_removed", &measures.captures.black),
            ("white_stones_removed", &measures.captures.white),
            ("unknown_stones", &measures.status.unknown_stones),
        ] {
            for (value, games) in histogram {
                let names = [kind.name().to_owned(), quantity.to_owned()];
                let numbers = [value.to_string(), games.to_string()];
                sheet.cell_row(&cell.setting, names.into_iter().chain(numbers));
            }
        }
    }
    sheet.bytes()
}

/// The kinds of superko events that a cell counts, by name.
fn event_kinds<'a>(setting: &Setting, superko: &'a SuperkoCounts) -> Vec<(&'static str, &'a EventCounts)> {
    let mut kinds = vec![("refused_draws", &superko.refused_draws), ("repetitions", &superko.repetitions)];
    if setting.counts_candidates {
        kinds.push(("forbidden_candidates", &superko.forbidden_candidates));
    }
    kinds
}

/// The columns of [`rate_fields`].
const RATE: [&str; 4] = ["games", "share_of_games", "lower_95", "upper_95"];

fn rate_fields(rate: Rate) -> [String; 4] {
    let share = rate.share.map_or(String::new(), |share| share.to_string());
    [rate.count.to_string(), share, rate.interval.lower.to_string(), rate.interval.upper.to_string()]
}

fn superko_cycles(study: &Study) -> Vec<u8> {
    let columns = ["kind", "event", "cycle_plies", "balanced", "unbalanced", "with_pass", "same_player"];
    let mut sheet = Sheet::new(&[&columns[..], &RATE].concat());
    for (cell, kind) in parts(study) {
        let measures = kind.measures(cell);
        for (event, counts) in event_kinds(&cell.setting, &measures.superko) {
            for (cycle_plies, cycle) in &counts.by_cycle {
                let numbers = [
                    cycle_plies.to_string(),
                    cycle.balanced.to_string(),
                    cycle.unbalanced.to_string(),
                    cycle.with_pass.to_string(),
                    cycle.same_player.to_string(),
                ];
                let names = [kind.name().to_owned(), event.to_owned()];
                let rate = rate_fields(Rate::new(cycle.games, measures.games));
                sheet.cell_row(&cell.setting, names.into_iter().chain(numbers).chain(rate));
            }
        }
    }
    sheet.bytes()
}

fn superko_balance(study: &Study) -> Vec<u8> {
    let columns = ["kind", "event", "removed_more", "removed_fewer", "events"];
    let mut sheet = Sheet::new(&[&columns[..], &RATE].concat());
    for (cell, kind) in parts(study) {
        let measures = kind.measures(cell);
        for (event, counts) in event_kinds(&cell.setting, &measures.superko) {
            for (balance, counts) in &counts.by_balance {
                let numbers =
                    [balance.more.to_string(), balance.fewer.to_string(), counts.events.to_string()];
                let names = [kind.name().to_owned(), event.to_owned()];
                let rate = rate_fields(Rate::new(counts.games, measures.games));
                sheet.cell_row(&cell.setting, names.into_iter().chain(numbers).chain(rate));
            }
        }
    }
    sheet.bytes()
}

fn superko_plies(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "event", "ply", "events"]);
    for (cell, kind) in parts(study) {
        for (event, counts) in event_kinds(&cell.setting, &kind.measures(cell).superko) {
            for (ply, events) in &counts.by_ply {
                let names = [kind.name().to_owned(), event.to_owned()];
                sheet.cell_row(&cell.setting, names.into_iter().chain([ply.to_string(), events.to_string()]));
            }
        }
    }
    sheet.bytes()
}

/// A point's name, or `pass` for the number after the last point.
fn move_name(index: usize, size: BoardSize) -> String {
    Point::from_index(index, size).map_or_else(|| "pass".to_owned(), |point| point.to_gtp(size))
}

/// One row for each class of equivalent first moves.
fn first_moves(study: &Study) -> Vec<u8> {
    let columns = ["kind", "first_move", "games", "fair_komi", "lower_95", "upper_95"];
    let mut sheet = Sheet::new(&columns);
    for (cell, kind) in parts(study) {
        for class in &kind.measures(cell).first_moves.classes {
            let fair = match kind {
                GameKind::Finished => fair_komi(&class.margins).ok(),
                GameKind::Capped => None,
            };
            let numbers = fair.map_or([const { String::new() }; 3], |fair| {
                let interval = fair.estimate.interval;
                [fair.estimate.estimate, interval.lower, interval.upper].map(|number| number.to_string())
            });
            let name = move_name(class.representative.into(), cell.setting.size);
            let fields = [kind.name().to_owned(), name, class.margins.games().to_string()];
            sheet.cell_row(&cell.setting, fields.into_iter().chain(numbers));
        }
    }
    sheet.bytes()
}

fn ownership(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "point", "positions", "black", "white", "first_moves"]);
    for (cell, kind) in parts(study) {
        let measures = kind.measures(cell);
        let [black, white] = Color::BOTH.map(|color| measures.ownership.counts(color));
        for point in cell.setting.size.points() {
            let index = point.index(cell.setting.size);
            let numbers = [measures.games, black[index], white[index], measures.first_moves.games[index]];
            let names = [kind.name().to_owned(), point.to_gtp(cell.setting.size)];
            sheet.cell_row(&cell.setting, names.into_iter().chain(numbers.map(|number| number.to_string())));
        }
    }
    sheet.bytes()
}
