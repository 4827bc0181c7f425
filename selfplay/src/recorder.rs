//! Records of games whose moves are given.

use jigo_engine::{BoardSize, Color, Game, IllegalMove, Move, Rules, game::Played};

use crate::{End, GameRecord, SuperkoEvent};

/// Plays given moves under the rules and keeps the record: for games that do not follow from a seed, and to check those that do.
pub(crate) struct Recorder<const W: usize = 11> {
    game: Game<W>,
    record: GameRecord,
}

impl<const W: usize> Recorder<W> {
    /// A recorder for games of this size by these rules.
    pub(crate) fn new(size: BoardSize, rules: Rules) -> Self {
        Self { game: Game::new(size, rules), record: GameRecord::empty() }
    }

    /// Begins a game on the empty board.
    pub(crate) fn begin(&mut self, game_index: u64) {
        self.game.clear();
        self.record = GameRecord { game_index, ..GameRecord::empty() };
    }

    /// The game as it stands.
    pub(crate) fn game(&self) -> &Game<W> {
        &self.game
    }

    /// Plays the next ply; after an illegal one the game stands as before.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let played = self.game.play(mv)?;
        self.note(mv, played);
        Ok(())
    }

    /// The same after two passes as well, for games that go on from a stop.
    pub(crate) fn play_on(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let played = match mv {
            Move::Play(point) => {
                self.game.check_point(point)?;
                self.game.play_unchecked(point)
            }
            Move::Pass => {
                self.game.pass();
                Played::default()
            }
        };
        self.note(mv, played);
        Ok(())
    }

    fn note(&mut self, mv: Move, played: Played) {
        let ply = self.record.plies;
        self.record.repeated.extend(played.repetition.map(|repetition| SuperkoEvent { ply, repetition }));
        self.record.passes += u32::from(mv == Move::Pass);
        self.record.moves.push(mv);
        self.record.plies += 1;
    }

    /// The record of the game, which ended like this. What was drawn and refused does not follow from moves: those lists are empty.
    pub(crate) fn finish(&mut self, end: End) -> GameRecord {
        let record = std::mem::replace(&mut self.record, GameRecord::empty());
        GameRecord {
            first_move: record.moves.first().copied(),
            end,
            area: self.game.board().area(),
            prisoners: Color::BOTH.map(|color| self.game.prisoners(color)),
            ..record
        }
    }
}
