//! Checks folders by the lists of their files.

use std::{
    collections::BTreeSet,
    io,
    path::{Component, Path},
};

use jigo_selfplay::{
    dataset::{Problem, ProblemKind, check_file},
    files::file_names,
};
use rayon::prelude::*;

/// What the check of an export or a report found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesReport {
    /// Files that are listed.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// All problems, sorted by file.
    pub problems: Vec<Problem>,
}

impl FilesReport {
    /// Returns the report of a folder whose list is wrong or not complete, for this reason.
    pub(crate) fn of_bad_list(list: &str, reason: String) -> Self {
        let problems = vec![problem(list, ProblemKind::Manifest(reason))];
        Self { problems, ..Self::default() }
    }

    /// Checks files by the lengths and digests that are listed, on the threads of the current rayon pool. Other files than these and `list`
    /// are problems as well.
    ///
    /// # Errors
    /// What the operating system says when it refuses to list the folder.
    pub(crate) fn new(dir: &Path, list: &str, files: &[ListedFile<'_>]) -> io::Result<Self> {
        let bytes = files.iter().fold(0, |sum: u64, file| sum.saturating_add(file.bytes));
        let found = files.par_iter().filter_map(|file| Some(problem(file.name, file.check(dir)?)));
        let mut problems: Vec<Problem> = found.collect();
        let known: BTreeSet<&str> = files.iter().map(|file| file.name).chain([list]).collect();
        let unexpected = other_files(dir, "", &known)?.into_iter();
        problems.extend(unexpected.map(|name| problem(&name, ProblemKind::Unexpected)));
        problems.sort_by(|one, other| one.file.cmp(&other.file));
        Ok(Self { files: files.len() as u64, bytes, problems })
    }
}

fn problem(file: &str, kind: ProblemKind) -> Problem {
    Problem { file: file.to_owned(), game_index: None, kind }
}

/// A line of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListedFile<'a> {
    /// The path in the folder, with `/` on every system.
    name: &'a str,
    bytes: u64,
    blake3: &'a str,
}

impl<'a> ListedFile<'a> {
    pub(crate) fn new(name: &'a str, bytes: u64, blake3: &'a str) -> Self {
        Self { name, bytes, blake3 }
    }

    /// Compares the file with what is known of it.
    fn check(&self, dir: &Path) -> Option<ProblemKind> {
        if !is_inside(self.name) {
            let reason = "is no name of a file in this folder: the list was not written by jigo".to_owned();
            return Some(ProblemKind::Manifest(reason));
        }
        check_file(&dir.join(self.name), self.bytes, self.blake3)
    }
}

/// Returns whether a path leads to a place in the folder.
pub(crate) fn is_inside(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the paths in a folder that are not known, sorted: `prefix` and names, and folders in which nothing is known.
pub(crate) fn other_files(dir: &Path, prefix: &str, known: &BTreeSet<&str>) -> io::Result<Vec<String>> {
    let mut others = Vec::new();
    for name in file_names(&dir.join(prefix))? {
        let path = format!("{prefix}{name}");
        if known.contains(path.as_str()) {
            continue;
        }
        let inside = format!("{path}/");
        let is_known_folder = known.iter().any(|file| file.starts_with(&inside));
        if is_known_folder && dir.join(&path).symlink_metadata()?.is_dir() {
            others.extend(other_files(dir, &inside, known)?);
        } else {
            others.push(path);
        }
    }
    Ok(others)
}
