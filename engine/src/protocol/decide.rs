//! What a finished game comes to.

use super::{EndRule, Ended, Phase, Protocol};
use crate::{AreaCount, Color, Counting, Point, Tax, TerritoryCount, bitboard::Bitboard};

/// A game counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameScore {
    /// The points as they were counted.
    pub count: Count,
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
            Phase::Finished(Ended::Counted) => self.result()?.winner(),
            Phase::Finished(Ended::Resigned(color)) => Some(color.opponent()),
            _ => None,
        }
    }

    /// The count of a game that was played to its end; `None` of any other.
    #[must_use]
    pub fn result(&self) -> Option<GameScore> {
        (self.phase == Phase::Finished(Ended::Counted)).then(|| self.score())
    }

    /// The empty points of a counted game that are nobody's, in row-major order. Those between living stones should have been filled before the
    /// count, lest anybody takes them for territory.
    pub fn open_dame(&self) -> impl Iterator<Item = Point> {
        let board = self.game.board();
        let territory = match self.conduct.ending {
            EndRule::Continuations(_) => Color::BOTH.map(|color| self.enclosed(color, self.agreed.dead)),
            _ => board.territory_sets(self.agreed.dead, self.agreed.seki),
        };
        board.points_of(board.empty().without(territory[0] | territory[1]))
    }

    fn score(&self) -> GameScore {
        let count = match self.conduct.rules.counting {
            Counting::Area => Count::Area(self.count_area()),
            Counting::Territory => Count::Territory(self.count_territory()),
        };
        let komi = self.conduct.komi.half_points();
        let half_points = match count {
            Count::Area(count) => {
                let bonus = self.conduct.rules.handicap_bonus.points(self.conduct.handicap);
                [2 * count.of(Color::Black) as i32, 2 * (count.of(Color::White) + bonus) as i32 + komi]
            }
            Count::Territory(count) if self.conduct.ending == EndRule::Marking => {
                // Everybody pays for his own stones, Black also the komi.
                let points = |own: usize| {
                    (count.territory[own] as i32) - (count.prisoners[own] + count.dead[own]) as i32
                };
                [2 * points(0) - komi, 2 * points(1)]
            }
            Count::Territory(count) => {
                [2 * count.of(Color::Black) as i32, 2 * count.of(Color::White) as i32 + komi]
            }
        };
        GameScore { count, half_points }
    }

    /// Whether points beside chains in seki are territory.
    pub(super) fn counts_in_seki(&self) -> bool {
        self.conduct.rules.tax == Tax::None || !matches!(self.conduct.ending, EndRule::Agreement(_))
    }

    fn count_area(&self) -> AreaCount {
        let dead = self.agreed.dead;
        let living = self.living(dead);
        let surrounded = match self.conduct.ending {
            EndRule::Continuations(_) => Color::BOTH.map(|color| self.enclosed(color, dead)),
            _ => {
                let mut position = self.game.board().position();
                self.game.board().points_of(dead).for_each(|point| position.set_stone(point, None));
                return position.area();
            }
        };
        let stones = living.map(|stones| stones.count());
        let surrounded = surrounded.map(|points| points.count());
        let points = self.game.board().size().point_count() as u32;
        let neutral = points - stones[0] - stones[1] - surrounded[0] - surrounded[1];
        AreaCount { stones, surrounded, neutral }
    }

    fn count_territory(&self) -> TerritoryCount {
        let board = self.game.board();
        let points = |set| board.points_of(set).collect::<Vec<_>>();
        let prisoners = Color::BOTH.map(|color| self.prisoners(color));
        let dead = self.agreed.dead;
        let count = board.territory(&points(dead), &points(self.agreed.seki));
        if !matches!(self.conduct.ending, EndRule::Continuations(_)) {
            return TerritoryCount { prisoners, ..count };
        }
        let territory = Color::BOTH.map(|color| self.enclosed(color, dead));
        let under = Color::BOTH
            .map(|color| (board.stone_set(color) & dead & territory[color.opponent().index()]).count());
        let dame = board.empty().without(territory[0] | territory[1]).count();
        TerritoryCount { territory: territory.map(|points| points.count()), dead: under, prisoners, dame }
    }

    fn living(&self, dead: Bitboard<11>) -> [Bitboard<11>; 2] {
        Color::BOTH.map(|color| self.game.board().stone_set(color).without(dead))
    }

    /// Makrai's territory: the points, empty or under dead opposing stones, that are adjacent only to each other and to living stones of this
    /// colour.
    fn enclosed(&self, color: Color, dead: Bitboard<11>) -> Bitboard<11> {
        let board = self.game.board();
        let geometry = board.geometry();
        let candidates = board.empty() | board.stone_set(color.opponent()) & dead;
        let living = board.stone_set(color).without(dead);
        let others = geometry.on_board.without(candidates | living);
        let open = geometry.flood(geometry.adjacent(others), candidates);
        let closed = candidates.without(open);
        // Without a living stone beside it nobody encloses it.
        geometry.flood(geometry.adjacent(living), closed)
    }
}
