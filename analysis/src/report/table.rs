//! The summary for a terminal.

mod rules;

use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment, ContentLineStyle, LineStyle, Table, TableStyle};
use jigo_engine::{Komi, life::Status};

use super::{
    format::{DASH, decimals_for, fixed, in_per_cent, with_interval},
    naming::Naming,
    summary::{CONFIDENCE, CellSummary, RATE_METHOD, Rate},
};
use crate::{
    Interval, Study,
    report::quantity,
    stats::{ESTIMATE_METHOD, MIN_GAMES},
};

/// The most columns that the table takes, unless no layout can do with so few.
const MAX_WIDTH: usize = 100;

const STYLE: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .header_lines(ContentLineStyle::none())
    .content_lines(ContentLineStyle::none());

/// The summary of a study as a table for a terminal, with the methods named below it. At most 100 columns wide.
///
/// One row for each cell. Shares, lengths and status are those of finished games; the share of games that the ply cap cut off has a column
/// of its own as soon as there is one. Columns for rules and policy appear when they vary; otherwise the caption names them. `komi` is the
/// komi at which the shares of Black, White and jigo are shown.
#[must_use]
pub fn summary_table(study: &Study, komi: Komi) -> String {
    if study.cells.is_empty() {
        return "No games.\n".to_owned();
    }
    let rows: Vec<CellSummary> = study.cells.iter().map(|cell| CellSummary::new(cell, komi)).collect();
    let naming = Naming::of(study);
    let layouts = [
        Layout { intervals: Intervals::Beside, names: Names::Full },
        Layout { intervals: Intervals::Below, names: Names::Full },
        Layout { intervals: Intervals::Beside, names: Names::Letters },
        Layout { intervals: Intervals::Below, names: Names::Letters },
    ];
    let width = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let drawn = layouts.map(|layout| (layout.names, layout.draw(&rows, &naming)));
    let narrow = drawn.iter().find(|(_, table)| width(table) <= MAX_WIDTH);
    let (names, table) = narrow.unwrap_or(&drawn[drawn.len() - 1]);
    let mut text = caption(&naming, komi);
    text += table;
    text.push('\n');
    if *names == Names::Letters {
        text += &legend(&naming);
    }
    text += &notes(&rows);
    text += &shares(study, &naming, komi);
    text += &rules::text(study, komi, rules::Shape::Table);
    text
}

/// The summary for a terminal with so many columns: the [table](summary_table) where it fits, else a line for each of its columns.
#[must_use]
pub fn summary_for_width(study: &Study, komi: Komi, width: usize) -> String {
    let text = summary_table(study, komi);
    let rule = text.lines().find(|line| line.starts_with('─')).unwrap_or("");
    if rule.chars().count() <= width {
        return text;
    }
    let rows: Vec<CellSummary> = study.cells.iter().map(|cell| CellSummary::new(cell, komi)).collect();
    let naming = Naming::of(study);
    let columns = Layout { intervals: Intervals::Below, names: Names::Full }.columns(&rows, &naming);
    let text = caption(&naming, komi) + &lines(&columns);
    text + &notes(&rows) + &rules::text(study, komi, rules::Shape::Lines)
}

/// A line for each column of each row.
fn lines(columns: &[Column]) -> String {
    let mut text = String::new();
    for row in 0..columns[0].cells.len() {
        for column in columns {
            let [heading, cell] = [&column.heading, &column.cells[row]].map(|text| text.replace('\n', " "));
            let _ = writeln!(text, "{heading:<18}{cell}");
        }
        text.push('\n');
    }
    text
}

/// The most cells whose results are written out.
const MAX_SHARES: usize = 12;

/// Count and per cent of each result, for studies of few cells; the CSV files have those of all.
fn shares(study: &Study, naming: &Naming, komi: Komi) -> String {
    if study.cells.len() > MAX_SHARES {
        return String::new();
    }
    let mut text = format!("\nfinished games at komi {komi}\n");
    for cell in study.cells.iter().filter(|cell| cell.finished.games > 0) {
        let (name, shares) = (naming.short(&cell.config), cell.finished.margins.shares(komi));
        let line = format!("{name}: {shares}");
        let line = if line.chars().count() <= MAX_WIDTH { line } else { format!("{name}:\n  {shares}") };
        text += &line;
        text.push('\n');
    }
    text
}

fn caption(naming: &Naming, komi: Komi) -> String {
    let common = naming.in_common();
    let separator = if common.is_empty() { "" } else { "; " };
    format!("{common}{separator}shares of Black, White and jigo at komi {komi}\n\n")
}

fn legend(naming: &Naming) -> String {
    let mut text = String::new();
    for axis in naming.axes().into_iter().filter(|axis| axis.varies()) {
        for (letter, value) in axis.legend() {
            let _ = writeln!(text, "{} {letter}: {value}", axis.name);
        }
    }
    text
}

/// Where intervals stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intervals {
    /// In a column of their own.
    Beside,
    /// Under the estimate.
    Below,
}

/// How rules and policies are written where they vary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Full,
    /// As letters, explained below the table.
    Letters,
}

#[derive(Clone, Copy)]
struct Layout {
    intervals: Intervals,
    names: Names,
}

/// A column: its heading, and what it shows of each cell.
struct Column {
    heading: String,
    alignment: CellAlignment,
    cells: Vec<String>,
}

impl Column {
    fn left(heading: &str, cells: Vec<String>) -> Self {
        Self { heading: heading.to_owned(), alignment: CellAlignment::Left, cells }
    }

    fn right(heading: impl Into<String>, cells: Vec<String>) -> Self {
        Self { heading: heading.into(), alignment: CellAlignment::Right, cells }
    }
}

impl Layout {
    fn draw(self, rows: &[CellSummary], naming: &Naming) -> String {
        draw(&self.columns(rows, naming))
    }

    fn columns(self, rows: &[CellSummary], naming: &Naming) -> Vec<Column> {
        let each = |show: &dyn Fn(&CellSummary) -> String| rows.iter().map(show).collect::<Vec<_>>();
        let mut columns = vec![Column::left("size", each(&|row| row.config.size.to_string()))];
        for axis in naming.axes().into_iter().filter(|axis| axis.varies()) {
            let name = |row: &CellSummary| match self.names {
                Names::Full => axis.of(&row.config),
                Names::Letters => axis.letter_of(&row.config),
            };
            columns.push(Column::left(axis.name, each(&name)));
        }
        columns.push(Column::right("games", each(&|row| row.games.to_string())));
        if rows.iter().any(|row| row.capped_games.count > 0) {
            columns.push(Column::right("capped\n%", each(&|row| short_per_cent(row.capped_games.share))));
        }
        self.push_estimates(&mut columns, "fair komi\npoints", rows.iter().map(fair_komi).collect());
        columns.push(Column::right("Black\n%", each(&|row| share(row, row.finished.at_komi.black))));
        columns.push(Column::right("White\n%", each(&|row| share(row, row.finished.at_komi.white))));
        columns.push(Column::right("jigo\n%", each(&|row| share(row, row.finished.at_komi.jigo))));
        columns.push(Column::right("mean\nplies", each(&length)));
        self.push_estimates(&mut columns, "superko\n% games", rows.iter().map(superko).collect());
        let with = |status| each(&|row| share(row, row.finished.status.with(status)));
        self.push_pair(&mut columns, ["seki", "dead"], [with(Status::Seki), with(Status::Dead)]);
        columns.push(Column::right("known\n%", each(&known)));
        columns
    }

    /// Adds two shares: in columns of their own, or one below the other where cells have two lines already.
    fn push_pair(self, columns: &mut Vec<Column>, names: [&str; 2], cells: [Vec<String>; 2]) {
        match self.intervals {
            Intervals::Beside => {
                let pairs = names.into_iter().zip(cells);
                columns.extend(pairs.map(|(name, cells)| Column::right(format!("{name}\n%"), cells)));
            }
            Intervals::Below => {
                let [above, below] = cells;
                let cells = above.into_iter().zip(below).map(|(above, below)| format!("{above}\n{below}"));
                columns.push(Column::right(names.join("\n"), cells.collect()));
            }
        }
    }

    /// Adds a column of estimates with their intervals.
    fn push_estimates(self, columns: &mut Vec<Column>, heading: &str, cells: Vec<(String, String)>) {
        match self.intervals {
            Intervals::Beside => {
                let (estimates, intervals) = cells.into_iter().unzip();
                columns.push(Column::right(heading, estimates));
                columns.push(Column::right("95 %\ninterval", intervals));
            }
            Intervals::Below => {
                let cells = cells.into_iter().map(|(estimate, interval)| format!("{estimate}\n{interval}"));
                columns.push(Column::right(heading, cells.collect()));
            }
        }
    }
}

/// Rows of names and numbers, the names first.
pub(super) fn draw_rows<const N: usize>(
    headings: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let column = |(index, heading): (usize, &str)| {
        let cells = rows.iter().map(|row| row[index].clone()).collect();
        if index == 0 { Column::left(heading, cells) } else { Column::right(heading, cells) }
    };
    draw(&headings.into_iter().enumerate().map(column).collect::<Vec<_>>())
}

fn draw(columns: &[Column]) -> String {
    let cell = |column: &Column, text: &str| Cell::new(text).set_alignment(column.alignment);
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(columns.iter().map(|column| cell(column, &column.heading)).collect::<Vec<_>>());
    let rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    for row in 0..rows {
        table.add_row(columns.iter().map(|column| cell(column, &column.cells[row])).collect::<Vec<_>>());
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn fair_komi(row: &CellSummary) -> (String, String) {
    match &row.finished.fair_komi {
        Some(fair) => joined(fair.estimate.estimate, fair.estimate.interval),
        None => (DASH.to_owned(), DASH.to_owned()),
    }
}

/// An estimate, and its interval as short as can be.
fn joined(estimate: f64, interval: Interval) -> (String, String) {
    let (estimate, interval) = with_interval(estimate, interval);
    (estimate, interval.replace(" to ", ".."))
}

fn share(row: &CellSummary, rate: Rate) -> String {
    match rate.share {
        Some(share) if row.finished.has_enough_games() => fixed(100.0 * share, 2),
        _ => DASH.to_owned(),
    }
}

fn length(row: &CellSummary) -> String {
    match row.finished.plies {
        Some(plies) if row.finished.has_enough_games() => {
            fixed(plies.mean, plies.standard_error.map_or(1, |error| decimals_for(4.0 * error).min(2)))
        }
        _ => DASH.to_owned(),
    }
}

/// The share of games with a refused draw, or under simple ko with a repetition.
fn superko(row: &CellSummary) -> (String, String) {
    let is_superko = row.config.rules.ko.is_superko();
    let events = if is_superko { row.finished.refused_draws } else { row.finished.repetitions };
    let Some(share) = events.games.share else { return (DASH.to_owned(), DASH.to_owned()) };
    let (estimate, interval) = joined(100.0 * share, in_per_cent(events.games.interval));
    let mark = if is_superko { "" } else { "*" };
    (format!("{mark}{estimate}"), interval)
}

/// As short as can be: with few decisions open there is little to tell apart.
fn known(row: &CellSummary) -> String {
    match row.finished.status.both.decided_chain_share {
        Some(share) if row.finished.has_enough_games() => match share {
            1.0 => "100".to_owned(),
            0.9995.. => ">99.9".to_owned(),
            share => fixed(100.0 * share, 2),
        },
        _ => DASH.to_owned(),
    }
}

/// A share in per cent with two decimals; what is not zero is never shown as zero.
fn short_per_cent(share: Option<f64>) -> String {
    match share {
        None => DASH.to_owned(),
        Some(share) if share > 0.0 && share < 0.000_05 => "<0.01".to_owned(),
        Some(share) if share < 1.0 && share > 0.999_95 => ">99.99".to_owned(),
        Some(share) => fixed(100.0 * share, 2),
    }
}

fn notes(rows: &[CellSummary]) -> String {
    let level = fixed(100.0 * CONFIDENCE.level(), 0);
    let mut text = format!(
        "fair komi: {ESTIMATE_METHOD}, {level} %; a property of the policy, not of Go\n\
         superko: games with a draw that the superko rule refused, {level} % {RATE_METHOD}\n"
    );
    if rows.iter().any(|row| !row.config.rules.ko.is_superko()) {
        text += "* simple ko refuses no longer cycle: the share of games in which a position repeated\n";
    }
    text += "seki, dead: final positions with such a chain, % games; known: chains with a proved status, %\n";
    text += &capped_note(rows);
    if rows.iter().any(|row| !row.finished.has_enough_games()) {
        let _ = writeln!(text, "{DASH}: fewer than {MIN_GAMES} finished games, too few for an estimate");
    }
    text
}

fn capped_note(rows: &[CellSummary]) -> String {
    let capped: u64 = rows.iter().map(|row| row.capped.games).sum();
    if capped == 0 {
        return String::new();
    }
    let refused: u64 = rows.iter().map(|row| row.capped.refused_draws.games.count).sum();
    let repeated: u64 = rows.iter().map(|row| row.capped.repetitions.games.count).sum();
    let games = quantity(capped, "game");
    format!(
        "capped: cut off by the ply cap and left out of all columns to the right. Of these {games}\n  \
         {refused} had a refused draw and {repeated} a repeated position\n"
    )
}
