//! Monte-Carlo tree search: the tree of one position, without playouts, threads or random numbers, which its user brings along.
//!
//! A [`Tree`] names positions to be played out and takes in how the playouts ended. `docs/playouts.md` specifies it down to the last bit.
//!
//! | file | content |
//! | --- | --- |
//! | `ends.rs` | how the playouts ended, by move and by point |
//! | `node.rs` | nodes: positions with statistics of their moves |
//! | `options.rs` | what a search is told, and what it tells |
//! | `scores.rs` | the best of the moves by score |
//! | `state.rs` | a position of the tree: legal moves, superko, captures |
//! | `tree.rs` | choosing the next leaf, taking in results |

mod ends;
mod node;
mod options;
mod scores;
mod state;
mod tree;

pub use options::{MoveStats, Next, Reward, SearchOptions};
pub use tree::Tree;
