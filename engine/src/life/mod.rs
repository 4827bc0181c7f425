//! Life and death: which stones are alive, and the proof of it.
//!
//! | file | content |
//! | --- | --- |
//! | `benson` | unconditional life, by Benson's algorithm, and unconditional territory |
//! | `status` | the statuses of chains, and which dead chains are removed at the end of a game |
//! | `final_status` | the life and death of one final position; where all chains are unconditionally alive, only counts |
//! | `solver` | from a position to the statuses of its chains: which proof is tried when |
//! | `report` | the result: lines of play and proofs in zones that show why a chain has its status |
//! | `parts` | parts of the board between stones that are never captured, in a canonical form |
//! | `zones` | zones of an open board, where few borders are unconditional |
//! | `safe_groups`, `captures` | which zones are tried for groups that are safe and for chains that are captured |
//! | `search` | the searches of parts and zones: proof-number search, safety search, static safety, eye values |
//! | `seki`, `shape` | kinds of seki, and pictures of the parts that unconditional life leaves open |
//!
//! `docs/status.md` has the definitions; `engine/tests/definitions` follows them word by word and is what tests compare with.

mod benson;
mod captures;
mod final_status;
mod parts;
mod report;
mod safe_groups;
mod search;
mod seki;
mod shape;
mod solver;
mod status;
#[cfg(test)]
mod tests;
mod zones;

pub use benson::{LifeCounts, UnconditionalLife};
pub use final_status::{FinalStatus, OpenPart, OpenStatus};
pub use report::{Line, LineEnd, Question, StatusReport, ZoneClaim, ZoneProof};
pub use seki::{Seki, SekiKind};
pub use shape::{InvalidShape, Shape};
pub use solver::StatusSolver;
pub use status::{ChainStatus, Proof, Status, in_seki};
