//! What determines a match.

use std::{fmt, str::FromStr, time::Duration};

use jigo_engine::{BoardSize, Komi, Move, Rules, life::StatusSolver, protocol::EndRule};

use super::{MatchError, Openings, PlayerSpec};
use crate::dataset::DatasetSpec;

/// Everything that determines a match, as far as the players are deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSpec {
    /// First, second.
    pub players: [PlayerSpec; 2],
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
    /// How games go on from a stop where players may [disagree](Adjudication::Certified) about dead stones.
    pub ending: EndRule,
}

/// Who says which stones are dead after two passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Adjudication {
    /// Nobody: all stones are alive.
    #[default]
    AsItStands,
    /// The players: stones that both call dead are removed if they agree on all; otherwise all are alive and the game is flagged.
    Engines,
    /// Two policies that hold certified statuses: where they do not agree, they [play on](crate::whole_game).
    Certified {
        /// States that the searches of the first and the second player may look at.
        limits: [usize; 2],
    },
}

/// Text that names no adjudication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a way to adjudicate: write as-it-stands, engines, certified, or certified:5000,100 with limits of both players' searches"
)]
pub struct UnknownAdjudication(String);

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsItStands => f.pad("as-it-stands"),
            Self::Engines => f.pad("engines"),
            Self::Certified { limits: [StatusSolver::DEFAULT_LIMIT, StatusSolver::DEFAULT_LIMIT] } => {
                f.pad("certified")
            }
            Self::Certified { limits: [first, second] } => f.pad(&format!("certified:{first},{second}")),
        }
    }
}

impl FromStr for Adjudication {
    type Err = UnknownAdjudication;

    fn from_str(text: &str) -> Result<Self, UnknownAdjudication> {
        let unknown = || UnknownAdjudication(text.to_owned());
        match text {
            "as-it-stands" => Ok(Self::AsItStands),
            "engines" => Ok(Self::Engines),
            "certified" => Ok(Self::Certified { limits: [StatusSolver::DEFAULT_LIMIT; 2] }),
            _ => {
                let limits = text.strip_prefix("certified:").ok_or_else(unknown)?;
                let (first, second) = limits.split_once(',').unwrap_or((limits, limits));
                let limit = |text: &str| text.parse().map_err(|_| unknown());
                Ok(Self::Certified { limits: [limit(first)?, limit(second)?] })
            }
        }
    }
}

impl MatchSpec {
    /// The opening of a game.
    #[must_use]
    pub fn opening(&self, game_index: u64) -> Vec<Move> {
        self.openings.of_game(game_index, self.size, self.rules, self.seed)
    }

    /// Checks what the types do not: GTP knows square boards only and no certified statuses, columns have 16 bits, turns alternate, and openings
    /// must leave something to play.
    pub(super) fn check(&self) -> Result<(), MatchError> {
        let has_program = self.players.iter().any(|player| matches!(player, PlayerSpec::Program(_)));
        if has_program && !self.size.is_square() {
            let reason =
                format!("programs play on square boards only, not {}: choose another size", self.size);
            return Err(MatchError::InvalidSpec(reason));
        }
        if let Adjudication::Certified { .. } = self.adjudication {
            let reason = match self.ending {
                _ if has_program => Some("programs hold no certified statuses: use --adjudicate engines"),
                EndRule::Passes | EndRule::Agreement(_) => None,
                EndRule::Marking | EndRule::Continuations(_) => Some(
                    "matches record players in turn and simple ends, no proposals that take a turn and no \
                     continuations: use --rules hups, which counts in the same way",
                ),
            };
            if let Some(reason) = reason {
                return Err(MatchError::InvalidSpec(reason.to_owned()));
            }
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
