//! Whether a move would fill the mover's own unconditional territory.

use super::benson::{Region, Regions, Wall, strike_out};
use crate::{Board, Point, Suicide, bitboard::Bitboard};

impl<const W: usize> Board<W> {
    /// Whether the empty `point` lies in the [unconditional territory](crate::Position::unconditional_life) of the player to move, under the
    /// board's suicide rule: a stone there gains nothing, and costs a point where territory is counted.
    ///
    /// Looks at what the answer rests on and nothing else: the chains around the point's region, their vital regions, the chains around these,
    /// and so on. Cost: nearly always a few flood fills, because the region is too large or a chain around it has no two vital regions.
    #[must_use]
    #[inline]
    pub fn fills_own_territory(&self, point: Point) -> bool {
        let geometry = self.geometry();
        let own = self.stone_set(self.to_play());
        let outside = geometry.on_board.without(own);
        // Even if all chains were alive: territory has at most one point that is not beside them.
        let distant = outside.without(geometry.adjacent(own));
        let region = geometry.flood(Bitboard::single(geometry.bit(point)), outside);
        !(region & distant).has_several() && self.is_enclosed_by_living(region, own)
    }

    /// Whether there are chains of `own` around a region, and all of them are unconditionally alive.
    fn is_enclosed_by_living(&self, region: Bitboard<W>, own: Bitboard<W>) -> bool {
        let geometry = self.geometry();
        let border = geometry.adjacent(region) & own;
        let (mut walls, mut regions) = (Vec::new(), Regions { single: Bitboard::EMPTY, larger: Vec::new() });
        let (mut seen, mut pending) = (Bitboard::EMPTY, border);
        while !pending.is_empty() {
            let stones = geometry.flood(pending.lowest(), own);
            let wall = Wall { stones, around: geometry.adjacent(stones) };
            let vital = self.add_vital(&wall, own, &mut regions);
            if stones.intersects(border) && !regions.has_two_vital_to(&wall) {
                return false;
            }
            walls.push(wall);
            seen |= stones;
            pending = (pending | geometry.adjacent(vital) & own).without(seen);
        }
        strike_out(&mut walls, &mut regions);
        let alive = walls.iter().fold(Bitboard::EMPTY, |all, wall| all | wall.stones);
        !border.is_empty() && border.without(alive).is_empty()
    }

    /// Adds the regions that are vital to a chain of `own`, whoever encloses them, and returns the points of all of them.
    fn add_vital(&self, wall: &Wall<W>, own: Bitboard<W>, regions: &mut Regions<W>) -> Bitboard<W> {
        let geometry = self.geometry();
        let outside = geometry.on_board.without(own);
        let must_touch = match self.suicide() {
            Suicide::Forbidden => self.empty(),
            Suicide::Allowed => outside,
        };
        // A region is not vital if it goes on where it must touch the chain and does not.
        let beyond = must_touch.without(wall.around);
        let within = outside.without(beyond);
        let vital = within.without(geometry.flood(geometry.adjacent(beyond), within));
        let single = vital.without(geometry.adjacent(outside));
        regions.single |= single;
        for points in geometry.parts(vital.without(single)) {
            if regions.larger.iter().all(|known| !known.points.intersects(points)) {
                regions.larger.push(Region { points, must_touch: points & must_touch });
            }
        }
        vital
    }
}
