//! Counts of results before komi.

use std::cmp::Ordering;

use jigo_engine::Komi;
use serde::{Deserialize, Serialize};

use crate::{Histogram, Shares};

/// How often each margin occurred: Black minus White before komi, in whole points, positive when Black is ahead.
///
/// Playouts have whole margins under area and under territory counting. Of game records, only those belong here whose recorded result
/// and komi give a whole margin; the reader of the records decides and counts what it leaves out.
///
/// ```
/// use jigo_analysis::MarginCounts;
/// use jigo_engine::Komi;
/// let margins = MarginCounts::from_iter([-5, 3, 7, 9]);
/// let shares = margins.shares(Komi::from_points(7));
/// assert_eq!((shares.black, shares.jigo, shares.white), (1, 1, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MarginCounts(Histogram);

impl MarginCounts {
    /// No games yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Histogram::new())
    }

    /// Counts one game.
    pub fn add(&mut self, margin: i32) {
        self.0.add(margin);
    }

    /// Counts all games of `other`. Exact, commutative and associative.
    pub fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    /// The margins as a histogram in points.
    #[must_use]
    pub const fn histogram(&self) -> &Histogram {
        &self.0
    }

    /// Number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.0.count()
    }

    /// How the same games end at any komi. Cost: O(m) for m distinct margins.
    ///
    /// The moves stay as they were played: players who know the komi may choose others.
    #[must_use]
    pub fn shares(&self, komi: Komi) -> Shares {
        let mut shares = Shares::default();
        for (margin, games) in &self.0 {
            match (2 * i64::from(margin)).cmp(&i64::from(komi.half_points())) {
                Ordering::Greater => shares.black += games,
                Ordering::Equal => shares.jigo += games,
                Ordering::Less => shares.white += games,
            }
        }
        shares
    }
}

impl From<Histogram> for MarginCounts {
    /// Takes values as margins in whole points.
    fn from(histogram: Histogram) -> Self {
        Self(histogram)
    }
}

impl Extend<i32> for MarginCounts {
    fn extend<T: IntoIterator<Item = i32>>(&mut self, margins: T) {
        self.0.extend(margins);
    }
}

impl FromIterator<i32> for MarginCounts {
    fn from_iter<T: IntoIterator<Item = i32>>(margins: T) -> Self {
        Self(margins.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn shares_follow_the_komi(margins in proptest::collection::vec(-30..30, 0..60), half_points in -70..70) {
            let komi = Komi::from_half_points(half_points);
            let shares = margins.iter().copied().collect::<MarginCounts>().shares(komi);
            let games = |wanted: Ordering| {
                margins.iter().filter(|&&margin| komi.apply(margin).cmp(&0) == wanted).count() as u64
            };
            prop_assert_eq!(shares.black, games(Ordering::Greater));
            prop_assert_eq!(shares.jigo, games(Ordering::Equal));
            prop_assert_eq!(shares.white, games(Ordering::Less));
            prop_assert_eq!(shares.games(), margins.len() as u64);
            prop_assert!(komi.is_whole() || shares.jigo == 0);
        }
    }

    #[test]
    fn json_is_that_of_the_histogram() {
        let margins = MarginCounts::from_iter([3, -1, 3]);
        let json = serde_json::to_string(&margins).unwrap();
        assert_eq!(json, "[[-1,1],[3,2]]");
        assert_eq!(serde_json::from_str::<MarginCounts>(&json).unwrap(), margins);
    }

    #[test]
    fn no_margin_overflows() {
        let margins = MarginCounts::from_iter([i32::MIN, i32::MAX]);
        let shares = margins.shares(Komi::from_half_points(i32::MAX));
        assert_eq!((shares.black, shares.white), (1, 1));
    }
}
