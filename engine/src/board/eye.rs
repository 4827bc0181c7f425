//! The eye heuristic of light playouts.

use super::Board;
use crate::{Color, Point};

impl<const W: usize> Board<W> {
    /// Whether the empty `point` is *eye-like* for `color`: all its neighbours are stones of that colour, and of its diagonal neighbours at
    /// most one is an opposing stone (none on the edge).
    ///
    /// A heuristic for playouts that should end, without any claim that the point is or becomes an eye.
    #[must_use]
    pub fn is_eye_like(&self, point: Point, color: Color) -> bool {
        self.around.get(self.geometry.bit(point)).is_eye_like(color)
    }
}
