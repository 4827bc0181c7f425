//! Files to measure: named one by one, in directories, or in archives, in any mixture.
//!
//! Everything is read as a stream, one file at a time, and never written anywhere: the name of an archive's member is only a name. What
//! cannot be read is an item too, so that nothing is passed over in silence.

mod archive;
mod error;
mod kind;
mod limit;
mod tar_names;
#[cfg(test)]
mod tests;
mod zip_directory;

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use jigo_selfplay::dataset::is_import;

pub use error::{SourceError, SourceErrorKind};
pub use limit::SourceLimits;

use kind::FileKind;

/// One game file, or the reason why there is none.
#[derive(Debug)]
pub struct SourceItem {
    /// Path on disk; for a member of an archive, followed by the name inside: `games.tar.xz/7p/145.sgf`. Control characters are escaped.
    pub name: String,
    /// The bytes of the file.
    pub content: Result<Vec<u8>, SourceError>,
}

/// What one of the paths on a command line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A directory that holds a `manifest.json` and no `games.sgf`, as that of a match does: a dataset of jigo's own.
    Dataset(PathBuf),
    /// A directory of imported games.
    Import(PathBuf),
    /// Anything else: game records, or a path that cannot be read, which [`read_sources`] reports.
    Records(PathBuf),
}

impl Input {
    /// Looks at what is on disk.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        if path.join("manifest.json").is_file() && !path.join("games.sgf").exists() {
            let path = path.to_owned();
            if is_import(&path) { Self::Import(path) } else { Self::Dataset(path) }
        } else {
            Self::Records(path.to_owned())
        }
    }
}

/// Reads all SGF files that the paths name, and passes them to `visit` one by one.
///
/// Accepted are `.sgf` files; directories, searched to the bottom in the order of names; and the archives `.tar`, `.tar.gz`, `.tgz`,
/// `.tar.xz`, `.txz` and `.zip`, on disk but not inside one another. Other files in directories and archives are passed over; returns how
/// many. So are folders of imported games in directories, which are not counted: an import may be written below what it reads. Symbolic
/// links to directories are reported, not followed, unless they are named themselves; so is a path that is named twice or lies in a
/// directory that is named too.
///
/// The order of the items depends on the paths and the files alone. A damaged archive gives the members before the damage, then the
/// error. `visit` may stop the reading.
///
/// Memory: one file, the names in one directory, and for a zip archive its list of members.
pub fn read_sources(
    paths: &[PathBuf],
    limits: SourceLimits,
    mut visit: impl FnMut(SourceItem) -> ControlFlow<()>,
) -> u64 {
    let mut reader = Reader { limits, other_files: 0, visit: &mut visit };
    let canonical: Vec<Option<PathBuf>> = paths.iter().map(|path| path.canonicalize().ok()).collect();
    for (index, path) in paths.iter().enumerate() {
        let flow = if is_covered(&canonical, index) {
            reader.fault(display(path), SourceErrorKind::NamedTwice)
        } else {
            reader.named(path)
        };
        if flow.is_break() {
            break;
        }
    }
    reader.other_files
}

/// Whether a path equals an earlier one or lies below another one.
fn is_covered(canonical: &[Option<PathBuf>], index: usize) -> bool {
    let Some(path) = &canonical[index] else { return false };
    let covers =
        |(other, known): (usize, &PathBuf)| path.starts_with(known) && (other < index || path != known);
    let known = canonical.iter().enumerate().filter_map(|(index, known)| Some((index, known.as_ref()?)));
    known.into_iter().any(covers)
}

type Flow = ControlFlow<()>;

/// The state of one walk over all paths.
struct Reader<'a> {
    limits: SourceLimits,
    other_files: u64,
    visit: &'a mut dyn FnMut(SourceItem) -> Flow,
}

impl Reader<'_> {
    /// A path that the user named.
    fn named(&mut self, path: &Path) -> Flow {
        match fs::metadata(path) {
            Err(error) => self.fault(display(path), error.into()),
            Ok(metadata) if metadata.is_dir() => self.directory(path, 0),
            Ok(metadata) if !metadata.is_file() => self.fault(display(path), SourceErrorKind::NotRegular),
            Ok(_) => match FileKind::of(&display(path)) {
                FileKind::Other => self.fault(display(path), SourceErrorKind::UnknownKind),
                kind => self.file(path, kind),
            },
        }
    }

    fn directory(&mut self, path: &Path, depth: usize) -> Flow {
        if depth > self.limits.depth {
            return self.fault(display(path), SourceErrorKind::TooDeep { limit: self.limits.depth });
        }
        let listing = fs::read_dir(path).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
        let mut entries = match listing {
            Ok(entries) => entries,
            Err(error) => return self.fault(display(path), error.into()),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            self.entry(&entry.path(), depth)?;
        }
        Flow::Continue(())
    }

    fn entry(&mut self, path: &Path, depth: usize) -> Flow {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.fault(display(path), error.into()),
        };
        if metadata.is_dir() && path.is_symlink() {
            return self.fault(display(path), SourceErrorKind::SymlinkedDirectory);
        }
        match FileKind::of(&display(path)) {
            _ if metadata.is_dir() && is_import(path) => Flow::Continue(()),
            _ if metadata.is_dir() => self.directory(path, depth + 1),
            kind if metadata.is_file() && kind != FileKind::Other => self.file(path, kind),
            _ => {
                self.other_files += 1;
                Flow::Continue(())
            }
        }
    }

    /// A regular file that ought to hold games.
    fn file(&mut self, path: &Path, kind: FileKind) -> Flow {
        let name = display(path);
        if kind == FileKind::ForeignArchive {
            return self.fault(name, SourceErrorKind::ForeignArchive);
        }
        match fs::File::open(path) {
            Err(error) => self.fault(name, error.into()),
            Ok(file) => match kind {
                FileKind::Tar(compression) => self.tar(name, file, compression),
                FileKind::Zip => self.zip(name, file),
                _ => {
                    let content = limit::read_member(file, self.limits.member_bytes);
                    self.item(name, content.map_err(SourceError::from))
                }
            },
        }
    }

    fn item(&mut self, name: String, content: Result<Vec<u8>, SourceError>) -> Flow {
        (self.visit)(SourceItem { name, content })
    }

    fn fault(&mut self, name: String, kind: SourceErrorKind) -> Flow {
        self.item(name, Err(kind.into()))
    }
}

/// A path in a form fit for messages.
pub(crate) fn display(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// A name with its control characters escaped, cut off where it is absurdly long.
fn printable(name: &str) -> String {
    const LONGEST: usize = 1000;
    name.chars().take(LONGEST).fold(String::new(), |mut shown, character| {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
        shown
    })
}
