//! What can go wrong with a dataset, and how to recover.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use parquet::errors::ParquetError;

use crate::files::{FileError, FolderInUse};

/// Why a dataset cannot be written or read. Every message names the file and says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// A value is outside the limits of the format, which the text names.
    #[error("{0}")]
    InvalidSpec(String),
    /// What could not be done with a file or folder. Shards that are finished stay.
    #[error(transparent)]
    File(#[from] FileError),
    /// The directory to write to holds something else; the text is the name of one thing in it.
    #[error(
        "{} is not empty and not a jigo dataset (it has no manifest.json but has `{}`); choose a new or empty directory",
        .0.display(),
        .1
    )]
    NotEmpty(PathBuf, String),
    /// The directory to read from is not a dataset; the text says what it is instead.
    #[error("{} is not a jigo dataset: {}. Name the folder of a dataset", .0.display(), .1)]
    NotADataset(PathBuf, &'static str),
    /// The directory holds something else that jigo wrote, which the text names.
    #[error("{} holds {}, not {}: choose another folder", .0.display(), .1, .2)]
    OtherKind(PathBuf, String, String),
    /// The manifest, at this path, is not as jigo writes it; the text says what is wrong.
    #[error(
        "{}: {}. Restore the file from a copy, or write the dataset into a new directory: the same run gives the same shards",
        .0.display(),
        .1
    )]
    InvalidManifest(PathBuf, String),
    /// The directory holds the dataset of another run. Has the path of its manifest, and all values that differ.
    #[error(
        "{} describes another run: {}. Use the same arguments and the same jigo to go on with that run, or choose another directory",
        .0.display(),
        .1.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
    )]
    OtherRun(PathBuf, Vec<Difference>),
    /// The dataset in the directory has more games, or shall have them, than are asked for.
    #[error(
        "{} has {there} games, or another command is adding them, and {requested} are fewer. Ask for at least {there} to go on, or choose another directory",
        dir.display()
    )]
    FewerGames {
        /// The directory.
        dir: PathBuf,
        /// The number of games that the manifest states.
        there: u64,
        /// The number that was asked for.
        requested: u64,
    },
    /// A shard or its side file, at this path, is missing, damaged or not of this run. The text says what is wrong, and how to recover.
    #[error("{}: {}", .0.display(), .1)]
    InvalidShard(PathBuf, String),
    /// A shard holds a game that cannot be. Has the path of the shard, the row, from 0, and what is wrong with the game.
    #[error("{}: row {}: {}", .0.display(), .1, .2)]
    InvalidRow(PathBuf, u64, String),
    /// Another process writes to the directory.
    #[error(transparent)]
    InUse(#[from] FolderInUse),
    /// Stopped by [`Progress::stop`](crate::Progress::stop).
    #[error("stopped on request")]
    Stopped,
}

impl DatasetError {
    /// Returns the error of a place without a manifest.
    pub(super) fn not_a_dataset(dir: &Path) -> Self {
        let reason = match dir.metadata() {
            Ok(metadata) if metadata.is_dir() => "it has no manifest.json",
            Ok(_) => "it is a file",
            Err(_) => "there is no such folder",
        };
        Self::NotADataset(dir.to_owned(), reason)
    }
}

/// A value in which a manifest differs from the run that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The manifest's name of the value.
    pub field: String,
    /// What the manifest says.
    pub recorded: String,
    /// What was asked for.
    pub requested: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {} there, not {}", self.field, self.recorded, self.requested)
    }
}

/// Adds to an error of the operating system, or of the Parquet library, what could not be done with which file or folder.
pub(super) trait At<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, DatasetError>;
}

impl<T, E: Into<ParquetError>> At<T> for Result<T, E> {
    fn at(self, action: &'static str, path: &Path) -> Result<T, DatasetError> {
        self.map_err(|error| {
            let source = io_error(error.into());
            FileError { action, path: path.to_owned(), source }.into()
        })
    }
}

/// Returns the error of the operating system behind one of the Parquet library, if there is one.
pub(crate) fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => inner.downcast().map_or_else(io::Error::other, |error| *error),
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_apart_from_other_errors() {
        let path = Path::new("out/partial/x");
        for (kind, full) in [
            (io::ErrorKind::StorageFull, true),
            (io::ErrorKind::QuotaExceeded, true),
            (io::ErrorKind::PermissionDenied, false),
        ] {
            let error = Err::<(), _>(io::Error::from(kind)).at("write", path).unwrap_err();
            assert_eq!(error.to_string().contains("no space left"), full, "{error}");
            assert!(error.to_string().contains("out/partial/x"), "{error}");
        }
    }
}
