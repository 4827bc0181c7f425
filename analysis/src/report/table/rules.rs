//! What each rule changes, for a terminal.

use std::fmt::Write as _;

use jigo_engine::Komi;

use super::{Column, draw, joined, lines};
use crate::{
    Study,
    report::{
        changes::{ComparisonSummary, Number, RuleChange, summaries},
        format::{DASH, decimals_for, fixed, in_per_cent},
    },
    rules::ContrastScope,
};

/// From so many changes on, only those of one choice are shown.
const MANY: usize = 7;

/// How the changes are laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Table,
    Lines,
}

/// The changes from the base of each comparison; empty where nothing was compared.
pub(super) fn text(study: &Study, komi: Komi, shape: Shape) -> String {
    let mut text = String::new();
    for comparison in summaries(study, komi) {
        text += "\nwhat each rule changes";
        let _ = writeln!(text, ": {}, {}", comparison.base.size, comparison.base.policy);
        let _ = writeln!(text, "the same games under {} and under:", comparison.base.rules);
        let changes = shown(&comparison);
        if !changes.is_empty() {
            text += &match shape {
                Shape::Table => draw(&columns(&changes)),
                Shape::Lines => lines(&columns(&changes)),
            };
        }
        text += &left_out(&changes, comparison.games);
        for idle in &comparison.changes_nothing {
            let _ = writeln!(text, "{} changes nothing: {}", idle.axis.name(), idle.reason);
        }
    }
    if !text.is_empty() {
        let _ = writeln!(text, "changes with 95 % intervals; another result: of games at komi {komi}");
    }
    text
}

/// How many games are compared, where the ply cap cut some off.
fn left_out(changes: &[&RuleChange], games: u64) -> String {
    let compared = || changes.iter().map(|change| change.finished);
    match (compared().min(), compared().max()) {
        (Some(fewest), Some(most)) if fewest < games => {
            let range = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
            format!("compared: the {range} of {games} games that end by the rules before and after\n")
        }
        _ => String::new(),
    }
}

fn shown(comparison: &ComparisonSummary) -> Vec<&RuleChange> {
    let mut changes: Vec<&RuleChange> = comparison.of(ContrastScope::Base).collect();
    if changes.len() >= MANY {
        changes.retain(|change| change.axes.len() == 1);
    }
    changes
}

fn columns(changes: &[&RuleChange]) -> Vec<Column> {
    let each = |show: &dyn Fn(&RuleChange) -> String| changes.iter().map(|change| show(change)).collect();
    let number = |name: &'static str| {
        each(&|change: &RuleChange| {
            change.numbers.iter().find(|number| number.name == name).map_or_else(String::new, cell)
        })
    };
    vec![
        Column::left("rules", each(&|change| change.values(change.to).replace(" + ", "\n+ "))),
        Column::right("games that\ndiffer, %", each(&differing)),
        Column::right("fair komi\npoints", number("fair_komi")),
        Column::right("margin\npoints", number("margin")),
        Column::right("another\nresult, %", number("other_result")),
        Column::right("length\nplies", number("plies")),
    ]
}

fn differing(change: &RuleChange) -> String {
    let rate = change.differing;
    let Some(share) = rate.share else { return DASH.to_owned() };
    let (share, interval) = joined(100.0 * share, in_per_cent(rate.interval));
    format!("{share}\n{interval}")
}

/// A change with its interval below it.
fn cell(number: &Number) -> String {
    match number.shown() {
        (Some(change), Some(interval)) => {
            let (change, interval) = joined(change, interval);
            format!("{change}\n{interval}")
        }
        (Some(0.0), None) => "0".to_owned(),
        (Some(change), None) => fixed(change, decimals_for(change.abs())),
        (None, _) => DASH.to_owned(),
    }
}
