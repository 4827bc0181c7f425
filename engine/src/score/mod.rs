//! Counting a position.

mod area;
mod territory;

pub use area::AreaCount;
pub use territory::TerritoryCount;
