//! The points among which a playout policy draws.

use super::Board;
use crate::{Color, Point, Suicide, bitboard::Bitboard, geometry::Grid};

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
/// May hold suicides (unless they are [legal candidates](Board::legal_candidates)) and repetitions: whoever draws one of these
/// [removes](Self::remove) it and draws again, which leaves the choice among the others uniform.
#[derive(Clone, Debug)]
pub struct Candidates<const W: usize> {
    set: Bitboard<W>,
    grid: Grid,
}

impl<const W: usize> Board<W> {
    /// The points that the player to move may consider. Cost: a few operations on bitboards.
    #[inline(always)]
    #[must_use]
    pub fn candidates(&self, among: Among) -> Candidates<W> {
        self.without_ko(match among {
            Among::Empty => self.empty(),
            Among::NotEyeLike => self.empty() & self.not_eye_like(self.to_play),
        })
    }

    /// The [candidates](Self::candidates) that are legal: exactly those that [`check`](Self::check) allows. Superko is not asked.
    ///
    /// With them a light playout is one draw per move:
    ///
    /// ```
    /// use jigo_engine::{board::Among, Board, BoardSize, Suicide};
    /// let mut board: Board = Board::new(BoardSize::square(5).unwrap(), Suicide::Forbidden);
    /// let (mut passes, mut state) = (0, 1_u32);
    /// while passes < 2 {
    ///     let candidates = board.legal_candidates(Among::NotEyeLike);
    ///     state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223); // a better generator is advisable
    ///     match candidates.count() {
    ///         0 => {
    ///             passes += 1;
    ///             board.pass();
    ///         }
    ///         count => {
    ///             passes = 0;
    ///             board.play_candidate(candidates.pick((state >> 16) % count));
    ///         }
    ///     }
    /// }
    /// assert!(board.legal_points().all(|point| board.is_eye_like(point, board.to_play())));
    /// ```
    ///
    /// Cost: a few operations on bitboards.
    #[inline(always)]
    #[must_use]
    pub fn legal_candidates(&self, among: Among) -> Candidates<W> {
        let supported = self.geometry.adjacent_or_outside(self.support(self.to_play));
        let crowded = match among {
            Among::Empty => supported,
            Among::NotEyeLike => supported & self.spoils[self.to_play.opponent().index()].points,
        };
        self.without_ko(self.empty() & (self.airy() | crowded))
    }

    #[inline(always)]
    fn without_ko(&self, mut set: Bitboard<W>) -> Candidates<W> {
        if let Some(ko) = self.ko {
            set.remove_in_registers(usize::from(ko));
        }
        Candidates { set, grid: self.geometry.grid }
    }

    /// The stones beside one of which a stone of `color` may be put, even without an empty point beside it.
    #[inline(always)]
    pub(super) fn support(&self, color: Color) -> Bitboard<W> {
        let (own, opponent) = (color.index(), color.opponent().index());
        let strangled = self.atari[own].only_if(self.suicide == Suicide::Forbidden);
        let joined = self.stones[own].without(strangled);
        joined | self.atari[opponent]
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

    /// As [`nth`](Self::nth), for [`Board::play_candidate`].
    ///
    /// # Panics
    /// When the set has no such point.
    #[inline(always)]
    #[must_use]
    pub fn pick(&self, rank: u32) -> Candidate {
        Candidate { bit: self.set.nth(rank), grid: self.grid }
    }

    /// Whether a point of the board is in the set.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        self.set.contains(self.grid.bit(point))
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

    pub(super) fn into_set(self) -> Bitboard<W> {
        self.set
    }
}

/// A point picked from [`Candidates`]. Playing it is faster than playing a [`Point`], because coordinates need not be worked out.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    bit: usize,
    grid: Grid,
}

impl Candidate {
    /// Which point it is.
    #[inline(always)]
    #[must_use]
    pub fn point(self) -> Point {
        self.grid.point(self.bit)
    }

    #[inline(always)]
    pub(super) fn bit(self) -> usize {
        self.bit
    }
}
