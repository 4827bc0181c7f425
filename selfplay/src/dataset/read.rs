//! Reading a dataset game by game.

use std::{
    cell::Cell,
    iter,
    ops::Range,
    panic::{self, AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Once,
};

use jigo_engine::{AnyPosition, for_width};
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    schema::types::TypePtr,
};
use serde_json::Value;

use super::{
    DatasetError, DatasetSpec, MovesColumn, ReplayMode,
    columns::{Row, RowsReader},
    error::At as _,
    game,
    limits::{self, Limits},
    manifest::{self, Layout, Manifest, ShardEntry, SideFile},
    replay::Replayer,
    schema,
};
use crate::{GameRecord, files::open_regular};

/// A dataset that was opened. It need not be complete.
#[derive(Clone, Debug)]
pub struct Dataset {
    pub(super) layout: Layout,
    pub(super) manifest: Manifest,
    pub(super) spec: DatasetSpec,
}

impl Dataset {
    /// Opens the dataset in `dir`: reads its manifest, and none of its games.
    ///
    /// # Errors
    /// [`DatasetError::NotADataset`], [`DatasetError::InvalidManifest`], or what the operating system says.
    pub fn open(dir: &Path) -> Result<Self, DatasetError> {
        let layout = Layout::new(dir);
        let not_found = || DatasetError::not_a_dataset(dir);
        let (manifest, spec) =
            layout.read_manifest(manifest::FORMAT, Manifest::parse)?.ok_or_else(not_found)?;
        Ok(Self { layout, manifest, spec })
    }

    /// Returns what the dataset says of itself.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the run that it holds.
    #[must_use]
    pub fn spec(&self) -> &DatasetSpec {
        &self.spec
    }

    /// Reads the games of one shard in order, with their moves even where the dataset does not store them. After an error there are no more.
    ///
    /// The shard is first read through and compared with its digest, so that no damage goes unnoticed: Parquet itself would not notice most of it.
    /// Memory does not grow with the size of the shard.
    ///
    /// # Errors
    /// [`DatasetError::InvalidShard`] when the shard is missing, damaged or of another run.
    pub fn shard(
        &self,
        shard: u64,
    ) -> Result<impl Iterator<Item = Result<GameRecord, DatasetError>> + Send + '_, DatasetError> {
        let (games, path) = (checked_games(self, shard)?, self.layout.shard(shard));
        let indices = self.spec.shard_range(shard);
        let is_replayed = self.spec.moves == MovesColumn::None;
        let mut replay = is_replayed.then(|| self.spec.run.finished_games(indices.clone()));
        Ok(until_error(games.map(move |game| {
            let game = game?;
            let Some((mut record, position)) = replay.as_mut().and_then(Iterator::next) else {
                return Ok(game);
            };
            record.ownership = self.spec.ownership(&record, AnyPosition::new(&position));
            let moves = record.moves.clone();
            let stored = GameRecord { moves, first_move: record.first_move, ..game };
            if stored == record {
                return Ok(record);
            }
            let row = record.game_index - indices.start;
            let reason = "the game that its seed gives differs from it; the shard was changed, or written by another version";
            Err(DatasetError::InvalidRow(path.clone(), row, reason.to_owned()))
        })))
    }

    /// Reads all games in order. After an error there are no more.
    pub fn games(&self) -> impl Iterator<Item = Result<GameRecord, DatasetError>> + Send + '_ {
        all_games((0..self.spec.shard_count()).map(|shard| self.shard(shard)))
    }
}

/// Ends an iterator after its first error.
fn until_error<T>(
    games: impl Iterator<Item = Result<T, DatasetError>>,
) -> impl Iterator<Item = Result<T, DatasetError>> {
    let mut games = Some(games);
    iter::from_fn(move || {
        let game = games.as_mut()?.next();
        if let Some(Err(_)) = game {
            games = None;
        }
        game
    })
}

/// Reads the games of these shards up to the first error.
pub(super) fn all_games<T, G: Iterator<Item = Result<T, DatasetError>>>(
    shards: impl Iterator<Item = Result<G, DatasetError>>,
) -> impl Iterator<Item = Result<T, DatasetError>> {
    until_error(shards.flat_map(|shard| {
        let (games, error) = shard.map_or_else(|error| (None, Some(Err(error))), |games| (Some(games), None));
        games.into_iter().flatten().chain(error)
    }))
}

/// The shards of a dataset, whatever its games are, and how they are stored.
pub(super) trait Shards: Sync {
    /// One game.
    type Game: Send + Sync;

    /// Whose columns the shard must have, in words.
    const COLUMNS_OF: &'static str;
    /// The most rows decoded at a time: bounds memory.
    const BATCH_ROWS: u64;
    /// What to do about a shard that is not as jigo writes it.
    const REMEDY: &'static str;

    fn layout(&self) -> &Layout;

    /// The fingerprint that the shards state, and the version of jigo that wrote them.
    fn identity(&self) -> (&str, &str);

    /// What the manifest says of the shards once all are there.
    fn listed(&self) -> &[ShardEntry];

    /// The indices of the games of a shard.
    fn indices(&self, shard: u64) -> Range<u64>;

    /// Returns the run, shard and games that the side file of a shard must be about.
    fn place(&self, shard: u64) -> String {
        manifest::place(self.identity().0, shard, self.indices(shard))
    }

    /// Which columns the games have.
    fn columns(&self) -> schema::Columns;

    /// All columns of a shard.
    fn schema(&self) -> TypePtr;

    /// The most that a column may hold in a row group of so many games.
    fn most(&self, column: &str, rows: u64) -> Limits;

    /// The game in a row, or what is wrong with it.
    fn decode(&self, row: Row<'_>) -> Result<Self::Game, String>;

    /// The record of a game, and about how many bytes of texts and visits it has beside.
    fn record(game: &Self::Game) -> (&GameRecord, u64);

    /// Returns a function that replays a game and fails with what is wrong with it.
    fn checker(&self, replay: ReplayMode) -> Checker<'_, Self::Game>;
}

/// Replays a game and fails with what is wrong with it.
pub(super) type Checker<'a, G> = Box<dyn FnMut(&G) -> Result<(), String> + 'a>;

/// The games of a run.
impl Shards for Dataset {
    type Game = GameRecord;

    const COLUMNS_OF: &'static str = "the run";
    const BATCH_ROWS: u64 = 1024;
    const REMEDY: &'static str = "Delete it and play it again by running the command that wrote the dataset";

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn identity(&self) -> (&str, &str) {
        (&self.manifest.run_fingerprint, &self.manifest.run.jigo_version)
    }

    fn listed(&self) -> &[ShardEntry] {
        &self.manifest.shards
    }

    fn indices(&self, shard: u64) -> Range<u64> {
        self.spec.shard_range(shard)
    }

    fn columns(&self) -> schema::Columns {
        schema::Columns::of(&self.spec)
    }

    fn schema(&self) -> TypePtr {
        schema::schema(self.columns(), "")
    }

    fn most(&self, column: &str, rows: u64) -> Limits {
        Limits::for_run(&self.spec, column, rows)
    }

    fn decode(&self, mut row: Row<'_>) -> Result<GameRecord, String> {
        game::decode(&mut row, self.spec.run.config.size, self.columns())
    }

    fn record(game: &GameRecord) -> (&GameRecord, u64) {
        (game, game.searches.iter().flatten().map(|search| size_of_val(&search.visits[..]) as u64).sum())
    }

    fn checker(&self, replay: ReplayMode) -> Checker<'_, GameRecord> {
        for_width!(self.spec.run.config.size, W => {
            let mut replayer = Box::new(Replayer::<W>::new(&self.spec, replay));
            Box::new(move |game| replayer.check(game))
        })
    }
}

/// Reads the games of a shard whose length and digest are what was written, up to the first error.
pub(super) fn checked_games<D: Shards>(
    dataset: &D,
    shard: u64,
) -> Result<impl Iterator<Item = Result<D::Game, DatasetError>> + Send, DatasetError> {
    let path = dataset.layout().shard(shard);
    let entry = entry(dataset, shard)?;
    if manifest::digest(&path)? != (entry.bytes, entry.blake3) {
        let what = match other_identity(dataset, shard) {
            Some((found, expected)) => format!("another run or shard (it says {found}, not {expected})"),
            None => "damaged (its length or BLAKE3 is not what was written)".to_owned(),
        };
        return Err(invalid::<D>(&path, &what));
    }
    stored_games(dataset, shard)
}

/// What the manifest or, before the dataset is complete, the side file says of a shard.
fn entry<D: Shards>(dataset: &D, shard: u64) -> Result<ShardEntry, DatasetError> {
    if let Some(entry) = dataset.listed().get(shard as usize) {
        return Ok(entry.clone());
    }
    let path = dataset.layout().side_file(shard);
    let invalid = |path, reason: &str| DatasetError::InvalidShard(path, reason.to_owned());
    let side_file = if path.exists() { Some(SideFile::read(&path)?) } else { None };
    let Some(side_file) = side_file.filter(|file| !is_outgrown(dataset, shard, file)) else {
        let reason = "not finished yet. Run the command that writes the dataset again to go on";
        return Err(invalid(dataset.layout().shard(shard), reason));
    };
    if side_file.place() != dataset.place(shard) {
        let reason =
            "belongs to another run or shard. Delete it, and run the command that writes the dataset";
        return Err(invalid(path, reason));
    }
    Ok(side_file.entry())
}

/// Whether a side file is about the last shard of the same dataset before it was given more games: the shard is to be played again.
pub(super) fn is_outgrown<D: Shards>(dataset: &D, shard: u64, side_file: &SideFile) -> bool {
    dataset.listed().is_empty() && side_file.is_outgrown(dataset.identity().0, shard, dataset.indices(shard))
}

/// Opens a shard without comparing its digest, checks its columns and their metadata, and reads its games up to the first error.
pub(super) fn stored_games<D: Shards>(
    dataset: &D,
    shard: u64,
) -> Result<impl Iterator<Item = Result<D::Game, DatasetError>> + Send, DatasetError> {
    let (path, indices) = (dataset.layout().shard(shard), dataset.indices(shard));
    let opened = guarded(|| open_rows(dataset, &path, indices.end - indices.start));
    let mut reader = opened.unwrap_or_else(|reason| Err(invalid::<D>(&path, reason)))?;
    let batch_rows = dataset.columns().batch_games().min(D::BATCH_ROWS) as usize;
    let mut next_row = 0;
    let batches = iter::from_fn(move || {
        let decoded = guarded(|| {
            let games = reader.next(batch_rows, |row| dataset.decode(row)).at("read", &path)?;
            let checked = (next_row..).zip(games).map(|(row, game)| {
                let expected = indices.start + row;
                let game = game.and_then(|game| match D::record(&game).0.game_index {
                    found if found == expected => Ok(game),
                    found => Err(format!("game_index is {found}, not {expected}")),
                });
                game.map_err(|reason| DatasetError::InvalidRow(path.clone(), row, reason))
            });
            Ok(checked.collect())
        });
        let decoded = decoded.unwrap_or_else(|reason| Err(invalid::<D>(&path, reason)));
        let games: Vec<_> = decoded.unwrap_or_else(|error| vec![Err(error)]);
        next_row += games.len() as u64;
        (!games.is_empty()).then_some(games)
    });
    Ok(until_error(batches.flatten()))
}

/// Opens a shard of so many games, if its columns are those of its dataset.
fn open_rows<D: Shards>(dataset: &D, path: &Path, games: u64) -> Result<RowsReader, DatasetError> {
    let open = || open_regular(path).at("read", path);
    let invalid = |reason: String| invalid::<D>(path, &reason);
    let mut file = open()?;
    let group_games = dataset.columns().group_games();
    limits::check_metadata_length(&mut file, games, group_games).map_err(invalid)?;
    let reader = SerializedFileReader::new(open()?).at("read", path)?;
    if reader.metadata().file_metadata().schema().get_fields() != dataset.schema().get_fields() {
        return Err(invalid(format!("the columns are not those of {}", D::COLUMNS_OF)));
    }
    let most = |column: &str, rows| dataset.most(column, rows);
    limits::check_pages(&mut file, reader.metadata(), games, group_games, most).map_err(invalid)?;
    Ok(RowsReader::new(reader))
}

/// A shard that is not as jigo writes it.
fn invalid<D: Shards>(path: &Path, reason: &str) -> DatasetError {
    DatasetError::InvalidShard(path.to_owned(), format!("{reason}. {}", D::REMEDY))
}

/// Looks at the metadata of a shard, and returns what it says that it is and what it should be; `None` when they are the same or cannot be read.
pub(super) fn other_identity<D: Shards>(dataset: &D, shard: u64) -> Option<(String, String)> {
    let read = guarded(|| {
        let reader = SerializedFileReader::new(open_regular(&dataset.layout().shard(shard)).ok()?).ok()?;
        let metadata = reader.metadata().file_metadata().key_value_metadata()?;
        let value = |key| metadata.iter().find(|pair| pair.key == key)?.value.clone();
        Some([schema::KEY_RUN_FINGERPRINT, schema::KEY_SHARD, schema::KEY_RUN].map(value))
    });
    let [run, number, all] = read.ok().flatten()?;
    let (run, number) = (run?, number?);
    let (expected_run, expected_version) = dataset.identity();
    if run == expected_run && number == shard.to_string() {
        return None;
    }
    let all: Option<Value> = all.and_then(|all| serde_json::from_str(&all).ok());
    let version =
        all.as_ref().and_then(|all| all["jigo_version"].as_str()).unwrap_or("of an unknown version");
    let words =
        |run: &str, shard: &str, version: &str| format!("run {run}, shard {shard}, by jigo {version}");
    Some((words(&run, &number, version), words(expected_run, &shard.to_string(), expected_version)))
}

thread_local! {
    /// Whether this thread is in [`guarded`].
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs code of the Parquet library; a panic in it is an error, which says what is wrong with the shard, and is not shown.
fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, &'static str> {
    silence();
    let before = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    result.map_err(|_| "cannot be read: the Parquet library gave up on it")
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
        assert_eq!(
            guarded(|| -> u8 { panic!("not shown") }),
            Err("cannot be read: the Parquet library gave up on it")
        );
        assert!(!IS_GUARDED.get());
    }
}
