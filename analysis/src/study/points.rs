//! Counts for each point of the board: where games began, and who owned the point at the end.

use jigo_engine::{AnyPosition, BoardSize, Color, Move, Point, Symmetry, score::AreaTally};
use serde::{Deserialize, Serialize};

use crate::{
    MarginCounts,
    stats::{Merge, merge_fields},
};

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

merge_fields!(FirstMoves: games, classes; not class_of);

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

merge_fields!(FirstMoveClass: margins; not representative);

impl FirstMoveClass {
    /// Returns the first of the equivalent moves as in GTP.
    #[must_use]
    pub fn name(&self, size: BoardSize) -> String {
        let point = Point::from_index(self.representative.into(), size);
        point.map_or(Move::Pass, Move::Play).to_gtp(size)
    }
}

/// Returns the class of each first move, and the representatives of the classes in ascending order.
fn classes(size: BoardSize) -> (Vec<u16>, Vec<u16>) {
    let representative = |code: u16| match Point::from_index(code.into(), size) {
        Some(point) => Symmetry::representative(point, size).index(size) as u16,
        None => code,
    };
    let codes = 0..=size.point_count() as u16;
    let representatives: Vec<u16> = codes.clone().filter(|&code| representative(code) == code).collect();
    let class = |code| representatives.partition_point(|&first| first < representative(code)) as u16;
    (codes.map(class).collect(), representatives)
}

impl FirstMoves {
    pub(super) fn new(size: BoardSize) -> Self {
        let (class_of, representatives) = classes(size);
        let class = |representative| FirstMoveClass { representative, margins: MarginCounts::new() };
        let classes = representatives.into_iter().map(class).collect();
        Self { games: vec![0; size.point_count() + 1], classes, class_of }
    }

    /// Counts one game; a game without plies counts nowhere.
    #[inline]
    pub(super) fn add(&mut self, size: BoardSize, first: Option<Move>, margin: i32) {
        let Some(mv) = first else { return };
        if self.class_of.is_empty() {
            self.class_of = classes(size).0;
        }
        let code = usize::from(mv.code(size));
        self.games[code] += 1;
        self.classes[usize::from(self.class_of[code])].margins.add(margin);
    }
}

/// In how many final positions each point was whose area.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "StoredOwnership", into = "StoredOwnership")]
pub struct Ownership {
    /// Without the recent positions (Black, White).
    counts: [Vec<u64>; 2],
    /// The positions added last, where any were.
    recent: Option<Box<AreaTally>>,
}

/// The counts in stored form, in row-major order.
#[derive(Serialize, Deserialize)]
struct StoredOwnership {
    black: Vec<u64>,
    white: Vec<u64>,
}

impl From<StoredOwnership> for Ownership {
    fn from(StoredOwnership { black, white }: StoredOwnership) -> Self {
        Self { counts: [black, white], recent: None }
    }
}

impl From<Ownership> for StoredOwnership {
    fn from(ownership: Ownership) -> Self {
        Self { black: ownership.counts(Color::Black), white: ownership.counts(Color::White) }
    }
}

/// By the counts alone.
impl PartialEq for Ownership {
    fn eq(&self, other: &Self) -> bool {
        Color::BOTH.iter().all(|&color| self.counts(color) == other.counts(color))
    }
}

impl Eq for Ownership {}

impl Ownership {
    /// Returns the counts of no positions.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        Self { counts: Color::BOTH.map(|_| vec![0; size.point_count()]), recent: None }
    }

    /// Returns in how many positions each point, in row-major order, was this colour's area.
    #[must_use]
    pub fn counts(&self, color: Color) -> Vec<u64> {
        let mut counts = self.counts[color.index()].clone();
        if let Some(recent) = &self.recent {
            recent.add_to(color, &mut counts);
        }
        counts
    }

    /// Counts one final position.
    ///
    /// # Panics
    /// When it has another size than the positions before.
    #[inline]
    pub fn add(&mut self, position: AnyPosition<'_>) {
        let recent = self.recent.get_or_insert_with(|| Box::new(AreaTally::new(position.size())));
        recent.add(position);
        if recent.is_full() {
            for (color, counts) in Color::BOTH.into_iter().zip(&mut self.counts) {
                recent.add_to(color, counts);
            }
            recent.clear();
        }
    }
}

impl Merge for Ownership {
    fn merge(&mut self, other: &Self) {
        for (color, counts) in Color::BOTH.into_iter().zip(&mut self.counts) {
            counts.merge(&other.counts(color));
        }
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::Position;

    use super::*;

    #[test]
    fn recent_positions_are_counted_like_all_others() {
        let size = BoardSize::new(3, 1).unwrap();
        let mut position: Position = Position::new(size);
        position.set_rows(Color::White, [0b010]);
        let position = AnyPosition::new(&position);
        let games = 3 * u64::from(AreaTally::CAPACITY) + 7;
        let (mut all, mut parts) = (Ownership::new(size), Ownership::new(size));
        for game in 0..games {
            all.add(position);
            let mut part = Ownership::new(size);
            part.add(position);
            parts.merge(&part);
            assert_eq!(all.counts(Color::White), [game + 1; 3]);
        }
        assert_eq!(all, parts);
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(json, format!(r#"{{"black":[0,0,0],"white":[{games},{games},{games}]}}"#));
        let mut read: Ownership = serde_json::from_str(&json).unwrap();
        assert_eq!(read, all);
        read.add(position);
        assert_ne!(read, all);
    }
}
