//! What can be wrong with a dataset.

use std::fmt;

/// One thing that is wrong with a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file, as a path from the dataset's directory with `/` on every system.
    pub file: String,
    /// The game, where the problem is with one.
    pub game_index: Option<u64>,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// Kinds of [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file is not there.
    Missing,
    /// The file does not belong there.
    Stranger,
    /// The manifest says that the dataset is not complete.
    Incomplete {
        /// Shards without a side file.
        missing: u64,
        /// Shards of the whole dataset.
        shards: u64,
    },
    /// The manifest says that the games were not imported to the end.
    Interrupted,
    /// The manifest or a side file is not as it was written.
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
    /// The file belongs to another run, or to another place in this one.
    OtherRun {
        /// What it says of itself.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// The length of a shard is not what was written: cut off, or something appended.
    Length {
        /// The length now.
        found: u64,
        /// The length that was written.
        expected: u64,
    },
    /// The contents of a shard are not what was written.
    Digest {
        /// BLAKE3 now.
        found: String,
        /// BLAKE3 of what was written.
        expected: String,
    },
    /// The digest is right, but the file cannot be read.
    Unreadable {
        /// What the operating system or the Parquet library said.
        reason: String,
    },
    /// The digest is right, but a row is not what belongs there.
    Row {
        /// What is wrong with it.
        reason: String,
    },
    /// More rows are wrong than are listed.
    MoreRows,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(game_index) = self.game_index {
            write!(f, "game {game_index}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => {
                f.write_str("missing; run the command that wrote the dataset again to get it back")
            }
            Self::Stranger => f.write_str("does not belong there; move it away"),
            Self::Incomplete { missing, shards } => write!(
                f,
                "the dataset is not complete: {missing} of {shards} shards are missing; run the command that writes it again to go on"
            ),
            Self::Interrupted => f.write_str("the import was interrupted; run the same command again"),
            Self::Damaged { reason } => {
                write!(f, "{reason}; delete it and run the command that wrote the dataset again")
            }
            Self::OtherRun { found, expected } => {
                write!(
                    f,
                    "belongs to another run or place: it says {found}, not {expected}; delete it and run the command that wrote the dataset again"
                )
            }
            Self::Length { found, expected } => {
                write!(
                    f,
                    "{found} bytes long, not {expected}; delete it and run the command that wrote the dataset again"
                )
            }
            Self::Digest { found, expected } => write!(
                f,
                "damaged: BLAKE3 is {found}, not {expected}; delete it and run the command that wrote the dataset again"
            ),
            Self::Unreadable { reason } => write!(f, "cannot be read: {reason}"),
            Self::Row { reason } => f.write_str(reason),
            Self::MoreRows => f.write_str("more games are wrong"),
        }
    }
}
