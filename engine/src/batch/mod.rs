//! Many games at once in lockstep, one game in each lane of a vector: the fastest way to play random games.
//!
//! A batch holds one vector register per board row and per set of stones. Bit *c* of lane *g* in row *r* says something about the point in
//! column *c* of row *r* in game *g*. All games take the same steps, so no branch depends on the position of one game. The caller is the
//! [`Driver`]: it supplies random samples, starts games and takes finished ones.
//!
//! In each step every game that has no pick picks one of its candidates. The neighbouring opposing chains that reach no other empty point are
//! captured; the pick's own chain must reach one. Both are found by flood filling all games' rows at once, a fixed number of sweeps per step:
//! a game in which these do not suffice keeps its pick and goes on flooding in the next step. A rejected pick leaves the candidates of this
//! ply. So the games are exactly those that playing them one by one on a [`Board`](crate::Board) would give; only their order of ending
//! differs.

mod apply;
mod candidates;
mod driver;
mod legality;
mod log;
mod moves;
mod repetition;
mod start;
mod state;
mod step;
mod superko;

pub use crate::simd::MAX_LANES;
pub use driver::{
    BatchSpec, Choice, Driver, FinishedGame, Needs, SuperkoEvent, batch_count, lane_numbers, play,
};
pub use start::{Origin, Placement, Start};
