//! Where the files of a dataset lie.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::DatasetError;
use crate::files::{self, AtomicFile};

/// The folder of the shards, and of nothing else: some readers take in every file of a folder.
pub(super) const DATA: &str = "data";
/// The folder of the side files.
pub(super) const DIGESTS: &str = "digests";
/// The folder of files that are being written.
pub(super) const PARTIAL: &str = "partial";
/// The manifest's name.
pub(super) const MANIFEST: &str = "manifest.json";

/// The paths of one dataset.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    dir: PathBuf,
}

impl Layout {
    pub(super) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.dir.join(MANIFEST)
    }

    pub(super) fn partial(&self) -> PathBuf {
        self.dir.join(PARTIAL)
    }

    pub(super) fn shard(&self, shard: u64) -> PathBuf {
        self.dir.join(shard_file(shard))
    }

    pub(super) fn side_file(&self, shard: u64) -> PathBuf {
        self.dir.join(side_file(shard))
    }

    /// Creates all folders.
    pub(super) fn create(&self) -> Result<(), DatasetError> {
        for folder in [DATA, DIGESTS, PARTIAL] {
            create_dir(&self.dir.join(folder))?;
        }
        Ok(())
    }

    /// Begins a file that will be called `name` somewhere in the dataset.
    pub(super) fn begin_file(&self, name: &str) -> Result<AtomicFile, DatasetError> {
        let folder = self.partial();
        loop {
            create_dir(&folder)?;
            match AtomicFile::create_in(&folder, name) {
                // Another writer was done and removed the empty folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                file => return file.map_err(|error| DatasetError::io("create a file in", &folder, error)),
            }
        }
    }

    /// Removes what killed writers left unfinished.
    pub(super) fn remove_stale(&self) -> Result<(), DatasetError> {
        AtomicFile::remove_stale(&self.partial())
            .map_err(|error| DatasetError::io("clean", &self.partial(), error))
    }

    /// Removes the folder of unfinished files if it is empty: other writers may still be at work.
    pub(super) fn remove_partial_dir(&self) {
        _ = fs::remove_dir(self.partial());
    }
}

/// Flushes a file to the disk and moves it to `target`, replacing what is there.
pub(super) fn persist(file: AtomicFile, target: &Path) -> Result<(), DatasetError> {
    file.persist(target).map_err(|error| DatasetError::io("write", target, error))
}

/// Flushes the entries of a directory to the disk.
pub(super) fn sync_dir(dir: &Path) -> Result<(), DatasetError> {
    files::sync_folder(dir).map_err(|error| DatasetError::io("flush the directory", dir, error))
}

/// Length and BLAKE3 of a file's contents.
pub(super) fn digest(path: &Path) -> Result<(u64, String), DatasetError> {
    files::file_digest(path).map_err(|error| DatasetError::io("read", path, error))
}

/// The path of a shard from the dataset's directory, with `/` on every system: part of the manifest.
pub(super) fn shard_file(shard: u64) -> String {
    format!("{DATA}/shard-{shard:06}.parquet")
}

/// The path of a shard's side file from the dataset's directory.
pub(super) fn side_file(shard: u64) -> String {
    format!("{DIGESTS}/shard-{shard:06}.json")
}

pub(super) fn create_dir(path: &Path) -> Result<(), DatasetError> {
    fs::create_dir_all(path).map_err(|error| DatasetError::io("create the directory", path, error))
}

/// The names in a directory, sorted; none when it does not exist.
pub(super) fn names(dir: &Path) -> Result<Vec<String>, DatasetError> {
    let fail = |error| DatasetError::io("list", dir, error);
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(fail)?,
    };
    let mut names = entries
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(fail)?;
    names.sort_unstable();
    Ok(names)
}
