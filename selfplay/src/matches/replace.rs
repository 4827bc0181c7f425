//! Files that are whole or as they were.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use super::MatchError;

/// Writes a file aside, flushes it to the disk and moves it into its place. On failure what is there stays.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&File) -> Result<(), MatchError>,
) -> Result<(), MatchError> {
    let partial = partial(path);
    let fail = |error| MatchError::io("write", path, error);
    let file = File::create(&partial).map_err(fail)?;
    let written =
        write(&file).and_then(|()| file.sync_all().and_then(|()| fs::rename(&partial, path)).map_err(fail));
    if written.is_err() {
        // The first error says more than a second one would.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// The name of a file until it is whole.
pub(super) fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}
