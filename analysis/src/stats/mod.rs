//! Statistics of counts: exact while the counts are counted, floating point only in the last step.

mod beta;
mod difference;
mod fair_komi;
mod histogram;
mod margins;
mod merge;
mod proportion;
mod quantile;

pub use difference::{Change, InvalidPairs, PairedShares};
pub(crate) use difference::{GROUPS, INDEPENDENT, delete_a_group};
pub use fair_komi::{
    ESTIMATE_METHOD, FairKomi, KomiShares, MEDIAN_METHOD, MIN_GAMES, TooFewGames, fair_komi,
};
pub use histogram::{Histogram, InvalidHistogram};
pub use margins::{InvalidMargin, MarginCounts, Shares};
pub use merge::Merge;
pub(crate) use merge::merge_fields;
pub use proportion::{Confidence, Interval, InvalidConfidence, InvalidProportion, Proportion};
pub use quantile::{InterpolatedMedian, Median, Moments, RankInterval};

/// A number with so many decimals; never a negative zero.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// The decimals that show a width with two significant digits: what an estimate with an interval of this width is worth.
pub(crate) fn decimals_for(width: f64) -> usize {
    const MOST: f64 = 12.0;
    if width > 0.0 { (1.0 - width.log10().floor()).clamp(0.0, MOST) as usize } else { 1 }
}

/// An estimate and its interval, both with the digits that the interval is worth.
pub(crate) fn with_interval(estimate: f64, interval: Interval) -> (String, String) {
    let decimals = decimals_for(interval.width());
    let lower = fixed(interval.lower, decimals);
    let upper = fixed(interval.upper, decimals);
    (fixed(estimate, decimals), format!("{lower} to {upper}"))
}

/// Halves the interval until its ends are neighbouring floating-point numbers, keeping `below` true at the lower end and false at
/// the upper one. Returns the last two ends.
pub(crate) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> (f64, f64) {
    /// Enough for an interval of length 1000 to shrink below 10⁻²⁷; makes termination plain.
    const MAX_STEPS: u32 = 100;
    for _ in 0..MAX_STEPS {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, high)
}

/// 97.5 % quantile of the standard normal distribution.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;
