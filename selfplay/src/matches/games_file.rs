//! The games of a match as a Parquet file: the columns of a dataset, and after them those of a match. See `docs/match.md`.

use std::{io, path::Path};

use jigo_engine::{Color, Move};

use super::{
    Adjudication, MatchEnding, MatchError, MatchResult, MatchSpec,
    folder::{Folder, arguments},
};
use crate::{
    End, GameRecord,
    dataset::{Column, GamesFile, Values},
    files::AtomicFile,
    fingerprint::rules_fingerprint,
    record::Recorder,
};

const NAME: &str = "games.parquet";

/// Writes the finished games in place of those written before. The bytes are a function of the arguments and the games.
pub(super) fn write(dir: &Path, spec: &MatchSpec, folder: &Folder) -> Result<(), MatchError> {
    let path = dir.join(NAME);
    let fail = |error| MatchError::io("write", &path, error);
    let file = AtomicFile::create(&path).map_err(fail)?;
    write_to(file, &path, spec, folder)?.persist(&path).map_err(fail)
}

fn write_to(
    file: AtomicFile,
    path: &Path,
    spec: &MatchSpec,
    folder: &Folder,
) -> Result<AtomicFile, MatchError> {
    let fail = |error| MatchError::io("write", path, io::Error::other(error));
    let mut output = GamesFile::new(file, 0, FIELDS, metadata(spec)).map_err(fail)?;
    let mut recorder: Recorder = Recorder::new(spec.size, spec.rules);
    let mut games = folder.games(spec.size)?;
    loop {
        let (mut results, mut records) = (Vec::new(), Vec::new());
        for game in games.by_ref().take(GamesFile::<AtomicFile>::BATCH) {
            let (result, moves) = game?;
            let record = record(&mut recorder, spec, result, &moves);
            records.push(record.map_err(|reason| folder.damaged(result, &reason))?);
            results.push(result);
        }
        if records.is_empty() {
            break;
        }
        output.write(records.iter().map(|record| (spec.size, record)), columns(&results)).map_err(fail)?;
    }
    output.finish().map_err(fail)
}

/// The record of a game; an error where the moves are not those of the result.
fn record(
    recorder: &mut Recorder,
    spec: &MatchSpec,
    result: &MatchResult,
    moves: &[Move],
) -> Result<GameRecord, String> {
    recorder.begin(result.game);
    let goes_on = matches!(spec.adjudication, Adjudication::Certified { .. });
    for (number, &mv) in (1..).zip(moves) {
        let played = if goes_on { recorder.play_on(mv) } else { recorder.play(mv) };
        played.map_err(|rule| format!("move {number} is illegal: {rule}"))?;
    }
    let end = match result.ending {
        MatchEnding::TwoPasses => End::TwoPasses,
        MatchEnding::PlyCap => End::PlyCap,
        _ => End::BrokenOff,
    };
    let is_over = recorder.game().is_over();
    // Where play may go on after two passes, the move limit may come after them.
    let is_so = is_over == (end == End::TwoPasses) || is_over && goes_on;
    if moves.len() != result.plies as usize || !is_so {
        return Err(format!(
            "its moves are not those of a game of {} plies that ended by {}",
            result.plies, result.ending
        ));
    }
    Ok(recorder.finish(end))
}

/// The columns of a match in order. Only one may be null.
const FIELDS: &str = "REQUIRED BYTE_ARRAY black (STRING); REQUIRED BYTE_ARRAY white (STRING); \
    REQUIRED BYTE_ARRAY winner (STRING); REQUIRED BYTE_ARRAY ending (STRING); \
    OPTIONAL INT32 half_points; REQUIRED BYTE_ARRAY dead (STRING);";

fn columns(results: &[&MatchResult]) -> Vec<Column> {
    let text = |name: fn(&MatchResult) -> &'static str| {
        Column::required(Values::texts(results.iter().map(|result| name(result))))
    };
    let half_points = results.iter().filter_map(|result| result.half_points).collect();
    let is_counted = results.iter().map(|result| result.half_points.is_some());
    vec![
        text(|result| result.contestant(Color::Black).name()),
        text(|result| result.contestant(Color::White).name()),
        text(|result| match result.winning_color() {
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
            None => "none",
        }),
        text(|result| result.ending.name()),
        Column::optional(Values::Int32(half_points), is_counted),
        text(|result| result.dead.name()),
    ]
}

/// What the file says of itself, so that it says what it is without the others.
fn metadata(spec: &MatchSpec) -> Vec<(&'static str, String)> {
    vec![
        ("jigo.match", serde_json::Value::from(arguments(spec)).to_string()),
        ("jigo.rules", spec.rules.canonical()),
        ("jigo.rules_fingerprint", rules_fingerprint(spec.rules)),
    ]
}
