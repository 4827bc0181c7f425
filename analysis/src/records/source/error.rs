//! Why a file could not be read.

use std::io;

/// Why a file, or the rest of an archive, was not read.
#[derive(Debug, thiserror::Error)]
#[error("{kind}")]
pub struct SourceError {
    /// How far the file was read; for a damaged archive, in bytes of the decompressed stream. 0 where nothing was read.
    pub byte: u64,
    /// The reason.
    pub kind: SourceErrorKind,
}

/// The reasons for which a file is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceErrorKind {
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// An archive, or a member of it, is not in its format.
    #[error("damaged: {0}; fetch or pack the archive again")]
    Damaged(String),
    /// More bytes in one file than the limit.
    #[error("larger than {limit} bytes: too large for a game file; raise the limit if it is one")]
    MemberTooLarge {
        /// The most bytes of one file.
        limit: u64,
    },
    /// More bytes in one archive than the limit.
    #[error("more than {limit} bytes in the archive: the rest is not read; split it or raise the limit")]
    ArchiveTooLarge {
        /// The most bytes of one archive.
        limit: u64,
    },
    /// More members in one archive than the limit.
    #[error("more than {limit} members in the archive: the rest is not read; split it or raise the limit")]
    TooManyMembers {
        /// The most members of one archive.
        limit: u64,
    },
    /// A zip archive with a larger list of members than the limit.
    #[error(
        "more than {limit} bytes in the list of members: the archive is not read; split it, or pack it as tar.gz"
    )]
    DirectoryTooLarge {
        /// The most bytes of the list.
        limit: u64,
    },
    /// Directories nested deeper than the limit.
    #[error("more than {limit} directories deep: not searched; name this directory itself")]
    TooDeep {
        /// The most levels.
        limit: usize,
    },
    /// An archive inside an archive.
    #[error("an archive inside an archive is not opened: unpack it and name it itself")]
    NestedArchive,
    /// An archive of a kind that cannot be read.
    #[error("this kind of archive is not supported: pack it as tar, tar.gz, tar.xz or zip")]
    ForeignArchive,
    /// A named file whose name says nothing.
    #[error("not a known kind of file: .sgf, .tar, .tar.gz, .tgz, .tar.xz, .txz or .zip is expected")]
    UnknownKind,
    /// A device, a pipe or the like.
    #[error("not a regular file or directory")]
    NotRegular,
    /// A symbolic link to a directory, found inside a directory.
    #[error("a symbolic link to a directory is not followed: name the directory itself")]
    SymlinkedDirectory,
    /// A path that another one covers.
    #[error("named twice, or inside a directory that is named too: counted once")]
    NamedTwice,
    /// Something behind the end of a tar archive.
    #[error("something follows the end of the archive and is not read: pack it again as one archive")]
    TrailingData,
}

impl SourceErrorKind {
    /// A short name for tables.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Io(_) => "cannot be read",
            Self::Damaged(_) => "damaged archive",
            Self::MemberTooLarge { .. } => "file too large",
            Self::ArchiveTooLarge { .. } => "archive too large",
            Self::TooManyMembers { .. } => "too many members",
            Self::DirectoryTooLarge { .. } => "list of members too large",
            Self::TooDeep { .. } => "too deep",
            Self::NestedArchive => "archive in archive",
            Self::ForeignArchive => "unsupported archive",
            Self::UnknownKind => "unknown kind of file",
            Self::NotRegular => "not a regular file",
            Self::SymlinkedDirectory => "link to a directory",
            Self::NamedTwice => "named twice",
            Self::TrailingData => "data behind the archive",
        }
    }
}

impl From<SourceErrorKind> for SourceError {
    fn from(kind: SourceErrorKind) -> Self {
        Self { byte: 0, kind }
    }
}
