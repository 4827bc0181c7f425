//! Writing imported games, in the order in which they come.

use std::{
    fs, mem,
    path::{Path, PathBuf},
};

use super::{
    super::{
        DatasetError, GamesFile, ShardEntry,
        error::At as _,
        manifest::{self, DATA, DIGESTS, Layout, SideFile, replace_json},
        schema,
        write::begin,
    },
    FaultsEntry, Import, ImportManifest, ImportedGame, SourceCounts, columns,
    read::{FAULTS, FORMAT},
};
use crate::files::{AtomicFile, FolderLock, remove_file, sync_folder};

/// Games that are encoded together at most.
const BATCH_GAMES: usize = GamesFile::<AtomicFile>::BATCH;
/// Bytes of games, as [`ImportedGame::stored_bytes`] counts them, that end a batch before it is full: so no page is much larger.
///
/// # Stability
/// Part of the format: where one batch ends decides how a page is laid out.
pub(in crate::dataset) const BATCH_BYTES: u64 = 4 << 20;

/// Writes imported games to a folder.
///
/// Shards are whole or absent, as in any dataset. The manifest says that the import is complete when [`finish`](Self::finish) has come to its end;
/// the same import may begin again before and after. Until then shards stand aside, so that an import that is given up leaves the games of the
/// one before. Memory: the row group in work.
pub struct ImportWriter {
    layout: Layout,
    _lock: FolderLock,
    /// Not complete, and without shards.
    manifest: ImportManifest,
    shard: Option<OpenShard>,
    finished: Finished,
    /// Games to be encoded together.
    batch: Vec<ImportedGame>,
    batch_bytes: u64,
    games: u64,
}

/// A shard that is being written.
struct OpenShard {
    file: GamesFile<AtomicFile>,
    path: PathBuf,
    first_game: u64,
}

/// Shards that are finished and stand aside; removed when dropped.
struct Finished {
    layout: Layout,
    side_files: Vec<SideFile>,
}

impl Finished {
    /// Where a shard stands until all are there. The name has the form of temporary ones, so that the next writer removes it after a kill.
    fn path(&self, shard: u64) -> PathBuf {
        self.layout.partial().join(format!("shard-{shard:06}.parquet.0-0-0.partial"))
    }

    /// Moves all shards into place, each with its side file.
    fn persist(mut self) -> Result<Vec<ShardEntry>, DatasetError> {
        for (shard, side_file) in (0..).zip(&self.side_files) {
            let target = self.layout.shard(shard);
            fs::rename(self.path(shard), &target).at("move into place", &target)?;
            side_file.write(&self.layout)?;
        }
        let data = self.layout.dir.join(DATA);
        sync_folder(&data).at("flush the directory", &data)?;
        Ok(mem::take(&mut self.side_files).into_iter().map(SideFile::entry).collect())
    }
}

impl Drop for Finished {
    fn drop(&mut self) {
        for shard in 0..self.side_files.len() as u64 {
            // What cannot be removed now the next writer will remove.
            let _ = fs::remove_file(self.path(shard));
        }
    }
}

impl ImportWriter {
    /// Takes a new or empty folder, or one that holds this very import, finished or not: its games stay until [`finish`](Self::finish) replaces them.
    ///
    /// # Errors
    /// [`DatasetError::InUse`]; [`DatasetError::NotEmpty`], [`DatasetError::OtherRun`] or [`DatasetError::InvalidManifest`] when the folder holds
    /// something else; the errors of the operating system.
    ///
    /// # Panics
    /// When shards are to hold no games.
    pub fn create(dir: &Path, import: Import) -> Result<Self, DatasetError> {
        assert!(import.shard_games > 0, "a shard holds at least one game");
        let layout = Layout::new(dir);
        manifest::create_dir(dir)?;
        let lock = FolderLock::new(dir)?;
        let manifest = ImportManifest::new(import);
        begin(&layout, &manifest, &manifest.import, FORMAT, ImportManifest::parse, |found| &found.import)?;
        layout.create()?;
        let finished = Finished { layout: layout.clone(), side_files: Vec::new() };
        let (shard, batch) = (None, Vec::new());
        Ok(Self { layout, _lock: lock, manifest, shard, finished, batch, batch_bytes: 0, games: 0 })
    }

    /// The file for the list of faults, which [`finish`](Self::finish) moves into its place.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn faults_file(&self) -> Result<AtomicFile, DatasetError> {
        self.layout.begin_file(FAULTS)
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// [`DatasetError::File`] when the operating system refuses something.
    pub fn add(&mut self, mut game: ImportedGame) -> Result<(), DatasetError> {
        game.played.game_index = self.games;
        self.games += 1;
        self.batch_bytes += game.stored_bytes();
        self.batch.push(game);
        let is_full = self.games.is_multiple_of(self.manifest.import.shard_games);
        let is_batch = self.batch.len() == BATCH_GAMES || self.batch_bytes >= BATCH_BYTES;
        if is_full || is_batch {
            self.write_batch()?;
        }
        if is_full { self.finish_shard() } else { Ok(()) }
    }

    /// Ends the last shard and the list of so many faults, puts all in the place of what was there, and completes the manifest.
    ///
    /// Whoever is interrupted from the first file moved to the last leaves an import that says that it is not complete.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn finish(
        mut self,
        sources: SourceCounts,
        (faults, file): (u64, AtomicFile),
    ) -> Result<ImportManifest, DatasetError> {
        self.write_batch()?;
        self.finish_shard()?;
        let (bytes, blake3) = file.digest();
        replace_json(&self.layout, &self.layout.manifest(), &self.manifest)?;
        remove_games(&self.layout)?;
        let shards = self.finished.persist()?;
        let path = self.layout.dir.join(FAULTS);
        file.persist(&path).at("write", &path)?;
        let (games, faults) = (self.games, FaultsEntry { faults, bytes, blake3 });
        let manifest = ImportManifest { complete: true, games, sources, faults, shards, ..self.manifest };
        replace_json(&self.layout, &self.layout.manifest(), &manifest)?;
        self.layout.remove_partial_dir();
        Ok(manifest)
    }

    fn write_batch(&mut self) -> Result<(), DatasetError> {
        let Some(first) = self.batch.first() else { return Ok(()) };
        let first_game = first.played.game_index;
        let mut shard = match self.shard.take() {
            Some(shard) => shard,
            None => self.begin_shard(first_game)?,
        };
        let (now, later) = self.batch.split_at(self.batch.len().min(shard.file.room()));
        for games in [now, later].into_iter().filter(|games| !games.is_empty()) {
            let played = games.iter().map(|game| (game.record.game.size, &game.played));
            shard.file.write(played, columns::columns(games)).at("write", &shard.path)?;
        }
        self.batch.clear();
        self.batch_bytes = 0;
        self.shard = Some(shard);
        Ok(())
    }

    fn begin_shard(&self, first_game: u64) -> Result<OpenShard, DatasetError> {
        let index = self.finished.side_files.len() as u64;
        let file = self.layout.begin_file(&format!("shard-{index:06}.parquet"))?;
        let path = file.path().to_owned();
        let ImportManifest { import, run_fingerprint, .. } = &self.manifest;
        let metadata = schema::shard_metadata(import, run_fingerprint, index);
        let file = GamesFile::new(file, &columns::schema(), metadata).at("write", &path)?;
        Ok(OpenShard { file, path, first_game })
    }

    fn finish_shard(&mut self) -> Result<(), DatasetError> {
        let Some(OpenShard { file, path, first_game }) = self.shard.take() else { return Ok(()) };
        let shard = self.finished.side_files.len() as u64;
        let written = file.finish().at("write", &path)?;
        let ((bytes, blake3), path) = (written.digest(), self.finished.path(shard));
        written.persist(&path).at("write", &path)?;
        let run_fingerprint = self.manifest.run_fingerprint.clone();
        let side_file =
            SideFile { shard, first_game, games: self.games - first_game, bytes, blake3, run_fingerprint };
        self.finished.side_files.push(side_file);
        Ok(())
    }
}

/// Removes shards, side files and the list of faults; nothing that an import does not write.
fn remove_games(layout: &Layout) -> Result<(), DatasetError> {
    let mut paths = vec![layout.dir.join(FAULTS)];
    for (folder, end) in [(DATA, ".parquet"), (DIGESTS, ".json")] {
        let folder = layout.dir.join(folder);
        let names = manifest::names(&folder)?;
        let ours = names.iter().filter(|name| name.starts_with("shard-") && name.ends_with(end));
        paths.extend(ours.map(|name| folder.join(name)));
    }
    paths.iter().try_for_each(|path| remove_file(path).at("remove", path))
}
