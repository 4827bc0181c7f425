//! What unconditional life rests on.

use crate::{Point, Position, Suicide, bitboard::Bitboard};

impl<const W: usize> Position<W> {
    /// The regions on which the [unconditional life](Self::unconditional_life) of the chain on `point` rests: those vital to it that only
    /// unconditionally alive chains enclose. Two at least, or none at all where the chain is not unconditionally alive.
    ///
    /// Regions are in the order of their first points, points in row-major order.
    #[must_use]
    pub fn vital_regions(&self, point: Point, suicide: Suicide) -> Vec<Vec<Point>> {
        let Some(color) = self.stone(point) else { return Vec::new() };
        let geometry = self.geometry();
        let (own, alive) = (self.stone_set(color), self.unconditional_life(color, suicide).stone_bits());
        let chain = geometry.flood([geometry.bit(point)].into_iter().collect(), own);
        if !chain.intersects(alive) {
            return Vec::new();
        }
        let near = geometry.adjacent(chain);
        let is_vital = |region: &Bitboard<W>| {
            let must_touch = match suicide {
                Suicide::Forbidden => *region & self.empty(),
                Suicide::Allowed => *region,
            };
            let around = geometry.adjacent(*region) & own;
            region.intersects(near) && must_touch.without(near).is_empty() && around.without(alive).is_empty()
        };
        let regions = geometry.parts(geometry.on_board.without(own)).filter(is_vital);
        regions.map(|region| geometry.points_of(region).collect()).collect()
    }

    /// The unconditionally alive chains around the [unconditional territory](Self::unconditional_life) in which the stone on `point` is
    /// dead; none where it is not.
    #[must_use]
    pub fn enclosing_chains(&self, point: Point, suicide: Suicide) -> Vec<Vec<Point>> {
        let Some(color) = self.stone(point) else { return Vec::new() };
        let (geometry, bit) = (self.geometry(), self.geometry().bit(point));
        let opponent = color.opponent();
        let around = self.stone_set(opponent);
        if !self.unconditional_life(opponent, suicide).territory_bits().contains(bit) {
            return Vec::new();
        }
        let region = geometry.flood([bit].into_iter().collect(), geometry.on_board.without(around));
        let near = geometry.adjacent(region);
        let chains = geometry.parts(around).filter(|chain| chain.intersects(near));
        chains.map(|chain| geometry.points_of(chain).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[test]
    fn two_eyes_and_a_stone_that_they_enclose() {
        let board: Board = Board::from_diagram(". X . O X .\nX X X X X .", Suicide::Allowed).unwrap();
        let position = board.position();
        let names = |sets: Vec<Vec<Point>>| {
            let name = |point: Point| point.to_gtp(position.size());
            sets.into_iter()
                .map(|set| set.into_iter().map(name).collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
        };
        let (alive, dead) = (Point::new(1, 0), Point::new(3, 0));
        assert_eq!(names(position.vital_regions(alive, Suicide::Allowed)), ["A2", "C2 D2", "F2 F1"]);
        assert_eq!(names(position.enclosing_chains(dead, Suicide::Allowed)), ["B2 E2 A1 B1 C1 D1 E1"]);
        for (point, other) in [(dead, alive), (Point::new(0, 0), Point::new(0, 0))] {
            assert!(position.vital_regions(point, Suicide::Allowed).is_empty());
            assert!(position.enclosing_chains(other, Suicide::Allowed).is_empty());
        }
    }
}
