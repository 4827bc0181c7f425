//! Games by their margin before komi, and who wins them at a komi.

use std::{cmp::Ordering, fmt};

use jigo_engine::Komi;
use serde::{Deserialize, Serialize};

use super::{InvalidStatistic, Merge, group, merge_fields, quantity};
use crate::{Histogram, Proportion};

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
#[serde(try_from = "Histogram", into = "Histogram")]
pub struct MarginCounts(Histogram);

impl MarginCounts {
    /// The largest size of a margin, in points. Prisoners can lift a margin above the size of the board, but not this far.
    pub const LIMIT: i32 = 1_000_000;

    /// Returns the counts of no games.
    #[must_use]
    pub const fn new() -> Self {
        Self(Histogram::new())
    }

    /// Counts one game.
    ///
    /// # Panics
    /// If the margin is larger than [`LIMIT`](Self::LIMIT).
    #[inline]
    pub fn add(&mut self, margin: i32) {
        assert!(margin.unsigned_abs() <= Self::LIMIT.unsigned_abs(), "{}", InvalidStatistic::Margin(margin));
        self.0.add(margin);
    }

    /// Returns the margins as a histogram in points.
    #[must_use]
    pub const fn histogram(&self) -> &Histogram {
        &self.0
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.0.count()
    }

    /// Returns how the same games end at any komi. Cost: O(m) for m distinct margins.
    ///
    /// The moves stay as they were played: players who know the komi may choose others.
    #[must_use]
    pub fn shares(&self, komi: Komi) -> Shares {
        let mut shares = Shares::default();
        for (margin, games) in self.0.iter() {
            match (2 * margin).cmp(&komi.half_points()) {
                Ordering::Greater => shares.black += games,
                Ordering::Equal => shares.jigo += games,
                Ordering::Less => shares.white += games,
            }
        }
        shares
    }
}

impl Merge for MarginCounts {
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }
}

impl TryFrom<Histogram> for MarginCounts {
    type Error = InvalidStatistic;

    /// Takes values as margins in whole points.
    fn try_from(histogram: Histogram) -> Result<Self, InvalidStatistic> {
        let mut ends = [histogram.min(), histogram.max()].into_iter().flatten();
        match ends.find(|end| end.unsigned_abs() > Self::LIMIT.unsigned_abs()) {
            Some(margin) => Err(InvalidStatistic::Margin(margin)),
            None => Ok(Self(histogram)),
        }
    }
}

impl From<MarginCounts> for Histogram {
    fn from(margins: MarginCounts) -> Self {
        margins.0
    }
}

impl FromIterator<i32> for MarginCounts {
    fn from_iter<T: IntoIterator<Item = i32>>(margins: T) -> Self {
        let mut counts = Self::new();
        margins.into_iter().for_each(|margin| counts.add(margin));
        counts
    }
}

/// Games won by Black, drawn (jigo) and won by White, at one komi.
///
/// Displays in one line as below. Per cents are rounded to two decimals, halves up, so they may add up to a little more or less
/// than 100.
///
/// ```
/// use jigo_analysis::stats::Shares;
/// let shares = Shares { black: 6114, jigo: 90, white: 6311 };
/// let line = "Black 6,114 (48.85 %), White 6,311 (50.43 %), draws 90 (0.72 %) of 12,515 games";
/// assert_eq!(shares.to_string(), line);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shares {
    /// Games won by Black.
    pub black: u64,
    /// Games drawn: equal after komi.
    pub jigo: u64,
    /// Games won by White.
    pub white: u64,
}

merge_fields!(Shares: black, jigo, white);

impl Shares {
    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.black + self.jigo + self.white
    }

    /// Returns Black's wins among all games.
    #[must_use]
    pub fn black_wins(&self) -> Proportion {
        self.part(self.black)
    }

    /// Returns the draws among all games.
    #[must_use]
    pub fn draws(&self) -> Proportion {
        self.part(self.jigo)
    }

    /// Returns White's wins among all games.
    #[must_use]
    pub fn white_wins(&self) -> Proportion {
        self.part(self.white)
    }

    fn part(&self, count: u64) -> Proportion {
        Proportion::new(count, self.games()).expect("a part is at most the whole")
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { black, jigo, white } = self;
        let (black_wins, white_wins, draws) = (self.black_wins(), self.white_wins(), self.draws());
        let [black, white, jigo] = [black, white, jigo].map(group);
        write!(f, "Black {black} ({black_wins}), White {white} ({white_wins}), draws {jigo} ({draws})")?;
        write!(f, " of {}", quantity(self.games(), "game"))
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
    fn impossible_margins_are_refused() {
        let edge = format!("[[-{0},1],[{0},1]]", MarginCounts::LIMIT);
        let margins: MarginCounts = serde_json::from_str(&edge).unwrap();
        assert_eq!(margins.shares(Komi::from_half_points(i32::MAX)).white, 2);
        for json in ["[[1000001,1]]", "[[-2147483648,1],[3,1]]"] {
            let error = serde_json::from_str::<MarginCounts>(json).unwrap_err().to_string();
            assert!(error.contains("beyond any game"), "{json}: {error}");
        }
    }

    #[test]
    fn few_games_read_well() {
        let none = Shares::default();
        assert_eq!(none.to_string(), "Black 0 (-), White 0 (-), draws 0 (-) of 0 games");
        let one = Shares { white: 1, ..none };
        assert_eq!(one.to_string(), "Black 0 (0.00 %), White 1 (100.00 %), draws 0 (0.00 %) of 1 game");
    }

    #[test]
    fn merging_adds() {
        let mut shares = Shares { black: 1, jigo: 2, white: 3 };
        shares.merge(&Shares { black: 10, jigo: 20, white: 31 });
        assert_eq!(shares, Shares { black: 11, jigo: 22, white: 34 });
        assert_eq!(shares.games(), 67);
    }
}
