//! Reading a dataset game by game.

use std::{
    cell::Cell,
    fs::File,
    iter, mem,
    ops::Range,
    panic::{self, AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Once,
    vec,
};

use jigo_engine::for_width;
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    schema::types::TypePtr,
};
use serde_json::Value;

use super::{
    DatasetError, DatasetSpec, MovesColumn,
    columns::{Row, RowsReader},
    game,
    limits::{self, Limits},
    manifest::{self, Layout, Manifest, ShardEntry, SideFile},
    schema,
};
use crate::{GameRecord, RunConfig, playout::Playouts};

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
        let (bytes, blake3) = manifest::digest(&path)?;
        if (bytes, &blake3) != (entry.bytes, &entry.blake3) {
            let what = match other_identity(&self.manifest, shard, &path) {
                Some(OtherIdentity { found, expected }) => {
                    format!("another run or shard (it says {found}, not {expected})")
                }
                None => "damaged (its length or BLAKE3 is not what was written)".to_owned(),
            };
            let reason = format!("{what}. {}", DatasetSpec::REMEDY);
            return Err(DatasetError::InvalidShard { path, reason });
        }
        let again = (self.spec.moves == MovesColumn::None).then(|| player(&self.spec));
        let stored = StoredGames::open(path, self.spec.clone(), self.spec.shard_range(shard))?;
        Ok(ShardGames { shard, stored, again })
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
    shard: u64,
    stored: StoredGames<DatasetSpec>,
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
        let shard = self.shard;
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
    for_width!(spec.run.config.size, W => {
        let mut player = Box::new(Playouts::<W>::new(&spec.run));
        Box::new(move |index| player.play(index).0.clone())
    })
}

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
    fn schema(&self) -> TypePtr;

    /// The most that a column may hold in a row group of so many games.
    fn most(&self, column: &str, rows: u64) -> Limits;

    /// The game in a row, or what is wrong with it.
    fn decode(&self, row: Row<'_>) -> Result<Self::Game, String>;

    /// The index of a game.
    fn index(game: &Self::Game) -> u64;
}

/// The games of a run.
impl Stored for DatasetSpec {
    type Game = GameRecord;

    const COLUMNS_OF: &'static str = "the run";
    const BATCH_ROWS: usize = 1024;
    const REMEDY: &'static str = "Delete it and play it again by running the command that wrote the dataset";

    fn schema(&self) -> TypePtr {
        schema::schema(self.moves, self.run.config.count_forbidden, "")
    }

    fn most(&self, column: &str, rows: u64) -> Limits {
        Limits::of_run(self, column, rows)
    }

    fn decode(&self, mut row: Row<'_>) -> Result<GameRecord, String> {
        let RunConfig { size, count_forbidden, .. } = self.run.config;
        game::decode(&mut row, size, self.moves, count_forbidden)
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
    rows: Option<RowsReader>,
    decoded: vec::IntoIter<Result<K::Game, String>>,
    next_row: u64,
}

impl<K: Stored> StoredGames<K> {
    /// Opens a shard of these games without comparing its digest, and checks its columns and their metadata.
    pub(super) fn open(path: PathBuf, kind: K, games: Range<u64>) -> Result<Self, DatasetError> {
        let opened = guarded(|| open_rows(&path, &kind, games.end - games.start));
        let rows = opened.unwrap_or_else(|GaveUp| Err(invalid::<K>(&path, GaveUp::REASON)))?;
        Ok(Self { path, kind, games, rows: Some(rows), decoded: Vec::new().into_iter(), next_row: 0 })
    }

    pub(super) fn invalid_row(&self, row: u64, reason: String) -> DatasetError {
        DatasetError::InvalidRow { path: self.path.clone(), row, reason }
    }

    /// Decodes the next rows; `false` at the end.
    fn decode_next(&mut self) -> Result<bool, DatasetError> {
        let Some(reader) = &mut self.rows else { return Ok(false) };
        let fail = |error| DatasetError::parquet("read", &self.path, error);
        let decoded = guarded(|| {
            let Some(rows) = reader.next(K::BATCH_ROWS).map_err(fail)? else { return Ok(None) };
            let games = (0..rows.count).map(|row| self.kind.decode(rows.row(row)));
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
                self.rows = None;
                return self.check_end().map(|()| None);
            }
        }
    }
}

/// Opens a shard of so many games, if its columns are those of its kind.
fn open_rows<K: Stored>(path: &Path, kind: &K, games: u64) -> Result<RowsReader, DatasetError> {
    let open = || File::open(path).map_err(|error| DatasetError::io("read", path, error));
    let invalid = |reason: String| invalid::<K>(path, &reason);
    let mut file = open()?;
    limits::check_metadata_length(&mut file, games).map_err(invalid)?;
    let reader =
        SerializedFileReader::new(open()?).map_err(|error| DatasetError::parquet("read", path, error))?;
    if reader.metadata().file_metadata().schema().get_fields() != kind.schema().get_fields() {
        return Err(invalid(format!("the columns are not those of {}", K::COLUMNS_OF)));
    }
    let most = |column: &str, rows| kind.most(column, rows);
    limits::check_pages(&mut file, reader.metadata(), games, most).map_err(invalid)?;
    Ok(RowsReader::new(reader))
}

/// A shard that is not as jigo writes it, though its digest is.
fn invalid<K: Stored>(path: &Path, reason: &str) -> DatasetError {
    DatasetError::InvalidShard { path: path.to_owned(), reason: format!("{reason}. {}", K::REMEDY) }
}

impl<K: Stored> Iterator for StoredGames<K> {
    type Item = Result<(u64, K::Game), DatasetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.as_ref()?;
        let next = self.next_or_error();
        if next.is_err() {
            self.rows = None;
        }
        next.transpose()
    }
}

/// A shard that is another one than its place says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OtherIdentity {
    /// What it says of itself.
    pub(super) found: String,
    /// What it should say.
    pub(super) expected: String,
}

/// Looks at the metadata of a shard; `None` when they cannot be read, or name this run and shard.
pub(super) fn other_identity(manifest: &Manifest, shard: u64, path: &Path) -> Option<OtherIdentity> {
    let words =
        |run: &str, shard: &str, version: &str| format!("run {run}, shard {shard}, by jigo {version}");
    let read = guarded(|| {
        let reader = SerializedFileReader::new(File::open(path).ok()?).ok()?;
        let metadata = reader.metadata().file_metadata().key_value_metadata()?;
        let value = |key| metadata.iter().find(|pair| pair.key == key)?.value.clone();
        Some([schema::KEY_RUN_FINGERPRINT, schema::KEY_SHARD, schema::KEY_RUN].map(value))
    });
    let [run, number, all] = read.ok().flatten()?;
    let (run, number) = (run?, number?);
    if run == manifest.run_fingerprint && number == shard.to_string() {
        return None;
    }
    let all: Option<Value> = all.and_then(|all| serde_json::from_str(&all).ok());
    let version =
        all.as_ref().and_then(|all| all["jigo_version"].as_str()).unwrap_or("of an unknown version");
    let expected = words(&manifest.run_fingerprint, &shard.to_string(), &manifest.run.jigo_version);
    Some(OtherIdentity { found: words(&run, &number, version), expected })
}

/// The library panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

impl GaveUp {
    /// What is wrong with the shard.
    pub(super) const REASON: &str = "cannot be read: the Parquet library gave up on it";
}

thread_local! {
    /// Whether this thread is in [`guarded`].
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs code of the Parquet library; a panic in it is an error, and is not shown.
pub(super) fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, GaveUp> {
    silence();
    let before = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    result.map_err(|_| GaveUp)
}

/// Makes panics of guarded threads silent; all others are shown as before.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let show = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                show(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(|| -> u8 { panic!("not shown") }), Err(GaveUp));
        assert!(!IS_GUARDED.get());
    }
}
