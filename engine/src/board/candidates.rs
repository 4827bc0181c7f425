//! The points among which a playout policy draws.

use super::Board;
use crate::{Point, bitboard::Bitboard};

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
    stride: u32,
}

impl<const W: usize> Board<W> {
    /// The points that the player to move may consider. Cost: a few operations on whole bitboards.
    #[inline]
    #[must_use]
    pub fn candidates(&self, among: Among) -> Candidates<W> {
        let open = self.empty().without(self.ko);
        let set = match among {
            Among::Empty => open,
            Among::NotEyeLike => open & self.not_eye_like(self.to_play),
        };
        Candidates { set, stride: self.size().width() as u32 + 1 }
    }
}

impl<const W: usize> Candidates<W> {
    /// Number of points in the set.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u32 {
        self.set.count()
    }

    /// The point with `rank` points before it in row-major order.
    ///
    /// # Panics
    /// When the set has no such point.
    #[inline]
    #[must_use]
    pub fn nth(&self, rank: u32) -> Point {
        let bit = self.set.nth(rank) as u32;
        Point::new((bit % self.stride) as u8, (bit / self.stride) as u8)
    }

    /// Takes a point out of the set.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.set.remove((u32::from(point.y) * self.stride + u32::from(point.x)) as usize);
    }

    /// The points in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        let stride = self.stride as usize;
        self.set.iter().map(move |bit| Point::new((bit % stride) as u8, (bit / stride) as u8))
    }
}
