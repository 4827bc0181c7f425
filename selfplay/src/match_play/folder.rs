//! The directory of a match: arguments, records and results, so that it can be interrupted at any moment.
//!
//! A game is finished once its line in `games.jsonl` is whole. Its record is in `games.sgf` by then; what stands behind the last finished game's
//! record is cut off when the match continues.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{MatchError, MatchResult, MatchSpec, manifest};

/// A match on disk, open for appending by this process alone.
pub(super) struct Folder {
    records: Appended,
    rows: Appended,
    results: Vec<MatchResult>,
}

/// A line of `games.jsonl`.
#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    result: MatchResult,
    /// The length of `games.sgf` with this game.
    sgf_end: u64,
}

impl Folder {
    /// Opens the directory of this match, or begins it in an empty one.
    pub(super) fn open(dir: &Path, spec: &MatchSpec) -> Result<Self, MatchError> {
        fs::create_dir_all(dir).map_err(|error| MatchError::io("create", dir, error))?;
        manifest::agree(dir, spec)?;
        let mut rows = Appended::open(dir.join("games.jsonl"))?;
        match rows.file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(MatchError::InUse(dir.to_owned())),
            // A file system without locks.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut records = Appended::open(dir.join("games.sgf"))?;
        let (results, rows_end, records_end) = read_rows(&mut rows, spec.games)?;
        if records.end < records_end {
            let reason = format!("{records_end} bytes are missed, {} are there", records.end);
            return Err(MatchError::Damaged { path: records.path, reason });
        }
        rows.cut(rows_end)?;
        records.cut(records_end)?;
        Ok(Self { records, rows, results })
    }

    /// The games finished so far, in order.
    pub(super) fn results(&self) -> &[MatchResult] {
        &self.results
    }

    pub(super) fn into_results(self) -> Vec<MatchResult> {
        self.results
    }

    /// Adds the next game; it is on the disk when this returns.
    pub(super) fn append(&mut self, result: MatchResult, record: &str) -> Result<(), MatchError> {
        self.records.append(record)?;
        let row = Row { result, sgf_end: self.records.end };
        let line = serde_json::to_string(&row).expect("a struct of text and numbers");
        self.rows.append(&format!("{line}\n"))?;
        self.results.push(row.result);
        Ok(())
    }
}

/// The finished games, and how long both files are with them.
fn read_rows(rows: &mut Appended, games: u64) -> Result<(Vec<MatchResult>, u64, u64), MatchError> {
    let mut text = String::new();
    rows.file.read_to_string(&mut text).map_err(|error| MatchError::io("read", &rows.path, error))?;
    let (mut results, mut rows_end, mut records_end) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let number = results.len() as u64;
        let damaged = |reason: String| MatchError::Damaged { path: rows.path.clone(), reason };
        let row: Row =
            serde_json::from_str(line).map_err(|error| damaged(format!("line {}: {error}", number + 1)))?;
        if row.result.game != number || number >= games || row.sgf_end < records_end {
            return Err(damaged(format!("line {} does not belong there", number + 1)));
        }
        rows_end += line.len() as u64;
        records_end = row.sgf_end;
        results.push(row.result);
    }
    Ok((results, rows_end, records_end))
}

/// A file that grows by whole pieces.
struct Appended {
    path: PathBuf,
    file: File,
    end: u64,
}

impl Appended {
    fn open(path: PathBuf) -> Result<Self, MatchError> {
        let open = || -> io::Result<(File, u64)> {
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
            let end = file.metadata()?.len();
            Ok((file, end))
        };
        let (file, end) = open().map_err(|error| MatchError::io("open", &path, error))?;
        Ok(Self { path, file, end })
    }

    /// Cuts off what stands behind `end`, and goes on there.
    fn cut(&mut self, end: u64) -> Result<(), MatchError> {
        self.end = end;
        let cut = self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end)));
        cut.map(drop).map_err(|error| MatchError::io("shorten", &self.path, error))
    }

    fn append(&mut self, text: &str) -> Result<(), MatchError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| MatchError::io("write", &self.path, error))?;
        self.end += text.len() as u64;
        Ok(())
    }
}
