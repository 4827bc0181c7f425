//! Moves in a local game.

use super::{Points, Stones, Terrain};
use crate::{Color, Suicide};

/// The stones after a move, and the ko that it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct After {
    pub(super) stones: Stones,
    /// Where retaking at once would bring the position before the move back.
    pub(super) ko: Option<usize>,
}

impl Terrain {
    /// The move of `color` on an empty point, whatever ko forbids; `None` for suicide that is not allowed.
    pub(super) fn play(&self, stones: Stones, color: Color, point: usize) -> Option<After> {
        let (own, other) = (color.index(), color.opponent().index());
        let mut after = stones;
        after[own] |= 1 << point;
        let mut removed: Points = 0;
        for neighbour in Self::points(self.near[point] & stones[other]) {
            if removed >> neighbour & 1 == 0 {
                let chain = self.connected(stones[other], 1 << neighbour);
                if self.is_strangled(after, color.opponent(), chain) {
                    removed |= chain;
                }
            }
        }
        after[other] &= !removed;
        let chain = self.connected(after[own], 1 << point);
        if removed == 0 && self.is_strangled(after, color, chain) {
            if self.suicide == Suicide::Forbidden || chain.is_power_of_two() {
                return None;
            }
            after[own] &= !chain;
            return Some(After { stones: after, ko: None });
        }
        let is_ko = removed.is_power_of_two()
            && chain.is_power_of_two()
            && !self.is_anchored(color, chain)
            && self.near[point] & self.empty(after) == removed;
        Some(After { stones: after, ko: is_ko.then(|| removed.trailing_zeros() as usize) })
    }

    fn is_strangled(&self, stones: Stones, color: Color, chain: Points) -> bool {
        !self.is_anchored(color, chain) && self.adjacent(chain) & self.empty(stones) == 0
    }
}
