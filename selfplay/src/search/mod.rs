//! Search as a policy: Monte-Carlo tree search with playouts in batches.
//!
//! `docs/playouts.md` specifies every move. A [`Uct`] is the policy.
//!
//! | file | content |
//! | --- | --- |
//! | `uct.rs` | the options of a search player and their text form |
//! | `lanes.rs` | searches side by side, with their playouts in the lanes of one batch |
//! | `estimate.rs` | whose area each point of a position becomes, and which chains are lost |
//! | `games.rs` | runs: each thread plays as many games side by side as a batch has lanes |
//! | `moves.rs` | single moves, one game or many at a time |
//! | `watched.rs` | the search for one move, followed while it goes on |

mod estimate;
mod games;
mod lanes;
mod moves;
mod uct;
mod watched;

pub use estimate::{Estimate, Ownership};
pub(crate) use games::{play, replay};
pub(crate) use moves::SearchPools;
pub use moves::UctPlayer;
pub use uct::{TreeTooLarge, Uct, UctReward};
pub use watched::{Findings, Watcher};
