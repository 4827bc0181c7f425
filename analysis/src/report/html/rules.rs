//! What each choice of rules changes.

use super::{Titled, parts::Figure};
use crate::{
    report::{
        changes::{ComparisonSummary, MIN_DIFFERING, Number, RuleChange},
        chart::{Caption, Dot, Dots},
        data_table::DataTable,
        format::{DASH, counted, decimals_for, fixed, grouped, in_per_cent, with_interval},
        naming::size_name,
        summary::Rate,
    },
    rules::ContrastScope,
};

/// The rule sets of one board and policy.
pub(super) struct Compared {
    pub(super) heading: String,
    pub(super) lead: String,
    pub(super) idle: Vec<String>,
    pub(super) figures: Vec<Figure>,
    pub(super) tables: Vec<Titled>,
}

/// One for each comparison of a study.
pub(super) fn compared(comparisons: &[ComparisonSummary]) -> Vec<Compared> {
    let compared = |(index, comparison): (usize, &ComparisonSummary)| Compared {
        heading: format!("{}, {}", size_name(&comparison.base), comparison.base.policy),
        lead: lead(comparison),
        idle: idle(comparison),
        figures: SHOWN.iter().filter_map(|shown| figure(index, comparison, shown)).collect(),
        tables: tables(comparison),
    };
    comparisons.iter().enumerate().map(compared).collect()
}

fn lead(comparison: &ComparisonSummary) -> String {
    format!(
        "{} under each of {} rule sets, with the same random numbers. The base is {}.",
        counted(comparison.games, "game"),
        comparison.rules.len(),
        comparison.base.rules
    )
}

fn idle(comparison: &ComparisonSummary) -> Vec<String> {
    let idle = comparison.changes_nothing.iter();
    idle.map(|idle| format!("The choice of {} changes nothing here: {}.", idle.axis.name(), idle.reason))
        .collect()
}

fn tables(comparison: &ComparisonSummary) -> Vec<Titled> {
    let base = || comparison.of(ContrastScope::Base);
    let note = format!(
        "After the change minus before it, with 95 % interval; without one where fewer than {MIN_DIFFERING} games differ. {DASH}: too few games. \
         A game with a repetition is what a rule of no result might call off."
    );
    let average = "The mean over all pairs of rule sets that differ in this choice alone, each pair counting alike; differences of the same \
                   game are averaged first.";
    let several = |change: &&RuleChange| change.axes.len() > 1;
    let all = [
        (
            "One choice changed, the others as in the base",
            base().filter(|change| !several(change)).collect(),
            note,
        ),
        ("Several choices changed at once", base().filter(several).collect(), String::new()),
        (
            "One choice changed, averaged over the others",
            comparison.of(ContrastScope::Average).collect(),
            average.to_owned(),
        ),
    ];
    let titled = |(title, changes, note): (&str, Vec<&RuleChange>, String)| {
        (!changes.is_empty()).then(|| Titled { note, ..Titled::new(title, table(&changes)) })
    };
    all.into_iter().filter_map(titled).collect()
}

/// A column for each change, a row for each number.
fn table(changes: &[&RuleChange]) -> DataTable {
    let headings: Vec<String> = changes.iter().map(|change| heading(change)).collect();
    let mut table = DataTable::new(1, std::iter::once("").chain(headings.iter().map(String::as_str)));
    let mut push = |name: &str, show: &dyn Fn(&RuleChange) -> String| {
        table.push(std::iter::once(name.to_owned()).chain(changes.iter().map(|change| show(change))));
    };
    push("finished games compared", &|change| grouped(change.finished));
    if changes.iter().any(|change| change.lost_to_cap > 0) {
        push("left out because capped", &|change| grouped(change.lost_to_cap));
    }
    push("games that differ, %", &|change| rate(change.differing));
    for (index, number) in changes[0].numbers.iter().enumerate() {
        if changes.iter().any(|change| change.numbers[index].change.is_some()) {
            push(label(number.name), &|change| cell(&change.numbers[index]));
        }
    }
    table
}

fn heading(change: &RuleChange) -> String {
    let arrow = format!("{} → {}", change.values(change.from), change.values(change.to));
    if change.pairs > 1 { format!("{arrow} (mean of {})", change.pairs) } else { arrow }
}

/// The name and unit of a number for people.
fn label(name: &str) -> &str {
    match name {
        "fair_komi" => "fair komi, points",
        "margin" => "mean margin, points",
        "black_wins" => "Black wins, % of games",
        "other_result" => "games with another result, %",
        "plies" => "length, plies per game",
        "stones_removed" => "stones removed per game",
        "refused_draws" => "refused draws per game",
        "games_with_a_repetition" => "games with a repetition, %",
        other => other,
    }
}

fn rate(rate: Rate) -> String {
    match rate.share {
        Some(share) => joined(100.0 * share, in_per_cent(rate.interval)),
        None => DASH.to_owned(),
    }
}

fn cell(number: &Number) -> String {
    match number.shown() {
        (Some(change), Some(interval)) => joined(change, interval),
        (Some(0.0), None) => "0".to_owned(),
        (Some(change), None) => fixed(change, decimals_for(change.abs())),
        (None, _) => DASH.to_owned(),
    }
}

fn joined(estimate: f64, interval: crate::Interval) -> String {
    let (estimate, interval) = with_interval(estimate, interval);
    format!("{estimate} ({interval})")
}

/// A number whose changes have a picture.
struct Shown {
    name: &'static str,
    title: &'static str,
}

const SHOWN: [Shown; 3] = [
    Shown { name: "fair_komi", title: "Change of the fair komi" },
    Shown { name: "black_wins", title: "Change of Black’s wins" },
    Shown { name: "plies", title: "Change of the length" },
];

/// The change of a number from the base to every other rule set; nothing where fewer than two have an interval.
fn figure(index: usize, comparison: &ComparisonSummary, shown: &Shown) -> Option<Figure> {
    let number =
        |change: &RuleChange| change.numbers.iter().find(|number| number.name == shown.name).cloned();
    let mut table = DataTable::new(2, ["from", "to", label(shown.name)]);
    let mut dots = Vec::new();
    for change in comparison.of(ContrastScope::Base) {
        let Some(number) = number(change) else { continue };
        let (Some(estimate), Some(interval)) = number.shown() else { continue };
        dots.push(Dot { label: change.values(change.to), estimate, interval });
        table.push([change.values(change.from), change.values(change.to), cell(&number)]);
    }
    let text = format!(
        "From {} to the rules named, in the same games, with paired 95 % interval.",
        comparison.base.rules
    );
    let id = format!("rules{}-{}", index + 1, shown.name);
    let caption = Caption { id: &id, title: shown.title, description: &text };
    let x_label = format!("change: {}", label(shown.name));
    let svg = Dots { caption, x_label: &x_label, row_label: "rules", dots: &dots }.draw();
    (dots.len() > 1).then(|| Figure { title: shown.title.to_owned(), text, svg, table })
}
