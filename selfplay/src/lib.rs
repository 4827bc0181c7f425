//! Go playouts by policy, reproducible to the byte: games, records, datasets, SGF.

pub mod dataset;
mod playout;
mod policy;
mod record;
mod run;
pub mod sgf;
mod signature;
mod stream;

pub use playout::{Census, Player, PlayoutSpec};
pub use policy::{Policy, PolicySuicide, UnknownPolicy};
pub use record::{End, GameRecord, SuperkoEvent};
pub use run::{Progress, Sink, Stopped, run};
pub use signature::Signature;
pub use stream::{Stream, game_seed};
