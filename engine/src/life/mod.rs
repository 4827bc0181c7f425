//! Which stones are alive, and how that is known.

mod benson;
mod counts;

pub use benson::UnconditionalLife;
pub use counts::LifeCounts;
