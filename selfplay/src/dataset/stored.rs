//! The games of a shard as they are stored.

use std::{
    fs::File,
    path::{Path, PathBuf},
    vec,
};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::{
    DatasetError, DatasetSpec,
    decode::Rows,
    guard::{GaveUp, guarded},
    schema,
    sizes::{self, Most},
};
use crate::GameRecord;

/// Rows decoded at a time: bounds memory.
pub(super) const BATCH_ROWS: usize = 1024;

/// The games of one shard as they are stored, with their rows. After an error there are no more.
pub(super) struct StoredGames {
    path: PathBuf,
    spec: DatasetSpec,
    pub(super) shard: u64,
    batches: Option<ParquetRecordBatchReader>,
    games: vec::IntoIter<Result<GameRecord, String>>,
    next_row: u64,
}

impl StoredGames {
    /// Opens a shard without comparing its digest, and checks its columns and their metadata.
    pub(super) fn open(path: PathBuf, spec: &DatasetSpec, shard: u64) -> Result<Self, DatasetError> {
        let opened = guarded(|| open_batches(&path, spec, shard));
        let batches = opened.unwrap_or_else(|GaveUp| Err(gave_up(&path)))?;
        let games = Vec::new().into_iter();
        Ok(Self { path, spec: spec.clone(), shard, batches: Some(batches), games, next_row: 0 })
    }

    pub(super) fn invalid_row(&self, row: u64, reason: String) -> DatasetError {
        DatasetError::InvalidRow { path: self.path.clone(), row, reason }
    }

    /// Decodes the next rows; `None` at the end.
    fn next_batch(&mut self) -> Result<Option<Vec<Result<GameRecord, String>>>, DatasetError> {
        let Some(batches) = &mut self.batches else { return Ok(None) };
        let fail = |error: ArrowError| DatasetError::parquet("read", &self.path, error.into());
        let games =
            guarded(|| Ok(batches.next().transpose().map_err(fail)?.map(|batch| games(&self.spec, &batch))));
        games.unwrap_or_else(|GaveUp| Err(gave_up(&self.path)))
    }

    /// The game in row `row`, if it is the one that belongs there.
    fn check(&self, row: u64, game: Result<GameRecord, String>) -> Result<GameRecord, DatasetError> {
        let expected = self.spec.shard_range(self.shard).start + row;
        let game = game.map_err(|reason| self.invalid_row(row, reason))?;
        let found = game.game_index;
        if found != expected {
            return Err(self.invalid_row(row, format!("game_index is {found}, not {expected}")));
        }
        Ok(game)
    }

    /// Fails when the shard ended too early.
    fn check_end(&self) -> Option<DatasetError> {
        let games = self.spec.games_in_shard(self.shard);
        (self.next_row != games).then(|| {
            let reason = format!("{} games, not {games}", self.next_row);
            invalid(&self.path, &reason)
        })
    }

    fn next_or_error(&mut self) -> Result<Option<(u64, GameRecord)>, DatasetError> {
        loop {
            if let Some(game) = self.games.next() {
                let row = self.next_row;
                self.next_row += 1;
                return self.check(row, game).map(|game| Some((row, game)));
            }
            let Some(games) = self.next_batch()? else {
                self.batches = None;
                return self.check_end().map_or(Ok(None), Err);
            };
            self.games = games.into_iter();
        }
    }
}

/// Opens a shard, if its columns are those of the run.
fn open_batches(
    path: &Path,
    spec: &DatasetSpec,
    shard: u64,
) -> Result<ParquetRecordBatchReader, DatasetError> {
    let fail = |error| DatasetError::parquet("read", path, error);
    let open = || File::open(path).map_err(|error| DatasetError::io("read", path, error));
    let invalid = |reason: String| invalid(path, &reason);
    let mut file = open()?;
    sizes::check_metadata_length(&mut file, spec.games_in_shard(shard)).map_err(invalid)?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(open()?).map_err(fail)?;
    let expected = schema::schema(spec.moves, spec.census);
    if builder.schema().fields() != expected.fields() {
        return Err(invalid("the columns are not those of the run".to_owned()));
    }
    let most = |column: &str, rows| Most::of_run(spec, column, rows);
    sizes::check_pages(&mut file, builder.metadata(), spec.games_in_shard(shard), most).map_err(invalid)?;
    builder.with_batch_size(BATCH_ROWS).build().map_err(fail)
}

/// The games in some rows, each or what is wrong with it.
fn games(spec: &DatasetSpec, batch: &RecordBatch) -> Vec<Result<GameRecord, String>> {
    let rows = Rows { batch, size: spec.playout.size, moves: spec.moves, census: spec.census };
    (0..batch.num_rows()).map(|row| rows.game(row)).collect()
}

fn gave_up(path: &Path) -> DatasetError {
    invalid(path, GaveUp::REASON)
}

/// A shard that is not as jigo writes it, though its digest is.
fn invalid(path: &Path, reason: &str) -> DatasetError {
    let reason =
        format!("{reason}. Delete it and play it again by running the command that wrote the dataset");
    DatasetError::InvalidShard { path: path.to_owned(), reason }
}

impl Iterator for StoredGames {
    type Item = Result<(u64, GameRecord), DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.as_ref()?;
        let next = self.next_or_error();
        if next.is_err() {
            self.batches = None;
        }
        next.transpose()
    }
}
