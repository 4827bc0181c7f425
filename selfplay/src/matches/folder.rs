//! The directory of a match: arguments, records and results, so that it can be interrupted at any moment.
//!
//! A game is finished once its line in `games.jsonl` is complete. Its record is in `games.sgf` by then; what comes after the last finished game's
//! record is cut off when the match continues.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use jigo_engine::Move;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Adjudication, MatchError, MatchResult, MatchSpec, Openings, record};
use crate::{
    dataset::Difference,
    files::{AtomicFile, file_names, write_whole},
    fingerprint::rules_fingerprint,
};

/// A match on disk, open for appending by this process alone.
pub(super) struct Folder {
    records: Appended,
    rows: Appended,
    /// The games finished so far, in order.
    games: Vec<Row>,
}

/// A line of `games.jsonl`.
#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    result: MatchResult,
    /// The length of `games.sgf` with this game.
    sgf_end: u64,
}

impl Folder {
    /// Opens the directory of this match, or begins it in an empty one.
    pub(super) fn open(dir: &Path, spec: &MatchSpec) -> Result<Self, MatchError> {
        fs::create_dir_all(dir).map_err(MatchError::io("create", dir))?;
        agree(dir, spec)?;
        AtomicFile::remove_stale(dir).map_err(MatchError::io("clean", dir))?;
        let mut rows = Appended::open(dir.join("games.jsonl"))?;
        // Any other error is that of a file system without locks.
        if let Err(TryLockError::WouldBlock) = rows.file.try_lock() {
            return Err(MatchError::InUse(dir.to_owned()));
        }
        let mut records = Appended::open(dir.join("games.sgf"))?;
        let (games, rows_end) = read_rows(&mut rows, spec.games)?;
        let records_end = games.last().map_or(0, |row| row.sgf_end);
        if records.end < records_end {
            let reason = format!("{records_end} bytes are missed, {} are there", records.end);
            return Err(MatchError::Damaged(records.path, reason));
        }
        rows.cut(rows_end)?;
        records.cut(records_end)?;
        Ok(Self { records, rows, games })
    }

    /// Returns how many games are finished.
    pub(super) fn game_count(&self) -> u64 {
        self.games.len() as u64
    }

    /// Returns the results of the finished games, in order.
    pub(super) fn into_results(self) -> Vec<MatchResult> {
        self.games.into_iter().map(|row| row.result).collect()
    }

    /// Reads the finished games in order, with their moves, from the disk.
    pub(super) fn games(
        &self,
        spec: &MatchSpec,
    ) -> Result<impl Iterator<Item = Result<(&MatchResult, Vec<Move>), MatchError>>, MatchError> {
        let fail = MatchError::io("read", &self.records.path);
        let mut file = BufReader::new(File::open(&self.records.path).map_err(fail)?);
        let mut begin = 0;
        Ok(self.games.iter().map(move |Row { result, sgf_end }| {
            let mut text = vec![0; (sgf_end - begin) as usize];
            begin = *sgf_end;
            file.read_exact(&mut text).map_err(fail)?;
            let moves = record::moves(spec, &text).map_err(|reason| self.damaged(result, &reason))?;
            Ok((result, moves))
        }))
    }

    /// Returns the error of a game whose record is wrong.
    pub(super) fn damaged(&self, result: &MatchResult, reason: &str) -> MatchError {
        let reason = format!("game {}: {reason}", result.game);
        MatchError::Damaged(self.records.path.clone(), reason)
    }

    /// Adds the next game; it is on the disk when this returns.
    pub(super) fn append(&mut self, result: MatchResult, record: &str) -> Result<(), MatchError> {
        self.records.append(record)?;
        let row = Row { result, sgf_end: self.records.end };
        let line = serde_json::to_string(&row).expect("a struct of text and numbers");
        self.rows.append(&format!("{line}\n"))?;
        self.games.push(row);
        Ok(())
    }
}

/// Reads the finished games, and how long the file is with them.
fn read_rows(rows: &mut Appended, game_count: u64) -> Result<(Vec<Row>, u64), MatchError> {
    let mut text = String::new();
    rows.file.read_to_string(&mut text).map_err(MatchError::io("read", &rows.path))?;
    let (mut games, mut rows_end, mut records_end) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let number = games.len() as u64;
        let damaged = |reason: String| MatchError::Damaged(rows.path.clone(), reason);
        let row: Row =
            serde_json::from_str(line).map_err(|error| damaged(format!("line {}: {error}", number + 1)))?;
        if row.result.game != number || number >= game_count || row.sgf_end < records_end {
            return Err(damaged(format!("line {} does not belong there", number + 1)));
        }
        rows_end += line.len() as u64;
        records_end = row.sgf_end;
        games.push(row);
    }
    Ok((games, rows_end))
}

/// A file that grows by whole pieces.
struct Appended {
    path: PathBuf,
    file: File,
    end: u64,
}

impl Appended {
    fn open(path: PathBuf) -> Result<Self, MatchError> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(MatchError::io("open", &path))?;
        let end = file.metadata().map_err(MatchError::io("open", &path))?.len();
        Ok(Self { path, file, end })
    }

    /// Cuts off what comes after `end`, and goes on there.
    fn cut(&mut self, end: u64) -> Result<(), MatchError> {
        self.end = end;
        let cut = self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end)));
        cut.map(drop).map_err(MatchError::io("shorten", &self.path))
    }

    fn append(&mut self, text: &str) -> Result<(), MatchError> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(MatchError::io("write", &self.path))?;
        self.end += text.len() as u64;
        Ok(())
    }
}

const MANIFEST: &str = "manifest.json";

/// The version of the files of a match, `manifest.json` first, that this program writes and goes on with.
pub const FORMAT_VERSION: u32 = 1;

/// Makes sure that the directory is that of this match: compares its manifest, or writes one into an empty directory.
fn agree(dir: &Path, spec: &MatchSpec) -> Result<(), MatchError> {
    let path = dir.join(MANIFEST);
    let requested = arguments(spec);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A process that was killed while it wrote the manifest may have left a temporary file.
            let names = file_names(dir).map_err(MatchError::io("read", dir))?;
            if !names.iter().all(|name| AtomicFile::is_temporary(name)) {
                return Err(MatchError::NotAMatch(dir.to_owned()));
            }
            let text = format!("{:#}\n", Value::from(requested));
            return write_whole(&path, text.as_bytes()).map_err(MatchError::io("write", &path));
        }
        Err(error) => return Err(MatchError::io("read", &path)(error)),
    };
    let recorded: Map<String, Value> =
        serde_json::from_slice(&bytes).map_err(|error| MatchError::Damaged(path, error.to_string()))?;
    if recorded.get("format") != requested.get("format") {
        return Err(MatchError::NotAMatch(dir.to_owned()));
    }
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
    let differs = |field: &&String| recorded.get(*field) != requested.get(*field);
    let difference = |field: &String| Difference {
        field: field.clone(),
        recorded: text(stated(&recorded, field)),
        requested: text(stated(&requested, field)),
    };
    let differences: Vec<Difference> = fields.into_iter().filter(differs).map(difference).collect();
    if differences.is_empty() { Ok(()) } else { Err(MatchError::OtherMatch(dir.to_owned(), differences)) }
}

/// The argument that even games do not state.
const HANDICAP: &str = "handicap";

/// Returns all that determines the match, by name.
pub(super) fn arguments(spec: &MatchSpec) -> Map<String, Value> {
    let arguments = [
        ("format", json!(format!("jigo match {FORMAT_VERSION}"))),
        ("first", json!(spec.players[0].to_string())),
        ("second", json!(spec.players[1].to_string())),
        ("size", json!(spec.size.to_string())),
        ("rules", json!(spec.rules.canonical())),
        ("rules_fingerprint", json!(rules_fingerprint(*spec.rules))),
        ("komi", json!(spec.komi.to_string())),
        ("games", json!(spec.games)),
        ("seed", json!(spec.seed)),
        ("ply_cap", json!(spec.ply_cap)),
        ("time_limit_s", json!(spec.time_limit.as_secs_f64())),
        ("openings", json!(openings(spec))),
        ("adjudicate", json!(spec.adjudication.to_string())),
    ];
    let is_certified = matches!(spec.adjudication, Adjudication::Certified { .. });
    let handicap = (spec.handicap > 0).then(|| (HANDICAP, json!(spec.handicap)));
    let ending = is_certified.then(|| ("end", json!(spec.ending().to_string())));
    let rule_set = spec.rules.stated_name().map(|name| ("rule_set", json!(name)));
    arguments
        .into_iter()
        .chain(handicap)
        .chain(rule_set)
        .chain(ending)
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
