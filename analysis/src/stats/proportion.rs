//! A share of a number of trials, and how far it can be trusted.

use std::fmt;

use serde::Serialize;

use super::{Interval, InvalidStatistic, beta::ln_beta_tails, bisect, estimate::TAIL, fixed};

/// `count` of `of` trials, exactly as counted.
///
/// Displays as per cent with two decimals, halves rounded up; without trials as `-`.
///
/// ```
/// use jigo_analysis::Proportion;
/// let superko_games = Proportion::new(3, 10_000_000).unwrap();
/// let interval = superko_games.interval();
/// assert!(interval.lower > 6.1e-8 && interval.upper < 8.8e-7);
/// assert_eq!(Proportion::new(6114, 12_515).unwrap().to_string(), "48.85 %");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Proportion {
    count: u64,
    of: u64,
}

impl Proportion {
    /// Returns the proportion `count` of `of`; no trials at all are allowed.
    ///
    /// # Errors
    /// [`InvalidStatistic::Part`] if `count` exceeds `of`.
    pub const fn new(count: u64, of: u64) -> Result<Self, InvalidStatistic> {
        if count <= of { Ok(Self { count, of }) } else { Err(InvalidStatistic::Part(count, of)) }
    }

    /// Returns the number of successes.
    #[must_use]
    pub const fn count(self) -> u64 {
        self.count
    }

    /// Returns the number of trials.
    #[must_use]
    pub const fn trials(self) -> u64 {
        self.of
    }

    /// Returns the share as a fraction of 1, or nothing without trials.
    #[must_use]
    pub fn estimate(self) -> Option<f64> {
        (self.of > 0).then(|| self.count as f64 / self.of as f64)
    }

    /// Returns the exact 95 % Clopper–Pearson interval for the probability behind the share.
    ///
    /// Covers the true probability in at least 95 % of samples, whatever that probability is; for rare events in more, never in fewer.
    /// Each side leaves out at most 2.5 %. Without trials it is 0 to 1.
    ///
    /// The ends are found by bisection in the logarithm of the rarer outcome's probability, with a relative accuracy of about 10⁻¹⁴
    /// for rates as small as 10⁻¹⁵; of the last bracket the outer end is taken. Always ends. Cost: below 1 ms for any counts.
    ///
    /// # Source
    /// C. J. Clopper and E. S. Pearson, *The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial*,
    /// Biometrika 26, 1934.
    #[must_use]
    pub fn interval(self) -> Interval {
        self.interval_with_tail(TAIL)
    }

    /// As [`interval`](Self::interval), with this probability left outside at each side.
    fn interval_with_tail(self, tail: f64) -> Interval {
        let Self { count, of } = self;
        if of == 0 {
            Interval { lower: 0.0, upper: 1.0 }
        } else if count > of / 2 {
            // The logarithm resolves small rates, so the rarer outcome is the one to look at.
            let rare = Self { count: of - count, of }.rare_interval(tail);
            Interval { lower: 1.0 - rare.upper, upper: 1.0 - rare.lower }
        } else {
            self.rare_interval(tail)
        }
    }

    /// Returns the interval for at least one trial and a share of at most about one half.
    fn rare_interval(self, tail: f64) -> Interval {
        let (k, n) = (self.count as f64, self.of as f64);
        let rest = (self.of - self.count) as f64;
        let ln_tail = tail.ln();
        let lower = if self.count == 0 {
            0.0
        } else {
            // P(at least k) ≤ (e n x / k)ᵏ, so the end is no further out than where that bound meets the tail.
            let outermost = (k / n).ln() - 1.0 + ln_tail / k;
            let below = |ln_x: f64| ln_beta_tails(ln_x.exp(), k, rest + 1.0).lower < ln_tail;
            bisect(outermost, (k / n).ln(), below).0.exp()
        };
        // Even at rate k/n, or 1/2n for k = 0, at most k successes have a probability of one half or more.
        let innermost = (k.max(0.5) / n).ln();
        let below = |ln_x: f64| {
            let x = ln_x.exp();
            x < 1.0 && ln_beta_tails(x, k + 1.0, rest).upper > ln_tail
        };
        Interval { lower, upper: bisect(innermost, 0.0, below).1.exp() }
    }
}

impl fmt::Display for Proportion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.of == 0 {
            return f.pad("-");
        }
        f.pad(&format!("{} %", fixed(100.0 * self.count as f64 / self.of as f64, 2)))
    }
}

#[cfg(test)]
mod tests;
