//! The differences of two runs as a table for the terminal, CSV and JSON, and one page.

use std::{
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

use askama::Template;
use serde::Serialize;

use super::{CellDifferences, Difference, RunDifferences};
use crate::{
    Interval, RunConfig,
    report::{
        ReportMeta, SavedStudy,
        changes::SHARE,
        chart::{Caption, Dot, Dots},
        csv::Sheet,
        data_table::DataTable,
        files,
        format::{DASH, counted, decimals_for, fixed, with_interval},
        html::Figure,
        naming::{cell_name, size_name},
        table,
    },
};

/// The version of `differences.json` that this program writes.
pub const DIFFERENCES_FORMAT_VERSION: u32 = 1;

/// A run, and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct NamedRun<'a> {
    /// What people call it: the path of its report, for instance.
    pub name: &'a str,
    /// What it measured, and by which program.
    pub saved: &'a SavedStudy,
}

const NOTE: &str = "B minus A, with 95 % interval. The runs are taken to be independent. Games with the same seed and number have the same random numbers in both: \
                    the differences are then smaller than the intervals say. For rule sets `jigo study --rules A,B` compares game by game.";

/// The differences of two runs, B less A, as a table for the terminal; empty where no cells of the two can be compared.
#[must_use]
pub fn differences_table(runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> String {
    let differences = RunDifferences::new(runs.map(|run| &run.saved.study), meta.komi);
    let mut text = String::new();
    for (letter, run) in ["A", "B"].into_iter().zip(runs) {
        let _ = writeln!(text, "{letter}  {} ({})", run.name, run.saved.program_in_short());
    }
    for pair in &differences.pairs {
        let _ = writeln!(text, "\n{}", heading(pair));
        let headings = ["", "A", "B", "B − A", "95 % interval"];
        text += &table::draw_rows(headings, pair.numbers.iter().filter_map(row));
    }
    for line in left_alone(&differences) {
        let _ = writeln!(text, "\n{line}");
    }
    if differences.pairs.is_empty() {
        return String::new();
    }
    // A line for each sentence.
    text + "\n" + &notes(&differences, meta).replace(". ", ".\n") + "\n"
}

/// Writes the differences of two runs into a folder, as [`write_report`](crate::report::write_report) writes a report: `differences.html`, `differences.csv`,
/// `differences.json`.
///
/// # Errors
/// The first one of the file system, naming the file.
pub fn write_differences(dir: &Path, runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> io::Result<Vec<PathBuf>> {
    let differences = RunDifferences::new(runs.map(|run| &run.saved.study), meta.komi);
    files::write_all(
        dir,
        &[
            ("differences.html", page(&differences, runs, meta).into_bytes()),
            ("differences.csv", sheet(&differences)),
            ("differences.json", json(&differences, runs, meta)),
        ],
    )
}

/// What is compared, as in `9×9: A tromp-taylor (600000 games), B japanese (600000 games)`.
fn heading(pair: &CellDifferences) -> String {
    let [a, b] = pair.settings;
    let games = |run: usize| counted(pair.games[run], "game");
    if cell_name(&a) == cell_name(&b) {
        return format!("{}: {}; A {}, B {}", size_name(&a), cell_name(&a), games(0), games(1));
    }
    format!("{}: A {}, {}; B {}, {}", size_name(&a), cell_name(&a), games(0), cell_name(&b), games(1))
}

fn notes(differences: &RunDifferences, meta: &ReportMeta) -> String {
    let same: u64 = differences.pairs.iter().map(|pair| pair.same_seeds).sum();
    let shared = match same {
        0 => "No game has the same seed and number in both.".to_owned(),
        same => format!("{} have the same seed and number in both.", counted(same, "game")),
    };
    format!("{NOTE} {shared} Shares of results are those at komi {}.", meta.komi)
}

/// Name, values, difference and interval of a number that either run has.
fn row(number: &Difference) -> Option<[String; 5]> {
    let (change, interval) = number.difference.shown();
    let values = number.shown_values();
    if values == [None; 2] || values == [Some(0.0); 2] {
        return None;
    }
    let digits = interval.map_or(2, |interval: Interval| decimals_for(interval.width()));
    let value = |value: Option<f64>| value.map_or_else(|| DASH.to_owned(), |value| fixed(value, digits));
    let (change, interval) = match (change, interval) {
        (Some(change), Some(interval)) => with_interval(change, interval),
        _ => (DASH.to_owned(), DASH.to_owned()),
    };
    Some([label(number), value(values[0]), value(values[1]), change, interval])
}

/// A number's name and unit for people.
fn label(number: &Difference) -> String {
    let name = number.difference.name.replace('_', " ").replace("black", "Black").replace("white", "White");
    match number.difference.unit {
        SHARE => format!("{name}, % of games"),
        unit => format!("{name}, {unit}"),
    }
}

fn left_alone(differences: &RunDifferences) -> impl Iterator<Item = String> {
    let of_run = |letter: &'static str, alone: &[RunConfig]| {
        let names: Vec<String> =
            alone.iter().map(|setting| format!("{} {}", size_name(setting), cell_name(setting))).collect();
        (!names.is_empty()).then(|| format!("only in {letter}: {}", names.join("; ")))
    };
    let [a, b] = &differences.alone;
    [of_run("A", a), of_run("B", b)].into_iter().flatten()
}

fn sheet(differences: &RunDifferences) -> Vec<u8> {
    let other = ["rules_b", "policy_b", "ply_cap_b", "finished_games", "finished_games_b", "same_seeds"];
    let number = ["quantity", "unit", "value", "value_b", "difference", "lower_95", "upper_95", "method"];
    let mut sheet = Sheet::new(&[&other[..], &number].concat());
    let or_empty = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for pair in &differences.pairs {
        let [a, b] = pair.settings;
        for Difference { values, difference } in &pair.numbers {
            let interval = difference.interval;
            sheet.cell_row(
                &a,
                [
                    b.rules.to_string(),
                    b.policy.to_string(),
                    b.ply_cap.to_string(),
                    pair.games[0].to_string(),
                    pair.games[1].to_string(),
                    pair.same_seeds.to_string(),
                    difference.name.to_owned(),
                    difference.unit.to_owned(),
                    or_empty(values[0]),
                    or_empty(values[1]),
                    or_empty(difference.change),
                    or_empty(interval.map(|interval| interval.lower)),
                    or_empty(interval.map(|interval| interval.upper)),
                    difference.method.to_owned(),
                ],
            );
        }
    }
    sheet.bytes()
}

fn json(differences: &RunDifferences, runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> Vec<u8> {
    #[derive(Serialize)]
    struct File<'a> {
        format: &'static str,
        version: u32,
        command_line: &'a str,
        komi: f64,
        runs: [[String; 2]; 2],
        #[serde(flatten)]
        differences: &'a RunDifferences,
    }
    let file = File {
        format: "jigo-differences",
        version: DIFFERENCES_FORMAT_VERSION,
        command_line: &meta.command_line,
        komi: meta.komi.to_f64(),
        runs: runs.map(|run| [run.name.to_owned(), run.saved.program()]),
        differences,
    };
    let mut bytes = serde_json::to_vec(&file).expect("numbers and text can be written as JSON");
    bytes.push(b'\n');
    bytes
}

#[derive(Template)]
#[template(path = "differences.html")]
struct Page<'a> {
    meta: &'a ReportMeta,
    runs: [NamedRun<'a>; 2],
    note: String,
    alone: Vec<String>,
    figure: Option<Figure>,
    pairs: Vec<(String, DataTable)>,
}

fn page(differences: &RunDifferences, runs: [NamedRun<'_>; 2], meta: &ReportMeta) -> String {
    let table = |pair: &CellDifferences| {
        let mut table = DataTable::new(1, ["", "A", "B", "B − A", "95 % interval"]);
        pair.numbers.iter().filter_map(row).for_each(|row| table.push(row));
        (heading(pair), table)
    };
    let page = Page {
        meta,
        runs,
        note: notes(differences, meta),
        alone: left_alone(differences).collect(),
        figure: fair_komi(differences),
        pairs: differences.pairs.iter().map(table).collect(),
    };
    page.render().expect("a page is rendered in memory from values that can be shown")
}

/// The differences in fair komi, if there are several.
fn fair_komi(differences: &RunDifferences) -> Option<Figure> {
    let mut table = DataTable::new(1, ["cells", "A", "B", "B − A", "95 % interval"]);
    let mut dots = Vec::new();
    for pair in &differences.pairs {
        let number = &pair.numbers[0];
        let (Some(estimate), Some(interval)) = number.difference.shown() else { continue };
        let name = format!("{} {}", size_name(&pair.settings[0]), cell_name(&pair.settings[1]));
        let [_, a, b, change, range] = row(number)?;
        dots.push(Dot { label: name.clone(), estimate, interval });
        table.push([name, a, b, change, range]);
    }
    let title = "Difference in fair komi";
    let text = "B minus A, in points, with 95 % interval. Rows are named as in B.";
    let caption = Caption { id: "fair-komi", title, description: text };
    let x_label = "difference in fair komi, points";
    let svg = Dots { caption, x_label, row_label: "cells", dots: &dots }.draw();
    (dots.len() > 1).then(|| Figure { title: title.to_owned(), text: text.to_owned(), svg, table })
}
