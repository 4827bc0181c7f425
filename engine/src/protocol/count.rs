//! The count of a finished game.

use super::{Conduct, EndRule};
use crate::{
    Color, Counting, Point, Position,
    bitboard::Bitboard,
    score::{Score, ScoringContext, Settled},
};

/// A game counted: the score, and what each point was counted as. A point is a stone that is left standing, or it is in exactly one of
/// `territory`, `dame` and `seki`. All points are in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The points as they were counted. Prisoners include those handed over.
    pub score: Score,
    /// The score of Black and White in half points, komi included.
    pub half_points: [i32; 2],
    /// The territory of Black and White, points under dead stones included.
    pub territory: [Vec<Point>; 2],
    /// Points that neither player surrounds.
    pub dame: Vec<Point>,
    /// Points in seki that count for nobody.
    pub seki: Vec<Point>,
    /// Stones that are taken off as dead. Dead stones in a seki or, by Makrai's rules, outside territory stay.
    pub dead: Vec<Point>,
}

impl Count {
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

impl Conduct {
    /// Counts a position as the end of a game conducted like this. The handicap is the conduct's, whatever the `context` says.
    ///
    /// Counts as [`Position::score`], but by Makrai's rules territory is what living stones enclose, and by marking each player pays
    /// for the own stones that were lost, and Black the komi.
    #[must_use]
    pub fn count<const W: usize>(&self, position: &Position<W>, context: &ScoringContext<'_>) -> Count {
        let context = ScoringContext { handicap_stones: self.handicap, ..*context };
        let Settled { score, territory, dame, seki, dead } = match self.ending {
            EndRule::Continuations(_) => self.settle_enclosed(position, &context),
            _ => position.settle(*self.rules, &context),
        };
        let points = |set| position.geometry().points_of(set).collect();
        Count {
            score,
            half_points: self.half_points(&score),
            territory: territory.map(points),
            dame: points(dame),
            seki: points(seki),
            dead: points(dead),
        }
    }

    fn half_points(&self, score: &Score) -> [i32; 2] {
        let komi = self.komi.half_points();
        let points = Color::BOTH.map(|color| score.of(color));
        match self.ending {
            EndRule::Marking => {
                let captured = score.prisoners.map(|stones| stones as i32);
                let total = |own: usize| 2 * (points[own] - captured[0] - captured[1]);
                [total(0) - komi, total(1)]
            }
            _ => [2 * points[0], 2 * points[1] + komi],
        }
    }

    /// Scores a position by Makrai's rules. Dead stones in no territory are worth nothing and stay.
    fn settle_enclosed<const W: usize>(
        &self,
        position: &Position<W>,
        context: &ScoringContext<'_>,
    ) -> Settled<W> {
        let named_dead = position.named(context.dead);
        let territory = enclosed(position, named_dead);
        let dead = named_dead & (territory[0] | territory[1]);
        let dame = (position.empty() | dead).without(territory[0] | territory[1]);
        let mut score = Score {
            surrounded: territory.map(|points| points.count()),
            handicap_bonus: self.rules.handicap_bonus.points(context.handicap_stones),
            dame: dame.count(),
            ..Score::default()
        };
        match self.rules.counting {
            Counting::Area => {
                score.stones = position.stone_sets().map(|stones| stones.without(named_dead).count());
            }
            Counting::Territory => score.prisoners = position.prisoners_with(dead, context.prisoners),
        }
        Settled { score, territory, dame, seki: Bitboard::EMPTY, dead }
    }
}

/// Makrai's territory of both: the points, empty or under dead opposing stones, that are adjacent only to each other and to living stones of this
/// colour.
fn enclosed<const W: usize>(position: &Position<W>, dead: Bitboard<W>) -> [Bitboard<W>; 2] {
    let geometry = position.geometry();
    Color::BOTH.map(|color| {
        let candidates = position.empty() | position.stone_set(color.opponent()) & dead;
        let living = position.stone_set(color).without(dead);
        let others = geometry.on_board.without(candidates | living);
        let open = geometry.flood(geometry.adjacent(others), candidates);
        // A part without a living stone beside it is not enclosed.
        geometry.flood(geometry.adjacent(living), candidates.without(open))
    })
}
