//! Playing one game by a policy.

use jigo_engine::{
    Color, Game, Move, Point, Position, Suicide,
    board::Candidates,
    simd::{Job, with_fast_bits},
};

use crate::{
    Policy, PolicySuicide, Run, RunConfig, Stream,
    record::{End, GameRecord, SuperkoEvent},
};

/// Plays games of one run, one after the other.
#[derive(Clone, Debug)]
pub struct Playouts<const W: usize> {
    run: Run,
    /// Whether the policy may refuse what the rules allow.
    policy_asks: bool,
    /// In [playing orientation](BoardSize::playing_orientation).
    game: Game<W>,
    record: GameRecord,
    /// The final position as the run's size has it.
    position: Position<W>,
}

impl<const W: usize> Playouts<W> {
    /// A player for this run.
    ///
    /// # Panics
    /// When `W` words are too few for the size.
    #[must_use]
    pub fn new(run: &Run) -> Self {
        let RunConfig { size, rules, policy, .. } = run.config;
        let orientation = size.playing_orientation();
        let game: Game<W> = Game::new(orientation, rules);
        let position = if orientation == size { game.board().position() } else { Position::new(size) };
        let policy_asks = match policy {
            Policy::Uniform | Policy::EyeSafe { suicide: PolicySuicide::AsTheRulesSay } => false,
            Policy::EyeSafe { suicide: PolicySuicide::Never } => rules.suicide == Suicide::Allowed,
            Policy::Guarded { .. } | Policy::Settled { .. } => true,
        };
        Self { run: *run, policy_asks, game, record: GameRecord::empty(), position }
    }

    /// Plays game `game_index` and returns its record and final position, which stay valid until the next game.
    pub fn play(&mut self, game_index: u64) -> (&GameRecord, &Position<W>) {
        self.game.clear();
        self.record =
            GameRecord { game_index, moves: std::mem::take(&mut self.record.moves), ..GameRecord::empty() };
        self.record.moves.clear();
        with_fast_bits(Plies(self));
        self.record.end = if self.game.is_over() { End::TwoPasses } else { End::PlyCap };
        self.record.prisoners = Color::BOTH.map(|color| self.game.prisoners(color));
        if self.game.board().size() == self.run.config.size {
            self.position.set_from(self.game.board());
        } else {
            turn(&mut self.record.moves);
            self.position.set_from_transposed(self.game.board());
        }
        self.record.first_move = self.record.moves.first().copied();
        self.record.area = self.position.area();
        (&self.record, &self.position)
    }

    #[inline(always)]
    fn play_to_the_end(&mut self) {
        let mut stream = Stream::new(self.run.seed, self.record.game_index);
        while !self.game.is_over() && self.record.ply_count() < self.run.config.ply_cap {
            self.ply(&mut stream);
        }
    }

    #[inline(always)]
    fn ply(&mut self, stream: &mut Stream) {
        let mut candidates = self.game.board().candidates(self.run.config.policy.among());
        if self.run.config.count_forbidden {
            self.count_forbidden(&candidates);
        }
        let mv = match self.choose(&mut candidates, stream) {
            Some(point) => {
                let ply = self.record.ply_count();
                let played = self.game.play_unchecked(point);
                if let Some(repetition) = played.repetition {
                    self.record.repeated.push(SuperkoEvent { ply, repetition });
                }
                Move::Play(point)
            }
            None => {
                self.game.pass();
                self.record.passes += 1;
                Move::Pass
            }
        };
        self.record.moves.push(mv);
        self.record.plies += 1;
    }

    /// Whether the rules of the board and the policy allow a candidate.
    #[inline(always)]
    fn allows(&self, point: Point) -> bool {
        let board = self.game.board();
        board.is_legal(point) && !(self.policy_asks && self.run.config.policy.refuses(board, point))
    }

    /// Draws among the candidates until one is legal and not refused.
    #[inline(always)]
    fn choose(&mut self, candidates: &mut Candidates<W>, stream: &mut Stream) -> Option<Point> {
        let mut count = candidates.count();
        while count > 0 {
            let point = candidates.nth(stream.below(count));
            if self.allows(point) {
                match self.game.superko_violation(point) {
                    None => return Some(point),
                    Some(repetition) => {
                        let ply = self.record.ply_count();
                        self.record.refused.push(SuperkoEvent { ply, repetition });
                    }
                }
            }
            candidates.remove(point);
            count -= 1;
        }
        None
    }

    fn count_forbidden(&mut self, candidates: &Candidates<W>) {
        for point in candidates.iter() {
            if self.allows(point) {
                let ply = self.record.ply_count();
                let event = self.game.superko_violation(point);
                self.record.forbidden.extend(event.map(|repetition| SuperkoEvent { ply, repetition }));
            }
        }
    }
}

/// The plies of one game, compiled for this processor.
struct Plies<'a, const W: usize>(&'a mut Playouts<W>);

impl<const W: usize> Job for Plies<'_, W> {
    type Output = ();

    const HAS_LONG_BITBOARDS: bool = W >= 3;

    #[inline(always)]
    fn run(self) {
        self.0.play_to_the_end();
    }
}

fn turn(moves: &mut [Move]) {
    for mv in moves {
        if let Move::Play(point) = mv {
            *point = point.transposed();
        }
    }
}

#[cfg(test)]
mod tests {
    use jigo_engine::{BoardSize, Rules};

    use super::*;

    #[test]
    fn transposed_boards_play_transposed_games() {
        for (width, height) in [(3, 5), (9, 13), (2, 25), (16, 8)] {
            let size = BoardSize::new(width, height).unwrap();
            for index in 0..20 {
                let play =
                    |size| RunConfig::new(size, Rules::TROMP_TAYLOR, Policy::EYE_SAFE).seed(5).game(index);
                let (one, mut other) = (play(size), play(size.transposed()));
                turn(&mut other.moves);
                other.first_move = other.moves.first().copied();
                assert_eq!(one, other);
            }
        }
    }
}
