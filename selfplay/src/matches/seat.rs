//! A player at work.

use jigo_engine::{Color, Game, Move, Point};

use super::{MatchSpec, PlayerSpec};
use crate::{
    Progress, Stream,
    engine_process::{EngineError, EngineProcess},
};

/// One side of a match: a program that runs over many games, or a policy.
pub(super) struct Seat<'a> {
    spec: &'a MatchSpec,
    player: &'a PlayerSpec,
    progress: &'a Progress,
    engine: Option<EngineProcess>,
    /// The random draws of a policy in this game.
    stream: Stream,
}

/// What a player wants to do.
pub(super) enum Reply {
    Move(Move),
    Resign,
    /// Text that is neither.
    Unreadable(String),
}

impl<'a> Seat<'a> {
    pub(super) fn new(spec: &'a MatchSpec, player: &'a PlayerSpec, progress: &'a Progress) -> Self {
        Self { spec, player, progress, engine: None, stream: Stream::new(spec.seed, 0) }
    }

    /// Gets ready for a game: starts the program unless it runs and is in step.
    pub(super) fn begin(&mut self, game_index: u64, color: Color) -> Result<(), EngineError> {
        self.stream = Stream::new(self.spec.seed, 4 * game_index + color.index() as u64);
        let PlayerSpec::Program(line) = self.player else { return Ok(()) };
        if !self.engine.as_ref().is_some_and(EngineProcess::is_in_step) {
            // The old one is waited for before the new one starts.
            self.engine = None;
            self.engine = Some(EngineProcess::start(line)?);
        }
        self.ask(&format!("boardsize {}", self.spec.size.width()))?;
        self.ask("clear_board")?;
        self.ask(&format!("komi {}", self.spec.komi))?;
        Ok(())
    }

    /// Tells the player a move that it did not choose itself.
    pub(super) fn tell(&mut self, color: Color, mv: Move) -> Result<(), EngineError> {
        self.ask(&format!("play {} {}", name(color), mv.to_gtp(self.spec.size))).map(drop)
    }

    /// Asks for a move. A program takes its answer for played.
    pub(super) fn choose(&mut self, game: &Game) -> Result<Reply, EngineError> {
        if let PlayerSpec::Policy(policy) = *self.player {
            let is_legal = |point| game.is_legal(Move::Play(point));
            let point = policy.draw(game.board(), &mut self.stream, is_legal);
            return Ok(Reply::Move(point.map_or(Move::Pass, Move::Play)));
        }
        let answer = self.ask(&format!("genmove {}", name(game.to_play())))?;
        Ok(match answer.to_ascii_lowercase().as_str() {
            "resign" => Reply::Resign,
            "pass" => Reply::Move(Move::Pass),
            text => match Point::from_gtp(text, self.spec.size) {
                Ok(point) => Reply::Move(Move::Play(point)),
                Err(_) => Reply::Unreadable(answer),
            },
        })
    }

    /// The stones that the player calls dead, as GTP writes them. A policy calls none dead.
    pub(super) fn dead_stones(&mut self) -> Result<String, EngineError> {
        self.ask("final_status_list dead")
    }

    /// Asks the program, if the player is one.
    fn ask(&mut self, command: &str) -> Result<String, EngineError> {
        match &mut self.engine {
            Some(engine) => engine.ask(command, self.spec.time_limit, self.progress),
            None => Ok(String::new()),
        }
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}
