//! Imported games: records of games played elsewhere, in the columns of every dataset and further ones for what the records say.
//!
//! A folder of them looks like any dataset and is described in `docs/dataset.md`, but its games follow from no seed. [`ImportWriter`] writes one,
//! [`ImportedDataset`] reads it.

mod columns;
mod read;
mod write;

use jigo_engine::Move;

use crate::{
    End, GameRecord,
    sgf::{Event, GameResult, Record, Replay},
};
use columns::FIELDS;

pub(super) use read::FAULTS;
pub(super) use read::FORMAT;
pub use read::{FaultsEntry, Import, ImportManifest, ImportedDataset, SourceCounts, is_import};
pub(super) use write::BATCH_BYTES;
pub use write::ImportWriter;

/// A game that was played elsewhere: what its record says, and what playing it came to.
#[derive(Clone, Debug)]
pub struct ImportedGame {
    /// All that the record says. Read from a dataset, its warnings have no text, and all places in it are that of the game.
    pub record: Record,
    /// The game as it is measured. Its moves are those of the record, whoever played them, and ended by two passes if the last two plies are.
    pub played: GameRecord,
    /// The rules that the moves were checked against, [in full](jigo_engine::Rules::canonical).
    pub checked_rules: String,
    /// Where the record was found.
    pub source: GameSource,
}

/// Where the record of a game was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSource {
    /// The file; in an archive, followed by the name inside.
    pub file: String,
    /// Offset of the game in the file.
    pub byte: u64,
    /// How many games of the file stand before it.
    pub place: u64,
}

/// The most bytes of one game in the columns, as [`ImportedGame::stored_bytes`] counts them: more than any file that an import reads by default
/// holds in properties with short names.
pub(super) const MAX_GAME_BYTES: u64 = 64 << 20;

/// A game that the columns have no room for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: a dataset holds games of at most {1}")]
pub struct TooLarge(String, String);

impl ImportedGame {
    /// The game of a record that was played to its end.
    ///
    /// # Errors
    /// [`TooLarge`] when it has more than 65,535 plies or prisoners of a colour, or 64 MiB of text.
    pub fn new(record: Record, replay: &Replay, source: GameSource) -> Result<Self, TooLarge> {
        let (plies, prisoners) = (replay.plies, replay.prisoners.into_iter().max().unwrap_or_default());
        if plies.max(prisoners) > u16::MAX.into() {
            let found = format!("{plies} plies and {prisoners} prisoners");
            return Err(TooLarge(found, format!("{} of either", u16::MAX)));
        }
        let moves: Vec<Move> = record.game.moves().map(|(_, mv)| mv).collect();
        let played = GameRecord {
            plies,
            first_move: moves.first().copied(),
            end: end_of(&moves),
            moves,
            passes: replay.passes,
            area: replay.area,
            prisoners: replay.prisoners,
            repeated: replay.repetitions.clone(),
            ..GameRecord::default()
        };
        let game = Self { record, played, checked_rules: replay.rules.canonical(), source };
        match game.stored_bytes() {
            bytes if bytes > MAX_GAME_BYTES => {
                Err(TooLarge(format!("{bytes} bytes of texts and lists"), MAX_GAME_BYTES.to_string()))
            }
            _ => Ok(game),
        }
    }

    /// About how many bytes its columns have before they are compressed: those of its texts, and some for each element of a list.
    #[must_use]
    pub fn stored_bytes(&self) -> u64 {
        const ELEMENT: usize = 8;
        const EDIT: usize = 24;
        let properties = self.record.game.info.iter().map(|(name, values)| {
            let values = values.iter().map(|value| name.len() + value.len() + ELEMENT);
            values.sum::<usize>()
        });
        let game = &self.record.game;
        let edits = game.events.iter().map(|event| match event {
            Event::Play { .. } => 0,
            Event::Setup(setup) => 1 + setup.points().count(),
        });
        let edits = game.setup.points().count() + edits.sum::<usize>();
        let lists = EDIT * edits + ELEMENT * self.record.warnings.len() + 2 * self.played.moves.len();
        let texts = self.source.file.len() + self.record.application.as_ref().map_or(0, String::len);
        (properties.sum::<usize>() + lists + texts) as u64
    }

    /// Returns the names of the columns that have at most one value for each game, in their order.
    pub fn field_names() -> impl Iterator<Item = &'static str> {
        FIELDS.iter().map(|(name, _)| *name)
    }

    /// Returns the values of these columns as text; what is not recorded is empty.
    pub fn fields(&self) -> impl Iterator<Item = String> {
        FIELDS.iter().map(|(_, field)| field.text(self))
    }

    /// Who won as recorded: `black`, `white`, or `none` for a draw; `None` where nothing is recorded, or neither.
    #[must_use]
    pub fn winner(&self) -> Option<&'static str> {
        match self.record.game.result()? {
            GameResult::Win { winner, .. } => Some(winner.name()),
            GameResult::Draw => Some("none"),
            _ => None,
        }
    }

    /// Black's result as recorded, after komi and in half points, where the game was counted.
    #[must_use]
    pub fn half_points(&self) -> Option<i32> {
        self.record.game.result()?.half_points()
    }
}

/// Whether the players passed in succession at the end, or stopped otherwise.
fn end_of(moves: &[Move]) -> End {
    if moves.ends_with(&[Move::Pass; 2]) { End::TwoPasses } else { End::BrokenOff }
}
