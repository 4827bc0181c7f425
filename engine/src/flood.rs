//! Flood fills.

use crate::{bitboard::Bitboard, geometry::Geometry};

impl<const W: usize> Geometry<W> {
    /// The points reached from `set` through points of `within`, in any number of steps (`set` itself included where it lies within).
    ///
    /// Each round goes along rows to the right to the end, by the carry of an addition, which the unused bit after each row stops; then up to
    /// three points to the left, and up to three rows up and down. So the number of rounds grows with the turns of the way, not with its
    /// points.
    #[inline]
    pub(crate) fn flood(&self, set: Bitboard<W>, within: Bitboard<W>) -> Bitboard<W> {
        let mut reached = set & within;
        // The points that are reached from two points to the right, from two rows above and from two rows below.
        let (right, above, below) =
            (within & within.down(1), within & self.row_down(within), within & self.row_up(within));
        loop {
            let mut grown = reached | within.without(within.plus(reached));
            grown |= grown.down(1) & within;
            grown |= grown.down(2) & right;
            grown |= (self.row_down(grown) | self.row_up(grown)) & within;
            grown |= self.two_rows_down(grown) & above | self.two_rows_up(grown) & below;
            // Not `==`, for which the compiler moves all words between kinds of registers in every round.
            if (grown ^ reached).is_empty() {
                return reached;
            }
            reached = grown;
        }
    }

    /// The connected parts of `set`, each found from its lowest bit.
    #[inline]
    pub(crate) fn parts(&self, set: Bitboard<W>) -> impl Iterator<Item = Bitboard<W>> {
        let mut rest = set;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let part = self.flood(rest.lowest(), rest);
            rest = rest.without(part);
            Some(part)
        })
    }
}
