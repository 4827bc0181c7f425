//! What was found out about a position.

use super::{
    ChainStatus,
    borders::Borders,
    decided::{Basis, Chain},
    open::{OpenBoard, Shown},
};
use crate::Point;

/// The statuses of the chains of a position, and what they rest on.
#[derive(Clone, Debug)]
pub struct StatusReport<'a, const W: usize = 11> {
    pub(super) board: OpenBoard<'a, W>,
    /// States that a search of a part may look at.
    pub(super) limit: usize,
    /// Between what parts of the board are searched: unconditionally alive stones; and groups that hold as well.
    pub(super) borders: [Borders<W>; 2],
    /// What was shown in zones of the open board.
    pub(super) shown: Vec<Shown<W>>,
    pub(super) chains: Vec<Chain<W>>,
}

impl<const W: usize> StatusReport<'_, W> {
    /// The chains, Black's first, each in the order of its first stones.
    pub fn chains(&self) -> impl Iterator<Item = &ChainStatus> {
        self.chains.iter().map(|chain| &chain.known)
    }

    /// The points on which the status of the chain on `point` depends, in row-major order: the part of the board whose search decided it, or else
    /// what is connected to it when all is taken away that is unconditionally alive or in unconditional territory. None for what is so itself.
    #[must_use]
    pub fn part(&self, point: Point) -> Vec<Point> {
        let position = self.board.position;
        let part = self.chain_at(point).and_then(|chain| match chain.basis {
            Basis::Part(part) => Some(part),
            _ => self.borders[0].part_at(position, point),
        });
        part.into_iter().flat_map(|part| position.geometry().points_of(part)).collect()
    }

    /// The chain on a point.
    pub(super) fn chain_at(&self, point: Point) -> Option<&Chain<W>> {
        let bit = self.board.position.geometry().bit(point);
        self.chains.iter().find(|chain| chain.set.contains(bit))
    }
}
