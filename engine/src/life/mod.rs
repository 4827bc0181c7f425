//! Which stones are alive, and how that is known.

mod benson;
mod borders;
mod counts;
mod decided;
mod hold;
mod judge;
mod judgement;
mod line;
mod local;
mod open;
#[cfg(test)]
mod open_tests;
mod own_territory;
mod prey;
mod reasons;
mod removal;
mod seki;
mod shape;
mod status;
mod zone_proof;

pub use benson::UnconditionalLife;
pub use counts::LifeCounts;
pub use judge::{ChainStatus, StatusSolver};
pub use judgement::StatusReport;
pub use line::{Line, LineEnd, Question};
pub use seki::{Seki, SekiKind};
pub use shape::{InvalidShape, Shape};
pub use status::{Proof, Status};
pub use zone_proof::{ZoneClaim, ZoneProof};
