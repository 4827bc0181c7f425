//! Whether the files of an export are as they were written.

use std::{
    collections::BTreeSet,
    fmt, io,
    path::{Component, Path},
};

use jigo_selfplay::files::{file_digest, read_file};
use rayon::prelude::*;

use super::{
    ExportError, ExportedFile,
    folder::{self, MANIFEST},
    manifest::Written,
};

/// The most bytes of `export.json`: millions of files.
pub(super) const MAX_MANIFEST_BYTES: u64 = 1 << 30;

/// What [`verify_export`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportReport {
    /// Files that the export lists.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// All problems, sorted by file.
    pub problems: Vec<ExportProblem>,
}

impl ExportReport {
    /// Whether the export is complete and as it was written.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.problems.is_empty()
    }
}

/// One thing that is wrong with an export.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExportProblem {
    /// The name of the file.
    pub file: String,
    /// What is wrong with it, and what to do.
    pub problem: String,
}

impl fmt::Display for ExportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.problem)
    }
}

impl ExportProblem {
    fn new(file: &str, problem: impl Into<String>) -> Self {
        Self { file: file.to_owned(), problem: problem.into() }
    }
}

/// Whether a folder is one that [`export()`](super::export()) wrote to.
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
pub fn verify_export(dir: &Path) -> Result<ExportReport, ExportError> {
    let path = dir.join(MANIFEST);
    let bytes =
        read_file(&path, MAX_MANIFEST_BYTES).map_err(|error| ExportError::io("read", &path, error))?;
    let written = match Written::read(&bytes) {
        Ok(written) => written,
        Err(reason) => {
            let problems = vec![ExportProblem::new(MANIFEST, reason)];
            return Ok(ExportReport { files: 0, bytes: 0, problems });
        }
    };
    let mut problems: Vec<ExportProblem> =
        written.files.par_iter().filter_map(|file| check(dir, file).err()).collect();
    if !written.complete {
        let reason = "the export is not complete; run the command that writes it again";
        problems.push(ExportProblem::new(MANIFEST, reason));
    }
    let known: BTreeSet<&str> =
        written.files.iter().map(|file| file.file.as_str()).chain([MANIFEST]).collect();
    let strange =
        folder::names(dir)?.into_iter().filter(|name| written.complete && !known.contains(name.as_str()));
    problems.extend(strange.map(|name| ExportProblem::new(&name, "does not belong there; move it away")));
    problems.sort();
    let bytes = written.files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.bytes));
    Ok(ExportReport { files: written.files.len() as u64, bytes, problems })
}

/// Compares a file with what is known of it.
fn check(dir: &Path, file: &ExportedFile) -> Result<(), ExportProblem> {
    let again = "delete it and run the command that wrote the export again";
    let problem = |text: String| ExportProblem::new(&file.file, text);
    let mut parts = Path::new(&file.file).components();
    if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
        return Err(problem(
            "is no name of a file in this folder: the list was not written by jigo".to_owned(),
        ));
    }
    let (bytes, blake3) = match file_digest(&dir.join(&file.file)) {
        Ok(digest) => digest,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(problem("missing; run the command that wrote the export again".to_owned()));
        }
        Err(error) => return Err(problem(format!("cannot be read: {error}"))),
    };
    if bytes != file.bytes {
        return Err(problem(format!("{bytes} bytes long, not {}; {again}", file.bytes)));
    }
    if blake3 != file.blake3 {
        return Err(problem(format!("damaged: BLAKE3 is {blake3}, not {}; {again}", file.blake3)));
    }
    Ok(())
}
