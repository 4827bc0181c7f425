//! Writing files so that a reader never sees half of one.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    process,
    time::{SystemTime, UNIX_EPOCH},
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
    let temporary = dir.join(unique_name(name));
    let written = fs::File::create_new(&temporary).and_then(|mut file| {
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

/// A name that no other writer takes, on other machines that share the folder either.
fn unique_name(name: &str) -> String {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!(".{name}.{}-{:x}.tmp", process::id(), time.as_nanos())
}

fn naming(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
