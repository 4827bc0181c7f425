//! The moves of the games in play and signatures of the positions they went through.

use super::moves::Moves;
use crate::{
    BoardSize, Point,
    simd::{Lanes as _, Vector},
};

/// The log drops no steps before it holds so many.
const STEPS: usize = 1024;

/// The plies of all games.
///
/// A step writes one row of the log, in which each game has a place.
///
/// The signature of a position adds up its rows of empty points: see [`signature`].
pub(super) struct Log<V: Vector> {
    /// What each step did in each game, as [`Moves`] have it.
    codes: Vec<V::Number>,
    /// The signatures of the positions before each step.
    signatures: Vec<V>,
    /// The first step of the game in each lane; [`ENDED`](Self::ENDED) where there is none.
    starts: Vec<usize>,
    /// With so many steps, those before all games in play are dropped.
    limit: usize,
}

/// A move and the signature of the position before it.
#[derive(Clone, Copy)]
pub(super) struct Ply {
    /// The row-major index of the point, or the number of points for a pass.
    pub(super) code: u16,
    pub(super) signature: u32,
}

impl Ply {
    /// The point; none for a pass.
    pub(super) const fn point(self, size: BoardSize) -> Option<Point> {
        Point::from_index(self.code as usize, size)
    }
}

/// The signature of a board's rows, from two sums: `last` adds up the last row and every second one before it, `others` the rest.
///
/// The rows in `last` count five times, so that neighbouring rows differ.
#[inline(always)]
pub(super) fn signature<T: Copy>([others, last]: [T; 2], plus: impl Fn(T, T) -> T) -> T {
    let twice = plus(last, last);
    plus(plus(others, last), plus(twice, twice))
}

impl<V: Vector> Log<V> {
    const ENDED: usize = usize::MAX;

    /// No plies yet.
    pub(super) fn new() -> Self {
        Self { codes: Vec::new(), signatures: Vec::new(), starts: vec![Self::ENDED; V::LANES], limit: STEPS }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        self.starts[lane] = self.codes.len();
    }

    /// Ends a game: its plies are not kept any more.
    pub(super) fn end(&mut self, lane: usize) {
        self.starts[lane] = Self::ENDED;
    }

    /// Notes what a step did, and the signatures of the positions before it.
    #[inline(always)]
    pub(super) fn write(&mut self, codes: V::Number, signatures: V) {
        if self.codes.len() == self.limit {
            self.drop_oldest();
        }
        self.codes.push(codes);
        self.signatures.push(signatures);
    }

    /// Drops the steps before all games in play.
    #[cold]
    #[inline(never)]
    fn drop_oldest(&mut self) {
        let first = self.starts.iter().fold(self.codes.len(), |first, &start| first.min(start));
        self.codes.drain(..first);
        self.signatures.drain(..first);
        self.starts.iter_mut().filter(|start| **start != Self::ENDED).for_each(|start| *start -= first);
        self.limit = STEPS.max(2 * self.codes.len());
    }

    /// What each step of a game in play did, as [`Moves`] have it, and the signature of the position before it.
    #[inline(always)]
    pub(super) fn entries(&self, lane: usize) -> impl DoubleEndedIterator<Item = (u32, u32)> {
        let start = self.starts[lane];
        let steps = self.codes[start..].iter().zip(&self.signatures[start..]);
        steps.map(move |(codes, signatures)| (codes.lane(lane), signatures.lane(lane)))
    }

    /// The plies of a game in play.
    #[inline]
    pub(super) fn plies(&self, lane: usize) -> impl DoubleEndedIterator<Item = Ply> {
        self.steps(lane).flatten()
    }

    /// What each step of a game in play did: a ply, or nothing.
    #[inline]
    pub(super) fn steps(&self, lane: usize) -> impl DoubleEndedIterator<Item = Option<Ply>> {
        self.entries(lane).map(|(code, signature)| {
            (code != Moves::<V>::NOTHING).then_some(Ply { code: code as u16, signature })
        })
    }
}
