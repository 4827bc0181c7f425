//! Agreeing on dead stones, and the result of a finished game.

use super::{Count, EndRule, GameEnd, GameEvent, IllegalEvent, Phase, Protocol};
use crate::{
    Color, Point, Position,
    bitboard::Bitboard,
    rules::Tax,
    score::{MarkUnit, ScoringContext, SekiBy},
};

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
    pub(super) fn check_stopped(&self, by: Color, event: &GameEvent) -> Result<(), IllegalEvent> {
        match (self.conduct.ending, &self.phase) {
            (EndRule::Marking, Phase::Stopped) => self.check_turn(by),
            (_, Phase::Stopped) => Ok(()),
            _ => Err(self.wrong_phase(event)),
        }
    }

    pub(super) fn check_mark(&self, by: Color, point: Point, event: &GameEvent) -> Result<(), IllegalEvent> {
        self.check_stopped(by, event)?;
        let stones = self.marked_with(point).ok_or(IllegalEvent::NoStone)?;
        let marks = self.marks[by.index()];
        if stones.without(marks.dead).is_empty() {
            return Err(IllegalEvent::AlreadyMarked);
        }
        if self.in_seki_eyes(Marks { dead: marks.dead | stones, ..marks }).intersects(stones) {
            return Err(IllegalEvent::StoneInSekiEye);
        }
        Ok(())
    }

    pub(super) fn check_mark_seki(
        &self,
        by: Color,
        point: Point,
        event: &GameEvent,
    ) -> Result<(), IllegalEvent> {
        if self.counts_in_seki() {
            return Err(IllegalEvent::SekiCounts);
        }
        self.check_stopped(by, event)?;
        let chain = self.chain(point).ok_or(IllegalEvent::NoStone)?;
        if chain.without(self.marks[by.index()].seki).is_empty() {
            return Err(IllegalEvent::AlreadyMarked);
        }
        Ok(())
    }

    pub(super) fn clear_marks(&mut self) {
        self.marks = [Marks::NONE; 2];
    }

    pub(super) fn check_answer(&self, by: Color, event: &GameEvent) -> Result<(), IllegalEvent> {
        match self.phase {
            Phase::Proposed(proposer) if proposer == by => Err(IllegalEvent::NotYourTurn(by.opponent())),
            Phase::Proposed(_) => Ok(()),
            _ => Err(self.wrong_phase(event)),
        }
    }

    pub(super) fn reject(&mut self, by: Color) {
        if self.is_last_rejection() {
            // Nothing will be proved or agreed any more: dead is what both see so.
            let dead = self.marks[0].dead & self.marks[1].dead;
            return self.settle(Marks { dead, ..Marks::NONE });
        }
        match self.conduct.ending {
            EndRule::Passes => self.phase = Phase::Stopped,
            EndRule::Agreement => self.play_on(Phase::Playing),
            EndRule::PassStones => {
                let stopped = self.game.board().position();
                self.resumptions.push(Resumption { stopped, stones: [Bitboard::EMPTY; 2] });
                self.play_on(Phase::Resumed(self.to_play()));
            }
            EndRule::Marking => {
                // The proposal was the opponent's turn.
                self.game.set_to_play(by);
                self.play_on(Phase::Playing);
            }
            EndRule::Continuations(_) => {
                self.phase = Phase::Stopped;
                return;
            }
        }
        self.clear_marks();
    }

    /// Whether a rejection ends the game: when no continuation is left, and when so many proposals were rejected with no stone played between them that the
    /// players will not agree.
    fn is_last_rejection(&self) -> bool {
        if let EndRule::Continuations(limits) = self.conduct.ending
            && self.continuations >= limits.continuations
        {
            return true;
        }
        let since_stone =
            self.record.iter().rev().take_while(|(_, event)| !matches!(event, GameEvent::Play(_)));
        let rejections = since_stone.filter(|(_, event)| *event == GameEvent::Reject).count();
        rejections + 1 >= EndRule::MAX_REJECTIONS
    }

    fn play_on(&mut self, phase: Phase) {
        self.passes = 0;
        self.phase = phase;
    }

    /// Ends the game with what the players agreed on.
    pub(super) fn settle(&mut self, marks: Marks) {
        self.agreed = self.effective(marks);
        self.finish(GameEnd::Counted);
    }

    /// What these marks mean: claims decide, and stones in eyes of groups in seki stay.
    fn effective(&self, marks: Marks) -> Marks {
        Marks { dead: self.with_claims(marks.dead.without(self.in_seki_eyes(marks))), ..marks }
    }

    /// The stones that are marked when the one at a point is; `None` when there is none.
    pub(super) fn marked_with(&self, point: Point) -> Option<Bitboard<11>> {
        self.stones_at(point, self.conduct.ending.marks())
    }

    pub(super) fn chain(&self, point: Point) -> Option<Bitboard<11>> {
        self.stones_at(point, MarkUnit::Chain)
    }

    fn stones_at(&self, point: Point, unit: MarkUnit) -> Option<Bitboard<11>> {
        Some(self.game.board().position().marked_set(point, unit)).filter(|stones| !stones.is_empty())
    }

    /// Those of these dead stones that lie in regions beside chains in seki.
    fn in_seki_eyes(&self, Marks { dead, seki }: Marks) -> Bitboard<11> {
        let geometry = self.game.board().geometry();
        let within = self.game.board().empty() | dead;
        geometry.flood(geometry.adjacent(seki), within) & dead
    }
}

/// Play that is to prove what is dead, in which every pass hands over a stone.
#[derive(Clone, Debug)]
pub(super) struct Resumption {
    /// The position before it.
    stopped: Position,
    /// Where each player put stones.
    stones: [Bitboard<11>; 2],
}

impl Protocol {
    /// Takes note of a stone that is put in a resumption.
    pub(super) fn note_proof(&mut self, by: Color, point: Point) {
        if let (Phase::Resumed(_), Some(resumption)) = (&self.phase, self.resumptions.last_mut()) {
            resumption.stones[by.index()] |= self.game.board().set_of([point]);
        }
    }

    /// Stones that each player hands over at the count for having filled more neutral points in resumptions than the opponent.
    ///
    /// Both players make as many plies, and each costs a point, a stone in a territory or one handed over; but a stone on a neutral point costs nothing.
    pub(super) fn handed_over_at_count(&self) -> [u32; 2] {
        let Some(marks) = self.decided() else { return [0; 2] };
        self.resumptions.iter().fold([0; 2], |stones, resumption| {
            let neutral = self.neutral_points(&resumption.stopped, marks);
            let [black, white] = resumption.stones.map(|put| (put & neutral).count());
            [stones[0] + black.saturating_sub(white), stones[1] + white.saturating_sub(black)]
        })
    }

    /// The points that counted for nobody in an earlier position, in which those stones are dead that were captured since or are marked now.
    fn neutral_points(&self, earlier: &Position, marks: Marks) -> Bitboard<11> {
        let (board, stones) = (self.game.board(), earlier.stone_sets());
        let lost = Color::BOTH.map(|color| stones[color.index()].without(board.stone_set(color)));
        let dead = lost[0] | lost[1] | (stones[0] | stones[1]) & marks.dead;
        let seki = (stones[0] | stones[1]) & marks.seki.without(dead);
        let [dead, seki] = [dead, seki].map(|set| board.points_of(set).collect::<Vec<Point>>());
        let context =
            ScoringContext { dead: &dead, seki: SekiBy::Agreed(&seki), ..ScoringContext::default() };
        let count = self.conduct.count(earlier, &context);
        board.set_of(count.dame.into_iter().chain(count.seki))
    }

    /// Who won; `None` while the game is not finished, and for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match self.phase {
            Phase::Finished(GameEnd::Counted) => self.result()?.winner(),
            Phase::Finished(GameEnd::Resigned(color)) => Some(color.opponent()),
            _ => None,
        }
    }

    /// The count of a game that was played to its end; `None` of any other.
    #[must_use]
    pub fn result(&self) -> Option<Count> {
        if self.phase == Phase::Finished(GameEnd::Counted) { self.count() } else { None }
    }

    /// The count of a game that was played to its end, or as it would be if the open proposal is accepted; `None` of any other.
    #[must_use]
    pub fn count(&self) -> Option<Count> {
        let dead: Vec<Point> = self.dead().collect();
        let seki = self.seki();
        let ending = ScoringContext {
            dead: &dead,
            seki: seki.as_deref().map_or(SekiBy::Dame, SekiBy::Agreed),
            prisoners: Color::BOTH.map(|color| self.prisoners(color)),
            ..ScoringContext::default()
        };
        self.decided().map(|_| self.conduct.count(&self.game.board().position(), &ending))
    }

    /// What was agreed on in a counted game, or what is proposed.
    fn decided(&self) -> Option<Marks> {
        match self.phase {
            Phase::Finished(GameEnd::Counted) => Some(self.agreed),
            Phase::Proposed(by) => Some(self.effective(self.marks[by.index()])),
            _ => None,
        }
    }

    /// The stones that a counted game ended with as dead, or that are proposed to be so, in row-major order.
    pub fn dead(&self) -> impl Iterator<Item = Point> {
        self.game.board().points_of(self.decided().map_or(Bitboard::EMPTY, |marks| marks.dead))
    }

    /// The stones agreed on or proposed to be in seki, in row-major order; `None` where the players do not decide that.
    #[must_use]
    pub fn seki(&self) -> Option<Vec<Point>> {
        let marks = self.decided().filter(|_| !self.counts_in_seki())?;
        Some(self.game.board().points_of(marks.seki).collect())
    }

    /// Whether points beside chains in seki are territory.
    fn counts_in_seki(&self) -> bool {
        let by_agreement = matches!(self.conduct.ending, EndRule::Agreement | EndRule::PassStones);
        self.conduct.rules.tax == Tax::None || !by_agreement
    }
}
