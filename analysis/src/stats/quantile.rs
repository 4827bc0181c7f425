//! Where the values of a histogram lie, how they spread, and two intervals for their middle: an exact one for the median, which shrinks to a single
//! whole number with many games, and a finer one for the *interpolated median*, which moves smoothly as probability moves from one side to the other.

use serde::Serialize;

use super::{Estimate, Interval, NORMAL, beta::ln_beta_tails, bisect, estimate::TAIL};
use crate::Histogram;

/// Where whole numbers lie and how they spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean, or nothing for a single occurrence. Takes the occurrences as independent: one per game, not one per move.
    pub standard_error: Option<f64>,
    /// The sample standard deviation (with count − 1), or nothing for a single occurrence.
    pub standard_deviation: Option<f64>,
    /// The least value.
    pub minimum: i32,
    /// The midpoint of the two middle values.
    pub median: f64,
    /// The largest value.
    pub maximum: i32,
}

impl Histogram {
    /// Returns the occurrence at place `rank` (from 1) in ascending order, or nothing if there is no such place.
    #[must_use]
    pub fn order_statistic(&self, rank: u64) -> Option<i32> {
        let mut left = rank.checked_sub(1)?;
        for (value, count) in self.iter() {
            if left < count {
                return Some(value);
            }
            left -= count;
        }
        None
    }

    /// Returns the two middle occurrences, or nothing for an empty histogram. They are equal unless the number of occurrences is even and its middle
    /// falls between two values.
    #[must_use]
    pub fn median(&self) -> Option<Interval<i32>> {
        let lower = self.order_statistic(self.count().div_ceil(2))?;
        let upper = self.order_statistic(self.count() / 2 + 1)?;
        Some(Interval { lower, upper })
    }

    /// Returns the mean and spread, or nothing for an empty histogram.
    ///
    /// From exact sums about the whole number nearest to the mean: rounding happens at the end only, so the results are the same however the
    /// histogram was put together.
    #[must_use]
    pub fn spread(&self) -> Option<Spread> {
        let median = self.median()?.midpoint();
        let (count, sum) = (i128::from(self.count()), self.sum());
        let origin = (2 * sum + count).div_euclid(2 * count);
        // At most half of `count` in size.
        let deviations = (sum - origin * count) as f64;
        // Each deviation is below 2³², so the squares fit in any number that a u64 can count.
        let squares = self
            .iter()
            .map(|(value, count)| (i128::from(value) - origin).unsigned_abs().pow(2) * u128::from(count));
        let squares: u128 = squares.sum();
        let count = self.count() as f64;
        // The subtraction takes away at most half, so no accuracy is lost.
        let squares = squares as f64 - deviations * deviations / count;
        let variance = (self.count() > 1).then(|| squares / (self.count() - 1) as f64);
        Some(Spread {
            mean: sum as f64 / count,
            standard_error: variance.map(|variance| (variance / count).sqrt()),
            standard_deviation: variance.map(f64::sqrt),
            minimum: self.min()?,
            median,
            maximum: self.max()?,
        })
    }

    /// Returns the exact 95 % order-statistic (sign-test) interval for the median, or nothing for fewer than 6 occurrences.
    ///
    /// The ends are the occurrences at equal rank r from below and above, with the largest r that keeps P(fewer than r of n fair coins
    /// show heads) within the probability left to one side. Assumes independent occurrences and nothing else: with ties and
    /// gaps between the values (all margins odd, say) the closed interval still covers every median of the distribution behind the
    /// sample, at least as often as stated.
    ///
    /// Cost: O(m + log n) for m distinct values.
    ///
    /// # Source
    /// W. R. Thompson, *On Confidence Ranges for the Median and Other Expectation Distributions*, Annals of Mathematical Statistics 7,
    /// 1936; for ties H. Scheffé and J. W. Tukey, *Non-Parametric Estimation*, same journal 16, 1945; H. A. David and H. N. Nagaraja,
    /// *Order Statistics*, 3rd edition 2003, section 7.1.
    #[must_use]
    pub fn median_interval(&self) -> Option<Interval<i32>> {
        let n = self.count();
        let ln_tail = TAIL.ln();
        // P(Binomial(n, ½) ≤ r − 1) = I_½(n − r + 1, r).
        let allowed = |rank: u64| ln_beta_tails(0.5, (n - rank + 1) as f64, rank as f64).lower <= ln_tail;
        let (mut rank, mut too_large) = (0, n / 2 + 1);
        while too_large - rank > 1 {
            let middle = rank + (too_large - rank) / 2;
            if allowed(middle) {
                rank = middle;
            } else {
                too_large = middle;
            }
        }
        Some(Interval { lower: self.order_statistic(rank)?, upper: self.order_statistic(n + 1 - rank)? })
    }

    /// Returns the interpolated median with a 95 % score interval, or nothing for an empty histogram.
    ///
    /// Definition: at each value x that occurs, the *balance* is P(above x) − P(below x); between two such values it is interpolated
    /// linearly, and the estimate is where it is zero. The same number is the median of the mid-distribution P(below x) + ½ P(x).
    /// Gaps between values, as between odd margins, need no special treatment: only values that occur carry the line.
    ///
    /// The interval holds every k at which a balance of zero is not rejected. The interpolated balance at k is the mean of a score
    /// between −1 and 1 per occurrence, and k is rejected when the sum of the scores exceeds 1.96 times the root of the sum of
    /// their squares. This is a large-sample method (the exact companion is [`median_interval`](Self::median_interval)), and it
    /// takes the values that occur in the sample for those that can occur.
    ///
    /// Cost: O(m) for m distinct values.
    ///
    /// # Source
    /// Y. Ma, M. G. Genton and E. Parzen, *Asymptotic Properties of Sample Quantiles of Discrete Distributions*, Annals of the Institute
    /// of Statistical Mathematics 63, 2011 (the estimate); D. D. Boos, *A New Method for Constructing Approximate Confidence
    /// Intervals from M Estimates*, Journal of the American Statistical Association 75, 1980 (the interval).
    #[must_use]
    pub fn interpolated_median(&self) -> Option<Estimate> {
        let balance = Balance::new(self);
        let (first, last) = (f64::from(self.min()?), f64::from(self.max()?));
        let estimate = balance.zero()?;
        let lower = balance.crossing(NORMAL, first, estimate);
        let upper = balance.crossing(-NORMAL, estimate, last);
        Some(Estimate { estimate, interval: Interval { lower, upper } })
    }
}

struct Node {
    value: f64,
    below: f64,
    at: f64,
    above: f64,
}

impl Node {
    /// Occurrences above minus occurrences below.
    fn surplus(&self) -> f64 {
        self.above - self.below
    }
}

/// The values of a histogram, ascending.
struct Balance(Vec<Node>);

impl Balance {
    fn new(histogram: &Histogram) -> Self {
        let mut below = 0;
        let nodes = histogram.iter().map(|(value, count)| {
            let above = histogram.count() - below - count;
            let node =
                Node { value: value.into(), below: below as f64, at: count as f64, above: above as f64 };
            below += count;
            node
        });
        Self(nodes.collect())
    }

    /// Returns where the interpolated balance is zero.
    fn zero(&self) -> Option<f64> {
        let right = self.0.partition_point(|node| node.surplus() > 0.0);
        let node = self.0.get(right)?;
        if node.surplus() == 0.0 || right == 0 {
            return Some(node.value);
        }
        let left = &self.0[right - 1];
        let part = left.surplus() / (left.surplus() - node.surplus());
        Some(left.value + part * (node.value - left.value))
    }

    /// Returns where the standardised score falls to `target`, between `low` and `high`; the nearer end if it does not.
    fn crossing(&self, target: f64, low: f64, high: f64) -> f64 {
        match (self.score(low), self.score(high)) {
            (first, _) if first <= target => low,
            (_, last) if last >= target => high,
            _ => bisect(low, high, |k| self.score(k) > target).1,
        }
    }

    /// Returns the sum of the scores at `k` over the root of the sum of their squares.
    ///
    /// Never increases with k, so that bisection finds the one crossing. Between neighbours with counts p and q, at part t of the way,
    /// the sum A = U − L + (1−t)q − tp falls at rate p + q, and B = U + L + (1−t)²q + t²p is the sum of squares. Where A > 0 the sign
    /// of the slope of A/√B is that of A·((1−t)q − tp) − (p+q)B, which is not positive because (1−t)A ≤ B. A < 0 is its mirror image.
    fn score(&self, k: f64) -> f64 {
        let right = self.0.partition_point(|node| node.value < k);
        let (sum, squares) = match (right.checked_sub(1).map(|left| &self.0[left]), self.0.get(right)) {
            (Some(left), Some(right)) => {
                let part = (k - left.value) / (right.value - left.value);
                let rest = 1.0 - part;
                let sum = right.above - left.below + rest * right.at - part * left.at;
                (sum, right.above + left.below + rest * rest * right.at + part * part * left.at)
            }
            (Some(node), None) | (None, Some(node)) => (node.surplus(), node.above + node.below),
            (None, None) => (0.0, 0.0),
        };
        if squares > 0.0 { sum / squares.sqrt() } else { 0.0 }
    }
}

#[cfg(test)]
mod tests;
