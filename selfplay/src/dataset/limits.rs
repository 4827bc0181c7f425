//! Sizes that a shard claims, compared with what is possible before the Parquet library makes room for them.
//!
//! A few bytes of Parquet may claim gigabytes. A run bounds what they can be; imported games have limits of their own.
//!
//! # Source
//! For the headers of pages: Apache Parquet, `parquet.thrift` (`PageHeader`); Apache Thrift, *Thrift compact protocol encoding*.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
};

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::{
    DatasetSpec, MovesColumn,
    imported::{BATCH_BYTES, MAX_GAME_BYTES},
    schema::{Columns, SEARCH_NUMBERS, SEARCH_VISITS},
};

/// The most bytes of a page that jigo writes, apart from games in binary: the writer ends a page at 1 MiB.
const PAGE_BYTES: u64 = 4 << 20;
/// Games that the writer may put into a page before it looks at the page's size.
const BATCH_GAMES: u64 = 1024;
/// Bytes of metadata beside those of row groups.
const METADATA_BYTES: u64 = 1 << 20;
/// The most bytes of metadata for one row group.
const GROUP_METADATA_BYTES: u64 = 1 << 16;
/// Bytes that are read for the header of a page: several times what jigo writes.
const HEADER_BYTES: u64 = 512;

/// The most that a column may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Bytes of a page when it is decompressed.
    bytes: u64,
    /// Values in a row group; an empty list counts as one.
    values: u64,
}

impl Limits {
    /// For columns of imported games, whose texts are as long as people wrote them: the writer ends a batch after the game that fills it.
    pub(super) const IMPORTED: Self =
        Self { bytes: PAGE_BYTES + BATCH_BYTES + MAX_GAME_BYTES, values: 1 << 28 };

    /// For a column of a run, in a row group of so many games.
    pub(super) fn for_run(spec: &DatasetSpec, column: &str, rows: u64) -> Self {
        let config = spec.run.config;
        let (plies, points) = (u64::from(config.ply_cap), config.size.point_count() as u64);
        let (more_bytes, game_values) = match (column, spec.moves) {
            ("moves", MovesColumn::List) => (0, plies),
            ("moves", MovesColumn::Binary) => (BATCH_GAMES * 2 * plies, 1),
            // The writer looks at the page's size after every game.
            (SEARCH_VISITS, _) => (4 * plies * (points + 1), plies * (points + 1)),
            (name, _) if SEARCH_NUMBERS.contains(&name) => (0, plies),
            // At every ply, every point may be tried.
            (name, _) if Columns::of(spec).events().contains(&name) => (0, plies.saturating_mul(points)),
            _ => (0, 1),
        };
        Self { bytes: PAGE_BYTES + more_bytes, values: rows.saturating_mul(game_values) }
    }
}

/// Checks the length of the metadata at the end of a shard of so many games, which the library reads at once.
pub(super) fn check_metadata_length(file: &mut File, games: u64, group_games: u64) -> Result<(), String> {
    let mut tail = [0; 8];
    let read = file.seek(SeekFrom::End(-8)).and_then(|_| file.read_exact(&mut tail));
    read.map_err(|error| format!("it has no end: {error}"))?;
    let [a, b, c, d, ..] = tail;
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    let groups = games.div_ceil(group_games);
    let most = METADATA_BYTES.saturating_add(groups.saturating_mul(GROUP_METADATA_BYTES));
    if length > most {
        return Err(format!("it claims {length} bytes of metadata, at most {most} are possible"));
    }
    Ok(())
}

/// Checks the numbers of games, and all pages of all columns, and returns the first claim that is not possible. `most` is asked by the name of a
/// column and the games of a row group.
pub(super) fn check_pages(
    file: &mut File,
    metadata: &ParquetMetaData,
    games: u64,
    group_games: u64,
    most: impl Fn(&str, u64) -> Limits,
) -> Result<(), String> {
    let mut left = games;
    for group in metadata.row_groups() {
        let rows = left.min(group_games);
        if rows == 0 || u64::try_from(group.num_rows()) != Ok(rows) {
            return Err(format!("a row group claims {} games, not {rows}", group.num_rows()));
        }
        left -= rows;
        for column in group.columns() {
            let path = column.column_path();
            let most = most(path.parts().first().map_or("", String::as_str), rows);
            check_column(file, column, most).map_err(|reason| format!("column {path}: {reason}"))?;
        }
    }
    if left > 0 {
        return Err(format!("{left} games are missing"));
    }
    Ok(())
}

fn check_column(file: &mut File, column: &ColumnChunkMetaData, most: Limits) -> Result<(), String> {
    let (mut at, length) = column.byte_range();
    let end = at.checked_add(length).ok_or("it claims to lie after the end")?;
    let mut values = 0_u64;
    while at < end {
        let header = read_header(file, at).map_err(|error| error.to_string())?;
        let header = header.ok_or_else(|| format!("byte {at}: not the header of a page"))?;
        if header.uncompressed > most.bytes || header.values > most.values {
            let PageHeader { uncompressed, values, .. } = header;
            let Limits { bytes: most_bytes, values: most_values } = most;
            return Err(format!(
                "byte {at}: a page claims {uncompressed} bytes and {values} values, at most {most_bytes} and {most_values} are possible"
            ));
        }
        values += if header.is_dictionary { 0 } else { header.values };
        at += header.length + header.compressed;
    }
    if values > most.values {
        return Err(format!("{values} values, at most {} are possible", most.values));
    }
    Ok(())
}

fn read_header(file: &mut File, at: u64) -> io::Result<Option<PageHeader>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::with_capacity(HEADER_BYTES as usize);
    file.take(HEADER_BYTES).read_to_end(&mut bytes)?;
    Ok(PageHeader::read(&bytes))
}

/// What the header of a page claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PageHeader {
    /// Bytes of the header itself.
    length: u64,
    /// Bytes of the page when it is decompressed.
    uncompressed: u64,
    /// Bytes of the page in the file.
    compressed: u64,
    /// Values in it, empty lists included.
    values: u64,
    /// Whether it holds a dictionary and no values of games.
    is_dictionary: bool,
}

impl PageHeader {
    /// Reads the header at the start of these bytes; `None` when there is none, or one with what jigo does not write.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let fields = read_struct(&mut rest)?;
        let size = |fields: &Fields, number| match fields.get(&number)? {
            Field::Size(size) => Some(*size),
            Field::Struct(_) => None,
        };
        let mut pages = fields.iter().filter_map(|(number, field)| match field {
            Field::Size(_) => None,
            Field::Struct(page) => Some((*number, page)),
        });
        let (kind, page) = pages.next()?;
        // Headers of data pages of both versions, and of dictionaries: the first field is the number of values.
        if !matches!(kind, 5 | 7 | 8) || pages.next().is_some() {
            return None;
        }
        Some(Self {
            length: (bytes.len() - rest.len()) as u64,
            uncompressed: size(&fields, 2)?,
            compressed: size(&fields, 3)?,
            values: size(page, 1)?,
            is_dictionary: kind == 7,
        })
    }
}

/// The fields of a struct in Thrift's compact protocol by their numbers, without Booleans.
type Fields = BTreeMap<u64, Field>;

enum Field {
    /// A whole number of 32 bits that is not negative.
    Size(u64),
    Struct(Fields),
}

/// Takes a struct off these bytes; `None` if it has fields of other types than those of [`Field`] and Booleans. Structs cannot nest deeper than there are
/// bytes, of which a header has at most [`HEADER_BYTES`].
fn read_struct(bytes: &mut &[u8]) -> Option<Fields> {
    let (mut fields, mut number) = (Fields::new(), 0_u64);
    loop {
        let byte = *bytes.split_off_first()?;
        if byte == 0 {
            return Some(fields);
        }
        number = match u64::from(byte >> 4) {
            0 => read_size(bytes)?,
            step => number.checked_add(step)?,
        };
        let field = match byte & 0x0f {
            // The value of a Boolean is its type.
            1 | 2 => continue,
            5 => Field::Size(read_size(bytes)?),
            12 => Field::Struct(read_struct(bytes)?),
            _ => return None,
        };
        fields.insert(number, field);
    }
}

/// Takes a number off these bytes: seven bits a byte, the lowest first, with the sign in the lowest bit; `None` if it is negative.
fn read_size(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return (number & 1 == 0).then_some(number >> 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of 30 values: 70 bytes, 52 compressed, with encodings.
    const PAGE: [u8; 17] = [0x15, 0, 0x15, 140, 1, 0x15, 104, 0x2c, 0x15, 60, 0x15, 10, 0x15, 6, 0x15, 6, 0];

    #[test]
    fn sizes_are_read() {
        let bytes = [&PAGE[..], &[0, 99]].concat();
        let expected =
            PageHeader { length: 18, uncompressed: 70, compressed: 52, values: 30, is_dictionary: false };
        assert_eq!(PageHeader::read(&bytes), Some(expected));
    }

    #[test]
    fn what_jigo_does_not_write_is_no_header() {
        for end in 0..PAGE.len() {
            assert_eq!(PageHeader::read(&PAGE[..end]), None);
        }
        // A negative size, and a list.
        assert_eq!(PageHeader::read(&[0x25, 1, 0]), None);
        assert_eq!(PageHeader::read(&[0x29, 0, 0]), None);
        assert_eq!(
            PageHeader::read(&[0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            None
        );
    }
}
