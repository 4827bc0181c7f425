//! Proofs in zones, checked by the definitions.

use jigo_engine::{
    BoardSize, Color, Point, Suicide,
    life::ZoneProof,
    reference::{Colouring, connected, neighbours, reaches},
};

use super::{ReferenceStatus, tables::Tables};

/// The rules inside a zone: everything outside belongs to the opponent of its owner and can never be captured; nor can the owner's anchors.
struct Zone<'a> {
    size: BoardSize,
    suicide: Suicide,
    proof: &'a ZoneProof,
}

impl ReferenceStatus {
    /// Lists the positions that arise in the zone of a proof, starting from the proof's own. Returns `None` when there are more than `limit`.
    ///
    /// In the first position the claim must hold: the zone's chains are saved although the opponent moves first, or the claimed chain is
    /// captured although its owner moves first.
    pub(crate) fn in_zone(
        size: BoardSize,
        suicide: Suicide,
        board: &Colouring,
        proof: &ZoneProof,
        limit: usize,
    ) -> Option<Self> {
        let zone = Zone { size, suicide, proof };
        let play = |colouring: &Colouring, mover, point| zone.after(colouring, mover, point);
        let tables = Tables::by_moves(size, vec![zone.start(board)], &proof.points, limit, play)?;
        Some(Self { tables })
    }
}

impl Zone<'_> {
    fn is_inside(&self, point: Point) -> bool {
        self.proof.points.contains(&point) || self.proof.chains.iter().any(|chain| chain.contains(&point))
    }

    fn start(&self, board: &Colouring) -> Colouring {
        let of_point = |point: Point| match self.is_inside(point) {
            true => board[point.index(self.size)],
            false if self.proof.anchors.contains(&point) => Some(self.proof.owner),
            false => Some(self.proof.owner.opponent()),
        };
        self.size.points().map(of_point).collect()
    }

    /// Returns the stones after a move, if it is legal.
    fn after(&self, colouring: &Colouring, mover: Color, point: Point) -> Option<Colouring> {
        let mut after = colouring.clone();
        if after[point.index(self.size)].replace(mover).is_some() {
            return None;
        }
        let mut own_losses = 0;
        for color in [mover.opponent(), mover] {
            for stone in neighbours(self.size, point).chain([point]) {
                if after[stone.index(self.size)] == Some(color) && self.is_strangled(&after, stone) {
                    let chain = connected(self.size, &after, stone);
                    own_losses += if color == mover { chain.len() } else { 0 };
                    chain.iter().for_each(|stone| after[stone.index(self.size)] = None);
                }
            }
        }
        let is_allowed = own_losses == 0 || own_losses > 1 && self.suicide == Suicide::Allowed;
        is_allowed.then_some(after)
    }

    fn is_strangled(&self, colouring: &Colouring, stone: Point) -> bool {
        let lasts = connected(self.size, colouring, stone).into_iter().any(|stone| !self.is_inside(stone));
        !lasts && !reaches(self.size, colouring, stone, None)
    }
}
