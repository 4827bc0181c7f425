//! What determines a match.

use std::{fmt, str::FromStr, time::Duration};

use jigo_engine::{BoardSize, Komi, Move, Rules};

use super::{MatchError, Openings, Player};
use crate::dataset::DatasetSpec;

/// Everything that determines a match, as far as the players are deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSpec {
    /// First, second.
    pub players: [Player; 2],
    /// The board.
    pub size: BoardSize,
    /// The rules by which moves are judged and points counted.
    pub rules: Rules,
    /// White's compensation.
    pub komi: Komi,
    /// Number of games.
    pub games: u64,
    /// Seed of policies and openings.
    pub seed: u64,
    /// Plies, those of the opening included, after which a game is cut off and counted as it stands; at most 65,535.
    pub ply_cap: u32,
    /// The time in which a program must answer each command.
    pub time_limit: Duration,
    /// How games begin.
    pub openings: Openings,
    /// Who says which stones are dead.
    pub adjudication: Adjudication,
}

/// Who says which stones are dead after two passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Adjudication {
    /// Nobody: all stones are alive.
    #[default]
    AsItStands,
    /// The players: stones that both call dead are removed if they agree on all; otherwise all are alive and the game is flagged.
    Engines,
}

/// Text that names no adjudication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a way to adjudicate: write as-it-stands or engines")]
pub struct UnknownAdjudication(String);

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::AsItStands => "as-it-stands",
            Self::Engines => "engines",
        })
    }
}

impl FromStr for Adjudication {
    type Err = UnknownAdjudication;

    fn from_str(text: &str) -> Result<Self, UnknownAdjudication> {
        match text {
            "as-it-stands" => Ok(Self::AsItStands),
            "engines" => Ok(Self::Engines),
            _ => Err(UnknownAdjudication(text.to_owned())),
        }
    }
}

impl MatchSpec {
    /// The opening of a game.
    #[must_use]
    pub fn opening(&self, game_index: u64) -> Vec<Move> {
        self.openings.of_game(game_index, self.size, self.rules, self.seed)
    }

    /// Checks what the types do not: GTP knows square boards only, columns have 16 bits, and openings must leave something to play.
    pub(super) fn check(&self) -> Result<(), MatchError> {
        let has_program = self.players.iter().any(|player| matches!(player, Player::Program(_)));
        if has_program && !self.size.is_square() {
            let reason =
                format!("programs play on square boards only, not {}: choose another size", self.size);
            return Err(MatchError::InvalidSpec(reason));
        }
        if self.ply_cap > DatasetSpec::MAX_PLY_CAP {
            let reason =
                format!("the ply cap is {}; it must be at most {}", self.ply_cap, DatasetSpec::MAX_PLY_CAP);
            return Err(MatchError::InvalidSpec(reason));
        }
        let longest = match &self.openings {
            Openings::Empty => 0,
            Openings::Random(plies) => *plies,
            Openings::Listed(all) => all.iter().map(Vec::len).max().unwrap_or(0) as u32,
        };
        if longest >= self.ply_cap {
            let reason =
                format!("openings of {longest} plies leave nothing to play: the ply cap is {}", self.ply_cap);
            return Err(MatchError::InvalidSpec(reason));
        }
        Ok(())
    }
}
