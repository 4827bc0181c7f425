//! Statistics of counts: exact while the counts are counted, floating point only in the last step.

mod beta;
mod difference;
mod fair_komi;
mod histogram;
mod margins;
mod proportion;
mod quantile;

pub use difference::{Change, InvalidPairs, PairedShares};
pub(crate) use difference::{GROUPS, INDEPENDENT, delete_a_group};
pub use fair_komi::{
    ESTIMATE_METHOD, FairKomi, KomiShares, MEDIAN_METHOD, MIN_GAMES, TooFewGames, fair_komi,
};
pub use histogram::{Histogram, InvalidHistogram, Iter};
pub use margins::{InvalidMargin, MarginCounts, Shares};
pub use proportion::{Confidence, Interval, InvalidConfidence, InvalidProportion, Proportion};
pub use quantile::{InterpolatedMedian, Median, Moments, RankInterval};

/// 97.5 % quantile of the standard normal distribution.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;
