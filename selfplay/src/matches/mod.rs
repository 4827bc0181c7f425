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

use std::{
    collections::BTreeMap,
    fmt,
    ops::ControlFlow,
    path::Path,
    str::FromStr,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use jigo_engine::{
    BoardSize, Game, Komi, Move, RuleSet,
    game::HandicapStart,
    life::StatusSolver,
    protocol::{Conduct, EndRule},
};

use folder::Folder;
pub use folder::{FORMAT_VERSION, PAGE, RECORDS, RESULTS, is_match, verify_match, write_results};
pub use openings::Openings;
pub use players::{Contestant, PlayerSpec};
use referee::Referee;
pub use result::{DeadStones, MatchEnding, MatchError, MatchResult};

pub use crate::time_control::{Overtime, TimeControl};
use crate::{Progress, RunConfig, search::SearchPools, sgf::SgfGame};

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
    play_match_until(dir, spec, progress, |_| ControlFlow::Continue(()))
}

/// Plays a match as [`play_match`] does, until `follow` breaks it off: that is called for every finished game in their order, also for those that were
/// finished before. Games after the one that broke the match off are not kept, so that its end depends neither on how many games are played at a time nor
/// on interruptions. [`MatchSpec::stop_rule`] names in the manifest what `follow` does.
///
/// # Errors
/// As [`play_match`].
pub fn play_match_until(
    dir: &Path,
    spec: &MatchSpec,
    progress: &Progress,
    mut follow: impl FnMut(&MatchResult) -> ControlFlow<()> + Send,
) -> Result<Vec<MatchResult>, MatchError> {
    spec.check()?;
    let mut folder = Folder::open(dir, spec)?;
    progress.skip(folder.game_count());
    let mut is_over = folder.results().any(|result| follow(result).is_break());
    let policies = spec.players.iter().map(PlayerSpec::policy);
    let pools = SearchPools::new(policies.clone().flatten());
    let at_once =
        if policies.clone().all(|policy| policy.is_some()) { pools.games_at_once(spec.size) } else { 1 };
    if !is_over && !progress.is_stopped() {
        // Gives up the games that are still played when the match is broken off, or stopped. Players and pools must see the same.
        let playing = Progress::new();
        let progress = [progress, &playing];
        let play = || play_missing(&mut folder, spec, at_once * spec.threads, &pools, progress, &mut follow);
        is_over = pools.run(spec.threads, &|| playing.is_stopped(), play)?.is_break();
    }
    if is_over {
        folder.note_end()?;
    }
    record::write(dir, spec, &folder)?;
    Ok(folder.into_results())
}

/// How often a match checks whether it must stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A game that has just been played.
struct Played {
    result: MatchResult,
    game: SgfGame,
    /// What the clock showed after each move, as properties in SGF; shorter where there is nothing to say.
    times: Vec<String>,
}

/// Plays so many of the missing games at once, and adds them to the folder in their order. Returns whether the match was broken off.
fn play_missing(
    folder: &mut Folder,
    spec: &MatchSpec,
    at_once: usize,
    pools: &SearchPools,
    [progress, playing]: [&Progress; 2],
    follow: &mut impl FnMut(&MatchResult) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, MatchError> {
    let next = AtomicU64::new(folder.game_count());
    let missing = usize::try_from(spec.games - folder.game_count()).unwrap_or(usize::MAX);
    thread::scope(|scope| {
        let (sender, played) = mpsc::channel();
        for _ in 0..at_once.min(missing) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut referee = Referee::new(spec, pools, playing);
                while !playing.is_stopped() {
                    let game_index = next.fetch_add(1, Ordering::Relaxed);
                    if game_index >= spec.games {
                        break;
                    }
                    let played = match spec.adjudication {
                        Adjudication::Certified { limits } => {
                            referee::play_certified(spec, pools, limits, game_index, playing)
                        }
                        Adjudication::AllAlive | Adjudication::Engines => referee.play(game_index),
                    };
                    if played.is_err() {
                        // No further game begins.
                        next.store(spec.games, Ordering::Relaxed);
                    }
                    // Nobody takes games any more after an error.
                    if sender.send(played).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        loop {
            let played = match played.recv_timeout(POLL_INTERVAL) {
                Ok(played) => played?,
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if progress.is_stopped() {
                playing.stop();
            }
            let Some(played) = played else { continue };
            early.insert(played.result.game, played);
            while let Some(mut played) = early.remove(&folder.game_count()) {
                let text = record::text(spec, &mut played);
                let result = folder.append(played.result, &text)?;
                progress.add(1, u64::from(result.plies));
                if follow(result).is_break() {
                    playing.stop();
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Everything that determines a match, as far as the players are deterministic, and how many threads play it.
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
    /// The clock of each player who is no policy.
    pub clock: Option<TimeControl>,
    /// How much longer than its clock allows a move may take.
    pub time_margin: Duration,
    /// What the caller of [`play_match_until`] calls the rule by which it breaks the match off.
    pub stop_rule: Option<String>,
    /// How games begin.
    pub openings: Openings,
    /// Who says which stones are dead.
    pub adjudication: Adjudication,
    /// Threads. Each plays one game with programs at a time, and as many between policies that search as fill its batches. The games do not depend on it
    /// where the players do not.
    pub threads: usize,
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
    /// Returns a match of 20 games from the empty board with seed 1, the komi of the rule set, the default move limit, a minute for each answer of a program
    /// and no clocks, all stones alive at the end, and one thread.
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
            clock: None,
            time_margin: Duration::ZERO,
            stop_rule: None,
            openings: Openings::Empty,
            adjudication: Adjudication::AllAlive,
            threads: 1,
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

    /// Checks what the types do not: GTP knows square boards only and no certified statuses, columns have 16 bits, policies fit the board, the rules have
    /// the handicap, and openings and handicap must leave something to play.
    ///
    /// # Errors
    /// [`MatchError::InvalidSpec`].
    pub fn check(&self) -> Result<(), MatchError> {
        let invalid = |reason: String| Err(MatchError::InvalidSpec(reason));
        let (size, ply_cap) = (self.size, self.ply_cap);
        let has_program = self.players.iter().any(PlayerSpec::is_program);
        let has_other = self.players.iter().any(|player| !matches!(player, PlayerSpec::Policy(_)));
        if has_program && !size.is_square() {
            return invalid(format!("programs play on square boards only, not {size}: choose another size"));
        }
        if self.clock.is_some() && !has_other {
            return invalid("policies play without clocks: leave out --clock".to_owned());
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
        for policy in self.players.iter().filter_map(PlayerSpec::policy) {
            policy.check(size).map_err(|error| MatchError::InvalidSpec(error.to_string()))?;
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
                "openings and handicap of {longest} plies leave nothing to play: the ply cap is {ply_cap}; raise it, or play fewer of them"
            ));
        }
        Ok(())
    }
}
