//! The manifest of imported games, and reading them.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use jigo_engine::Rules;
use parquet::schema::types::TypePtr;
use serde::{Deserialize, Serialize};

use super::{
    super::{
        DatasetError, Provenance, ReplayMode, ShardEntry,
        columns::Row,
        limits::Limits,
        manifest::{FIRST_VERSION, Head, Layout, MAX_MANIFEST_BYTES, fingerprint, from_canonical_json},
        read::{Checker, Shards, all_games, checked_games},
        replay::difference,
        schema,
    },
    ImportedGame, columns,
};
use crate::{GameRecord, files::read_file, sgf};

/// The name of the format.
pub(in crate::dataset) const FORMAT: &str = "jigo-import";
/// The name of the list of faults.
pub(in crate::dataset) const FAULTS: &str = "faults.csv";

/// `manifest.json` of imported games.
///
/// # Stability
/// The bytes are a function of the import and of the files that it reads: no times, no host names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportManifest {
    pub(super) format: String,
    pub(super) format_version: u32,
    /// What was asked for.
    pub import: Import,
    /// BLAKE3 of the import as compact JSON.
    pub run_fingerprint: String,
    /// Whether all games are there.
    pub complete: bool,
    /// The games, once they are all there; 0 before, and so below.
    pub games: u64,
    /// The files they come from.
    pub sources: SourceCounts,
    /// The list of what was left out.
    pub faults: FaultsEntry,
    /// All shards in order.
    pub shards: Vec<ShardEntry>,
}

/// What is imported, by which program and into what shards. `docs/dataset.md` describes the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    jigo_version: String,
    git_commit: String,
    paths: Vec<String>,
    pub(super) shard_games: u64,
    row_group_rows: u64,
    compression: String,
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCounts {
    /// SGF files read.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files in folders and archives that are neither games nor archives.
    pub other_files: u64,
}

/// `faults.csv`: the files and games that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultsEntry {
    /// How many.
    pub faults: u64,
    pub(in crate::dataset) bytes: u64,
    pub(in crate::dataset) blake3: String,
}

impl Import {
    /// Describes an import of these files, folders and archives, named in the order in which they are read. Every shard but the last holds
    /// `shard_games` games; `provenance` is the program that imports.
    #[must_use]
    pub fn new(paths: Vec<String>, shard_games: u64, provenance: Provenance) -> Self {
        Self {
            jigo_version: provenance.version,
            git_commit: provenance.commit,
            paths,
            shard_games,
            row_group_rows: schema::Columns::GIVEN.group_games(),
            compression: schema::COMPRESSION.to_owned(),
        }
    }
}

impl ImportManifest {
    /// Returns the manifest before there are games.
    pub(super) fn new(import: Import) -> Self {
        Self {
            format: FORMAT.to_owned(),
            format_version: FIRST_VERSION,
            run_fingerprint: fingerprint(&import),
            import,
            complete: false,
            games: 0,
            sources: SourceCounts::default(),
            faults: FaultsEntry::default(),
            shards: Vec::new(),
        }
    }

    /// Reads the manifest of an import.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        Head::check(bytes)?;
        let manifest: Self = from_canonical_json(bytes)?;
        if fingerprint(&manifest.import) != manifest.run_fingerprint {
            return Err("the import does not match its fingerprint: the file was changed".to_owned());
        }
        ShardEntry::check_all(&manifest.shards, manifest.games, manifest.import.shard_games)?;
        Ok(manifest)
    }
}

/// Whether the folder says that it holds imported games, finished or not.
#[must_use]
pub fn is_import(dir: &Path) -> bool {
    let bytes = read_file(&Layout::new(dir).manifest(), MAX_MANIFEST_BYTES).ok();
    bytes.and_then(|bytes| Head::read(&bytes).ok()).is_some_and(|head| head.format == FORMAT)
}

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
        let not_found = || DatasetError::not_a_dataset(dir);
        let manifest = layout.read_manifest(FORMAT, ImportManifest::parse)?.ok_or_else(not_found)?;
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
        Err(DatasetError::InvalidShard(dataset.layout.manifest(), reason))
    }

    /// What the folder says of itself.
    #[must_use]
    pub fn manifest(&self) -> &ImportManifest {
        &self.manifest
    }

    /// The list of what was left out, as comma-separated values.
    #[must_use]
    pub fn faults_path(&self) -> PathBuf {
        self.layout.dir.join(FAULTS)
    }

    /// Reads all games in order; every shard is first compared with its digest. After an error there are no more.
    pub fn games(&self) -> impl Iterator<Item = Result<ImportedGame, DatasetError>> + Send + '_ {
        all_games((0..self.manifest.shards.len() as u64).map(|shard| checked_games(self, shard)))
    }
}

impl Shards for ImportedDataset {
    type Game = ImportedGame;

    const COLUMNS_OF: &'static str = "imported games";
    /// Few, since each may be large: together a gigabyte of text at most.
    const BATCH_ROWS: u64 = 16;
    const REMEDY: &'static str = "Import the games again";

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn identity(&self) -> (&str, &str) {
        (&self.manifest.run_fingerprint, &self.manifest.import.jigo_version)
    }

    fn listed(&self) -> &[ShardEntry] {
        &self.manifest.shards
    }

    fn indices(&self, shard: u64) -> Range<u64> {
        let entry = &self.manifest.shards[shard as usize];
        entry.first_game..entry.first_game + entry.games
    }

    fn columns(&self) -> schema::Columns {
        schema::Columns::GIVEN
    }

    fn schema(&self) -> TypePtr {
        schema::schema(self.columns(), &columns::schema())
    }

    fn most(&self, _column: &str, _rows: u64) -> Limits {
        Limits::IMPORTED
    }

    fn decode(&self, row: Row<'_>) -> Result<ImportedGame, String> {
        columns::decode(row)
    }

    fn record(game: &ImportedGame) -> (&GameRecord, u64) {
        (&game.played, game.stored_bytes())
    }

    fn checker(&self, _: ReplayMode) -> Checker<'_, ImportedGame> {
        Box::new(replay_again)
    }
}

/// Plays a game again: fails at a move that breaks the rules, and at a column that does not follow from the moves.
fn replay_again(game: &ImportedGame) -> Result<(), String> {
    let rules: Rules = game.checked_rules.parse().map_err(|error| format!("checked_rules: {error}"))?;
    let replay = sgf::replay(&game.record, rules).map_err(|fault| fault.to_string())?;
    let again = ImportedGame::new(game.record.clone(), &replay, game.source.clone());
    let again = again.map_err(|error| error.to_string())?;
    match difference(&game.played, &again.played) {
        Some(field) => Err(format!("{field} differs from what its moves give")),
        None => Ok(()),
    }
}
