//! The front of the page: what all runs say, a question at a time. Each question has a paragraph on what its numbers mean and do not mean, a
//! picture of all runs, and their table.

use super::parts::{DataTable, Figure, Group, per_cent};
use crate::{
    report::{
        chart::{Chart, Dot, Dots, Points, Stack, Stacks},
        format::{DASH, estimate_cells, fixed, group, minus_signs, or_dash, size_name},
        quantities::{ALL, BLACK_WINS, JIGO, Quantity, Rule, Section, WHITE_WINS},
        summary::{RATE_METHOD, RunSummary, Summary, Value},
    },
    stats::{ESTIMATE_METHOD, Estimate},
};

/// The most rows of a picture; the table below it has all.
const MAX_ROWS: usize = 24;

/// Answers each question, of which the template says what its numbers mean and do not mean; nothing without runs.
pub(super) fn groups(summary: &Summary<'_>) -> Vec<Group> {
    if summary.runs.is_empty() {
        return Vec::new();
    }
    let group = |section, heading, note: String| {
        let figures = match section {
            Section::Results => stacks(summary).into_iter().collect(),
            _ => summary.figures(section),
        };
        let columns = summary.quantities(section).map(|quantity| (quantity.title.as_str(), vec![quantity]));
        let reasons = summary.reasons_for_dashes(columns).into_iter().map(|reason| format!(" {reason}."));
        let tables = vec![summary.table(section).titled("All runs", note + &reasons.collect::<String>())];
        Group { figures, tables, ..Group::new(heading) }
    };
    let all_alive = summary.fair_komi_all_alive().into_iter();
    let all_alive: Vec<String> =
        all_alive.map(|(run, [estimate, interval])| format!("{run}: {estimate} ({interval})")).collect();
    let dead = if all_alive.is_empty() {
        String::new()
    } else {
        let all_alive = minus_signs(&all_alive.join("; "));
        format!(
            " Stones that are proved dead are removed first; with all stones counted as alive the fair komi is: {all_alive}."
        )
    };
    let komi = format!(
        "Finished games only, but for the first two columns. Fair komi: {ESTIMATE_METHOD}, 95 %.{dead}"
    );
    let results = format!("Intervals: {RATE_METHOD}, 95 %.");
    let superko = format!(
        "Games with at least one, because the events of one game are not independent: {RATE_METHOD}, 95 %. \
         Cycle lengths and kinds of cycles are in the sections of the runs; candidates forbidden by superko, counted on request, as \
         well."
    );
    let life = format!(
        "Proofs are Benson’s theorem, theorems about eyes and links, and searches of the lines of play that matter. Intervals: {RATE_METHOD}, \
         95 %."
    );
    vec![
        group(Section::Komi, "What komi is fair?", komi),
        group(Section::Results, "Who wins?", results),
        group(Section::Superko, "How often does superko matter?", superko),
        group(Section::Life, "What is alive at the end?", life),
    ]
}

/// Draws the shares of Black's wins, jigo and White's wins.
fn stacks(summary: &Summary<'_>) -> Option<Figure> {
    let text = summary.and_the_rest("Of 100 finished games. The line in the middle is an even game.");
    let mut stacks: Vec<Stack> = Vec::new();
    for run in summary.runs.iter().filter(|run| run.finished.rate(BLACK_WINS).is_some()).take(MAX_ROWS) {
        let share = |name| 100.0 * run.finished.rate(name).and_then(|rate| rate.share).unwrap_or(0.0);
        let parts = [BLACK_WINS, JIGO, WHITE_WINS].map(share);
        stacks.push((summary.naming.short(&run.config), parts));
    }
    let chart = Stacks {
        x_label: "% of finished games",
        parts: ["Black wins", "jigo", "White wins"],
        stacks: &stacks,
    };
    let title = "Wins of Black, jigo, wins of White";
    (!stacks.is_empty()).then(|| Figure::new("front-wins", title, text, &chart, DataTable::default()))
}

/// The columns of a quantity: their headings, and the cells of a run with this value.
fn columns(quantity: &Quantity, value: Option<&Value>) -> Vec<(String, String)> {
    let [estimate, interval] = estimate_cells(value.and_then(Value::shown));
    let (label, interval) = (quantity.label(), ("95 % interval".to_owned(), interval));
    let plain = match value {
        Some(Value::FairKomi(fair)) => fair.half.komi.to_string(),
        Some(Value::Mean(spread)) => or_dash(spread.map(|spread| fixed(spread.mean, 2))),
        Some(Value::Ratio(ratio)) => per_cent(*ratio),
        Some(Value::Count(count)) => group(*count),
        Some(Value::Share(_)) | None => DASH.to_owned(),
    };
    match quantity.rule {
        Rule::FairKomi(_) => vec![(label, estimate), interval, ("nearest half-integer".to_owned(), plain)],
        Rule::Mean(_) => vec![(format!("mean {label}"), estimate), interval],
        Rule::Share(_) => vec![(label, estimate), interval],
        Rule::MeanOfChains(_) | Rule::Ratio(_) | Rule::Count(_) => vec![(label, plain)],
    }
}

/// The front's view of a summary.
impl Summary<'_> {
    /// The quantities that answer a question and are counted in any run.
    fn quantities(&self, question: Section) -> impl Iterator<Item = &'static Quantity> {
        ALL.iter().filter(move |quantity| {
            let is_counted = |run: &RunSummary<'_>| (quantity.not_counted)(&run.config).is_none();
            quantity.front == Some(question) && self.runs.iter().any(is_counted)
        })
    }

    /// The values of what varies beside the board.
    fn variant(&self, run: &RunSummary<'_>) -> Vec<String> {
        self.naming.varying().map(|axis| (axis.of)(&run.config)).collect()
    }

    /// A row for each run: its size and variant, then the quantities that answer the question.
    fn table(&self, question: Section) -> DataTable {
        let varying = self.naming.varying().map(|axis| axis.name);
        let words: Vec<&str> = std::iter::once("size").chain(varying).collect();
        let games: &[&str] = if question == Section::Komi { &["games", "stopped, %"] } else { &[] };
        let numbers = self.quantities(question).flat_map(|quantity| columns(quantity, None));
        let headings = words.iter().chain(games).map(|word| (*word).to_owned());
        let headings = headings.chain(numbers.map(|(heading, _)| heading));
        let mut table = DataTable::new(words.len(), headings);
        for run in &self.runs {
            let words = std::iter::once(size_name(&run.config)).chain(self.variant(run));
            let games = [group(run.games), per_cent(run.stopped_games.share)].into_iter().take(games.len());
            let columns = |quantity: &'static Quantity| columns(quantity, run.finished.value(&quantity.name));
            let numbers = self.quantities(question).flat_map(columns).map(|(_, cell)| cell);
            table.push(words.chain(games).chain(numbers));
        }
        table
    }

    /// Draws the fair komi and the shares that answer a question, each where a game of any run has it.
    fn figures(&self, question: Section) -> Vec<Figure> {
        let figure = |quantity: &'static Quantity| {
            let has_any =
                |run: &RunSummary<'_>| run.finished.rate(&quantity.name).is_some_and(|rate| rate.count > 0);
            let text = match quantity.rule {
                Rule::FairKomi(_) => "In points, with 95 % interval.",
                Rule::Share(_) if self.runs.iter().any(has_any) => {
                    "Of 100 finished games, with exact 95 % interval."
                }
                _ => return None,
            };
            self.figure(quantity, text)
        };
        self.quantities(question).filter_map(figure).collect()
    }

    /// Draws a quantity of every run: over the size of the board where sizes vary, else one run below the other. Nothing for fewer than two numbers,
    /// which need no picture.
    fn figure(&self, quantity: &'static Quantity, text: &str) -> Option<Figure> {
        let estimate = |run: &RunSummary<'_>| run.finished.value(&quantity.name).and_then(Value::shown);
        let shown: Vec<(&RunSummary<'_>, Estimate)> =
            self.runs.iter().filter_map(|run| Some((run, estimate(run)?))).collect();
        if shown.len() < 2 {
            return None;
        }
        let place = |(run, _): &(&RunSummary<'_>, Estimate)| (side(run), size_name(&run.config));
        let mut places: Vec<(f64, String)> = shown.iter().map(place).collect();
        places.sort_by(|one, other| one.0.total_cmp(&other.0));
        // A board and the same one turned have one place.
        places.dedup_by(|next, last| next.0 == last.0);
        let series = self.series(&shown);
        let label = quantity.label();
        let (points, dots);
        let chart: &dyn Chart = if places.len() > 1 && series.len() <= Points::MAX {
            let x_label = "board; for a rectangle the square with as many points";
            points =
                Points { x_label, y_label: &label, places: &places, series: &series, level: 0.0, known: &[] };
            &points
        } else {
            let shown = shown.iter().take(MAX_ROWS);
            dots = shown.map(|(run, shown)| (self.naming.short(&run.config), *shown)).collect::<Vec<Dot>>();
            &Dots { x_label: &label, row_label: "", dots: &dots }
        };
        let title = quantity.title[..1].to_uppercase() + &quantity.title[1..];
        let id = format!("front-{}", quantity.name.replace('_', "-"));
        Some(Figure::new(&id, title, self.and_the_rest(text), chart, DataTable::default()))
    }

    /// Returns the numbers by the side of the board, for each variant in order of appearance.
    fn series(&self, shown: &[(&RunSummary<'_>, Estimate)]) -> Vec<(String, Vec<(f64, Estimate)>)> {
        let mut all: Vec<(String, Vec<(f64, Estimate)>)> = Vec::new();
        for (run, estimate) in shown {
            let name = self.variant(run).join(", ");
            let point = (side(run), *estimate);
            match all.iter_mut().find(|(found, _)| *found == name) {
                Some((_, points)) => points.push(point),
                None => all.push((name, vec![point])),
            }
        }
        all.iter_mut().for_each(|(_, points)| points.sort_by(|one, other| one.0.total_cmp(&other.0)));
        all
    }

    /// Says which runs only the table has, where a picture has a row for each.
    fn and_the_rest(&self, text: &str) -> String {
        match self.runs.len().saturating_sub(MAX_ROWS) {
            0 => text.to_owned(),
            more => format!("{text} Where each run has a row, {more} more are in the table only."),
        }
    }
}

/// The side of a square board with as many points.
fn side(run: &RunSummary<'_>) -> f64 {
    (run.config.size.point_count() as f64).sqrt()
}
