//! Statistics of counts: exact while the counts are counted, floating point only in the last step.

use std::collections::BTreeMap;

mod beta;
mod difference;
mod elo;
mod estimate;
mod fair_komi;
mod histogram;
mod komi_grid;
mod margins;
mod proportion;
mod quantile;
mod ratings;
mod text;

pub use difference::PairedShares;
pub(crate) use difference::{GROUPS, INDEPENDENT, delete_a_group, group_of};
pub use elo::{ELO_METHOD, Hypothesis, InvalidSprt, PairCounts, Sprt, elo_difference, expected_share};
pub use estimate::{CONFIDENCE, Estimate, Interval};
pub(crate) use fair_komi::points;
pub use fair_komi::{
    ESTIMATE_METHOD, FairKomi, KomiShares, MEDIAN_METHOD, MIN_GAMES, TooFewGames, fair_komi,
};
pub use histogram::Histogram;
pub use komi_grid::{KomiResult, LOGISTIC_METHOD, LogisticFit};
pub(crate) use margins::GroupedMargins;
pub use margins::{MarginCounts, Shares};
pub use proportion::Proportion;
pub use quantile::Spread;
pub use ratings::{Encounter, Ratings};
pub(crate) use text::decimals_for;
pub use text::{fixed, group, quantity};

/// Numbers that are no statistic.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidStatistic {
    /// A value of a histogram is not above the one before it.
    #[error(
        "value {0} of a histogram is not above the value before it: the list is damaged or was written by hand"
    )]
    Unordered(i32),
    /// A value of a histogram has no occurrence.
    #[error("value {0} of a histogram has count 0: such values are left out")]
    Zero(i32),
    /// The counts of a histogram add up to more than [`Histogram::MAX_READ`].
    #[error("the counts of a histogram add up to more than 2^53: the list is damaged")]
    TooMany,
    /// No game can end by so many points.
    #[error("a margin of {0} points is beyond any game: the counts are damaged or are not margins")]
    Margin(i32),
    /// Games are not dealt into as many groups as here.
    #[error("games are in {0} groups instead of {GROUPS}: the counts are damaged")]
    Groups(usize),
    /// A part is larger than the whole.
    #[error("{0} is more than {1}: the counts do not belong together")]
    Part(u64, u64),
}

/// Halves the interval until its ends are neighbouring floating-point numbers, keeping `below` true at the lower end and false at
/// the upper one. Returns the last two ends.
pub(crate) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> (f64, f64) {
    /// Enough for an interval of length 1000 to shrink below 10⁻²⁷; makes termination plain.
    const MAX_STEPS: u32 = 100;
    for _ in 0..MAX_STEPS {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, high)
}

/// 97.5 % quantile of the standard normal distribution.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;

/// Counts that add up: merging the parts of a collection gives what counting all of it at once would have given, in any order.
pub trait Merge {
    /// Adds the counts of `other`.
    fn merge(&mut self, other: &Self);
}

/// Merges a struct by adding up its fields. Leaving a field out does not compile.
macro_rules! merge_fields {
    ($type:ty: $($field:ident),+ $(; not $($rest:ident),+)?) => {
        impl $crate::stats::Merge for $type {
            fn merge(&mut self, other: &Self) {
                let Self { $($field,)+ $($($rest: _),+)? } = other;
                $($crate::stats::Merge::merge(&mut self.$field, $field);)+
            }
        }
    };
}
pub(crate) use merge_fields;

impl Merge for u64 {
    fn merge(&mut self, other: &Self) {
        *self += other;
    }
}

/// Of pairs, the first is a name that both have.
impl<K, V: Merge> Merge for (K, V) {
    fn merge(&mut self, other: &Self) {
        self.1.merge(&other.1);
    }
}

impl<T: Merge, const N: usize> Merge for [T; N] {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

impl<T: Merge> Merge for Vec<T> {
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

impl<K: Clone + Ord, V: Clone + Merge> Merge for BTreeMap<K, V> {
    fn merge(&mut self, other: &Self) {
        for (key, theirs) in other {
            match self.get_mut(key) {
                Some(mine) => mine.merge(theirs),
                None => _ = self.insert(key.clone(), theirs.clone()),
            }
        }
    }
}
