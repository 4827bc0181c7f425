//! The eye heuristic of light playouts.

use super::Board;
use crate::{Color, Point, bitboard::Bitboard, geometry::Geometry};

/// Where the stones of one colour prevent eye-like points of the other, whatever else stands there. Grows with every stone; only when stones
/// are removed it has to be worked out again. Meaningless on unused bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoils<const W: usize> {
    /// The points beside a stone, and those that have two as diagonal neighbours; being on the edge counts as one.
    pub(super) points: Bitboard<W>,
    /// The points that have one as a diagonal neighbour, or are on the edge.
    corners: Bitboard<W>,
}

impl<const W: usize> Spoils<W> {
    /// Of these stones.
    #[inline(always)]
    pub(crate) fn of(stones: Bitboard<W>, geometry: &Geometry<W>) -> Self {
        let (left, right) = (geometry.left(stones), geometry.right(stones));
        let (one, two) = (left | right, left & right);
        let (above, below) = (geometry.row_up(one), geometry.row_down(one));
        let corners = above | below;
        let several =
            geometry.row_up(two) | geometry.row_down(two) | (above & below) | (corners & geometry.edge);
        let beside = one | geometry.row_up(stones) | geometry.row_down(stones);
        Self { points: beside | several, corners: corners | geometry.edge }
    }

    /// Whether the two are the same on these points.
    pub(super) fn agree(&self, other: &Self, points: Bitboard<W>) -> bool {
        let differing = (self.points ^ other.points) | (self.corners ^ other.corners);
        !differing.intersects(points)
    }

    /// Adds a stone.
    #[inline(always)]
    pub(super) fn place(&mut self, bit: usize, geometry: &Geometry<W>) {
        let diagonals = *geometry.diagonals(bit);
        self.points |= *geometry.neighbours(bit) | self.corners & diagonals;
        self.corners |= diagonals;
    }
}

impl<const W: usize> Board<W> {
    /// Whether the empty `point` is *eye-like* for `color`: all its neighbours are stones of that colour, and of its diagonal neighbours at
    /// most one is an opposing stone (none on the edge).
    ///
    /// A heuristic for playouts that should end, without any claim that the point is or becomes an eye.
    #[must_use]
    pub fn is_eye_like(&self, point: Point, color: Color) -> bool {
        let bit = self.geometry.bit(point);
        self.empty().contains(bit) && !self.not_eye_like(color).contains(bit)
    }

    /// A set of points that holds every empty one that is not eye-like for `color`, and none that is.
    #[inline(always)]
    pub(super) fn not_eye_like(&self, color: Color) -> Bitboard<W> {
        self.airy() | self.spoils[color.opponent().index()].points
    }

    /// The points, empty or not, that have an empty neighbour.
    #[inline(always)]
    pub(super) fn airy(&self) -> Bitboard<W> {
        self.geometry.adjacent_or_outside(self.empty())
    }
}
