//! Whether the counts of a study that was read belong together.
//!
//! A study from a file may be damaged or made up. After these checks no arithmetic on it can overflow, no vector is too short, and every
//! share lies between 0 and 1.

use jigo_engine::{Color, Counting};

use super::{examples::kept, json::ReadStudyError};
use crate::{
    Coverage, Histogram, MarginCounts, RunStats, Study,
    study::{EventCounts, Measures, Occurrence},
};

mod rules;
mod status;

/// Why a cell or a comparison is refused.
type Checked = Result<(), String>;

pub(super) fn check(study: &Study) -> Result<(), ReadStudyError> {
    for (index, cell) in study.cells.iter().enumerate() {
        let ordered = index == 0 || study.cells[index - 1].config < cell.config;
        require(ordered, || "its setting does not come after the one before it".to_owned())
            .and_then(|()| check_cell(cell))
            .map_err(|reason| ReadStudyError::Inconsistent { cell: index + 1, reason })?;
    }
    for (index, comparison) in study.comparisons.iter().enumerate() {
        let ordered = index == 0 || study.comparisons[index - 1].configs < comparison.configs;
        require(ordered, || "its settings do not come after those before it".to_owned())
            .and_then(|()| rules::check_comparison(comparison))
            .map_err(|reason| ReadStudyError::Comparison { comparison: index + 1, reason })?;
    }
    Ok(())
}

fn require(holds: bool, reason: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(reason()) }
}

/// Counts that must be equal.
fn equal(what: &str, found: impl Into<i128>, expected: impl Into<i128>) -> Checked {
    let (found, expected) = (found.into(), expected.into());
    require(found == expected, || format!("{what}: found {found}, expected {expected}"))
}

/// Counts of which the first may not exceed the second.
fn at_most(what: &str, found: impl Into<i128>, limit: impl Into<i128>) -> Checked {
    let (found, limit) = (found.into(), limit.into());
    require(found <= limit, || format!("{what}: found {found}, more than {limit}"))
}

fn sum(counts: impl Iterator<Item = u64>) -> i128 {
    counts.map(i128::from).sum()
}

/// As [`equal`] for the number of values and, where given, their range.
fn check_histogram(what: &str, values: &Histogram, count: u64, range: Option<(i64, i64)>) -> Checked {
    equal(what, values.count(), count)?;
    let (Some((low, high)), Some(min), Some(max)) = (range, values.min(), values.max()) else {
        return Ok(());
    };
    require(low <= min.into() && i64::from(max) <= high, || {
        format!("{what}: values from {min} to {max}, possible are {low} to {high}")
    })
}

fn check_cell(cell: &RunStats) -> Checked {
    let games = i128::from(cell.finished.games) + i128::from(cell.capped.games);
    check_coverage(&cell.coverage, games)?;
    let capped_plies = &cell.capped.plies;
    let cap = i64::from(cell.config.ply_cap);
    require(capped_plies.iter().all(|(plies, _)| i64::from(plies) == cap), || {
        "capped games have another length than the ply cap".to_owned()
    })?;
    for (what, measures) in [("finished games", &cell.finished), ("capped games", &cell.capped)] {
        check_measures(cell, measures).map_err(|reason| format!("{what}: {reason}"))?;
    }
    Ok(())
}

fn check_coverage(coverage: &Coverage, games: i128) -> Checked {
    let mut covered = 0;
    let mut last: Option<(u64, u64)> = None;
    for (seed, first, end) in coverage.ranges() {
        let apart = last.is_none_or(|(last_seed, last_end)| last_seed != seed || last_end < first);
        require(first < end && apart, || format!("seed {seed}: game ranges overlap or are out of order"))?;
        covered += i128::from(end - first);
        last = Some((seed, end));
    }
    equal("games measured, against games played", games, covered)
}

fn check_measures(cell: &RunStats, measures: &Measures) -> Checked {
    let (setting, games) = (&cell.config, measures.games);
    require(measures.size() == setting.size, || {
        format!("measured on {}, played on {}", measures.size(), setting.size)
    })?;
    let points = setting.size.point_count() as i64;
    let plies = i64::from(setting.ply_cap);
    let most = match setting.rules.counting {
        Counting::Area => points,
        // Each prisoner was a ply.
        Counting::Territory => points + plies,
    };
    check_histogram("margins", measures.margins.histogram(), games, Some((-most, most)))?;
    check_histogram("plies", &measures.plies, games, Some((0, plies)))?;
    check_histogram("passes", &measures.passes, games, Some((0, plies)))?;
    check_histogram("neutral points", &measures.neutral, games, Some((0, points)))?;
    let removed = Some((0, i64::from(i32::MAX)));
    check_histogram("black stones removed", &measures.captures.black, games, removed)?;
    check_histogram("white stones removed", &measures.captures.white, games, removed)?;
    check_lengths(measures)?;
    check_first_moves(measures)?;
    check_ownership(measures)?;
    let superko = &measures.superko;
    check_events("refused draws", &superko.refused_draws, games, plies)?;
    check_events("repetitions", &superko.repetitions, games, plies)?;
    check_events("forbidden candidates", &superko.forbidden_candidates, games, plies)?;
    check_examples(cell, measures)?;
    status::check_status(&measures.status, games, points)
}

fn check_examples(cell: &RunStats, measures: &Measures) -> Checked {
    kept(measures).into_iter().try_for_each(|choice| {
        let Occurrence { source, index } = choice.game;
        let is_covered = choice.game.run_seed().is_some_and(|seed| cell.coverage.contains(seed, *index));
        require(is_covered, || format!("examples: game {index} of `{source}` was not played"))
    })
}

fn check_lengths(measures: &Measures) -> Checked {
    let classes = &measures.margins_by_length;
    let expected = Measures::new(measures.size()).margins_by_length;
    require(classes.iter().map(|(class, _)| class).eq(expected.iter().map(|(class, _)| class)), || {
        "classes of length: not those of this version".to_owned()
    })?;
    let parts = classes.iter().map(|(_, margins)| margins);
    check_parts("margins by length", parts, &measures.margins)
}

/// Margins that together must be all margins.
fn check_parts<'a>(
    what: &str,
    parts: impl Iterator<Item = &'a MarginCounts> + Clone,
    whole: &MarginCounts,
) -> Checked {
    // Before merging, which would overflow.
    equal(what, sum(parts.clone().map(MarginCounts::games)), whole.games())?;
    let mut merged = MarginCounts::new();
    parts.for_each(|margins| merged.merge(margins));
    require(merged == *whole, || format!("{what}: not the margins of all games"))
}

fn check_first_moves(measures: &Measures) -> Checked {
    let moves = &measures.first_moves;
    let expected = Measures::new(measures.size()).first_moves;
    equal("first moves listed", moves.games.len() as i128, expected.games.len() as i128)?;
    let representatives = moves.classes.iter().map(|class| class.representative);
    require(representatives.eq(expected.classes.iter().map(|class| class.representative)), || {
        "first moves: not the classes of this board".to_owned()
    })?;
    let begun = sum(moves.games.iter().copied());
    equal("games by first move", sum(moves.classes.iter().map(|class| class.margins.games())), begun)?;
    at_most("games by first move", begun, measures.games)
}

fn check_ownership(measures: &Measures) -> Checked {
    let [black, white] = Color::BOTH.map(|color| measures.ownership.counts(color));
    let points = measures.size().point_count() as i128;
    equal("points of black ownership", black.len() as i128, points)?;
    equal("points of white ownership", white.len() as i128, points)?;
    let owned = black.iter().zip(&white).map(|(&black, &white)| i128::from(black) + i128::from(white));
    at_most("owners of a point", owned.max().unwrap_or(0), measures.games)
}

fn check_events(what: &str, events: &EventCounts, games: u64, plies: i64) -> Checked {
    let within = |part: &str| format!("{what}: {part}");
    at_most(what, events.games, games)?;
    check_histogram(
        &within("events per game"),
        &events.per_game,
        events.games,
        Some((1, i64::from(i32::MAX))),
    )?;
    equal(&within("events"), events.per_game.sum(), events.events)?;
    check_histogram(&within("events by ply"), &events.by_ply, events.events, Some((0, plies)))?;
    let cycles = || events.by_cycle.values();
    let by_cycle = sum(cycles().map(|cycle| cycle.balanced)) + sum(cycles().map(|cycle| cycle.unbalanced));
    equal(&within("events by cycle length"), by_cycle, events.events)?;
    for cycle in cycles() {
        let parts = [cycle.with_pass, cycle.same_player, cycle.games];
        at_most(&within("events of a cycle length"), parts.into_iter().max().unwrap_or(0), cycle.events())?;
        at_most(&within("games with a cycle length"), cycle.games, events.games)?;
    }
    equal(
        &within("events by balance"),
        sum(events.by_balance.values().map(|balance| balance.events)),
        events.events,
    )?;
    for balance in events.by_balance.values() {
        at_most(&within("games with a balance"), balance.games, balance.events.min(events.games))?;
    }
    let most = events.balanced_games.max(events.unbalanced_games);
    at_most(&within("games with a kind of cycle"), most, events.games)
}
