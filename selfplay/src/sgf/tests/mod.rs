//! The reader and the writer as a whole.

mod errors;
mod features;
mod hostile;
mod replay;
mod round_trip;
mod warnings;

use super::*;

/// The only game of a file, which must be usable.
fn read(text: &str) -> Record {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> Record {
    let mut games = read_collection(bytes);
    assert_eq!(games.len(), 1, "{:?}", String::from_utf8_lossy(bytes));
    games.remove(0).unwrap_or_else(|error| panic!("{error}"))
}

/// The moves in a short form: `Bee Wcc B` with passes as bare colours.
fn moves(record: &Record) -> String {
    let name = |(color, mv): (jigo_engine::Color, jigo_engine::Move)| {
        let point = mv.point().map(jigo_engine::Point::to_sgf).unwrap_or_default();
        format!("{}{point}", &color.to_string()[..1])
    };
    record.game.moves().map(name).collect::<Vec<_>>().join(" ")
}

fn kinds(record: &Record) -> Vec<DiagnosticKind> {
    record.warnings.iter().map(|warning| warning.kind).collect()
}
