//! The games of a shard as they are stored.

use std::{
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
    vec,
};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::{
    DatasetError, DatasetSpec,
    decode::Rows,
    guard::{GaveUp, guarded},
    schema,
    sizes::{self, Most},
};
use crate::GameRecord;

/// What a kind of dataset stores, and how it is read.
pub(super) trait Stored {
    /// One game.
    type Game;

    /// Whose columns the shard must have, in words.
    const COLUMNS_OF: &'static str;
    /// Rows decoded at a time: bounds memory.
    const BATCH_ROWS: usize;
    /// What to do about a shard that is not as jigo writes it, though its digest is.
    const REMEDY: &'static str;

    /// The columns of a shard.
    fn schema(&self) -> SchemaRef;

    /// The most that a column may hold in a row group of so many games.
    fn most(&self, column: &str, rows: u64) -> Most;

    /// The game in a row, or what is wrong with it.
    fn decode(&self, batch: &RecordBatch, row: usize) -> Result<Self::Game, String>;

    /// The index of a game.
    fn index(game: &Self::Game) -> u64;
}

/// The games of a run.
impl Stored for DatasetSpec {
    type Game = GameRecord;

    const COLUMNS_OF: &'static str = "the run";
    const BATCH_ROWS: usize = 1024;
    const REMEDY: &'static str = "Delete it and play it again by running the command that wrote the dataset";

    fn schema(&self) -> SchemaRef {
        schema::schema(self.moves, self.run.config.count_forbidden)
    }

    fn most(&self, column: &str, rows: u64) -> Most {
        Most::of_run(self, column, rows)
    }

    fn decode(&self, batch: &RecordBatch, row: usize) -> Result<GameRecord, String> {
        Rows {
            batch,
            size: self.run.config.size,
            moves: self.moves,
            count_forbidden: self.run.config.count_forbidden,
        }
        .game(row)
    }

    fn index(game: &GameRecord) -> u64 {
        game.game_index
    }
}

/// The games of one shard as they are stored, with their rows. After an error there are no more.
pub(super) struct StoredGames<K: Stored> {
    path: PathBuf,
    kind: K,
    /// The indices of its games.
    games: Range<u64>,
    batches: Option<ParquetRecordBatchReader>,
    decoded: vec::IntoIter<Result<K::Game, String>>,
    next_row: u64,
}

impl<K: Stored> StoredGames<K> {
    /// Opens a shard of these games without comparing its digest, and checks its columns and their metadata.
    pub(super) fn open(path: PathBuf, kind: K, games: Range<u64>) -> Result<Self, DatasetError> {
        let opened = guarded(|| open_batches(&path, &kind, games.end - games.start));
        let batches = opened.unwrap_or_else(|GaveUp| Err(invalid::<K>(&path, GaveUp::REASON)))?;
        Ok(Self { path, kind, games, batches: Some(batches), decoded: Vec::new().into_iter(), next_row: 0 })
    }

    pub(super) fn invalid_row(&self, row: u64, reason: String) -> DatasetError {
        DatasetError::InvalidRow { path: self.path.clone(), row, reason }
    }

    /// Decodes the next rows; `false` at the end.
    fn decode_next(&mut self) -> Result<bool, DatasetError> {
        let Some(batches) = &mut self.batches else { return Ok(false) };
        let fail = |error: ArrowError| DatasetError::parquet("read", &self.path, error.into());
        let decoded = guarded(|| {
            let Some(batch) = batches.next().transpose().map_err(fail)? else { return Ok(None) };
            let games = (0..batch.num_rows()).map(|row| self.kind.decode(&batch, row));
            Ok(Some(games.collect::<Vec<_>>().into_iter()))
        });
        let decoded = decoded.unwrap_or_else(|GaveUp| Err(invalid::<K>(&self.path, GaveUp::REASON)))?;
        let has_rows = decoded.is_some();
        self.decoded = decoded.unwrap_or_default();
        Ok(has_rows)
    }

    /// The game in row `row`, if it is the one that belongs there.
    fn check(&self, row: u64, game: Result<K::Game, String>) -> Result<K::Game, DatasetError> {
        let game = game.map_err(|reason| self.invalid_row(row, reason))?;
        let (found, expected) = (K::index(&game), self.games.start + row);
        if found != expected {
            return Err(self.invalid_row(row, format!("game_index is {found}, not {expected}")));
        }
        Ok(game)
    }

    /// Fails when the shard ended too early.
    fn check_end(&self) -> Result<(), DatasetError> {
        let (found, games) = (self.next_row, self.games.end - self.games.start);
        if found == games {
            return Ok(());
        }
        Err(invalid::<K>(&self.path, &format!("{found} games, not {games}")))
    }

    fn next_or_error(&mut self) -> Result<Option<(u64, K::Game)>, DatasetError> {
        loop {
            if let Some(game) = self.decoded.next() {
                let row = self.next_row;
                self.next_row += 1;
                return self.check(row, game).map(|game| Some((row, game)));
            }
            if !self.decode_next()? {
                self.batches = None;
                return self.check_end().map(|()| None);
            }
        }
    }
}

/// Opens a shard of so many games, if its columns are those of its kind.
fn open_batches<K: Stored>(
    path: &Path,
    kind: &K,
    games: u64,
) -> Result<ParquetRecordBatchReader, DatasetError> {
    let fail = |error| DatasetError::parquet("read", path, error);
    let open = || File::open(path).map_err(|error| DatasetError::io("read", path, error));
    let invalid = |reason: String| invalid::<K>(path, &reason);
    let mut file = open()?;
    sizes::check_metadata_length(&mut file, games).map_err(invalid)?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(open()?).map_err(fail)?;
    if builder.schema().fields() != kind.schema().fields() {
        return Err(invalid(format!("the columns are not those of {}", K::COLUMNS_OF)));
    }
    let most = |column: &str, rows| kind.most(column, rows);
    sizes::check_pages(&mut file, builder.metadata(), games, most).map_err(invalid)?;
    builder.with_batch_size(K::BATCH_ROWS).build().map_err(fail)
}

/// A shard that is not as jigo writes it, though its digest is.
fn invalid<K: Stored>(path: &Path, reason: &str) -> DatasetError {
    DatasetError::InvalidShard { path: path.to_owned(), reason: format!("{reason}. {}", K::REMEDY) }
}

impl<K: Stored> Iterator for StoredGames<K> {
    type Item = Result<(u64, K::Game), DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.as_ref()?;
        let next = self.next_or_error();
        if next.is_err() {
            self.batches = None;
        }
        next.transpose()
    }
}
