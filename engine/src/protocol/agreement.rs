//! Agreeing on dead stones, and the result of a finished game.

use super::{Conduct, EndRule, GameEnd, GameEvent, IllegalEvent, Phase, Protocol};
use crate::{
    Color, Counting, Point,
    bitboard::Bitboard,
    rules::Tax,
    score::{AreaCount, Score, ScoringContext, TerritoryCount},
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
        let color = board.size().contains(point).then(|| board.stone(point))??;
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
    /// The points as they were counted.
    pub count: Count,
    /// Groups of Black and White that give two points each, under a group tax.
    pub taxed_groups: [u32; 2],
    /// The score of Black and White in half points, komi included.
    pub half_points: [i32; 2],
}

/// The points of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Stones and surrounded points.
    Area(AreaCount),
    /// Surrounded points and prisoners, those handed over included.
    Territory(TerritoryCount),
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
        let dead: Vec<Point> = board.points_of(self.agreed.dead).collect();
        // The position by the values of the rules alone, without the dead stones.
        let marked =
            board.position().score(rules, &ScoringContext { dead: &dead, ..ScoringContext::default() });
        let (count, taxed_groups) = match (rules.counting, ending) {
            (Counting::Area, EndRule::Continuations(_)) => (Count::Area(self.enclosed_area()), [0; 2]),
            (Counting::Area, _) => {
                let Score { stones, surrounded, neutral, taxed_groups, .. } = marked;
                (Count::Area(AreaCount { stones, surrounded, neutral }), taxed_groups)
            }
            (Counting::Territory, _) => (Count::Territory(self.count_territory(&dead)), marked.taxed_groups),
        };
        let [black, white] = Color::BOTH.map(|color| {
            let own = color.index();
            let points = match count {
                // Each player pays for the stones that were lost.
                Count::Territory(count) if ending == EndRule::Marking => {
                    count.territory[own] as i32 - (count.prisoners[own] + count.dead[own]) as i32
                }
                Count::Territory(count) => count.of(color) as i32,
                Count::Area(count) => count.of(color) as i32,
            };
            points - 2 * taxed_groups[own] as i32
        });
        let bonus = match count {
            Count::Area(_) => rules.handicap_bonus.points(handicap) as i32,
            Count::Territory(_) => 0,
        };
        let komi = komi.half_points();
        let half_points = match ending {
            EndRule::Marking => [2 * black - komi, 2 * white],
            _ => [2 * black, 2 * (white + bonus) + komi],
        };
        GameScore { count, taxed_groups, half_points }
    }

    /// Whether points beside chains in seki are territory.
    pub(super) fn counts_in_seki(&self) -> bool {
        let by_agreement = matches!(self.conduct.ending, EndRule::Agreement | EndRule::PassStones);
        self.conduct.rules.tax == Tax::None || !by_agreement
    }

    fn count_territory(&self, dead: &[Point]) -> TerritoryCount {
        let board = self.game.board();
        let prisoners = Color::BOTH.map(|color| self.prisoners(color));
        if !matches!(self.conduct.ending, EndRule::Continuations(_)) {
            let seki: Vec<Point> = board.points_of(self.agreed.seki).collect();
            return TerritoryCount { prisoners, ..board.territory(dead, &seki) };
        }
        let territory = self.enclosed();
        let enclosed = territory[0] | territory[1];
        TerritoryCount {
            territory: territory.map(|points| points.count()),
            dead: Color::BOTH.map(|color| (board.stone_set(color) & self.agreed.dead & enclosed).count()),
            prisoners,
            dame: board.empty().without(enclosed).count(),
        }
    }

    /// Makrai's area: living stones and his [territory](Self::enclosed).
    fn enclosed_area(&self) -> AreaCount {
        let board = self.game.board();
        let stones = Color::BOTH.map(|color| board.stone_set(color).without(self.agreed.dead).count());
        let surrounded = self.enclosed().map(|points| points.count());
        let points = board.size().point_count() as u32;
        let neutral = points - stones[0] - stones[1] - surrounded[0] - surrounded[1];
        AreaCount { stones, surrounded, neutral }
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
