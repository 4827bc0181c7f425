//! Three lanes of 20 bits in a word: half as many again as lanes of 32 bits.

use super::{Dense, Layout, Words, number};
use crate::simd::{Bits as _, Lanes, Number, Vector as _, Wide, is_wide};

/// Three lanes of 20 bits.
#[derive(Clone, Copy)]
pub(crate) struct Three;

/// The bits of a lane and the one above it.
pub(in crate::simd) const STRIDE: u32 = 21;

impl<W: Words> Dense<W, Three> {
    /// The lanes of each part at the lower end of their words.
    #[inline(always)]
    fn parts(self) -> [W; 3] {
        let max = self.0.constant(Self::MAX);
        [self.0.and(max), self.0.down(STRIDE).and(max), self.0.down(2 * STRIDE)]
    }
    /// The inverse of [`parts`](Self::parts).
    #[inline(always)]
    pub(in crate::simd) fn of_parts([low, middle, high]: [W; 3]) -> Self {
        Self::new(low.or(middle.up(STRIDE)).or(high.up(2 * STRIDE)))
    }
    /// All ones in the lanes whose lowest bit is a one.
    #[inline(always)]
    pub(super) fn filled(self) -> Self {
        Self::below(self.0.and(self.every_lane(1)).up(STRIDE - 1))
    }
    /// The products of the lanes of each part.
    #[inline(always)]
    fn products(self, b: Self) -> [W; 3] {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.parts(), b.parts());
        [a0.product(b0), a1.product(b1), a2.product(b2)]
    }
    /// The sum of the seven numbers of three bits in each lane, which must be below 64.
    #[inline(always)]
    fn sum_of_threes(self) -> Self {
        let threes = self.0;
        let every_second = self.every_lane(0o7_0707);
        let last = threes.down(18).and(self.every_lane(0o7));
        let sixes = threes.and(every_second).plus(threes.down(3).and(every_second)).plus(last);
        let sum = sixes.plus(sixes.down(6)).plus(sixes.down(12));
        Self::new(sum.and(self.every_lane(0o77)))
    }
}

/// Number of ones in each lane of one to three sets together.
#[inline(always)]
pub(super) fn count_ones_of<W: Words, const SETS: usize>(sets: [Dense<W, Three>; SETS]) -> Dense<W, Three> {
    match SETS {
        1 => Dense::new(sets[0].counts_of_three()).sum_of_threes(),
        2 => Dense::new(sets[0].counts_of_three().plus(sets[1].counts_of_three())).sum_of_threes(),
        _ => sets[0].count_ones().plus_fitting(W::count_ones_of([sets[1], sets[2]])),
    }
}

impl<W: Words> Layout<W> for Three {
    const BITS: u32 = STRIDE - 1;
    const STARTS: &'static [u32] = &[0, STRIDE, 2 * STRIDE];
    const COUNTED_TOGETHER: usize = W::COUNTED_TOGETHER;

    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Dense<W, Self>; SETS]) -> Dense<W, Self> {
        W::count_ones_of(sets)
    }
    #[inline(always)]
    fn nth_one(set: Dense<W, Self>, isa: W::Isa, rank: Dense<W, Self>, width: usize) -> Dense<W, Self> {
        W::nth_one(set, isa, rank, width)
    }
}

impl<W: Words> Number for Dense<W, Three> {
    is_wide!();
    number!();
}

impl<W: Words> Wide for Dense<W, Three> {
    #[inline(always)]
    fn load(isa: W::Isa, values: &[u16]) -> Self {
        let part = |part: usize| W::load(isa, &values[part * W::COUNT..]);
        Self::of_parts([part(0), part(1), part(2)])
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        for (part, to) in self.parts().into_iter().zip(to.chunks_exact_mut(W::COUNT)) {
            part.store(to);
        }
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        let half = self.0.constant(0xffff);
        let [low, middle, high] = self.products(b);
        (
            Self::of_parts([low.down(16), middle.down(16), high.down(16)]),
            Self::of_parts([low.and(half), middle.and(half), high.and(half)]),
        )
    }
}
