//! Whose area each point is.

use jigo_engine::{BoardSize, Color, Position, score::AreaTally};
use serde::{Deserialize, Serialize};

use super::measures::add_each;

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
    /// No positions.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        Self { counts: Color::BOTH.map(|_| vec![0; size.point_count()]), recent: None }
    }

    /// In how many positions each point, in row-major order, was this colour's area.
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
    pub fn add<const W: usize>(&mut self, position: &Position<W>) {
        let recent = self.recent.get_or_insert_with(|| Box::new(AreaTally::new(position.size())));
        recent.add(position);
        if recent.is_full() {
            for (color, counts) in Color::BOTH.into_iter().zip(&mut self.counts) {
                recent.add_to(color, counts);
            }
            recent.clear();
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (color, counts) in Color::BOTH.into_iter().zip(&mut self.counts) {
            add_each(counts, &other.counts(color));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_positions_are_counted_like_all_others() {
        let size = BoardSize::new(3, 1).unwrap();
        let mut position: Position = Position::new(size);
        position.set_rows(Color::White, [0b010]);
        let games = 3 * u64::from(AreaTally::CAPACITY) + 7;
        let (mut all, mut parts) = (Ownership::new(size), Ownership::new(size));
        for game in 0..games {
            all.add(&position);
            let mut part = Ownership::new(size);
            part.add(&position);
            parts.merge(&part);
            assert_eq!(all.counts(Color::White), [game + 1; 3]);
        }
        assert_eq!(all, parts);
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(json, format!(r#"{{"black":[0,0,0],"white":[{games},{games},{games}]}}"#));
        let mut read: Ownership = serde_json::from_str(&json).unwrap();
        assert_eq!(read, all);
        read.add(&position);
        assert_ne!(read, all);
    }
}
