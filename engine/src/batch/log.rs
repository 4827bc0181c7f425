//! The plies of the games in play and signatures of the positions they went through.

use crate::{
    Move, Point,
    simd::{Lanes as _, Vector},
};

/// The log drops no steps before it holds so many.
const STEPS: usize = 1024;

/// The plies of all games.
///
/// A step writes one entry, in which each game has a lane.
pub(super) struct Log<V: Vector> {
    entries: Vec<Entry<V::Number, V>>,
    /// The first step of the game in each lane; [`ENDED`](Self::ENDED) where there is none.
    starts: Vec<usize>,
    /// With so many steps, those before all games in play are dropped.
    limit: usize,
}

/// What a step did: in all games, or in one.
#[derive(Clone, Copy)]
pub(super) struct Entry<N, S> {
    /// The element of the row where a stone was put; 0 where the game did not move, and any other for a pass.
    pub(super) row: N,
    /// The stone as a bit in its row; 0 where none was put.
    pub(super) bit: S,
    /// The [signature] of the position before.
    pub(super) signature: S,
}

/// A move and the signature of the position before it.
#[derive(Clone, Copy)]
pub(super) struct Ply {
    pub(super) mv: Move,
    pub(super) signature: u32,
}

impl Entry<u32, u32> {
    /// The move; none where the game did not move.
    pub(super) fn ply(self) -> Option<Ply> {
        let Self { row, bit, signature } = self;
        let point = || Point::new(bit.trailing_zeros() as u8, (row - 1) as u8);
        let mv = if bit == 0 { Move::Pass } else { Move::Play(point()) };
        (row != 0).then_some(Ply { mv, signature })
    }
}

/// The signature of a position, which adds up its rows of empty points. It is found from two sums: `last` adds up the last row and every second one
/// before it, `others` the rest.
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
        Self { entries: Vec::new(), starts: vec![Self::ENDED; V::LANES], limit: STEPS }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        self.starts[lane] = self.entries.len();
    }

    /// Ends a game: its plies are not kept any more.
    pub(super) fn end(&mut self, lane: usize) {
        self.starts[lane] = Self::ENDED;
    }

    /// Notes what a step did.
    #[inline(always)]
    pub(super) fn write(&mut self, entry: Entry<V::Number, V>) {
        if self.entries.len() == self.limit {
            self.drop_oldest();
        }
        self.entries.push(entry);
    }

    /// Drops the steps before all games in play.
    #[cold]
    #[inline(never)]
    fn drop_oldest(&mut self) {
        let first = self.starts.iter().fold(self.entries.len(), |first, &start| first.min(start));
        self.entries.drain(..first);
        self.starts.iter_mut().filter(|start| **start != Self::ENDED).for_each(|start| *start -= first);
        self.limit = STEPS.max(2 * self.entries.len());
    }

    /// What each step did in a game in play.
    #[inline(always)]
    pub(super) fn entries(&self, lane: usize) -> impl DoubleEndedIterator<Item = Entry<u32, u32>> {
        self.entries[self.starts[lane]..].iter().map(move |Entry { row, bit, signature }| Entry {
            row: row.lane(lane),
            bit: bit.lane(lane),
            signature: signature.lane(lane),
        })
    }

    /// The plies of a game in play.
    #[inline]
    pub(super) fn plies(&self, lane: usize) -> impl DoubleEndedIterator<Item = Ply> {
        self.entries(lane).filter_map(Entry::ply)
    }
}
