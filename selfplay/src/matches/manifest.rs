//! The arguments of a match in its directory.

use std::{fs, io, path::Path};

use jigo_engine::Move;
use serde_json::{Map, Value, json};

use super::{Adjudication, MatchError, MatchSpec, Openings};
use crate::{
    dataset::Difference,
    files::{AtomicFile, write_whole},
    fingerprint::rules_fingerprint,
};

const NAME: &str = "manifest.json";

/// The version of the files of a match, `manifest.json` first, that this program writes and goes on with.
pub const FORMAT_VERSION: u32 = 1;

/// Makes sure that the directory is that of this match: compares its manifest, or writes one into an empty directory.
pub(super) fn agree(dir: &Path, spec: &MatchSpec) -> Result<(), MatchError> {
    let path = dir.join(NAME);
    let requested = arguments(spec);
    match fs::read(&path) {
        Ok(bytes) => {
            let recorded = serde_json::from_slice(&bytes)
                .map_err(|error| MatchError::Damaged { path, reason: error.to_string() })?;
            compare(dir, &recorded, &requested)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            check_empty(dir)?;
            let text = format!("{:#}\n", Value::from(requested));
            write_whole(&path, text.as_bytes()).map_err(|error| MatchError::io("write", &path, error))
        }
        Err(error) => Err(MatchError::io("read", &path, error)),
    }
}

fn compare(
    dir: &Path,
    recorded: &Map<String, Value>,
    requested: &Map<String, Value>,
) -> Result<(), MatchError> {
    if recorded.get("format") != requested.get("format") {
        return Err(MatchError::NotAMatch(dir.to_owned()));
    }
    let text = |values: &Map<String, Value>, field: &str| match values.get(field) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => "not stated".to_owned(),
    };
    let differences: Vec<Difference> = requested
        .keys()
        .filter(|&field| recorded.get(field) != requested.get(field))
        .map(|field| Difference {
            field: field.clone(),
            recorded: text(recorded, field),
            requested: text(requested, field),
        })
        .collect();
    if differences.is_empty() {
        Ok(())
    } else {
        Err(MatchError::OtherMatch { dir: dir.to_owned(), differences })
    }
}

/// Refuses a directory that holds anything but what a process left that was killed while it wrote the manifest.
fn check_empty(dir: &Path) -> Result<(), MatchError> {
    let fail = |error| MatchError::io("read", dir, error);
    for entry in fs::read_dir(dir).map_err(fail)? {
        if !AtomicFile::is_temporary(&entry.map_err(fail)?.file_name().to_string_lossy()) {
            return Err(MatchError::NotAMatch(dir.to_owned()));
        }
    }
    Ok(())
}

/// All that determines the match, by name.
pub(super) fn arguments(spec: &MatchSpec) -> Map<String, Value> {
    let arguments = [
        ("format", json!(format!("jigo match {FORMAT_VERSION}"))),
        ("first", json!(spec.players[0].to_string())),
        ("second", json!(spec.players[1].to_string())),
        ("size", json!(spec.size.to_string())),
        ("rules", json!(spec.rules.canonical())),
        ("rules_fingerprint", json!(rules_fingerprint(spec.rules))),
        ("komi", json!(spec.komi.to_string())),
        ("games", json!(spec.games)),
        ("seed", json!(spec.seed)),
        ("ply_cap", json!(spec.ply_cap)),
        ("time_limit_s", json!(spec.time_limit.as_secs_f64())),
        ("openings", json!(openings(spec))),
        ("adjudicate", json!(spec.adjudication.to_string())),
    ];
    let is_certified = matches!(spec.adjudication, Adjudication::Certified { .. });
    let ending = is_certified.then(|| ("end", json!(spec.ending.to_string())));
    arguments.into_iter().chain(ending).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The openings; listed ones by a digest of their moves.
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
