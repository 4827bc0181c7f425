//! Games between two players, move by move.

use std::collections::BTreeSet;

use jigo_engine::{Color, Game, Move};

use super::{
    Adjudication, Contestant, DeadStones, Ending, MatchError, MatchResult, MatchSpec, record,
    score::{chains, margin},
    seat::{Reply, Seat},
};
use crate::{Progress, engine_process::EngineError, sgf::SgfGame};

/// Lets two players play and judges.
pub(super) struct Referee<'a> {
    spec: &'a MatchSpec,
    progress: &'a Progress,
    /// First, second.
    seats: [Seat<'a>; 2],
}

/// Why a game ends before both have passed.
enum Break {
    /// One player loses.
    Loss { loser: Color, ending: Ending, detail: String },
    /// Not the game's fault; the game does not count.
    Match(MatchError),
    /// On request; the game does not count.
    Stopped,
}

impl<'a> Referee<'a> {
    pub(super) fn new(spec: &'a MatchSpec, progress: &'a Progress) -> Self {
        let seats =
            Contestant::BOTH.map(|contestant| Seat::new(spec, &spec.players[contestant.index()], progress));
        Self { spec, progress, seats }
    }

    /// Plays a game; `None` when it was stopped.
    pub(super) fn play(&mut self, game_index: u64) -> Result<Option<(MatchResult, SgfGame)>, MatchError> {
        let black = Contestant::black_in(game_index);
        let mut game: Game = Game::new(self.spec.size, self.spec.rules);
        let mut moves = Vec::new();
        let mut result = MatchResult {
            game: game_index,
            black,
            winner: None,
            ending: Ending::PlyCap,
            half_points: None,
            dead: DeadStones::NotAsked,
            plies: 0,
            detail: String::new(),
        };
        match self.play_to_the_end(game_index, black, &mut game, &mut moves) {
            Ok(()) => self.count(&game, &mut result),
            Err(Break::Loss { loser, ending, detail }) => {
                result = MatchResult { ending, detail, ..result };
                result.winner = Some(result.contestant(loser.opponent()));
            }
            Err(Break::Match(error)) => return Err(error),
            Err(Break::Stopped) => return Ok(None),
        }
        result.plies = moves.len() as u32;
        // A request during the last questions may have cut an answer short.
        Ok((!self.progress.is_stopped()).then(|| (result, record::plain(self.spec, &moves))))
    }

    fn seat(&mut self, black: Contestant, color: Color) -> &mut Seat<'a> {
        let contestant = if color == Color::Black { black } else { black.opponent() };
        &mut self.seats[contestant.index()]
    }

    fn play_to_the_end(
        &mut self,
        game_index: u64,
        black: Contestant,
        game: &mut Game,
        moves: &mut Vec<Move>,
    ) -> Result<(), Break> {
        for color in Color::BOTH {
            self.seat(black, color).begin(game_index, color).map_err(|error| before_play(color, error))?;
        }
        for mv in self.spec.opening(game_index) {
            let mover = game.to_play();
            for color in Color::BOTH {
                self.seat(black, color).tell(mover, mv).map_err(|error| in_play(color, error))?;
            }
            enter(game, moves, mv)?;
        }
        while !game.is_over() && game.ply_count() < self.spec.ply_cap {
            if self.progress.is_stopped() {
                return Err(Break::Stopped);
            }
            let mover = game.to_play();
            let reply = self.seat(black, mover).choose(game).map_err(|error| in_play(mover, error))?;
            let mv = match reply {
                Reply::Move(mv) => mv,
                Reply::Resign => {
                    let detail = format!("{mover} resigned");
                    return Err(Break::Loss { loser: mover, ending: Ending::Resignation, detail });
                }
                Reply::Unreadable(text) => {
                    let detail = format!("{mover} answered `{text}` when asked for a move");
                    return Err(Break::Loss { loser: mover, ending: Ending::Garbage, detail });
                }
            };
            enter(game, moves, mv)?;
            let other = mover.opponent();
            let told = self.seat(black, other).tell(mover, mv);
            // Nobody loses a game that has ended.
            if !game.is_over() {
                told.map_err(|error| in_play(other, error))?;
            }
        }
        Ok(())
    }

    /// Counts a game that nobody lost otherwise.
    fn count(&mut self, game: &Game, result: &mut MatchResult) {
        let mut dead = BTreeSet::new();
        if game.is_over() {
            result.ending = Ending::TwoPasses;
            if self.spec.adjudication == Adjudication::Engines {
                match self.agreed_dead(game) {
                    Ok(agreed) => {
                        result.dead = DeadStones::Agreed;
                        result.detail = removed(agreed.len());
                        dead = agreed;
                    }
                    Err(reason) => {
                        result.dead = DeadStones::Disputed;
                        result.detail = reason;
                    }
                }
            }
        }
        let half_points = self.spec.komi.apply(margin(game, &dead));
        result.half_points = Some(half_points);
        let winner = match half_points.signum() {
            1 => Some(Color::Black),
            -1 => Some(Color::White),
            _ => None,
        };
        result.winner = winner.map(|color| result.contestant(color));
    }

    /// The dead stones if both players name the same chains; else why not.
    fn agreed_dead(&mut self, game: &Game) -> Result<BTreeSet<jigo_engine::Point>, String> {
        let mut lists = Vec::new();
        for (contestant, seat) in Contestant::BOTH.into_iter().zip(&mut self.seats) {
            let answer = seat.dead_stones().map_err(|error| error.to_string())?;
            let list = chains(&answer, game)
                .map_err(|reason| format!("dead stones of the {} player: {reason}", contestant.name()))?;
            lists.push(list);
        }
        match (lists.pop(), lists.pop()) {
            (Some(one), Some(other)) if one == other => Ok(one),
            _ => Err("the players name different dead stones".to_owned()),
        }
    }
}

/// How many dead stones were removed, if any, in words.
pub(super) fn removed(stones: usize) -> String {
    match stones {
        0 => String::new(),
        1 => "1 dead stone removed".to_owned(),
        count => format!("{count} dead stones removed"),
    }
}

/// Plays a move if it is legal.
fn enter(game: &mut Game, moves: &mut Vec<Move>, mv: Move) -> Result<(), Break> {
    let mover = game.to_play();
    match game.play(mv) {
        Ok(_) => {
            moves.push(mv);
            Ok(())
        }
        Err(rule) => {
            let detail = format!("{mover} played {}: {rule}", mv.to_gtp(game.board().size()));
            Err(Break::Loss { loser: mover, ending: Ending::IllegalMove, detail })
        }
    }
}

/// What an error means for the game.
fn in_play(loser: Color, error: EngineError) -> Break {
    match Ending::of_error(&error) {
        Some(ending) => Break::Loss { loser, ending, detail: error.to_string() },
        None if matches!(error, EngineError::Stopped) => Break::Stopped,
        None => Break::Match(error.into()),
    }
}

/// The same before the first move: a program that refuses the board or the komi cannot play this match at all.
fn before_play(loser: Color, error: EngineError) -> Break {
    match error {
        EngineError::Refused { .. } => Break::Match(error.into()),
        _ => in_play(loser, error),
    }
}
