//! The rows of the tables, in every form of report.

use serde::Serialize;

use super::super::{GroupKey, RecordMeasures, RecordStudy};
use crate::{FairKomi, stats::Shares, study::Balance};

/// The results of one group of games.
#[derive(Clone, Debug)]
pub struct KomiRow<'a> {
    /// The group.
    pub key: &'a GroupKey,
    /// All that was measured.
    pub measures: &'a RecordMeasures,
    /// Games with a winner or a draw, as recorded.
    pub shares: Shares,
    /// Games with neither.
    pub undecided: u64,
    /// The fair komi, where enough scores and a plausible komi are recorded.
    pub fair_komi: Option<FairKomi>,
}

/// The results by size, rules, komi and handicap, in that order.
pub fn komi_rows(study: &RecordStudy) -> impl Iterator<Item = KomiRow<'_>> {
    study.groups.iter().map(|(key, measures)| KomiRow {
        key,
        measures,
        shares: measures.results.shares(),
        undecided: measures.results.undecided(),
        fair_komi: measures.fair_komi().ok(),
    })
}

/// Moves of one group that recreated a position, of one sort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RepetitionRow {
    /// What the row sorts by: `cycle` (plies of the cycle), `removed` (stones lost by the player who lost more, and by the other) or
    /// `ply` (plies before the move).
    pub by: &'static str,
    /// The value of that.
    pub value: String,
    /// Games with at least one such move. Not known by ply.
    pub games: Option<u64>,
    /// Moves.
    pub events: u64,
    /// Of these, moves that close a cycle in which both lost equally many stones. Known by cycle only, as are the next two.
    pub balanced: Option<u64>,
    /// Moves that close a cycle with a pass in it.
    pub with_pass: Option<u64>,
    /// Moves after which the same player was to move as then.
    pub same_player: Option<u64>,
}

/// The repetitions of a group, by cycle, by balance and by ply.
#[must_use]
pub fn repetition_rows(measures: &RecordMeasures) -> Vec<RepetitionRow> {
    let events = &measures.repetitions;
    let plain = |by, value, games, events| RepetitionRow {
        by,
        value,
        games,
        events,
        balanced: None,
        with_pass: None,
        same_player: None,
    };
    let cycles = events.by_cycle.iter().map(|(length, counts)| RepetitionRow {
        balanced: Some(counts.balanced),
        with_pass: Some(counts.with_pass),
        same_player: Some(counts.same_player),
        ..plain("cycle", length.to_string(), Some(counts.games), counts.events())
    });
    let removed = events.by_balance.iter().map(|(&Balance { more, fewer }, counts)| {
        plain("removed", format!("{more}-{fewer}"), Some(counts.games), counts.events)
    });
    let plies = events.by_ply.iter().map(|(ply, count)| plain("ply", ply.to_string(), None, count));
    cycles.chain(removed).chain(plies).collect()
}
