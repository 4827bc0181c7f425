//! `rules.csv`: one row for each number that a change of rules moves.

use jigo_selfplay::fingerprint::rules_fingerprint;

use super::Sheet;
use crate::report::{
    changes::{ComparisonSummary, Idle, Number, RuleChange, SHARE},
    summary::{RATE_METHOD, Rate},
};

pub(super) fn sheet(comparisons: &[ComparisonSummary]) -> Vec<u8> {
    let mut sheet = Sheet::new(&[
        "rules_fingerprint",
        "scope",
        "choices",
        "from",
        "to",
        "pairs",
        "finished_games",
        "lost_to_cap",
        "quantity",
        "unit",
        "change",
        "lower_95",
        "upper_95",
        "method",
    ]);
    for comparison in comparisons {
        for idle in &comparison.changes_nothing {
            push(&mut sheet, comparison, idle_fields(comparison, idle));
        }
        for change in &comparison.changes {
            let differing = games_that_differ(change.differing);
            for number in std::iter::once(&differing).chain(&change.numbers) {
                push(&mut sheet, comparison, fields(change, number));
            }
        }
    }
    sheet.bytes()
}

/// Adds a row, with the fingerprint of the base's rules behind the setting.
fn push(sheet: &mut Sheet, comparison: &ComparisonSummary, fields: [String; 13]) {
    let fingerprint = rules_fingerprint(comparison.base.rules);
    sheet.cell_row(&comparison.base, std::iter::once(fingerprint).chain(fields));
}

fn games_that_differ(rate: Rate) -> Number {
    Number {
        name: "games_that_differ",
        unit: SHARE,
        change: rate.share,
        interval: rate.share.map(|_| rate.interval),
        method: RATE_METHOD,
    }
}

fn fields(change: &RuleChange, number: &Number) -> [String; 13] {
    let or_empty = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    [
        change.scope.name().to_owned(),
        change.axes.iter().map(|axis| axis.name()).collect::<Vec<_>>().join("+"),
        change.values(change.from),
        change.values(change.to),
        change.pairs.to_string(),
        change.finished.to_string(),
        change.lost_to_cap.to_string(),
        number.name.to_owned(),
        number.unit.to_owned(),
        or_empty(number.change),
        or_empty(number.interval.map(|interval| interval.lower)),
        or_empty(number.interval.map(|interval| interval.upper)),
        number.method.to_owned(),
    ]
}

/// A choice that changes nothing: zero, and the reason in place of a method.
fn idle_fields(comparison: &ComparisonSummary, idle: &Idle) -> [String; 13] {
    let mut fields = [const { String::new() }; 13];
    fields[0] = "none".to_owned();
    fields[1] = idle.axis.name().to_owned();
    fields[2] = idle.axis.value(comparison.base.rules);
    fields[7] = "games_that_differ".to_owned();
    fields[8] = SHARE.to_owned();
    fields[9] = "0".to_owned();
    fields[12] = idle.reason.to_owned();
    fields
}
