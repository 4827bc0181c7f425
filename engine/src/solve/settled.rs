//! What is a player's whatever the opponent does.

use crate::{Color, Position, Suicide, bitboard::Bitboard};

/// What is a player's in any case, even if she answers none of her opponent's moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled<const W: usize> {
    /// Her unconditionally alive stones.
    pub(super) alive: Bitboard<W>,
    /// These, and the regions between them in which the opponent has no room for two eyes.
    pub(super) points: Bitboard<W>,
    /// The points of these regions that are not beside an alive stone. In each region there are none, one, or two that are neighbours: an eye of
    /// the opponent is such a point, or both.
    pub(super) inner: Bitboard<W>,
}

impl<const W: usize> Settled<W> {
    /// Finds what is settled; `suicide` says what the opponent may do.
    pub(super) fn new(position: &Position<W>, color: Color, suicide: Suicide) -> Self {
        let alive = position.unconditional_life(color, suicide).stones;
        let mut settled = Self { alive, points: alive, inner: Bitboard::EMPTY };
        if alive.is_empty() {
            return settled;
        }
        let geometry = position.geometry();
        let beside = geometry.adjacent(alive);
        let others = position.empty() | position.stone_set(Color::Black) | position.stone_set(Color::White);
        for region in geometry.parts(others.without(alive)) {
            let inner = region.without(beside);
            let is_pair = inner.count() == 2 && geometry.parts(inner).count() == 1;
            if inner.count() <= 1 || is_pair {
                settled.points |= region;
                settled.inner |= inner;
            }
        }
        settled
    }
}
