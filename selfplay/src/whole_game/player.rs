//! A player who holds certified statuses.

use jigo_engine::{
    Move, Point, Position,
    life::{LineEnd, Question, StatusSolver},
    protocol::{GameEvent, Protocol},
};

use super::Claims;
use crate::{policy::Policy, stream::Stream};

/// Plays by a policy, and knows of each chain what a judge proves.
#[derive(Clone, Debug)]
pub struct CertifiedPlayer {
    policy: Policy,
    judge: StatusSolver,
    stream: Stream,
    /// A stone of each chain that this player alone claimed to be dead at the last stop.
    contested: Vec<Point>,
}

impl CertifiedPlayer {
    /// A player with this policy and judge, who draws from this stream. The judge's rules should be those of the game.
    #[must_use]
    pub const fn new(policy: Policy, judge: StatusSolver, stream: Stream) -> Self {
        Self { policy, judge, stream, contested: Vec::new() }
    }

    pub(super) fn claims(&mut self, position: &Position) -> Claims {
        Claims::of(position, &self.judge.chains(position))
    }

    /// Remembers what the other player does not believe.
    pub(super) fn contest(&mut self, own: &Claims, other: &Claims) {
        let contested = own.dead.iter().filter(|chain| !other.dead.contains(chain));
        self.contested = contested.map(|chain| chain[0]).collect();
    }

    /// Where the player puts a stone; `None` for a pass.
    pub(super) fn choose(&mut self, game: &Protocol) -> Option<Point> {
        let (by, board) = (game.to_play(), game.game().board());
        let is_legal = |point| board.is_legal(point) && game.check(by, &GameEvent::Play(point)).is_ok();
        let proof = self.capture(game).filter(|&point| is_legal(point));
        proof.or_else(|| self.policy.draw(board, &mut self.stream, is_legal))
    }

    /// The next move of a line that captures a contested chain of the opponent.
    fn capture(&mut self, game: &Protocol) -> Option<Point> {
        let (by, board) = (game.to_play(), game.game().board());
        let is_left = |point: &&Point| board.stone(**point) == Some(by.opponent());
        let mut left = self.contested.iter().filter(is_left).peekable();
        left.peek()?;
        let position = board.position();
        let judgement = self.judge.solve(&position);
        left.find_map(|&point| {
            let line = judgement.line(point, Question::Capture, by)?;
            match (line.end, line.moves.first()) {
                (LineEnd::Captured, Some((_, Move::Play(next)))) => Some(*next),
                _ => None,
            }
        })
    }
}
