//! Where the values of a histogram lie and how they spread.

use serde::Serialize;

use crate::Histogram;

/// The two middle values of a histogram: equal unless the number of occurrences is even and its middle falls between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Median {
    /// The smallest value with at least half of the occurrences at or below it.
    pub lower: i32,
    /// The largest value with at least half of the occurrences at or above it.
    pub upper: i32,
}

impl Median {
    /// The point halfway between the two middles, exact.
    #[must_use]
    pub fn midpoint(self) -> f64 {
        (f64::from(self.lower) + f64::from(self.upper)) / 2.0
    }
}

/// Mean and spread, from exact sums about the whole number nearest to the mean.
///
/// Rounding happens only when a result is read, so the results are the same however the histogram was put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moments {
    count: u64,
    sum: i128,
    /// Sum of the deviations from the origin: at most half of `count` in size.
    deviations: i128,
    /// Sum of their squares.
    squares: u128,
}

impl Moments {
    /// Number of occurrences, at least 1.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count as f64
    }

    /// The sample variance (sum of squares over count − 1), or nothing for a single occurrence.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let deviations = self.deviations as f64;
        // The subtraction takes away at most half, so no accuracy is lost.
        let squares = self.squares as f64 - deviations * deviations / self.count as f64;
        (self.count > 1).then(|| squares / (self.count - 1) as f64)
    }

    /// The sample standard deviation, or nothing for a single occurrence.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The standard error of the mean, or nothing for a single occurrence.
    ///
    /// Assumes independent occurrences: one per game, not one per move.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.count as f64).sqrt())
    }
}

impl Histogram {
    /// The occurrence at place `rank` (from 1) in ascending order, or nothing if there is no such place.
    #[must_use]
    pub fn order_statistic(&self, rank: u64) -> Option<i32> {
        let mut left = rank.checked_sub(1)?;
        for (value, count) in self {
            if left < count {
                return Some(value);
            }
            left -= count;
        }
        None
    }

    /// The smallest value with at least `part / whole` of the occurrences at or below it, or nothing for an empty histogram.
    ///
    /// The fraction is given by two integers, so that no rounding decides between two values; 0 gives the minimum, 1 the maximum.
    ///
    /// # Panics
    /// If `whole` is 0 or `part` exceeds it.
    ///
    /// # Source
    /// R. J. Hyndman and Y. Fan, *Sample Quantiles in Statistical Packages*, The American Statistician 50, 1996, definition 1.
    #[must_use]
    pub fn quantile(&self, part: u32, whole: u32) -> Option<i32> {
        assert!(part <= whole && whole > 0, "{part}/{whole} is not a fraction between 0 and 1");
        let rank = (u128::from(self.count()) * u128::from(part)).div_ceil(u128::from(whole));
        let rank = u64::try_from(rank).expect("a part of a u64 fits");
        self.order_statistic(rank.max(1))
    }

    /// The two middle occurrences, or nothing for an empty histogram.
    #[must_use]
    pub fn median(&self) -> Option<Median> {
        let lower = self.order_statistic(self.count().div_ceil(2))?;
        let upper = self.order_statistic(self.count() / 2 + 1)?;
        Some(Median { lower, upper })
    }

    /// Mean and spread, or nothing for an empty histogram.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        if self.is_empty() {
            return None;
        }
        let (count, sum) = (i128::from(self.count()), self.sum());
        let origin = (2 * sum + count).div_euclid(2 * count);
        let deviations = sum - origin * count;
        // Each deviation is below 2³², so the squares fit in any number that a u64 can count.
        let squares = self
            .iter()
            .map(|(value, count)| (i128::from(value) - origin).unsigned_abs().pow(2) * u128::from(count));
        Some(Moments { count: self.count(), sum, deviations, squares: squares.sum() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_the_sorted_list(mut values in proptest::collection::vec(-500..500, 1..80), part in 0_u32..=20) {
            let histogram: Histogram = values.iter().copied().collect();
            values.sort_unstable();
            let n = values.len();
            let at_least = |value: i32| 20 * values.iter().filter(|&&other| other <= value).count() >= part as usize * n;
            let quantile = histogram.quantile(part, 20).unwrap();
            prop_assert_eq!(Some(quantile), values.iter().copied().find(|&value| at_least(value)));
            let median = histogram.median().unwrap();
            prop_assert_eq!((median.lower, median.upper), (values[(n - 1) / 2], values[n / 2]));

            let moments = histogram.moments().unwrap();
            let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / n as f64;
            prop_assert!((moments.mean() - mean).abs() < 1e-10);
            if n > 1 {
                let squares = values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>();
                let variance = squares / (n - 1) as f64;
                prop_assert!((moments.variance().unwrap() - variance).abs() <= 1e-10 * variance.max(1.0));
            }
        }
    }

    #[test]
    fn known_values() {
        let histogram: Histogram = [2, 4, 4, 4, 5, 5, 7, 9].into_iter().collect();
        let moments = histogram.moments().unwrap();
        assert_eq!(moments.mean(), 5.0);
        assert_eq!(moments.variance(), Some(32.0 / 7.0));
        assert_eq!(moments.standard_error(), Some((4.0_f64 / 7.0).sqrt()));
        assert_eq!(histogram.median(), Some(Median { lower: 4, upper: 5 }));
        assert_eq!(histogram.median().unwrap().midpoint(), 4.5);
    }

    #[test]
    fn extremes_do_not_overflow() {
        let mut histogram = Histogram::new();
        histogram.add_many(i32::MIN, u64::MAX / 2);
        histogram.add_many(i32::MAX, u64::MAX / 2);
        let moments = histogram.moments().unwrap();
        assert_eq!(moments.mean(), -0.5);
        assert!((moments.standard_deviation().unwrap() / 2_f64.powi(31) - 1.0).abs() < 1e-9);
        assert_eq!(histogram.quantile(1, 1), Some(i32::MAX));
    }

    #[test]
    fn nothing_and_one() {
        assert_eq!(Histogram::new().moments(), None);
        assert_eq!(Histogram::new().median(), None);
        assert_eq!(Histogram::new().quantile(1, 2), None);
        let one: Histogram = [-7].into_iter().collect();
        assert_eq!(one.moments().unwrap().variance(), None);
        assert_eq!(
            (one.order_statistic(0), one.order_statistic(1), one.order_statistic(2)),
            (None, Some(-7), None)
        );
    }
}
