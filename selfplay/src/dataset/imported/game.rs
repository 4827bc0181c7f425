//! One imported game.

use jigo_engine::{Color, Move};

use super::columns::{TEXTS, color_name};
use crate::{
    End, GameRecord,
    sgf::{GameResult, Record, Replay, WinBy},
};

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

/// A game whose numbers are too great for the columns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{plies} plies and {prisoners} prisoners: a dataset holds games of at most {} of either", u16::MAX)]
pub struct TooLong {
    plies: u32,
    prisoners: u32,
}

impl ImportedGame {
    /// The game of a record that was played to its end.
    ///
    /// # Errors
    /// [`TooLong`] when it has more than 65,535 plies or prisoners of a colour.
    pub fn new(record: Record, replay: &Replay, source: GameSource) -> Result<Self, TooLong> {
        let (plies, prisoners) = (replay.plies, replay.prisoners.into_iter().max().unwrap_or_default());
        if plies.max(prisoners) > u16::MAX.into() {
            return Err(TooLong { plies, prisoners });
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
            ..GameRecord::empty()
        };
        Ok(Self { record, played, checked_rules: replay.rules.canonical(), source })
    }

    /// The columns that hold text as the record has it.
    pub const TEXTS: [&'static str; TEXTS.len()] = {
        let mut names = [""; TEXTS.len()];
        let mut column = 0;
        while column < names.len() {
            names[column] = TEXTS[column].0;
            column += 1;
        }
        names
    };

    /// What the record says in each of the columns [`TEXTS`](Self::TEXTS).
    pub fn texts(&self) -> impl Iterator<Item = Option<&str>> {
        TEXTS.into_iter().map(|(_, property)| self.record.game.info.get(property))
    }

    /// Who plays first: `black` or `white`.
    #[must_use]
    pub fn first_player(&self) -> &'static str {
        color_name(self.record.game.first_to_play())
    }

    /// Who won as recorded: `black`, `white`, or `none` for a draw; `None` where nothing is recorded, or neither.
    #[must_use]
    pub fn winner(&self) -> Option<&'static str> {
        match self.record.game.result()? {
            GameResult::Win { winner, .. } => Some(color_name(winner)),
            GameResult::Draw => Some("none"),
            _ => None,
        }
    }

    /// Black's result as recorded, after komi and in half points, where the game was counted.
    #[must_use]
    pub fn half_points(&self) -> Option<i32> {
        match self.record.game.result()? {
            GameResult::Win { winner, by: WinBy::HalfPoints(points) } => {
                let points = i32::try_from(points).ok()?;
                Some(if winner == Color::Black { points } else { -points })
            }
            GameResult::Draw => Some(0),
            _ => None,
        }
    }
}

/// Whether the players passed in succession at the end, or stopped otherwise.
pub(super) fn end_of(moves: &[Move]) -> End {
    if moves.ends_with(&[Move::Pass; 2]) { End::TwoPasses } else { End::BrokenOff }
}
