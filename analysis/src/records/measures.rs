//! What is counted over the games of one group.

use std::collections::BTreeMap;

use jigo_engine::{Color, Komi, life::FinalStatus};
use jigo_selfplay::{
    fingerprint::rules_fingerprint,
    sgf::{Diagnostic, GameResult, Record, Replay, SgfGame, WinBy},
};
use serde::{Deserialize, Serialize};

use super::EstimateCounts;
use crate::{
    FairKomi, Histogram, MarginCounts, fair_komi,
    stats::{Merge, Shares, TooFewGames, merge_fields},
    study::{CaptureCounts, EventCounts, GameName, StatusCounts},
};

/// The measurements of real games that could be played to the end of their records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordMeasures {
    /// Number of games.
    pub games: u64,
    /// Results as recorded.
    pub results: ResultCounts,
    /// Recorded scores of games won by points: Black's result in half points, after komi.
    pub scores: Histogram,
    /// Black's margin before komi, for even games with a score or draw and a [plausible komi](plausible_komi).
    pub margins: MarginCounts,
    /// Such games whose score, the komi added, is no whole number of points or a win by nothing: score or komi is wrong.
    pub contradicting_scores: u64,
    /// Plies per game, passes included.
    pub plies: Histogram,
    /// Passes per game.
    pub passes: Histogram,
    /// Stones removed.
    pub captures: CaptureCounts,
    /// Moves that recreated an earlier position.
    pub repetitions: EventCounts,
    /// Life and death in the last positions; of those that were not [searched](Self::searched), what unconditional life says alone. Margins
    /// in it are Black's area minus White's.
    pub status: StatusCounts,
    /// Games with a recorded margin whose last position is solved wholly, by how much the margin of that position, by the rules of the record and
    /// with the dead stones off, exceeds the recorded one.
    pub solved_differences: Histogram,
    /// Last positions that were searched for certified statuses: see [`StatusMethod`](crate::records::StatusMethod).
    #[serde(default)]
    pub searched: u64,
    /// What playouts decide in last positions, where that was [asked](crate::records::StatusMethod::Estimate) for.
    #[serde(default)]
    pub estimates: EstimateCounts,
    /// Plies after two passes in succession, for games that have any.
    pub plies_after_end: Histogram,
    /// Games in which the position was edited between moves.
    pub edited: u64,
    /// What is doubtful about the records, by the [name](jigo_selfplay::sgf::DiagnosticKind::name) of the sort.
    pub warnings: BTreeMap<String, WarningCounts>,
    /// Warnings that records with very many of them left out.
    pub warnings_left_out: u64,
    /// The rules that moves were checked against, by their [canonical text](jigo_engine::Rules::canonical): what the records' words were read
    /// as.
    #[serde(default)]
    pub checked_by: BTreeMap<String, RulesRead>,
}

merge_fields!(RecordMeasures: games, results, scores, margins, contradicting_scores, plies, passes, captures, repetitions, status, solved_differences, searched, estimates, plies_after_end, edited, warnings, warnings_left_out, checked_by);

/// Rules that the records of a group were read to name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesRead {
    /// The [fingerprint](jigo_selfplay::fingerprint::rules_fingerprint).
    pub fingerprint: String,
    /// Games.
    pub games: u64,
}

merge_fields!(RulesRead: games; not fingerprint);

/// Warnings of one sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarningCounts {
    /// Games with at least one.
    pub games: u64,
    /// All of them.
    pub warnings: u64,
}

merge_fields!(WarningCounts: games, warnings);

/// Returns a komi in points from the text of `KM`, which servers write in several units: points (`6.5`), hundredths of a point (`650`), or the
/// stones of Chinese half counting (`3.75`, `375` in hundredths), each of which is worth two points.
///
/// Nothing is returned for text that is no number, for zero, which archives use for *not recorded*, and for more than 20 points either way.
///
/// ```
/// use jigo_analysis::records::komi_in_points;
/// let points = |text| komi_in_points(text).map(|komi| komi.to_string());
/// assert_eq!(["6.5", "650", "375", "3.75"].map(points), ["6.5", "6.5", "7.5", "7.5"].map(|komi| Some(komi.to_owned())));
/// assert_eq!(["0", "50", "6.4", ""].map(points), [None, None, None, None]);
/// ```
#[must_use]
pub fn komi_in_points(text: &str) -> Option<Komi> {
    const MAX_QUARTERS: f64 = 4.0 * 20.0;
    let number: f64 = text.trim().parse().ok()?;
    let quarters = if number.abs() >= 100.0 { number / 25.0 } else { 4.0 * number };
    let is_plausible = quarters.fract() == 0.0 && quarters != 0.0;
    // No komi has quarters of a point: these are stones.
    let half_points = if quarters % 2.0 == 0.0 { quarters / 2.0 } else { quarters };
    (is_plausible && 2.0 * half_points.abs() <= MAX_QUARTERS)
        .then(|| Komi::from_half_points(half_points as i32))
}

/// Returns whether a game has no handicap: none is stated, and no black stones are set up.
pub(super) fn is_even(game: &SgfGame) -> bool {
    let is_stated = game.info.get("HA").is_some_and(|text| !text.trim().is_empty());
    let has_stones = game.setup.points_with(Some(Color::Black)).next().is_some();
    !has_stones && (!is_stated || matches!(game.handicap(), Some(0 | 1)))
}

/// Returns the komi of an even game [in points](komi_in_points), if the record states one that can be calculated with.
#[must_use]
pub fn plausible_komi(game: &SgfGame) -> Option<Komi> {
    komi_in_points(game.info.get("KM")?).filter(|_| is_even(game))
}

/// Returns Black's recorded margin before komi, if the game has a score and a [plausible komi](plausible_komi) that fit together.
pub(super) fn recorded_margin(game: &SgfGame) -> Option<i32> {
    let result = game.result()?;
    let (score, komi) = (result.half_points()?, plausible_komi(game)?);
    // A win by no points contradicts itself, and a score that leaves half a point before komi contradicts the komi.
    let margin = score + komi.half_points();
    let is_win = matches!(result, GameResult::Win { .. });
    (margin % 2 == 0 && !(is_win && score == 0)).then_some(margin / 2)
}

impl RecordMeasures {
    /// Counts one game with what is known about the life in its last position; `name` gives its file and place.
    pub fn add(&mut self, record: &Record, replay: &Replay, status: &FinalStatus, name: GameName<'_>) {
        self.games += 1;
        self.add_result(&record.game);
        self.plies.add(replay.plies as i32);
        self.passes.add(replay.passes as i32);
        self.captures.add(replay.prisoners);
        self.repetitions.add(&replay.repetitions);
        self.status.add(status, replay.area.margin(), name);
        if replay.plies_after_end > 0 {
            self.plies_after_end.add(replay.plies_after_end as i32);
        }
        self.edited += u64::from(replay.edits > 0);
        self.add_warnings(&record.warnings);
        self.warnings_left_out += record.warnings_left_out as u64;
        let unread = || RulesRead { fingerprint: rules_fingerprint(replay.rules), games: 0 };
        self.checked_by.entry(replay.rules.canonical()).or_insert_with(unread).games += 1;
    }

    fn add_result(&mut self, game: &SgfGame) {
        let result = game.result();
        self.results.add(result.as_ref());
        let Some(score) = result.as_ref().and_then(GameResult::half_points) else { return };
        let is_win = matches!(result, Some(GameResult::Win { .. }));
        if is_win {
            self.scores.add(score);
        }
        if plausible_komi(game).is_some() {
            match recorded_margin(game) {
                Some(margin) => self.margins.add(margin),
                None => self.contradicting_scores += 1,
            }
        }
    }

    fn add_warnings(&mut self, warnings: &[Diagnostic]) {
        let mut in_game: BTreeMap<&str, u64> = BTreeMap::new();
        for warning in warnings {
            *in_game.entry(warning.kind.name()).or_default() += 1;
        }
        for (name, warnings) in in_game {
            let counts = self.warnings.entry(name.to_owned()).or_default();
            counts.merge(&WarningCounts { games: 1, warnings });
        }
    }

    /// Returns what is doubtful about the games that were used, with the number of games: the most frequent first, then by name.
    pub(crate) fn doubts(&self) -> Vec<(String, u64)> {
        let others = [
            ("moves after two passes", self.plies_after_end.count()),
            ("position edited between moves", self.edited),
            ("score contradicts komi", self.contradicting_scores),
        ];
        let warnings = self.warnings.iter().map(|(name, counts)| (name.clone(), counts.games));
        let all = warnings.chain(others.map(|(name, games)| (name.to_owned(), games)));
        let mut doubts: Vec<(String, u64)> = all.filter(|&(_, games)| games > 0).collect();
        doubts.sort_by(|(name, games), (other, more)| more.cmp(games).then_with(|| name.cmp(other)));
        doubts
    }

    /// Returns the fair komi by the recorded scores.
    ///
    /// Only games that were counted are in it. Games are resigned when they are decided, so that these are the close ones.
    ///
    /// # Errors
    /// [`TooFewGames`] below [`MIN_GAMES`](crate::stats::MIN_GAMES) games with a score and a plausible komi.
    pub fn fair_komi(&self) -> Result<FairKomi, TooFewGames> {
        fair_komi(&self.margins)
    }
}

/// Games by the result recorded in `RE`. Nothing here was checked against the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultCounts {
    /// Black's wins.
    pub black: WinCounts,
    /// White's wins.
    pub white: WinCounts,
    /// Jigo.
    pub draw: u64,
    /// No result, or play suspended.
    pub void: u64,
    /// Said to be unknown.
    pub unknown: u64,
    /// Text that is no result.
    pub other: u64,
    /// Nothing recorded.
    pub not_recorded: u64,
}

merge_fields!(ResultCounts: black, white, draw, void, unknown, other, not_recorded);

/// One side's wins by their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinCounts {
    /// By points.
    pub score: u64,
    /// By resignation.
    pub resignation: u64,
    /// On time.
    pub time: u64,
    /// By forfeit.
    pub forfeit: u64,
    /// Without a reason.
    pub unstated: u64,
}

merge_fields!(WinCounts: score, resignation, time, forfeit, unstated);

impl WinCounts {
    /// Returns all wins.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.score + self.resignation + self.time + self.forfeit + self.unstated
    }

    const fn add(&mut self, by: WinBy) {
        match by {
            WinBy::HalfPoints(_) => self.score += 1,
            WinBy::Resignation => self.resignation += 1,
            WinBy::Time => self.time += 1,
            WinBy::Forfeit => self.forfeit += 1,
            WinBy::Unstated => self.unstated += 1,
        }
    }
}

impl ResultCounts {
    /// Counts one game.
    pub const fn add(&mut self, result: Option<&GameResult>) {
        match result {
            Some(GameResult::Win { winner: Color::Black, by }) => self.black.add(*by),
            Some(GameResult::Win { winner: Color::White, by }) => self.white.add(*by),
            Some(GameResult::Draw) => self.draw += 1,
            Some(GameResult::Void) => self.void += 1,
            Some(GameResult::Unknown) => self.unknown += 1,
            Some(GameResult::Other(_)) => self.other += 1,
            None => self.not_recorded += 1,
        }
    }

    /// Returns the games with a winner or a draw.
    #[must_use]
    pub const fn shares(&self) -> Shares {
        Shares { black: self.black.games(), jigo: self.draw, white: self.white.games() }
    }

    /// Returns the games with neither.
    #[must_use]
    pub const fn undecided(&self) -> u64 {
        self.void + self.unknown + self.other + self.not_recorded
    }
}
