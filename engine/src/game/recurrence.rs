//! Which moves can recreate a position at all: most cannot, and need not be looked up.

use crate::{Color, bitboard::Bitboard};

/// Where and when stones were removed, and where stones stand that no earlier position had.
///
/// A stone is *fresh* when it is put where none of its colour was removed before: no earlier position has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recurrence<const W: usize> {
    /// The points where a stone of each colour was ever removed.
    emptied: [Bitboard<W>; 2],
    /// The last plies, from 1, in which stones of each colour were removed.
    last_removal: [u32; 2],
    /// The last plies in which each colour put a fresh stone.
    last_fresh: [u32; 2],
}

impl<const W: usize> Recurrence<W> {
    pub(crate) const START: Self =
        Self { emptied: [Bitboard::EMPTY; 2], last_removal: [0; 2], last_fresh: [0; 2] };

    /// Notes a stone put on the board.
    #[inline(always)]
    pub(crate) fn place(&mut self, color: Color, bit: usize, ply: u32) {
        if !self.emptied[color.index()].contains(bit) {
            self.last_fresh[color.index()] = ply;
        }
    }

    /// Notes stones taken off.
    pub(crate) fn remove(&mut self, color: Color, stones: Bitboard<W>, ply: u32) {
        self.emptied[color.index()] |= stones;
        self.last_removal[color.index()] = ply;
    }

    /// Whether a move on `bit` by `color` that is no suicide may recreate an earlier position.
    ///
    /// The recreated position has the new stone, so it is from before a removal of the mover's stones, on that very point. But no position
    /// from before a fresh stone comes back while that stands. The mover's own stands if the mover lost no stones since; the
    /// opponent's, if the opponent lost none since nor loses any by this move.
    #[inline(always)]
    pub(crate) fn is_possible(&self, color: Color, bit: usize, captures: impl Fn() -> bool) -> bool {
        let [own_stands, other_stands] = self.fresh(color);
        self.emptied[color.index()].contains(bit) && !own_stands && (!other_stands || captures())
    }

    /// Whether `color` put down a fresh stone after it last lost stones, and whether its opponent did and has lost none since.
    #[inline(always)]
    pub(crate) fn fresh(&self, color: Color) -> [bool; 2] {
        let (own, other) = (color.index(), color.opponent().index());
        [
            self.last_fresh[own] > self.last_removal[own],
            self.last_fresh[other] > self.last_removal[own].max(self.last_removal[other]),
        ]
    }

    /// The points where a stone of each colour was ever removed.
    pub(crate) fn emptied(&self) -> [Bitboard<W>; 2] {
        self.emptied
    }
}
