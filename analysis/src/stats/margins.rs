//! Games by their margin before komi, and who wins them at a komi.

use std::{cmp::Ordering, fmt};

use jigo_engine::Komi;
use serde::{Deserialize, Serialize};

use super::{GROUPS, InvalidStatistic, Merge, group, merge_fields, quantity};
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

/// The margins of games that are dealt into [`GROUPS`] groups by their indices.
///
/// JSON lists each margin with its games in every group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(i32, Vec<u64>)>", into = "Vec<(i32, Vec<u64>)>")]
pub(crate) struct GroupedMargins(Vec<MarginCounts>);

impl Default for GroupedMargins {
    fn default() -> Self {
        Self(vec![MarginCounts::new(); GROUPS])
    }
}

impl GroupedMargins {
    /// Counts a game of this group.
    #[inline]
    pub(crate) fn add(&mut self, group: usize, margin: i32) {
        self.0[group].add(margin);
    }

    /// Returns the margins of the games in some of the groups.
    pub(crate) fn of(&self, is_in: impl Fn(usize) -> bool) -> MarginCounts {
        let mut all = MarginCounts::new();
        let counted = self.0.iter().enumerate().filter(|&(group, _)| is_in(group));
        counted.for_each(|(_, margins)| all.merge(margins));
        all
    }
}

impl Merge for GroupedMargins {
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }
}

impl From<GroupedMargins> for Vec<(i32, Vec<u64>)> {
    fn from(margins: GroupedMargins) -> Self {
        let all = margins.of(|_| true);
        let games = |margin| margins.0.iter().map(|group| group.0.count_of(margin)).collect();
        all.0.iter().map(|(margin, _)| (margin, games(margin))).collect()
    }
}

impl TryFrom<Vec<(i32, Vec<u64>)>> for GroupedMargins {
    type Error = InvalidStatistic;

    fn try_from(rows: Vec<(i32, Vec<u64>)>) -> Result<Self, InvalidStatistic> {
        let all = rows.iter().map(|(margin, games)| {
            let is_dealt = games.len() == GROUPS;
            let sum = games.iter().fold(0, |sum: u64, &games| sum.saturating_add(games));
            if is_dealt { Ok((*margin, sum)) } else { Err(InvalidStatistic::Groups(games.len())) }
        });
        // What the groups have together is what a file may say of margins.
        MarginCounts::try_from(Histogram::try_from(all.collect::<Result<Vec<_>, _>>()?)?)?;
        let mut margins = Self::default();
        for (margin, games) in rows {
            let groups = margins.0.iter_mut().zip(games);
            groups.for_each(|(group, games)| group.0.add_many(margin, games));
        }
        Ok(margins)
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
    fn groups_add_up_and_impossible_ones_are_refused() {
        let mut grouped = GroupedMargins::default();
        [(0, 3), (5, -1), (63, 3)].into_iter().for_each(|(group, margin)| grouped.add(group, margin));
        assert_eq!(grouped.of(|_| true), MarginCounts::from_iter([-1, 3, 3]));
        assert_eq!(grouped.of(|group| group != 63), MarginCounts::from_iter([-1, 3]));
        let json = serde_json::to_string(&grouped).unwrap();
        assert_eq!(serde_json::from_str::<GroupedMargins>(&json).unwrap(), grouped);
        let row = |margin: i32, games: u64| format!("[{margin},{:?}]", [games; GROUPS]);
        for (json, reason) in [
            ("[[1,[2,3]]]".to_owned(), "2 groups"),
            (format!("[{}]", row(1_000_001, 1)), "beyond any game"),
            (format!("[{},{}]", row(1, 1), row(1, 1)), "not above"),
            (format!("[{}]", row(1, 1 << 50)), "more than 2^53"),
        ] {
            let error = serde_json::from_str::<GroupedMargins>(&json).unwrap_err().to_string();
            assert!(error.contains(reason), "{json}: {error}");
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
