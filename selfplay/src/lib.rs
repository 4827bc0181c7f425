//! Go playouts by policy, reproducible to the byte: games, records, datasets, SGF.
//!
//! A [`Run`] and a game's index determine the game, whatever the processor and the number of threads. [`Run::play`] plays on all processors
//! into a [`Sink`].
//!
//! ```
//! use jigo_selfplay::{Progress, Run, Signature};
//! let run = Run::new("9", "tromp-taylor", "eye-safe")?;
//! let all: Signature = run.play(0..100, Signature::default, &Progress::new())?;
//! println!("{all}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! | to | take |
//! | --- | --- |
//! | have one game of a run | [`Run::game`]; many, one after the other: [`Run::games`] |
//! | measure games of your own kind on all processors | [`Run::play`] with a [`Sink`] of yours |
//! | choose how moves are sampled | [`Policy`] |
//! | let a search choose moves | [`search::Uct`]; what it found is in [`GameRecord::searches`] |
//! | let a player of your own play runs, matches, and for GTP | [`Player`], [`Run::play_with`] |
//! | play from a position with its history | [`Run::start_at`], [`PlayoutPolicy::play_out`](policy::PlayoutPolicy::play_out) |
//! | write games to Parquet, go on after an interruption, read and check them | [`dataset`] |
//! | read and write game records | [`sgf`] |
//! | answer a referee or a GUI, or ask another program | [`gtp`] |
//! | test a program against the rules | [`conformance`] |
//! | let two programs play each other | [`matches`](mod@matches) |
//! | play a game to an agreement on dead stones | [`whole_game`] |
//! | show text from files and programs on a terminal | [`terminal`] |
//!
//! A measurement of one's own says what it needs, adds up, and merges:
//!
//! ```
//! use jigo_selfplay::{AnyPosition, GameRecord, Needs, Progress, Run, Sink};
//!
//! /// How many games Black wins at komi 0, of how many.
//! #[derive(Default)]
//! struct Wins([u64; 2]);
//!
//! impl Sink for Wins {
//!     const NEEDS: Needs = Needs::End;
//!
//!     fn add(&mut self, record: &GameRecord, _: AnyPosition<'_>) {
//!         self.0[0] += u64::from(record.margin() > 0);
//!         self.0[1] += 1;
//!     }
//!
//!     fn merge(&mut self, other: Self) {
//!         self.0.iter_mut().zip(other.0).for_each(|(sum, more)| *sum += more);
//!     }
//! }
//!
//! let run = Run::new("7", "chinese", "eye-safe")?;
//! let Wins([won, all]) = run.play(0..500, Wins::default, &Progress::new())?;
//! assert!(all == 500 && won > 250);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Of note
//!
//! - **The games of a seed are promised**: [`GAMES_VERSION`](stream::GAMES_VERSION) says which, `docs/playouts.md` specifies them down to the single random number, a [`Signature`] recognises them.
//! - **Every choice is exactly uniform** among the moves that are legal and not rejected.
//! - **Memory** does not grow with the number of games, and a [`Progress`] can stop all that takes long.
//! - **Files** are whole or absent, and carry digests.
//!
//! # Features
//!
//! `dataset`, on by default: the modules [`dataset`] and [`matches`](mod@matches), which need the Parquet crate. Without it few crates are compiled.
//! `arrow`: games as batches of Arrow in memory, `dataset::GameBatches`.
//!
//! # Not here
//!
//! Intervals, fair komi, reports and exports are in `jigo-analysis`. Nothing asks the system for random numbers, and only the [clocks](time_control) of GTP and of
//! matches between programs read the time.

#![cfg_attr(
    not(feature = "dataset"),
    allow(dead_code, unused_imports, reason = "the modules left out use them")
)]

pub mod backend;
mod config;
pub mod conformance;
#[cfg(feature = "dataset")]
pub mod dataset;
pub mod files;
pub mod fingerprint;
pub mod gtp;
mod lockstep;
#[cfg(feature = "dataset")]
pub mod matches;
pub mod player;
mod playout;
pub mod policy;
mod record;
mod run;
pub mod sealed;
pub mod search;
pub mod sgf;
pub mod stream;
pub mod terminal;
mod threads;
pub mod time_control;
pub mod whole_game;

pub use backend::Backend;
pub use config::RunConfig;
pub use jigo_engine::{AnyPosition, batch::Needs};
pub use player::{Decision, Player, PlayerError};
pub use policy::Policy;
pub use record::{End, GameRecord, Ownership, SearchRecord, Signature, SuperkoEvent};
pub use run::{InvalidRun, PositionRun, Run, RunError};
pub use stream::Stream;
pub use threads::{Progress, Sink, Stopped};
