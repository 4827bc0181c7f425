//! Go playouts by policy, reproducible to the byte: games, records, datasets, SGF.
//!
//! A [`PlayoutSpec`] and a game's index determine the game. [`Player`] plays them one after the other, [`run()`] on all processors into a [`Sink`], and
//! [`dataset`] into Parquet files. [`sgf`] reads and writes the records of people,
//! [`gtp`] speaks with other programs. [`whole_game`] plays games to an agreement on dead stones.
//!
//! ```
//! use jigo_selfplay::{Census, PlayoutSpec, Policy, Progress, Signature, run};
//! let spec = PlayoutSpec::new("9".parse()?, "tromp-taylor".parse()?, Policy::EYE_SAFE, 1);
//! let all: Signature = run(&spec, 0..100, Census::Draws, Signature::default, &Progress::new())?;
//! println!("{all}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dataset;
mod engine_process;
pub mod gtp;
mod lockstep;
pub mod match_play;
mod means;
mod playout;
mod policy;
mod progress;
mod record;
mod recorder;
mod rules_fingerprint;
mod run;
pub mod sgf;
mod signature;
mod stream;
mod streams;
pub mod whole_game;

pub use engine_process::{EngineError, EngineProcess};
pub use jigo_engine::batch::Needs;
pub use means::{Means, UnknownMeans};
pub use playout::{Census, Player, PlayoutSpec};
pub use policy::{Policy, PolicySuicide, UnknownPolicy};
pub use progress::{Progress, Stopped};
pub use record::{End, GameRecord, SuperkoEvent};
pub use rules_fingerprint::{conduct_fingerprint, rules_fingerprint};
pub use run::{Sink, run, run_by};
pub use signature::Signature;
pub use stream::{GAMES_VERSION, Stream, game_seed};
