//! Agreeing on dead stones, and the result of a finished game.

use super::{Conduct, EndRule, GameEnd, GameEvent, IllegalEvent, Phase, Protocol};
use crate::{
    Color, Counting, Point, Rules,
    bitboard::Bitboard,
    rules::Tax,
    score::{Score, ScoringContext},
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
        match self.conduct.ending {
            EndRule::Passes => self.phase = Phase::Stopped,
            EndRule::Agreement => self.play_on(Phase::Playing),
            EndRule::PassStones => self.play_on(Phase::Resumed(self.to_play())),
            EndRule::Marking => {
                // The proposal was the opponent's turn.
                self.game.set_to_play(by);
                self.play_on(Phase::Playing);
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

    fn play_on(&mut self, phase: Phase) {
        self.passes = 0;
        self.phase = phase;
    }

    /// Ends the game with what the players agreed on, stones in eyes of groups in seki left standing.
    pub(super) fn settle(&mut self, marks: Marks) {
        let dead = marks.dead.without(self.in_seki_eyes(marks));
        self.agreed = Marks { dead: self.with_claims(dead), ..marks };
        self.finish(GameEnd::Counted);
    }

    /// The stones that are marked when the one at a point is; `None` when there is none.
    pub(super) fn marked_with(&self, point: Point) -> Option<Bitboard<11>> {
        let (board, chain) = (self.game.board(), self.chain(point)?);
        Some(match self.conduct.ending {
            EndRule::Passes => board.set_of([point]),
            EndRule::Agreement | EndRule::PassStones | EndRule::Continuations(_) => chain,
            // All stones of the colour in the same territory of the opponent.
            EndRule::Marking => {
                let own = board.stone_set(board.stone(point)?);
                board.geometry().flood(chain, board.empty() | own) & own
            }
        })
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

/// A game counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameScore {
    /// The points as they were counted. Prisoners include those handed over, and the handicap bonus is 0 where it is not counted.
    pub score: Score,
    /// The score of Black and White in half points, komi included.
    pub half_points: [i32; 2],
}

impl GameScore {
    /// Black's score minus White's in half points: positive when Black wins, zero for jigo.
    #[must_use]
    pub const fn result(&self) -> i32 {
        self.half_points[0] - self.half_points[1]
    }

    /// Who has more points; `None` for jigo.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match self.result() {
            1.. => Some(Color::Black),
            0 => None,
            _ => Some(Color::White),
        }
    }
}

impl Protocol {
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
    pub fn result(&self) -> Option<GameScore> {
        (self.phase == Phase::Finished(GameEnd::Counted)).then(|| self.score())
    }

    fn score(&self) -> GameScore {
        let (board, Conduct { rules, ending, komi, handicap }) = (self.game.board(), self.conduct);
        let marks = [self.agreed.dead, self.agreed.seki].map(|set| board.points_of(set).collect::<Vec<_>>());
        let [dead, seki] = &marks;
        let prisoners = Color::BOTH.map(|color| self.prisoners(color));
        let counts_bonus = rules.counting == Counting::Area && ending != EndRule::Marking;
        let handicap_stones = if counts_bonus { handicap } else { 0 };
        let context = ScoringContext { dead, prisoners, handicap_stones, ..ScoringContext::default() };
        let mut score = board.position().score(*rules, &context);
        if rules.counting == Counting::Territory {
            // The players have marked what is in seki.
            let untaxed = Rules { tax: Tax::None, ..*rules };
            let marked = board.position().score(untaxed, &ScoringContext { seki, ..context });
            score = Score { taxed_groups: score.taxed_groups, ..marked };
        }
        if matches!(ending, EndRule::Continuations(_)) {
            score = self.with_enclosed(score);
        }
        let komi = komi.half_points();
        let half_points = match (ending, rules.counting) {
            // Each player pays for the stones that were lost, and Black the komi.
            (EndRule::Marking, Counting::Territory) => {
                let points = |own: usize| score.surrounded[own] as i32 - score.prisoners[1 - own] as i32;
                let [black, white] = [0, 1].map(|own| points(own) - 2 * score.taxed_groups[own] as i32);
                [2 * black - komi, 2 * white]
            }
            (EndRule::Marking, _) => [2 * score.of(Color::Black) - komi, 2 * score.of(Color::White)],
            _ => [2 * score.of(Color::Black), 2 * score.of(Color::White) + komi],
        };
        GameScore { score, half_points }
    }

    /// Whether points beside chains in seki are territory.
    pub(super) fn counts_in_seki(&self) -> bool {
        let by_agreement = matches!(self.conduct.ending, EndRule::Agreement | EndRule::PassStones);
        self.conduct.rules.tax == Tax::None || !by_agreement
    }

    /// The score with [Makrai's territory](Self::enclosed) in place of the points that were surrounded.
    fn with_enclosed(&self, score: Score) -> Score {
        let (board, dead) = (self.game.board(), self.agreed.dead);
        let territory = self.enclosed();
        let enclosed = territory[0] | territory[1];
        let neutral = board.empty().without(enclosed).count();
        let score = Score { surrounded: territory.map(|points| points.count()), neutral, ..score };
        match self.conduct.rules.counting {
            Counting::Area => {
                let neutral = neutral + dead.without(enclosed).count();
                Score { neutral, taxed_groups: [0; 2], ..score }
            }
            Counting::Territory => {
                let lost = |color| self.prisoners(color) + (board.stone_set(color) & dead & enclosed).count();
                Score { prisoners: [lost(Color::White), lost(Color::Black)], ..score }
            }
        }
    }

    /// Makrai's territory of both: the points, empty or under dead opposing stones, that are adjacent only to each other and to living stones of
    /// this colour.
    fn enclosed(&self) -> [Bitboard<11>; 2] {
        let (board, dead) = (self.game.board(), self.agreed.dead);
        let geometry = board.geometry();
        Color::BOTH.map(|color| {
            let candidates = board.empty() | board.stone_set(color.opponent()) & dead;
            let living = board.stone_set(color).without(dead);
            let others = geometry.on_board.without(candidates | living);
            let open = geometry.flood(geometry.adjacent(others), candidates);
            // A part without a living stone beside it is not enclosed.
            geometry.flood(geometry.adjacent(living), candidates.without(open))
        })
    }
}
