//! Whether the counts of a comparison of rules belong together.

use super::{Checked, at_most, check_coverage, check_histogram, equal, require, sum};
use crate::{
    Histogram, MarginCounts,
    rules::{Comparison, ContrastCounts, CountedQuantity, MovedMargins},
};

pub(super) fn check_comparison(comparison: &Comparison) -> Checked {
    let settings = &comparison.configs;
    require(!settings.is_empty(), || "no rule sets".to_owned())?;
    let alike =
        settings.iter().all(|found| crate::RunConfig { rules: settings[0].rules, ..*found } == settings[0]);
    require(alike, || "the settings differ in more than their rules".to_owned())?;
    let expected = Comparison::new(settings);
    require(expected.configs == *settings, || "rule sets are out of order or named twice".to_owned())?;
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
    let repetitions = counts.differences(CountedQuantity::Repetition);
    let most = i64::from(pairs);
    check_histogram("differences in repetition", repetitions, repetitions.count(), Some((-most, most)))?;
    // The margins of several pairs are not kept.
    let none = Histogram::default();
    let margins = if pairs == 1 { counts.differences(CountedQuantity::Margin) } else { &none };
    check_moved(&counts.fallen, margins, Direction::Down)?;
    check_moved(&counts.risen, margins, Direction::Up)
}

/// Whether margins fell or rose.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Down,
    Up,
}

/// Margins that moved in one direction: as many as there are differences of this sign, and the lower ones never above the upper ones.
pub(super) fn check_moved(moved: &MovedMargins, differences: &Histogram, direction: Direction) -> Checked {
    let (sign, lower, upper) = match direction {
        Direction::Down => (-1, moved.after.histogram(), moved.before.histogram()),
        Direction::Up => (1, moved.before.histogram(), moved.after.histogram()),
    };
    let of_sign = differences.iter().filter(|&(difference, _)| difference.signum() == sign);
    let expected = sum(of_sign.map(|(_, games)| games));
    equal("moved margins before", moved.before.games(), expected)?;
    equal("moved margins after", moved.after.games(), expected)?;
    let mut below = 0;
    for (value, games) in upper {
        below += games;
        // Each game at or below this value by its upper margin is below it by the lower one.
        let lower_below: i128 = sum(lower.iter().filter(|&(other, _)| other < value).map(|(_, games)| games));
        at_most("upper margins", below, lower_below)?;
    }
    Ok(())
}
