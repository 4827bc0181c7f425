//! Sizes that a shard claims, compared with those of its run before the Parquet library makes room for them.
//!
//! A few bytes of Parquet may claim gigabytes. The run bounds what they can be.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
};

use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::{
    DatasetSpec, MovesColumn,
    page_header::PageHeader,
    schema::{ROW_GROUP_ROWS, event_columns},
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

/// Checks the length of the metadata at the end of a shard, which the library reads at once.
///
/// # Errors
/// What is wrong.
pub(super) fn check_metadata_length(file: &mut File, spec: &DatasetSpec, shard: u64) -> Result<(), String> {
    let mut tail = [0; 8];
    let read = file.seek(SeekFrom::End(-8)).and_then(|_| file.read_exact(&mut tail));
    read.map_err(|error| format!("it has no end: {error}"))?;
    let [a, b, c, d, ..] = tail;
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    let groups = spec.games_in_shard(shard).div_ceil(ROW_GROUP_ROWS as u64);
    let most = METADATA_BYTES + groups * GROUP_METADATA_BYTES;
    if length > most {
        return Err(format!("it claims {length} bytes of metadata, at most {most} are possible"));
    }
    Ok(())
}

/// Checks the numbers of games, and all pages of all columns.
///
/// # Errors
/// The first claim that does not fit the run.
pub(super) fn check_pages(
    file: &mut File,
    metadata: &ParquetMetaData,
    spec: &DatasetSpec,
    shard: u64,
) -> Result<(), String> {
    let mut left = spec.games_in_shard(shard);
    for group in metadata.row_groups() {
        let rows = left.min(ROW_GROUP_ROWS as u64);
        if rows == 0 || u64::try_from(group.num_rows()) != Ok(rows) {
            return Err(format!("a row group claims {} games, not {rows}", group.num_rows()));
        }
        left -= rows;
        for column in group.columns() {
            check_column(file, column, spec, rows)
                .map_err(|reason| format!("column {}: {reason}", column.column_path()))?;
        }
    }
    if left > 0 {
        return Err(format!("{left} games are missing"));
    }
    Ok(())
}

fn check_column(
    file: &mut File,
    column: &ColumnChunkMetaData,
    spec: &DatasetSpec,
    rows: u64,
) -> Result<(), String> {
    let path = column.column_path().parts();
    let name = path.first().map_or("", String::as_str);
    let most_values = rows.saturating_mul(values_per_game(name, spec));
    let most_bytes = match spec.moves {
        MovesColumn::Binary if name == "moves" => {
            PAGE_BYTES + BATCH_GAMES * 2 * u64::from(spec.playout.ply_cap)
        }
        _ => PAGE_BYTES,
    };
    let (mut at, length) = column.byte_range();
    let end = at.checked_add(length).ok_or("it claims to lie behind the end")?;
    let mut values = 0_u64;
    while at < end {
        let header = read_header(file, at).map_err(|error| error.to_string())?;
        let header = header.ok_or_else(|| format!("byte {at}: not the header of a page"))?;
        if header.uncompressed > most_bytes || header.values > most_values {
            let PageHeader { uncompressed, values, .. } = header;
            return Err(format!(
                "byte {at}: a page claims {uncompressed} bytes and {values} values, at most {most_bytes} and {most_values} are possible"
            ));
        }
        values += if header.is_dictionary { 0 } else { header.values };
        at += header.length + header.compressed;
    }
    if values > most_values {
        return Err(format!("{values} values, at most {most_values} are possible"));
    }
    Ok(())
}

/// The most values that a column may have for each game; an empty list counts as one.
fn values_per_game(name: &str, spec: &DatasetSpec) -> u64 {
    let plies = u64::from(spec.playout.ply_cap);
    let points = spec.playout.size.point_count() as u64;
    match name {
        "moves" if spec.moves == MovesColumn::List => plies,
        // At every ply, every point may be tried.
        name if event_columns(spec.census).contains(&name) => plies.saturating_mul(points),
        _ => 1,
    }
}

fn read_header(file: &mut File, at: u64) -> io::Result<Option<PageHeader>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::with_capacity(HEADER_BYTES as usize);
    file.take(HEADER_BYTES).read_to_end(&mut bytes)?;
    Ok(PageHeader::read(&bytes))
}
