//! What each choice of rules changes: the same random numbers played under several rule sets, and every game compared with itself.

mod axis;
mod comparison;
mod counts;
mod estimates;
mod measured;
mod outcome;
mod plan;
#[cfg(test)]
mod tests;

pub use axis::RuleAxis;
pub use comparison::Comparison;
pub use counts::{ContrastCounts, MovedMargins};
pub use estimates::FAIR_KOMI_MIN_GAMES;
pub use outcome::CountedQuantity;
pub use plan::{Contrast, ContrastScope};
