//! Writes positions as `.npz` files for numpy: zip archives of `.npy` files, named as in KataGo's training data where that fits.

use std::{
    io::{Cursor, Write as _},
    mem,
};

use jigo_engine::{AnyGame, BoardSize, Komi};
use jigo_selfplay::{GameRecord, Run};
use rayon::prelude::*;
use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipResult, write::SimpleFileOptions};

use super::{
    ExportError, ExportedFile, PlySample,
    folder::Folder,
    rows::{GLOBAL_INPUTS, GLOBAL_TARGETS, PLANES, Row, plane_bytes, rows},
    work::{Maker, Output},
};

/// Positions that are made at a time, unless that leaves threads without a game.
const BATCH_ROWS: usize = 8192;

/// Returns how many games are worked on at a time.
pub(super) fn batch_games(sample: PlySample, run: &Run) -> usize {
    let rows_per_game = sample.most_of_game(run.config.ply_cap) as usize;
    super::batch_games(run, (BATCH_ROWS / rows_per_game).clamp(rayon::current_num_threads(), 1024))
}

/// Returns what makes the sampled rows of games.
pub(super) fn row_maker(run: Run, komi: Komi, sample: PlySample) -> Maker<'static, GameRecord, Vec<Row>> {
    let mut game = AnyGame::with_handicap(run.config.size, *run.config.rules, &run.config.start());
    Box::new(move |record| {
        let game_index = record.game_index;
        let plies = sample.plies(run.seed, game_index, record.plies);
        rows(&run.config, record, &plies, komi, &mut game).map_err(|(number, reason)| ExportError::Illegal {
            game_index,
            number,
            reason,
        })
    })
}

/// Writes positions, so many to a file.
pub(super) struct Arrays<'a> {
    folder: &'a Folder,
    size: BoardSize,
    about: &'a str,
    rows_per_file: usize,
    rows: Vec<Row>,
    files: Vec<ExportedFile>,
}

impl<'a> Arrays<'a> {
    pub(super) fn new(folder: &'a Folder, size: BoardSize, about: &'a str, rows_per_file: u64) -> Self {
        let rows_per_file = rows_per_file as usize;
        Self { folder, size, about, rows_per_file, rows: Vec::new(), files: Vec::new() }
    }

    /// Writes files of these rows, which are compressed together, each on a thread.
    fn write_files(&mut self, rows: &[Row]) -> Result<(), ExportError> {
        let files = rows.par_chunks(self.rows_per_file);
        let archives: Vec<_> =
            files.map(|rows| (rows.len() as u64, archive(rows, self.size, self.about))).collect();
        for (rows, bytes) in archives {
            let name = format!("positions-{:06}.npz", self.files.len());
            let mut file = self.folder.create(&name)?;
            let bytes = bytes.map_err(|error| ExportError::io("write", name.as_ref(), error.into()))?;
            file.write(&bytes, rows)?;
            self.files.push(file.finish()?);
        }
        Ok(())
    }
}

impl Output<Vec<Row>> for Arrays<'_> {
    fn write(&mut self, piece: Vec<Row>) -> Result<(), ExportError> {
        self.rows.extend(piece);
        let full_files = self.rows.len() / self.rows_per_file;
        if full_files < rayon::current_num_threads() {
            return Ok(());
        }
        let rest = self.rows.split_off(full_files * self.rows_per_file);
        let full = mem::replace(&mut self.rows, rest);
        self.write_files(&full)
    }

    fn finish(mut self) -> Result<Vec<ExportedFile>, ExportError> {
        let rows = mem::take(&mut self.rows);
        self.write_files(&rows)?;
        Ok(self.files)
    }
}

/// Little effort for size: what is left are bits of random games.
const LEVEL: i64 = 1;

/// An array of numbers about positions, with a row for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name, as `docs/dataset.md` lists them.
    pub name: &'static str,
    /// The type of its numbers as numpy writes it, such as `<f4`.
    pub dtype: &'static str,
    /// Its sides: the number of rows first.
    pub shape: Vec<usize>,
    /// Its numbers in row-major order, little endian.
    pub bytes: Vec<u8>,
}

/// Appends what an array says of a row.
type Encode = fn(&Row, BoardSize, &mut Vec<u8>);

/// Returns the arrays of these rows, each made when it is asked for.
pub(super) fn arrays(rows: &[Row], size: BoardSize) -> impl Iterator<Item = Array> {
    let (height, width, moves) = (size.height(), size.width(), size.point_count() + 1);
    // Each with its type and the shape of a row.
    let arrays: [(&str, &str, Vec<usize>, Encode); 13] = [
        ("binaryInputNCHWPacked", "|u1", vec![PLANES, plane_bytes(size)], |row, _, bytes| {
            bytes.extend(&row.planes)
        }),
        ("globalInputNC", "<f4", vec![GLOBAL_INPUTS], |row, _, bytes| {
            bytes.extend(row.global_inputs.iter().flat_map(|input| input.to_le_bytes()));
        }),
        ("policyTargetsNCMove", "<i2", vec![2, moves], |row, size, bytes| {
            let mut targets = vec![0_i16; size.point_count() + 1];
            targets[usize::from(row.mv.code(size))] = 1;
            // After the last move there is no target: every move has the same value, and the weight is zero.
            let mut next = vec![i16::from(row.next_move.is_none()); targets.len()];
            if let Some(mv) = row.next_move {
                next[usize::from(mv.code(size))] = 1;
            }
            bytes.extend(targets.iter().chain(&next).flat_map(|target| target.to_le_bytes()));
        }),
        ("globalTargetsNC", "<f4", vec![GLOBAL_TARGETS], |row, _, bytes| {
            bytes.extend(row.global_targets.iter().flat_map(|target| target.to_le_bytes()));
        }),
        ("valueTargetsNCHW", "|i1", vec![1, height, width], |row, _, bytes| {
            bytes.extend(row.ownership.iter().map(|&owner| row.own(owner) as u8));
        }),
        ("game_index", "<u8", vec![], |row, _, bytes| bytes.extend(row.game_index.to_le_bytes())),
        ("ply", "<u2", vec![], |row, _, bytes| bytes.extend(row.ply.to_le_bytes())),
        ("move", "<u2", vec![], |row, size, bytes| bytes.extend(row.mv.code(size).to_le_bytes())),
        ("margin", "<i2", vec![], |row, _, bytes| bytes.extend(row.margin.to_le_bytes())),
        ("stones", "|i1", vec![height, width], |row, _, bytes| {
            bytes.extend(row.stones.iter().map(|&stone| stone as u8));
        }),
        ("ownership", "|i1", vec![height, width], |row, _, bytes| {
            bytes.extend(row.ownership.iter().map(|&owner| owner as u8));
        }),
        ("result", "<f4", vec![], |row, _, bytes| bytes.extend(row.result.to_le_bytes())),
        ("to_play", "|u1", vec![], |row, _, bytes| bytes.push(row.to_play.index() as u8)),
    ];
    // Of runs whose policy searches.
    let of_searches: [(&str, &str, Vec<usize>, Encode); 2] = [
        ("policy", "<f4", vec![moves], |row, _, bytes| {
            let shares = row.search.iter().flat_map(|search| &search.policy);
            bytes.extend(shares.flat_map(|share| share.to_le_bytes()));
        }),
        ("search_margin", "<f4", vec![], |row, _, bytes| {
            bytes.extend(row.search.iter().flat_map(|search| search.margin.to_le_bytes()));
        }),
    ];
    let is_searched = rows.iter().all(|row| row.search.is_some());
    let of_searches = of_searches.into_iter().filter(move |_| is_searched);
    arrays.into_iter().chain(of_searches).map(move |(name, dtype, row_shape, encode)| {
        let mut bytes = Vec::new();
        rows.iter().for_each(|row| encode(row, size, &mut bytes));
        let row_bytes = row_shape.iter().product::<usize>() * usize::from(dtype.as_bytes()[2] - b'0');
        debug_assert_eq!(bytes.len(), rows.len() * row_bytes, "{name}");
        Array { name, dtype, shape: [vec![rows.len()], row_shape].concat(), bytes }
    })
}

/// Returns the bytes of the file with these rows, a function of them and of `about`, the comment of the archive.
fn archive(rows: &[Row], size: BoardSize, about: &str) -> ZipResult<Vec<u8>> {
    // The same bytes at any time.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .last_modified_time(DateTime::default());
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for array in arrays(rows, size) {
        zip.start_file(format!("{}.npy", array.name), options)?;
        zip.write_all(&header(array.dtype, &array.shape))?;
        zip.write_all(&array.bytes)?;
    }
    // Not a member: programs take every member for an array.
    zip.set_comment(about)?;
    Ok(zip.finish()?.into_inner())
}

/// Returns what stands before the numbers of an array in an `.npy` file.
///
/// # Source
/// NumPy Enhancement Proposal 1, *A Simple File Format for NumPy Arrays*, version 1.0.
fn header(dtype: &str, shape: &[usize]) -> Vec<u8> {
    let sides = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let comma = if shape.len() == 1 { "," } else { "" };
    let text = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({sides}{comma}), }}");
    const BEFORE: usize = 10;
    // The numbers begin at a multiple of 64; a line feed stands before them.
    let width = (BEFORE + text.len() + 1).next_multiple_of(64) - (BEFORE + 1);
    let text = format!("{text:width$}\n");
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
        for (dtype, shape, text) in [
            ("<u8", &[3][..], "{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }"),
            ("|u1", &[0, 22, 11], "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 22, 11), }"),
        ] {
            let bytes = header(dtype, shape);
            assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
            assert_eq!(bytes.len() % 64, 0);
            assert_eq!(usize::from(u16::from_le_bytes([bytes[8], bytes[9]])), bytes.len() - 10);
            let written = std::str::from_utf8(&bytes[10..]).unwrap();
            assert_eq!(written.trim_end(), text);
            assert!(written.ends_with('\n'));
        }
    }
}
