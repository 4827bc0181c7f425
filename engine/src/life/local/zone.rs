//! Groups that hold without loss: a proof of life where no border is unconditional.
//!
//! A *zone* is a set of chains of one colour and of points around them. Everything else is taken to be the opponent's and never to be captured.
//! If the owner, moving second and only inside the zone, keeps every stone in it, he keeps these stones on the real board, whatever else stands there
//! and whatever is played there: his stones in the zone only grow in number, so every move of the real opponent is one of the zone or a pass, the
//! real opponent never has a stone in the zone that he has not in the game of the zone, and no position ever comes back.

use super::{Points, Terrain, holding::Holding};
use crate::{Color, Suicide, bitboard::Bitboard, geometry::Geometry};

/// A zone on the board.
pub(crate) struct Zone<'a, const W: usize> {
    pub(crate) geometry: &'a Geometry<W>,
    pub(crate) stones: [Bitboard<W>; 2],
    pub(crate) owner: Color,
    /// Stones of the owner that hold already, whatever is played in the area.
    pub(crate) anchors: Bitboard<W>,
    /// The chains of the owner that are to hold.
    pub(crate) chains: &'a [Bitboard<W>],
    /// The points of the zone beside the chains: empty or with stones of the opponent.
    pub(crate) area: Bitboard<W>,
}

impl<const W: usize> Zone<'_, W> {
    /// Whether the chains are shown to hold by so many visits: the points of the area on which the proof rests.
    pub(crate) fn holds(&self, suicide: Suicide, visits: usize) -> Option<Bitboard<W>> {
        let (terrain, stones) = self.game(suicide)?;
        let rests_on = Holding::new(&terrain, self.owner).proof(stones, visits)?;
        Some(
            self.area
                .iter()
                .enumerate()
                .filter(|(number, _)| rests_on >> number & 1 != 0)
                .map(|(_, bit)| bit)
                .collect(),
        )
    }

    fn game(&self, suicide: Suicide) -> Option<(Terrain, [Points; 2])> {
        let geometry = self.geometry;
        let count = self.area.count() as usize + self.chains.len();
        if count > 64 {
            return None;
        }
        let bits: Vec<usize> = self.area.iter().collect();
        let inside: Bitboard<W> =
            self.chains.iter().fold(self.area | self.anchors, |all, &chain| all | chain);
        let beside_anchors = geometry.adjacent(self.anchors);
        let beside_outside = geometry.adjacent(geometry.on_board.without(inside));
        let mut near = vec![0; count];
        let (mut beside, mut stones) = ([0; 2], [0; 2]);
        let (own, other) = (self.owner.index(), self.owner.opponent().index());
        for (number, &bit) in bits.iter().enumerate() {
            for neighbour in (*geometry.neighbours(bit) & self.area).iter() {
                let place = bits.binary_search(&neighbour).expect("a point of the area");
                near[number] |= 1 << place;
            }
            beside[own] |= u64::from(beside_anchors.contains(bit)) << number;
            beside[other] |= u64::from(beside_outside.contains(bit)) << number;
            stones[other] |= u64::from(self.stones[other].contains(bit)) << number;
        }
        for (number, &chain) in (bits.len()..).zip(self.chains) {
            let around = geometry.adjacent(chain);
            for (place, &bit) in bits.iter().enumerate() {
                if around.contains(bit) {
                    near[place] |= 1 << number;
                    near[number] |= 1 << place;
                }
            }
            stones[own] |= 1 << number;
        }
        let all = if count == 64 { Points::MAX } else { (1 << count) - 1 };
        Some((Terrain { suicide, all, near, beside }, stones))
    }
}
