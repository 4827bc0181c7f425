//! Game records in SGF: reading whatever files hold, and writing FF\[4\].
//!
//! The reader takes bytes and gives every game of a file as a [`Record`] or an [`SgfError`] that names the byte and the repair. What is doubtful but
//! usable is a [`Diagnostic`] of the record; nothing doubtful is accepted without one. It reads FF\[1\] to FF\[4\], collections, rectangular boards,
//! compressed point lists and many character sets.
//!
//! Read is the main line: the first child at every branch. Not read are comments and markup after the root. Not checked are the rules of Go: whether
//! a move is legal is for [`replay`] to say, for which every event knows its [byte and move number](Record::events).
//!
//! # Source
//! Arno Hollosi, *SGF File Format FF\[4\]*, <https://www.red-bean.com/sgf/>.

mod build;
mod diagnose;
mod game;
mod lex;
mod read;
mod replay;
mod text;
mod tree;
mod whole;
mod write;

#[cfg(test)]
mod tests;

pub use diagnose::{Diagnostic, DiagnosticKind, SgfError, SgfErrorKind, SgfFault};
pub use game::{Event, GameInfo, GameResult, NotTextName, Setup, SgfGame, WinBy};
pub use read::{Games, Limits, Record, read_collection, read_games};
pub use replay::{ChangedRules, Replay, ReplayFault, ReplayFaultKind, replay, replay_in, rules_of};
pub(crate) use whole::CONDUCT;
pub use whole::{WholeGameError, from_protocol, result_of, to_protocol, watch_protocol};
pub use write::write;
pub(crate) use write::{letter, write_annotated};
