//! What a file is, by its name.

/// The kinds of files told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Sgf,
    Tar(Compression),
    Zip,
    /// An archive that cannot be read.
    ForeignArchive,
    Other,
}

/// What a tar archive is wrapped in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Xz,
}

impl FileKind {
    pub(super) fn of(name: &str) -> Self {
        const FOREIGN: [&str; 8] = [".7z", ".rar", ".gz", ".xz", ".bz2", ".zst", ".tbz2", ".lzma"];
        let name = name.to_ascii_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if ends(&[".sgf"]) {
            Self::Sgf
        } else if ends(&[".tar"]) {
            Self::Tar(Compression::None)
        } else if ends(&[".tar.gz", ".tgz"]) {
            Self::Tar(Compression::Gzip)
        } else if ends(&[".tar.xz", ".txz"]) {
            Self::Tar(Compression::Xz)
        } else if ends(&[".zip"]) {
            Self::Zip
        } else if ends(&FOREIGN) {
            Self::ForeignArchive
        } else {
            Self::Other
        }
    }
}
