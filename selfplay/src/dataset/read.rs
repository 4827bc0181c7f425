//! Reading a dataset game by game.

use std::{
    fs::File,
    iter, mem,
    path::{Path, PathBuf},
    vec,
};

use arrow_array::RecordBatch;
use jigo_engine::for_width;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::{
    DatasetError, DatasetSpec, MovesColumn,
    decode::Rows,
    files,
    layout::Layout,
    manifest::{Manifest, ShardEntry, SideFile},
    schema,
};
use crate::{GameRecord, Player};

/// Rows decoded at a time: bounds memory.
pub(super) const BATCH_ROWS: usize = 1024;

/// A dataset that was opened for reading. It need not be complete.
#[derive(Clone, Debug)]
pub struct Dataset {
    layout: Layout,
    manifest: Manifest,
    spec: DatasetSpec,
}

/// One game of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// The game; with its moves, even where the dataset does not store them.
    pub record: GameRecord,
    /// The shard that it came from.
    pub shard: u64,
    /// Its row in that shard, from 0.
    pub row: u64,
}

impl Dataset {
    /// Opens the dataset in `dir`: reads its manifest, and none of its games.
    ///
    /// # Errors
    /// [`DatasetError::NotADataset`], [`DatasetError::InvalidManifest`], or what the operating system says.
    pub fn open(dir: &Path) -> Result<Self, DatasetError> {
        let layout = Layout::new(dir);
        let not_found = || DatasetError::NotADataset { dir: dir.to_owned() };
        let (manifest, spec) = Manifest::read(&layout)?.ok_or_else(not_found)?;
        Ok(Self { layout, manifest, spec })
    }

    /// What the dataset says of itself.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The run that it holds.
    #[must_use]
    pub fn spec(&self) -> &DatasetSpec {
        &self.spec
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The games of one shard, in order.
    ///
    /// The shard is first read through and compared with its digest, so that no damage goes unnoticed: Parquet itself would not notice most of it.
    /// Memory does not grow with the size of the shard.
    ///
    /// # Errors
    /// [`DatasetError::InvalidShard`] when the shard is missing, damaged or of another run.
    pub fn shard(&self, shard: u64) -> Result<ShardGames, DatasetError> {
        let path = self.layout.shard(shard);
        let entry = self.entry(shard)?;
        let (bytes, blake3) = files::digest(&path)?;
        if (bytes, &blake3) != (entry.bytes, &entry.blake3) {
            let reason =
                "damaged (its length or BLAKE3 is not what was written). Delete it and play it again by \
                          running the command that wrote the dataset"
                    .to_owned();
            return Err(DatasetError::InvalidShard { path, reason });
        }
        let again = (self.spec.moves == MovesColumn::None).then(|| player(&self.spec));
        Ok(ShardGames { stored: StoredGames::open(path, &self.spec, shard)?, again })
    }

    /// All games, in order. After an error there are no more.
    pub fn games(&self) -> impl Iterator<Item = Result<GameRow, DatasetError>> + '_ {
        let shards = (0..self.spec.shard_count()).map(|shard| self.shard(shard));
        let games = shards.flat_map(|shard| match shard {
            Ok(games) => Box::new(games) as Box<dyn Iterator<Item = Result<GameRow, DatasetError>>>,
            Err(error) => Box::new(iter::once(Err(error))),
        });
        let mut failed = false;
        games.take_while(move |game| !mem::replace(&mut failed, game.is_err()))
    }

    /// What the manifest or, before the dataset is complete, the side file says of a shard.
    fn entry(&self, shard: u64) -> Result<ShardEntry, DatasetError> {
        let listed = usize::try_from(shard).ok().and_then(|shard| self.manifest.shards.get(shard));
        if let Some(entry) = listed {
            return Ok(entry.clone());
        }
        let path = self.layout.side_file(shard);
        if !path.exists() {
            let path = self.layout.shard(shard);
            let reason =
                "not finished yet. Run the command that writes the dataset again to go on".to_owned();
            return Err(DatasetError::InvalidShard { path, reason });
        }
        let side_file = SideFile::read(&path)?;
        if side_file.run_fingerprint != self.manifest.run_fingerprint || side_file.shard != shard {
            let reason =
                "belongs to another run or shard. Delete it, and run the command that writes the dataset";
            return Err(DatasetError::InvalidShard { path, reason: reason.to_owned() });
        }
        Ok(side_file.entry())
    }
}

/// The games of one shard, in order. After an error there are no more.
pub struct ShardGames {
    stored: StoredGames,
    /// Plays a game again, where the moves are not stored.
    again: Option<Box<dyn FnMut(u64) -> GameRecord + Send>>,
}

impl Iterator for ShardGames {
    type Item = Result<GameRow, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (row, game) = match self.stored.next()? {
            Ok(next) => next,
            Err(error) => return Some(Err(error)),
        };
        let shard = self.stored.shard;
        let Some(play) = &mut self.again else {
            return Some(Ok(GameRow { record: game, shard, row }));
        };
        let record = play(game.game_index);
        let stored = GameRecord { moves: record.moves.clone(), first_move: record.first_move, ..game };
        if stored != record {
            let reason = "the game that its seed gives differs from it; the shard was changed, or written by another version";
            return Some(Err(self.stored.invalid_row(row, reason.to_owned())));
        }
        Some(Ok(GameRow { record, shard, row }))
    }
}

fn player(spec: &DatasetSpec) -> Box<dyn FnMut(u64) -> GameRecord + Send> {
    for_width!(spec.playout.size, W => {
        let mut player = Box::new(Player::<W>::new(spec.playout, spec.census));
        Box::new(move |index| player.play(index).0.clone())
    })
}

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
        let fail = |error| DatasetError::parquet("read", &path, error);
        let file = File::open(&path).map_err(|error| DatasetError::io("read", &path, error))?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(fail)?;
        let expected = schema::schema(spec.moves, spec.census);
        if builder.schema().fields() != expected.fields() {
            let reason = "the columns are not those of the run".to_owned();
            return Err(DatasetError::InvalidShard { path, reason });
        }
        let batches = builder.with_batch_size(BATCH_ROWS).build().map_err(fail)?;
        let games = Vec::new().into_iter();
        Ok(Self { path, spec: spec.clone(), shard, batches: Some(batches), games, next_row: 0 })
    }

    pub(super) fn invalid_row(&self, row: u64, reason: String) -> DatasetError {
        DatasetError::InvalidRow { path: self.path.clone(), row, reason }
    }

    /// Decodes the next rows; `None` at the end.
    fn next_batch(&mut self) -> Option<Result<RecordBatch, DatasetError>> {
        let batch = self.batches.as_mut()?.next()?;
        Some(batch.map_err(|error| DatasetError::parquet("read", &self.path, error.into())))
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
            DatasetError::InvalidShard { path: self.path.clone(), reason }
        })
    }

    fn next_or_error(&mut self) -> Result<Option<(u64, GameRecord)>, DatasetError> {
        loop {
            if let Some(game) = self.games.next() {
                let row = self.next_row;
                self.next_row += 1;
                return self.check(row, game).map(|game| Some((row, game)));
            }
            let Some(batch) = self.next_batch().transpose()? else {
                self.batches = None;
                return self.check_end().map_or(Ok(None), Err);
            };
            let DatasetSpec { moves, census, .. } = self.spec;
            let rows = Rows { batch: &batch, size: self.spec.playout.size, moves, census };
            let games: Vec<_> = (0..batch.num_rows()).map(|row| rows.game(row)).collect();
            self.games = games.into_iter();
        }
    }
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
