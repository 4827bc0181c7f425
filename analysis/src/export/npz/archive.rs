//! Rows as the arrays of an `.npz` file: a zip archive of `.npy` files.

use std::io::{Cursor, Write as _};

use jigo_engine::BoardSize;
use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipResult, write::SimpleFileOptions};

use super::{
    planes::{PLANES, plane_bytes},
    row::{GLOBAL_INPUTS, GLOBAL_TARGETS, Row, code},
};

/// Little effort for size: what is left are bits of random games.
const LEVEL: i64 = 1;

/// The bytes of the file with these rows, a function of them alone. `about` is its member `metadata.json`.
pub(super) fn archive(rows: &[Row], size: BoardSize, about: &str) -> ZipResult<Vec<u8>> {
    let mut archive = Archive { zip: ZipWriter::new(Cursor::new(Vec::new())), rows };
    let (height, width, moves) = (size.height(), size.width(), size.point_count() + 1);
    archive.add("binaryInputNCHWPacked", "|u1", &[PLANES, plane_bytes(size)], |row, bytes| {
        bytes.extend(&row.planes);
    })?;
    archive.add("globalInputNC", "<f4", &[GLOBAL_INPUTS], |row, bytes| {
        bytes.extend(row.global_inputs.iter().flat_map(|input| input.to_le_bytes()));
    })?;
    archive.add("policyTargetsNCMove", "<i2", &[2, moves], |row, bytes| {
        let mut targets = vec![0_i16; moves];
        targets[code(row.mv, size)] = 1;
        // Behind the last move all are alike: the weight says that it does not matter.
        let mut next = vec![i16::from(row.next_move.is_none()); moves];
        if let Some(mv) = row.next_move {
            next[code(mv, size)] = 1;
        }
        bytes.extend(targets.iter().chain(&next).flat_map(|target| target.to_le_bytes()));
    })?;
    archive.add("globalTargetsNC", "<f4", &[GLOBAL_TARGETS], |row, bytes| {
        bytes.extend(row.global_targets.iter().flat_map(|target| target.to_le_bytes()));
    })?;
    archive.add("valueTargetsNCHW", "|i1", &[1, height, width], |row, bytes| {
        bytes.extend(row.ownership.iter().map(|&owner| owner as u8));
    })?;
    archive.add("game_index", "<u8", &[], |row, bytes| bytes.extend(row.game_index.to_le_bytes()))?;
    archive.add("ply", "<u2", &[], |row, bytes| bytes.extend(row.ply.to_le_bytes()))?;
    archive.add("move", "<u2", &[], |row, bytes| bytes.extend(row.mv.code(size).to_le_bytes()))?;
    archive.add("margin", "<i2", &[], |row, bytes| bytes.extend(row.margin.to_le_bytes()))?;
    archive.add("to_play", "|u1", &[], |row, bytes| bytes.push(row.to_play.index() as u8))?;
    archive.finish(about)
}

struct Archive<'a> {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    rows: &'a [Row],
}

impl Archive<'_> {
    /// Adds an array. `encode` appends the bytes of a row, whose shape is `shape`.
    fn add(
        &mut self,
        name: &str,
        dtype: &str,
        shape: &[usize],
        encode: impl Fn(&Row, &mut Vec<u8>),
    ) -> ZipResult<()> {
        let mut bytes = header(dtype, self.rows.len(), shape);
        let begin = bytes.len();
        self.rows.iter().for_each(|row| encode(row, &mut bytes));
        let row_bytes = shape.iter().product::<usize>() * usize::from(dtype.as_bytes()[2] - b'0');
        debug_assert_eq!(bytes.len() - begin, self.rows.len() * row_bytes, "{name}");
        self.zip.start_file(format!("{name}.npy"), options())?;
        self.zip.write_all(&bytes)?;
        Ok(())
    }

    fn finish(mut self, about: &str) -> ZipResult<Vec<u8>> {
        self.zip.start_file("metadata.json", options())?;
        self.zip.write_all(about.as_bytes())?;
        Ok(self.zip.finish()?.into_inner())
    }
}

fn options() -> SimpleFileOptions {
    let method = CompressionMethod::Deflated;
    // The same bytes at any time.
    let time = DateTime::default();
    SimpleFileOptions::default()
        .compression_method(method)
        .compression_level(Some(LEVEL))
        .last_modified_time(time)
}

/// What stands before the numbers of an array in an `.npy` file.
///
/// # Source
/// NumPy Enhancement Proposal 1, *A Simple File Format for NumPy Arrays*, version 1.0.
fn header(dtype: &str, rows: usize, shape: &[usize]) -> Vec<u8> {
    let mut sides = rows.to_string();
    for side in shape {
        sides.push_str(&format!(", {side}"));
    }
    let comma = if shape.is_empty() { "," } else { "" };
    let mut text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({sides}{comma}), }}");
    const BEFORE: usize = 10;
    // The numbers begin at a multiple of 64; a line feed stands before them.
    let blanks = (BEFORE + text.len() + 1).next_multiple_of(64) - (BEFORE + text.len() + 1);
    text.push_str(&" ".repeat(blanks));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `numpy.lib.format` writes them.
    #[test]
    fn headers_are_those_of_numpy() {
        for (dtype, rows, shape, text) in [
            ("<u8", 3, &[][..], "{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }"),
            ("|u1", 0, &[22, 11], "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 22, 11), }"),
        ] {
            let bytes = header(dtype, rows, shape);
            assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
            assert_eq!(bytes.len() % 64, 0);
            assert_eq!(usize::from(u16::from_le_bytes([bytes[8], bytes[9]])), bytes.len() - 10);
            let written = std::str::from_utf8(&bytes[10..]).unwrap();
            assert_eq!(written.trim_end(), text);
            assert!(written.ends_with('\n'));
        }
    }
}
