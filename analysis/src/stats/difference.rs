//! Intervals for differences: of shares counted on the same trials, and by the jackknife.

use super::{Estimate, Interval, InvalidStatistic, NORMAL, bisect};

/// Trials that were classified twice as success or not: only those with two different answers say anything about the difference.
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

impl PairedShares {
    /// Counts trials: `lost` were a success at first only and `gained` trials the second time only, of all trials.
    ///
    /// # Errors
    /// [`InvalidStatistic::Part`] if the two exceed `of`.
    pub const fn new(lost: u64, gained: u64, of: u64) -> Result<Self, InvalidStatistic> {
        if gained <= of && lost <= of - gained {
            Ok(Self { lost, gained, of })
        } else {
            Err(InvalidStatistic::Part(lost.saturating_add(gained), of))
        }
    }

    /// Returns the second share minus the first, or nothing without trials.
    #[must_use]
    pub fn difference(self) -> Option<f64> {
        (self.of > 0).then(|| (self.gained as f64 - self.lost as f64) / self.of as f64)
    }

    /// Returns Tango's 95 % score interval for the difference of the two probabilities.
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

    /// Returns the largest difference that is not rejected, by bisection between the estimate and 1, where the score falls.
    fn upper_end(self, estimate: f64) -> f64 {
        bisect(estimate, 1.0, |difference| self.score(difference) > -NORMAL).1
    }

    /// Returns how many standard deviations the estimate lies above `difference`, with the variance that is likeliest at this difference.
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

/// Name of the method of [`Estimate::from_independent`](super::Estimate::from_independent).
pub(crate) const INDEPENDENT: &str =
    "interval for a difference of independent estimates from their intervals (Zou and Donner, 2008)";

/// Number of groups that observations are dealt into.
pub(crate) const GROUPS: usize = 64;

/// Returns the group of the game with this index.
pub(crate) const fn group_of(game_index: u64) -> usize {
    (game_index % GROUPS as u64) as usize
}

/// 97.5 % quantile of Student's t distribution with 63 degrees of freedom, one fewer than there are groups.
const STUDENT: f64 = 1.998_340_543;

/// Returns `estimate` with its approximate 95 % interval by the delete-a-group jackknife, from the estimates that leave out one group each.
///
/// The groups must be about equally large and alike; observations within a group may depend on each other, groups may not. The estimate must move
/// smoothly as observations are left out, unlike a single order statistic.
///
/// # Source
/// P. S. Kott, *The Delete-a-Group Jackknife*, Journal of Official Statistics 17, 2001; J. Shao and C. F. J. Wu, *A General Theory for
/// Jackknife Variance Estimation*, The Annals of Statistics 17, 1989 (quantiles).
pub(crate) fn delete_a_group(estimate: f64, without: &[f64; GROUPS]) -> Estimate {
    let groups = GROUPS as f64;
    let mean = without.iter().sum::<f64>() / groups;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    let reach = STUDENT * (squares * (groups - 1.0) / groups).sqrt();
    Estimate { estimate, interval: Interval { lower: estimate - reach, upper: estimate + reach } }
}

#[cfg(test)]
mod tests;
