//! The eye heuristic of light playouts.

use super::Board;
use crate::{Color, Point, bitboard::Bitboard};

impl<const W: usize> Board<W> {
    /// Whether the empty `point` is *eye-like* for `color`: all its neighbours are stones of that colour, and of its diagonal neighbours at
    /// most one is an opposing stone (none on the edge).
    ///
    /// A heuristic for playouts that should end, without any claim that the point is or becomes an eye.
    #[must_use]
    pub fn is_eye_like(&self, point: Point, color: Color) -> bool {
        let bit = self.geometry.bit(point);
        (self.empty().without(self.not_eye_like(color))).contains(bit)
    }

    /// The points that would not be [eye-like](Self::is_eye_like) for `color` if they are empty.
    #[inline]
    pub(crate) fn not_eye_like(&self, color: Color) -> Bitboard<W> {
        let geometry = &*self.geometry;
        let own = self.stones[color.index()];
        let open = geometry.adjacent(geometry.on_board.without(own));
        let (one, two) = geometry.diagonal_counts(self.stones[color.opponent().index()]);
        open | two | one & geometry.edge
    }
}
