//! The empty board, to begin from.

use super::{
    chain::{Chains, Name},
    surroundings::Surroundings,
};
use crate::{BoardSize, Color, bitboard::Bitboard, geometry::Grid, table::Padded};

/// What [`Board::clear`](super::Board::clear) copies instead of working it out for each game.
#[derive(Clone, Debug)]
pub(crate) struct Start<const W: usize> {
    pub(super) open: Bitboard<W>,
    pub(super) around: Surroundings,
    pub(super) chain_of: Padded<Name>,
}

impl<const W: usize> Start<W> {
    pub(crate) fn new(size: BoardSize) -> Self {
        let mut start = Self {
            open: Bitboard::EMPTY,
            around: Surroundings::at_start(size),
            chain_of: Padded::filled(Chains::<W>::OUTSIDE),
        };
        for point in size.points() {
            let bit = Grid::new(size).bit(point);
            start.chain_of[bit] = Chains::<W>::EMPTY;
            // On the empty board both colours agree: only the single point of a 1×1 board is eye-like.
            if !start.around.get(bit).is_eye_like(Color::Black) {
                start.open.insert(bit);
            }
        }
        start
    }
}
