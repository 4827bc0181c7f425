//! What a game came to.

use std::fmt;

use jigo_engine::Color;
use serde::{Deserialize, Serialize};

use super::Contestant;
use crate::engine_process::EngineError;

/// One game of a match, without its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Position in the match, from 0.
    pub game: u64,
    /// Who had Black.
    pub black: Contestant,
    /// Who won; nobody in case of jigo.
    pub winner: Option<Contestant>,
    /// How the game ended.
    pub ending: Ending,
    /// Black's result after komi in half points, where the game was counted.
    pub half_points: Option<i32>,
    /// What was said about dead stones.
    pub dead: DeadStones,
    /// Number of plies, passes and opening included.
    pub plies: u32,
    /// What happened in words; empty where the rest says it all.
    pub detail: String,
}

/// How a game of a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Two passes in succession; counted.
    TwoPasses,
    /// The limit on plies; counted as it stands, though it was not over.
    PlyCap,
    /// The loser resigned.
    Resignation,
    /// The loser played a move that the rules forbid.
    IllegalMove,
    /// The loser's program ended.
    Crash,
    /// The loser's program gave no answer in time.
    Timeout,
    /// The loser's program said something that is no answer.
    Garbage,
    /// The loser's program refused a command, such as a legal move of the opponent.
    Refused,
}

impl Ending {
    /// All endings.
    pub const ALL: [Self; 8] = [
        Self::TwoPasses,
        Self::PlyCap,
        Self::Resignation,
        Self::IllegalMove,
        Self::Crash,
        Self::Timeout,
        Self::Garbage,
        Self::Refused,
    ];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TwoPasses => "two-passes",
            Self::PlyCap => "ply-cap",
            Self::Resignation => "resignation",
            Self::IllegalMove => "illegal-move",
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Garbage => "garbage",
            Self::Refused => "refused",
        }
    }

    /// Whether the game was lost by a fault and not by play.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::TwoPasses | Self::PlyCap | Self::Resignation)
    }

    /// The fault that an error of a program is; `None` for errors that are nobody's fault in a game.
    pub(super) const fn of_error(error: &EngineError) -> Option<Self> {
        match error {
            EngineError::Refused { .. } => Some(Self::Refused),
            EngineError::Ended { .. } => Some(Self::Crash),
            EngineError::TimedOut { .. } => Some(Self::Timeout),
            EngineError::Garbage { .. } => Some(Self::Garbage),
            EngineError::BadCommandLine { .. } | EngineError::NotStarted { .. } | EngineError::Stopped => {
                None
            }
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What was said about dead stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeadStones {
    /// Nobody was asked: all stones counted as they stood.
    NotAsked,
    /// Both players named the same ones; these were removed.
    Agreed,
    /// The players did not agree, and playing on could not show who was right; what both named was removed.
    Common,
    /// The players did not agree, or one had no answer: all stones counted as they stood.
    Disputed,
}

impl DeadStones {
    /// All that can be said.
    pub const ALL: [Self; 4] = [Self::NotAsked, Self::Agreed, Self::Common, Self::Disputed];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotAsked => "not-asked",
            Self::Agreed => "agreed",
            Self::Common => "common",
            Self::Disputed => "disputed",
        }
    }
}

impl MatchResult {
    /// Who had this colour.
    #[must_use]
    pub const fn contestant(&self, color: Color) -> Contestant {
        match color {
            Color::Black => self.black,
            Color::White => self.black.opponent(),
        }
    }

    /// The winner's colour.
    #[must_use]
    pub fn winning_color(&self) -> Option<Color> {
        let winner = self.winner?;
        Color::BOTH.into_iter().find(|&color| self.contestant(color) == winner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_in_files() {
        for ending in Ending::ALL {
            assert_eq!(serde_json::to_value(ending).unwrap(), ending.name());
        }
        for dead in DeadStones::ALL {
            assert_eq!(serde_json::to_value(dead).unwrap(), dead.name());
        }
        for contestant in Contestant::BOTH {
            assert_eq!(serde_json::to_value(contestant).unwrap(), contestant.name());
        }
    }

    #[test]
    fn winners_have_the_colour_that_they_played() {
        let result = MatchResult {
            game: 1,
            black: Contestant::Second,
            winner: Some(Contestant::First),
            ending: Ending::Resignation,
            half_points: None,
            dead: DeadStones::NotAsked,
            plies: 7,
            detail: String::new(),
        };
        assert_eq!(result.winning_color(), Some(Color::White));
        let text = serde_json::to_string(&result).unwrap();
        assert_eq!(serde_json::from_str::<MatchResult>(&text).unwrap(), result);
    }
}
