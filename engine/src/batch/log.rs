//! The moves of the games in play, a signature of each position they went through, and what the last steps removed.

use super::{moves::Moves, state::Field};
use crate::{
    BoardSize, Point,
    simd::{Bits as _, Vector, Wide},
};

/// The log drops no steps before it holds so many.
const STEPS: usize = 1024;

/// Over how many steps signatures and the last fresh stones are tested in all games at once, and removed stones remembered.
pub(super) const WINDOW: usize = 16;

/// The plies of all games.
///
/// A step writes one row of the log, in which each game has a place.
pub(super) struct Log<V: Vector> {
    /// What each step did in each game, as [`Moves`] have it.
    codes: Vec<V>,
    /// The signatures of the positions after each step.
    signatures: Vec<V::Wide>,
    /// Those after the last [`WINDOW`] steps once more: step *s* is at place *s* modulo their number. Reading them from `signatures` was 6 % slower on
    /// 9×9.
    latest_signatures: [V::Wide; WINDOW],
    /// The stones that each of these steps removed, row by row, in the same places.
    latest_removed: Vec<V>,
    row_count: usize,
    /// The first step of the game in each lane; [`ENDED`](Self::ENDED) where there is none.
    starts: Vec<usize>,
    /// With so many steps, those before all games in play are dropped.
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

    /// No plies yet, of boards with so many rows.
    pub(super) fn new(isa: V::Isa, row_count: usize) -> Self {
        Self {
            codes: Vec::new(),
            signatures: Vec::new(),
            latest_signatures: [V::Wide::splat(isa, 0); WINDOW],
            latest_removed: vec![V::splat(isa, 0); WINDOW * row_count],
            row_count,
            starts: vec![Self::ENDED; V::LANES],
            limit: STEPS,
        }
    }

    /// Begins a game at a position with this signature.
    pub(super) fn start(&mut self, lane: usize, signature: u32) {
        self.starts[lane] = self.codes.len();
        self.latest_signatures[self.codes.len().wrapping_sub(1) % WINDOW].set_lane(lane, signature);
    }

    /// Ends a game: its plies are not kept any more.
    pub(super) fn end(&mut self, lane: usize) {
        self.starts[lane] = Self::ENDED;
    }

    /// Where the step that is written next notes the stones that it removes, row by row, the new one included if it is given up.
    #[inline(always)]
    pub(super) fn removed_next(&mut self) -> &mut [V] {
        &mut self.latest_removed[self.codes.len() % WINDOW * self.row_count..][..self.row_count]
    }

    /// Notes what a step did, and the signatures of the positions afterwards.
    #[inline(always)]
    pub(super) fn write(&mut self, codes: V, signatures: V::Wide) {
        if self.codes.len() == self.limit {
            self.drop_oldest();
        }
        self.latest_signatures[self.codes.len() % WINDOW] = signatures;
        self.codes.push(codes);
        self.signatures.push(signatures);
    }

    /// Drops the steps before all games in play: a multiple of [`WINDOW`], so that the places of the last ones stay the same.
    #[cold]
    #[inline(never)]
    fn drop_oldest(&mut self) {
        let first = self.starts.iter().fold(self.codes.len(), |first, &start| first.min(start));
        let first = first / WINDOW * WINDOW;
        self.codes.drain(..first);
        self.signatures.drain(..first);
        self.starts.iter_mut().filter(|start| **start != Self::ENDED).for_each(|start| *start -= first);
        self.limit = STEPS.max(2 * self.codes.len());
    }

    /// The games among these in which no position after one of the last [`WINDOW`] steps has this signature.
    #[inline(always)]
    pub(super) fn without_signature(&self, games: V::Mask, signature: V::Wide) -> V::Mask {
        let (latest, games) = (&self.latest_signatures, V::widen_mask(games));
        V::narrow_mask(latest.iter().fold(games, |games, other| games.without(other.equal(signature))))
    }

    /// The plies of a game in play.
    #[inline]
    pub(super) fn plies(&self, lane: usize) -> impl DoubleEndedIterator<Item = Ply> {
        (self.starts[lane]..self.codes.len()).filter_map(move |step| self.ply(step, lane))
    }

    /// The plies that the last [`WINDOW`] steps played in a game in play, if they did, and the stones that they removed. The last step comes first.
    pub(super) fn last_steps(&self, lane: usize) -> impl Iterator<Item = (Option<Ply>, &[V])> {
        let oldest = self.starts[lane].max(self.codes.len().saturating_sub(WINDOW));
        (oldest..self.codes.len()).rev().map(move |step| {
            let removed = &self.latest_removed[step % WINDOW * self.row_count..][..self.row_count];
            (self.ply(step, lane), removed)
        })
    }

    #[inline]
    fn ply(&self, step: usize, lane: usize) -> Option<Ply> {
        let code = self.codes[step].lane(lane);
        let ply =
            || Ply { code: code as u16, signature: highest::<V::Wide>(self.signatures[step].lane(lane)) };
        (code != Moves::<V>::NOTHING).then(ply)
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
