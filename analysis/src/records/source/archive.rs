//! Reads the members of tar and zip archives, one after another, within limits.

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    rc::Rc,
};

use flate2::bufread::MultiGzDecoder;
use liblzma::{
    bufread::XzDecoder,
    stream::{CONCATENATED, Stream},
};
use tar::{Entry, EntryType};
use zip::{ZipArchive, result::ZipError};

use super::{FileKind, Flow, Reader, SourceError, read_member, short};

/// The most memory that a decompressor may ask for. `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 256 << 20;

impl Reader<'_> {
    /// Reads a tar archive, compressed or not.
    pub(super) fn tar(&mut self, name: String, file: File, kind: FileKind) -> Flow {
        let file = BufReader::with_capacity(1 << 16, file);
        let limit = self.limits.archive_bytes;
        let bytes = limit.saturating_add(1);
        let left = Rc::new(Cell::new(bytes));
        let reader: Result<Box<dyn Read>, _> = match kind {
            FileKind::TarGzip => Ok(Box::new(MultiGzDecoder::new(file))),
            FileKind::TarXz => match Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED) {
                Ok(stream) => Ok(Box::new(XzDecoder::new_stream(file, stream))),
                Err(error) => Err(SourceError::damaged(error)),
            },
            _ => Ok(Box::new(file)),
        };
        match reader.and_then(|reader| self.tar_members(&name, Limited::new(reader, &left))) {
            Ok(flow) => flow,
            Err(error) => {
                let error = if left.get() == 0 { too_many_bytes(limit) } else { error };
                self.item(name, Err(SourceError { byte: bytes - left.get(), ..error }))
            }
        }
    }

    fn tar_members(&mut self, archive: &str, reader: impl Read) -> Result<Flow, SourceError> {
        let mut tar = tar::Archive::new(reader);
        let mut names = LongNames::default();
        let limit = self.limits.member_bytes;
        let mut count = 0;
        // Raw: the library would read names of any length into memory.
        for entry in tar.entries().map_err(SourceError::damaged)?.raw(true) {
            let mut entry = entry.map_err(SourceError::damaged)?;
            count += 1;
            if count > self.limits.members {
                return Err(too_many_members(self.limits.members));
            }
            if names.take_in(&mut entry).map_err(SourceError::damaged)? {
                continue;
            }
            let name = names.name_of(&entry);
            let entry_type = entry.header().entry_type();
            if !(entry_type.is_file() || entry_type.is_contiguous()) {
                self.other_files += u64::from(!entry_type.is_dir());
                continue;
            }
            let Some((full_name, kind)) = self.wanted(archive, &name) else { continue };
            let size = entry.header().entry_size().map_err(SourceError::damaged)?;
            let content = if kind != FileKind::Sgf {
                Err(nested_archive())
            } else if size > limit {
                Err(SourceError::member_too_large(limit))
            } else {
                let mut bytes = Vec::new();
                entry.read_to_end(&mut bytes).map_err(SourceError::damaged)?;
                if bytes.len() as u64 != size {
                    return Err(SourceError::damaged(format!("the archive ends inside `{name}`")));
                }
                Ok(bytes)
            };
            if self.item(full_name, content).is_break() {
                return Ok(Flow::Break(()));
            }
        }
        check_end(tar.into_inner())?;
        Ok(Flow::Continue(()))
    }

    /// Reads a zip archive.
    pub(super) fn zip(&mut self, name: String, file: File) -> Flow {
        let mut zip = match open_zip(file, self.limits.directory_bytes) {
            Ok(zip) => zip,
            Err(error) => return self.item(name, Err(error)),
        };
        if let Err(error) = check_overlaps(&mut zip) {
            return self.item(name, Err(error));
        }
        let limit = self.limits.member_bytes;
        let mut left = self.limits.archive_bytes;
        for index in 0..zip.len() {
            if index as u64 >= self.limits.members {
                return self.item(name, Err(too_many_members(self.limits.members)));
            }
            let member = zip_member(&zip, index);
            if member.ends_with('/') {
                continue;
            }
            let Some((full_name, kind)) = self.wanted(&name, &member) else { continue };
            if kind != FileKind::Sgf {
                self.item(full_name, Err(nested_archive()))?;
                continue;
            }
            let unread = Rc::new(Cell::new(u64::MAX));
            let content = match zip.by_index(index) {
                Err(error) => Err(zip_error(error)),
                Ok(member) if member.size() > limit => Err(SourceError::member_too_large(limit)),
                Ok(member) if member.size() > left => {
                    return self.item(name, Err(too_many_bytes(self.limits.archive_bytes)));
                }
                Ok(member) => read_member(Limited::new(member, &unread), limit, SourceError::damaged),
            };
            self.item(full_name, content)?;
            match left.checked_sub(u64::MAX - unread.get()) {
                Some(rest) => left = rest,
                None => return self.item(name, Err(too_many_bytes(self.limits.archive_bytes))),
            }
        }
        Flow::Continue(())
    }

    /// Returns the full name and the kind of a member that is a game file or an archive; counts others.
    fn wanted(&mut self, archive: &str, name: &str) -> Option<(String, FileKind)> {
        let kind = FileKind::new(name);
        if kind == FileKind::Other {
            self.other_files += 1;
            return None;
        }
        Some((format!("{archive}/{}", short(name.trim_start_matches("./"))), kind))
    }
}

/// Reads what follows the end of a tar archive, so that checksums are checked: it must be zeros.
fn check_end(reader: impl Read) -> Result<(), SourceError> {
    match BufReader::with_capacity(1 << 16, reader).bytes().find(|byte| !matches!(byte, Ok(0))) {
        None => Ok(()),
        Some(Ok(_)) => {
            let text =
                "something follows the end of the archive and is not read: pack it again as one archive";
            Err(SourceError::new("data behind the archive", text))
        }
        Some(Err(error)) => Err(SourceError::damaged(error)),
    }
}

fn nested_archive() -> SourceError {
    let text = "an archive inside an archive is not opened: unpack it and name it itself";
    SourceError::new("archive in archive", text)
}

fn too_many_members(limit: u64) -> SourceError {
    SourceError::archive_too_large("too many members", limit, "members")
}

fn too_many_bytes(limit: u64) -> SourceError {
    SourceError::archive_too_large("archive too large", limit, "bytes")
}

fn zip_error(error: ZipError) -> SourceError {
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => error.into(),
        other => SourceError::damaged(other),
    }
}

/// The long name found for the next entry.
#[derive(Debug, Default)]
pub(super) struct LongNames(Option<String>);

impl LongNames {
    /// The most bytes that are read of an entry that says something about the next one.
    const MAX: u64 = 1 << 16;

    /// Reads an entry that says something about the next one; returns whether it was such an entry.
    pub(super) fn take_in(&mut self, entry: &mut Entry<'_, impl Read>) -> io::Result<bool> {
        let kind = entry.header().entry_type();
        let is_about_next =
            kind.is_gnu_longname() || kind.is_gnu_longlink() || kind.is_pax_local_extensions();
        if kind == EntryType::XGlobalHeader || !is_about_next {
            return Ok(kind == EntryType::XGlobalHeader);
        }
        let mut bytes = Vec::new();
        entry.take(Self::MAX).read_to_end(&mut bytes)?;
        if kind.is_gnu_longname() {
            let name = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
            self.0 = Some(String::from_utf8_lossy(name).into_owned());
        } else if kind.is_pax_local_extensions() {
            self.0 = pax_path(&bytes).or(self.0.take());
        }
        Ok(true)
    }

    /// Returns the name of an ordinary entry.
    pub(super) fn name_of(&mut self, entry: &Entry<'_, impl Read>) -> String {
        let short = || String::from_utf8_lossy(&entry.header().path_bytes()).into_owned();
        self.0.take().unwrap_or_else(short)
    }
}

/// Returns the value of `path` among records of the form `length key=value\n`, where the length counts the whole record. The reader of the library
/// stops at a value with a line feed, after which a game would lose its long name and be taken for another kind of file.
fn pax_path(mut records: &[u8]) -> Option<String> {
    let mut path = None;
    while let Some(blank) = records.iter().position(|&byte| byte == b' ') {
        let length: usize = std::str::from_utf8(&records[..blank]).ok()?.parse().ok()?;
        let record = records.get(blank + 1..length)?;
        if let Some(value) = record.strip_prefix(b"path=") {
            path = Some(String::from_utf8_lossy(value.trim_ascii_end()).into_owned());
        }
        records = &records[length..];
    }
    path
}

/// Opens an archive unless its directory has more than `limit` bytes.
fn open_zip(file: File, limit: u64) -> Result<ZipArchive<Limited<BufReader<File>>>, SourceError> {
    /// The most bytes in which the end of an archive may be marked: a mark, with the longest comment after it and one more mark before it.
    const TAIL: u64 = 22 + 65_535 + 20;
    let left = Rc::new(Cell::new(limit.saturating_add(2 * TAIL)));
    let reader = Limited::new(BufReader::with_capacity(1 << 16, file), &left);
    match ZipArchive::new(reader) {
        Err(_) if left.get() == 0 => {
            let what = "bytes in the list of members";
            let text =
                format!("more than {limit} {what}: the archive is not read; split it, or pack it as tar.gz");
            Err(SourceError::new("list of members too large", text))
        }
        Err(error) => Err(zip_error(error)),
        Ok(archive) => {
            left.set(u64::MAX);
            Ok(archive)
        }
    }
}

/// Returns the name of a member.
fn zip_member(zip: &ZipArchive<impl Read + Seek>, index: usize) -> String {
    let known = zip.name_for_index(index).and_then(Result::ok).map(|name| name.into_owned());
    known.unwrap_or_else(|| format!("member {index}"))
}

/// Refuses an archive in which a byte belongs to two members, each of which extends from its local header to the end of its data. Such a
/// byte would be unpacked for each of them, so that a small archive could take hours.
///
/// A member without a readable header is passed over; it is reported when its turn comes.
///
/// # Source
/// David Fifield, *A better zip bomb*, WOOT 2019.
fn check_overlaps(zip: &mut ZipArchive<impl Read + Seek>) -> Result<(), SourceError> {
    let start = |index| zip.by_index_data(index).map(|member| (member.header_start(), index));
    let mut starts: Vec<_> = (0..zip.len()).filter_map(|index| start(index).ok()).collect();
    starts.sort_unstable();
    let mut before = None;
    for (start, index) in starts {
        let Ok(member) = zip.by_index_raw(index) else { continue };
        let Some(data) = member.data_start() else { continue };
        let end = data.saturating_add(member.compressed_size());
        drop(member);
        if let Some((_, other)) = before.filter(|&(end, _)| start < end) {
            let [other, name] = [other, index].map(|index| short(&zip_member(zip, index)));
            let text =
                format!("the members `{other}` and `{name}` overlap: the archive is not read; pack it again");
            return Err(SourceError::new("overlapping members", text));
        }
        before = Some((end, index));
    }
    Ok(())
}

/// Counts down the bytes that may be read, and fails at 0.
struct Limited<R> {
    inner: R,
    left: Rc<Cell<u64>>,
}

impl<R> Limited<R> {
    fn new(inner: R, left: &Rc<Cell<u64>>) -> Self {
        Self { inner, left: left.clone() }
    }
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
