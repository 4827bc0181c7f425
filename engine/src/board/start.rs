//! The empty board, to begin from.

use super::{
    chain::{Liberties, Link},
    eye::Spoils,
};
use crate::{
    bitboard::Bitboard,
    geometry::Geometry,
    table::{Padded, Table},
};

/// What [`Board::clear`](super::Board::clear) copies instead of working it out for each game.
#[derive(Clone, Debug)]
pub(crate) struct Start<const W: usize> {
    pub(super) spoils: Spoils<W>,
    pub(super) links: Padded<Link>,
    pub(super) liberties: Table<Liberties, W>,
}

impl<const W: usize> Start<W> {
    /// The entry for everything outside the board. It belongs to no point: see [`words`](crate::geometry::words).
    const OUTSIDE: usize = 64 * W - 1;

    pub(crate) fn new(geometry: &Geometry<W>) -> Self {
        let mut start = Self {
            spoils: Spoils::of(Bitboard::EMPTY, geometry),
            links: Padded::filled(Link::empty(Self::OUTSIDE)),
            liberties: Table::filled(Liberties::NONE),
        };
        for bit in geometry.on_board.iter() {
            start.links[bit] = Link::empty(bit);
            geometry
                .neighbours(bit)
                .iter()
                .for_each(|near| start.liberties[bit].gain(Liberties::single(near)));
        }
        start
    }
}
