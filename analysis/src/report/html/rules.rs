//! What each choice of rules changes.

use super::parts::{DataTable, Figure};
use crate::{
    report::{
        chart::{Dot, Dots},
        format::{DASH, cells, group, policy_name, quantity, size_name},
        quantities::{BLACK_WINS, FAIR_KOMI, PLIES},
        rule_changes::{ComparisonSummary, MIN_DIFFERING, Number, RuleChange},
    },
    rules::ContrastScope,
};

/// The rule sets of one board and policy.
pub(super) struct Compared {
    pub(super) heading: String,
    pub(super) lead: String,
    pub(super) idle: Vec<String>,
    pub(super) figures: Vec<Figure>,
    pub(super) tables: Vec<DataTable>,
}

/// Returns one for each comparison of a study.
pub(super) fn compared(comparisons: &[ComparisonSummary]) -> Vec<Compared> {
    let compared = |(index, comparison): (usize, &ComparisonSummary)| {
        let idle = comparison.changes_nothing.iter();
        let idle = idle
            .map(|idle| format!("The choice of {} changes nothing here: {}.", idle.axis.name(), idle.reason));
        Compared {
            heading: format!("{}, {}", size_name(&comparison.base), policy_name(&comparison.base)),
            lead: format!(
                "{} under each of {} rule sets, with the same random numbers. The base is {}.",
                quantity(comparison.games, "game"),
                comparison.rules.len(),
                comparison.base.rules
            ),
            idle: idle.collect(),
            figures: DRAWN.into_iter().filter_map(|drawn| figure(index, comparison, drawn)).collect(),
            tables: tables(comparison),
        }
    };
    comparisons.iter().enumerate().map(compared).collect()
}

fn tables(comparison: &ComparisonSummary) -> Vec<DataTable> {
    let note = format!(
        "After the change minus before it, with 95 % interval; without one where fewer than {MIN_DIFFERING} games differ. {DASH}: too few games. \
         A game with a repetition is what a rule of no result might call off."
    );
    let average = "The mean over all pairs of rule sets that differ in this choice alone, each pair counting alike; differences of the same \
                   game are averaged first.";
    let base = comparison.in_scope(ContrastScope::Base);
    let (one, several) = base.partition(|change: &&RuleChange| change.axes.len() == 1);
    let averages = comparison.in_scope(ContrastScope::Average).collect();
    let titled = |title, changes: Vec<&RuleChange>, note: &str| {
        (!changes.is_empty()).then(|| table(&changes).titled(title, note))
    };
    let tables = [
        titled("One choice changed, the others as in the base", one, &note),
        titled("Several choices changed at once", several, ""),
        titled("One choice changed, averaged over the others", averages, average),
    ];
    tables.into_iter().flatten().collect()
}

/// A column for each change, a row for each number.
fn table(changes: &[&RuleChange]) -> DataTable {
    let headings = changes.iter().map(|change| heading(change));
    let mut table = DataTable::new(1, std::iter::once(String::new()).chain(headings));
    let mut push = |name: &str, show: &dyn Fn(&RuleChange) -> String| {
        table.push(std::iter::once(name.to_owned()).chain(changes.iter().map(|change| show(change))));
    };
    push("finished games compared", &|change| group(change.finished));
    if changes.iter().any(|change| change.stopped > 0) {
        push("left out because stopped at the move limit", &|change| group(change.stopped));
    }
    push("games that differ, %", &|change| text(&change.differing()));
    for (index, number) in changes[0].numbers.iter().enumerate() {
        if changes.iter().any(|change| change.numbers[index].change.is_some()) {
            push(&number.label(), &|change| text(&change.numbers[index]));
        }
    }
    table
}

fn heading(change: &RuleChange) -> String {
    let arrow = format!("{} → {}", change.values(*change.from), change.values(*change.to));
    if change.pairs > 1 { format!("{arrow} (mean of {})", change.pairs) } else { arrow }
}

fn text(number: &Number) -> String {
    number.text(|[change, interval]| format!("{change} ({interval})"))
}

/// The numbers whose changes have a picture, with its title.
const DRAWN: [(&str, &str); 3] = [
    (FAIR_KOMI, "Change of the fair komi"),
    (BLACK_WINS, "Change of Black’s wins"),
    (PLIES, "Change of the length"),
];

/// Draws the change of a number from the base to every other rule set; nothing where fewer than two have an interval.
fn figure(index: usize, comparison: &ComparisonSummary, (name, title): (&str, &str)) -> Option<Figure> {
    let of_base = || comparison.in_scope(ContrastScope::Base);
    let label = of_base().find_map(|change| change.number(name))?.label();
    let mut table = DataTable::new(2, ["from", "to", &label]);
    let mut dots: Vec<Dot> = Vec::new();
    for change in of_base() {
        let Some(number) = change.number(name) else { continue };
        let Some(shown) = number.shown() else { continue };
        dots.push((change.values(*change.to), shown));
        table.push(cells![change.values(*change.from), change.values(*change.to), text(number)]);
    }
    let about = format!(
        "From {} to the rules named, in the same games, with paired 95 % interval.",
        comparison.base.rules
    );
    let chart = Dots { x_label: &format!("change: {label}"), row_label: "rules", dots: &dots };
    let id = format!("rules{}-{name}", index + 1);
    (dots.len() > 1).then(|| Figure::new(&id, title, about, &chart, table))
}
