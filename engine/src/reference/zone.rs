//! Zones of an open board, by the definitions alone.

use super::{Colouring, connected, neighbours, reaches, status::ReferenceStatus, tables::Tables};
use crate::{BoardSize, Color, Point, Suicide, life::ZoneProof};

/// The positions of a zone: everything beyond it belongs to the opponent of its owner, and can never be captured; nor can the stones of the owner that hold
/// already.
struct Zone<'a> {
    size: BoardSize,
    suicide: Suicide,
    proof: &'a ZoneProof,
}

impl ReferenceStatus {
    /// All positions that arise in the zone of a proof, the one of the proof first; `None` where they are more than `limit`. What is shown in the zone must be so in
    /// that one: its chains are saved though the opponent moves first, or the chain asked about is captured though its owner does.
    #[must_use]
    pub fn in_zone(
        size: BoardSize,
        suicide: Suicide,
        board: &Colouring,
        proof: &ZoneProof,
        limit: usize,
    ) -> Option<Self> {
        let zone = Zone { size, suicide, proof };
        let play = |colouring: &Colouring, mover, point| zone.after(colouring, mover, point);
        Tables::by_moves(size, vec![zone.start(board)], &proof.points, limit, play).map(Self::of_tables)
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

    /// The stones after a move, if it is allowed.
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
