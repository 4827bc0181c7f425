//! The directory of a zip archive, which is read into memory as a whole: how large it may be.

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    rc::Rc,
};

use zip::{
    ZipArchive,
    read::{ArchiveOffset, Config},
};

use super::{SourceErrorKind, archive::zip_error};

/// The most bytes at the end of an archive in which its end may be marked: a mark, with the longest comment behind it and one more mark before
/// it.
const TAIL: u64 = 22 + 65_535 + 20;
/// Marks the place of the directory's description in archives of more than 65,535 members or 4 GiB.
const LOCATOR: &[u8] = b"PK\x06\x07";
/// Begins that description.
const DESCRIPTION: &[u8] = b"PK\x06\x06";
/// The least bytes of a member in the directory.
const MEMBER_BYTES: u64 = 46;

/// Opens an archive unless its directory has more than `limit` bytes.
///
/// # Errors
/// [`DirectoryTooLarge`](SourceErrorKind::DirectoryTooLarge), or what is wrong with the archive.
pub(super) fn open(
    mut file: File,
    limit: u64,
) -> Result<ZipArchive<Limited<BufReader<File>>>, SourceErrorKind> {
    let too_large = || SourceErrorKind::DirectoryTooLarge { limit };
    let claimed = claimed_members(&mut file)?;
    if claimed.is_some_and(|members| members.saturating_mul(MEMBER_BYTES) > limit) {
        return Err(too_large());
    }
    // Where the directory is described must be where it was looked for here.
    let archive_offset = if claimed.is_some() { ArchiveOffset::Known(0) } else { ArchiveOffset::Detect };
    let left = Rc::new(Cell::new(limit.saturating_add(2 * TAIL)));
    let reader = Limited { inner: BufReader::with_capacity(1 << 16, file), left: left.clone() };
    match ZipArchive::with_config(Config { archive_offset }, reader) {
        Err(_) if left.get() == 0 => Err(too_large()),
        Err(error) => Err(zip_error(error)),
        Ok(archive) => {
            left.set(u64::MAX);
            Ok(archive)
        }
    }
}

/// The most members that the end of a large archive claims; `None` for one that cannot claim more than 65,535.
fn claimed_members(file: &mut File) -> io::Result<Option<u64>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let mut most = None;
    for place in tail.windows(20).filter(|window| window.starts_with(LOCATOR)) {
        file.seek(SeekFrom::Start(number(&place[8..16])))?;
        let mut description = Vec::new();
        file.take(56).read_to_end(&mut description)?;
        if description.len() == 56 && description.starts_with(DESCRIPTION) {
            most = most.max(Some(number(&description[32..40])));
        } else {
            most = most.max(Some(0));
        }
    }
    Ok(most)
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rfold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Fails when more is read than is left.
pub(super) struct Limited<R> {
    inner: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left.set(self.left.get().saturating_sub(read as u64));
        if self.left.get() == 0 && read > 0 { Err(io::Error::other("too many bytes")) } else { Ok(read) }
    }
}

impl<R: Seek> Seek for Limited<R> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.inner.seek(place)
    }
}
