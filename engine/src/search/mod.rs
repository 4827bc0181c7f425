//! Monte-Carlo tree search: the tree of one position, without playouts, threads or random numbers, which its user brings along.
//!
//! A [`Tree`] names positions to be played out and takes in how the playouts ended. `docs/playouts.md` specifies it down to the last bit.
//!
//! | file | content |
//! | --- | --- |
//! | `state.rs` | a position of the tree: legal moves, superko, captures |
//! | `tree.rs` | nodes, choosing the next leaf, taking in results |

mod state;
mod tree;

pub use tree::{MoveStats, Next, Reward, SearchOptions, Tree};
