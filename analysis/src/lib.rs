//! What many games say: fair komi and the statistics behind it, from exact counts.

mod histogram;
mod margins;
mod shares;
mod stats;

pub use histogram::{Histogram, InvalidHistogram, Iter};
pub use margins::{InvalidMargin, MarginCounts};
pub use shares::Shares;
pub use stats::{Confidence, Interval, InvalidConfidence, InvalidProportion, Median, Moments, Proportion};
