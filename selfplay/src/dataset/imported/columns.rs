//! The columns of imported games behind those of every dataset.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int32Array, StringArray, UInt8Array, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use jigo_engine::Color;

use super::{ImportedGame, lists};
use crate::sgf::SgfGame;

/// The columns that hold a property as it is written, null where the record has none.
pub(super) const TEXTS: [(&str, &str); 10] = [
    ("black", "PB"),
    ("black_rank", "BR"),
    ("white", "PW"),
    ("white_rank", "WR"),
    ("date", "DT"),
    ("event", "EV"),
    ("round", "RO"),
    ("place", "PC"),
    ("rules", "RU"),
    ("result", "RE"),
];

/// The columns in order.
pub(super) fn fields() -> Fields {
    use DataType::{Float64, Int32, UInt8, UInt16, UInt32, UInt64, Utf8};
    let known = |name, data_type| Field::new(name, data_type, false);
    let stated = |name, data_type| Field::new(name, data_type, true);
    let mut fields = vec![
        known("source_file", Utf8),
        known("source_byte", UInt64),
        known("source_place", UInt64),
        known("width", UInt8),
        known("height", UInt8),
    ];
    fields.extend(TEXTS.map(|(name, _)| stated(name, Utf8)));
    fields.extend([
        stated("komi", Float64),
        stated("handicap", UInt32),
        stated("winner", Utf8),
        stated("half_points", Int32),
        known("checked_rules", Utf8),
        known("first_player", Utf8),
        known("out_of_turn", lists::list_of(UInt16)),
        known("setup", lists::list_of(DataType::Struct(lists::edit_fields()))),
        known("properties", lists::list_of(DataType::Struct(lists::property_fields()))),
        stated("application", Utf8),
        known("warnings", lists::list_of(Utf8)),
        known("warnings_left_out", UInt32),
    ]);
    fields.into()
}

/// The name of a player in the columns.
pub(super) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The columns of these games in the order of the [fields].
pub(super) fn columns(games: &[ImportedGame]) -> Result<Vec<ArrayRef>, ArrowError> {
    let sides = |side: fn(&SgfGame) -> usize| -> ArrayRef {
        let sides = games.iter().map(|game| side(&game.record.game) as u8);
        Arc::new(UInt8Array::from_iter_values(sides))
    };
    let numbers = |number: fn(&ImportedGame) -> u64| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(games.iter().map(number)))
    };
    let mut columns = vec![
        known(games, |game| &game.source.file),
        numbers(|game| game.source.byte),
        numbers(|game| game.source.place),
        sides(|game| game.size.width()),
        sides(|game| game.size.height()),
    ];
    columns.extend(TEXTS.map(|(_, name)| stated(games, |game| game.record.game.info.get(name))));
    let komi = games.iter().map(|game| game.record.game.komi().map(|komi| komi.to_f64()));
    let handicap = games.iter().map(|game| game.record.game.handicap());
    let left_out = games.iter().map(|game| game.record.warnings_left_out as u32);
    columns.extend([
        Arc::new(Float64Array::from_iter(komi)) as ArrayRef,
        Arc::new(UInt32Array::from_iter(handicap)),
        stated(games, |game| game.winner()),
        Arc::new(Int32Array::from_iter(games.iter().map(ImportedGame::half_points))),
        known(games, |game| &game.checked_rules),
        known(games, |game| game.first_player()),
        lists::counts(games.iter().map(|game| lists::out_of_turn(&game.record.game)).collect())?,
        lists::edits(games.iter().map(|game| lists::edits_of(&game.record.game)).collect())?,
        lists::properties(games.iter().map(|game| properties(&game.record.game)).collect())?,
        stated(games, |game| game.record.application.as_deref()),
        lists::texts(games.iter().map(warnings).collect())?,
        Arc::new(UInt32Array::from_iter_values(left_out)),
    ]);
    Ok(columns)
}

fn known<'a>(games: &'a [ImportedGame], text: impl Fn(&'a ImportedGame) -> &'a str) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(games.iter().map(text)))
}

fn stated<'a>(games: &'a [ImportedGame], text: impl Fn(&'a ImportedGame) -> Option<&'a str>) -> ArrayRef {
    Arc::new(StringArray::from_iter(games.iter().map(text)))
}

/// The properties that have no column of their own, or more than one value.
fn properties(game: &SgfGame) -> Vec<(&str, &str)> {
    let is_told = |name: &str, values: &[String]| {
        values.len() == 1 && TEXTS.iter().any(|(_, property)| *property == name)
    };
    let others = game.info.iter().filter(|(name, values)| !is_told(name, values));
    others.flat_map(|(name, values)| values.iter().map(move |value| (name, value.as_str()))).collect()
}

fn warnings(game: &ImportedGame) -> Vec<&str> {
    game.record.warnings.iter().map(|warning| warning.kind.name()).collect()
}
