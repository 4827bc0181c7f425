//! Which points may be played: legal moves, the candidates of playouts, and eye-like points.

use super::Board;
use crate::{
    BoardSize, Color, Point, Suicide,
    bitboard::Bitboard,
    geometry::{Geometry, Grid},
};

/// Which points a policy considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Among {
    /// Every empty point except the one that simple ko forbids.
    Empty,
    /// The same, without the points that are [eye-like](Board::is_eye_like) for the player to move.
    NotEyeLike,
}

/// A set of empty points, counted and indexed in row-major order.
///
/// The set may hold suicides (unless they are [legal candidates](Board::legal_candidates)) and repetitions. A policy that samples one of these
/// [takes](Self::take) it out and samples again, which leaves the choice among the others uniform.
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

    /// The [candidates](Self::candidates) that are legal: exactly those that [`check`](Self::check) allows. Superko is not checked.
    ///
    /// With them a light playout needs one sample per move:
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
        let supported = self.geometry.adjacent_or_outside(self.supporting_stones(self.suicide));
        let crowded = match among {
            Among::Empty => supported,
            Among::NotEyeLike => supported & self.spoils[self.to_play.opponent().index()].points,
        };
        self.without_ko(self.empty() & (self.airy() | crowded))
    }

    /// The point as a candidate.
    #[inline(always)]
    #[must_use]
    pub fn candidate(&self, point: Point) -> Candidate {
        Candidate { bit: self.geometry.bit(point), grid: self.geometry.grid }
    }

    #[inline(always)]
    fn without_ko(&self, mut set: Bitboard<W>) -> Candidates<W> {
        if let Some(ko) = self.ko {
            set.remove_in_registers(usize::from(ko));
        }
        Candidates { set, grid: self.geometry.grid }
    }

    /// The stones beside one of which the player to move may put a stone, even without an empty point beside it. A single stone may never be
    /// given up.
    #[inline(always)]
    fn supporting_stones(&self, suicide: Suicide) -> Bitboard<W> {
        let (own, opponent) = (self.to_play.index(), self.to_play.opponent().index());
        let strangled = self.atari[own].only_if(suicide == Suicide::Forbidden);
        self.stones[own].without(strangled) | self.atari[opponent]
    }

    /// The points of which one must be beside a stone of the player to move.
    #[inline(always)]
    fn support(&self, suicide: Suicide) -> Bitboard<W> {
        self.empty() | self.supporting_stones(suicide)
    }

    /// Whether the player to move may put a stone on the candidate by a rule that allows or forbids suicide, whatever the board's own rule is. A single
    /// stone may never be given up.
    #[inline(always)]
    #[must_use]
    pub fn is_playable(&self, candidate: Candidate, suicide: Suicide) -> bool {
        self.geometry.neighbours(candidate.bit).intersects(self.support(suicide))
    }

    /// The candidates that are [playable](Self::is_playable).
    #[inline(always)]
    #[must_use]
    pub fn playable(&self, candidates: &Candidates<W>, suicide: Suicide) -> Candidates<W> {
        let set = candidates.set & self.geometry.adjacent_or_outside(self.support(suicide));
        Candidates { set, ..*candidates }
    }
}

impl<const W: usize> Candidates<W> {
    /// Number of points in the set.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> u32 {
        self.set.count()
    }

    /// The candidate with `rank` others before it in row-major order.
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

    /// Whether the candidate is in the set.
    #[inline(always)]
    #[must_use]
    pub fn has(&self, candidate: Candidate) -> bool {
        self.set.contains(candidate.bit)
    }

    /// Takes out the candidate that [`pick`](Self::pick) gives.
    ///
    /// # Panics
    /// When the set has no such point.
    #[inline(always)]
    pub fn take(&mut self, rank: u32) -> Candidate {
        let candidate = self.pick(rank);
        self.set.remove_in_registers(candidate.bit);
        candidate
    }

    /// The points in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = Point> {
        self.set.iter().map(|bit| self.grid.point(bit))
    }

    pub(crate) fn into_set(self) -> Bitboard<W> {
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
    pub(crate) fn bit(self) -> usize {
        self.bit
    }
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The point is outside the board.
    #[error("the point is not on the {0} board")]
    OffBoard(BoardSize),
    /// A stone stands there.
    #[error("the point is occupied")]
    Occupied,
    /// Retakes a ko at once.
    #[error("simple ko: the move would recreate the position before the opponent's last move")]
    Ko,
    /// Takes the own last liberty without capturing.
    #[error("suicide: the move would leave its own chain without a liberty")]
    Suicide,
    /// Recreates an earlier position.
    #[error("superko: the move would recreate the position of ply {earlier_ply}")]
    Superko {
        /// After how many plies that position stood (last).
        earlier_ply: u32,
    },
    /// The player has run out of stones.
    #[error("stone supply: the player has lost over {0} stones more than the opponent and must pass")]
    OutOfStones(u32),
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

impl<const W: usize> Board<W> {
    /// Whether the player to move may play on `point` under simple ko and the board's suicide rule.
    ///
    /// # Errors
    /// The first [`IllegalMove`] that applies, in the order `OffBoard`, `Occupied`, `Ko`, `Suicide`.
    #[inline(always)]
    pub fn check(&self, point: Point) -> Result<(), IllegalMove> {
        if !self.size().contains(point) {
            return Err(IllegalMove::OffBoard(self.size()));
        }
        let bit = self.geometry.bit(point);
        if self.stones[0].contains(bit) | self.stones[1].contains(bit) {
            return Err(IllegalMove::Occupied);
        }
        if self.ko == Some(bit as u16) {
            return Err(IllegalMove::Ko);
        }
        if !self.is_playable(self.candidate(point), self.suicide) {
            return Err(IllegalMove::Suicide);
        }
        Ok(())
    }

    /// Whether [`check`](Self::check) allows the point.
    #[inline(always)]
    #[must_use]
    pub fn is_legal(&self, point: Point) -> bool {
        self.check(point).is_ok()
    }

    /// Whether a stone of the player to move on the empty `point` would take the last liberty of its own chain (one stone or more) without
    /// capturing, whatever the rules say about that.
    #[inline(always)]
    #[must_use]
    pub fn is_suicide(&self, point: Point) -> bool {
        !self.is_playable(self.candidate(point), Suicide::Forbidden)
    }

    /// The empty points where a stone of the player to move captures.
    #[inline(always)]
    pub(crate) fn captures(&self) -> Bitboard<W> {
        self.empty() & self.geometry.adjacent_or_outside(self.atari[self.to_play.opponent().index()])
    }

    /// The empty points where [`is_suicide`](Self::is_suicide) holds.
    #[inline(always)]
    pub(crate) fn suicides(&self) -> Bitboard<W> {
        self.empty().without(self.geometry.adjacent_or_outside(self.support(Suicide::Forbidden)))
    }

    /// The points where the player to move may put a stone under simple ko and the board's suicide rule, in row-major order.
    pub fn legal_points(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.legal_candidates(Among::Empty).into_set())
    }
}

/// Where the stones of one colour prevent eye-like points of the other, whatever else stands there. Grows with every stone; only when stones
/// are removed it has to be worked out again. Meaningless on unused bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoils<const W: usize> {
    /// The points beside a stone, and those that have two as diagonal neighbours; being on the edge counts as one.
    pub(crate) points: Bitboard<W>,
    /// The points that have one as a diagonal neighbour, or are on the edge.
    corners: Bitboard<W>,
}

impl<const W: usize> Spoils<W> {
    /// Of these stones.
    #[inline(always)]
    pub(crate) fn new(stones: Bitboard<W>, geometry: &Geometry<W>) -> Self {
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
