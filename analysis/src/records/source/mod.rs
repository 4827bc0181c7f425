//! Reads game files named one by one, in directories, or in archives, in any mixture.
//!
//! Everything is read as a stream, one file at a time, and never written anywhere: the name of an archive's member is only a name. What
//! cannot be read is an item too, so that nothing is left out silently. Limits keep a hostile archive from exhausting memory or time.

use std::{
    fmt, fs,
    io::{self, Read},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use jigo_selfplay::{dataset::is_import, files::read_bounded, terminal::printable};

mod archive;
#[cfg(test)]
mod tests;

/// One game file, or the reason why there is none.
#[derive(Debug)]
pub struct SourceItem {
    /// Path on disk; for a member of an archive, followed by the name inside: `games.tar.xz/7p/145.sgf`. What [terminals obey](jigo_selfplay::terminal) is escaped.
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
    pub fn new(path: &Path) -> Self {
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
            reader.fault(
                display(path),
                "named twice",
                "named twice, or inside a directory that is named too: counted once",
            )
        } else {
            reader.path(path, None)
        };
        if flow.is_break() {
            break;
        }
    }
    reader.other_files
}

/// Returns whether a path equals an earlier one or lies below another one.
fn is_covered(canonical: &[Option<PathBuf>], index: usize) -> bool {
    let Some(path) = &canonical[index] else { return false };
    canonical.iter().enumerate().any(|(other, known)| {
        known.as_ref().is_some_and(|known| path.starts_with(known) && (other < index || path != known))
    })
}

type Flow = ControlFlow<()>;

/// The state of one walk over all paths.
struct Reader<'a> {
    limits: SourceLimits,
    other_files: u64,
    visit: &'a mut dyn FnMut(SourceItem) -> Flow,
}

impl Reader<'_> {
    /// Reads a path that the user named, or with a depth one that was found in a directory so many levels below such a path. Only what is named
    /// must hold games.
    fn path(&mut self, path: &Path, depth: Option<usize>) -> Flow {
        let name = display(path);
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.item(name, Err(error.into())),
        };
        let kind = FileKind::new(&name);
        match depth {
            Some(_) if metadata.is_dir() && path.is_symlink() => {
                let text = "a symbolic link to a directory is not followed: name the directory itself";
                self.fault(name, "link to a directory", text)
            }
            Some(_) if metadata.is_dir() && is_import(path) => Flow::Continue(()),
            _ if metadata.is_dir() => self.directory(path, depth.map_or(0, |depth| depth + 1)),
            _ if metadata.is_file() && kind != FileKind::Other => self.file(path, kind),
            Some(_) => {
                self.other_files += 1;
                Flow::Continue(())
            }
            None if metadata.is_file() => {
                let text =
                    "not a known kind of file: .sgf, .tar, .tar.gz, .tgz, .tar.xz, .txz or .zip is expected";
                self.fault(name, "unknown kind of file", text)
            }
            None => self.fault(name, "not a regular file", "not a regular file or directory"),
        }
    }

    fn directory(&mut self, path: &Path, depth: usize) -> Flow {
        if depth > self.limits.depth {
            let limit = self.limits.depth;
            let text =
                format!("more than {limit} directories deep: not searched; name this directory itself");
            return self.fault(display(path), "too deep", text);
        }
        let listing = fs::read_dir(path).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
        let mut entries = match listing {
            Ok(entries) => entries,
            Err(error) => return self.item(display(path), Err(error.into())),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            self.path(&entry.path(), Some(depth))?;
        }
        Flow::Continue(())
    }

    /// Reads a regular file that ought to hold games.
    fn file(&mut self, path: &Path, kind: FileKind) -> Flow {
        let name = display(path);
        if kind == FileKind::ForeignArchive {
            let text = "this kind of archive is not supported: pack it as tar, tar.gz, tar.xz or zip";
            return self.fault(name, "unsupported archive", text);
        }
        match (fs::File::open(path), kind) {
            (Err(error), _) => self.item(name, Err(error.into())),
            (Ok(file), FileKind::Sgf) => {
                let content = read_member(file, self.limits.member_bytes, SourceError::from);
                self.item(name, content)
            }
            (Ok(file), FileKind::Zip) => self.zip(name, file),
            (Ok(file), _) => self.tar(name, file, kind),
        }
    }

    fn item(&mut self, name: String, content: Result<Vec<u8>, SourceError>) -> Flow {
        (self.visit)(SourceItem { name, content })
    }

    fn fault(&mut self, name: String, reason: &'static str, text: impl Into<String>) -> Flow {
        self.item(name, Err(SourceError::new(reason, text)))
    }
}

/// Returns a path in a form fit for messages.
pub(crate) fn display(path: &Path) -> String {
    short(&path.to_string_lossy())
}

/// Returns a name in a form fit for messages, cut where it is longer than any real name.
fn short(name: &str) -> String {
    const LONGEST: usize = 1000;
    let end = name.char_indices().nth(LONGEST).map_or(name.len(), |(end, _)| end);
    printable(&name[..end]).into_owned()
}

/// Why a file, or the rest of an archive, was not read.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct SourceError {
    /// How far the file was read; for a damaged archive, in bytes of the decompressed stream. 0 where nothing was read.
    pub byte: u64,
    /// A short name of the reason, for tables.
    pub reason: &'static str,
    /// What is wrong, and often what to do.
    pub text: String,
}

impl SourceError {
    fn new(reason: &'static str, text: impl Into<String>) -> Self {
        Self { byte: 0, reason, text: text.into() }
    }

    /// An archive, or a member of it, that is not in its format.
    fn damaged(error: impl fmt::Display) -> Self {
        let text = short(&error.to_string());
        Self::new("damaged archive", format!("damaged: {text}; fetch or pack the archive again"))
    }

    fn member_too_large(limit: u64) -> Self {
        let text =
            format!("larger than {limit} bytes: too large for a game file; raise the limit if it is one");
        Self::new("file too large", text)
    }

    /// An archive with more bytes or members than a limit.
    fn archive_too_large(reason: &'static str, limit: u64, what: &str) -> Self {
        let rest = "the rest is not read; split it or raise the limit";
        Self::new(reason, format!("more than {limit} {what} in the archive: {rest}"))
    }
}

impl From<io::Error> for SourceError {
    fn from(error: io::Error) -> Self {
        Self::new("cannot be read", format!("cannot be read: {error}"))
    }
}

/// The kinds of files told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Sgf,
    Tar,
    TarGzip,
    TarXz,
    Zip,
    /// An archive that cannot be read.
    ForeignArchive,
    Other,
}

impl FileKind {
    /// Returns the kind that a name ends with.
    pub(super) fn new(name: &str) -> Self {
        const KINDS: [(&[&str], FileKind); 6] = [
            (&[".sgf"], FileKind::Sgf),
            (&[".tar"], FileKind::Tar),
            (&[".tar.gz", ".tgz"], FileKind::TarGzip),
            (&[".tar.xz", ".txz"], FileKind::TarXz),
            (&[".zip"], FileKind::Zip),
            (&[".7z", ".rar", ".gz", ".xz", ".bz2", ".zst", ".tbz2", ".lzma"], FileKind::ForeignArchive),
        ];
        let name = name.to_ascii_lowercase();
        let found = KINDS.iter().find(|(endings, _)| endings.iter().any(|ending| name.ends_with(ending)));
        found.map_or(Self::Other, |(_, kind)| *kind)
    }
}

/// The most that is accepted of each thing. What is above is reported and not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLimits {
    /// Bytes of one file.
    pub member_bytes: u64,
    /// Bytes of one archive when decompressed.
    pub archive_bytes: u64,
    /// Members of one archive.
    pub members: u64,
    /// Bytes of the directory of a zip archive, which takes up to ten times as much memory.
    pub directory_bytes: u64,
    /// Levels of directories below a named one.
    pub depth: usize,
}

impl Default for SourceLimits {
    /// Leaves room for the largest collections there are, tens of millions of games: files of 16 MiB, archives of 256 GiB and 100 million
    /// members, of which a zip archive may list 128 MiB, more than a million.
    fn default() -> Self {
        Self {
            member_bytes: 16 << 20,
            archive_bytes: 256 << 30,
            members: 100_000_000,
            directory_bytes: 128 << 20,
            depth: 64,
        }
    }
}

/// Returns all bytes of a file, but no more than `limit`; errors of reading are turned into others by `fail`.
fn read_member(
    reader: impl Read,
    limit: u64,
    fail: impl FnOnce(io::Error) -> SourceError,
) -> Result<Vec<u8>, SourceError> {
    read_bounded(reader, limit).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => SourceError::member_too_large(limit),
        _ => fail(error),
    })
}
