//! Exact counts of integers.

use std::{collections::BTreeMap, ops::RangeInclusive};

use serde::{Deserialize, Serialize};

use super::{InvalidStatistic, Merge};

/// How often each integer occurred.
///
/// Holds integers only, so that merging is exact, commutative and associative: the result does not depend on the order of the games,
/// on threads or on how a run was split. Values that never occurred are not stored, so equal contents compare equal and give the same
/// JSON: a list of `[value, count]` pairs with ascending values.
///
/// ```
/// use jigo_analysis::{Histogram, stats::Merge as _};
/// let mut lengths: Histogram = [4, 2, 4].into_iter().collect();
/// lengths.merge(&Histogram::from_iter([2, 9]));
/// assert_eq!(lengths.iter().collect::<Vec<_>>(), [(2, 2), (4, 2), (9, 1)]);
/// assert_eq!(serde_json::to_string(&lengths).unwrap(), "[[2,2],[4,2],[9,1]]");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<(i32, u64)>", into = "Vec<(i32, u64)>")]
pub struct Histogram {
    /// The least of the [`COMMON`] values that occurred; 0 if none did.
    first: i32,
    /// The counts of that value and the following ones, up to the last of the common values that occurred.
    common: Vec<u64>,
    /// The counts of the other values that occurred.
    rare: BTreeMap<i32, u64>,
    count: u64,
}

/// The values whose counts lie in a row, because games have them: plies, stones and margins on boards of all sizes.
const COMMON: RangeInclusive<i32> = -2048..=4095;

impl Histogram {
    /// The largest total accepted from a file, 2⁵³: up to here every JSON reader keeps counts exactly.
    pub const MAX_READ: u64 = 1 << 53;

    /// Returns a histogram without any occurrence.
    #[must_use]
    pub const fn new() -> Self {
        Self { first: 0, common: Vec::new(), rare: BTreeMap::new(), count: 0 }
    }

    /// Counts one occurrence of `value`. Cost: one addition for a value that games have and that lies between others that occurred, else
    /// O(log m) for m distinct values.
    ///
    /// # Panics
    /// If the total would exceed `u64::MAX`.
    #[inline]
    pub fn add(&mut self, value: i32) {
        self.add_many(value, 1);
    }

    /// Counts `count` occurrences of `value`; none leaves the histogram as it is.
    ///
    /// # Panics
    /// If the total would exceed `u64::MAX`.
    #[inline]
    pub fn add_many(&mut self, value: i32, count: u64) {
        if count > 0 {
            self.count =
                self.count.checked_add(count).expect("a histogram holds at most u64::MAX occurrences");
            let place = self.place(value);
            match self.common.get_mut(place) {
                Some(found) => *found += count,
                None => self.add_new(value, count),
            }
        }
    }

    /// Returns where the count of `value` lies among the common ones: beyond their end if it does not.
    #[inline]
    const fn place(&self, value: i32) -> usize {
        value.wrapping_sub(self.first) as u32 as usize
    }

    /// Counts a value that is rare or beyond the common ones that occurred.
    #[cold]
    fn add_new(&mut self, value: i32, count: u64) {
        if !COMMON.contains(&value) {
            *self.rare.entry(value).or_default() += count;
            return;
        }
        if self.common.is_empty() {
            self.first = value;
        }
        let missing = usize::try_from(self.first - value).unwrap_or(0);
        self.common.splice(..0, std::iter::repeat_n(0, missing));
        self.first = self.first.min(value);
        let place = (value - self.first) as usize;
        if place >= self.common.len() {
            self.common.resize(place + 1, 0);
        }
        self.common[place] += count;
    }

    /// Iterates over the values that occurred, ascending, each with its count (at least 1).
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i32, u64)> + Clone + '_ {
        let rare = |(&value, &count): (&i32, &u64)| (value, count);
        let low = self.rare.range(..COMMON.start()).map(rare);
        let common = self.common.iter().enumerate().filter(|&(_, &count)| count > 0);
        let common = common.map(|(place, &count)| (self.first + place as i32, count));
        let high = self.rare.range(COMMON.end()..).map(rare);
        low.chain(common).chain(high)
    }

    /// Returns the number of occurrences of all values.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of occurrences of `value`.
    #[must_use]
    pub fn count_of(&self, value: i32) -> u64 {
        let common = self.common.get(self.place(value));
        common.or_else(|| self.rare.get(&value)).copied().unwrap_or(0)
    }

    /// Returns whether nothing has been counted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the smallest value that occurred.
    #[must_use]
    pub fn min(&self) -> Option<i32> {
        self.iter().next().map(|(value, _)| value)
    }

    /// Returns the largest value that occurred.
    #[must_use]
    pub fn max(&self) -> Option<i32> {
        self.iter().next_back().map(|(value, _)| value)
    }

    /// Returns the values of so many occurrences, of which this histogram leaves out those of 0.
    ///
    /// # Panics
    /// If it has more than `total` occurrences.
    #[must_use]
    pub fn with_zeros(&self, total: u64) -> Self {
        let mut all = self.clone();
        all.add_many(0, total.checked_sub(self.count).expect("a part is at most the whole"));
        all
    }

    /// Returns the exact sum of all occurrences. It cannot overflow.
    #[must_use]
    pub fn sum(&self) -> i128 {
        self.iter().map(|(value, count)| i128::from(value) * i128::from(count)).sum()
    }
}

impl Merge for Histogram {
    /// # Panics
    /// If the total would exceed `u64::MAX`.
    fn merge(&mut self, other: &Self) {
        other.iter().for_each(|(value, count)| self.add_many(value, count));
    }
}

impl FromIterator<i32> for Histogram {
    fn from_iter<T: IntoIterator<Item = i32>>(values: T) -> Self {
        let mut histogram = Self::new();
        values.into_iter().for_each(|value| histogram.add(value));
        histogram
    }
}

impl From<Histogram> for Vec<(i32, u64)> {
    fn from(histogram: Histogram) -> Self {
        histogram.iter().collect()
    }
}

impl TryFrom<Vec<(i32, u64)>> for Histogram {
    type Error = InvalidStatistic;

    fn try_from(pairs: Vec<(i32, u64)>) -> Result<Self, InvalidStatistic> {
        let mut total: u64 = 0;
        for (index, &(value, count)) in pairs.iter().enumerate() {
            if index > 0 && value <= pairs[index - 1].0 {
                return Err(InvalidStatistic::Unordered(value));
            }
            if count == 0 {
                return Err(InvalidStatistic::Zero(value));
            }
            total = total.saturating_add(count);
        }
        if total > Self::MAX_READ {
            return Err(InvalidStatistic::TooMany);
        }
        let mut histogram = Self::new();
        pairs.into_iter().for_each(|(value, count)| histogram.add_many(value, count));
        Ok(histogram)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(left: &Histogram, right: &Histogram) -> Histogram {
        let mut result = left.clone();
        result.merge(right);
        result
    }

    proptest! {
        #[test]
        fn merging_is_adding(values in proptest::collection::vec(-30..30, 0..60), cut in 0_usize..60, other in 0_usize..60) {
            let (cut, other) = (cut.min(values.len()), other.min(values.len()));
            let (low, high) = (cut.min(other), cut.max(other));
            let part = |range: &[i32]| range.iter().copied().collect::<Histogram>();
            let (a, b, c) = (part(&values[..low]), part(&values[low..high]), part(&values[high..]));
            let whole = part(&values);
            prop_assert_eq!(&merged(&merged(&a, &b), &c), &whole);
            prop_assert_eq!(&merged(&a, &merged(&b, &c)), &whole);
            prop_assert_eq!(&merged(&c, &merged(&b, &a)), &whole);
            prop_assert_eq!(whole.count(), values.len() as u64);
            prop_assert_eq!(whole.sum(), values.iter().map(|&value| i128::from(value)).sum::<i128>());
            prop_assert_eq!(whole.min(), values.iter().min().copied());
            prop_assert_eq!(whole.max(), values.iter().max().copied());
            let json = serde_json::to_string(&whole).unwrap();
            prop_assert_eq!(serde_json::from_str::<Histogram>(&json).unwrap(), whole);
        }
    }

    #[test]
    fn damaged_json_is_refused() {
        for (json, reason) in [
            ("[[1,2],[1,3]]", "not above"),
            ("[[2,2],[1,3]]", "not above"),
            ("[[1,0]]", "count 0"),
            ("[[1,9007199254740992],[2,1]]", "2^53"),
            ("[[1,18446744073709551615],[2,18446744073709551615]]", "2^53"),
            ("[[1,-1]]", "invalid value"),
        ] {
            let error = serde_json::from_str::<Histogram>(json).unwrap_err().to_string();
            assert!(error.contains(reason), "{json}: {error}");
        }
        assert!(serde_json::from_str::<Histogram>("[]").unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn behaves_like_a_map(
            values in proptest::collection::vec(
                prop_oneof![-30..30, -2060..-2040, 4090..4100, i32::MIN..=i32::MAX, Just(i32::MIN), Just(i32::MAX)],
                0..60,
            ),
            from_back in proptest::collection::vec(any::<bool>(), 60),
        ) {
            let mut expected: BTreeMap<i32, u64> = BTreeMap::new();
            let mut histogram = Histogram::new();
            for (&value, count) in values.iter().zip((1..4).cycle()) {
                *expected.entry(value).or_default() += count;
                histogram.add_many(value, count);
                prop_assert_eq!(histogram.count_of(value), expected[&value]);
            }
            prop_assert!(histogram.iter().eq(expected.iter().map(|(&value, &count)| (value, count))));
            prop_assert!(histogram.iter().rev().eq(expected.iter().rev().map(|(&value, &count)| (value, count))));
            let (mut found, mut wanted) = (histogram.iter(), expected.iter());
            for from_back in from_back {
                let (one, other) =
                    if from_back { (found.next_back(), wanted.next_back()) } else { (found.next(), wanted.next()) };
                prop_assert_eq!(one, other.map(|(&value, &count)| (value, count)));
            }
            // The order of occurrences leaves no trace.
            let again: Histogram = Vec::from(histogram.clone()).try_into().unwrap();
            prop_assert_eq!(&again, &histogram);
        }
    }

    #[test]
    fn absent_values_leave_no_trace() {
        let mut histogram = Histogram::new();
        histogram.add_many(5, 0);
        assert_eq!(histogram, Histogram::new());
        assert_eq!(histogram.count_of(5), 0);
    }
}
