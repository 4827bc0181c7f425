//! Playing a stored game through, by its moves and from its seed.

use jigo_engine::{Color, Game, Move, reference::ReferenceGame};

use super::Replay;
use crate::{
    End, GameRecord, Player, SuperkoEvent,
    dataset::{DatasetSpec, MovesColumn, decode::StoredGame},
};

/// Checks games of one run.
pub(super) struct Replayer<const W: usize> {
    spec: DatasetSpec,
    replay: Replay,
    player: Player<W>,
    game: Game<W>,
}

impl<const W: usize> Replayer<W> {
    pub(super) fn new(spec: &DatasetSpec, replay: Replay) -> Self {
        let playout = spec.playout;
        Self {
            spec: spec.clone(),
            replay,
            player: Player::new(playout, spec.census),
            game: Game::new(playout.size, playout.rules),
        }
    }

    /// Checks one game: its moves under the rules, the columns that follow from them, and the game that its seed gives.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(super) fn check(&mut self, stored: &StoredGame) -> Result<(), String> {
        let from_seed = self.player.play(stored.record.game_index).0.clone();
        let mut record = stored.record.clone();
        if self.spec.moves == MovesColumn::None {
            record.moves.clone_from(&from_seed.moves);
        }
        if record.ply_count() != stored.plies {
            return Err(format!("plies is {}, but its seed gives {}", stored.plies, record.ply_count()));
        }
        let from_moves = self.play_through(&record)?;
        if let Some(field) = difference(&record, &from_moves) {
            return Err(format!("{field} differs from what its moves give"));
        }
        if let Some(field) = difference(&record, &from_seed) {
            return Err(format!("{field} differs from the game that its seed gives"));
        }
        Ok(())
    }

    /// The record that the moves of this one give; what does not follow from moves is taken over.
    fn play_through(&mut self, record: &GameRecord) -> Result<GameRecord, String> {
        let playout = self.spec.playout;
        let mut reference =
            (self.replay == Replay::Reference).then(|| ReferenceGame::new(playout.size, playout.rules));
        self.game.clear();
        let mut passes = 0;
        let mut repeated = Vec::new();
        for (ply, &mv) in (0_u32..).zip(&record.moves) {
            let name = || mv.to_gtp(playout.size);
            let played = self.game.play(mv).map_err(|error| format!("ply {ply}: {}: {error}", name()))?;
            repeated.extend(played.repetition.map(|repetition| SuperkoEvent { ply, repetition }));
            passes += u32::from(mv == Move::Pass);
            if let Some(reference) = &mut reference {
                reference.play(mv).map_err(|refusal| {
                    format!("ply {ply}: {}: the reference refuses it: {refusal:?}", name())
                })?;
                self.compare(reference).map_err(|what| format!("ply {ply}: {}: {what}", name()))?;
            }
        }
        let over = self.game.is_over();
        if !over && record.ply_count() < playout.ply_cap {
            return Err(format!("it ends after {} plies without two passes", record.ply_count()));
        }
        let area = self.game.board().area();
        if let Some(reference) = &reference {
            let by_reference = reference.area();
            if by_reference != Color::BOTH.map(|color| area.of(color)) {
                return Err(format!("the reference counts areas of {by_reference:?}"));
            }
        }
        Ok(GameRecord {
            game_index: record.game_index,
            moves: record.moves.clone(),
            end: if over { End::TwoPasses } else { End::PlyCap },
            passes,
            area,
            prisoners: Color::BOTH.map(|color| self.game.prisoners(color)),
            repeated,
            refused: record.refused.clone(),
            forbidden: record.forbidden.clone(),
        })
    }

    /// Compares the position with the reference's.
    fn compare(&self, reference: &ReferenceGame) -> Result<(), &'static str> {
        let size = self.spec.playout.size;
        let board = self.game.board();
        let same =
            size.points().zip(reference.colouring()).all(|(point, stone)| board.stone(point) == *stone);
        if !same {
            return Err("the reference has another position");
        }
        if reference.prisoners != Color::BOTH.map(|color| self.game.prisoners(color)) {
            return Err("the reference has other prisoners");
        }
        Ok(())
    }
}

/// The first column in which two records of a game differ.
fn difference(one: &GameRecord, other: &GameRecord) -> Option<&'static str> {
    let columns = [
        ("moves", one.moves == other.moves),
        ("capped", one.end == other.end),
        ("passes", one.passes == other.passes),
        ("area", one.area == other.area),
        ("prisoners", one.prisoners == other.prisoners),
        ("refused", one.refused == other.refused),
        ("repeated", one.repeated == other.repeated),
        ("forbidden", one.forbidden == other.forbidden),
    ];
    columns.into_iter().find_map(|(name, same)| (!same).then_some(name))
}
