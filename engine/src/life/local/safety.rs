//! Unconditional life inside a local game.

use super::{Points, Stones, Terrain};
use crate::{Color, Suicide};

impl Terrain {
    /// Whether the chain of `color` on `point` is unconditionally alive. See
    /// [`Position::unconditional_life`](crate::Position::unconditional_life) for the definition.
    ///
    /// Regions that touch the opponent's stones outside go on there and are vital to nobody; own stones outside enclose as living chains do.
    pub(super) fn is_unconditionally_alive(&self, stones: Stones, color: Color, point: usize) -> bool {
        let (own, other) = (color.index(), color.opponent().index());
        let target = self.connected(stones[own], 1 << point);
        if self.is_anchored(color, target) {
            return true;
        }
        let empty = self.empty(stones);
        // Every vital region has a liberty of the chain.
        if (self.adjacent(target) & empty).count_ones() < 2 {
            return false;
        }
        let closed = |region: &Region| region.points & self.beside[other] == 0;
        let mut regions: Vec<Region> = self
            .parts(self.all & !stones[own])
            .map(|points| Region {
                points,
                around: self.adjacent(points) & stones[own],
                must_touch: match self.suicide {
                    Suicide::Forbidden => points & empty,
                    Suicide::Allowed => points,
                },
            })
            .filter(closed)
            .collect();
        if regions.len() < 2 {
            return false;
        }
        let mut chains: Vec<(Points, Points)> =
            self.parts(stones[own]).map(|chain| (chain, self.adjacent(chain))).collect();
        loop {
            let mut lost: Points = 0;
            chains.retain(|&(chain, near)| {
                let is_vital =
                    |region: &&Region| region.around & chain != 0 && region.must_touch & !near == 0;
                let stays = self.is_anchored(color, chain) || regions.iter().filter(is_vital).count() >= 2;
                lost |= if stays { 0 } else { chain };
                stays
            });
            if lost & target != 0 {
                return false;
            }
            if lost == 0 {
                return true;
            }
            regions.retain(|region| region.around & lost == 0);
        }
    }
}

/// A maximal connected set of points without stones of one colour.
struct Region {
    points: Points,
    /// The stones of the colour beside it.
    around: Points,
    /// The points beside which a chain must stand, each of them, for the region to be vital to the chain.
    must_touch: Points,
}
