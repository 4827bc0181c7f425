//! Writing files so that a reader never sees half of one.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Writes each file under a temporary name in the same folder and renames it, replacing a file of that name.
///
/// # Errors
/// The first one of the file system, naming the file. The files before it have been written then.
pub(super) fn write_all(dir: &Path, files: &[(&'static str, Vec<u8>)]) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir).map_err(|error| naming(error, dir))?;
    files.iter().map(|(name, bytes)| write(dir, name, bytes)).collect()
}

fn write(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let path = dir.join(name);
    let temporary = dir.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, &path)).map_err(|error| {
        // Best effort: what matters is the error that came first.
        let _ = fs::remove_file(&temporary);
        naming(error, &path)
    })?;
    Ok(path)
}

fn naming(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
