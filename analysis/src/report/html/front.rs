//! The front of the page: what all runs say, a question at a time. Each question has a paragraph on what its numbers mean and do not mean, a
//! picture of all runs, and their table.

use super::parts::{DataTable, Figure, Group, Titled, komi_cells, per_cent, rate_cells};
use crate::{
    Interval,
    report::{
        chart::{Caption, Dot, Dots, Points, Series, Stack, Stacks},
        format::{DASH, Naming, fixed, grouped, size_name, with_interval},
        quantities::{ALL, BLACK_WINS, JIGO, Quantity, Rule, Section, WHITE_WINS},
        summary::{RATE_METHOD, RunSummary, Value},
    },
    stats::{ESTIMATE_METHOD, MIN_GAMES},
};

/// The most rows of a picture; the table below it has all.
const MAX_ROWS: usize = 24;

/// The runs of a study and what tells them apart.
#[derive(Clone, Copy)]
struct Runs<'a> {
    all: &'a [RunSummary],
    naming: &'a Naming,
}

/// Answers each question; nothing without runs.
pub(super) fn groups(runs: &[RunSummary], naming: &Naming) -> Vec<Group> {
    if runs.is_empty() {
        return Vec::new();
    }
    let runs = Runs { all: runs, naming };
    vec![komi(runs), results(runs), superko(runs), life(runs)]
}

fn komi(runs: Runs<'_>) -> Group {
    let text = "The fair komi is the one at which the policy, playing both sides, wins as often with Black as with White. It describes the policy \
                that played, not the game of Go: stronger players get more out of the first move, so their fair komi is another. What can be \
                compared is how sizes, rules and policies differ.";
    let note = format!(
        "Finished games only, but for the first two columns. Fair komi: {ESTIMATE_METHOD}, 95 %. {DASH}: fewer than {MIN_GAMES} games."
    );
    Group {
        text: text.to_owned(),
        figures: runs.figures(Section::Komi),
        tables: vec![Titled { note, ..runs.table(Section::Komi) }],
        ..Group::new("What komi is fair?")
    }
}

fn results(runs: Runs<'_>) -> Group {
    let komi = runs.all[0].komi.to_string().replace('-', "−");
    let note = format!("Intervals: {RATE_METHOD}, 95 %.");
    Group {
        text: format!(
            "Shares of the finished games that Black wins, White wins and that end in jigo, at komi {komi}. The games were played without \
             regard to the komi; players who know it might choose other moves, and stronger players reach other shares."
        ),
        figures: stacks(runs).into_iter().collect(),
        tables: vec![Titled { note, ..runs.table(Section::Results) }],
        ..Group::new("Who wins?")
    }
}

fn superko(runs: Runs<'_>) -> Group {
    let text = "A move is rejected by superko when the policy sampled it, simple ko allows it and the superko rule forbids it. A repetition is a move \
                that was played and recreated an earlier position, possible under simple ko and, with the other player to move, under \
                situational superko. The two answer different questions and are never added up. They say how often random players of this \
                policy run into the rule, not how often it decides games between people.";
    let note = format!(
        "Games with at least one, because the events of one game are not independent: {RATE_METHOD}, 95 %. {DASH}: the rules leave nothing \
         to count. Cycle lengths and kinds of cycles are in the sections of the runs; candidates forbidden by superko, counted on request, as \
         well."
    );
    Group {
        text: text.to_owned(),
        figures: runs.figures(Section::Superko),
        tables: vec![Titled { note, ..runs.table(Section::Superko) }],
        ..Group::new("How often does superko matter?")
    }
}

fn life(runs: Runs<'_>) -> Group {
    let text = "In final positions a chain is alive when it cannot be captured even if the opponent moves first, in seki when in addition \
                neither it nor an opposing chain beside it can be made safe for good, unsettled when it is captured or saved by whoever moves \
                first, dead when it is captured even if its owner moves first, and ko when that depends on ko threats. Each status has a \
                proof; what has none is unknown and never guessed, so every share is a lower bound, and the share of solved chains stands beside it. \
                How games end belongs to the policy: one that fills dead stones' liberties leaves none behind.";
    let note = format!(
        "Proofs are Benson’s theorem, theorems about eyes and links, and searches of the lines of play that matter. Intervals: {RATE_METHOD}, \
         95 %. {DASH}: no finished games."
    );
    Group {
        text: text.to_owned(),
        figures: runs.figures(Section::Life),
        tables: vec![Titled { note, ..runs.table(Section::Life) }],
        ..Group::new("What is alive at the end?")
    }
}

/// Draws the shares of Black's wins, jigo and White's wins.
fn stacks(runs: Runs<'_>) -> Option<Figure> {
    let title = "Wins of Black, jigo, wins of White";
    let text = runs.and_the_rest("Of 100 finished games. The line in the middle is an even game.");
    let mut stacks = Vec::new();
    for run in runs.all.iter().filter(|run| run.finished.games > 0).take(MAX_ROWS) {
        let share = |name| 100.0 * run.finished.rate(name).and_then(|rate| rate.share).unwrap_or(0.0);
        let parts = [BLACK_WINS, JIGO, WHITE_WINS].map(share);
        stacks.push(Stack { label: runs.naming.short(&run.config), parts });
    }
    let chart = Stacks {
        caption: Caption { id: "front-wins", title, description: &text },
        x_label: "% of finished games",
        parts: ["Black wins", "jigo", "White wins"],
        stacks: &stacks,
    };
    let svg = chart.draw();
    (!stacks.is_empty()).then(|| Figure { title: title.to_owned(), svg, text, table: DataTable::default() })
}

/// The column headings of a quantity.
fn headings(quantity: &Quantity) -> Vec<String> {
    let interval = "95 % interval".to_owned();
    match quantity.rule {
        Rule::FairKomi => vec![quantity.label(), interval, "nearest half-integer".to_owned()],
        Rule::Mean(_) => vec![format!("mean {}", quantity.label()), interval],
        Rule::Share(_) => vec![quantity.label(), interval],
        Rule::MeanOfChains(_) | Rule::Ratio(_) | Rule::Count(_) => vec![quantity.label()],
    }
}

/// The cells below these headings.
fn cells(quantity: &Quantity, value: Option<&Value>) -> Vec<String> {
    let dash = || DASH.to_owned();
    match value {
        None => headings(quantity).iter().map(|_| dash()).collect(),
        Some(Value::FairKomi(fair)) => {
            let half = fair.as_ref().map_or_else(dash, |fair| fair.half.komi.to_string());
            komi_cells(fair.as_deref()).into_iter().chain([half]).collect()
        }
        Some(Value::Share(rate)) => rate_cells(*rate).into_iter().skip(1).collect(),
        Some(Value::Mean(spread)) => match (value.and_then(Value::shown), quantity.has_interval()) {
            (Some((mean, interval)), true) => <[String; 2]>::from(with_interval(mean, interval)).to_vec(),
            (None, true) => vec![dash(), dash()],
            (_, false) => vec![spread.map_or_else(dash, |spread| fixed(spread.mean, 2))],
        },
        Some(Value::Ratio(ratio)) => vec![per_cent(*ratio)],
        Some(Value::Count(count)) => vec![grouped(*count)],
    }
}

impl Runs<'_> {
    /// The quantities that answer a question and apply to any run.
    fn quantities(&self, question: Section) -> impl Iterator<Item = &'static Quantity> {
        ALL.iter().filter(move |quantity| {
            let applies = |run: &RunSummary| (quantity.applies)(&run.config);
            quantity.front == Some(question) && self.all.iter().any(applies)
        })
    }

    /// The values of what varies beside the board.
    fn variant(&self, run: &RunSummary) -> Vec<String> {
        let varying = self.naming.axes().into_iter().filter(|axis| axis.varies());
        varying.map(|axis| axis.of(&run.config)).collect()
    }

    /// A row for each run: its size and variant, then the quantities that answer the question.
    fn table(&self, question: Section) -> Titled {
        let varying = self.naming.axes().into_iter().filter(|axis| axis.varies()).map(|axis| axis.name);
        let words: Vec<&str> = std::iter::once("size").chain(varying).collect();
        let games: &[&str] = if question == Section::Komi { &["games", "stopped, %"] } else { &[] };
        let numbers: Vec<String> = self.quantities(question).flat_map(headings).collect();
        let headings = words.iter().chain(games).copied().chain(numbers.iter().map(String::as_str));
        let mut table = DataTable::new(words.len(), headings);
        for run in self.all {
            let words = std::iter::once(size_name(&run.config)).chain(self.variant(run));
            let games = [grouped(run.games), per_cent(run.stopped_games.share)].into_iter().take(games.len());
            let value = |quantity: &'static Quantity| cells(quantity, run.finished.value(&quantity.name));
            table.push(words.chain(games).chain(self.quantities(question).flat_map(value)));
        }
        Titled::new("All runs", table)
    }

    /// Draws the fair komi and the shares that answer a question, each where a game of any run has it.
    fn figures(&self, question: Section) -> Vec<Figure> {
        let figure = |quantity: &'static Quantity| {
            let has_any =
                |run: &RunSummary| run.finished.rate(&quantity.name).is_none_or(|rate| rate.count > 0);
            let text = match quantity.rule {
                Rule::FairKomi => "In points, with 95 % interval.",
                Rule::Share(_) if self.all.iter().any(has_any) => {
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
        let text = self.and_the_rest(text);
        let title = quantity.title[..1].to_uppercase() + &quantity.title[1..];
        let id = format!("front-{}", quantity.name.replace('_', "-"));
        let svg = self.draw(quantity, Caption { id: &id, title: &title, description: &text })?;
        Some(Figure { title, text, svg, table: DataTable::default() })
    }

    fn draw(&self, quantity: &'static Quantity, caption: Caption<'_>) -> Option<String> {
        let estimate = |run: &RunSummary| run.finished.value(&quantity.name).and_then(Value::shown);
        let shown: Vec<(&RunSummary, (f64, Interval))> =
            self.all.iter().filter_map(|run| Some((run, estimate(run)?))).collect();
        let mut places: Vec<(f64, String)> =
            shown.iter().map(|(run, _)| (side(run), size_name(&run.config))).collect();
        places.sort_by(|one, other| one.0.total_cmp(&other.0));
        // A board and the same one turned have one place.
        places.dedup_by(|next, last| next.0 == last.0);
        let mut names: Vec<String> = Vec::new();
        for (run, _) in &shown {
            let name = self.variant(run).join(", ");
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let label = quantity.label();
        if shown.len() < 2 {
            None
        } else if places.len() > 1 && names.len() <= Points::MAX {
            let series = |name: &String| {
                let of_series = shown.iter().filter(|(run, _)| self.variant(run).join(", ") == *name);
                let mut points: Vec<(f64, f64, Interval)> =
                    of_series.map(|(run, (estimate, interval))| (side(run), *estimate, *interval)).collect();
                points.sort_by(|one, other| one.0.total_cmp(&other.0));
                points
            };
            let series: Vec<Series<'_>> =
                names.iter().map(|name| Series { name, points: series(name) }).collect();
            let chart = Points {
                caption,
                x_label: "board; for a rectangle the square with as many points",
                y_label: &label,
                places: &places,
                series: &series,
            };
            Some(chart.draw())
        } else {
            let dot = |(run, (estimate, interval)): &(&RunSummary, (f64, Interval))| Dot {
                label: self.naming.short(&run.config),
                estimate: *estimate,
                interval: *interval,
            };
            let dots: Vec<Dot> = shown.iter().take(MAX_ROWS).map(dot).collect();
            Some(Dots { caption, x_label: &label, row_label: "", dots: &dots }.draw())
        }
    }

    /// Says which runs only the table has, where a picture has a row for each.
    fn and_the_rest(&self, text: &str) -> String {
        match self.all.len().saturating_sub(MAX_ROWS) {
            0 => text.to_owned(),
            more => format!("{text} Where each run has a row, {more} more are in the table only."),
        }
    }
}

/// The side of a square board with as many points.
fn side(run: &RunSummary) -> f64 {
    (run.config.size.point_count() as f64).sqrt()
}
