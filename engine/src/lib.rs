#![doc = "The rules of Go as a library."]

mod color;
mod komi;
mod moves;
mod point;
mod size;

pub use color::Color;
pub use komi::{InvalidKomi, Komi};
pub use moves::Move;
pub use point::{InvalidPoint, Point};
pub use size::{BoardSize, InvalidSize};
