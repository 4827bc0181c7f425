//! Statistics of counts: exact while the counts are counted, floating point only in the last step.

mod beta;
mod median;
mod proportion;
mod quantile;
mod stirling;

pub use median::{InterpolatedMedian, RankInterval};
pub use proportion::{Confidence, Interval, InvalidConfidence, InvalidProportion, Proportion};
pub use quantile::{Median, Moments};
