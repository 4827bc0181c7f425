//! Which stones are alive, and how that is known.

mod benson;

pub use benson::UnconditionalLife;
