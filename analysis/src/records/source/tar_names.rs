//! Names in tar archives that are too long for a header and stand in an entry of their own.

use std::io::{self, Read};

use tar::{Entry, EntryType};

/// The long name found for the next entry.
#[derive(Debug, Default)]
pub(super) struct LongNames(Option<String>);

impl LongNames {
    /// The most bytes that are read of an entry that says something about the next one.
    const MOST: u64 = 1 << 16;

    /// Reads an entry that says something about the next one; returns whether it was such an entry.
    pub(super) fn take_in(&mut self, entry: &mut Entry<'_, impl Read>) -> io::Result<bool> {
        let kind = entry.header().entry_type();
        let is_about_next =
            kind.is_gnu_longname() || kind.is_gnu_longlink() || kind.is_pax_local_extensions();
        if kind == EntryType::XGlobalHeader || !is_about_next {
            return Ok(kind == EntryType::XGlobalHeader);
        }
        let mut bytes = Vec::new();
        entry.take(Self::MOST).read_to_end(&mut bytes)?;
        if kind.is_gnu_longname() {
            let name = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
            self.0 = Some(String::from_utf8_lossy(name).into_owned());
        } else if kind.is_pax_local_extensions() {
            self.0 = pax_path(&bytes).or(self.0.take());
        }
        Ok(true)
    }

    /// The name of an ordinary entry.
    pub(super) fn name_of(&mut self, entry: &Entry<'_, impl Read>) -> String {
        let short = || String::from_utf8_lossy(&entry.header().path_bytes()).into_owned();
        self.0.take().unwrap_or_else(short)
    }
}

/// The value of `path` among records of the form `length key=value\n`, where the length counts the whole record.
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
