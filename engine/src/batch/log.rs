//! The plies of the games in play and signatures of the positions they went through.

use crate::{
    Move, Point,
    simd::{Lanes as _, Vector},
};

/// A log begins with room for so many steps, a power of two.
const STEPS: usize = 256;

/// The plies of all games.
///
/// A step writes one entry, in which each game has a lane. It overwrites an entry from before all games in play began.
pub(super) struct Log<V: Vector> {
    /// A ring: the entry of a step is at the step's number modulo the length, a power of two.
    entries: Vec<Entry<V::Number, V>>,
    /// The number of the next step.
    next: usize,
    /// The first step that might overwrite an entry of a game in play.
    limit: usize,
    /// The first step of the game in each lane; [`ENDED`](Self::ENDED) where there is none.
    starts: Vec<usize>,
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

    /// No plies yet, of so many games: none where no log is kept.
    pub(super) fn new(isa: V::Isa, lanes: usize) -> Self {
        let none = V::splat(isa, 0);
        let nothing = Entry { row: V::Number::splat(isa, 0), bit: none, signature: none };
        let room = if lanes > 0 { STEPS } else { 0 };
        Self { entries: vec![nothing; room], next: 0, limit: room, starts: vec![Self::ENDED; lanes] }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        self.starts[lane] = self.next;
    }

    /// Ends a game: its plies are not kept any more.
    pub(super) fn end(&mut self, lane: usize) {
        self.starts[lane] = Self::ENDED;
    }

    /// Notes what a step did.
    #[inline(always)]
    pub(super) fn write(&mut self, entry: Entry<V::Number, V>) {
        if self.next == self.limit {
            self.make_room();
        }
        let place = self.place(self.next);
        self.entries[place] = entry;
        self.next += 1;
    }

    /// Where the entry of a step is.
    #[inline(always)]
    fn place(&self, step: usize) -> usize {
        step & (self.entries.len() - 1)
    }

    /// Finds out which entries can be overwritten, and doubles the room if these are few.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let first = self.starts.iter().fold(self.next, |first, &start| first.min(start));
        if self.next - first > self.entries.len() / 8 * 7 {
            // Each entry is then at both places that its step can have in the longer ring.
            self.entries.extend_from_within(..);
        }
        self.limit = first + self.entries.len();
    }

    /// What each step did in a game in play.
    #[inline(always)]
    pub(super) fn entries(&self, lane: usize) -> impl DoubleEndedIterator<Item = Entry<u32, u32>> {
        (self.starts[lane]..self.next).map(move |step| {
            let Entry { row, bit, signature } = &self.entries[self.place(step)];
            Entry { row: row.lane(lane), bit: bit.lane(lane), signature: signature.lane(lane) }
        })
    }

    /// The plies of a game in play.
    #[inline]
    pub(super) fn plies(&self, lane: usize) -> impl DoubleEndedIterator<Item = Ply> {
        self.entries(lane).filter_map(Entry::ply)
    }
}
