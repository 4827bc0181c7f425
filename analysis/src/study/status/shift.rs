//! What a way of counting changes in the results of games.

use jigo_engine::Komi;
use serde::{Deserialize, Serialize};

use crate::{Histogram, rules::MovedMargins, stats::Moments};

/// Margins of games before and after a change that depends on the final position alone. All other games keep theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShiftCounts {
    /// The changes other than 0, in points for Black.
    pub changes: Histogram,
    /// Games whose margin fell.
    pub fallen: MovedMargins,
    /// Games whose margin rose.
    pub risen: MovedMargins,
}

impl ShiftCounts {
    /// Counts one game by its margin before, and the change.
    pub fn add(&mut self, before: i32, change: i32) {
        match change {
            0 => return,
            ..0 => self.fallen.add(before, before + change),
            1.. => self.risen.add(before, before + change),
        }
        self.changes.add(change);
    }

    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &Self) {
        self.changes.merge(&other.changes);
        self.fallen.merge(&other.fallen);
        self.risen.merge(&other.risen);
    }

    /// Mean and spread of the change over so many games, or nothing without games.
    ///
    /// # Panics
    /// When more games changed than there are.
    #[must_use]
    pub fn moments(&self, games: u64) -> Option<Moments> {
        let mut all = self.changes.clone();
        all.add_many(0, games - all.count());
        all.moments()
    }

    /// Games with another result (Black wins, White wins, jigo) at this komi.
    #[must_use]
    pub fn changed_results(&self, komi: Komi) -> u64 {
        self.fallen.changed_results(komi) + self.risen.changed_results(komi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_change_where_the_komi_is_crossed() {
        let games = [(10, -4), (7, 1), (7, -1), (-3, 30), (2, 0), (8, 3)];
        let mut counts = ShiftCounts::default();
        games.iter().for_each(|&(margin, change)| counts.add(margin, change));
        for half_points in -10..60 {
            let komi = Komi::from_half_points(half_points);
            let result = |margin| komi.apply(margin).signum();
            let changed = games.iter().filter(|(margin, change)| result(*margin) != result(margin + change));
            assert_eq!(counts.changed_results(komi), changed.count() as u64, "{komi}");
        }
        assert_eq!(counts.moments(6).unwrap().mean(), 29.0 / 6.0);
    }
}
