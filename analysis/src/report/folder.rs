//! The folder of a report: the files of one command, listed in `files.json` and replaced together.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use jigo_selfplay::{
    files::{AtomicFile, FileError, FolderInUse, FolderLock, read_file, write_whole},
    sealed::{is_sealed, seal},
};
use serde::{Deserialize, Serialize};

use crate::listed::{FilesReport, ListedFile, is_inside, other_files};

/// The name of the list.
const LIST: &str = "files.json";
/// The name of its format.
const FORMAT: &str = "jigo-report";
/// The version of the list of a report's files that this program writes.
pub const REPORT_FORMAT_VERSION: u32 = 1;
/// The most bytes of a list.
const MAX_LIST_BYTES: u64 = 1 << 20;

/// A folder that holds the report of one command and nothing else, and that this process alone writes.
///
/// Files are written under temporary names and moved into place together by [`publish`](Self::publish), so that the report that was there stays until
/// the new one is whole. `files.json` lists them with their lengths and digests.
///
/// ```
/// use jigo_analysis::report::ReportFolder;
/// # let parent = tempfile::tempdir()?;
/// # let dir = parent.path().join("report");
/// let mut folder = ReportFolder::open(&dir, "study", false)?;
/// folder.add("summary.txt", b"2 million games\n")?;
/// folder.publish()?;
/// // Another command does not replace it.
/// assert!(ReportFolder::open(&dir, "analyze", false).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ReportFolder {
    dir: PathBuf,
    command: String,
    /// The files that the new ones replace, by their names, with the digests that the list states.
    old: BTreeMap<String, String>,
    /// The files to publish, by their names in the folder.
    new: Vec<(String, AtomicFile)>,
    /// The topmost folder that was created for the report.
    created: Option<PathBuf>,
    lock: Option<FolderLock>,
}

/// Why a folder cannot take a report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportFolderError {
    /// There is a file of this name, or a link that leads to no folder.
    #[error("{} is no folder: choose a folder for the report with --out", .0.display())]
    IsFile(PathBuf),
    /// Another process writes to it.
    #[error(transparent)]
    InUse(#[from] FolderInUse),
    /// The folder holds the report of another command.
    #[error(
        "{} holds a report of `jigo {command}`: choose another folder with --out, or replace that report with --force",
        dir.display()
    )]
    OtherCommand {
        /// The folder.
        dir: PathBuf,
        /// The command that wrote the report.
        command: String,
    },
    /// The folder holds a file that no report listed.
    #[error(
        "{} holds {found}, which `jigo {command}` did not write: choose another folder with --out, or write the report beside it with --force",
        dir.display()
    )]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// The file.
        found: String,
        /// The command that was to write here.
        command: String,
    },
    /// The operating system refused something.
    #[error("{0}. Name another folder with --out")]
    File(#[from] FileError),
}

/// `files.json`.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    format: String,
    format_version: u32,
    command: String,
    /// Whether the files are those listed; otherwise a writer was killed while it replaced some of them.
    complete: bool,
    files: Vec<ReportFile>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ReportFile {
    file: String,
    bytes: u64,
    blake3: String,
}

impl ReportFolder {
    /// Takes a new or empty folder, or one that holds a report of the same command.
    ///
    /// With `force`, the folder may hold anything: the files of another report are removed when the new one is published, and other files stay unless
    /// they have the name of a new one.
    ///
    /// # Errors
    /// [`ReportFolderError`]. Nothing is changed then.
    pub fn open(dir: &Path, command: &str, force: bool) -> Result<Self, ReportFolderError> {
        if dir.symlink_metadata().is_ok() && !dir.is_dir() {
            return Err(ReportFolderError::IsFile(dir.to_owned()));
        }
        let created = dir.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let created = created.last().map(Path::to_owned);
        fs::create_dir_all(dir).map_err(cannot("create", dir))?;
        let lock = Some(FolderLock::new(dir)?);
        let (old, new, command) = (BTreeMap::new(), Vec::new(), command.to_owned());
        let mut folder = Self { dir: dir.to_owned(), command, old, new, created, lock };
        let mut known = BTreeSet::new();
        if let Some(List { command, files, .. }) = read_list(dir)? {
            if command != folder.command && !force {
                return Err(ReportFolderError::OtherCommand { dir: dir.to_owned(), command });
            }
            let files = files.into_iter().filter(|file| is_inside(&file.file));
            folder.old = files.map(|file| (file.file, file.blake3)).collect();
            known.insert(LIST);
        }
        known.extend(folder.old.keys().map(String::as_str));
        let others = other_files(dir, "", &known).map_err(cannot("list", dir))?;
        match others.into_iter().find(|name| !AtomicFile::is_temporary(name)) {
            Some(found) if !force => {
                let command = folder.command.clone();
                Err(ReportFolderError::Foreign { dir: dir.to_owned(), found, command })
            }
            _ => Ok(folder),
        }
    }

    /// Writes a file of the report under a temporary name. Its name may have folders, as in `records/report.html`.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), ReportFolderError> {
        let mut file = self.create(name)?;
        file.write_all(bytes).map_err(cannot("write", &self.dir.join(name)))?;
        self.add_file(name, file);
        Ok(())
    }

    /// Returns a file to write, for [`add_file`](Self::add_file).
    ///
    /// # Errors
    /// What the operating system says.
    pub fn create(&self, name: &str) -> Result<AtomicFile, ReportFolderError> {
        let last = name.rsplit('/').next().unwrap_or(name);
        Ok(AtomicFile::create_in(&self.dir, last).map_err(cannot("create", &self.dir.join(name)))?)
    }

    /// Adds a file that was [created](Self::create) and written.
    pub fn add_file(&mut self, name: &str, file: AtomicFile) {
        self.new.push((name.to_owned(), file));
    }

    /// Reads a file of the report that is there, if there is one.
    ///
    /// # Errors
    /// What the operating system says, and when the file has more than `most` bytes.
    pub fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, ReportFolderError> {
        if !self.old.contains_key(name) {
            return Ok(None);
        }
        let path = self.dir.join(name);
        match read_file(&path, most) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            bytes => Ok(bytes.map(Some).map_err(cannot("read", &path))?),
        }
    }

    /// Reads a file as [`read`](Self::read) does, if it is as the list says.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_sound(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, ReportFolderError> {
        let is_sound = |bytes: &Vec<u8>| self.old.get(name) == Some(&blake3::hash(bytes).to_string());
        Ok(self.read(name, most)?.filter(is_sound))
    }

    /// Puts the new files in the place of the old report, and returns their paths in the order in which they were added.
    ///
    /// Until all are on the disk, the old report stays. A process that is killed while it moves them leaves files of both, and a list that
    /// says that it is not complete; the same command then begins again. Later files can replace these in the same way.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn publish(&mut self) -> Result<Vec<PathBuf>, ReportFolderError> {
        let new = std::mem::take(&mut self.new);
        let listed = |(name, file): &(String, AtomicFile)| {
            let (bytes, blake3) = file.digest();
            ReportFile { file: name.clone(), bytes, blake3 }
        };
        let files: Vec<ReportFile> = new.iter().map(listed).collect();
        new.iter().try_for_each(|(name, file)| file.sync().map_err(cannot("write", &self.dir.join(name))))?;
        let names: BTreeSet<String> = new.iter().map(|(name, _)| name.clone()).collect();
        let old: BTreeSet<String> = std::mem::take(&mut self.old).into_keys().collect();
        let unfinished =
            old.union(&names).map(|name| ReportFile { file: name.clone(), bytes: 0, blake3: String::new() });
        self.write_list(false, unfinished.collect())?;
        // From here on something of the report stays.
        self.created = None;
        let mut paths = Vec::new();
        for (name, file) in new {
            let path = self.dir.join(&name);
            self.create_parents(&name)?;
            file.persist(&path).map_err(cannot("write", &path))?;
            paths.push(path);
        }
        for name in old.difference(&names) {
            let path = self.dir.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(cannot("remove", &path)(error).into());
                }
                _ => {}
            }
            // Only folders that are empty now can be removed.
            let parents = Path::new(name).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
            parents.for_each(|parent| _ = fs::remove_dir(self.dir.join(parent)));
        }
        self.old = files.iter().map(|file| (file.file.clone(), file.blake3.clone())).collect();
        self.write_list(true, files)?;
        Ok(paths)
    }

    fn write_list(&self, complete: bool, files: Vec<ReportFile>) -> Result<(), ReportFolderError> {
        let (format, command) = (FORMAT.to_owned(), self.command.clone());
        let list = List { format, format_version: REPORT_FORMAT_VERSION, command, complete, files };
        let text = serde_json::to_string_pretty(&list).expect("structs of text and numbers");
        let path = self.dir.join(LIST);
        Ok(write_whole(&path, seal(&format!("{text}\n")).as_bytes()).map_err(cannot("write", &path))?)
    }

    /// Creates the folders that a name has. A symbolic link in the place of one is replaced, so that nothing is written elsewhere.
    fn create_parents(&self, name: &str) -> Result<(), ReportFolderError> {
        let Some(parent) = Path::new(name).parent().filter(|parent| !parent.as_os_str().is_empty()) else {
            return Ok(());
        };
        let parent = self.dir.join(parent);
        let create = || {
            if parent.is_symlink() {
                fs::remove_file(&parent)?;
            }
            fs::create_dir_all(&parent)
        };
        Ok(create().map_err(cannot("create", &parent))?)
    }
}

impl Drop for ReportFolder {
    /// Removes what was created for a report that was not published.
    fn drop(&mut self) {
        self.new.clear();
        self.lock = None;
        if let Some(created) = &self.created {
            for folder in self.dir.ancestors().take_while(|folder| folder.starts_with(created)) {
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
    }
}

fn cannot(action: &'static str, path: &Path) -> impl Fn(io::Error) -> FileError + use<> {
    let path = path.to_owned();
    move |source| FileError { action, path: path.clone(), source }
}

/// Reads the list; `None` when there is none, or a file that no report wrote.
fn read_list(dir: &Path) -> Result<Option<List>, ReportFolderError> {
    let path = dir.join(LIST);
    match read_file(&path, MAX_LIST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot("read", &path)(error).into()),
        Ok(bytes) => Ok(parse(&bytes)),
    }
}

fn parse(bytes: &[u8]) -> Option<List> {
    let list = is_sealed(bytes).then(|| serde_json::from_slice::<List>(bytes).ok()).flatten();
    list.filter(|list| list.format == FORMAT && list.format_version == REPORT_FORMAT_VERSION)
}

/// Returns whether a folder holds a report, complete or not.
#[must_use]
pub fn is_report(dir: &Path) -> bool {
    dir.join(LIST).is_file()
}

/// Checks the report in `dir` without changing it: `files.json` by its own digest, and every file by the length and digest that it states.
///
/// # Errors
/// What the operating system says when it refuses to list the folder or to read `files.json`. Damage is no error but the report.
pub fn verify_report(dir: &Path) -> Result<FilesReport, ReportFolderError> {
    let path = dir.join(LIST);
    let bytes = read_file(&path, MAX_LIST_BYTES).map_err(cannot("read", &path))?;
    let again = |reason: &str| {
        FilesReport::of_bad_list(LIST, format!("{reason}; write the report again with --force"))
    };
    let Some(List { complete, command, files, .. }) = parse(&bytes) else {
        return Ok(again("damaged, or written by another version of jigo"));
    };
    if !complete {
        return Ok(again(&format!("`jigo {command}` was stopped while it replaced the files")));
    }
    let listed = files.iter().map(|file| ListedFile::new(&file.file, file.bytes, &file.blake3));
    Ok(FilesReport::new(dir, LIST, &listed.collect::<Vec<_>>()).map_err(cannot("list", dir))?)
}
