//! Territory: empty points that only living stones of one colour reach, and prisoners.

use super::area::surrounded;
use crate::{Board, Color, Point, bitboard::Bitboard};

/// The points of a position as territory counting sees them, given which stones are dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TerritoryCount {
    /// Empty points, and points under dead stones, that only living stones of this colour reach (Black, White).
    pub territory: [u32; 2],
    /// Dead stones of this colour (Black, White): prisoners of the opponent.
    pub dead: [u32; 2],
    /// Stones of this colour that were removed during the game (Black, White).
    pub prisoners: [u32; 2],
    /// Neutral points: empty points between living stones of both colours, or in a seki.
    pub dame: u32,
}

impl TerritoryCount {
    /// One player's points: territory, and the opponent's stones captured or dead.
    #[must_use]
    pub const fn of(&self, color: Color) -> u32 {
        let (own, other) = (color.index(), color.opponent().index());
        self.territory[own] + self.dead[other] + self.prisoners[other]
    }

    /// Black's points minus White's, before komi.
    #[must_use]
    pub const fn margin(&self) -> i32 {
        self.of(Color::Black) as i32 - self.of(Color::White) as i32
    }
}

impl<const W: usize> Board<W> {
    /// Counts territory, without prisoners. The chains of `dead` are taken off first, whole chains even if only one stone is named. A region
    /// next to a chain named in `seki` is neutral; leave it empty under rules that count points in seki.
    ///
    /// Says nothing about what is dead or in seki: that is the caller's knowledge, or the players' agreement.
    #[must_use]
    pub fn territory(&self, dead: &[Point], seki: &[Point]) -> TerritoryCount {
        let chains_of = |points: &[Point]| {
            let named = self.set_of(points.iter().copied());
            let chains = Color::BOTH.into_iter().flat_map(|color| self.chain_sets(color));
            chains.filter(|chain| chain.intersects(named)).fold(Bitboard::EMPTY, |all, chain| all | chain)
        };
        let (dead, seki) = (chains_of(dead), chains_of(seki));
        let geometry = self.geometry();
        let living = Color::BOTH.map(|color| self.stone_set(color).without(dead));
        let empty = geometry.on_board.without(living[0] | living[1]);
        let in_seki = geometry.flood(geometry.adjacent(seki), empty);
        let territory = surrounded(geometry, living).map(|points| points.without(in_seki));
        let neutral = self.empty().without(territory[0] | territory[1]);
        TerritoryCount {
            territory: territory.map(|points| points.count()),
            dead: Color::BOTH.map(|color| (self.stone_set(color) & dead).count()),
            prisoners: [0; 2],
            dame: neutral.count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suicide;

    const DIAGRAM: &str = ". X . O .
                           X X . O O
                           O X . O X
                           . X . O .";

    #[test]
    fn dead_stones_become_prisoners_and_their_points_territory() {
        let board: Board = Board::from_diagram(DIAGRAM, Suicide::Forbidden).unwrap();
        let dead = [Point::new(0, 2), Point::new(4, 2)];
        let count = board.territory(&dead, &[]);
        assert_eq!(count.territory, [3, 3]);
        assert_eq!(count.dead, [1, 1]);
        assert_eq!(count.dame, 4);
        assert_eq!(count.of(Color::Black), 4);
        assert_eq!(count.margin(), 0);
    }

    #[test]
    fn living_stones_inside_make_the_region_neutral() {
        let board: Board = Board::from_diagram(DIAGRAM, Suicide::Forbidden).unwrap();
        let count = board.territory(&[], &[]);
        assert_eq!(count.territory, [1, 1]);
        assert_eq!(count.dame, 6);
    }

    #[test]
    fn regions_beside_a_seki_are_nobodys() {
        let board: Board = Board::from_diagram(DIAGRAM, Suicide::Forbidden).unwrap();
        let count = board.territory(&[Point::new(4, 2)], &[Point::new(1, 0)]);
        assert_eq!(count.territory, [0, 3]);
    }
}
