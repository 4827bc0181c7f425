//! Which stones are alive, and how that is known.

mod benson;
mod counts;
mod hold;
mod judge;
mod line;
mod local;
mod reasons;
mod status;

pub use benson::UnconditionalLife;
pub use counts::LifeCounts;
pub use judge::{ChainStatus, Judge};
pub use line::{Line, LineEnd, Question};
pub use status::{Proof, Status};
