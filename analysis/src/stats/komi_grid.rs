//! The fair komi of players who play to win: from their results at several komi.

use serde::Serialize;

use super::{Estimate, Interval, NORMAL};

/// Name of the method of [`LogisticFit`].
pub const LOGISTIC_METHOD: &str = "logistic regression of wins on komi with profile interval";

/// Black's results in games that were played for one komi.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KomiResult {
    /// White's compensation in points.
    pub komi: f64,
    /// Games, at least 1.
    pub games: f64,
    /// Games that Black won, draws as one half.
    pub wins: f64,
}

/// The komi at which Black wins half of the games, where the logarithm of the odds falls linearly with the komi.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LogisticFit {
    /// The komi, with a 95 % interval by the profile likelihood.
    pub fair_komi: Estimate,
    /// Between which two of the komi the wins pass one half if all that is known is that they never increase with the komi: a check that needs no
    /// linearity.
    pub isotonic: Option<Interval>,
}

impl LogisticFit {
    /// Fits results at different komi. Nothing for fewer than two, where wins do not fall with the komi, or where the games leave an end of the interval
    /// open.
    ///
    /// Cost: some thousand evaluations of the likelihood.
    ///
    /// # Source
    /// D. W. Hosmer and S. Lemeshow, *Applied Logistic Regression*, Wiley 2000, chapter 1; D. J. Venzon and S. H. Moolgavkar, *A Method for Computing
    /// Profile-Likelihood-Based Confidence Intervals*, Applied Statistics 37, 1988; isotonic regression by pooling adjacent violators: R. E. Barlow et
    /// al., *Statistical Inference under Order Restrictions*, Wiley 1972.
    #[must_use]
    pub fn new(results: &[KomiResult]) -> Option<Self> {
        let mut results = results.to_vec();
        results.sort_by(|one, other| one.komi.total_cmp(&other.komi));
        let (first, last) = (results.first()?.komi, results.last()?.komi);
        if first >= last {
            return None;
        }
        let reach = last - first;
        let profile = |komi: f64| profile(&results, komi);
        let (low, high) = (first - reach, last + reach);
        let best = highest(low, high, profile);
        let limit = profile(best) - NORMAL * NORMAL / 2.0;
        if profile(low) > limit || profile(high) > limit {
            return None;
        }
        let interval = Interval {
            lower: crossing(best, low, limit, profile),
            upper: crossing(best, high, limit, profile),
        };
        Some(Self { fair_komi: Estimate { estimate: best, interval }, isotonic: isotonic(&results) })
    }
}

/// The largest logarithm of the likelihood for a fair komi, over all slopes.
fn profile(results: &[KomiResult], fair: f64) -> f64 {
    /// So steep a fall from one half point to the next leaves no chance.
    const STEEPEST: f64 = 40.0;
    let likelihood = |slope: f64| {
        let one = |result: &KomiResult| {
            let odds = slope * (fair - result.komi);
            // The logarithms of the chances of both sides, without overflow.
            let log_chance = |odds: f64| -(1.0 + (-odds.abs()).exp()).ln() + odds.min(0.0);
            result.wins * log_chance(odds) + (result.games - result.wins) * log_chance(-odds)
        };
        results.iter().map(one).sum::<f64>()
    };
    likelihood(highest(0.0, STEEPEST, likelihood))
}

/// Where a function with one peak is highest, by golden section.
fn highest(mut low: f64, mut high: f64, of: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    for _ in 0..64 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if of(left) < of(right) {
            low = left;
        } else {
            high = right;
        }
    }
    f64::midpoint(low, high)
}

/// Where a function falls to the limit between its peak and a place at which it is below.
fn crossing(mut inside: f64, mut outside: f64, limit: f64, of: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..64 {
        let middle = f64::midpoint(inside, outside);
        if of(middle) > limit {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    f64::midpoint(inside, outside)
}

/// Returns the last komi at which Black wins at least half of the games, and the first at which at most half, of the non-increasing sequence of shares
/// that fits best.
fn isotonic(results: &[KomiResult]) -> Option<Interval> {
    // The wins, games and results of each pool.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for result in results {
        let mut pool = (result.wins, result.games, 1);
        while let Some(&(wins, games, count)) = pools.last()
            && wins * pool.1 < pool.0 * games
        {
            pool = (pool.0 + wins, pool.1 + games, pool.2 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let shares =
        pools.iter().flat_map(|&(wins, games, count)| std::iter::repeat_n(2.0 * wins / games, count));
    let shares: Vec<f64> = shares.collect();
    let komi = |index: usize| results[index].komi;
    let lower = shares.iter().rposition(|&share| share >= 1.0).map(komi)?;
    let upper = shares.iter().position(|&share| share <= 1.0).map(komi)?;
    Some(Interval { lower: lower.min(upper), upper: upper.max(lower) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::estimate::TAIL;
    use crate::test_random::Stream;

    fn results(of: impl Fn(f64) -> f64, games: f64) -> Vec<KomiResult> {
        let result = |komi: f64| KomiResult { komi, games, wins: games * of(komi) };
        [5.5, 6.5, 7.5, 8.5].map(result).to_vec()
    }

    fn logistic(fair: f64, slope: f64) -> impl Fn(f64) -> f64 {
        move |komi| 1.0 / (1.0 + (slope * (komi - fair)).exp())
    }

    #[test]
    fn a_logistic_curve_is_found_again() {
        let fit = LogisticFit::new(&results(logistic(6.8, 0.7), 500.0)).unwrap();
        assert!((fit.fair_komi.estimate - 6.8).abs() < 1e-6, "{fit:?}");
        assert!(fit.fair_komi.interval.contains(6.8) && fit.fair_komi.interval.width() < 1.0);
        assert_eq!(fit.isotonic, Some(Interval { lower: 6.5, upper: 7.5 }));
        // More games, a narrower interval: by the root of their number.
        let wide = LogisticFit::new(&results(logistic(6.8, 0.7), 125.0)).unwrap();
        assert!((wide.fair_komi.interval.width() / fit.fair_komi.interval.width() - 2.0).abs() < 0.1);
    }

    #[test]
    fn what_games_do_not_say_is_not_estimated() {
        assert_eq!(LogisticFit::new(&[]), None);
        assert_eq!(LogisticFit::new(&results(|_| 0.5, 100.0)), None);
        assert_eq!(LogisticFit::new(&results(logistic(20.0, 1.0), 100.0)), None);
        assert_eq!(LogisticFit::new(&results(logistic(7.0, 1.0), 100.0)[..1]), None);
    }

    #[test]
    fn violators_are_pooled() {
        let at = |wins: [f64; 4]| {
            let mut all = results(|_| 0.0, 100.0);
            all.iter_mut().zip(wins).for_each(|(result, wins)| result.wins = wins);
            isotonic(&all)
        };
        assert_eq!(at([70.0, 40.0, 65.0, 20.0]), Some(Interval { lower: 7.5, upper: 8.5 }));
        assert_eq!(at([70.0, 50.0, 50.0, 20.0]), Some(Interval { lower: 6.5, upper: 7.5 }));
        assert_eq!(at([40.0, 30.0, 20.0, 10.0]), None);
    }

    /// Of 1000 intervals 950 hold the fair komi on average. False alarm: more than 4 standard deviations off, 1 in 16,000; seeds are fixed.
    #[test]
    fn intervals_hold_what_they_say() {
        let (fair, chance) = (6.8, logistic(6.8, 0.7));
        let mut random = Stream::new(7);
        let held = (0..1000).filter(|_| {
            let mut all = results(|_| 0.0, 200.0);
            for result in &mut all {
                let games = (0..200)
                    .filter(|_| (random.below(1 << 32) as f64) < chance(result.komi) * 2.0_f64.powi(32))
                    .count();
                result.wins = games as f64;
            }
            LogisticFit::new(&all).is_some_and(|fit| fit.fair_komi.interval.contains(fair))
        });
        let held = held.count() as f64;
        let deviation = (1000.0 * 2.0 * TAIL * (1.0 - 2.0 * TAIL)).sqrt();
        assert!((held - 950.0).abs() < 4.0 * deviation, "{held}");
    }
}
