//! Files that appear whole or not at all, and reading whole files in bounded memory.

use std::{
    fs::{self, File, Metadata, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A file that is written under a temporary name and then moved into place, so that no reader ever sees half of it.
///
/// While its writer lives, the temporary file is locked: [`remove_stale`](Self::remove_stale) removes only what killed writers left. Dropped
/// before [`persist`](Self::persist), it is removed. Symbolic links are replaced and never written through.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: File,
    hasher: blake3::Hasher,
}

/// How the temporary names end.
const PARTIAL: &str = ".partial";

impl AtomicFile {
    /// Creates a temporary file in the folder of `target`.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn create(target: &Path) -> io::Result<Self> {
        let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
        Self::create_in(folder_of(target), &name.to_string_lossy())
    }

    /// Creates a temporary file in `folder` for a file that will be called `name` there or elsewhere on the same file system.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn create_in(folder: &Path, name: &str) -> io::Result<Self> {
        loop {
            let path = folder.join(temporary_name(name));
            let file = match File::create_new(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                file => file?,
            };
            // Where the file system has no locks, `remove_stale` cannot lock the file either and leaves it alone.
            _ = file.lock();
            // Between its creation and the lock, another process may have taken the file for a killed writer's.
            if path.exists() {
                return Ok(Self { path, file, hasher: blake3::Hasher::new() });
            }
        }
    }

    /// The temporary path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length and BLAKE3, in hexadecimal digits, of what was written so far.
    #[must_use]
    pub fn digest(&self) -> (u64, String) {
        (self.hasher.count(), self.hasher.finalize().to_hex().to_string())
    }

    /// Flushes the contents to the disk; the file keeps its temporary name.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Flushes the file to the disk and moves it to `target`, replacing what is there.
    ///
    /// # Errors
    /// What the operating system says; what was at `target` is still there then.
    pub fn persist(self, target: &Path) -> io::Result<()> {
        self.sync()?;
        fs::rename(&self.path, target)?;
        sync_folder(folder_of(target))
    }

    /// As [`persist`](Self::persist), but keeps a target that exists.
    ///
    /// # Errors
    /// As [`persist`](Self::persist).
    pub fn persist_new(self, target: &Path) -> io::Result<()> {
        self.sync()?;
        match fs::hard_link(&self.path, target) {
            Ok(()) => sync_folder(folder_of(target)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            // A file system without hard links.
            Err(_) => self.persist(target),
        }
    }

    /// Whether a file has a name of the form that temporary files have.
    #[must_use]
    pub fn is_temporary(name: &str) -> bool {
        let unique = name.strip_suffix(PARTIAL).and_then(|name| name.rsplit_once('.'));
        let Some((_, unique)) = unique else { return false };
        let numbers: Vec<&str> = unique.split('-').collect();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        numbers.len() == 3 && numbers.into_iter().all(is_number)
    }

    /// Removes the temporary files in `folder` whose writers were killed; does nothing when there is no such folder.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn remove_stale(folder: &Path) -> io::Result<()> {
        let paths = file_names(folder)?.into_iter().filter(|name| Self::is_temporary(name));
        for path in paths.map(|name| folder.join(name)) {
            if !fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
                continue;
            }
            let Ok(file) = File::open(&path) else { continue };
            // Held until the name is gone, so that a writer who waits for the lock notices.
            if file.try_lock().is_ok() {
                remove_file(&path)?;
            }
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        // Once moved into place it is no longer there; what cannot be removed now, `remove_stale` removes later.
        _ = fs::remove_file(&self.path);
    }
}

/// A name that no other writer uses, on this machine or on another that shares the folder.
fn temporary_name(name: &str) -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let time_ns = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!("{name}.{}-{time_ns:x}-{count}{PARTIAL}", process::id())
}

/// Writes a file that is whole, or still the old one.
///
/// # Errors
/// What the operating system says.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.persist(path)
}

/// As [`write_whole`] for a path that a user named: what leads to a device, a pipe or a symbolic link is written to directly.
///
/// # Errors
/// What the operating system says.
pub fn write_named(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(path, bytes);
    }
    write_whole(path, bytes)
}

/// As [`write_named`], but only where there is a regular file or none: for paths that another program sends.
///
/// # Errors
/// As [`write_named`], and [`io::ErrorKind::InvalidInput`] for a device, pipe or folder.
pub fn write_regular(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) => require_regular(&metadata)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    write_named(path, bytes)
}

/// Opens a regular file. A pipe could be waited for without end, and a device read without end.
///
/// # Errors
/// What the operating system says; [`io::ErrorKind::InvalidInput`] for what is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    require_regular(&fs::metadata(path)?)?;
    File::open(path)
}

pub(crate) fn require_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
}

/// What could not be done with a file or folder. A full disk has a message of its own, which says how to go on.
#[derive(Debug, thiserror::Error)]
#[error("{}", message(action, path, source))]
pub struct FileError {
    /// What was to be done, as in `write`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// What the operating system said.
    pub source: io::Error,
}

fn message(action: &str, path: &Path, source: &io::Error) -> String {
    let path = path.display();
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!(
            "no space left for {path}: {source}. All finished files are kept; free some space and run the same command again to go on"
        ),
        _ => format!("cannot {action} {path}: {source}"),
    }
}

/// Returns the names in a folder, sorted; none when there is no such folder.
///
/// # Errors
/// What the operating system says.
pub fn file_names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<io::Result<Vec<_>>>()?;
    names.sort_unstable();
    Ok(names)
}

/// A folder that this process alone writes until the value is dropped. Where the file system has no locks, nothing is locked.
///
/// A temporary file beside the others tells which process it is.
#[derive(Debug)]
pub struct FolderLock {
    lock: Option<File>,
    owner: Option<AtomicFile>,
}

/// How the name of the file begins that tells who has locked a folder.
const OWNER: &str = "jigo-owner";

impl FolderLock {
    /// Locks a folder that exists, and removes what killed writers left in it.
    ///
    /// # Errors
    /// [`FolderInUse`] when another process has locked it.
    pub fn new(folder: &Path) -> Result<Self, FolderInUse> {
        let lock = File::open(folder).ok();
        match lock.as_ref().map(File::try_lock) {
            Some(Ok(())) => {}
            Some(Err(TryLockError::WouldBlock)) => {
                return Err(FolderInUse { folder: folder.to_owned(), process: owner_of(folder) });
            }
            Some(Err(TryLockError::Error(_))) | None => return Ok(Self { lock: None, owner: None }),
        }
        // What cannot be removed or written here is told by the first file that matters.
        _ = AtomicFile::remove_stale(folder);
        let owner = AtomicFile::create_in(folder, OWNER).ok();
        Ok(Self { lock, owner })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        self.owner = None;
        // Closing the file is not enough: a program that another thread is starting has it open until it runs.
        if let Some(lock) = &self.lock {
            _ = lock.unlock();
        }
    }
}

/// Returns the process that has locked a folder, if it can be told. One that has just locked it may need a moment to say so.
fn owner_of(folder: &Path) -> Option<u32> {
    const TRIES: u32 = 50;
    let is_alive = |name: &str| File::open(folder.join(name)).is_ok_and(|file| file.try_lock().is_err());
    let owner = |name: &String| {
        let unique = name.strip_prefix(OWNER)?.strip_prefix('.')?;
        let process = unique.split_once('-')?.0.parse().ok()?;
        (AtomicFile::is_temporary(name) && is_alive(name)).then_some(process)
    };
    (0..TRIES).find_map(|number| {
        thread::sleep(Duration::from_millis(if number == 0 { 0 } else { 10 }));
        file_names(folder).ok()?.iter().find_map(owner)
    })
}

/// Another process writes to a folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} is in use: {} writes to it. Wait for its end, or choose another folder",
    folder.display(),
    process.map_or("another process".to_owned(), |process| format!("process {process}"))
)]
pub struct FolderInUse {
    /// The folder.
    pub folder: PathBuf,
    /// The number of the process, where it can be told.
    pub process: Option<u32>,
}

/// Flushes the entries of a folder to the disk, where that takes a call.
///
/// # Errors
/// What the operating system says.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Removes a file, if there is one.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// The most bytes of one file of positions, games or openings: many times what people keep in one.
pub const MAX_TEXT_BYTES: u64 = 64 << 20;

/// Reads all bytes of a reader that gives at most `most` of them.
///
/// # Errors
/// What the reader says; [`io::ErrorKind::FileTooLarge`] with the bound when there are more.
pub fn read_bounded(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    const MIB: u64 = 1 << 20;
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let most =
            if most.is_multiple_of(MIB) { format!("{} MiB", most / MIB) } else { format!("{most} bytes") };
        let reason = format!("larger than {most}, the most that such a file may have: name another file");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Reads all bytes of a regular file that has at most `most` of them.
///
/// # Errors
/// As [`open_regular`] and [`read_bounded`].
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(open_regular(path)?, most)
}

/// As [`read_file`] for a path that a user named: a pipe or device is read too, as in `<(…)` of a shell.
///
/// # Errors
/// What the operating system says, and as [`read_bounded`].
pub fn read_named(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_bounded(File::open(path)?, most)
}

/// Returns the length and BLAKE3, in hexadecimal digits, of a regular file's contents.
///
/// # Errors
/// As [`open_regular`].
pub fn file_digest(path: &Path) -> io::Result<(u64, String)> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(open_regular(path)?)?;
    Ok((hasher.count(), hasher.finalize().to_hex().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_is_free_again_while_other_threads_start_programs() {
        let dir = tempfile::tempdir().unwrap();
        let start = || (0..100).all(|_| std::process::Command::new("true").status().unwrap().success());
        let others = thread::spawn(start);
        while !others.is_finished() {
            FolderLock::new(dir.path()).unwrap();
        }
        assert!(others.join().unwrap());
    }

    #[test]
    fn files_appear_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"four").unwrap();
        assert!(!path.exists() && AtomicFile::is_temporary(&names(dir.path())[0]));
        assert_eq!(file.digest(), (4, blake3::hash(b"four").to_hex().to_string()));
        file.persist_new(&path).unwrap();
        drop(AtomicFile::create(&path).unwrap());
        AtomicFile::create(&path).unwrap().persist_new(&path).unwrap();
        assert_eq!(
            (names(dir.path()), fs::read(&path).unwrap()),
            (vec!["file".to_owned()], b"four".to_vec())
        );
        write_whole(&path, b"five").unwrap();
        assert_eq!(
            (names(dir.path()), fs::read(&path).unwrap()),
            (vec!["file".to_owned()], b"five".to_vec())
        );
        assert!(write_whole(dir.path(), b"").is_err());
    }

    #[test]
    fn only_what_killed_writers_left_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let alive = AtomicFile::create_in(dir.path(), "alive").unwrap();
        let alive = alive.path().file_name().unwrap().to_str().unwrap();
        for name in ["file.1-a-0.partial", "file.partial", "file.1-x-0.partial", "1-a-0.partial", "file"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        fs::create_dir(dir.path().join("folder.1-a-0.partial")).unwrap();
        AtomicFile::remove_stale(dir.path()).unwrap();
        AtomicFile::remove_stale(&dir.path().join("nothing")).unwrap();
        let kept =
            ["1-a-0.partial", alive, "file", "file.1-x-0.partial", "file.partial", "folder.1-a-0.partial"];
        assert_eq!(names(dir.path()), kept);
    }

    #[test]
    fn a_folder_has_one_writer() {
        let dir = tempfile::tempdir().unwrap();
        let stale = dir.path().join(format!("{OWNER}.1-a-0.partial"));
        fs::write(&stale, "").unwrap();
        let lock = FolderLock::new(dir.path()).unwrap();
        assert!(!stale.exists());
        let error = FolderLock::new(dir.path()).unwrap_err();
        assert_eq!(error, FolderInUse { folder: dir.path().to_owned(), process: Some(process::id()) });
        let said = error.to_string();
        assert!(said.contains(&format!("process {} writes", process::id())), "{said}");
        drop(lock);
        assert_eq!(names(dir.path()), [""; 0]);
        FolderLock::new(dir.path()).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let [mine, link] = ["mine", "link"].map(|name| dir.path().join(name));
        fs::write(&mine, "mine").unwrap();
        std::os::unix::fs::symlink(&mine, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.persist(&link).unwrap();
        assert_eq!((fs::read(&mine).unwrap(), fs::read(&link).unwrap()), (b"mine".to_vec(), b"new".to_vec()));
    }

    #[test]
    fn a_digest_is_that_of_the_contents() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "four").unwrap();
        assert_eq!(file_digest(&path).unwrap(), (4, blake3::hash(b"four").to_hex().to_string()));
        assert_eq!(file_digest(dir.path()).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn more_than_the_bound_is_an_error() {
        assert_eq!(read_bounded(&b"four"[..], 4).unwrap(), b"four");
        let error = read_bounded(io::repeat(0), 1000).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("1000 bytes"), "{error}");
    }
}
