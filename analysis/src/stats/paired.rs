//! The difference of two shares that were counted on the same trials.

use super::{Interval, Proportion};

/// Trials that were judged twice, each time as success or not: only those with two different judgements say anything about the difference.
///
/// ```
/// use jigo_analysis::stats::PairedShares;
/// // Of 1000 games, 12 were won under the first rules only and 30 under the second only.
/// let wins = PairedShares::new(12, 30, 1000).unwrap();
/// assert_eq!(wins.difference(), Some(0.018));
/// assert!(wins.difference_interval().lower > 0.005);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairedShares {
    lost: u64,
    gained: u64,
    of: u64,
}

/// More judgements that differ than there are trials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{lost} and {gained} of {of} are no parts of a whole: the counts do not belong together")]
pub struct InvalidPairs {
    lost: u64,
    gained: u64,
    of: u64,
}

impl PairedShares {
    /// `lost` trials were a success at first only and `gained` trials the second time only, of all trials.
    ///
    /// # Errors
    /// [`InvalidPairs`] if the two exceed `of`.
    pub const fn new(lost: u64, gained: u64, of: u64) -> Result<Self, InvalidPairs> {
        match lost.checked_add(gained) {
            Some(both) if both <= of => Ok(Self { lost, gained, of }),
            _ => Err(InvalidPairs { lost, gained, of }),
        }
    }

    /// The trials whose two judgements differ.
    ///
    /// # Panics
    /// Never: the parts were checked.
    #[must_use]
    pub const fn discordant(self) -> Proportion {
        match Proportion::new(self.lost + self.gained, self.of) {
            Ok(proportion) => proportion,
            Err(_) => panic!("the parts were checked"),
        }
    }

    /// The second share minus the first, or nothing without trials.
    #[must_use]
    pub fn difference(self) -> Option<f64> {
        (self.of > 0).then(|| (self.gained as f64 - self.lost as f64) / self.of as f64)
    }

    /// Tango's 95 % score interval for the difference of the two probabilities.
    ///
    /// It holds every difference that the score test of McNemar's kind does not reject. Takes the trials as independent; approximate, but good
    /// for few discordant trials or none, where the normal interval around the estimate fails. Without trials it is −1 to 1.
    ///
    /// # Source
    /// T. Tango, *Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample Design*, Statistics in
    /// Medicine 17, 1998.
    #[must_use]
    pub fn difference_interval(self) -> Interval {
        let Some(estimate) = self.difference() else { return Interval { lower: -1.0, upper: 1.0 } };
        let mirrored = Self { lost: self.gained, gained: self.lost, of: self.of };
        Interval { lower: -mirrored.upper_end(-estimate), upper: self.upper_end(estimate) }
    }

    /// The largest difference that is not rejected: bisection between the estimate and 1, where the score falls.
    fn upper_end(self, estimate: f64) -> f64 {
        /// Enough to reach neighbouring floating-point numbers; makes termination plain.
        const MAX_STEPS: u32 = 100;
        let (mut low, mut high) = (estimate, 1.0);
        for _ in 0..MAX_STEPS {
            let middle = low + (high - low) / 2.0;
            if middle <= low || middle >= high {
                break;
            }
            if self.score(middle) > -super::NORMAL {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// How many standard deviations the estimate lies above `difference`, with the variance that is likeliest at this difference.
    fn score(self, difference: f64) -> f64 {
        let [lost, gained, n] = [self.lost, self.gained, self.of].map(|count| count as f64);
        // The likeliest probability q of a loss solves a q² + b q + c = 0; that of a gain is then q + difference.
        let a = 2.0 * n;
        let b = (2.0 * n - gained + lost) * difference - lost - gained;
        let c = -lost * difference * (1.0 - difference);
        let q = ((b * b - 4.0 * a * c).max(0.0).sqrt() - b) / (2.0 * a);
        let variance = n * (2.0 * q + difference * (1.0 - difference));
        let surplus = gained - lost - n * difference;
        if variance > 0.0 { surplus / variance.sqrt() } else { surplus.signum() * f64::INFINITY }
    }
}

#[cfg(test)]
mod tests;
