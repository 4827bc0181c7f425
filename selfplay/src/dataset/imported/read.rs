//! Reading imported games.

use std::{
    iter, mem,
    path::{Path, PathBuf},
};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::{
    super::{
        DatasetError, MovesColumn, ShardEntry,
        layout::{self, Layout},
        schema,
        sizes::Most,
        stored::{Stored, StoredGames},
    },
    ImportManifest, ImportedGame, columns,
    decode::ImportedRows,
    manifest,
};

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
        let (bytes, blake3) = layout::digest(&path)?;
        if (bytes, &blake3) != (entry.bytes, &entry.blake3) {
            let reason =
                format!("damaged (its length or BLAKE3 is not what was written). {}", Imported::REMEDY);
            return Err(DatasetError::InvalidShard { path, reason });
        }
        ImportedGames::open(path, entry)
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

/// Imported games, as they are stored.
struct Imported;

impl Stored for Imported {
    type Game = ImportedGame;

    const COLUMNS_OF: &'static str = "imported games";
    /// Few, since each may be large: together a gigabyte of text at most.
    const BATCH_ROWS: usize = 16;
    const REMEDY: &'static str = "Import the games again";

    fn schema(&self) -> SchemaRef {
        schema::schema_with(MovesColumn::List, false, &columns::fields())
    }

    fn most(&self, _column: &str, _rows: u64) -> Most {
        Most::IMPORTED
    }

    fn decode(&self, batch: &RecordBatch, row: usize) -> Result<ImportedGame, String> {
        ImportedRows(batch).game(row)
    }

    fn index(game: &ImportedGame) -> u64 {
        game.played.game_index
    }
}

/// The games of one shard, in order. After an error there are no more.
pub struct ImportedGames(StoredGames<Imported>);

impl ImportedGames {
    /// Opens a shard without comparing its digest, and checks its columns and their metadata.
    pub(super) fn open(path: PathBuf, entry: &ShardEntry) -> Result<Self, DatasetError> {
        let games = entry.first_game..entry.first_game + entry.games;
        StoredGames::open(path, Imported, games).map(Self)
    }
}

impl Iterator for ImportedGames {
    type Item = Result<ImportedGame, DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|game| game.map(|(_, game)| game))
    }
}
