//! The columns of a shard and how Parquet stores them.

use std::sync::Arc;

use parquet::{
    basic::{Compression, Encoding, ZstdLevel},
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr, WriterVersion},
    },
    schema::{
        parser::parse_message_type,
        types::{ColumnPath, TypePtr},
    },
};

use jigo_engine::{AnyPosition, Counting, rules::Supply};
use serde::Serialize;

use super::{
    DatasetSpec, MovesColumn,
    manifest::{FIRST_VERSION, compact_json},
};
use crate::{GameRecord, Ownership, Policy, Run, RunConfig, search::Uct};

/// The manifest's words for the compression.
pub(super) const COMPRESSION: &str = "zstd level 1, none for lists of moves";
/// The level in [`COMPRESSION`].
const ZSTD_LEVEL: i32 = 1;
/// What shards say wrote them: a constant, and of the form that readers expect.
const CREATED_BY: &str = "jigo-dataset version 1.0.0";

/// The 16-bit columns of an event, in order; then `same_player`.
pub(super) const EVENT_COUNTS: [&str; 6] =
    ["ply", "earlier_ply", "cycle_plies", "cycle_passes", "black_removed", "white_removed"];
/// The 16-bit columns of a game after `margin`, in order.
pub(super) const AREA_COUNTS: [&str; 7] = [
    "black_area",
    "white_area",
    "neutral",
    "black_stones",
    "white_stones",
    "black_prisoners",
    "white_prisoners",
];

/// The columns of games with a finite supply of stones.
const SUPPLY_COLUMNS: &str = "REQUIRED BOOLEAN cycle; REQUIRED INT32 forced_passes (INTEGER(16,false));";

/// The column of whose area each point was at the end: [`Ownership::as_bytes`](crate::Ownership::as_bytes), null where the game has no count.
const OWNERSHIP_COLUMN: &str = "OPTIONAL BYTE_ARRAY ownership;";

/// The column of the visits of searches: a number for each ply and move.
pub(super) const SEARCH_VISITS: &str = "search_visits";
/// The columns of searches after it: a number for each ply.
pub(super) const SEARCH_NUMBERS: [&str; 2] = ["search_margin", "search_share"];

/// How many columns of Parquet the games have whose moves are lists, without those of `forbidden`.
pub(super) const GAME_COLUMNS: usize = 6 + AREA_COUNTS.len() + 2 * (EVENT_COUNTS.len() + 1);

/// Which columns the games have beside those that all have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// How moves are stored.
    pub(super) moves: MovesColumn,
    /// Whether all candidates that superko forbids are listed.
    pub(super) forbidden: bool,
    /// Whether stones are finite: `cycle` and `forced_passes`.
    pub(super) supply: bool,
    /// Whether it is stored whose area each point was at the end.
    pub(super) ownership: bool,
    /// The search that chose the moves, and how it counted, where there was one.
    pub(super) search: Option<(Uct, Counting)>,
}

impl Columns {
    /// Of games that were not played by a run.
    pub(super) const GIVEN: Self =
        Self { moves: MovesColumn::List, forbidden: false, supply: false, ownership: false, search: None };

    /// Of the games of a run.
    pub(super) fn of(spec: &DatasetSpec) -> Self {
        Self::of_run(&spec.run, spec.moves, spec.ownership)
    }

    /// Of the games of a run, with moves and ownership stored like this.
    pub(super) fn of_run(run: &Run, moves: MovesColumn, ownership: bool) -> Self {
        let RunConfig { rules, count_forbidden, policy, .. } = run.config;
        let search = match policy {
            Policy::Uct(uct) => Some((uct, rules.counting)),
            Policy::Playout(_) => None,
        };
        let supply = rules.supply == Supply::Finite;
        Self { moves, forbidden: count_forbidden, supply, ownership, search }
    }

    /// Games in a row group: bounds memory. What searches found takes far more room than the rest of a game.
    pub(super) const fn group_games(self) -> u64 {
        if self.search.is_some() { 4096 } else { 65_536 }
    }

    /// Whose area each point was at the end of a game, where that is stored and known.
    pub(super) fn ownership_of(self, record: &GameRecord, position: AnyPosition<'_>) -> Option<Ownership> {
        (self.ownership && record.is_finished()).then(|| Ownership::new(position))
    }

    /// Games encoded together. Row groups consist of whole batches.
    ///
    /// # Stability
    /// Part of the format: where one batch ends decides how a page is laid out.
    pub(super) const fn batch_games(self) -> u64 {
        self.group_games() / 64
    }

    /// The columns that hold superko events.
    pub(super) fn events(self) -> &'static [&'static str] {
        let all = &["refused", "repeated", "forbidden"];
        if self.forbidden { all } else { &all[..2] }
    }
}

/// The columns in order, with further ones after them; only of these and `ownership` any may be null.
pub(super) fn schema(columns: Columns, further: &str) -> TypePtr {
    let count = |name: &&str| format!("REQUIRED INT32 {name} (INTEGER(16,false));");
    let counts = |names: &[&str]| names.iter().map(count).collect::<String>();
    let moves = match columns.moves {
        MovesColumn::List => list("moves", "REQUIRED INT32 element (INTEGER(16,false));"),
        MovesColumn::Binary => "REQUIRED BYTE_ARRAY moves;".to_owned(),
        MovesColumn::None => String::new(),
    };
    let event =
        format!("REQUIRED GROUP element {{ {} REQUIRED BOOLEAN same_player; }}", counts(&EVENT_COUNTS));
    let events: String = columns.events().iter().map(|name| list(name, &event)).collect();
    let supply = if columns.supply { SUPPLY_COLUMNS } else { "" };
    let ownership = if columns.ownership { OWNERSHIP_COLUMN } else { "" };
    let searches = columns.search.map(|_| {
        let numbers = SEARCH_NUMBERS.map(|name| list(name, "OPTIONAL FLOAT element;"));
        list(SEARCH_VISITS, "REQUIRED INT32 element (INTEGER(32,false));") + &numbers.concat()
    });
    let searches = searches.unwrap_or_default();
    let message = format!(
        "message arrow_schema {{ REQUIRED INT64 game_index (INTEGER(64,false)); {moves} {} \
         REQUIRED BOOLEAN capped; REQUIRED INT32 margin (INTEGER(16,true)); {} {events} {supply} {ownership} {searches} {further} }}",
        counts(&["plies", "passes"]),
        counts(&AREA_COUNTS),
    );
    Arc::new(parse_message_type(&message).expect("a message type"))
}

/// Returns a column of lists. `element` declares the elements, which Parquet's convention calls `element`.
pub(super) fn list(name: &str, element: &str) -> String {
    format!("REQUIRED GROUP {name} (LIST) {{ REPEATED GROUP list {{ {element} }} }}")
}

/// Key of the format's version in a shard's metadata.
const KEY_FORMAT: &str = "jigo.format_version";
/// Key of the run's fingerprint.
pub(super) const KEY_RUN_FINGERPRINT: &str = "jigo.run_fingerprint";
/// Key of the shard's index.
pub(super) const KEY_SHARD: &str = "jigo.shard";
/// Key of the run, or of the import, as compact JSON.
pub(super) const KEY_RUN: &str = "jigo.run";

/// What a shard of this run or import says of itself.
pub(super) fn shard_metadata(
    run: &impl Serialize,
    run_fingerprint: &str,
    shard: u64,
) -> Vec<(&'static str, String)> {
    vec![
        (KEY_RUN_FINGERPRINT, run_fingerprint.to_owned()),
        (KEY_SHARD, shard.to_string()),
        (KEY_RUN, compact_json(run)),
    ]
}

/// How a file is written: everything that could vary is fixed here, because the bytes are promised.
pub(super) fn writer_properties(
    columns: Columns,
    metadata: Vec<(&'static str, String)>,
) -> WriterPropertiesPtr {
    let metadata = [(KEY_FORMAT, FIRST_VERSION.to_string())].into_iter().chain(metadata);
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let level = ZstdLevel::try_new(ZSTD_LEVEL).expect("a level that zstd has");
    let game_index = ColumnPath::from("game_index");
    let (moves, moves_compression) = match columns.moves {
        // Dictionary codes of random moves have as many bits as they need: compression would save 4 % and take 8 % of the time.
        MovesColumn::List => {
            (["moves", "list", "element"].map(str::to_owned).to_vec(), Compression::UNCOMPRESSED)
        }
        MovesColumn::Binary | MovesColumn::None => (vec!["moves".to_owned()], Compression::ZSTD(level)),
    };
    let moves = ColumnPath::new(moves);
    let properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(CREATED_BY.to_owned())
        .set_key_value_metadata(Some(metadata))
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(columns.group_games() as usize))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_dictionary_enabled(game_index.clone(), false)
        .set_column_encoding(game_index, Encoding::DELTA_BINARY_PACKED)
        .set_column_statistics_enabled(moves.clone(), EnabledStatistics::None)
        .set_column_compression(moves.clone(), moves_compression)
        .set_column_dictionary_enabled(moves, columns.moves == MovesColumn::List)
        .build();
    Arc::new(properties)
}
