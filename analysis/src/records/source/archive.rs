//! Archives: members one after the other.

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufReader, Read},
};

use flate2::bufread::MultiGzDecoder;
use liblzma::{
    bufread::XzDecoder,
    stream::{CONCATENATED, Stream},
};
use zip::{ZipArchive, result::ZipError};

use super::{
    Flow, Reader, SourceError, SourceErrorKind,
    kind::{Compression, FileKind},
    limit::{Counted, read_member},
    printable,
    tar_names::LongNames,
    zip_directory,
};

/// The most memory that a decompressor may ask for. `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 256 << 20;

impl Reader<'_> {
    /// A tar archive, compressed or not.
    pub(super) fn tar(&mut self, name: String, file: File, compression: Compression) -> Flow {
        let file = BufReader::with_capacity(1 << 16, file);
        let count = Cell::new(0);
        let limit = self.limits.archive_bytes;
        let result = match compression {
            Compression::None => self.tar_members(&name, Counted::new(file, &count, limit)),
            Compression::Gzip => {
                self.tar_members(&name, Counted::new(MultiGzDecoder::new(file), &count, limit))
            }
            Compression::Xz => match Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED) {
                Ok(stream) => {
                    let decoder = XzDecoder::new_stream(file, stream);
                    self.tar_members(&name, Counted::new(decoder, &count, limit))
                }
                Err(error) => Err(SourceErrorKind::Damaged(error.to_string())),
            },
        };
        match result {
            Ok(flow) => flow,
            Err(_) if count.get() > limit => {
                let kind = SourceErrorKind::ArchiveTooLarge { limit };
                self.item(name, Err(SourceError { byte: count.get(), kind }))
            }
            Err(kind) => self.item(name, Err(SourceError { byte: count.get(), kind })),
        }
    }

    fn tar_members(&mut self, archive: &str, reader: impl Read) -> Result<Flow, SourceErrorKind> {
        let mut tar = tar::Archive::new(reader);
        let mut names = LongNames::default();
        let mut count = 0;
        // Raw: the library would read names of any length into memory.
        for entry in tar.entries().map_err(damaged)?.raw(true) {
            let mut entry = entry.map_err(damaged)?;
            count += 1;
            if count > self.limits.members {
                return Err(SourceErrorKind::TooManyMembers { limit: self.limits.members });
            }
            if names.take_in(&mut entry).map_err(damaged)? {
                continue;
            }
            let name = names.name_of(&entry);
            let kind = entry.header().entry_type();
            if !(kind.is_file() || kind.is_contiguous()) {
                self.other_files += u64::from(!kind.is_dir());
                continue;
            }
            if self.tar_member(archive, &name, &mut entry)?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        check_end(tar.into_inner())?;
        Ok(Flow::Continue(()))
    }

    /// One file in a tar archive. An error is one of the whole archive.
    fn tar_member(
        &mut self,
        archive: &str,
        name: &str,
        entry: &mut tar::Entry<'_, impl Read>,
    ) -> Result<Flow, SourceErrorKind> {
        let limit = self.limits.member_bytes;
        let Some(full_name) = self.wanted(archive, name) else { return Ok(Flow::Continue(())) };
        if FileKind::of(name) != FileKind::Sgf {
            return Ok(self.fault(full_name, SourceErrorKind::NestedArchive));
        }
        let size = entry.header().entry_size().map_err(damaged)?;
        if size > limit {
            return Ok(self.fault(full_name, SourceErrorKind::MemberTooLarge { limit }));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(damaged)?;
        if bytes.len() as u64 != size {
            return Err(SourceErrorKind::Damaged(format!("the archive ends inside `{}`", printable(name))));
        }
        Ok(self.item(full_name, Ok(bytes)))
    }

    /// A zip archive.
    pub(super) fn zip(&mut self, name: String, file: File) -> Flow {
        let mut archive = match zip_directory::open(file, self.limits.directory_bytes) {
            Ok(archive) => archive,
            Err(kind) => return self.fault(name, kind),
        };
        let mut left = self.limits.archive_bytes;
        for index in 0..archive.len() {
            if index as u64 >= self.limits.members {
                return self.fault(name, SourceErrorKind::TooManyMembers { limit: self.limits.members });
            }
            let read = self.zip_member(&name, &mut archive, index, left)?;
            match left.checked_sub(read) {
                Some(rest) => left = rest,
                None => {
                    let limit = self.limits.archive_bytes;
                    return self.fault(name, SourceErrorKind::ArchiveTooLarge { limit });
                }
            }
        }
        Flow::Continue(())
    }

    /// One member of a zip archive. Returns how many bytes it has: more than `left` if it was not read since the archive is too large.
    fn zip_member(
        &mut self,
        archive: &str,
        zip: &mut ZipArchive<impl Read + io::Seek>,
        index: usize,
        left: u64,
    ) -> std::ops::ControlFlow<(), u64> {
        use std::ops::ControlFlow::Continue;
        let known = zip.name_for_index(index).and_then(Result::ok).map(|name| name.into_owned());
        let name = known.unwrap_or_else(|| format!("member {index}"));
        if name.ends_with('/') {
            return Continue(0);
        }
        let Some(full_name) = self.wanted(archive, &name) else { return Continue(0) };
        if FileKind::of(&name) != FileKind::Sgf {
            self.fault(full_name, SourceErrorKind::NestedArchive)?;
            return Continue(0);
        }
        let limit = self.limits.member_bytes;
        let read = Cell::new(0);
        let content = match zip.by_index(index) {
            Err(error) => Err(zip_error(error)),
            Ok(member) if member.size() > limit => Err(SourceErrorKind::MemberTooLarge { limit }),
            Ok(member) if member.size() > left => return Continue(member.size()),
            Ok(member) => {
                read_member(Counted::new(member, &read, u64::MAX), limit).map_err(|kind| match kind {
                    SourceErrorKind::Io(error) => damaged(error),
                    other => other,
                })
            }
        };
        self.item(full_name, content.map_err(SourceError::from))?;
        Continue(read.get())
    }

    /// The full name of a member that is a game file or an archive; counts others.
    fn wanted(&mut self, archive: &str, name: &str) -> Option<String> {
        if FileKind::of(name) == FileKind::Other {
            self.other_files += 1;
            return None;
        }
        let name = name.trim_start_matches("./");
        Some(format!("{archive}/{}", printable(name)))
    }
}

/// Reads what follows the end of a tar archive, so that checksums are checked: it must be zeros.
fn check_end(mut reader: impl Read) -> Result<(), SourceErrorKind> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) if buffer[..read].iter().any(|&byte| byte != 0) => {
                return Err(SourceErrorKind::TrailingData);
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(damaged(error)),
        }
    }
}

fn damaged(error: io::Error) -> SourceErrorKind {
    SourceErrorKind::Damaged(printable(&error.to_string()))
}

pub(super) fn zip_error(error: ZipError) -> SourceErrorKind {
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => SourceErrorKind::Io(error),
        other => SourceErrorKind::Damaged(printable(&other.to_string())),
    }
}
