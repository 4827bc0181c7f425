//! Statistics of counts: exact while the counts are counted, floating point only in the last step.

mod beta;
mod fair_komi;
mod histogram;
mod independent;
mod jackknife;
mod margins;
mod median;
mod paired;
mod proportion;
mod quantile;
mod shares;
mod stirling;

pub use fair_komi::{
    ESTIMATE_METHOD, FairKomi, KomiShares, MEDIAN_METHOD, MIN_GAMES, TooFewGames, fair_komi,
};
pub use histogram::{Histogram, InvalidHistogram, Iter};
pub(crate) use independent::INDEPENDENT;
pub use jackknife::Change;
pub(crate) use jackknife::{GROUPS, delete_a_group};
pub use margins::{InvalidMargin, MarginCounts};
pub use median::{InterpolatedMedian, RankInterval};
pub use paired::{InvalidPairs, PairedShares};
pub use proportion::{Confidence, Interval, InvalidConfidence, InvalidProportion, Proportion};
pub use quantile::{Median, Moments};
pub use shares::Shares;

/// 97.5 % quantile of the standard normal distribution.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;
