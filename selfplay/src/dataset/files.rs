//! Files that are whole or absent: written aside, flushed to the disk, then moved into place.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use super::{
    DatasetError,
    layout::{self, Layout},
};
use crate::files::file_digest;

/// How the names of unfinished files end.
const SUFFIX: &str = ".partial";

/// A file that is being written. Its lock tells other writers that its own one is alive; dropped before it is moved into place, it is
/// removed.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
    file: File,
}

impl Partial {
    /// A new file for the one that will be called `name`, locked.
    pub(super) fn create(layout: &Layout, name: &str) -> Result<Self, DatasetError> {
        loop {
            let path = layout.partial().join(unique_name(name));
            let fail = |error| DatasetError::io("create", &path, error);
            layout::create_dir(&layout.partial())?;
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                // Another writer removed the empty folder, or took the name.
                Err(error)
                    if [io::ErrorKind::NotFound, io::ErrorKind::AlreadyExists].contains(&error.kind()) =>
                {
                    continue;
                }
                file => file.map_err(fail)?,
            };
            match file.lock() {
                // Where the file system knows no locks, nobody takes the file for a dead writer's either.
                Err(error) if error.kind() != io::ErrorKind::Unsupported => return Err(fail(error)),
                _ => {}
            }
            // Before it was locked, another writer may have taken it for a dead writer's.
            if path.exists() {
                return Ok(Self { path, file });
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Flushes the file to the disk and moves it to `target`, in place of what is there.
    pub(super) fn persist(self, target: &Path) -> Result<(), DatasetError> {
        self.sync()?;
        fs::rename(&self.path, target).map_err(|error| DatasetError::io("move into place", target, error))?;
        sync_parent(target)
    }

    /// As [`persist`](Self::persist), but leaves a target that exists as it is.
    pub(super) fn persist_new(self, target: &Path) -> Result<(), DatasetError> {
        self.sync()?;
        match fs::hard_link(&self.path, target) {
            Ok(()) => sync_parent(target),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            // A file system without hard links.
            Err(_) => self.persist(target),
        }
    }

    fn sync(&self) -> Result<(), DatasetError> {
        self.file.sync_all().map_err(|error| DatasetError::io("write", &self.path, error))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Moved into place, it is no longer there; otherwise the next writer will try again.
        let _ = fs::remove_file(&self.path);
    }
}

/// A name that no other writer uses, on this machine or another that shares the disk.
fn unique_name(name: &str) -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let time_ns = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("{name}.{}-{time_ns:x}-{count}{SUFFIX}", process::id())
}

/// The path of an unfinished file that only one writer at a time can have.
pub(super) fn partial_path(layout: &Layout, name: &str) -> PathBuf {
    layout.partial().join(format!("{name}{SUFFIX}"))
}

/// Whether a file of this name is an unfinished one.
pub(super) fn is_partial(name: &str) -> bool {
    name.ends_with(SUFFIX)
}

/// Removes the unfinished files of writers that are dead.
pub(super) fn remove_stale(layout: &Layout) -> Result<(), DatasetError> {
    let dir = layout.partial();
    for name in layout::names(&dir)?.iter().filter(|name| is_partial(name)) {
        let path = dir.join(name);
        let fail = |error| DatasetError::io("remove", &path, error);
        let file = match OpenOptions::new().write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            file => file.map_err(fail)?,
        };
        match file.try_lock() {
            Ok(()) => match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fail(error)),
                _ => {}
            },
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
    Ok(())
}

/// Removes the folder of unfinished files, if it is empty: other writers may still be at work.
pub(super) fn remove_partial_dir(layout: &Layout) {
    let _ = fs::remove_dir(layout.partial());
}

/// Makes the entry of a file in its directory last.
fn sync_parent(path: &Path) -> Result<(), DatasetError> {
    path.parent().map_or(Ok(()), sync_dir)
}

/// Makes the entries of a directory last, where that takes a call.
pub(super) fn sync_dir(dir: &Path) -> Result<(), DatasetError> {
    if !cfg!(unix) {
        return Ok(());
    }
    File::open(dir)
        .and_then(|dir| dir.sync_all())
        .map_err(|error| DatasetError::io("flush the directory", dir, error))
}

/// Length and BLAKE3 of a file's contents.
pub(super) fn digest(path: &Path) -> Result<(u64, String), DatasetError> {
    file_digest(path).map_err(|error| DatasetError::io("read", path, error))
}

/// Counts and digests what goes into an unfinished file.
pub(super) struct DigestWriter {
    partial: Partial,
    hasher: blake3::Hasher,
}

impl DigestWriter {
    pub(super) fn new(partial: Partial) -> Self {
        Self { partial, hasher: blake3::Hasher::new() }
    }

    /// The file, with length and BLAKE3 of what was written.
    pub(super) fn finish(self) -> (Partial, u64, String) {
        (self.partial, self.hasher.count(), self.hasher.finalize().to_hex().to_string())
    }
}

impl io::Write for DigestWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.partial.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.partial.file.flush()
    }
}
