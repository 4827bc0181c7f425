//! Reading imported games.

use std::{
    fs::File,
    iter, mem,
    path::{Path, PathBuf},
    vec,
};

use arrow_schema::ArrowError;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::{
    super::{
        DatasetError, MovesColumn, ShardEntry, files,
        guard::{GaveUp, guarded},
        layout::Layout,
        schema,
        sizes::{self, Most},
        stored::BATCH_ROWS,
    },
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
            return Err(invalid(&path, "damaged (its length or BLAKE3 is not what was written)"));
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
    /// Opens a shard without comparing its digest, and checks its columns and their metadata.
    pub(super) fn open(path: PathBuf, entry: ShardEntry) -> Result<Self, DatasetError> {
        let opened = guarded(|| open_batches(&path, entry.games));
        let batches = opened.unwrap_or_else(|GaveUp| Err(invalid(&path, GaveUp::REASON)))?;
        Ok(Self { path, entry, batches: Some(batches), games: Vec::new().into_iter(), next_row: 0 })
    }

    /// Decodes the next rows; `None` at the end.
    fn next_batch(&mut self) -> Result<Option<Vec<Result<ImportedGame, String>>>, DatasetError> {
        let Some(batches) = &mut self.batches else { return Ok(None) };
        let fail = |error: ArrowError| DatasetError::parquet("read", &self.path, error.into());
        let games = guarded(|| {
            let Some(batch) = batches.next().transpose().map_err(fail)? else { return Ok(None) };
            let rows = ImportedRows(&batch);
            Ok(Some((0..batch.num_rows()).map(|row| rows.game(row)).collect()))
        });
        games.unwrap_or_else(|GaveUp| Err(invalid(&self.path, GaveUp::REASON)))
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
            let Some(games) = self.next_batch()? else {
                self.batches = None;
                let (found, games) = (self.next_row, self.entry.games);
                let too_few = || invalid(&self.path, &format!("{found} games, not {games}"));
                return if found == games { Ok(None) } else { Err(too_few()) };
            };
            self.games = games.into_iter();
        }
    }
}

/// Opens a shard, if its columns are those of imported games.
fn open_batches(path: &Path, games: u64) -> Result<ParquetRecordBatchReader, DatasetError> {
    let fail = |error| DatasetError::parquet("read", path, error);
    let open = || File::open(path).map_err(|error| DatasetError::io("read", path, error));
    let mut file = open()?;
    sizes::check_metadata_length(&mut file, games).map_err(|reason| invalid(path, &reason))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(open()?).map_err(fail)?;
    let expected = schema::schema_with(MovesColumn::List, Census::Draws, &columns::fields());
    if builder.schema().fields() != expected.fields() {
        return Err(invalid(path, "the columns are not those of imported games"));
    }
    sizes::check_pages(&mut file, builder.metadata(), games, |_, _| Most::IMPORTED)
        .map_err(|reason| invalid(path, &reason))?;
    builder.with_batch_size(BATCH_ROWS).build().map_err(fail)
}

/// A shard that is not as jigo writes it.
fn invalid(path: &Path, reason: &str) -> DatasetError {
    let reason = format!("{reason}. Import the games again");
    DatasetError::InvalidShard { path: path.to_owned(), reason }
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
