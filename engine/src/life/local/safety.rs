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
        !needs_proof || self.living(stones, color, asked).is_some()
    }

    /// The points on which the unconditional life of all stones of `color` rests: vital regions, as few and small ones as may be. `None` if
    /// not all are unconditionally alive.
    pub(super) fn life_zone(&self, stones: Stones, color: Color) -> Option<Points> {
        let (chains, mut regions) = self.living(stones, color, stones[color.index()])?;
        regions.sort_by_key(|region| region.points.count_ones());
        let unanchored = chains.iter().filter(|&&(chain, _)| !self.is_anchored(color, chain));
        Some(unanchored.fold(0, |zone, chain| {
            let vital = regions.iter().filter(|region| region.is_vital(chain)).take(2);
            zone | vital.fold(0, |zone, region| zone | region.points)
        }))
    }

    /// How far the stones of `color` are from unconditional life: the fewer, the better. A guess that orders moves.
    pub(super) fn distance_to_life(&self, stones: Stones, color: Color) -> u32 {
        let (own, other) = (color.index(), color.opponent().index());
        let regions: Vec<Region> = self.regions(stones, color).collect();
        let mut distance = 0;
        for chain in self.parts(stones[own]).filter(|&chain| !self.is_anchored(color, chain)) {
            let chain = (chain, self.adjacent(chain));
            let vital = regions.iter().filter(|region| region.is_vital(&chain)).take(2).count() as u32;
            distance += 4 + 12 * (2 - vital);
        }
        let beside = self.adjacent(stones[own]);
        for region in &regions {
            distance +=
                (region.points & !beside).count_ones() + (region.points & stones[other]).count_ones() / 2;
        }
        distance
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

    /// The unconditionally alive chains, each with its neighbours, and the regions that they enclose; `None` as soon as one of the stones asked for is
    /// not among them.
    fn living(&self, stones: Stones, color: Color, asked: Points) -> Option<(Vec<Wall>, Vec<Region>)> {
        let own = color.index();
        let mut regions: Vec<Region> = self.regions(stones, color).collect();
        let mut chains: Vec<Wall> =
            self.parts(stones[own]).map(|chain| (chain, self.adjacent(chain))).collect();
        loop {
            let mut lost: Points = 0;
            chains.retain(|chain| {
                let vital = regions.iter().filter(|region| region.is_vital(chain));
                let stays = self.is_anchored(color, chain.0) || vital.take(2).count() == 2;
                lost |= if stays { 0 } else { chain.0 };
                stays
            });
            if lost & asked != 0 {
                return None;
            }
            if lost == 0 {
                return Some((chains, regions));
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
