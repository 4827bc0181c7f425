//! What can go wrong with a match as a whole.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{dataset::Difference, engine_process::EngineError};

/// Why a match cannot be played. What goes wrong with a player during a game is no error: it loses the game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// A value that does not go with the others.
    #[error("{0}")]
    InvalidSpec(String),
    /// The file of openings cannot be read.
    #[error("cannot read the openings in {}: {source}. Name a file of text or SGF, or random:K", path.display())]
    UnreadableOpenings {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A line of a file of openings.
    #[error("{}, line {line}: {reason}. Write one opening on each line, as in `C3 D4 pass`", path.display())]
    InvalidOpening {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A game of an SGF file of openings.
    #[error(
        "{}, game {game}: {reason}. The main line of each game is an opening: legal moves from the empty board, Black first",
        path.display()
    )]
    InvalidSgfOpening {
        /// The file.
        path: PathBuf,
        /// The game, from 1.
        game: usize,
        /// What is wrong.
        reason: String,
    },
    /// A program that cannot be started, or does not play games of this size.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}. Finished games are kept; run the same command again to go on", path.display())]
    Io {
        /// What was to be done with the file.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The directory holds something else.
    #[error("{} is not empty and not a match of jigo; choose a new or empty directory", .0.display())]
    NotAMatch(PathBuf),
    /// The directory holds another match.
    #[error(
        "{} holds another match: {}. Use the same arguments to go on with that match, or choose another directory",
        dir.display(),
        differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
    )]
    OtherMatch {
        /// The directory.
        dir: PathBuf,
        /// All arguments that differ.
        differences: Vec<Difference>,
    },
    /// The directory is written to by another process.
    #[error("another process plays the match in {}; wait for its end, or choose another directory", .0.display())]
    InUse(PathBuf),
    /// A file of the match is not as jigo wrote it.
    #[error("{}: {reason}. Restore the file from a copy, or play the match in a new directory", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl MatchError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}
