//! What is counted over many games. Every count is an exact integer, and merging two collections gives what counting all their games at once
//! would have given, in any order.

use std::fmt;

use jigo_engine::{
    AnyPosition, BoardSize, Color, Move,
    life::{FinalStatus, StatusSolver},
};
use jigo_selfplay::{GameRecord, Policy, RunConfig};
use serde::{Deserialize, Serialize};

use super::{
    FirstMoves, GameName, Groups, Openings, Ownership, StatusCounts, SuperkoCounts, SuperkoExamples,
};
use crate::{
    Histogram, MarginCounts,
    stats::{Merge, merge_fields},
};

/// The measurements of a set of games on one board size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// The board size.
    #[serde(with = "text")]
    pub size: BoardSize,
    /// Number of games.
    pub games: u64,
    /// Black's points minus White's before komi, counted by the rules after the stones that are proved dead are removed.
    pub margins: MarginCounts,
    /// The same with all stones taken to be alive.
    pub margins_all_alive: MarginCounts,
    /// [`margins`](Self::margins) of the games in each class of length.
    pub margins_by_length: Vec<(LengthClass, MarginCounts)>,
    /// [`margins`](Self::margins) of the games in each class of first moves.
    pub first_moves: FirstMoves,
    /// Plies per game, passes included.
    pub plies: Histogram,
    /// Passes per game.
    pub passes: Histogram,
    /// Neutral points in final positions after the stones that are proved dead are removed.
    pub neutral: Histogram,
    /// Stones removed.
    pub captures: CaptureCounts,
    /// Repetitions.
    pub superko: SuperkoCounts,
    /// Life and death in final positions.
    pub status: StatusCounts,
    /// Whose area each point is in final positions after the stones that are proved dead are removed.
    pub ownership: Ownership,
    /// Games at whose end a black stone stands on the point of Black's first move. Files leave out 0.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub first_stone_survives: u64,
    /// The finished games in groups, for paired intervals. Files leave out what has none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub groups: Groups,
    /// Games with superko events to look at. Files leave out what has none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub examples: SuperkoExamples,
    /// How the games begin, of policies that search. Files leave out what has none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub openings: Openings,
}

merge_fields!(Measures: size, games, margins, margins_all_alive, margins_by_length, first_moves, plies, passes, neutral, captures, superko, status, ownership, first_stone_survives, groups, examples, openings);

/// Games on different boards cannot be counted together.
impl Merge for BoardSize {
    fn merge(&mut self, other: &Self) {
        assert_eq!(self, other, "games on different boards cannot be counted together");
    }
}

/// Stores a board size as its text.
pub(crate) mod text {
    use jigo_engine::BoardSize;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer>(size: &BoardSize, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(size)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardSize, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Measures {
    /// Returns the measurements of no games.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        Self {
            size,
            games: 0,
            margins: MarginCounts::new(),
            margins_all_alive: MarginCounts::new(),
            margins_by_length: LengthClass::all().map(|class| (class, MarginCounts::new())).collect(),
            first_moves: FirstMoves::new(size),
            plies: Histogram::new(),
            passes: Histogram::new(),
            neutral: Histogram::new(),
            captures: CaptureCounts::default(),
            superko: SuperkoCounts::default(),
            status: StatusCounts::default(),
            ownership: Ownership::new(size),
            first_stone_survives: 0,
            groups: Groups::default(),
            examples: SuperkoExamples::default(),
            openings: Openings::default(),
        }
    }

    /// Counts one game with its final position; the configuration decides its margin, and the solver, which is for the same rules, what is alive.
    /// `source` names the run.
    #[inline]
    pub fn add(
        &mut self,
        record: &GameRecord,
        position: AnyPosition<'_>,
        config: &RunConfig,
        solver: &mut StatusSolver,
        source: &str,
    ) {
        self.add_game(record, config, source);
        let status = solver.final_status(position, record.is_finished());
        position.without(status.removed(), |settled| self.add_end(record, &status, settled, config, source));
    }

    /// Counts what is the same however a game is counted.
    #[inline]
    pub(crate) fn add_game(&mut self, record: &GameRecord, config: &RunConfig, source: &str) {
        self.games += 1;
        self.plies.add(record.ply_count() as i32);
        self.passes.add(record.passes as i32);
        self.captures.add(record.prisoners);
        self.superko.add(record);
        self.examples.add(record, GameName::new(source, record, config));
    }

    /// Counts what depends on the rules' counting, on compensation, and on which stones are dead; these are gone from the position.
    #[inline]
    pub(crate) fn add_end(
        &mut self,
        record: &GameRecord,
        status: &FinalStatus,
        settled: AnyPosition<'_>,
        config: &RunConfig,
        source: &str,
    ) {
        let all_alive = config.margin(record);
        let margin = all_alive + status.dead_margin();
        let class = LengthClass::new(record.ply_count(), self.size);
        self.margins.add(margin);
        self.margins_all_alive.add(all_alive);
        self.margins_by_length[class.index()].1.add(margin);
        if config.black_begins() {
            self.first_moves.add(self.size, record.first_move, margin);
        }
        let is_unchanged = status.removed().is_empty();
        let area = if is_unchanged { record.area } else { settled.area() };
        if matches!(config.policy, Policy::Uct(_)) {
            self.openings.add(self.size, &record.moves, margin);
        }
        self.neutral.add(area.neutral as i32);
        self.ownership.add(settled);
        let first = record.first_move.filter(|_| config.black_begins()).and_then(Move::point);
        let survives = first.is_some_and(|point| settled.stone(point) == Some(Color::Black));
        self.first_stone_survives += u64::from(survives);
        if record.is_finished() {
            self.groups.add(record, status, margin, area.neutral, survives);
        }
        let name = GameName::new(source, record, config);
        self.status.add(status, all_alive, name);
        self.status.examples.add(status, name);
    }

    /// Returns the measurements of the same games with the ends of others.
    pub(crate) fn with_ends(&self, ends: &Self) -> Self {
        Self {
            margins: ends.margins.clone(),
            margins_all_alive: ends.margins_all_alive.clone(),
            margins_by_length: ends.margins_by_length.clone(),
            first_moves: ends.first_moves.clone(),
            neutral: ends.neutral.clone(),
            ownership: ends.ownership.clone(),
            first_stone_survives: ends.first_stone_survives,
            groups: ends.groups.clone(),
            openings: ends.openings.clone(),
            status: ends.status.clone(),
            ..self.clone()
        }
    }
}

/// Stones removed per game, by capture or suicide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureCounts {
    /// Black stones removed per game.
    pub black: Histogram,
    /// White stones removed per game.
    pub white: Histogram,
}

merge_fields!(CaptureCounts: black, white);

impl CaptureCounts {
    /// Counts one game's removed stones (Black, White).
    #[inline]
    pub fn add(&mut self, removed: [u32; 2]) {
        self.black.add(removed[0] as i32);
        self.white.add(removed[1] as i32);
    }
}

/// Games whose plies, as a multiple of the board's points, lie in one half-open range.
///
/// Displayed as in `1–1.25` (plies per point).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LengthClass {
    /// Lower end of the range in quarters of the number of points.
    quarters: u32,
}

impl LengthClass {
    /// Lower ends of the classes in quarters of the number of points, ascending.
    const STARTS: [u32; 7] = [0, 2, 4, 5, 6, 8, 10];

    /// Iterates over all classes, shortest first.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::STARTS.into_iter().map(|quarters| Self { quarters })
    }

    /// Returns the class of a game with so many plies.
    #[must_use]
    #[inline]
    pub fn new(plies: u32, size: BoardSize) -> Self {
        let points = size.point_count() as u32;
        let reached = Self::STARTS.iter().filter(|&start| start * points <= 4 * plies).count();
        Self { quarters: Self::STARTS[reached - 1] }
    }

    /// Returns the place of the class among all, from 0.
    #[inline]
    pub(super) fn index(self) -> usize {
        Self::STARTS.iter().filter(|&&start| start < self.quarters).count()
    }
}

impl fmt::Display for LengthClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = |quarters: u32| f64::from(quarters) / 4.0;
        let next = Self::STARTS.into_iter().find(|&start| start > self.quarters);
        match next {
            Some(next) => write!(f, "{}–{}", points(self.quarters), points(next)),
            None => write!(f, "{} or more", points(self.quarters)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_one_class() {
        let size = BoardSize::square(9).unwrap();
        let class = |plies| LengthClass::new(plies, size).to_string();
        assert_eq!(class(0), "0–0.5");
        assert_eq!(class(80), "0.5–1");
        assert_eq!(class(81), "1–1.25");
        assert_eq!(class(243), "2.5 or more");
        assert!((0..400).all(|plies| LengthClass::all().any(|class| class == LengthClass::new(plies, size))));
        assert!(LengthClass::all().map(LengthClass::index).eq(0..7));
    }
}
