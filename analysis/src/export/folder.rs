//! The folder of an export: files that are complete or absent, `export.json`, which lists them, and the check of both.

use std::{
    fs,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use jigo_selfplay::{
    dataset::{Import, RunDescription},
    files::{AtomicFile, FolderLock, file_names, read_file},
    sealed::{is_sealed, seal},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ExportError, ExportSpec};
use crate::listed::{FilesReport, ListedFile};

/// The name of the manifest.
pub(super) const MANIFEST: &str = "export.json";
/// Bytes gathered before they go to the operating system.
const BUFFER: usize = 1 << 18;

/// A folder that this process alone exports to.
pub(super) struct Folder {
    dir: PathBuf,
    _lock: FolderLock,
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
        let lock = FolderLock::new(dir)?;
        let folder = Self { dir: dir.to_owned(), _lock: lock };
        let names = names(dir)?;
        match read_file(&dir.join(MANIFEST), MAX_MANIFEST_BYTES) {
            Ok(bytes) if !manifest.is_request_of(&bytes) => {
                return Err(ExportError::OtherExport { dir: dir.to_owned() });
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(found) = names.iter().find(|name| !AtomicFile::is_temporary(name)) {
                    return Err(ExportError::NotEmpty { dir: dir.to_owned(), found: found.clone() });
                }
            }
            Err(error) => return Err(ExportError::io("read", &dir.join(MANIFEST), error)),
        }
        folder.write_manifest(manifest)?;
        Ok(folder)
    }

    /// Writes the manifest in place of what is there; the files that it lists are on the disk by then.
    pub(super) fn write_manifest(&self, manifest: &Manifest) -> Result<(), ExportError> {
        let mut file = self.create(MANIFEST)?;
        file.write(manifest.to_json().as_bytes(), 0)?;
        file.finish().map(drop)
    }

    /// Returns a new file, which takes this name when it is finished.
    pub(super) fn create(&self, name: &str) -> Result<NewFile, ExportError> {
        let path = self.dir.join(name);
        let file = AtomicFile::create(&path).map_err(|error| ExportError::io("create", &path, error))?;
        Ok(NewFile { name: name.to_owned(), path, file: BufWriter::with_capacity(BUFFER, file), rows: 0 })
    }
}

/// Returns the names in the folder, sorted.
fn names(dir: &Path) -> Result<Vec<String>, ExportError> {
    file_names(dir).map_err(|error| ExportError::io("list", dir, error))
}

/// A file that is being written; dropped before it is finished, it is removed.
pub(super) struct NewFile {
    name: String,
    path: PathBuf,
    file: BufWriter<AtomicFile>,
    /// The games, positions or events written so far.
    pub(super) rows: u64,
}

impl NewFile {
    /// Writes bytes that hold so many rows.
    pub(super) fn write(&mut self, bytes: &[u8], rows: u64) -> Result<(), ExportError> {
        self.rows += rows;
        self.file.write_all(bytes).map_err(|error| ExportError::io("write", &self.path, error))
    }

    /// Flushes the file to the disk and moves it into its place.
    pub(super) fn finish(self) -> Result<ExportedFile, ExportError> {
        let Self { name, path, file, rows } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let written = file.and_then(|file| {
            let digest = file.digest();
            file.persist(&path).map(|()| digest)
        });
        let (bytes, blake3) = written.map_err(|error| ExportError::io("write", &path, error))?;
        Ok(ExportedFile { file: name, rows, bytes, blake3 })
    }
}

/// The name of the format.
const FORMAT: &str = "jigo-export";
/// The version of exports, `export.json` and all formats of games, that this program writes.
pub const EXPORT_FORMAT_VERSION: u32 = 2;
/// The oldest version that this program checks: what `export.json` says of files has not changed.
const FIRST_VERSION: u32 = 1;

/// Games that were looked at and games that were exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExportCounts {
    /// Games read from the dataset.
    pub games_read: u64,
    /// Games among them that were exported.
    pub games_kept: u64,
}

/// `export.json`: how to export the same again, and, once it is complete, what the files are.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Manifest {
    #[serde(flatten)]
    request: Request,
    complete: bool,
    counts: ExportCounts,
    files: Vec<ExportedFile>,
}

/// What determines the bytes of the export, in words. Stands in the files as well, where their format allows.
#[derive(Clone, Debug, Serialize)]
struct Request {
    format: &'static str,
    format_version: u32,
    jigo_version: String,
    git_commit: String,
    command: String,
    filters: serde_json::Map<String, Value>,
    run_fingerprint: String,
    run: Origin,
}

/// Where the games come from, as the dataset says.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Origin {
    /// They were played.
    Run(Box<RunDescription>),
    /// They were imported.
    Import(Box<Import>),
}

impl Manifest {
    /// Returns the manifest of an export that has not begun.
    pub(super) fn new(run: Origin, run_fingerprint: &str, spec: &ExportSpec) -> Self {
        let filters = spec.filter.options().into_iter();
        let request = Request {
            format: FORMAT,
            format_version: EXPORT_FORMAT_VERSION,
            jigo_version: spec.provenance.version.clone(),
            git_commit: spec.provenance.commit.clone(),
            command: spec.command(),
            filters: filters.map(|(name, value)| (name.to_owned(), value.into())).collect(),
            run_fingerprint: run_fingerprint.to_owned(),
            run,
        };
        Self { request, complete: false, counts: ExportCounts::default(), files: Vec::new() }
    }

    /// Returns the manifest once all is written.
    pub(super) fn completed(self, counts: ExportCounts, files: Vec<ExportedFile>) -> Self {
        Self { complete: true, counts, files, ..self }
    }

    /// Returns the file's text with its digest.
    pub(super) fn to_json(&self) -> String {
        seal(&to_json(self))
    }

    /// Returns the same without what is known at the end only, for the exported files themselves.
    pub(super) fn request_json(&self) -> String {
        to_json(&self.request)
    }

    /// Returns whether the bytes are the manifest of the same export, be it complete or not.
    pub(super) fn is_request_of(&self, bytes: &[u8]) -> bool {
        let Ok(Value::Object(mut found)) = serde_json::from_slice(bytes) else { return false };
        for name in ["complete", "counts", "files", "blake3"] {
            found.remove(name);
        }
        serde_json::to_value(&self.request).is_ok_and(|request| request == Value::Object(found))
    }
}

/// What `export.json` says of the files, as far as it is checked.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Written {
    pub(super) complete: bool,
    pub(super) files: Vec<ExportedFile>,
}

impl Written {
    /// Reads what [`Manifest::to_json`] wrote, or says what is wrong with it and what to do.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            format_version: u32,
        }
        let damaged = |error| {
            format!("damaged: {error}; export again to a new folder, or restore the file from a copy")
        };
        let head: Head = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        let is_known = (FIRST_VERSION..=EXPORT_FORMAT_VERSION).contains(&head.format_version);
        if head.format != FORMAT || !is_known {
            let Head { format, format_version } = head;
            return Err(format!(
                "{format} version {format_version}; this jigo reads {FORMAT} version {FIRST_VERSION} to {EXPORT_FORMAT_VERSION}: use the jigo that wrote it, or export again \
                 to a new folder"
            ));
        }
        if !is_sealed(bytes) {
            return Err(damaged("it does not match its own digest".to_owned()));
        }
        serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))
    }
}

fn to_json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("structs of text and numbers");
    format!("{text}\n")
}

/// The most bytes of `export.json`: millions of files.
pub(super) const MAX_MANIFEST_BYTES: u64 = 1 << 30;

/// Returns whether a folder is one that [`export()`](super::export()) wrote to.
#[must_use]
pub fn is_export(dir: &Path) -> bool {
    dir.join(MANIFEST).is_file()
}

/// Checks the export in `dir` without changing it: `export.json` by its own digest, and every file by the length and digest that it states.
///
/// Works on the threads of the current rayon pool; memory does not grow with the files.
///
/// # Errors
/// What the operating system says when it refuses to list the folder or to read `export.json`. Damage is no error but the report.
pub fn verify_export(dir: &Path) -> Result<FilesReport, ExportError> {
    let path = dir.join(MANIFEST);
    let bytes =
        read_file(&path, MAX_MANIFEST_BYTES).map_err(|error| ExportError::io("read", &path, error))?;
    let files = match Written::read(&bytes) {
        Ok(Written { complete: true, files }) => files,
        Ok(_) => {
            let reason = "the export is not complete; run the command that writes it again".to_owned();
            return Ok(FilesReport::of_bad_list(MANIFEST, reason));
        }
        Err(reason) => return Ok(FilesReport::of_bad_list(MANIFEST, reason)),
    };
    let listed = files.iter().map(|file| ListedFile::new(&file.file, file.bytes, &file.blake3));
    FilesReport::new(dir, MANIFEST, &listed.collect::<Vec<_>>())
        .map_err(|error| ExportError::io("list", dir, error))
}
