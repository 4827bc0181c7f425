//! Tidy CSV files: one observation in each row, one variable in each column, the setting in the first columns.

use std::fmt::Display;

use csv::Writer;
use jigo_engine::{BoardSize, Color, Point};

use super::{
    changes::ComparisonSummary,
    summary::{CellSummary, GameKind, Rate},
};
use crate::{
    RunConfig, RunStats, Study, fair_komi,
    study::{CycleCounts, EventCounts, Measures},
};

mod rules;
mod status;
mod summary;

/// The columns that tell cells apart.
const SETTING: [&str; 5] = ["size", "rules", "policy", "ply_cap", "census"];

/// The columns of a [`Rate`].
const RATE: [&str; 4] = ["games", "share_of_games", "lower_95", "upper_95"];

/// A CSV file in memory.
pub(super) struct Sheet(Writer<Vec<u8>>);

impl Sheet {
    pub(super) fn new(columns: &[&str]) -> Self {
        let mut sheet = Self(Writer::from_writer(Vec::new()));
        sheet.row(SETTING.iter().chain(columns).map(|&column| column.to_owned()));
        sheet
    }

    /// A file with rows about [`Part`]s.
    fn of_parts(columns: &[&str]) -> Self {
        Self::new(&[&["kind"], columns].concat())
    }

    fn row(&mut self, fields: impl IntoIterator<Item = String>) {
        self.0.write_record(fields).expect("rows in memory are as long as their header");
    }

    pub(super) fn cell_row(&mut self, setting: &RunConfig, fields: impl IntoIterator<Item = String>) {
        self.row(setting_fields(setting).into_iter().chain(fields));
    }

    fn part_row(&mut self, part: Part<'_>, fields: &[&dyn Display]) {
        let fields = fields.iter().map(ToString::to_string);
        self.cell_row(&part.cell.config, [part.kind.name().to_owned()].into_iter().chain(fields));
    }

    /// A row with a rate at its end: the columns [`RATE`].
    fn rate_row(&mut self, part: Part<'_>, fields: &[&dyn Display], rate: Rate) {
        let share = rate.share.map_or(String::new(), |share| share.to_string());
        let rate: [&dyn Display; 4] = [&rate.count, &share, &rate.interval.lower, &rate.interval.upper];
        self.part_row(part, &[fields, &rate].concat());
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        self.0.into_inner().expect("writing to memory does not fail")
    }
}

fn setting_fields(setting: &RunConfig) -> [String; 5] {
    let census = if setting.count_forbidden { "candidates" } else { "draws" };
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

/// The finished or the capped games of a cell.
#[derive(Clone, Copy)]
struct Part<'a> {
    cell: &'a RunStats,
    kind: GameKind,
}

impl<'a> Part<'a> {
    const fn measures(self) -> &'a Measures {
        self.kind.measures(self.cell)
    }

    /// The superko events that are counted, by name.
    fn events(self) -> Vec<(&'static str, &'a EventCounts)> {
        let superko = &self.measures().superko;
        let mut events =
            vec![("refused_draws", &superko.refused_draws), ("repetitions", &superko.repetitions)];
        if self.cell.config.count_forbidden {
            events.push(("forbidden_candidates", &superko.forbidden_candidates));
        }
        events
    }
}

/// Every cell's finished games, then its capped games.
fn parts(study: &Study) -> impl Iterator<Item = Part<'_>> {
    study.cells.iter().flat_map(|cell| GameKind::BOTH.map(|kind| Part { cell, kind }))
}

fn margins(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["margin", "games"]);
    for part in parts(study) {
        for (margin, games) in part.measures().margins.histogram() {
            sheet.part_row(part, &[&margin, &games]);
        }
    }
    sheet.bytes()
}

fn lengths(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["plies", "games"]);
    for part in parts(study) {
        for (plies, games) in &part.measures().plies {
            sheet.part_row(part, &[&plies, &games]);
        }
    }
    sheet.bytes()
}

/// Distributions per game for which no other file is meant.
fn counts(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["quantity", "value", "games"]);
    for part in parts(study) {
        let measures = part.measures();
        for (quantity, histogram) in [
            ("passes", &measures.passes),
            ("neutral_points", &measures.neutral),
            ("black_stones_removed", &measures.captures.black),
            ("white_stones_removed", &measures.captures.white),
            ("unknown_stones", &measures.status.unknown_stones),
        ] {
            for (value, games) in histogram {
                sheet.part_row(part, &[&quantity, &value, &games]);
            }
        }
    }
    sheet.bytes()
}

fn superko_cycles(study: &Study) -> Vec<u8> {
    let columns = ["event", "cycle_plies", "balanced", "unbalanced", "with_pass", "same_player"];
    let mut sheet = Sheet::of_parts(&[&columns[..], &RATE].concat());
    for part in parts(study) {
        for (event, counts) in part.events() {
            for (cycle_plies, cycle) in &counts.by_cycle {
                let CycleCounts { balanced, unbalanced, with_pass, same_player, .. } = cycle;
                let fields: [&dyn Display; 6] =
                    [&event, cycle_plies, balanced, unbalanced, with_pass, same_player];
                sheet.rate_row(part, &fields, Rate::new(cycle.games, part.measures().games));
            }
        }
    }
    sheet.bytes()
}

fn superko_balance(study: &Study) -> Vec<u8> {
    let columns = ["event", "removed_more", "removed_fewer", "events"];
    let mut sheet = Sheet::of_parts(&[&columns[..], &RATE].concat());
    for part in parts(study) {
        for (event, counts) in part.events() {
            for (balance, counts) in &counts.by_balance {
                let fields: [&dyn Display; 4] = [&event, &balance.more, &balance.fewer, &counts.events];
                sheet.rate_row(part, &fields, Rate::new(counts.games, part.measures().games));
            }
        }
    }
    sheet.bytes()
}

fn superko_plies(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["event", "ply", "events"]);
    for part in parts(study) {
        for (event, counts) in part.events() {
            for (ply, events) in &counts.by_ply {
                sheet.part_row(part, &[&event, &ply, &events]);
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
    let mut sheet = Sheet::of_parts(&["first_move", "games", "fair_komi", "lower_95", "upper_95"]);
    for part in parts(study) {
        for class in &part.measures().first_moves.classes {
            let fair = match part.kind {
                GameKind::Finished => fair_komi(&class.margins).ok(),
                GameKind::Capped => None,
            };
            let [komi, lower, upper] = fair.map_or([const { String::new() }; 3], |fair| {
                let interval = fair.estimate.interval;
                [fair.estimate.estimate, interval.lower, interval.upper].map(|number| number.to_string())
            });
            let name = move_name(class.representative.into(), part.cell.config.size);
            sheet.part_row(part, &[&name, &class.margins.games(), &komi, &lower, &upper]);
        }
    }
    sheet.bytes()
}

fn ownership(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["point", "positions", "black", "white", "first_moves"]);
    for part in parts(study) {
        let (measures, size) = (part.measures(), part.cell.config.size);
        let [black, white] = Color::BOTH.map(|color| measures.ownership.counts(color));
        for point in size.points() {
            let (name, index) = (point.to_gtp(size), point.index(size));
            let first = measures.first_moves.games[index];
            sheet.part_row(part, &[&name, &measures.games, &black[index], &white[index], &first]);
        }
    }
    sheet.bytes()
}
