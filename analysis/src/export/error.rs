//! What can go wrong with an export, and how to recover.

use std::{
    io,
    path::{Path, PathBuf},
};

use jigo_engine::IllegalMove;
use jigo_selfplay::dataset::DatasetError;

/// Why a dataset cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A value outside its limits.
    #[error("{reason}")]
    InvalidSpec {
        /// The value and its limits.
        reason: String,
    },
    /// A file of the dataset.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A stored move.
    #[error(
        "game {game_index}: move {number} is illegal ({reason}); check the dataset with `jigo verify --replay`"
    )]
    Illegal {
        /// The game.
        game_index: u64,
        /// The move, from 1.
        number: usize,
        /// The rule it breaks.
        reason: IllegalMove,
    },
    /// The disk or the quota is full.
    #[error(
        "no space left for {}: {source}. The finished files are kept; free some space and run the same command again",
        path.display()
    )]
    DiskFull {
        /// The file that found no room.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system refused something else.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was to be done with the file.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The folder holds something else.
    #[error(
        "{} is not empty and not an export (it has no export.json but has `{found}`); choose a new or empty folder with --out",
        dir.display()
    )]
    NotEmpty {
        /// The folder.
        dir: PathBuf,
        /// One thing in it.
        found: String,
    },
    /// The folder holds the export of another dataset or command.
    #[error(
        "{} holds another export, or one by another version of jigo (its export.json says which); choose another folder with --out",
        dir.display()
    )]
    OtherExport {
        /// The folder.
        dir: PathBuf,
    },
    /// Another process exports to the folder.
    #[error("{} is in use: another jigo is exporting to it", dir.display())]
    InUse {
        /// The folder.
        dir: PathBuf,
    },
    /// Stopped by [`Progress::stop`](jigo_selfplay::Progress::stop).
    #[error("stopped on request")]
    Stopped,
}

impl ExportError {
    /// An error of the operating system, with the full disk told apart.
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path, source },
            _ => Self::Io { action, path, source },
        }
    }
}
