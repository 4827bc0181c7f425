//! Reading imported games.

use std::{
    fs::File,
    iter, mem,
    path::{Path, PathBuf},
    vec,
};

use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::{
    super::{DatasetError, MovesColumn, ShardEntry, files, layout::Layout, read::BATCH_ROWS, schema},
    ImportManifest, ImportedGame, columns,
    decode::ImportedRows,
    manifest,
};
use crate::Census;

/// A folder of imported games that was opened for reading.
#[derive(Clone, Debug)]
pub struct ImportedDataset {
    layout: Layout,
    manifest: ImportManifest,
}

impl ImportedDataset {
    /// Opens the folder: reads its manifest, and none of its games. An import that was interrupted can be opened and has no games.
    ///
    /// # Errors
    /// [`DatasetError::NotADataset`], [`DatasetError::InvalidManifest`], or what the operating system says.
    pub fn open(dir: &Path) -> Result<Self, DatasetError> {
        let layout = Layout::new(dir);
        let not_found = || DatasetError::NotADataset { dir: dir.to_owned() };
        let manifest = ImportManifest::read(&layout)?.ok_or_else(not_found)?;
        Ok(Self { layout, manifest })
    }

    /// Opens the folder of an import that is complete.
    ///
    /// # Errors
    /// As [`open`](Self::open), and [`DatasetError::InvalidShard`] when the import was interrupted.
    pub fn open_complete(dir: &Path) -> Result<Self, DatasetError> {
        let dataset = Self::open(dir)?;
        if dataset.manifest.complete {
            return Ok(dataset);
        }
        let reason = "the import was interrupted. Run the same command again".to_owned();
        Err(DatasetError::InvalidShard { path: dataset.layout.manifest(), reason })
    }

    /// What the folder says of itself.
    #[must_use]
    pub fn manifest(&self) -> &ImportManifest {
        &self.manifest
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The list of what was left out, as comma-separated values.
    #[must_use]
    pub fn faults_path(&self) -> PathBuf {
        self.layout.dir().join(manifest::FAULTS)
    }

    /// The games of one shard, in order, which is first compared with its digest.
    ///
    /// # Errors
    /// [`DatasetError::InvalidShard`] when the shard is missing, damaged or of another import.
    ///
    /// # Panics
    /// When there is no such shard.
    pub fn shard(&self, shard: u64) -> Result<ImportedGames, DatasetError> {
        let (entry, path) = (&self.manifest.shards[shard as usize], self.layout.shard(shard));
        let (bytes, blake3) = files::digest(&path)?;
        if (bytes, &blake3) != (entry.bytes, &entry.blake3) {
            let reason = "damaged (its length or BLAKE3 is not what was written). Import the games again";
            return Err(DatasetError::InvalidShard { path, reason: reason.to_owned() });
        }
        ImportedGames::open(path, entry.clone())
    }

    /// All games, in order. After an error there are no more.
    pub fn games(&self) -> impl Iterator<Item = Result<ImportedGame, DatasetError>> + '_ {
        let shards = (0..self.manifest.shards.len() as u64).map(|shard| self.shard(shard));
        let games = shards.flat_map(|shard| match shard {
            Ok(games) => Box::new(games) as Box<dyn Iterator<Item = Result<ImportedGame, DatasetError>>>,
            Err(error) => Box::new(iter::once(Err(error))),
        });
        let mut failed = false;
        games.take_while(move |game| !mem::replace(&mut failed, game.is_err()))
    }
}

/// The games of one shard, in order. After an error there are no more.
pub struct ImportedGames {
    path: PathBuf,
    entry: ShardEntry,
    batches: Option<ParquetRecordBatchReader>,
    games: vec::IntoIter<Result<ImportedGame, String>>,
    next_row: u64,
}

impl ImportedGames {
    /// Opens a shard without comparing its digest, and checks its columns.
    pub(super) fn open(path: PathBuf, entry: ShardEntry) -> Result<Self, DatasetError> {
        let fail = |error| DatasetError::parquet("read", &path, error);
        let file = File::open(&path).map_err(|error| DatasetError::io("read", &path, error))?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(fail)?;
        let expected = schema::schema_with(MovesColumn::List, Census::Draws, &columns::fields());
        if builder.schema().fields() != expected.fields() {
            let reason = "the columns are not those of imported games".to_owned();
            return Err(DatasetError::InvalidShard { path, reason });
        }
        let batches = builder.with_batch_size(BATCH_ROWS).build().map_err(fail)?;
        Ok(Self { path, entry, batches: Some(batches), games: Vec::new().into_iter(), next_row: 0 })
    }

    fn next_or_error(&mut self) -> Result<Option<ImportedGame>, DatasetError> {
        loop {
            if let Some(game) = self.games.next() {
                let row = self.next_row;
                self.next_row += 1;
                let expected = self.entry.first_game + row;
                let game = game.and_then(|game| match game.played.game_index {
                    found if found == expected => Ok(game),
                    found => Err(format!("game_index is {found}, not {expected}")),
                });
                let path = || self.path.clone();
                return game.map(Some).map_err(|reason| DatasetError::InvalidRow {
                    path: path(),
                    row,
                    reason,
                });
            }
            let Some(batch) = self.batches.as_mut().and_then(Iterator::next) else {
                self.batches = None;
                let (found, games) = (self.next_row, self.entry.games);
                let (path, reason) = (self.path.clone(), format!("{found} games, not {games}"));
                return if found == games {
                    Ok(None)
                } else {
                    Err(DatasetError::InvalidShard { path, reason })
                };
            };
            let batch = batch.map_err(|error| DatasetError::parquet("read", &self.path, error.into()))?;
            let rows = ImportedRows(&batch);
            let games: Vec<_> = (0..batch.num_rows()).map(|row| rows.game(row)).collect();
            self.games = games.into_iter();
        }
    }
}

impl Iterator for ImportedGames {
    type Item = Result<ImportedGame, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.as_ref()?;
        let next = self.next_or_error();
        if next.is_err() {
            self.batches = None;
        }
        next.transpose()
    }
}
