//! The summary of a study for a terminal.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ContentLineStyle, LineStyle, Table, TableStyle};
use jigo_engine::rules::KomiChoice;

use super::{
    format::{
        self, Axis, DASH, Naming, decimals_for, fixed, group, letter, or_dash, policy_name, quantity,
        run_name, size_name,
    },
    html::DataTable,
    quantities::{ALL, FAIR_KOMI, PLIES, Quantity, REPETITIONS, SUPERKO_REJECTED, Terminal},
    rule_changes::RuleChange,
    stones,
    strength::{self, Strength},
    summary::{Figures, RATE_METHOD, Rate, RunSummary, Summary, SupplyRates, Value},
};
use crate::{
    RunConfig, Study,
    rules::ContrastScope,
    stats::{CONFIDENCE, ESTIMATE_METHOD, KomiShares, MIN_GAMES, Spread},
    study::Measures,
};

/// The most columns that the table takes, unless no layout can do with so few.
const MAX_WIDTH: usize = 100;

/// The most runs whose results are written out.
const MAX_RESULTS: usize = 12;

/// The most boards, rule sets and policies of which the values of stones are written out.
const MAX_HANDICAPS: usize = 8;

/// From so many changes of rules on, only those of one choice are shown.
const MANY_CHANGES: usize = 7;

const STYLE: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .header_lines(ContentLineStyle::none())
    .content_lines(ContentLineStyle::none());

/// Returns the summary of a study as a table for a terminal, with the methods named below it. At most 100 columns wide.
///
/// One row for each run. Shares, lengths and statuses are those of finished games; the share of games that were stopped at the move limit has a
/// column of its own as soon as there is one. Columns for rules, policy and komi appear when they vary; otherwise the caption names them. `komi` is
/// the komi at which the shares of Black, White and jigo are shown.
#[must_use]
pub fn summary_table(study: &Study, komi: KomiChoice) -> String {
    table_of(&Summary::new(study, komi))
}

/// As [`summary_table`], of a summary that was computed before.
pub(super) fn table_of(summary: &Summary<'_>) -> String {
    if summary.runs.is_empty() {
        return "No games.\n".to_owned();
    }
    let layouts = [(false, false), (true, false), (false, true), (true, true)]
        .map(|(stacked, letters)| Layout { stacked, letters });
    let width = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let drawn = layouts.map(|layout| (layout.letters, draw(&layout.columns(summary, false))));
    let narrow = drawn.iter().find(|(_, table)| width(table) <= MAX_WIDTH);
    let (letters, table) = narrow.unwrap_or(&drawn[drawn.len() - 1]);
    let legend = if *letters { legend(&summary.naming) } else { String::new() };
    let text = caption(summary) + table + "\n" + &legend + &notes(summary);
    text + &results(summary) + &changes(summary, draw) + &handicaps(summary, draw) + &strengths(summary, draw)
}

/// Returns the summary for a terminal with so many columns: the [table](summary_table) where it fits, else a line for each number.
#[must_use]
pub fn summary_for_width(study: &Study, komi: KomiChoice, width: usize) -> String {
    let summary = Summary::new(study, komi);
    let text = table_of(&summary);
    let rule = text.lines().find(|line| line.starts_with('─')).unwrap_or("");
    if rule.chars().count() <= width {
        return text;
    }
    let layout = Layout { stacked: true, letters: false };
    let text = caption(&summary) + &lines(&layout.columns(&summary, true));
    text + &notes(&summary)
        + &changes(&summary, lines)
        + &handicaps(&summary, lines)
        + &strengths(&summary, lines)
}

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

/// Writes count and per cent of each result, for studies of few runs; the CSV files have those of all.
fn results(summary: &Summary<'_>) -> String {
    if summary.runs.len() > MAX_RESULTS {
        return String::new();
    }
    let mut text = format!("\nfinished games at {}\n", summary.komi_text());
    let is_sample =
        |run: &&RunSummary<'_>| run.finished.counts.games > 0 && run.finished.unfinished.is_none();
    let mut runs = summary.runs.iter().filter(is_sample).peekable();
    if runs.peek().is_none() {
        return String::new();
    }
    for run in runs {
        let Measures { margins, margins_all_alive, .. } = run.finished.counts;
        let komi = if summary.komi.is_none() { format!(", komi {}", run.komi) } else { String::new() };
        let name = summary.naming.short(&run.config) + &komi;
        let shares = [margins, margins_all_alive]
            .map(|margins| KomiShares { komi: run.komi, shares: margins.shares(run.komi) });
        let mut push = |name: &str, shares: KomiShares| {
            let line = format!("{name}: {shares}");
            let line = if line.chars().count() <= MAX_WIDTH { line } else { format!("{name}:\n  {shares}") };
            let _ = writeln!(text, "{line}");
        };
        push(&name, shares[0]);
        if shares[0] != shares[1] {
            push(&(name + ", all stones alive"), shares[1]);
        }
    }
    text
}

fn caption(summary: &Summary<'_>) -> String {
    let common = summary.naming.in_common();
    let separator = if common.is_empty() { "" } else { "; " };
    let interruption = summary.interruption().map_or(String::new(), |text| text + "\n");
    format!("{interruption}{common}{separator}shares of Black, White and jigo at {}\n\n", summary.komi_text())
}

/// Explains the letters that stand for rules and policies.
fn legend(naming: &Naming) -> String {
    let mut text = String::new();
    for axis in naming.varying().filter(|axis| axis.has_letters) {
        for (index, value) in axis.values.iter().enumerate() {
            let _ = writeln!(text, "{} {}: {value}", axis.name, letter(index));
        }
    }
    text
}

#[derive(Clone, Copy)]
struct Layout {
    /// Whether intervals stand below their estimates, or beside them in columns of their own.
    stacked: bool,
    /// Whether rules and policies are letters, explained below the table.
    letters: bool,
}

/// A column: its heading, and its cells from top to bottom.
#[derive(Clone)]
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

    /// Joins two columns into one, this one above.
    fn over(self, below: &Self) -> Self {
        let first = |heading: &str| heading.lines().next().unwrap_or_default().to_owned();
        let cells = self.cells.iter().zip(&below.cells).map(|(above, below)| format!("{above}\n{below}"));
        Self::right(format!("{}\n{}", first(&self.heading), first(&below.heading)), cells.collect())
    }
}

impl Layout {
    /// The columns; `with_lines` adds those that only narrow terminals show.
    fn columns(self, Summary { runs, naming, komi, .. }: &Summary<'_>, with_lines: bool) -> Vec<Column> {
        let each = |show: &dyn Fn(&RunSummary<'_>) -> String| runs.iter().map(show).collect::<Vec<_>>();
        let mut columns = vec![Column::left("size", each(&|row| row.config.size.to_string()))];
        let name = |axis: &Axis, row: &RunSummary<'_>| {
            if self.letters && axis.has_letters {
                axis.letter_of(&row.config)
            } else {
                (axis.of)(&row.config)
            }
        };
        columns.extend(naming.varying().map(|axis| Column::left(axis.name, each(&|row| name(axis, row)))));
        let games = Column::right("games", each(&|row| group(row.games)));
        let by_rules = Column::right("komi", each(&|row| row.komi.to_string()));
        match komi {
            Some(_) => columns.push(games),
            None if self.stacked => columns.push(games.over(&by_rules)),
            None => columns.extend([by_rules, games]),
        }
        if runs.iter().any(|run| run.stopped_games.count > 0) {
            columns.push(Column::right("limit\n%", each(&|row| short_per_cent(row.stopped_games.share))));
        }
        if runs.iter().any(|run| run.supply.is_some()) {
            let rate = |row: &RunSummary<'_>, of: fn(SupplyRates) -> Rate| {
                row.supply.map_or_else(|| DASH.to_owned(), |supply| short_per_cent(of(supply).share))
            };
            columns.push(Column::right("cycle\n%", each(&|row| rate(row, |supply| supply.cycle_draws))));
            columns
                .push(Column::right("no stones\n%", each(&|row| rate(row, |supply| supply.out_of_stones))));
        }
        let mut shared = Vec::new();
        let mut above: Option<Column> = None;
        for quantity in ALL.iter() {
            let plain = |heading| Column::right(heading, each(&|row| plain_cell(&row.finished, quantity)));
            match quantity.terminal {
                Terminal::WithInterval(heading) if !shared.contains(&heading) => {
                    shared.push(heading);
                    let cells = runs.iter().map(|run| estimate_cells(&run.finished, heading));
                    if self.stacked {
                        columns.push(Column::right(heading, cells.map(|cells| cells.join("\n")).collect()));
                    } else {
                        let (estimates, intervals) =
                            cells.map(|[estimate, interval]| (estimate, interval)).unzip();
                        columns.push(Column::right(heading, estimates));
                        columns.push(Column::right("95 %\ninterval", intervals));
                    }
                }
                Terminal::Stacked(heading) if self.stacked => above = Some(plain(heading)),
                Terminal::Column(heading) => columns.push(match above.take() {
                    Some(above) => above.over(&plain(heading)),
                    None => plain(heading),
                }),
                Terminal::Stacked(heading) => columns.push(plain(heading)),
                Terminal::Line(heading) if with_lines => columns.push(plain(heading)),
                _ => {}
            }
        }
        columns
    }
}

/// Draws a table of the page for a terminal.
pub(super) fn draw_table(table: &DataTable) -> String {
    draw(&columns_of(table))
}

fn columns_of(table: &DataTable) -> Vec<Column> {
    let column = |(index, heading): (usize, &String)| {
        let cells = table.rows.iter().map(|row| row[index].clone()).collect();
        if table.is_number(index) { Column::right(heading, cells) } else { Column::left(heading, cells) }
    };
    table.headings.iter().enumerate().map(column).collect()
}

fn draw(columns: &[Column]) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(columns.iter().map(|column| &column.heading));
    for row in 0..columns[0].cells.len() {
        table.add_row(columns.iter().map(|column| &column.cells[row]));
    }
    for (drawn, column) in table.column_iter_mut().zip(columns) {
        drawn.set_padding((0, 1)).set_cell_alignment(column.alignment);
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The estimate and the interval in the column with this heading: of the first quantity that applies, marked if that is not the main one.
fn estimate_cells(figures: &Figures<'_>, heading: &'static str) -> [String; 2] {
    let is_in_column = |quantity: &Quantity| quantity.terminal == Terminal::WithInterval(heading);
    let mut in_column = figures.iter().filter(|(quantity, _)| is_in_column(quantity)).enumerate();
    let shown = in_column.find_map(|(place, (_, value))| Some((place, value?.shown())));
    match shown {
        Some((place, Some(shown))) => {
            let [estimate, interval] = shown.texts();
            let mark = if place > 0 { "*" } else { "" };
            [format!("{mark}{estimate}"), short(&interval)]
        }
        _ => format::estimate_cells(None),
    }
}

fn plain_cell(figures: &Figures<'_>, quantity: &Quantity) -> String {
    let value = figures.value(&quantity.name).filter(|_| figures.counts.games >= MIN_GAMES);
    or_dash(value.and_then(|value| match value {
        Value::Share(rate) => Some(fixed(100.0 * rate.share?, 2)),
        Value::Mean(spread) => {
            let Spread { mean, standard_error, .. } = (*spread)?;
            Some(fixed(mean, standard_error.map_or(1, |error| decimals_for(4.0 * error).min(2))))
        }
        Value::Ratio(share) => Some(match (*share)? {
            1.0 => "100".to_owned(),
            0.9995..1.0 => ">99.9".to_owned(),
            share => fixed(100.0 * share, 2),
        }),
        Value::FairKomi(fair) => Some(fair.estimate.texts()[0].clone()),
        Value::Count(count) => Some(group(count)),
    }))
}

/// An interval as short as can be.
fn short(interval: &str) -> String {
    interval.replace(" to ", "..")
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

fn notes(summary: &Summary<'_>) -> String {
    let rows = &summary.runs;
    let level = fixed(100.0 * CONFIDENCE, 0);
    let mut text = format!(
        "fair komi: {ESTIMATE_METHOD}, {level} %; a property of the policy, not of Go\n\
         superko: games in which superko rejected at least one move, {level} % {RATE_METHOD}\n"
    );
    if rows.iter().any(|row| !row.config.rules.ko.is_superko()) {
        text += "* under simple ko: games in which a position repeated\n";
    }
    text +=
        "seki, dead: final positions with such a chain, % games; solved: chains with a proved status, %\n";
    text += &stopped_note(rows);
    if rows.iter().any(|row| row.supply.is_some()) {
        text += "cycle: games that ended as draws because everything was as before, left out like those at the limit\n\
                 no stones: games in which a player had to pass for lack of stones\n";
    }
    let is_small =
        |row: &RunSummary<'_>| row.finished.counts.games < MIN_GAMES && row.finished.unfinished.is_none();
    if rows.iter().any(is_small) {
        let _ = writeln!(text, "{DASH}: fewer than {MIN_GAMES} finished games, too few for an estimate");
    }
    for reason in summary.reasons_for_dashes(columns_with_dashes()) {
        push_wrapped(&mut text, &reason);
    }
    text + &all_alive(summary)
}

/// Appends a sentence in lines of at most [`MAX_WIDTH`] columns; all but the first are indented.
fn push_wrapped(text: &mut String, sentence: &str) {
    let mut width = 0;
    for word in sentence.split(' ') {
        let length = word.chars().count();
        let separator = match width {
            0 => "",
            _ if width + 1 + length > MAX_WIDTH => "\n  ",
            _ => " ",
        };
        width = if separator.len() > 1 { 2 } else { width + separator.len() } + length;
        text.push_str(separator);
        text.push_str(word);
    }
    text.push('\n');
}

/// The columns of quantities: the first line of each heading, and the quantities that share the column.
fn columns_with_dashes() -> Vec<(&'static str, Vec<&'static Quantity>)> {
    let mut columns: Vec<(&str, Vec<&Quantity>)> = Vec::new();
    for quantity in ALL.iter().filter(|quantity| quantity.name != FAIR_KOMI) {
        let (Terminal::Column(heading) | Terminal::WithInterval(heading) | Terminal::Stacked(heading)) =
            quantity.terminal
        else {
            continue;
        };
        let label = heading.lines().next().unwrap_or_default();
        match columns.iter_mut().find(|(found, _)| *found == label) {
            Some((_, quantities)) => quantities.push(quantity),
            None => columns.push((label, vec![quantity])),
        }
    }
    columns
}

/// Writes the fair komi with all stones counted as alive, of each run in which the dead stones make a difference to it.
fn all_alive(summary: &Summary<'_>) -> String {
    let runs = summary.fair_komi_all_alive();
    let line = |(run, [estimate, interval]): &(String, [String; 2])| {
        format!("  {run}: {estimate} ({})\n", short(interval))
    };
    let lines: String = runs.iter().map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    let mut text = String::new();
    push_wrapped(&mut text, ALL_ALIVE_NOTE);
    text + &lines
}

/// Introduces the fair komi with all stones counted as alive.
pub(super) const ALL_ALIVE_NOTE: &str = "stones that are proved dead are removed before the games are counted; with all stones counted as alive the fair komi is:";

fn stopped_note(rows: &[RunSummary<'_>]) -> String {
    let stopped: u64 = rows.iter().map(|row| row.stopped.counts.games).sum();
    if stopped == 0 {
        return String::new();
    }
    let with = |name: &str| -> u64 {
        let rates = rows.iter().filter_map(|row| row.stopped.rate(&format!("{name}_games")));
        rates.map(|rate| rate.count).sum()
    };
    format!(
        "limit: games stopped at the move limit, left out of all columns to the right. Of these {}\n  \
         superko rejected a move in {}, and a position repeated in {}\n",
        quantity(stopped, "game"),
        group(with(SUPERKO_REJECTED)),
        group(with(REPETITIONS))
    )
}

/// Writes the changes from the base of each comparison; nothing where nothing was compared.
fn changes(summary: &Summary<'_>, write: fn(&[Column]) -> String) -> String {
    let mut text = String::new();
    for comparison in &summary.comparisons {
        let RunConfig { size, rules, .. } = comparison.base;
        let _ = writeln!(text, "\nwhat each rule changes: {size}, {}", policy_name(&comparison.base));
        let mut changes: Vec<&RuleChange> = comparison.in_scope(ContrastScope::Base).collect();
        if changes.len() >= MANY_CHANGES {
            changes.retain(|change| change.axes.len() == 1);
        }
        if changes.is_empty() {
            text += "nothing: all rule sets have the same games and results\n";
        } else {
            let _ = writeln!(text, "the same games under {rules} and under:");
            text += &write(&change_columns(&changes));
        }
        text += &left_out(&changes, comparison.games);
        for idle in &comparison.changes_nothing {
            let _ = writeln!(text, "{} changes nothing: {}", idle.axis.name(), idle.reason);
        }
    }
    if !text.is_empty() {
        let _ = writeln!(
            text,
            "changes with 95 % intervals; another result: of games at {}",
            summary.komi_text()
        );
    }
    text
}

/// Writes what stones are worth; nothing where nothing has several handicaps.
fn handicaps(summary: &Summary<'_>, write: fn(&[Column]) -> String) -> String {
    let mut text = String::new();
    for handicaps in summary.handicaps.iter().take(MAX_HANDICAPS) {
        let RunConfig { size, .. } = handicaps.setting;
        let _ = writeln!(text, "\nwhat a stone is worth: {size}, {}", run_name(&handicaps.setting));
        let tables = handicaps.tables().map(|table| write(&columns_of(&table)));
        text += &tables.join("\n");
    }
    if let Some(more @ 1..) = summary.handicaps.len().checked_sub(MAX_HANDICAPS) {
        let _ = writeln!(text, "\nstones.csv has {more} more");
    }
    if !text.is_empty() {
        text += "\n";
        text += stones::NOTE;
    }
    text
}

/// Writes how numbers change with the playouts of a search; nothing where nothing has several.
fn strengths(summary: &Summary<'_>, write: fn(&[Column]) -> String) -> String {
    let mut text = String::new();
    for strength in &summary.strengths {
        let _ = writeln!(text, "\nby strength: {}, {}", size_name(&strength.setting), strength.search());
        let columns = |table| columns_of(table).into_iter().take(Strength::NARROW).collect::<Vec<_>>();
        let tables: Vec<String> = strength.tables().iter().map(|table| write(&columns(table))).collect();
        text += &tables.join("\n");
    }
    if !text.is_empty() {
        text += "\n";
        text += strength::NOTE;
    }
    text
}

/// Says how many games are compared, where some were stopped at the move limit.
fn left_out(changes: &[&RuleChange], games: u64) -> String {
    let compared = || changes.iter().map(|change| change.finished);
    match (compared().min(), compared().max()) {
        (Some(fewest), Some(most)) if fewest < games => {
            let range =
                if fewest == most { group(most) } else { format!("{} to {}", group(fewest), group(most)) };
            let what = format!("{range} of {} games end by the rules before and after", group(games));
            let is_any_compared = changes.iter().any(|change| change.differing.is_some());
            if is_any_compared {
                format!("compared: {what}\n")
            } else {
                format!("not compared: only {what}\n")
            }
        }
        _ => String::new(),
    }
}

fn change_columns(changes: &[&RuleChange]) -> Vec<Column> {
    // An interval stands below its number.
    let stacked = |[change, interval]: [String; 2]| format!("{change}\n{}", short(&interval));
    let each = |show: &dyn Fn(&RuleChange) -> String| changes.iter().map(|change| show(change)).collect();
    let number = |name: &'static str| {
        each(&|change: &RuleChange| {
            change.number(name).map_or_else(String::new, |number| number.text(stacked))
        })
    };
    vec![
        Column::left("rules", each(&|change| change.values(*change.to).replace(" + ", "\n+ "))),
        Column::right("games that\ndiffer, %", each(&|change| change.differing().text(stacked))),
        Column::right("fair komi\npoints", number(FAIR_KOMI)),
        Column::right("margin\npoints", number("margin")),
        Column::right("another\nresult, %", number("other_result")),
        Column::right("length\nplies", number(PLIES)),
    ]
}
