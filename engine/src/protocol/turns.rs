//! Moves and passes.

use super::{EndRule, GameEnd, GameEvent, IllegalEvent, KoChoice, Phase, Protocol};
use crate::{Color, IllegalMove, Point, bitboard::Bitboard};

impl Protocol {
    /// Whether stones may be put and passes be made now, by this player.
    fn check_ply(&self, by: Color, event: &GameEvent) -> Result<(), IllegalEvent> {
        match self.phase {
            Phase::Handicap { .. }
            | Phase::Playing
            | Phase::Resumed(_)
            | Phase::Continued(_)
            | Phase::Verifying => {}
            Phase::Stopped if self.conduct.ending == EndRule::Passes => {}
            _ => return Err(self.wrong_phase(event)),
        }
        self.check_turn(by)
    }

    pub(super) fn check_play(&self, by: Color, point: Point, event: &GameEvent) -> Result<(), IllegalEvent> {
        self.check_ply(by, event)?;
        if matches!(self.phase, Phase::Handicap { .. }) && self.conduct.ending == EndRule::Marking {
            return Err(self.wrong_phase(event));
        }
        self.check_supply(by)?;
        let board = self.game.board();
        self.game.check_on_board(point)?;
        if let Some(repetition) = self.game.superko_violation(point) {
            return Err(IllegalMove::Superko { earlier_ply: repetition.earlier_ply }.into());
        }
        match board.ko_capture(point) {
            Some(taken) if self.kos.get(point, taken).locked[by.index()] => Err(IllegalEvent::Locked),
            _ => Ok(()),
        }
    }

    pub(super) fn play(&mut self, point: Point) {
        let by = self.to_play();
        self.passes = 0;
        self.note_proof(by, point);
        let taken = self.game.board().ko_capture(point);
        let outcome = self.game.play_unchecked(point).outcome;
        let board = self.game.board();
        let removed =
            if outcome.captured + outcome.given_up > 0 { board.last_removed() } else { Bitboard::EMPTY };
        self.kos.play(board, by, point, removed, taken);
        self.note_captures(removed);
        self.phase = match self.phase {
            Phase::Handicap { left: left @ 2.. } => {
                self.game.set_to_play(by);
                Phase::Handicap { left: left - 1 }
            }
            Phase::Handicap { .. } | Phase::Stopped => Phase::Playing,
            ref phase => phase.clone(),
        };
        self.clear_marks();
        self.note_state();
    }

    pub(super) fn check_pass(&self, by: Color, event: &GameEvent) -> Result<(), IllegalEvent> {
        match self.phase {
            Phase::Handicap { .. } => Err(IllegalEvent::HandicapFirst),
            Phase::Resumed(_) => Err(IllegalEvent::PassCostsStone),
            _ => self.check_ply(by, event),
        }
    }

    pub(super) fn pass(&mut self) {
        self.game.pass();
        self.passes += 1;
        self.kos.unlock();
        if self.conduct.ending.final_passes().is_some_and(|passes| self.passes >= passes) {
            self.finish(GameEnd::Counted);
        } else if self.passes < EndRule::STOPPING_PASSES {
            self.note_state();
        } else if self.phase == Phase::Verifying {
            self.judge();
        } else {
            self.phase = Phase::Stopped;
        }
    }

    pub(super) fn check_hand_over(&self, by: Color, event: &GameEvent) -> Result<(), IllegalEvent> {
        match (self.conduct.ending, &self.phase) {
            (EndRule::PassStones, Phase::Resumed(_)) => self.check_turn(by),
            (EndRule::PassStones, _) => Err(self.wrong_phase(event)),
            _ => Err(self.no_such_event(event)),
        }
    }

    /// The proof ends when both have passed, the opponent of the player who began last: then both made as many plies.
    pub(super) fn hand_over(&mut self) {
        let by = self.to_play();
        self.handed_over[by.index()] += 1;
        self.game.pass();
        self.passes += 1;
        if self.passes >= EndRule::STOPPING_PASSES && self.phase == Phase::Resumed(by.opponent()) {
            self.phase = Phase::Stopped;
        }
    }

    pub(super) fn check_challenge(
        &self,
        by: Color,
        point: Point,
        event: &GameEvent,
    ) -> Result<(), IllegalEvent> {
        let limits = self.limits(event)?;
        match self.phase {
            Phase::Continued(KoChoice::Modified) => {}
            Phase::Verifying if limits.challenges => {}
            Phase::Continued(_) | Phase::Verifying => return Err(IllegalEvent::NoChallenges),
            _ => return Err(self.wrong_phase(event)),
        }
        self.check_turn(by)?;
        self.check_supply(by)?;
        let board = self.game.board();
        let is_forbidden = match self.game.check_on_board(point) {
            Err(IllegalMove::Ko) => true,
            checked => checked.map(|()| false)?,
        };
        let taken = board.ko_capture(point).ok_or(IllegalEvent::NoKoCapture)?;
        let ko = self.kos.get(point, taken);
        match () {
            () if is_forbidden => Err(IllegalEvent::CaptureForbidden),
            () if !ko.captured[by.opponent().index()] => Err(IllegalEvent::NotARecapture),
            () if ko.locked[by.index()] => Err(IllegalEvent::Locked),
            () if ko.prepared[by.index()] => Err(IllegalEvent::AlreadyPrepared),
            () => Ok(()),
        }
    }

    pub(super) fn challenge(&mut self, point: Point) {
        let taken = self.game.board().ko_capture(point).expect(super::CHECKED);
        let by = self.to_play();
        self.kos.entry(point, taken).prepared[by.index()] = true;
        self.game.pass();
        self.passes = 0;
        self.note_state();
    }
}
