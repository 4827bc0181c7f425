//! Counting a position.

mod area;
mod finish;
mod tally;
mod territory;

pub use area::AreaCount;
pub use finish::{Ending, Score};
pub use tally::AreaTally;
pub use territory::TerritoryCount;
