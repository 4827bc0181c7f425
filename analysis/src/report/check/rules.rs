//! Whether the counts of a comparison of rules belong together.

use super::{Checked, at_most, check_coverage, check_histogram, equal, require, sum};
use crate::{Comparison, ContrastCounts, Histogram, MarginCounts, MovedMargins, Quantity};

pub(super) fn check_comparison(comparison: &Comparison) -> Checked {
    let settings = &comparison.settings;
    require(!settings.is_empty(), || "no rule sets".to_owned())?;
    let alike =
        settings.iter().all(|found| crate::Setting { rules: settings[0].rules, ..*found } == settings[0]);
    require(alike, || "the settings differ in more than their rules".to_owned())?;
    let expected = Comparison::new(settings);
    require(expected.settings == *settings, || "rule sets are out of order or named twice".to_owned())?;
    equal("variants", comparison.groups.len() as i128, expected.groups.len() as i128)?;
    equal("contrasts", comparison.counts.len() as i128, expected.counts.len() as i128)?;
    let ranges = comparison.coverage.ranges();
    let games: i128 = ranges.map(|(_, first, end)| i128::from(end) - i128::from(first)).sum();
    check_coverage(&comparison.coverage, games)?;
    at_most("games compared", games, Histogram::MAX_READ)?;
    for (groups, expected) in comparison.groups.iter().zip(&expected.groups) {
        equal("groups of games", groups.len() as i128, expected.len() as i128)?;
        at_most("games in groups", sum(groups.iter().map(MarginCounts::games)), games)?;
    }
    for (contrast, counts) in comparison.contrasts() {
        let pairs = i32::try_from(contrast.pair_count()).unwrap_or(i32::MAX);
        equal("games of a contrast", i128::from(counts.finished) + i128::from(counts.lost_to_cap), games)?;
        check_counts(counts, pairs)?;
    }
    Ok(())
}

fn check_counts(counts: &ContrastCounts, pairs: i32) -> Checked {
    at_most("games that differ", counts.differing, counts.finished)?;
    for histogram in &counts.differences {
        at_most("games that differ in a quantity", histogram.count(), counts.differing)?;
        equal("differences of 0", histogram.count_of(0), 0)?;
    }
    let repetitions = counts.differences(Quantity::Repetition);
    let most = i64::from(pairs);
    check_histogram("differences in repetition", repetitions, repetitions.count(), Some((-most, most)))?;
    let margins = counts.differences(Quantity::Margin);
    for (moved, is_risen) in [(&counts.fallen, false), (&counts.risen, true)] {
        check_moved(moved, margins, is_risen, pairs)?;
    }
    Ok(())
}

/// Margins that moved in one direction: as many as there are differences of this sign, and the lower ones never above the upper ones.
pub(super) fn check_moved(moved: &MovedMargins, margins: &Histogram, is_risen: bool, pairs: i32) -> Checked {
    let of_sign = margins.iter().filter(|&(difference, _)| (difference > 0) == is_risen);
    let expected = if pairs == 1 { sum(of_sign.map(|(_, games)| games)) } else { 0 };
    equal("moved margins before", moved.before.games(), expected)?;
    equal("moved margins after", moved.after.games(), expected)?;
    let (lower, upper) = if is_risen { (&moved.before, &moved.after) } else { (&moved.after, &moved.before) };
    let (lower, upper) = (lower.histogram(), upper.histogram());
    let mut below = 0;
    for (value, games) in upper {
        below += games;
        // Each game at or below this value by its upper margin is below it by the lower one.
        let lower_below: i128 = sum(lower.iter().filter(|&(other, _)| other < value).map(|(_, games)| games));
        at_most("upper margins", below, lower_below)?;
    }
    Ok(())
}
