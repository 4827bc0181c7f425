//! Matches between two players, refereed by jigo's rules.
//!
//! A player is a built-in policy, a program that speaks GTP, or any [`Player`](crate::Player) of one's own. The referee checks every move; whoever plays an
//! illegal one, ends, hangs or gives no valid answer loses the game, and the match continues. A match lives in a directory, game by game, and
//! continues there when it is interrupted. `docs/match.md` describes files and results.

mod folder;
mod openings;
mod players;
mod record;
mod referee;
mod result;

use std::{fmt, path::Path, str::FromStr, time::Duration};

use jigo_engine::{
    BoardSize, Game, Komi, Move, RuleSet,
    game::HandicapStart,
    life::StatusSolver,
    protocol::{Conduct, EndRule},
};

use folder::Folder;
pub use folder::{FORMAT_VERSION, is_match, verify_match, write_results};
pub use openings::Openings;
pub use players::{Contestant, PlayerSpec};
use referee::Referee;
pub use result::{DeadStones, MatchEnding, MatchError, MatchResult};

use crate::{Progress, RunConfig};

/// Plays the games of a match that are missing in `dir`, and returns the results of all games finished: fewer than wanted when `progress` was
/// stopped. A game that is not over then is given up and played again later. All finished games are written to `games.parquet` at the end.
///
/// The match in `dir` may have had fewer games: it then goes on to as many as are wanted now. Finished games are played again by their moves and
/// counted again, so that a record that was changed is noticed.
///
/// # Errors
/// [`MatchError`]: when the arguments do not go together, the directory holds something else or damaged files, a file cannot be written, or a program
/// cannot be started.
pub fn play_match(dir: &Path, spec: &MatchSpec, progress: &Progress) -> Result<Vec<MatchResult>, MatchError> {
    spec.check()?;
    let mut folder = Folder::open(dir, spec)?;
    progress.skip(folder.game_count());
    let mut referee = Referee::new(spec, progress);
    while folder.game_count() < spec.games && !progress.is_stopped() {
        let game_index = folder.game_count();
        let played = match spec.adjudication {
            Adjudication::Certified { limits } => Some(referee::play_certified(spec, limits, game_index)),
            Adjudication::AllAlive | Adjudication::Engines => referee.play(game_index)?,
        };
        let Some((result, game)) = played else { break };
        let plies = u64::from(result.plies);
        let text = record::text(spec, &result, game);
        folder.append(result, &text)?;
        progress.add(1, plies);
    }
    record::write(dir, spec, &folder)?;
    Ok(folder.into_results())
}

/// Everything that determines a match, as far as the players are deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSpec {
    /// First, second.
    pub players: [PlayerSpec; 2],
    /// The board.
    pub size: BoardSize,
    /// The rules by which moves are judged and points counted.
    pub rules: RuleSet,
    /// White's compensation.
    pub komi: Komi,
    /// Handicap stones of every game, by the [rule set's handicap](RuleSet::handicap); 0 in even games.
    pub handicap: u32,
    /// Number of games.
    pub games: u64,
    /// Seed of policies and openings.
    pub seed: u64,
    /// Plies, those of the opening included, after which a game is stopped and counted with all stones alive; at most 65,535.
    pub ply_cap: u32,
    /// The time in which a program must answer each command.
    pub time_limit: Duration,
    /// How games begin.
    pub openings: Openings,
    /// Who says which stones are dead.
    pub adjudication: Adjudication,
}

/// Who says which stones are dead after two passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Adjudication {
    /// Nobody: all stones are alive. Written `as-it-stands`.
    AllAlive,
    /// The players: stones that both call dead are removed if they agree on all; otherwise all are alive and the game is flagged.
    Engines,
    /// Two policies with certified statuses: where they do not agree, they [play on](crate::whole_game).
    Certified {
        /// States that the searches of the first and the second player may visit.
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
            Self::AllAlive => f.pad("as-it-stands"),
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
            "as-it-stands" => Ok(Self::AllAlive),
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
    /// Returns a match of 20 games from the empty board with seed 1, the komi of the rule set, the default move limit, a minute for each answer of a program,
    /// and all stones alive at the end.
    #[must_use]
    pub fn new(players: [PlayerSpec; 2], size: BoardSize, rules: impl Into<RuleSet>) -> Self {
        let rules = rules.into();
        Self {
            players,
            size,
            rules,
            komi: rules.komi(size),
            handicap: 0,
            games: 20,
            seed: 1,
            ply_cap: RunConfig::default_ply_cap(size),
            time_limit: Duration::from_secs(60),
            openings: Openings::Empty,
            adjudication: Adjudication::AllAlive,
        }
    }

    /// Returns how games go on from a stop where players may [disagree](Adjudication::Certified) about dead stones.
    #[must_use]
    pub fn ending(&self) -> EndRule {
        EndRule::new(self.rules, self.size)
    }

    /// Returns by what protocol games are played to an [agreement](Adjudication::Certified).
    fn conduct(&self) -> Conduct {
        Conduct::new(self.rules, self.size).with_komi(self.komi).with_handicap(self.handicap)
    }

    /// Returns how every game begins.
    ///
    /// # Panics
    /// When the rules or the board do not have the handicap.
    #[must_use]
    pub fn start(&self) -> HandicapStart {
        self.rules.handicap(self.size, self.handicap).expect("checked before the match")
    }

    /// Returns a game before its first ply.
    fn first_position(&self) -> Game {
        Game::with_handicap(self.size, *self.rules, &self.start())
    }

    /// Returns whether rejected proposals take a turn of the players.
    fn has_proposals_in_turn(&self) -> bool {
        matches!(self.adjudication, Adjudication::Certified { .. }) && self.ending() == EndRule::Marking
    }

    /// Returns the opening of a game.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    #[must_use]
    pub fn opening(&self, game_index: u64) -> Vec<Move> {
        self.openings.moves(game_index, &self.first_position(), self.seed)
    }

    /// Checks what the types do not: GTP knows square boards only and no certified statuses, columns have 16 bits, the rules have the handicap, and
    /// openings and handicap must leave something to play.
    fn check(&self) -> Result<(), MatchError> {
        let invalid = |reason: String| Err(MatchError::InvalidSpec(reason));
        let (size, ply_cap) = (self.size, self.ply_cap);
        let has_program = self.players.iter().any(|player| matches!(player, PlayerSpec::Program(_)));
        let has_other = self.players.iter().any(|player| !matches!(player, PlayerSpec::Policy(_)));
        if has_program && !size.is_square() {
            return invalid(format!("programs play on square boards only, not {size}: choose another size"));
        }
        let is_certified = matches!(self.adjudication, Adjudication::Certified { .. });
        if is_certified && has_other {
            return invalid("programs hold no certified statuses: use --adjudicate engines".to_owned());
        }
        if !is_certified && matches!(self.ending(), EndRule::Continuations(_)) {
            return invalid(format!(
                "games by {} have continuations, which two policies with certified statuses play: use --adjudicate certified",
                self.rules
            ));
        }
        let max = RunConfig::MAX_PLY_CAP;
        if ply_cap > max {
            return invalid(format!("the ply cap is {ply_cap}; it must be at most {max}"));
        }
        let handicap = self.rules.handicap(size, self.handicap);
        let handicap = handicap.map_err(|error| MatchError::InvalidSpec(error.to_string()))?;
        let longest = match &self.openings {
            Openings::Empty => 0,
            Openings::Random(plies) => *plies,
            Openings::Listed(all) => all.iter().map(Vec::len).max().unwrap_or(0) as u32,
        };
        let longest = handicap.free.max(longest);
        if longest >= ply_cap {
            return invalid(format!(
                "openings and handicap of {longest} plies leave nothing to play: the ply cap is {ply_cap}"
            ));
        }
        Ok(())
    }
}
