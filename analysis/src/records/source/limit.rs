//! How much is read, so that a hostile archive exhausts neither memory nor patience.

use std::{
    cell::Cell,
    io::{self, Read},
};

use super::SourceErrorKind;

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
    /// Room for the largest collections there are, tens of millions of games: files of 16 MiB, archives of 256 GiB and 100 million
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

/// All bytes of a file, but no more than `limit`.
pub(super) fn read_member(reader: impl Read, limit: u64) -> Result<Vec<u8>, SourceErrorKind> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(SourceErrorKind::MemberTooLarge { limit });
    }
    Ok(bytes)
}

/// Counts the bytes that pass, and fails beyond a limit.
pub(super) struct Counted<'a, R> {
    inner: R,
    count: &'a Cell<u64>,
    limit: u64,
}

impl<'a, R> Counted<'a, R> {
    pub(super) const fn new(inner: R, count: &'a Cell<u64>, limit: u64) -> Self {
        Self { inner, count, limit }
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        if self.count.get() > self.limit {
            return Err(io::Error::other("too many bytes"));
        }
        Ok(read)
    }
}
