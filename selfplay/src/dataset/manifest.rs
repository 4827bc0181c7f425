//! Where the files of a dataset are, its manifest, which describes the run, and the side files, which hold the digests of the shards.

use std::{
    fs::{self, File},
    io::{self, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use jigo_engine::RuleSet;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{DatasetError, DatasetSpec, Difference, Provenance, error::At as _, imported, schema};
use crate::{
    Run, RunConfig,
    config::is_zero,
    files::{self, AtomicFile, read_file, sync_folder},
    fingerprint::rules_fingerprint,
};

/// The folder of the shards, and of nothing else: some readers take in every file of a folder.
pub(super) const DATA: &str = "data";
/// The folder of the side files.
pub(super) const DIGESTS: &str = "digests";
/// The folder of files that are being written.
pub(super) const PARTIAL: &str = "partial";
/// The manifest's name.
pub(super) const MANIFEST: &str = "manifest.json";

/// The paths of one dataset.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) dir: PathBuf,
}

impl Layout {
    pub(super) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.dir.join(MANIFEST)
    }

    /// Reads the manifest of this format; `None` when there is none.
    pub(super) fn read_manifest<T>(
        &self,
        format: &str,
        parse: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Option<T>, DatasetError> {
        let path = self.manifest();
        match read_file(&path, MAX_MANIFEST_BYTES) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            bytes => {
                let bytes = bytes.at("read", &path)?;
                if let Some(found) = Head::read(&bytes).ok().filter(|head| head.format != format) {
                    return Err(DatasetError::OtherKind(self.dir.clone(), kind(&found.format), kind(format)));
                }
                let parsed = parse(&bytes);
                parsed.map(Some).map_err(|reason| DatasetError::InvalidManifest(path, reason))
            }
        }
    }

    pub(super) fn partial(&self) -> PathBuf {
        self.dir.join(PARTIAL)
    }

    pub(super) fn shard(&self, shard: u64) -> PathBuf {
        self.dir.join(shard_file(shard))
    }

    pub(super) fn side_file(&self, shard: u64) -> PathBuf {
        self.dir.join(side_file(shard))
    }

    /// Creates all folders, and removes what killed writers left unfinished.
    pub(super) fn create(&self) -> Result<(), DatasetError> {
        for folder in [DATA, DIGESTS, PARTIAL] {
            create_dir(&self.dir.join(folder))?;
        }
        sync_folder(&self.dir).at("flush the directory", &self.dir)?;
        AtomicFile::remove_stale(&self.partial()).at("clean", &self.partial())
    }

    /// Opens the folder, for a lock that holds until the file is dropped: shared by writers that put files into place, exclusive for the one that raises
    /// the number of games. `None` where folders have no locks.
    pub(super) fn lock(&self, lock: fn(&File) -> io::Result<()>) -> Option<File> {
        File::open(&self.dir).ok().filter(|folder| lock(folder).is_ok())
    }

    /// Begins a file that will be called `name` somewhere in the dataset.
    pub(super) fn begin_file(&self, name: &str) -> Result<AtomicFile, DatasetError> {
        let folder = self.partial();
        loop {
            create_dir(&folder)?;
            match AtomicFile::create_in(&folder, name) {
                // Another writer was done and removed the empty folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                file => return file.at("create a file in", &folder),
            }
        }
    }

    /// Removes what killed writers left unfinished, and the folder if it is empty then: other writers may still be at work.
    pub(super) fn remove_partial_dir(&self) {
        // What cannot be removed now the next writer removes.
        _ = AtomicFile::remove_stale(&self.partial());
        _ = fs::remove_dir(self.partial());
    }
}

/// Length and BLAKE3 of a file's contents.
pub(super) fn digest(path: &Path) -> Result<(u64, String), DatasetError> {
    files::file_digest(path).at("read", path)
}

/// The path of a shard from the dataset's directory, with `/` on every system: part of the manifest.
pub(super) fn shard_file(shard: u64) -> String {
    format!("{DATA}/shard-{shard:06}.parquet")
}

/// The path of a shard's side file from the dataset's directory.
pub(super) fn side_file(shard: u64) -> String {
    format!("{DIGESTS}/shard-{shard:06}.json")
}

/// Creates a folder if it is not there. Another writer may remove it at any time.
pub(super) fn create_dir(path: &Path) -> Result<(), DatasetError> {
    let is_no_folder =
        |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| !found.is_dir() && !path.is_dir());
    loop {
        match fs::create_dir_all(path) {
            // It was there, and was removed before the library could see that it is a folder.
            Err(error)
                if error.kind() == io::ErrorKind::AlreadyExists && !path.ancestors().any(is_no_folder) => {}
            result => return result.at("create the directory", path),
        }
    }
}

/// The names in a directory, sorted; none when it does not exist.
pub(super) fn names(dir: &Path) -> Result<Vec<String>, DatasetError> {
    files::file_names(dir).at("list", dir)
}

/// Returns in words what a folder holds whose manifest states this format.
fn kind(format: &str) -> String {
    match format {
        FORMAT => "a dataset of `jigo play`".to_owned(),
        imported::FORMAT => "imported games".to_owned(),
        match_format if match_format.starts_with("jigo match ") => "a match".to_owned(),
        other => format!("`{other}`"),
    }
}

/// The name of the format.
pub(super) const FORMAT: &str = "jigo-dataset";
/// The version of datasets with ownership, and the newest that this program reads.
pub const FORMAT_VERSION: u32 = 4;
/// The version of datasets without it, which older programs read too.
const PLAIN_VERSION: u32 = 3;
/// The version of imports and of the columns of shards, and the oldest version of datasets that this program reads.
pub(super) const FIRST_VERSION: u32 = 1;
/// How the seed of a game follows from the run's seed and the game's index.
const fn seed_scheme(handicap: u32) -> &'static str {
    match handicap {
        0 => "mix64(mix64(run_seed) + game_index)",
        _ => "mix64(mix64(mix64(run_seed) xor handicap) + game_index)",
    }
}
/// How the draws follow from the seed. See `docs/playouts.md`.
const STREAM: &str = "mix64/xoshiro128++/16-bit draws";

/// The most bytes of a manifest: an entry for each of the most shards there may be.
pub(super) const MAX_MANIFEST_BYTES: u64 = 400 * DatasetSpec::MAX_SHARDS;
/// The most bytes of a side file.
const MAX_SIDE_FILE_BYTES: u64 = 1 << 16;

/// `manifest.json`: what the dataset is, and, once it is complete, what its files must be.
///
/// # Stability
/// The bytes are a function of the run: no times, no host names, no paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub(super) format: String,
    pub(super) format_version: u32,
    /// The run.
    pub run: RunDescription,
    /// BLAKE3 of the run as compact JSON, since version 3 without the number of games.
    pub run_fingerprint: String,
    /// Whether all shards are there.
    pub complete: bool,
    /// All shards in order, once they are all there; empty before.
    pub shards: Vec<ShardEntry>,
}

/// Everything that determines the bytes of a dataset, or, without the number of games, those of its full shards, in words. `docs/dataset.md` describes the fields; [`Dataset::spec`](super::Dataset::spec) has their
/// values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunDescription {
    pub(super) jigo_version: String,
    git_commit: String,
    seed_scheme: String,
    stream: String,
    size: String,
    rules: String,
    /// As [`RuleSet::stated_name`], since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule_set: Option<String>,
    rules_fingerprint: String,
    policy: String,
    /// In decimal; as text, because many readers of JSON round numbers above 2^53.
    run_seed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    ply_cap: u32,
    census: String,
    /// Absent from even games; since version 2.
    #[serde(default, skip_serializing_if = "is_zero")]
    handicap: u32,
    shard_games: u64,
    moves: String,
    /// Since version 4.
    #[serde(default, skip_serializing_if = "is_false")]
    ownership: bool,
    row_group_rows: u64,
    compression: String,
}

/// Whether a value need not be stored.
fn is_false(value: &bool) -> bool {
    !value
}

/// The values of [`RunDescription::census`].
const COUNTS_SAMPLED: &str = "draws";
const COUNTS_CANDIDATES: &str = "candidates";

/// One shard in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardEntry {
    /// Path from the dataset's directory.
    pub file: String,
    /// Index of the first game.
    pub first_game: u64,
    /// Number of games.
    pub games: u64,
    /// Length of the file.
    pub bytes: u64,
    /// BLAKE3 of the file.
    pub blake3: String,
}

/// A side file: the entry of one shard before all are there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SideFile {
    pub(super) shard: u64,
    pub(super) first_game: u64,
    pub(super) games: u64,
    pub(super) bytes: u64,
    pub(super) blake3: String,
    pub(super) run_fingerprint: String,
}

/// What tells the kind of a manifest.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) format: String,
    /// Absent from formats that are not of datasets.
    #[serde(default)]
    format_version: u32,
}

impl Head {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("not a manifest: {error}"))
    }

    /// Refuses a manifest of another version.
    pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
        let Self { format, format_version } = Self::read(bytes)?;
        if (FIRST_VERSION..=FORMAT_VERSION).contains(&format_version) {
            return Ok(());
        }
        Err(format!(
            "{format} version {format_version}; this jigo reads {format} version {FIRST_VERSION} to {FORMAT_VERSION}: use the jigo that wrote it"
        ))
    }
}

impl Manifest {
    /// The manifest of a dataset that has no shards yet.
    pub(super) fn new(spec: &DatasetSpec) -> Self {
        let run = RunDescription::new(spec);
        Self {
            format: FORMAT.to_owned(),
            format_version: if spec.ownership { FORMAT_VERSION } else { PLAIN_VERSION },
            run_fingerprint: fingerprint(&run.without_games()),
            run,
            complete: false,
            shards: Vec::new(),
        }
    }

    /// Reads the manifest of a dataset and the spec that it describes.
    pub(super) fn parse(bytes: &[u8]) -> Result<(Self, DatasetSpec), String> {
        Head::check(bytes)?;
        let manifest: Self = from_canonical_json(bytes)?;
        let expected = match manifest.format_version {
            ..PLAIN_VERSION => fingerprint(&manifest.run),
            _ => fingerprint(&manifest.run.without_games()),
        };
        if expected != manifest.run_fingerprint {
            return Err("the run does not match its fingerprint: the file was changed".to_owned());
        }
        if manifest.run.ownership != (manifest.format_version == FORMAT_VERSION) {
            return Err(format!(
                "ownership is stored in version {FORMAT_VERSION} and in no other: the file was changed"
            ));
        }
        let spec = manifest.run.spec()?;
        let games = if manifest.complete { spec.games } else { 0 };
        ShardEntry::check_all(&manifest.shards, games, spec.shard_games)?;
        Ok((manifest, spec))
    }
}

impl RunDescription {
    /// What the bytes of a full shard depend on.
    pub(super) fn without_games(&self) -> Self {
        Self { games: None, ..self.clone() }
    }

    /// The run in words.
    fn new(spec: &DatasetSpec) -> Self {
        let Run { config, seed } = spec.run;
        let census = if config.count_forbidden { COUNTS_CANDIDATES } else { COUNTS_SAMPLED };
        Self {
            jigo_version: spec.provenance.version.clone(),
            git_commit: spec.provenance.commit.clone(),
            seed_scheme: seed_scheme(config.handicap).to_owned(),
            stream: STREAM.to_owned(),
            size: config.size.to_string(),
            rules: config.rules.canonical(),
            rule_set: config.rules.stated_name(),
            rules_fingerprint: rules_fingerprint(*config.rules),
            policy: config.policy.to_string(),
            run_seed: seed.to_string(),
            games: Some(spec.games),
            ply_cap: config.ply_cap,
            census: census.to_owned(),
            handicap: config.handicap,
            shard_games: spec.shard_games,
            moves: spec.moves.to_string(),
            ownership: spec.ownership,
            row_group_rows: schema::Columns::of(spec).group_games(),
            compression: schema::COMPRESSION.to_owned(),
        }
    }

    /// The run that these words describe; an error when this program could not write exactly the same words.
    fn spec(&self) -> Result<DatasetSpec, String> {
        let rules = self.rules.parse().map_err(|error| format!("rules: {error}"))?;
        let config = RunConfig::new(
            self.size.parse().map_err(|error| format!("size: {error}"))?,
            RuleSet::restore(rules, self.rule_set.as_deref()),
            self.policy.parse().map_err(|error| format!("policy: {error}"))?,
        );
        let config = config.with_handicap(self.handicap).map_err(|error| format!("handicap: {error}"))?;
        let config =
            RunConfig { ply_cap: self.ply_cap, count_forbidden: self.census == COUNTS_CANDIDATES, ..config };
        let spec = DatasetSpec {
            run: config.seed(self.run_seed.parse().map_err(|error| format!("run_seed: {error}"))?),
            games: self.games.ok_or("the number of games is missing")?,
            shard_games: self.shard_games,
            moves: self.moves.parse().map_err(|error| format!("moves: {error}"))?,
            ownership: self.ownership,
            provenance: Provenance { version: self.jigo_version.clone(), commit: self.git_commit.clone() },
        };
        spec.validate().map_err(|error| error.to_string())?;
        match differences(&Self::new(&spec), self).as_slice() {
            [] => Ok(spec),
            [first, ..] => Err(format!("this jigo cannot read it: {first}")),
        }
    }
}

impl ShardEntry {
    /// Checks that these are the entries of all shards of `games` games, of which each shard but the last has `shard_games`.
    pub(super) fn check_all(entries: &[Self], games: u64, shard_games: u64) -> Result<(), String> {
        let mut first_game = 0;
        for (shard, entry) in (0..).zip(entries) {
            let expected = shard_games.min(games - first_game);
            let is_so = entry.file == shard_file(shard) && entry.first_game == first_game;
            if !is_so || entry.games != expected || expected == 0 {
                return Err(format!("the entry of shard {shard} is not that of {games} games"));
            }
            first_game += expected;
        }
        if first_game != games {
            return Err(format!("{games} games, but the shards have {first_game}"));
        }
        Ok(())
    }
}

impl SideFile {
    /// Reads the side file of a shard.
    pub(super) fn read(path: &Path) -> Result<Self, DatasetError> {
        let bytes = read_file(path, MAX_SIDE_FILE_BYTES).at("read", path)?;
        from_canonical_json(&bytes).map_err(|reason| DatasetError::InvalidShard(path.to_owned(), reason))
    }

    /// Writes the side file into place.
    pub(super) fn write(&self, layout: &Layout) -> Result<(), DatasetError> {
        replace_json(layout, &layout.side_file(self.shard), self)
    }

    /// Returns the run, shard and games that the file is about, by its own account.
    pub(super) fn place(&self) -> String {
        let games = self.first_game..self.first_game.saturating_add(self.games);
        place(&self.run_fingerprint, self.shard, games)
    }

    /// Returns whether the shard was the last of this run, and the run has more games now.
    pub(super) fn is_outgrown(&self, run: &str, shard: u64, games: Range<u64>) -> bool {
        let is_shorter = self.games < games.end.saturating_sub(games.start);
        is_shorter && (&*self.run_fingerprint, self.shard, self.first_game) == (run, shard, games.start)
    }

    /// The shard's entry in the manifest.
    pub(super) fn entry(self) -> ShardEntry {
        let Self { shard, first_game, games, bytes, blake3, .. } = self;
        ShardEntry { file: shard_file(shard), first_game, games, bytes, blake3 }
    }
}

/// Returns a shard of a run and its games in words.
pub(super) fn place(run: &str, shard: u64, Range { start, end }: Range<u64>) -> String {
    format!("run {run}, shard {shard}, {} games from {start}", end.saturating_sub(start))
}

/// Where `recorded` differs from what is asked for.
pub(super) fn differences<T: Serialize>(requested: &T, recorded: &T) -> Vec<Difference> {
    let value = |value: &T| serde_json::to_value(value).expect("a struct of text and numbers");
    let (requested, recorded) = (value(requested), value(recorded));
    let fields = requested.as_object().into_iter().flatten();
    fields
        .filter(|(field, value)| recorded[field.as_str()] != **value)
        .map(|(field, value)| Difference {
            field: field.clone(),
            recorded: recorded[field.as_str()].to_string(),
            requested: value.to_string(),
        })
        .collect()
}

/// JSON without white space, fields in the order of the struct.
pub(super) fn compact_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a struct of text and numbers")
}

/// BLAKE3 of the compact JSON.
pub(super) fn fingerprint(value: &impl Serialize) -> String {
    blake3::hash(compact_json(value).as_bytes()).to_hex().to_string()
}

/// Reads JSON that must be exactly as [`to_canonical_json`] writes it.
pub(super) fn from_canonical_json<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let value = serde_json::from_slice(bytes).map_err(|error| format!("damaged: {error}"))?;
    if to_canonical_json(&value) != bytes {
        return Err("not as jigo wrote it: the file was changed".to_owned());
    }
    Ok(value)
}

fn to_canonical_json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("a struct of text and numbers");
    bytes.push(b'\n');
    bytes
}

/// Writes JSON in place of what is at `path`.
pub(super) fn replace_json(layout: &Layout, path: &Path, value: &impl Serialize) -> Result<(), DatasetError> {
    write_json(layout, path, value)?.persist(path).at("write", path)
}

/// Writes JSON that is to be moved to `path`.
pub(super) fn write_json(
    layout: &Layout,
    path: &Path,
    value: &impl Serialize,
) -> Result<AtomicFile, DatasetError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut file = layout.begin_file(&name)?;
    file.write_all(&to_canonical_json(value)).at("write", file.path())?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        thread,
    };

    use super::create_dir;

    #[test]
    fn folders_are_created_while_others_remove_them() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("partial");
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Relaxed) {
                    _ = fs::remove_dir(&folder);
                }
            });
            let created = (0..100_000).try_for_each(|_| create_dir(&folder));
            is_done.store(true, Relaxed);
            created.unwrap();
        });
    }

    #[test]
    fn what_is_no_folder_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(create_dir(&file).is_err());
        assert!(create_dir(&file.join("folder")).is_err());
        #[cfg(unix)]
        {
            let link = dir.path().join("link");
            std::os::unix::fs::symlink("nowhere", &link).unwrap();
            assert!(create_dir(&link).is_err());
            assert!(create_dir(&link.join("folder")).is_err());
        }
    }
}
