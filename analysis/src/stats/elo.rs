//! Strength from the results of matches: Elo differences, the likelihood of superiority, and the sequential test.
//!
//! Games are counted in pairs with the same opening and exchanged colours. What an opening or a colour is worth then adds nothing to the variance.

use std::{fmt, str::FromStr};

use serde::Serialize;

use super::{Estimate, Interval, NORMAL, bisect};

/// What the interval of an Elo difference is called.
pub const ELO_METHOD: &str = "Wilson's score interval for the effective number of pairs";

/// Returns the share of points that a player expects against another of this much lower Elo; a draw is half a win.
///
/// # Source
/// A. E. Elo, *The Rating of Chessplayers*, 1978, with the logistic curve in place of the normal one.
#[must_use]
pub fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the Elo difference at which this share is [expected](expected_share): infinite for 0 and 1.
#[must_use]
pub fn elo_difference(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// Pairs of games by the points that the first player took from both: 0, ½, 1, 1½ and 2 (the *pentanomial*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct PairCounts([u64; 5]);

impl PairCounts {
    /// Returns these counts.
    #[must_use]
    pub const fn new(counts: [u64; 5]) -> Self {
        Self(counts)
    }

    /// Returns the counts.
    #[must_use]
    pub const fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// Adds a pair in which the first player took this many half points.
    ///
    /// # Panics
    /// When these are more than four.
    pub const fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the first player's share of the points; nothing without pairs.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.moment(1) / self.pairs() as f64)
    }

    /// Returns the sum over all pairs of the share of points, or of its square.
    fn moment(&self, power: i32) -> f64 {
        SHARES.iter().zip(self.0).map(|(share, count)| count as f64 * share.powi(power)).sum()
    }

    /// Returns the variance of a pair's share, with one pair won and one lost added: where all pairs are alike, that does not show that others cannot
    /// be.
    pub(crate) fn variance(&self) -> f64 {
        let pairs = self.pairs() as f64 + 2.0;
        let mean = (self.moment(1) + 1.0) / pairs;
        (self.moment(2) + 1.0) / pairs - mean * mean
    }

    /// Returns how many games without draws would tell as much as these pairs: two for each pair if games are independent and end in no draw, more where
    /// draws or the exchange of colours make pairs less variable.
    fn effective_games(&self) -> f64 {
        let pairs = self.pairs() as f64;
        let mean = (self.moment(1) + 1.0) / (pairs + 2.0);
        pairs * mean * (1.0 - mean) / self.variance()
    }

    /// Returns the Elo difference of the first player to the second with its approximate 95 % interval; nothing without pairs. The estimate is infinite
    /// where one player won all games, and so is one end of the interval.
    ///
    /// # Source
    /// E. B. Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, Journal of the American Statistical Association 22 (1927);
    /// for samples that are not independent trials, with the effective size: C. Franco, R. J. A. Little, T. A. Louis and E. V. Slud, *Comparative Study of
    /// Confidence Intervals for Proportions in Complex Sample Surveys*, Journal of Survey Statistics and Methodology 7 (2019).
    #[must_use]
    pub fn elo(&self) -> Option<Estimate> {
        let (share, games) = (self.share()?, self.effective_games());
        let square = NORMAL * NORMAL / games;
        let center = (share + square / 2.0) / (1.0 + square);
        let reach = (square * (share * (1.0 - share) + square / 4.0)).sqrt() / (1.0 + square);
        let end = |share: f64| elo_difference(share.clamp(0.0, 1.0));
        // An end of the range is an end of the interval, which rounding must not move.
        let lower = if share > 0.0 { end(center - reach) } else { f64::NEG_INFINITY };
        let upper = if share < 1.0 { end(center + reach) } else { f64::INFINITY };
        Some(Estimate { estimate: elo_difference(share), interval: Interval { lower, upper } })
    }

    /// Returns the likelihood of superiority: the probability that players of equal strength give the first a smaller share than it has, by the normal
    /// approximation. It is 97.5 % where the lower end of the interval of [`elo`](Self::elo) is 0.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        let share = self.share()?;
        Some(normal_cdf((share - 0.5) * 2.0 * self.effective_games().sqrt()))
    }
}

/// The share of the points in each kind of pair.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Returns the probability that a standard normal variable is smaller.
///
/// # Source
/// G. Marsaglia, *Evaluating the Normal Distribution*, Journal of Statistical Software 11 (2004).
pub(crate) fn normal_cdf(x: f64) -> f64 {
    // Beyond, the result is 0 or 1 to more digits than are shown.
    const MAX: f64 = 8.0;
    if x.abs() > MAX {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut divisor) = (x, x, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        divisor += 2.0;
        term *= x * x / divisor;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

/// A sequential probability ratio test of two Elo differences.
///
/// Written `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`, where the errors are 0.05 unless stated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference of the null hypothesis H0.
    pub elo0: f64,
    /// The larger difference of the alternative H1.
    pub elo1: f64,
    /// The probability of accepting H1 where H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 where H1 holds.
    pub beta: f64,
}

/// A hypothesis of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Hypothesis {
    /// The difference is [`Sprt::elo0`].
    H0,
    /// The difference is [`Sprt::elo1`].
    H1,
}

/// Text that is no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a sequential test: write ELO0,ELO1 with ELO0 below ELO1, as in 0,10, or ELO0,ELO1,ALPHA,BETA with errors between 0 and 0.5"
)]
pub struct InvalidSprt(String);

impl FromStr for Sprt {
    type Err = InvalidSprt;

    fn from_str(text: &str) -> Result<Self, InvalidSprt> {
        let numbers: Option<Vec<f64>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        let test = match numbers.as_deref() {
            Some(&[elo0, elo1]) => Some(Self { elo0, elo1, alpha: 0.05, beta: 0.05 }),
            Some(&[elo0, elo1, alpha, beta]) => Some(Self { elo0, elo1, alpha, beta }),
            _ => None,
        };
        test.filter(Self::is_valid).ok_or_else(|| InvalidSprt(text.to_owned()))
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta } = self;
        write!(f, "{elo0},{elo1},{alpha},{beta}")
    }
}

impl Sprt {
    fn is_valid(&self) -> bool {
        const MAX_ELO: f64 = 1000.0;
        let is_error = |error: f64| error > 0.0 && error < 0.5;
        (-MAX_ELO..MAX_ELO).contains(&self.elo0)
            && self.elo0 < self.elo1
            && self.elo1 <= MAX_ELO
            && is_error(self.alpha)
            && is_error(self.beta)
    }

    /// Returns the bounds of the log-likelihood ratio: H0 is accepted at the lower one, H1 at the upper one.
    ///
    /// # Source
    /// A. Wald, *Sequential Tests of Statistical Hypotheses*, The Annals of Mathematical Statistics 16 (1945).
    #[must_use]
    pub fn bounds(&self) -> Interval {
        let Self { alpha, beta, .. } = self;
        Interval { lower: (beta / (1.0 - alpha)).ln(), upper: ((1.0 - beta) / alpha).ln() }
    }

    /// Returns the generalised log-likelihood ratio of H1 to H0: each hypothesis has the most likely distribution of pairs among those with its share of
    /// points. Kinds of pairs that did not occur count as a thousandth of a pair.
    ///
    /// # Source
    /// M. Van den Bergh, *A practical introduction to the GSPRT*; the same in Fishtest and fastchess.
    #[must_use]
    pub fn log_likelihood_ratio(&self, pairs: &PairCounts) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts().map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let [log0, log1] = [self.elo0, self.elo1].map(|elo| most_likely(counts, expected_share(elo)));
        counts.iter().zip(log0.iter().zip(log1)).map(|(count, (log0, log1))| count * (log1 - log0)).sum()
    }

    /// Returns the hypothesis that these pairs decide for, if they do.
    #[must_use]
    pub fn decision(&self, pairs: &PairCounts) -> Option<Hypothesis> {
        let (ratio, bounds) = (self.log_likelihood_ratio(pairs), self.bounds());
        if ratio >= bounds.upper {
            Some(Hypothesis::H1)
        } else if ratio <= bounds.lower {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }
}

/// Returns the logarithms of how much more likely each kind of pair is than observed, in the most likely distribution with this expectation.
///
/// With observed frequencies p, it has p / (1 + x (a − s)) for the share a of each kind, where the expectation s determines x.
///
/// # Source
/// A. B. Owen, *Empirical Likelihood*, 2001, section 2.9.
fn most_likely(counts: [f64; 5], expectation: f64) -> [f64; 5] {
    let distances = SHARES.map(|share| share - expectation);
    let excess = |x: f64| -> f64 {
        counts.iter().zip(distances).map(|(count, distance)| count * distance / (1.0 + x * distance)).sum()
    };
    let (x, _) = bisect(-1.0 / distances[4], -1.0 / distances[0], |x| excess(x) > 0.0);
    distances.map(|distance| -(1.0 + x * distance).ln())
}

#[cfg(test)]
mod tests;
