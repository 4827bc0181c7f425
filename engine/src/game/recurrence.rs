//! Which moves can recreate a position at all: most cannot, and need not be looked up.

use crate::{Color, bitboard::Bitboard};

/// Where and when stones were removed, and where stones stand that no earlier position had.
///
/// A stone is *fresh* when it is put where none of its colour was removed before: no earlier position has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recurrence<const W: usize> {
    /// The points where a stone of each colour was ever removed.
    emptied: [Bitboard<W>; 2],
    /// The last plies, from 1, in which stones of each colour were removed.
    last_removal: [u32; 2],
    /// The last plies in which each colour put a fresh stone.
    last_fresh: [u32; 2],
}

impl<const W: usize> Recurrence<W> {
    pub(super) const START: Self =
        Self { emptied: [Bitboard::EMPTY; 2], last_removal: [0; 2], last_fresh: [0; 2] };

    /// Notes a stone put on the board.
    #[inline(always)]
    pub(super) fn place(&mut self, color: Color, bit: usize, ply: u32) {
        if !self.emptied[color.index()].contains(bit) {
            self.last_fresh[color.index()] = ply;
        }
    }

    /// Notes stones taken off.
    pub(super) fn remove(&mut self, color: Color, stones: Bitboard<W>, ply: u32) {
        self.emptied[color.index()] |= stones;
        self.last_removal[color.index()] = ply;
    }

    /// Whether a move on `bit` by `color` can recreate an earlier position, if it is no suicide. When not, it does not.
    ///
    /// The recreated position has the new stone, so it is from before a removal of the mover's stones, on that very point. But no position
    /// from before a fresh stone comes back while that stands: the mover's own stands if no stones of his were removed since; the
    /// opponent's, if none of his were removed since nor are by this move.
    #[inline(always)]
    pub(super) fn is_possible(&self, color: Color, bit: usize, captures: impl Fn() -> bool) -> bool {
        let (own, other) = (color.index(), color.opponent().index());
        if !self.emptied[own].contains(bit) || self.last_fresh[own] > self.last_removal[own] {
            return false;
        }
        let stands = self.last_fresh[other] > self.last_removal[own].max(self.last_removal[other]);
        !stands || captures()
    }
}
