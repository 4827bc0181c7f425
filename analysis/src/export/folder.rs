//! The folder of an export: files that are whole or absent, and `export.json`, which says what they are.

use std::{
    fs::{self, File, TryLockError},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use jigo_selfplay::files::read_file;
use serde::{Deserialize, Serialize};

use super::{ExportError, manifest::Manifest, verify::MAX_MANIFEST_BYTES};

/// The name of the manifest.
pub(super) const MANIFEST: &str = "export.json";
/// How the names of unfinished files end.
const PARTIAL: &str = ".partial";
/// Bytes gathered before they go to the operating system.
const BUFFER: usize = 1 << 18;

/// A folder that this process alone exports to.
pub(super) struct Folder {
    dir: PathBuf,
    /// Locked as long as it lives.
    _lock: Option<File>,
}

/// One file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedFile {
    /// Its name.
    pub file: String,
    /// Games, rows of positions, or events in it.
    pub rows: u64,
    /// Its length.
    pub bytes: u64,
    /// BLAKE3 of it.
    pub blake3: String,
}

impl Folder {
    /// Takes an empty folder, or one that holds this very export, finished or not, and writes the manifest.
    pub(super) fn open(dir: &Path, manifest: &Manifest) -> Result<Self, ExportError> {
        fs::create_dir_all(dir).map_err(|error| ExportError::io("create the folder", dir, error))?;
        let folder = Self { dir: dir.to_owned(), _lock: lock(dir)? };
        let names = names(dir)?;
        match read_file(&dir.join(MANIFEST), MAX_MANIFEST_BYTES) {
            Ok(bytes) if !manifest.is_request_of(&bytes) => {
                return Err(ExportError::OtherExport { dir: dir.to_owned() });
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let unfinished = format!("{MANIFEST}{PARTIAL}");
                if let Some(found) = names.iter().find(|name| **name != unfinished) {
                    return Err(ExportError::NotEmpty { dir: dir.to_owned(), found: found.clone() });
                }
            }
            Err(error) => return Err(ExportError::io("read", &dir.join(MANIFEST), error)),
        }
        for name in names.iter().filter(|name| name.ends_with(PARTIAL)) {
            let path = dir.join(name);
            fs::remove_file(&path).map_err(|error| ExportError::io("remove", &path, error))?;
        }
        folder.write_manifest(manifest)?;
        Ok(folder)
    }

    /// Writes the manifest in place of what is there.
    pub(super) fn write_manifest(&self, manifest: &Manifest) -> Result<(), ExportError> {
        // The files that it tells of are there before it tells.
        self.sync()?;
        let mut file = self.create(MANIFEST)?;
        file.write(manifest.to_json().as_bytes())?;
        file.finish(0)?;
        self.sync()
    }

    /// Makes the entries of the folder last, where that takes a call.
    fn sync(&self) -> Result<(), ExportError> {
        if !cfg!(unix) {
            return Ok(());
        }
        let synced = File::open(&self.dir).and_then(|dir| dir.sync_all());
        synced.map_err(|error| ExportError::io("flush the folder", &self.dir, error))
    }

    /// A new file, which takes this name when it is finished.
    pub(super) fn create(&self, name: &str) -> Result<NewFile, ExportError> {
        let partial = self.dir.join(format!("{name}{PARTIAL}"));
        let file = File::create(&partial).map_err(|error| ExportError::io("create", &partial, error))?;
        let path = self.dir.join(name);
        let name = name.to_owned();
        let hasher = blake3::Hasher::new();
        Ok(NewFile { name, path, partial, file: BufWriter::with_capacity(BUFFER, file), hasher })
    }
}

/// The names in a folder, sorted.
pub(super) fn names(dir: &Path) -> Result<Vec<String>, ExportError> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let names = fs::read_dir(dir).and_then(|entries| entries.map(name).collect::<io::Result<_>>());
    let mut names: Vec<String> = names.map_err(|error| ExportError::io("list", dir, error))?;
    names.sort_unstable();
    Ok(names)
}

/// The lock on a folder; `None` where the system has no such thing.
fn lock(dir: &Path) -> Result<Option<File>, ExportError> {
    let Ok(file) = File::open(dir) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(ExportError::InUse { dir: dir.to_owned() }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// A file that is being written; dropped before it is finished, it is removed.
pub(super) struct NewFile {
    name: String,
    path: PathBuf,
    partial: PathBuf,
    file: BufWriter<File>,
    hasher: blake3::Hasher,
}

impl NewFile {
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        self.hasher.update(bytes);
        self.file.write_all(bytes).map_err(|error| ExportError::io("write", &self.path, error))
    }

    /// Flushes the file to the disk and moves it into its place.
    pub(super) fn finish(mut self, rows: u64) -> Result<ExportedFile, ExportError> {
        let moved = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        let moved = moved.and_then(|()| fs::rename(&self.partial, &self.path));
        moved.map_err(|error| ExportError::io("write", &self.path, error))?;
        Ok(ExportedFile {
            file: self.name.clone(),
            rows,
            bytes: self.hasher.count(),
            blake3: self.hasher.finalize().to_hex().to_string(),
        })
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Moved into place, it is no longer there; otherwise the next export into the folder will try again.
        let _ = fs::remove_file(&self.partial);
    }
}
