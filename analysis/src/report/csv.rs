//! Tidy CSV files: one observation in each row, one variable in each column, the run in the first columns.

use std::fmt::Display;

use csv::Writer;
use jigo_engine::{
    BoardSize, Color, Point,
    life::{SekiKind, Status},
};
use jigo_selfplay::fingerprint::rules_fingerprint;

use super::{
    quantities::{Quantity, Rule, SHARE},
    rule_changes::{ComparisonSummary, Idle, Number, RuleChange},
    statuses::status_proofs,
    summary::{CONFIDENCE, Figures, GameKind, RATE_METHOD, Rate, RunSummary, Value},
};
use crate::{
    RunConfig, RunStats, Study, fair_komi,
    stats::{ESTIMATE_METHOD, MEDIAN_METHOD},
    study::{CycleCounts, EventCounts, Measures},
};

/// The columns that tell runs apart.
const RUN: [&str; 5] = ["size", "rules", "policy", "ply_cap", "count_forbidden"];

/// The columns of a [`Rate`].
const RATE: [&str; 4] = ["games", "share_of_games", "lower_95", "upper_95"];

/// Writes a number, or nothing.
pub(super) fn or_empty(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A CSV file in memory.
pub(super) struct Sheet(Writer<Vec<u8>>);

impl Sheet {
    pub(super) fn new(columns: &[&str]) -> Self {
        let mut sheet = Self(Writer::from_writer(Vec::new()));
        sheet.row(RUN.iter().chain(columns).map(|&column| column.to_owned()));
        sheet
    }

    /// Begins a file with rows about [`Part`]s.
    fn of_parts(columns: &[&str]) -> Self {
        Self::new(&[&["kind"], columns].concat())
    }

    fn row(&mut self, fields: impl IntoIterator<Item = String>) {
        self.0.write_record(fields).expect("rows in memory are as long as their header");
    }

    pub(super) fn run_row(&mut self, run: &RunConfig, fields: impl IntoIterator<Item = String>) {
        self.row(run_fields(run).into_iter().chain(fields));
    }

    fn part_row(&mut self, part: Part<'_>, fields: &[&dyn Display]) {
        let fields = fields.iter().map(ToString::to_string);
        self.run_row(&part.run.config, [part.kind.name().to_owned()].into_iter().chain(fields));
    }

    /// Adds a row that ends with the columns [`RATE`].
    fn rate_row(&mut self, part: Part<'_>, fields: &[&dyn Display], rate: Rate) {
        let share = or_empty(rate.share);
        let rate: [&dyn Display; 4] = [&rate.count, &share, &rate.interval.lower, &rate.interval.upper];
        self.part_row(part, &[fields, &rate].concat());
    }

    pub(super) fn bytes(self) -> Vec<u8> {
        self.0.into_inner().expect("writing to memory does not fail")
    }
}

fn run_fields(run: &RunConfig) -> [String; 5] {
    [
        run.size.to_string(),
        run.rules.to_string(),
        run.policy.to_string(),
        run.ply_cap.to_string(),
        run.count_forbidden.to_string(),
    ]
}

/// Writes all files.
pub(super) fn files(
    study: &Study,
    runs: &[RunSummary],
    comparisons: &[ComparisonSummary],
) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("summary.csv", summary(runs)),
        ("rules.csv", rules(comparisons)),
        ("margins.csv", margins(study)),
        ("lengths.csv", lengths(study)),
        ("counts.csv", counts(study)),
        ("superko_cycles.csv", superko_cycles(study)),
        ("superko_balance.csv", superko_balance(study)),
        ("superko_plies.csv", superko_plies(study)),
        ("status.csv", status(study)),
        ("status_games.csv", status_games(study)),
        ("status_sizes.csv", status_sizes(study)),
        ("status_sekis.csv", status_sekis(study)),
        ("status_margins.csv", status_margins(study)),
        ("status_shapes.csv", status_shapes(study)),
        ("first_moves.csv", first_moves(study)),
        ("ownership.csv", ownership(study)),
    ]
}

/// A row of `summary.csv` under construction: column names with their values.
type Fields = Vec<(String, String)>;

/// Writes one row for each run with all its quantities.
fn summary(runs: &[RunSummary]) -> Vec<u8> {
    let rows: Vec<Fields> = runs.iter().map(summary_row).collect();
    let header: Vec<&str> = rows.first().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let mut sheet = Sheet::new(&header);
    for (run, row) in runs.iter().zip(rows) {
        sheet.run_row(&run.config, row.into_iter().map(|(_, value)| value));
    }
    sheet.bytes()
}

fn summary_row(run: &RunSummary) -> Fields {
    let mut row = Fields::new();
    let mut push = |name: &str, value: &dyn Display| row.push((name.to_owned(), value.to_string()));
    push("rules_fingerprint", &rules_fingerprint(run.config.rules));
    push("komi", &run.komi);
    push("games", &run.games);
    push("finished_games", &run.finished.games);
    push("confidence", &CONFIDENCE.level());
    push("rate_method", &RATE_METHOD);
    push("fair_komi_method", &ESTIMATE_METHOD);
    push("median_margin_method", &MEDIAN_METHOD);
    push_rate(&mut row, "stopped_games", Some(run.stopped_games));
    push_figures(&mut row, "", &run.finished, |_| true);
    push_figures(&mut row, "stopped_", &run.stopped, |quantity| quantity.of_stopped);
    row
}

fn push_rate(row: &mut Fields, name: &str, rate: Option<Rate>) {
    row.push((name.to_owned(), or_empty(rate.map(|rate| rate.count))));
    row.push((format!("{name}_share"), or_empty(rate.and_then(|rate| rate.share))));
    row.push((format!("{name}_lower"), or_empty(rate.map(|rate| rate.interval.lower))));
    row.push((format!("{name}_upper"), or_empty(rate.map(|rate| rate.interval.upper))));
}

fn push_figures(row: &mut Fields, prefix: &str, figures: &Figures, is_shown: impl Fn(&Quantity) -> bool) {
    for (quantity, value) in figures.iter().filter(|(quantity, _)| is_shown(quantity)) {
        let name = format!("{prefix}{}", quantity.name);
        let mut push =
            |suffix: &str, number: Option<f64>| row.push((format!("{name}{suffix}"), or_empty(number)));
        match &quantity.rule {
            Rule::FairKomi => {
                let fair = figures.fair_komi();
                let interval = fair.map(|fair| fair.estimate.interval);
                push("", fair.map(|fair| fair.estimate.estimate));
                push("_lower", interval.map(|interval| interval.lower));
                push("_upper", interval.map(|interval| interval.upper));
                let mut push =
                    |name: &str, number: Option<f64>| row.push((name.to_owned(), or_empty(number)));
                push("fair_half_komi", fair.map(|fair| fair.half.komi.to_f64()));
                push("fair_whole_komi", fair.map(|fair| fair.whole.komi.to_f64()));
                push("median_margin", fair.map(|fair| fair.median.midpoint()));
                push("median_margin_lower", fair.map(|fair| fair.median_interval.lower.into()));
                push("median_margin_upper", fair.map(|fair| fair.median_interval.upper.into()));
            }
            Rule::Share(_) => push_rate(row, &name, figures.rate(&quantity.name)),
            Rule::Mean(_) | Rule::MeanOfChains(_) => {
                let spread = figures.spread(&quantity.name);
                push("_mean", spread.map(|spread| spread.mean));
                push("_se", spread.and_then(|spread| spread.standard_error));
                push("_sd", spread.and_then(|spread| spread.standard_deviation));
            }
            Rule::Ratio(_) | Rule::Count(_) => {
                let number = match value {
                    Some(Value::Ratio(ratio)) => or_empty(*ratio),
                    Some(Value::Count(count)) => count.to_string(),
                    _ => String::new(),
                };
                row.push((name, number));
            }
        }
    }
}

/// Writes one row for each number that a change of rules moves.
fn rules(comparisons: &[ComparisonSummary]) -> Vec<u8> {
    let mut sheet = Sheet::new(&[
        "rules_fingerprint",
        "scope",
        "choices",
        "from",
        "to",
        "pairs",
        "finished_games",
        "stopped_games",
        "quantity",
        "unit",
        "change",
        "lower_95",
        "upper_95",
        "method",
    ]);
    for comparison in comparisons {
        let fingerprint = rules_fingerprint(comparison.base.rules);
        let mut push = |fields: [String; 13]| {
            sheet.run_row(&comparison.base, std::iter::once(fingerprint.clone()).chain(fields));
        };
        for idle in &comparison.changes_nothing {
            push(idle_fields(comparison, idle));
        }
        for change in &comparison.changes {
            let differing = Number::rate((DIFFERING, "", SHARE), change.differing);
            for number in std::iter::once(&differing).chain(&change.numbers) {
                push(change_fields(change, number));
            }
        }
    }
    sheet.bytes()
}

/// The name of the share of games that a change of rules changes.
const DIFFERING: &str = "games_that_differ";

fn change_fields(change: &RuleChange, number: &Number) -> [String; 13] {
    [
        change.scope.name().to_owned(),
        change.axes.iter().map(|axis| axis.name()).collect::<Vec<_>>().join("+"),
        change.values(change.from),
        change.values(change.to),
        change.pairs.to_string(),
        change.finished.to_string(),
        change.stopped.to_string(),
        number.name.to_owned(),
        number.unit.to_owned(),
        or_empty(number.change),
        or_empty(number.interval.map(|interval| interval.lower)),
        or_empty(number.interval.map(|interval| interval.upper)),
        number.method.to_owned(),
    ]
}

/// Writes a choice that changes nothing: zero, and the reason in place of a method.
fn idle_fields(comparison: &ComparisonSummary, idle: &Idle) -> [String; 13] {
    let mut fields = [const { String::new() }; 13];
    fields[0] = "none".to_owned();
    fields[1] = idle.axis.name().to_owned();
    fields[2] = idle.axis.value(comparison.base.rules);
    fields[7] = DIFFERING.to_owned();
    fields[8] = SHARE.to_owned();
    fields[9] = "0".to_owned();
    fields[12] = idle.reason.to_owned();
    fields
}

/// The finished or the stopped games of a run.
#[derive(Clone, Copy)]
struct Part<'a> {
    run: &'a RunStats,
    kind: GameKind,
}

impl<'a> Part<'a> {
    const fn measures(self) -> &'a Measures {
        self.kind.measures(self.run)
    }

    /// Returns the superko events that are counted, by name.
    fn events(self) -> Vec<(&'static str, &'a EventCounts)> {
        let superko = &self.measures().superko;
        let mut events = vec![("superko_rejected", &superko.rejected), ("repetitions", &superko.repetitions)];
        if self.run.config.count_forbidden {
            events.push(("forbidden_candidates", &superko.forbidden_candidates));
        }
        events
    }
}

/// Returns every run's finished games, then its stopped games.
fn parts(study: &Study) -> impl Iterator<Item = Part<'_>> {
    study.runs.iter().flat_map(|run| GameKind::BOTH.map(|kind| Part { run, kind }))
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

/// Writes the distributions per game that have no file of their own.
fn counts(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["quantity", "value", "games"]);
    for part in parts(study) {
        let measures = part.measures();
        for (quantity, histogram) in [
            ("passes", &measures.passes),
            ("neutral_points", &measures.neutral),
            ("black_stones_removed", &measures.captures.black),
            ("white_stones_removed", &measures.captures.white),
            ("unsolved_stones", &measures.status.unknown_stones),
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

/// Names a point, or `pass` for the number after the last point.
fn move_name(index: usize, size: BoardSize) -> String {
    Point::from_index(index, size).map_or_else(|| "pass".to_owned(), |point| point.to_gtp(size))
}

/// Writes one row for each class of equivalent first moves.
fn first_moves(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["first_move", "games", "fair_komi", "lower_95", "upper_95"]);
    for part in parts(study) {
        for class in &part.measures().first_moves.classes {
            let fair = match part.kind {
                GameKind::Finished => fair_komi(&class.margins).ok(),
                GameKind::Stopped => None,
            };
            let [komi, lower, upper] = fair.map_or([const { String::new() }; 3], |fair| {
                let interval = fair.estimate.interval;
                [fair.estimate.estimate, interval.lower, interval.upper].map(|number| number.to_string())
            });
            let name = move_name(class.representative.into(), part.run.config.size);
            sheet.part_row(part, &[&name, &class.margins.games(), &komi, &lower, &upper]);
        }
    }
    sheet.bytes()
}

fn ownership(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["point", "positions", "black", "white", "first_moves"]);
    for part in parts(study) {
        let (measures, size) = (part.measures(), part.run.config.size);
        let [black, white] = Color::BOTH.map(|color| measures.ownership.counts(color));
        for point in size.points() {
            let (name, index) = (point.to_gtp(size), point.index(size));
            let first = measures.first_moves.games[index];
            sheet.part_row(part, &[&name, &measures.games, &black[index], &white[index], &first]);
        }
    }
    sheet.bytes()
}

/// Writes chains and stones of each side by status and proof.
fn status(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["side", "status", "proof", "chains", "stones"]);
    for part in parts(study) {
        let counts = &part.measures().status;
        for (side, counts) in [("black", &counts.black), ("white", &counts.white)] {
            for (status, proof) in status_proofs() {
                let found = counts.table.of(status, proof);
                sheet.part_row(part, &[&side, &status, &proof, &found.chains, &found.stones]);
            }
        }
    }
    sheet.bytes()
}

/// Writes how many final positions have a chain of each status, and in how many all chains are solved.
fn status_games(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&[&["with"][..], &RATE].concat());
    for part in parts(study) {
        let counts = &part.measures().status;
        let with = Status::ALL.map(|status| (status.name(), counts.positions_with(status)));
        let solved =
            [("all solved", counts.decided_positions), ("all solved by benson", counts.benson_positions)];
        for (name, games) in with.into_iter().chain(solved) {
            sheet.rate_row(part, &[&name], Rate::new(games, counts.positions));
        }
    }
    sheet.bytes()
}

/// Writes dead chains and chains in seki by their size.
fn status_sizes(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["status", "stones", "chains"]);
    for part in parts(study) {
        let counts = &part.measures().status;
        for (status, sizes) in [(Status::Dead, &counts.dead_sizes), (Status::Seki, &counts.seki_sizes)] {
            for (stones, chains) in sizes {
                sheet.part_row(part, &[&status, &stones, &chains]);
            }
        }
    }
    sheet.bytes()
}

/// Writes sekis by kind.
fn status_sekis(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["seki", "sekis"]);
    for part in parts(study) {
        for (kind, count) in SekiKind::ALL.into_iter().zip(part.measures().status.sekis) {
            sheet.part_row(part, &[&kind, &count]);
        }
    }
    sheet.bytes()
}

/// Writes by how many points the margin changes where dead chains are removed, and then where points in seki do not count.
fn status_margins(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["without", "change", "games"]);
    for part in parts(study) {
        let counts = &part.measures().status;
        for (without, shift) in [("dead chains", &counts.dead), ("points in seki", &counts.seki)] {
            for (change, games) in &shift.changes {
                sheet.part_row(part, &[&without, &change, &games]);
            }
        }
    }
    sheet.bytes()
}

/// Writes all shapes that are kept, the most frequent first.
fn status_shapes(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["holds", "shape", "parts", "first_source", "first_index"]);
    for part in parts(study) {
        for (shape, count) in part.measures().status.shapes.ranking() {
            let first = &count.first;
            sheet.part_row(part, &[&count.kind.name(), &shape, &count.parts, &first.source, &first.index]);
        }
    }
    sheet.bytes()
}
