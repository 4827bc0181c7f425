//! How far an estimate can be trusted that is no mean: by leaving out one group of the observations at a time.

use serde::Serialize;

use super::Interval;

/// A difference with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The difference: after minus before.
    pub estimate: f64,
    /// A 95 % interval for it.
    pub interval: Interval,
}

/// Number of groups that observations are dealt into.
pub(crate) const GROUPS: usize = 64;

/// 97.5 % quantile of Student's t distribution with 63 degrees of freedom, one fewer than there are groups.
const STUDENT: f64 = 1.998_340_543;

/// The delete-a-group jackknife: an approximate 95 % interval around `estimate`, from the estimates that leave out one group each.
///
/// The groups must be about equally large and alike; observations within a group may depend on each other, groups may not. Exact sums of
/// groups merge by addition, so the interval does not depend on the order of the observations. It is right for estimates that
/// move smoothly as observations are left out; a single order statistic does not, and needs groups much larger than the root of the number
/// of observations.
///
/// # Source
/// P. S. Kott, *The Delete-a-Group Jackknife*, Journal of Official Statistics 17, 2001; J. Shao and C. F. J. Wu, *A General Theory for
/// Jackknife Variance Estimation*, The Annals of Statistics 17, 1989 (quantiles).
pub(crate) fn delete_a_group(estimate: f64, without: &[f64; GROUPS]) -> Interval {
    let groups = GROUPS as f64;
    let mean = without.iter().sum::<f64>() / groups;
    let squares: f64 = without.iter().map(|value| (value - mean).powi(2)).sum();
    let reach = STUDENT * (squares * (groups - 1.0) / groups).sqrt();
    Interval { lower: estimate - reach, upper: estimate + reach }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For a mean of equal groups the jackknife is the t interval of the group means.
    #[test]
    fn of_a_mean_it_is_the_textbook_interval() {
        let values: [f64; GROUPS] = std::array::from_fn(|group| (group * group % 37) as f64);
        let (n, sum) = (GROUPS as f64, values.iter().sum::<f64>());
        let mean = sum / n;
        let without = values.map(|value| (sum - value) / (n - 1.0));
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let reach = STUDENT * (variance / n).sqrt();
        let Interval { lower, upper } = delete_a_group(mean, &without);
        assert!((lower - (mean - reach)).abs() < 1e-12 && (upper - (mean + reach)).abs() < 1e-12);
    }
}
