//! The komi at which Black and White win equally often.
//!
//! Three answers, since a komi can be half-integer, whole, or a number to compare policies by. All follow from the *balance* at a komi:
//! P(Black wins) − P(White wins), which never increases with the komi. It changes sign at the median of the margins, so the median is
//! the quantity that is estimated, and draws count half for each side.
//!
//! On a board with an odd number of points almost all margins are odd. Then 1.5, 2 and 2.5 give nearly the same games to each side and a
//! jigo can hardly happen at 2, so the whole komi is chosen among those at which jigo makes up the balance.

use std::fmt;

use jigo_engine::Komi;
use serde::{Serialize, Serializer};

use crate::{
    MarginCounts,
    stats::{Estimate, Interval, Shares, group, quantity},
};

/// Fewest games for [`fair_komi`].
///
/// From here on the coverage of the approximate interval is within 2 percentage points of 95 % on the distributions of the tests.
pub const MIN_GAMES: u64 = 100;

/// Name of the method of [`FairKomi::median_interval`].
pub const MEDIAN_METHOD: &str = "exact order-statistic (sign-test) interval for the median";

/// Name of the method of [`FairKomi::estimate`].
pub const ESTIMATE_METHOD: &str = "interpolated median with score interval";

/// A collection of games too small for a fair komi.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a fair komi needs at least {MIN_GAMES} games and there are {games}: play more, or read the shares at a komi"
)]
pub struct TooFewGames {
    /// Number of games there are.
    pub games: u64,
}

/// A komi and how the games end at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KomiShares {
    /// The komi; in JSON a number of points.
    #[serde(serialize_with = "points")]
    pub komi: Komi,
    /// The games at this komi.
    pub shares: Shares,
}

/// As [`Shares`], without draws at a half-integer komi, where there are none.
impl fmt::Display for KomiShares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { komi, shares } = self;
        if komi.is_whole() {
            return shares.fmt(f);
        }
        let [black, white] = [shares.black, shares.white].map(group);
        let (black_wins, white_wins) = (shares.black_wins(), shares.white_wins());
        let games = quantity(shares.games(), "game");
        write!(f, "Black {black} ({black_wins}), White {white} ({white_wins}) of {games}")
    }
}

/// Estimates of the fair komi from one collection of games.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FairKomi {
    /// Number of games.
    pub games: u64,
    /// The half-integer komi at which the two sides' wins differ least.
    ///
    /// Of equals the one nearest to the median, then to zero, then the positive one.
    pub half: KomiShares,
    /// The whole komi at which jigo balances: neither side wins more than half of the games, so it is a median of the margins.
    ///
    /// Of several the one at which the two sides' wins differ least, then the one with more jigo, then as for `half`.
    pub whole: KomiShares,
    /// The median margin of the games: no side wins more than half of them at this komi.
    pub median: Interval<i32>,
    /// 95 % interval for the median, by the method of [`MEDIAN_METHOD`]. Holds for any number of games and any distribution.
    pub median_interval: Interval<i32>,
    /// A fractional komi with a 95 % interval, by the method of [`ESTIMATE_METHOD`]: for comparing policies, sizes and rules.
    ///
    /// Where margins have gaps it may lie in a gap, beside the median.
    pub estimate: Estimate,
}

/// As the [estimate](Self::estimate): `1.85 (1.75..1.94)`.
impl fmt::Display for FairKomi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.estimate.fmt(f)
    }
}

/// Estimates the komi at which Black and White win equally often.
///
/// `margins` counts finished games by Black's margin before komi (points, positive = Black ahead). The estimate describes the policy that
/// played the games, not the game of Go, and takes the games as independent.
///
/// The winning chances at the two komi are those of the games that chose them, so they look a little more balanced than new games will
/// be; their intervals come from [`Shares::black_wins`] and [`Proportion::interval`](crate::Proportion::interval).
///
/// Swapping the colours negates every result, unless +0.5 and −0.5 are equals. Cost: O(m) for m distinct margins.
///
/// # Errors
/// [`TooFewGames`] below [`MIN_GAMES`], where the approximate interval is not trusted.
///
/// # Source
/// See [`Histogram::median_interval`](crate::Histogram::median_interval) and
/// [`Histogram::interpolated_median`](crate::Histogram::interpolated_median).
///
/// # Examples
/// ```
/// use jigo_analysis::{fair_komi, MarginCounts};
/// let margins: MarginCounts = (0..1000).map(|game| game * 37 % 101 - 43).collect();
/// let fair = fair_komi(&margins).unwrap();
/// assert_eq!(fair.half.komi.to_string(), "6.5");
/// let black = fair.half.shares.black_wins();
/// assert!(black.interval().contains(0.5));
/// ```
pub fn fair_komi(margins: &MarginCounts) -> Result<FairKomi, TooFewGames> {
    let games = margins.games();
    if games < MIN_GAMES {
        return Err(TooFewGames { games });
    }
    let histogram = margins.histogram();
    let enough = "MIN_GAMES is enough for every statistic of the middle";
    let median = histogram.median().expect(enough);
    Ok(FairKomi {
        games,
        half: most_balanced(margins, median, false),
        whole: most_balanced(margins, median, true),
        median,
        median_interval: histogram.median_interval().expect(enough),
        estimate: histogram.interpolated_median().expect(enough),
    })
}

/// Returns the whole or the half-integer komi with the least imbalance; of whole komi only those at which jigo balances.
///
/// The balance falls with the komi and changes sign at the median, so only komi beside the median's two ends and its midpoint can be
/// the best or the preferred among equals.
fn most_balanced(margins: &MarginCounts, median: Interval<i32>, whole: bool) -> KomiShares {
    // Everything here is in half points.
    let (lower, upper, midpoint) = (2 * median.lower, 2 * median.upper, median.lower + median.upper);
    let near = |place: i32| (place - 2)..=(place + 2);
    let candidates = near(lower).chain(near(midpoint)).chain(near(upper)).map(Komi::from_half_points);
    let of_kind = candidates.filter(|komi| komi.is_whole() == whole);
    let judged = of_kind.map(|komi| KomiShares { komi, shares: margins.shares(komi) });
    let rank = |KomiShares { komi, shares }: &KomiShares| {
        let half_points = komi.half_points();
        (
            whole && 2 * shares.black.max(shares.white) > shares.games(),
            shares.black.abs_diff(shares.white),
            std::cmp::Reverse(shares.jigo),
            half_points.abs_diff(midpoint),
            half_points.abs(),
            half_points < 0,
        )
    };
    judged.min_by_key(rank).expect("there are komi of both kinds near any margin")
}

/// Writes a komi as a number of points, which is exact.
pub(crate) fn points<S: Serializer>(komi: &Komi, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(komi.to_f64())
}

#[cfg(test)]
mod tests;
