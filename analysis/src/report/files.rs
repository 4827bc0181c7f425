//! Writing files so that a reader never sees half of one.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    process,
    time::{SystemTime, UNIX_EPOCH},
};

/// Writes all files under temporary names in the same folder, and when all are on the disk renames one after the other in the order given, replacing
/// files of their names. So whatever happens while they are written, the folder keeps the files it had; between two renames is the only moment
/// at which it holds files of both, and then the last file is still the old one.
///
/// # Errors
/// The first one of the file system, naming the file. What was not renamed is removed then. What a killed process left is removed by the next
/// one.
pub(super) fn write_all(dir: &Path, files: &[(&'static str, Vec<u8>)]) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir).map_err(|error| naming(error, dir))?;
    remove_stale(dir).map_err(|error| naming(error, dir))?;
    let written: Vec<Temporary> =
        files.iter().map(|(name, bytes)| Temporary::write(dir, name, bytes)).collect::<io::Result<_>>()?;
    let paths = written.iter().map(Temporary::rename).collect::<io::Result<_>>()?;
    sync(dir).map_err(|error| naming(error, dir))?;
    Ok(paths)
}

/// A file beside its place; dropped before it is renamed, it is removed.
struct Temporary {
    path: PathBuf,
    target: PathBuf,
    /// Locked as long as its writer lives.
    _lock: Option<fs::File>,
}

impl Temporary {
    /// Writes a file that is on the disk when this returns.
    fn write(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<Self> {
        loop {
            let path = dir.join(unique_name(name));
            let mut temporary = Self { path, target: dir.join(name), _lock: None };
            let lock = temporary.fill(bytes).map_err(|error| naming(error, &temporary.target))?;
            // Between its making and its lock a file may have been taken for a dead writer's.
            if temporary.path.exists() {
                temporary._lock = Some(lock);
                return Ok(temporary);
            }
        }
    }

    fn fill(&self, bytes: &[u8]) -> io::Result<fs::File> {
        let mut file = fs::File::create_new(&self.path)?;
        // Where the file system knows no locks, nobody takes the file for a dead writer's either.
        _ = file.lock();
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(file)
    }

    fn rename(&self) -> io::Result<PathBuf> {
        fs::rename(&self.path, &self.target).map_err(|error| naming(error, &self.target))?;
        Ok(self.target.clone())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Renamed, it is no longer there.
        _ = fs::remove_file(&self.path);
    }
}

/// Removes the temporary files of writers that are dead, whose locks are free.
fn remove_stale(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let is_temporary = entry.file_name().to_str().is_some_and(is_temporary);
        if is_temporary && entry.metadata().is_ok_and(|metadata| metadata.is_file()) {
            let Ok(file) = fs::File::open(entry.path()) else { continue };
            // Held until the name is gone, so that a writer who waits for the lock sees that.
            if file.try_lock().is_ok() {
                _ = fs::remove_file(entry.path());
            }
        }
    }
    Ok(())
}

/// Whether a file has a name of [`unique_name`]'s form.
fn is_temporary(name: &str) -> bool {
    let parts: Option<Vec<&str>> = name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(".tmp"))
        .map(|name| name.split('.').collect());
    let is_unique = |part: &str| {
        part.split_once('-').is_some_and(|(process, time)| {
            process.bytes().all(|byte| byte.is_ascii_digit())
                && time.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    parts.is_some_and(
        |parts| matches!(&parts[..], [_, "html" | "json" | "csv" | "txt", unique] if is_unique(unique)),
    )
}

/// Makes the names in a folder last, where that takes a call.
fn sync(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(dir)?.sync_all() } else { Ok(()) }
}

/// A name that no other writer takes, on other machines that share the folder either.
fn unique_name(name: &str) -> String {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!(".{name}.{}-{:x}.tmp", process::id(), time.as_nanos())
}

fn naming(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
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
    fn what_a_dead_writer_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let left = unique_name("report.html");
        for name in [left.as_str(), ".report.html.tmp", ".notes.txt.1-x.tmp", "mine.tmp"] {
            fs::write(dir.join(name), "x").unwrap();
        }
        fs::write(dir.join(unique_name("summary.json")), "").unwrap();
        let alive = Temporary::write(dir, "table.csv", b"x").unwrap();
        let paths =
            write_all(dir, &[("report.html", b"new".to_vec()), ("summary.json", b"{}".to_vec())]).unwrap();
        assert_eq!(paths, ["report.html", "summary.json"].map(|name| dir.join(name)));
        let alive = alive.path.file_name().unwrap().to_str().unwrap().to_owned();
        let expected =
            [".notes.txt.1-x.tmp", ".report.html.tmp", &alive, "mine.tmp", "report.html", "summary.json"];
        assert_eq!(names(dir), expected);
    }

    #[test]
    fn when_one_file_cannot_be_written_none_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("report.html"), "old").unwrap();
        let files = [("report.html", b"new".to_vec()), ("no/such/folder.csv", Vec::new())];
        let error = write_all(folder.path(), &files).unwrap_err();
        assert!(error.to_string().contains("folder.csv"), "{error}");
        assert_eq!(names(folder.path()), ["report.html"]);
        assert_eq!(fs::read(folder.path().join("report.html")).unwrap(), b"old");
    }
}
