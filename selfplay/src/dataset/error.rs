//! What can go wrong with a dataset, and how to recover.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use parquet::errors::ParquetError;

use crate::files::FileError;

/// Why a dataset cannot be written or read. Every message names the file and says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// A value outside the limits of the format.
    #[error("{reason}")]
    InvalidSpec {
        /// The value and its limits.
        reason: String,
    },
    /// What could not be done with a file or folder. Shards that are finished stay.
    #[error(transparent)]
    File(#[from] FileError),
    /// The directory to write to holds something else.
    #[error(
        "{} is not empty and not a jigo dataset (it has no manifest.json but has `{found}`); choose a new or empty directory",
        dir.display()
    )]
    NotEmpty {
        /// The directory.
        dir: PathBuf,
        /// One thing in it.
        found: String,
    },
    /// The directory to read from is not a dataset.
    #[error("{} is not a jigo dataset: it has no manifest.json", dir.display())]
    NotADataset {
        /// The directory.
        dir: PathBuf,
    },
    /// The manifest is not as jigo writes it.
    #[error(
        "{}: {reason}. Restore the file from a copy, or write the dataset into a new directory: the same run gives the same shards",
        path.display()
    )]
    InvalidManifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The directory holds the dataset of another run.
    #[error(
        "{} describes another run: {}. Use the same arguments and the same jigo to go on with that run, or choose another directory",
        path.display(),
        list(differences)
    )]
    OtherRun {
        /// The manifest.
        path: PathBuf,
        /// All values that differ.
        differences: Vec<Difference>,
    },
    /// A shard is missing, damaged or not of this run.
    #[error("{}: {reason}", path.display())]
    InvalidShard {
        /// The shard or its side file.
        path: PathBuf,
        /// What is wrong with it, and how to recover.
        reason: String,
    },
    /// A shard holds a game that cannot be.
    #[error("{}: row {row}: {reason}", path.display())]
    InvalidRow {
        /// The shard.
        path: PathBuf,
        /// The row in it, from 0.
        row: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process writes to the directory.
    #[error("{}: another jigo writes to it; wait for its end, or choose another directory", dir.display())]
    InUse {
        /// The directory.
        dir: PathBuf,
    },
    /// Stopped by [`Progress::stop`](crate::Progress::stop).
    #[error("stopped on request")]
    Stopped,
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

fn list(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}

impl DatasetError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File(FileError { action, path: path.to_owned(), source })
    }

    /// An error of the Parquet library, which may be one of the operating system.
    pub(super) fn parquet(action: &'static str, path: &Path, error: ParquetError) -> Self {
        let source = match error {
            ParquetError::External(inner) => inner.downcast().map_or_else(io::Error::other, |error| *error),
            error => io::Error::other(error),
        };
        Self::io(action, path, source)
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
            let error = DatasetError::parquet("write", path, io::Error::from(kind).into());
            assert_eq!(error.to_string().contains("no space left"), full, "{error}");
            assert!(error.to_string().contains("out/partial/x"), "{error}");
        }
    }
}
