//! What many games say: fair komi and the statistics behind it, from exact counts.

mod histogram;

pub use histogram::{Histogram, InvalidHistogram, Iter};
