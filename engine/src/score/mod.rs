//! Counting a position.

mod area;
mod tally;
mod territory;

pub use area::AreaCount;
pub use tally::AreaTally;
pub use territory::TerritoryCount;
