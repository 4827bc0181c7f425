//! Counts per first move.

use jigo_engine::{BoardSize, Move, Point, Symmetry};
use serde::{Deserialize, Serialize};

use super::measures::add_each;
use crate::MarginCounts;

/// How games began and how they then ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstMoves {
    /// Games that began on each point, in row-major order; last, games that began with a pass.
    pub games: Vec<u64>,
    /// The margins of the games that began on a point equivalent to this one (its row-major index), for the least such index.
    pub classes: Vec<FirstMoveClass>,
    /// The class of each first move; empty after reading, until a game is added.
    #[serde(skip)]
    class_of: Vec<u16>,
}

/// By the counts alone.
impl PartialEq for FirstMoves {
    fn eq(&self, other: &Self) -> bool {
        self.games == other.games && self.classes == other.classes
    }
}

impl Eq for FirstMoves {}

/// The games whose first moves are equivalent under the symmetries of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstMoveClass {
    /// Row-major index of the first of the equivalent points; the number of points for a pass.
    pub representative: u16,
    /// Their margins.
    pub margins: MarginCounts,
}

impl FirstMoves {
    pub(super) fn new(size: BoardSize) -> Self {
        let mut moves =
            Self { games: vec![0; size.point_count() + 1], classes: Vec::new(), class_of: Vec::new() };
        moves.classes = moves
            .index_classes(size)
            .into_iter()
            .map(|representative| FirstMoveClass { representative, margins: MarginCounts::new() })
            .collect();
        moves
    }

    /// Fills `class_of`; returns the representatives of the classes in ascending order.
    fn index_classes(&mut self, size: BoardSize) -> Vec<u16> {
        let representative = |code: u16| match Point::from_index(code.into(), size) {
            Some(point) => Symmetry::representative(point, size).index(size) as u16,
            None => code,
        };
        let codes = 0..=size.point_count() as u16;
        let representatives: Vec<u16> = codes.clone().filter(|&code| representative(code) == code).collect();
        let class = |code| representatives.partition_point(|&first| first < representative(code)) as u16;
        self.class_of = codes.map(class).collect();
        representatives
    }

    /// Counts one game; a game without plies counts nowhere.
    #[inline]
    pub(super) fn add(&mut self, size: BoardSize, first: Option<Move>, margin: i32) {
        let Some(mv) = first else { return };
        if self.class_of.is_empty() {
            self.index_classes(size);
        }
        let code = usize::from(mv.code(size));
        self.games[code] += 1;
        self.classes[usize::from(self.class_of[code])].margins.add(margin);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        add_each(&mut self.games, &other.games);
        for (mine, theirs) in self.classes.iter_mut().zip(&other.classes) {
            mine.margins.merge(&theirs.margins);
        }
    }
}
