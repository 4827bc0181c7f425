//! Estimates with intervals, and how they are written.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    NORMAL,
    text::{decimals_for, fixed},
};

/// The confidence level of every interval, as a fraction of 1: in the long run this share of intervals contains what they estimate.
pub const CONFIDENCE: f64 = 0.95;

/// The probability left outside at each side of an interval.
pub(super) const TAIL: f64 = (1.0 - CONFIDENCE) / 2.0;

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval<T = f64> {
    /// The lower end.
    pub lower: T,
    /// The upper end.
    pub upper: T,
}

impl Interval {
    /// Returns whether `value` lies in the interval, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// Returns the upper end minus the lower end.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

impl Interval<i32> {
    /// Returns the point halfway between the two ends, exact.
    #[must_use]
    pub fn midpoint(self) -> f64 {
        (f64::from(self.lower) + f64::from(self.upper)) / 2.0
    }
}

/// A number with its interval.
///
/// Displays with the digits that the interval is worth: `1.85 (1.75..1.94)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate itself.
    pub estimate: f64,
    /// A 95 % interval for it.
    pub interval: Interval,
}

impl Estimate {
    /// Returns a mean with its approximate interval by the normal distribution, given the standard error.
    ///
    /// Takes the mean for normally distributed, as means of many independent observations are: with few that differ from the rest it is not to
    /// be trusted.
    #[must_use]
    pub fn from_mean(mean: f64, standard_error: f64) -> Self {
        let reach = NORMAL * standard_error;
        Self { estimate: mean, interval: Interval { lower: mean - reach, upper: mean + reach } }
    }

    /// Returns the difference of two independent estimates: `after` minus `before`. The result has the same level; the intervals need not be
    /// symmetric.
    ///
    /// Each end lies as far from the difference as the two distances of the estimates from their own ends come to by Pythagoras. For shares with
    /// Wilson's intervals this is Newcombe's hybrid score interval; for means with normal ones it is Welch's with normal quantiles.
    ///
    /// # Source
    /// G. Y. Zou and A. Donner, *Construction of confidence limits about effect measures: a general approach*, Statistics in Medicine 27 (2008).
    #[must_use]
    pub fn from_independent(before: Self, after: Self) -> Self {
        let estimate = after.estimate - before.estimate;
        let below = |of: Self| of.estimate - of.interval.lower;
        let above = |of: Self| of.interval.upper - of.estimate;
        let interval = Interval {
            lower: estimate - below(after).hypot(above(before)),
            upper: estimate + above(after).hypot(below(before)),
        };
        Self { estimate, interval }
    }

    /// Returns a fraction of 1 in per cent.
    pub(crate) fn in_per_cent(self) -> Self {
        self.scaled(100.0)
    }

    /// Returns the estimate of a positive multiple, with its interval.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        let Interval { lower, upper } = self.interval;
        let interval = Interval { lower: factor * lower, upper: factor * upper };
        Self { estimate: factor * self.estimate, interval }
    }

    /// Returns the estimate and its interval as text, as in `1.85` and `1.75 to 1.94`.
    pub(crate) fn texts(self) -> [String; 2] {
        let decimals = decimals_for(self.interval.width());
        let [lower, upper] = [self.interval.lower, self.interval.upper].map(|end| fixed(end, decimals));
        [fixed(self.estimate, decimals), format!("{lower} to {upper}")]
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [estimate, interval] = self.texts();
        write!(f, "{estimate} ({})", interval.replace(" to ", ".."))
    }
}
