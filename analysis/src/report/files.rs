//! Writing the files of a report together.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use jigo_selfplay::files::AtomicFile;

/// Writes all files aside, and when all are on the disk moves one after the other into place in the order given.
///
/// Whatever happens before the first move, the folder keeps the files it had; in between it holds files of both, and the last file is still
/// the old one.
///
/// # Errors
/// The first one of the file system, naming the file. Nothing is left of what was not moved.
pub(super) fn write_all(dir: &Path, files: &[(&'static str, Vec<u8>)]) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir).map_err(|error| naming(error, dir))?;
    AtomicFile::remove_stale(dir).map_err(|error| naming(error, dir))?;
    let write = |(name, bytes): &(&str, Vec<u8>)| {
        let path = dir.join(name);
        let written = AtomicFile::create(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync()?;
            Ok(file)
        });
        Ok((written.map_err(|error| naming(error, &path))?, path))
    };
    let written = files.iter().map(write).collect::<io::Result<Vec<_>>>()?;
    let persist = |(file, path): (AtomicFile, PathBuf)| {
        file.persist(&path).map_err(|error| naming(error, &path))?;
        Ok(path)
    };
    written.into_iter().map(persist).collect()
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
    fn what_a_killed_writer_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        for name in ["report.html.1-a-0.partial", "notes.partial"] {
            fs::write(dir.join(name), "x").unwrap();
        }
        let files = [("report.html", b"new".to_vec()), ("summary.json", b"{}".to_vec())];
        let paths = write_all(dir, &files).unwrap();
        assert_eq!(paths, ["report.html", "summary.json"].map(|name| dir.join(name)));
        assert_eq!(names(dir), ["notes.partial", "report.html", "summary.json"]);
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
