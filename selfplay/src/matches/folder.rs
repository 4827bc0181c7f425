//! The directory of a match: arguments, records and results, so that it can be interrupted at any moment.
//!
//! A game is finished once its line in `games.jsonl` is complete. Its record is in `games.sgf` by then; what comes after the last finished game's
//! record is cut off when the match continues. Every line has the digest of its record and one of its own, and so have the two files that are
//! written as a whole.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use jigo_engine::{Move, RuleSet};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::{Adjudication, MatchError, MatchResult, MatchSpec, Openings, record};
use crate::{
    dataset::{Difference, Problem, ProblemKind},
    files::{AtomicFile, FolderLock, MAX_TEXT_BYTES, file_names, read_file, require_regular, write_whole},
    fingerprint::rules_fingerprint,
    sealed::{is_sealed, seal},
    sgf::SgfGame,
};

const MANIFEST: &str = "manifest.json";
const ROWS: &str = "games.jsonl";
/// The games as SGF, in order.
pub const RECORDS: &str = "games.sgf";
/// The results as a whole.
pub const RESULTS: &str = "match.json";
/// The most bytes of them: millions of games.
const MAX_RESULTS_BYTES: u64 = 1 << 30;
/// The page about the match, which its caller may write.
pub const PAGE: &str = "report.html";
/// The games as columns.
pub(super) const COLUMNS: &str = "games.parquet";

/// A match on disk, open for appending by this process alone.
pub(super) struct Folder {
    records: Appended,
    rows: Appended,
    /// The games finished so far, in order.
    games: Vec<Row>,
    /// What the manifest says.
    pub(super) arguments: Map<String, Value>,
    _lock: FolderLock,
}

/// A line of `games.jsonl`.
#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    result: MatchResult,
    /// The length of `games.sgf` with this game.
    sgf_end: u64,
    /// BLAKE3 of the game's record.
    sgf_blake3: String,
}

impl Folder {
    /// Opens the directory of this match, or begins it in an empty one.
    pub(super) fn open(dir: &Path, spec: &MatchSpec) -> Result<Self, MatchError> {
        fs::create_dir_all(dir).map_err(MatchError::io("create", dir))?;
        let lock = FolderLock::new(dir)?;
        let mut folder = Self::read(dir, agree(dir, spec)?, lock)?;
        let finished = folder.game_count();
        if finished > spec.games {
            return Err(MatchError::FewerGames { dir: dir.to_owned(), finished, wanted: spec.games });
        }
        let requested = arguments(spec);
        if folder.arguments != requested || folder.games.is_empty() {
            write_sealed(&dir.join(MANIFEST), &requested.clone().into())?;
            folder.arguments = requested;
        }
        folder.rows.cut()?;
        folder.records.cut()?;
        for game in folder.games()? {
            let (result, game) = game?;
            record::check_result(spec, result, &game).map_err(|reason| folder.damaged(result, &reason))?;
        }
        Ok(folder)
    }

    /// Reads the finished games; nothing is changed.
    fn read(dir: &Path, arguments: Map<String, Value>, lock: FolderLock) -> Result<Self, MatchError> {
        let mut rows = Appended::open(dir.join(ROWS))?;
        let mut records = Appended::open(dir.join(RECORDS))?;
        let games = read_rows(&mut rows)?;
        let end = games.last().map_or(0, |row| row.sgf_end);
        if records.end < end {
            let reason = format!("{end} bytes are missed, {} are there", records.end);
            return Err(MatchError::Damaged(records.path, reason));
        }
        records.end = end;
        Ok(Self { records, rows, games, arguments, _lock: lock })
    }

    /// Returns how many games are finished.
    pub(super) fn game_count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Returns the results of the finished games, in order.
    pub(super) fn results(&self) -> impl Iterator<Item = &MatchResult> {
        self.games.iter().map(|row| &row.result)
    }

    /// Notes in the manifest that no game follows those that are finished.
    pub(super) fn note_end(&mut self) -> Result<(), MatchError> {
        let dir = self.rows.path.parent().unwrap_or(Path::new(""));
        self.arguments.insert(STOPPED_AFTER.to_owned(), json!(self.games.len()));
        write_sealed(&dir.join(MANIFEST), &self.arguments.clone().into()).map(drop)
    }

    /// The same, without the folder.
    pub(super) fn into_results(self) -> Vec<MatchResult> {
        self.games.into_iter().map(|row| row.result).collect()
    }

    /// Reads the finished games in order from the disk.
    pub(super) fn games(
        &self,
    ) -> Result<impl Iterator<Item = Result<(&MatchResult, SgfGame), MatchError>>, MatchError> {
        let fail = MatchError::io("read", &self.records.path);
        let mut file = BufReader::new(File::open(&self.records.path).map_err(fail)?);
        let mut begin = 0;
        Ok(self.games.iter().map(move |Row { result, sgf_end, sgf_blake3 }| {
            let mut text = vec![0; (sgf_end - begin) as usize];
            begin = *sgf_end;
            file.read_exact(&mut text).map_err(fail)?;
            if blake3::hash(&text).to_hex().as_str() != sgf_blake3 {
                return Err(self.damaged(result, "its record was changed"));
            }
            let game = record::read(&text).map_err(|reason| self.damaged(result, &reason))?;
            Ok((result, game))
        }))
    }

    /// Returns the error of a game whose record is wrong.
    pub(super) fn damaged(&self, result: &MatchResult, reason: &str) -> MatchError {
        let reason = format!("game {}: {reason}", result.game);
        MatchError::Damaged(self.records.path.clone(), reason)
    }

    /// Adds the next game, and returns its result; it is on the disk when this returns.
    pub(super) fn append(&mut self, result: MatchResult, record: &str) -> Result<&MatchResult, MatchError> {
        self.records.append(record)?;
        let sgf_blake3 = blake3::hash(record.as_bytes()).to_hex().to_string();
        let row = Row { result, sgf_end: self.records.end, sgf_blake3 };
        self.rows.append(&seal(&serde_json::to_string(&row).expect("a struct of text and numbers")))?;
        self.games.push(row);
        Ok(&self.games[self.games.len() - 1].result)
    }
}

/// Reads the finished games, and notes how long the file is with them.
fn read_rows(rows: &mut Appended) -> Result<Vec<Row>, MatchError> {
    let mut text = String::new();
    rows.file.read_to_string(&mut text).map_err(MatchError::io("read", &rows.path))?;
    let mut games: Vec<Row> = Vec::new();
    rows.end = 0;
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let number = games.len() as u64;
        let row: Row = parse_sealed(line.as_bytes()).map_err(|reason| {
            MatchError::Damaged(rows.path.clone(), format!("line {}: {reason}", number + 1))
        })?;
        if row.result.game != number || row.sgf_end < games.last().map_or(0, |row| row.sgf_end) {
            let reason = format!("line {} does not belong there", number + 1);
            return Err(MatchError::Damaged(rows.path.clone(), reason));
        }
        rows.end += line.len() as u64;
        games.push(row);
    }
    Ok(games)
}

/// Reads JSON with its own digest.
fn parse_sealed<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    let value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    if is_sealed(text) { Ok(value) } else { Err("it does not have the digest that it states".to_owned()) }
}

/// A file that grows by whole pieces.
struct Appended {
    path: PathBuf,
    file: File,
    /// Its length with all finished games.
    end: u64,
}

impl Appended {
    /// Opens or creates a file. What is there must be a regular file, to which no link leads.
    fn open(path: PathBuf) -> Result<Self, MatchError> {
        let regular = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            metadata => metadata.and_then(|metadata| require_regular(&metadata)),
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular.and_then(|()| options.open(&path)).map_err(MatchError::io("open", &path))?;
        let end = file.metadata().map_err(MatchError::io("open", &path))?.len();
        Ok(Self { path, file, end })
    }

    /// Cuts off what comes after the finished games, and goes on there.
    fn cut(&mut self) -> Result<(), MatchError> {
        let cut = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
        cut.map(drop).map_err(MatchError::io("shorten", &self.path))
    }

    fn append(&mut self, text: &str) -> Result<(), MatchError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(MatchError::io("write", &self.path))?;
        self.end += text.len() as u64;
        Ok(())
    }
}

/// The version of the files of a match, `manifest.json` first, that this program writes and goes on with.
pub const FORMAT_VERSION: u32 = 2;
/// What the manifest's `format` begins with.
const FORMAT: &str = "jigo match ";

/// Makes sure that the directory is that of this match: compares its manifest, or writes one into an empty directory. Only the number of games may be
/// another than before, unless none is finished. Returns what the manifest says.
fn agree(dir: &Path, spec: &MatchSpec) -> Result<Map<String, Value>, MatchError> {
    let requested = arguments(spec);
    let recorded = read_manifest(dir)?;
    // A match that could not begin, for instance because its program was not found, does not stand in the way of another.
    if recorded.is_some() && fs::symlink_metadata(dir.join(ROWS)).map_or(0, |rows| rows.len()) == 0 {
        return Ok(requested);
    }
    let Some(recorded) = recorded else {
        // A process that was killed while it wrote the manifest may have left a temporary file.
        let names = file_names(dir).map_err(MatchError::io("read", dir))?;
        if !names.iter().all(|name| AtomicFile::is_temporary(name)) {
            return Err(MatchError::NotAMatch(dir.to_owned()));
        }
        write_sealed(&dir.join(MANIFEST), &requested.clone().into())?;
        return Ok(requested);
    };
    let text = |value: Option<Value>| match value {
        Some(Value::String(text)) => text,
        value => value.map_or("not stated".to_owned(), |value| value.to_string()),
    };
    let zero = json!(0);
    let stated = |arguments: &Map<String, Value>, field: &str| {
        let absent = (field == HANDICAP).then(|| zero.clone());
        arguments.get(field).cloned().or(absent)
    };
    let fields: BTreeSet<&String> = recorded.keys().chain(requested.keys()).collect();
    let may_differ = [GAMES, STOPPED_AFTER];
    let differs = |field: &&String| {
        !may_differ.contains(&field.as_str()) && recorded.get(*field) != requested.get(*field)
    };
    let difference = |field: &String| Difference {
        field: field.clone(),
        recorded: text(stated(&recorded, field)),
        requested: text(stated(&requested, field)),
    };
    let differences: Vec<Difference> = fields.into_iter().filter(differs).map(difference).collect();
    if !differences.is_empty() {
        return Err(MatchError::OtherMatch(dir.to_owned(), differences));
    }
    Ok(recorded)
}

/// Returns the arguments of the match in a directory; `None` where there is no manifest.
fn read_manifest(dir: &Path) -> Result<Option<Map<String, Value>>, MatchError> {
    let path = dir.join(MANIFEST);
    let bytes = match read_file(&path, MAX_TEXT_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(MatchError::io("read", &path))?,
    };
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| MatchError::Damaged(path.clone(), error.to_string()))?;
    match value["format"].as_str().and_then(|format| format.strip_prefix(FORMAT)) {
        None => return Err(MatchError::NotAMatch(dir.to_owned())),
        Some(version) if version != FORMAT_VERSION.to_string() => {
            return Err(MatchError::OtherVersion { dir: dir.to_owned(), version: version.to_owned() });
        }
        Some(_) => {}
    }
    let mut arguments: Map<String, Value> =
        parse_sealed(&bytes).map_err(|reason| MatchError::Damaged(path, reason))?;
    arguments.remove("blake3");
    Ok(Some(arguments))
}

/// Writes JSON with its own digest, in place of what is there.
fn write_sealed(path: &Path, value: &Value) -> Result<String, MatchError> {
    let text = seal(&format!("{value:#}\n"));
    write_whole(path, text.as_bytes()).map_err(MatchError::io("write", path))?;
    Ok(text)
}

/// Writes `match.json`, the results of a match in the form that the caller gives them, with a digest. Returns the text written.
///
/// # Errors
/// [`MatchError::Io`].
pub fn write_results(dir: &Path, results: &Value) -> Result<String, MatchError> {
    write_sealed(&dir.join(RESULTS), results)
}

/// Returns whether a folder holds a match, of this version or of another.
#[must_use]
pub fn is_match(dir: &Path) -> bool {
    let manifest = read_file(&dir.join(MANIFEST), MAX_TEXT_BYTES).ok();
    let manifest: Option<Value> = manifest.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    manifest.is_some_and(|value| value["format"].as_str().is_some_and(|format| format.starts_with(FORMAT)))
}

/// Checks a match without changing it: all digests, and every game by its moves, its dead stones and the count. Returns the number of finished games
/// and what is wrong.
///
/// # Errors
/// [`MatchError::InUse`] while the match is played; what the operating system says when it refuses to read a file. Damage is no error but a problem.
pub fn verify_match(dir: &Path) -> Result<(u64, Vec<Problem>), MatchError> {
    let lock = FolderLock::new(dir)?;
    let mut problems = Vec::new();
    let mut add = |file: &str, game_index, kind| {
        problems.push(Problem { file: file.to_owned(), game_index, kind });
    };
    let damaged = |reason: &str| {
        ProblemKind::Manifest(format!(
            "{reason}; restore it from a copy, or play the match in a new directory"
        ))
    };
    let folder_of = || {
        let arguments = read_manifest(dir)?.unwrap_or_default();
        let spec = spec_of(&arguments).map_err(|reason| MatchError::Damaged(dir.join(MANIFEST), reason))?;
        Ok((Folder::read(dir, arguments, lock)?, spec))
    };
    let (folder, spec) = match folder_of() {
        Ok(found) => found,
        Err(MatchError::Damaged(path, reason)) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            add(&name, None, damaged(&reason));
            return Ok((0, problems));
        }
        Err(error) => return Err(error),
    };
    let mut is_whole = true;
    for game in folder.games()? {
        let checked = game.and_then(|(result, game)| {
            record::check_result(&spec, result, &game).map_err(|reason| folder.damaged(result, &reason))
        });
        if let Err(error) = checked {
            let MatchError::Damaged(_, reason) = error else { return Err(error) };
            add(RECORDS, None, damaged(&reason));
            is_whole = false;
        }
    }
    if is_whole && let Some(kind) = record::check_columns(dir, &spec, &folder)? {
        add(COLUMNS, None, kind);
    }
    match read_file(&dir.join(RESULTS), MAX_RESULTS_BYTES) {
        Ok(bytes) if is_sealed(&bytes) => {}
        Ok(_) => {
            add(RESULTS, None, ProblemKind::Damaged("it does not have the digest that it states".to_owned()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(MatchError::io("read", &dir.join(RESULTS))(error)),
    }
    let known = [MANIFEST, ROWS, RECORDS, COLUMNS, RESULTS, PAGE];
    for name in file_names(dir).map_err(MatchError::io("read", dir))? {
        if !known.contains(&name.as_str()) && !AtomicFile::is_temporary(&name) {
            add(&name, None, ProblemKind::Unexpected);
        }
    }
    let finished = folder.game_count();
    let is_over = folder.arguments.get(STOPPED_AFTER) == Some(&json!(finished));
    if finished < spec.games && !is_over {
        let reason =
            format!("{finished} of {} games are finished; run the same command again to go on", spec.games);
        add(MANIFEST, None, ProblemKind::Manifest(reason));
    }
    Ok((finished, problems))
}

/// Returns the match that arguments describe, but for its openings, which they do not list: enough to check its games.
fn spec_of(arguments: &Map<String, Value>) -> Result<MatchSpec, String> {
    let text = |field: &str| {
        let value = arguments.get(field).and_then(Value::as_str);
        value.ok_or_else(|| format!("`{field}` is missing"))
    };
    let number = |field: &str| arguments.get(field).and_then(Value::as_u64);
    fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
        text.parse().map_err(|error: T::Err| error.to_string())
    }
    let rules = arguments.get(RULE_SET).and_then(Value::as_str).map_or_else(|| text("rules"), Ok)?;
    let players = [parse(text("first")?)?, parse(text("second")?)?];
    let mut spec = MatchSpec::new(players, parse(text("size")?)?, parse::<RuleSet>(rules)?);
    if rules_fingerprint(*spec.rules) != text("rules_fingerprint")? {
        return Err("its rules mean something else in this version".to_owned());
    }
    spec.komi = parse(text("komi")?)?;
    spec.handicap = number(HANDICAP).unwrap_or(0) as u32;
    spec.games = number(GAMES).ok_or("`games` is missing")?;
    spec.ply_cap = number("ply_cap").ok_or("`ply_cap` is missing")? as u32;
    spec.adjudication = parse(text("adjudicate")?)?;
    spec.clock = text(CLOCK).ok().map(parse).transpose()?;
    Ok(spec)
}

/// The number of games, which may grow.
const GAMES: &str = "games";
/// The name of the rule set, where it has one.
const RULE_SET: &str = "rule_set";
/// How many games were played until the match was broken off by its rule.
const STOPPED_AFTER: &str = "stopped_after";
/// The argument that games without clocks do not state.
const CLOCK: &str = "clock";
/// The argument that even games do not state.
const HANDICAP: &str = "handicap";

/// Returns all that determines the match, by name.
fn arguments(spec: &MatchSpec) -> Map<String, Value> {
    let arguments = [
        ("format", json!(format!("{FORMAT}{FORMAT_VERSION}"))),
        ("first", json!(spec.players[0].to_string())),
        ("second", json!(spec.players[1].to_string())),
        ("size", json!(spec.size.to_string())),
        ("rules", json!(spec.rules.canonical())),
        ("rules_fingerprint", json!(rules_fingerprint(*spec.rules))),
        ("komi", json!(spec.komi.to_string())),
        (GAMES, json!(spec.games)),
        ("seed", json!(spec.seed)),
        ("ply_cap", json!(spec.ply_cap)),
        ("time_limit_s", json!(spec.time_limit.as_secs_f64())),
        ("openings", json!(openings(spec))),
        ("adjudicate", json!(spec.adjudication.to_string())),
    ];
    let is_certified = matches!(spec.adjudication, Adjudication::Certified { .. });
    let handicap = (spec.handicap > 0).then(|| (HANDICAP, json!(spec.handicap)));
    let ending = is_certified.then(|| ("end", json!(spec.ending().to_string())));
    let clock = spec.clock.iter().flat_map(|control| {
        [(CLOCK, json!(control.to_string())), ("time_margin_ms", json!(spec.time_margin.as_millis() as u64))]
    });
    let stop_rule = spec.stop_rule.iter().map(|rule| ("stop_rule", json!(rule)));
    let rule_set = spec.rules.stated_name().map(|name| (RULE_SET, json!(name)));
    arguments
        .into_iter()
        .chain(handicap)
        .chain(rule_set)
        .chain(ending)
        .chain(clock)
        .chain(stop_rule)
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Returns the openings as text; listed ones by a digest of their moves.
fn openings(spec: &MatchSpec) -> String {
    match &spec.openings {
        Openings::Empty => "empty".to_owned(),
        Openings::Random(plies) => format!("random:{plies}"),
        Openings::Listed(all) => {
            let names = |moves: &Vec<Move>| moves.iter().map(|mv| mv.to_gtp(spec.size) + " ").collect();
            let text = all.iter().map(names).collect::<Vec<String>>().join("\n");
            format!("{} listed, BLAKE3 {}", all.len(), blake3::hash(text.as_bytes()).to_hex())
        }
    }
}
