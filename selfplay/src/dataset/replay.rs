//! Playing a stored game through, by its moves and from its seed.

use std::any::Any;

use jigo_engine::{
    AnyPosition, Board, Color, IllegalMove, Move, Position, for_width, game::HandicapStart,
    reference::ReferenceGame,
};

use super::{DatasetSpec, MovesColumn, ReplayMode};
use crate::{
    End, GameRecord, RunConfig,
    record::Recorder,
    run::{PlayGame, play_game},
};

/// Plays the moves of games of one run again, under simple ko, for their final positions.
#[derive(Debug)]
pub struct FinalPositions {
    config: RunConfig,
    start: HandicapStart,
    /// A `Board<W>` of the narrowest width, and memory for its position.
    board: Box<dyn Any + Send>,
}

impl FinalPositions {
    /// Returns what plays games of this configuration.
    #[must_use]
    pub fn new(config: RunConfig) -> Self {
        let RunConfig { size, rules, .. } = config;
        let board = for_width!(size, W => {
            let board = Board::<W>::new(size, rules.suicide);
            let position = board.position();
            Box::new((board, position)) as Box<dyn Any + Send>
        });
        Self { config, start: config.start(), board }
    }

    /// Plays a game's moves from the start of the run's games and returns its final position.
    ///
    /// # Errors
    /// The number of the first illegal move, from 1, and the rule that it breaks.
    pub fn of(&mut self, record: &GameRecord) -> Result<AnyPosition<'_>, (usize, IllegalMove)> {
        for_width!(self.config.size, W => {
            let pair = self.board.downcast_mut::<(Board<W>, Position<W>)>();
            let (board, position) = pair.expect("the narrowest board");
            let gives_up_single_stones = self.config.rules.gives_up_single_stones();
            if self.start.points.is_empty() {
                board.clear();
            } else {
                board.set_position(self.start.stones(), Color::White).expect("star points have liberties");
            }
            for (number, (color, mv)) in (1..).zip(self.config.turns(&record.moves)) {
                board.set_to_play(color);
                match (board.play(mv), mv) {
                    (Err(IllegalMove::Suicide), Move::Play(point)) if gives_up_single_stones => {
                        board.play_unchecked(point);
                    }
                    (played, _) => {
                        played.map_err(|reason| (number, reason))?;
                    }
                }
            }
            position.set_from(board);
            Ok(AnyPosition::new(position))
        })
    }
}

/// Checks games of one run.
pub(super) struct Replayer<const W: usize> {
    spec: DatasetSpec,
    replay: ReplayMode,
    play_game: PlayGame,
    recorder: Recorder<W>,
}

impl<const W: usize> Replayer<W> {
    pub(super) fn new(spec: &DatasetSpec, replay: ReplayMode) -> Self {
        let RunConfig { size, rules, .. } = spec.run.config;
        Self {
            spec: spec.clone(),
            replay,
            play_game: play_game(&spec.run, None),
            recorder: Recorder::with_handicap(size, *rules, &spec.run.config.start()),
        }
    }

    /// Checks one game: its moves under the rules, the columns that follow from them, and the game that its seed gives. Returns the first thing
    /// that is wrong.
    pub(super) fn check(&mut self, stored: &GameRecord) -> Result<(), String> {
        let mut from_seed = GameRecord::default();
        (self.play_game)(stored.game_index, &mut |record, position| {
            from_seed = GameRecord { ownership: self.spec.ownership(record, position), ..record.clone() };
        });
        let mut record = stored.clone();
        if self.spec.moves == MovesColumn::None {
            record.moves.clone_from(&from_seed.moves);
        }
        if record.moves.len() != record.plies as usize {
            return Err(format!("plies is {}, but its seed gives {}", record.plies, record.moves.len()));
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
        let RunConfig { size, rules, ply_cap, .. } = self.spec.run.config;
        let mut reference = (self.replay == ReplayMode::Reference)
            .then(|| ReferenceGame::with_handicap(size, *rules, &self.spec.run.config.start()));
        self.recorder.begin(record.game_index);
        for (ply, &mv) in (0_u32..).zip(&record.moves) {
            let played = self.play(mv, reference.as_mut());
            played.map_err(|what| format!("ply {ply}: {}: {what}", mv.to_gtp(size)))?;
        }
        let over = self.recorder.game().is_over();
        if !over && record.ply_count() < ply_cap {
            return Err(format!("it ends after {} plies without two passes", record.ply_count()));
        }
        let end = End::of(self.recorder.game());
        let position = self.recorder.game().board().position();
        let mut from_moves = self.recorder.finish(end);
        from_moves.ownership = self.spec.ownership(&from_moves, AnyPosition::new(&position));
        if let Some(reference) = &reference {
            let by_reference = reference.area();
            if by_reference != Color::BOTH.map(|color| from_moves.area.of(color)) {
                return Err(format!("the reference counts areas of {by_reference:?}"));
            }
        }
        let (refused, forbidden) = (record.refused.clone(), record.forbidden.clone());
        Ok(GameRecord { refused, forbidden, searches: record.searches.clone(), ..from_moves })
    }

    /// Plays a move, also on the reference, and compares the positions.
    fn play(&mut self, mv: Move, reference: Option<&mut ReferenceGame>) -> Result<(), String> {
        self.recorder.play(mv).map_err(|error| error.to_string())?;
        let Some(reference) = reference else { return Ok(()) };
        reference.play(mv).map_err(|refusal| format!("the reference refuses it: {refusal:?}"))?;
        let (size, game) = (self.spec.run.config.size, self.recorder.game());
        let mut stones = size.points().map(|point| game.board().stone(point)).zip(reference.colouring());
        if stones.any(|(stone, expected)| stone != *expected) {
            return Err("the reference has another position".to_owned());
        }
        if reference.prisoners != Color::BOTH.map(|color| game.prisoners(color)) {
            return Err("the reference has other prisoners".to_owned());
        }
        Ok(())
    }
}

/// The first column in which two records of a game differ.
pub(super) fn difference(one: &GameRecord, other: &GameRecord) -> Option<&'static str> {
    let columns = [
        ("moves", one.moves == other.moves),
        ("plies", one.plies == other.plies),
        ("capped", one.is_capped() == other.is_capped()),
        ("cycle", one.end == other.end),
        ("passes", one.passes == other.passes),
        ("forced_passes", one.forced_passes == other.forced_passes),
        ("area", one.area == other.area),
        ("ownership", one.ownership == other.ownership),
        ("prisoners", one.prisoners == other.prisoners),
        ("refused", one.refused == other.refused),
        ("repeated", one.repeated == other.repeated),
        ("forbidden", one.forbidden == other.forbidden),
        ("searches", one.searches == other.searches),
    ];
    columns.into_iter().find_map(|(name, same)| (!same).then_some(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, SuperkoEvent, dataset::Provenance};

    type Change = fn(&mut GameRecord);

    fn spec(moves: MovesColumn) -> DatasetSpec {
        let run = Run::new("4x3", "tromp-taylor", "eye-safe").unwrap().seed(9).count_forbidden();
        let provenance = Provenance { version: String::new(), commit: String::new() };
        DatasetSpec { moves, ownership: true, ..DatasetSpec::new(run, 10, provenance) }
    }

    fn stored(spec: &DatasetSpec, game_index: u64) -> GameRecord {
        let mut games = spec.run.finished_games(game_index..game_index + 1);
        let (record, position) = games.next().expect("one game");
        GameRecord { ownership: spec.ownership(&record, AnyPosition::new(&position)), ..record }
    }

    /// What is said of a game after this change.
    fn verdict(replay: ReplayMode, change: impl Fn(&mut GameRecord)) -> String {
        let spec = spec(MovesColumn::List);
        let mut game = stored(&spec, 3);
        change(&mut game);
        game.plies = game.moves.len() as u32;
        Replayer::<1>::new(&spec, replay).check(&game).err().unwrap_or_default()
    }

    #[test]
    fn every_change_is_named() {
        for replay in [ReplayMode::Fast, ReplayMode::Reference] {
            assert_eq!(verdict(replay, |_| ()), "");
            let occupied = verdict(replay, |record| record.moves[5] = record.moves[4]);
            assert!(occupied.starts_with("ply 5: "), "{occupied}");
            let outside = verdict(replay, |record| record.moves.push(Move::Pass));
            assert!(outside.contains("ply "), "{outside}");
            let short = verdict(replay, |record| record.moves.truncate(record.moves.len() - 1));
            assert!(short.contains("without two passes"), "{short}");
            let other = verdict(replay, |record| record.moves = stored(&spec(MovesColumn::List), 4).moves);
            assert!(other.contains("differs"), "{other}");
            let changes: [(&str, Change); 8] = [
                ("capped", |record| record.end = End::PlyCap),
                ("passes", |record| record.passes += 1),
                ("area", |record| record.area.neutral += 1),
                ("area", |record| record.area.stones.swap(0, 1)),
                ("ownership", |record| record.ownership = None),
                ("prisoners", |record| record.prisoners[1] += 1),
                ("game_index", |record| record.game_index += 1),
                ("repeated", |record| {
                    let repetition = jigo_engine::game::Repetition {
                        earlier_ply: 1,
                        cycle_plies: 2,
                        cycle_passes: 0,
                        cycle_removed: [1, 1],
                        same_player: true,
                    };
                    record.repeated.push(SuperkoEvent { ply: 2, repetition });
                }),
            ];
            for (column, change) in changes {
                let found = verdict(replay, change);
                let expected = if column == "game_index" { "its seed gives" } else { column };
                assert!(found.contains(expected), "{column}: {found}");
            }
        }
    }

    #[test]
    fn searches_are_compared() {
        let run = Run::new("3", "tromp-taylor", "uct:playouts=20").unwrap();
        let spec = DatasetSpec { run, ..spec(MovesColumn::List) };
        let mut replayer = Replayer::<1>::new(&spec, ReplayMode::Fast);
        let mut game = stored(&spec, 3);
        assert_eq!(replayer.check(&game), Ok(()));
        game.searches[0].as_mut().expect("a search").visits[0] += 1;
        assert_eq!(replayer.check(&game).unwrap_err(), "searches differs from the game that its seed gives");
    }

    #[test]
    fn without_moves_the_seed_decides() {
        let spec = spec(MovesColumn::None);
        let mut replayer = Replayer::<1>::new(&spec, ReplayMode::Reference);
        for index in 0..10 {
            let mut game = stored(&spec, index);
            game.moves.clear();
            assert_eq!(replayer.check(&game), Ok(()));
            game.plies += 1;
            assert!(replayer.check(&game).unwrap_err().contains("plies"));
        }
    }
}
