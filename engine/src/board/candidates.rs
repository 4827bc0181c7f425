//! The points among which a playout policy draws.

use super::Board;
use crate::{Point, bitboard::Bitboard, geometry::Grid};

/// Which points a policy considers before it draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Among {
    /// Every empty point except the one that simple ko forbids.
    Empty,
    /// The same, without the points that are [eye-like](Board::is_eye_like) for the player to move.
    NotEyeLike,
}

/// A set of empty points, counted and indexed in row-major order.
///
/// May hold suicides and repetitions: whoever draws one of these [removes](Self::remove) it and draws again, which leaves the choice among
/// the others uniform.
#[derive(Clone, Debug)]
pub struct Candidates<const W: usize> {
    set: Bitboard<W>,
    grid: Grid,
}

impl<const W: usize> Board<W> {
    /// The points that the player to move may consider. Cost: copies a bitboard.
    #[inline(always)]
    #[must_use]
    pub fn candidates(&self, among: Among) -> Candidates<W> {
        let mut set = match among {
            Among::Empty => self.empty(),
            Among::NotEyeLike => self.open[self.to_play.index()],
        };
        if let Some(ko) = self.ko {
            set.remove_in_registers(usize::from(ko));
        }
        Candidates { set, grid: self.geometry.grid }
    }
}

impl<const W: usize> Candidates<W> {
    /// Number of points in the set.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> u32 {
        self.set.count()
    }

    /// The point with `rank` points before it in row-major order.
    ///
    /// # Panics
    /// When the set has no such point.
    #[inline(always)]
    #[must_use]
    pub fn nth(&self, rank: u32) -> Point {
        self.grid.point(self.set.nth(rank))
    }

    /// Takes a point out of the set.
    #[inline(always)]
    pub fn remove(&mut self, point: Point) {
        self.set.remove_in_registers(self.grid.bit(point));
    }

    /// The points in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        self.set.iter().map(|bit| self.grid.point(bit))
    }

    pub(super) fn into_bits(self) -> impl Iterator<Item = usize> {
        self.set.iter()
    }
}
