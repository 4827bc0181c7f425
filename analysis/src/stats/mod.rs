//! Statistics of counts: exact while the counts are counted, floating point only in the last step.

mod beta;
mod independent;
mod jackknife;
mod median;
mod paired;
mod proportion;
mod quantile;
mod stirling;

pub(crate) use independent::INDEPENDENT;
pub use jackknife::Change;
pub(crate) use jackknife::{GROUPS, delete_a_group};
pub use median::{InterpolatedMedian, RankInterval};
pub use paired::{InvalidPairs, PairedShares};
pub use proportion::{Confidence, Interval, InvalidConfidence, InvalidProportion, Proportion};
pub use quantile::{Median, Moments};

/// 97.5 % quantile of the standard normal distribution.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;
