//! Stones that stay whatever is played between them, and the parts of the board that they separate.

use super::{
    UnconditionalLife,
    local::{Part, PartPoint},
    open::{Claim, Shown},
};
use crate::{Point, Position, bitboard::Bitboard};

/// Borders, and what is open between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Borders<const W: usize> {
    /// Stones of Black and White that are never captured, as long as they answer where that has to be.
    pub(super) stones: [Bitboard<W>; 2],
    /// Points whose connected parts depend on nothing else: in none of them the borders have to be defended.
    pub(super) open: Bitboard<W>,
}

impl<const W: usize> Borders<W> {
    /// No borders: the whole board is one part.
    #[cfg(test)]
    pub(super) fn none(position: &Position<W>) -> Self {
        Self { stones: [Bitboard::EMPTY; 2], open: position.geometry().on_board }
    }

    /// The unconditionally alive stones.
    pub(super) fn unconditional(position: &Position<W>, lives: &[UnconditionalLife<W>; 2]) -> Self {
        let stones = lives.each_ref().map(UnconditionalLife::stone_bits);
        let territory = lives.iter().fold(Bitboard::EMPTY, |all, life| all | life.territory_bits());
        Self { stones, open: position.geometry().on_board.without(stones[0] | stones[1] | territory) }
    }

    /// These and the groups that hold. They are defended on the points on which their proofs rest, so parts with such points are not open.
    pub(super) fn with_groups(&self, position: &Position<W>, shown: &[Shown<W>]) -> Self {
        let mut stones = self.stones;
        let mut defended = Bitboard::EMPTY;
        for group in shown.iter().filter(|shown| matches!(shown.claim, Claim::Holds)) {
            stones[group.owner.index()] |= group.status().0;
            defended |= group.area;
        }
        let parts = position.geometry().parts(self.open.without(stones[0] | stones[1]));
        let open = parts.filter(|part| !part.intersects(defended));
        Self { stones, open: open.fold(Bitboard::EMPTY, |all, part| all | part) }
    }

    /// The open parts.
    pub(super) fn parts<'a>(
        &self,
        position: &'a Position<W>,
    ) -> impl Iterator<Item = Bitboard<W>> + use<'a, W> {
        position.geometry().parts(self.open)
    }

    /// The open part around a point.
    pub(super) fn part_at(&self, position: &Position<W>, point: Point) -> Option<Bitboard<W>> {
        let bit = position.geometry().bit(point);
        self.parts(position).find(|part| part.contains(bit))
    }

    /// A part with what stands in it and beside it, its points in the order of the set's bits.
    pub(super) fn local(&self, position: &Position<W>, part: Bitboard<W>) -> Part {
        let geometry = position.geometry();
        let near = self.stones.map(|stones| geometry.adjacent(stones));
        let points = part.iter().map(|bit| {
            let point = geometry.point(bit);
            let beside = near.map(|near| near.contains(bit));
            PartPoint { x: point.x, y: point.y, stone: position.stone(point), beside }
        });
        Part { points: points.collect() }
    }
}
