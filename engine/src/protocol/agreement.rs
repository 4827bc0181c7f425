//! Agreeing on dead stones, or not.

use super::{EndRule, Ended, Event, Phase, Protocol, Refusal, Resumption};
use crate::{Color, Point, bitboard::Bitboard};

/// Stones marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    /// As dead, or to be emptied.
    pub(super) dead: Bitboard<11>,
    /// As being in seki.
    pub(super) seki: Bitboard<11>,
}

impl Marks {
    pub(super) const NONE: Self = Self { dead: Bitboard::EMPTY, seki: Bitboard::EMPTY };
}

impl Protocol {
    /// Whether the game is stopped and this player may speak: only the player to move where one marks for both.
    pub(super) fn check_stopped(&self, by: Color, event: &Event) -> Result<(), Refusal> {
        match (self.conduct.ending, &self.phase) {
            (EndRule::Marking, Phase::Stopped) => self.check_turn(by),
            (_, Phase::Stopped) => Ok(()),
            _ => Err(self.wrong_phase(event)),
        }
    }

    pub(super) fn check_mark(&self, by: Color, point: Point, event: &Event) -> Result<(), Refusal> {
        self.check_stopped(by, event)?;
        let stones = self.marked_with(point).ok_or(Refusal::NoStone)?;
        let marks = self.marks[by.index()];
        if stones.without(marks.dead).is_empty() {
            return Err(Refusal::AlreadyMarked);
        }
        if self.in_seki_eyes(Marks { dead: marks.dead | stones, ..marks }).intersects(stones) {
            return Err(Refusal::StoneInSekiEye);
        }
        Ok(())
    }

    pub(super) fn mark(&mut self, by: Color, point: Point) {
        if let Some(stones) = self.marked_with(point) {
            self.marks[by.index()].dead |= stones;
        }
    }

    pub(super) fn check_mark_seki(&self, by: Color, point: Point, event: &Event) -> Result<(), Refusal> {
        if self.counts_in_seki() {
            return Err(Refusal::SekiCounts);
        }
        self.check_stopped(by, event)?;
        let chain = self.chain(point).ok_or(Refusal::NoStone)?;
        if chain.without(self.marks[by.index()].seki).is_empty() {
            return Err(Refusal::AlreadyMarked);
        }
        Ok(())
    }

    pub(super) fn mark_seki(&mut self, by: Color, point: Point) {
        if let Some(chain) = self.chain(point) {
            self.marks[by.index()].seki |= chain;
        }
    }

    pub(super) fn clear_marks(&mut self) {
        self.marks = [Marks::NONE; 2];
    }

    pub(super) fn check_answer(&self, by: Color, event: &Event) -> Result<(), Refusal> {
        match self.phase {
            Phase::Proposed(proposer) if proposer == by => Err(Refusal::NotYourTurn(by.opponent())),
            Phase::Proposed(_) => Ok(()),
            _ => Err(self.wrong_phase(event)),
        }
    }

    pub(super) fn accept(&mut self, by: Color) {
        self.settle(self.marks[by.opponent().index()]);
    }

    pub(super) fn reject(&mut self, by: Color) {
        match self.conduct.ending {
            EndRule::Passes => self.phase = Phase::Stopped,
            EndRule::Agreement(resumption) => {
                self.passes = 0;
                self.phase = match resumption {
                    Resumption::Free => Phase::Playing,
                    Resumption::PassStones => Phase::Resumed(self.to_play()),
                };
            }
            EndRule::Marking => {
                // The proposal was the opponent's turn.
                self.game.set_to_play(by);
                self.passes = 0;
                self.phase = Phase::Playing;
            }
            EndRule::Continuations(limits) if self.continuations >= limits.continuations => {
                // Nothing can be proved any more: dead is what both see so.
                let dead = self.marks[0].dead & self.marks[1].dead;
                return self.settle(Marks { dead, ..Marks::NONE });
            }
            EndRule::Continuations(_) => {
                self.phase = Phase::Stopped;
                return;
            }
        }
        self.clear_marks();
    }

    /// Ends the game with what the players agreed on, stones in eyes of groups in seki left standing.
    fn settle(&mut self, marks: Marks) {
        let dead = marks.dead.without(self.in_seki_eyes(marks));
        self.agreed = Marks { dead: self.with_claims(dead), ..marks };
        self.finish(Ended::Counted);
    }

    /// The stones that are marked when the one at a point is; `None` when there is none.
    fn marked_with(&self, point: Point) -> Option<Bitboard<11>> {
        let board = self.game.board();
        if !board.size().contains(point) {
            return None;
        }
        let color = board.stone(point)?;
        match self.conduct.ending {
            EndRule::Passes => Some(board.set_of([point])),
            EndRule::Agreement(_) | EndRule::Continuations(_) => self.chain(point),
            // All stones of the colour in the same territory of the opponent.
            EndRule::Marking => {
                let own = board.stone_set(color);
                Some(board.geometry().flood(board.set_of([point]), board.empty() | own) & own)
            }
        }
    }

    pub(super) fn chain(&self, point: Point) -> Option<Bitboard<11>> {
        let board = self.game.board();
        if !board.size().contains(point) {
            return None;
        }
        let color = board.stone(point)?;
        Some(board.geometry().flood(board.set_of([point]), board.stone_set(color)))
    }

    /// Those of these dead stones that lie in regions beside chains in seki.
    fn in_seki_eyes(&self, Marks { dead, seki }: Marks) -> Bitboard<11> {
        let geometry = self.game.board().geometry();
        let within = self.game.board().empty() | dead;
        geometry.flood(geometry.adjacent(seki), within) & dead
    }
}
