//! Unconditional life inside a local game.

use super::{Points, Stones, Terrain};
use crate::{Color, Suicide};

impl Terrain {
    /// Whether these stones of `color`, whole chains, are unconditionally alive. See
    /// [`Position::unconditional_life`](crate::Position::unconditional_life) for the definition.
    ///
    /// Regions that touch the opponent's stones outside go on there and are vital to nobody; own stones outside enclose as living chains do.
    pub(super) fn are_unconditionally_alive(&self, stones: Stones, color: Color, asked: Points) -> bool {
        let empty = self.empty(stones);
        let mut needs_proof = false;
        for chain in self.parts(asked).filter(|&chain| !self.is_anchored(color, chain)) {
            // Every vital region has a liberty of the chain.
            if (self.adjacent(chain) & empty).count_ones() < 2 {
                return false;
            }
            needs_proof = true;
        }
        !needs_proof || self.are_alive(stones, color, asked)
    }

    /// The regions around stones of `color` that do not go on outside.
    fn regions(&self, stones: Stones, color: Color) -> impl Iterator<Item = Region> {
        let (own, other) = (color.index(), color.opponent().index());
        let empty = self.empty(stones);
        let closed = move |region: &Region| region.points & self.beside[other] == 0;
        self.parts(self.all & !stones[own])
            .map(move |points| Region {
                points,
                around: self.adjacent(points) & stones[own],
                must_touch: match self.suicide {
                    Suicide::Forbidden => points & empty,
                    Suicide::Allowed => points,
                },
            })
            .filter(closed)
    }

    /// Whether all stones asked for are among the unconditionally alive ones.
    fn are_alive(&self, stones: Stones, color: Color, asked: Points) -> bool {
        let mut regions: Vec<Region> = self.regions(stones, color).collect();
        let mut chains: Vec<Wall> =
            self.parts(stones[color.index()]).map(|chain| (chain, self.adjacent(chain))).collect();
        loop {
            let mut lost: Points = 0;
            chains.retain(|chain| {
                let vital = regions.iter().filter(|region| region.is_vital(chain));
                let stays = self.is_anchored(color, chain.0) || vital.take(2).count() == 2;
                lost |= if stays { 0 } else { chain.0 };
                stays
            });
            if lost & asked != 0 {
                return false;
            }
            if lost == 0 {
                return true;
            }
            regions.retain(|region| region.around & lost == 0);
        }
    }
}

impl Region {
    /// Whether it is vital to a chain.
    fn is_vital(&self, &(chain, near): &Wall) -> bool {
        self.around & chain != 0 && self.must_touch & !near == 0
    }
}

/// A chain and its neighbours.
type Wall = (Points, Points);

/// A maximal connected set of points without stones of one colour.
struct Region {
    points: Points,
    /// The stones of the colour beside it.
    around: Points,
    /// The points beside which a chain must stand, each of them, for the region to be vital to the chain.
    must_touch: Points,
}
