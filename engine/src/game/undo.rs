//! Taking plies back.

use super::{Game, Played};
use crate::{IllegalMove, Move};

impl<const W: usize> Game<W> {
    /// Plays as [`play`](Self::play), so that [`undo`](Self::undo) can take the ply back.
    ///
    /// ```
    /// use jigo_engine::{BoardSize, Game, Move, Point, Rules};
    /// let mut game: Game = Game::new(BoardSize::square(9).unwrap(), Rules::TROMP_TAYLOR);
    /// let mv = Move::Play(Point::new(4, 4));
    /// game.play_recorded(mv)?;
    /// assert_eq!(game.undo(), Some(mv));
    /// assert_eq!((game.ply_count(), game.undo()), (0, None));
    /// # Ok::<(), jigo_engine::IllegalMove>(())
    /// ```
    ///
    /// Cost: that of [`play`](Self::play) and of writing down what it changes: a few hundred bytes for most moves, however large the board's
    /// tables are.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_recorded(&mut self, mv: Move) -> Result<Played, IllegalMove> {
        self.check(mv)?;
        Ok(self.play_recorded_unchecked(mv))
    }

    /// As [`play_recorded`](Self::play_recorded), for moves known to be legal. Otherwise the state becomes meaningless, and it may panic.
    pub fn play_recorded_unchecked(&mut self, mv: Move) -> Played {
        let tally = self.tally;
        let played = match mv {
            Move::Play(point) => {
                let (color, candidate) = (self.to_play(), self.board.candidate(point));
                let repetition = self.allowed_repetition(candidate);
                let outcome = self.board.play_recorded(candidate.bit(), &mut self.changes);
                self.note_stone(color, candidate.bit(), outcome);
                Played { outcome, repetition }
            }
            Move::Pass => {
                self.board.pass_recorded(&mut self.changes);
                self.note_pass();
                Played::default()
            }
        };
        self.recorded.push((self.ply_count(), tally));
        played
    }

    /// Takes back the last ply and returns it; the game is then exactly as it was before, history included. Returns `None` and changes nothing
    /// when there is no last ply or when it was not [recorded](Self::play_recorded).
    ///
    /// Cost: restores what the ply changed.
    pub fn undo(&mut self) -> Option<Move> {
        let ply = self.ply_count();
        let (_, tally) = self.recorded.pop_if(|&mut (recorded, _)| recorded == ply)?;
        self.tally = tally;
        self.board.take_back(&mut self.changes);
        let bit = self.history.pop();
        Some(bit.map_or(Move::Pass, |bit| Move::Play(self.board.geometry().point(bit))))
    }
}

#[cfg(test)]
mod tests {
    use crate::{BoardSize, Color, Game, Ko, Move, Rules, Suicide, for_width, zobrist::mix64};

    /// A random legal move; a pass where there is none, and now and then.
    fn any_move<const W: usize>(game: &Game<W>, state: &mut u64) -> Move {
        *state = mix64(*state);
        let points: Vec<_> = game.legal_points().collect();
        match points.len() as u64 {
            0 => Move::Pass,
            _ if *state >> 32 & 31 == 0 => Move::Pass,
            count => Move::Play(points[(*state % count) as usize]),
        }
    }

    /// Every field of a game, history and tables included.
    fn fields<const W: usize>(game: &Game<W>) -> String {
        format!("{game:?}")
    }

    /// Plays recorded plies from several places of a random game, takes them back, and compares after each.
    fn play_and_take_back<const W: usize>(size: BoardSize, rules: Rules, seed: u64) {
        let mut game = Game::<W>::new(size, rules);
        let mut state = seed;
        for _ in 0..3 {
            for _ in 0..size.point_count() / 3 {
                if !game.is_over() {
                    let mv = any_move(&game, &mut state);
                    game.play(mv).unwrap();
                }
            }
            assert_eq!(game.undo(), None);
            let mut before = Vec::new();
            while before.len() < 2 * size.point_count() && !game.is_over() {
                let mv = any_move(&game, &mut state);
                before.push((mv, fields(&game)));
                game.play_recorded(mv).unwrap();
            }
            game.board().validate().unwrap();
            while let Some((mv, fields_before)) = before.pop() {
                assert_eq!(game.undo(), Some(mv));
                assert!(fields(&game) == fields_before, "{size} {rules}\n{}", game.board());
            }
            assert_eq!(game.undo(), None);
            game.board().validate().unwrap();
        }
    }

    #[test]
    fn undo_restores_every_field() {
        for ko in [Ko::Simple, Ko::PositionalSuperko, Ko::SituationalSuperko] {
            for suicide in [Suicide::Forbidden, Suicide::Allowed] {
                let rules = Rules { ko, suicide, ..Rules::TROMP_TAYLOR };
                for (width, height) in [(1, 1), (2, 2), (3, 2), (4, 4), (7, 5), (12, 5), (9, 9)] {
                    let size = BoardSize::new(width, height).unwrap();
                    for_width!(size, W => play_and_take_back::<W>(size, rules, 1));
                }
            }
        }
    }

    /// A game on wider bitboards and back has every field that it had, whoever was given the move in between.
    #[test]
    fn other_widths_have_the_same_game() {
        let size = BoardSize::new(5, 4).unwrap();
        for ko in [Ko::Simple, Ko::PositionalSuperko, Ko::SituationalSuperko] {
            let mut state = 7;
            for _ in 0..20 {
                let mut game = Game::<1>::new(size, Rules { ko, ..Rules::TROMP_TAYLOR });
                let corner = size.points().next().unwrap();
                game.set_position([(corner, Color::White)], Color::White).unwrap();
                for _ in 0..60 {
                    state = mix64(state);
                    if state.is_multiple_of(16) {
                        game.set_to_play(game.to_play().opponent());
                    }
                    let mv = any_move(&game, &mut state);
                    if game.play(mv).is_err() {
                        break;
                    }
                    assert_eq!(fields(&game.with_width::<11>().with_width::<1>()), fields(&game));
                }
            }
        }
    }

    /// A ply that was not recorded ends what can be taken back.
    #[test]
    fn unrecorded_plies_stay() {
        let size = BoardSize::square(3).unwrap();
        let mut game: Game = Game::new(size, Rules::TROMP_TAYLOR);
        let moves: Vec<Move> = size.points().take(3).map(Move::Play).collect();
        game.play_recorded(moves[0]).unwrap();
        game.play(moves[1]).unwrap();
        game.play_recorded(moves[2]).unwrap();
        assert_eq!(game.undo(), Some(moves[2]));
        assert_eq!(game.undo(), None);
        assert_eq!(game.ply_count(), 2);
        game.play_recorded(Move::Pass).unwrap();
        game.clear();
        assert_eq!(game.undo(), None);
    }
}
