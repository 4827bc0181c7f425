//! The moves of the games in play, and a signature of each position they went through.

use super::{moves::Moves, state::Field};
use crate::{
    BoardSize, Point,
    simd::{Vector, Wide},
};

/// Steps that the log holds at least before those are dropped that no game in play has taken.
const STEPS: usize = 1024;

/// The plies of all games.
///
/// A step writes one row of the log, in which each game has a place.
pub(super) struct Log<V: Vector> {
    /// What each step did in each game, as [`Moves`] have it.
    codes: Vec<V>,
    /// The signatures of the positions after each step.
    signatures: Vec<V::Wide>,
    /// The first step of the game in each lane; [`ENDED`](Self::ENDED) where there is none.
    starts: Vec<usize>,
    /// The number of steps at which some are dropped.
    limit: usize,
}

/// A move and the highest bits of the signature of the position that it led to.
#[derive(Clone, Copy)]
pub(super) struct Ply {
    /// The row-major index of the point, or the number of points for a pass.
    pub(super) code: u16,
    pub(super) signature: u16,
}

impl Ply {
    /// The point; none for a pass.
    pub(super) const fn point(self, size: BoardSize) -> Option<Point> {
        Point::from_index(self.code as usize, size)
    }
}

/// The bits of a signature that are compared: the highest of its lane, which depend on all points.
pub(super) fn highest<N: Wide>(signature: u32) -> u16 {
    (signature >> (N::LANE_BITS - u16::BITS)) as u16
}

impl<V: Vector> Log<V> {
    const ENDED: usize = usize::MAX;

    /// No plies yet.
    pub(super) fn new(lanes: usize) -> Self {
        Self { codes: Vec::new(), signatures: Vec::new(), starts: vec![Self::ENDED; lanes], limit: STEPS }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        self.starts[lane] = self.codes.len();
    }

    /// Ends a game: its plies are not kept any more.
    pub(super) fn end(&mut self, lane: usize) {
        self.starts[lane] = Self::ENDED;
    }

    /// Notes what a step did, and the signatures of the positions afterwards.
    #[inline(always)]
    pub(super) fn write(&mut self, codes: V, signatures: V::Wide) {
        if self.codes.len() == self.limit {
            self.drop_oldest();
        }
        self.codes.push(codes);
        self.signatures.push(signatures);
    }

    /// Drops the steps before all games.
    #[cold]
    #[inline(never)]
    fn drop_oldest(&mut self) {
        let first = self.starts.iter().fold(self.codes.len(), |first, &start| first.min(start));
        self.codes.drain(..first);
        self.signatures.drain(..first);
        self.starts.iter_mut().filter(|start| **start != Self::ENDED).for_each(|start| *start -= first);
        self.limit = STEPS.max(2 * self.codes.len());
    }

    /// The plies of one game so far.
    #[inline]
    pub(super) fn plies(&self, lane: usize) -> impl DoubleEndedIterator<Item = Ply> {
        let start = self.starts[lane];
        let steps = self.codes[start..].iter().zip(&self.signatures[start..]);
        steps.filter_map(move |(codes, signatures)| {
            let code = codes.lane(lane);
            let ply = || Ply { code: code as u16, signature: highest::<V::Wide>(signatures.lane(lane)) };
            (code != Moves::<V>::NOTHING).then(ply)
        })
    }

    /// The code of the first ply of one game.
    #[inline]
    pub(super) fn first_code(&self, lane: usize) -> Option<u16> {
        let mut codes = self.codes[self.starts[lane]..].iter().map(|codes| codes.lane(lane));
        codes.find(|&code| code != Moves::<V>::NOTHING).map(|code| code as u16)
    }
}

/// The signature of a set of stones of one colour is the sum of its rows, each multiplied by this factor, and by [`WHITE_FACTOR`] if it is
/// White's; that of a position is the sum of both.
///
/// The factors are odd, so that a single stone always counts, and those of two rows differ in as many low bits as possible.
pub(super) const fn row_factor(row: u32) -> u32 {
    row.wrapping_mul(ROW_STEP).wrapping_add(1)
}

/// The distance of the factors of neighbouring rows: twice an odd number.
pub(super) const ROW_STEP: u32 = 2 * 0x4f1b_bcdd;

/// An odd number.
pub(super) const WHITE_FACTOR: u32 = 0x2c1b_3c6d;

/// The factors of all rows.
pub(super) fn row_factors<N: Wide>(isa: N::Isa) -> Field<N> {
    Field::from_fn(|row| N::splat(isa, row_factor(row as u32)))
}
