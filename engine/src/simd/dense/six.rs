//! Six lanes of 9 bits in a word: half as many again as lanes of 16 bits.

use super::{
    Dense, Layout, Words, number,
    three::{STRIDE, Three},
};
use crate::simd::{
    Bits as _, Number,
    pair::{Pair, PairMask},
};

/// Six lanes of 9 bits.
#[derive(Clone, Copy)]
pub(crate) struct Six;

/// From one of the first three lanes, which begin where [three](Three) wider ones do, to one of the other three.
const TO_SECOND_HALF: u32 = 10;

impl<W: Words> Dense<W, Six> {
    /// The lowest 9 bits of each of three wider lanes.
    #[inline(always)]
    fn half(words: W) -> Dense<W, Three> {
        Dense::new(words.and(words.constant(Dense::<W, Three>::LOW * Self::MAX)))
    }
    /// The first three lanes of each word, and the other three moved to their places.
    #[inline(always)]
    fn halves(self) -> [Dense<W, Three>; 2] {
        [Self::half(self.0), Self::half(self.0.down(TO_SECOND_HALF))]
    }
    /// The inverse of [`halves`](Self::halves).
    #[inline(always)]
    fn of_halves([first, second]: [Dense<W, Three>; 2]) -> Self {
        Self::new(first.0.or(second.0.up(TO_SECOND_HALF)))
    }
}

impl<W: Words> Layout<W> for Six {
    const BITS: u32 = 9;
    const STARTS: &'static [u32] =
        &[0, STRIDE, 2 * STRIDE, TO_SECOND_HALF, TO_SECOND_HALF + STRIDE, TO_SECOND_HALF + 2 * STRIDE];

    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Dense<W, Self>; SETS]) -> Dense<W, Self> {
        let mut count = sets[0].0.constant(0);
        for set in sets {
            let threes = set.counts_of_three();
            for place in [0, 3, 6] {
                count = count.plus(threes.down(place).and(set.every_lane(0b111)));
            }
        }
        Dense::new(count)
    }
    /// First among which three bits, then which of these.
    #[inline(always)]
    fn nth_one(set: Dense<W, Self>, _: W::Isa, rank: Dense<W, Self>, _: usize) -> Dense<W, Self> {
        let (one, above) = (set.every_lane(1), set.0.constant(Dense::<W, Self>::ABOVE));
        let (counts, low) = (set.counts_of_three(), set.every_lane(0b111));
        let (first, second) = (counts.and(low), counts.down(3).and(low));
        // The bits above the lanes stay where the one is not among the first three, or the first six.
        let after_first = rank.0.or(above).minus(first);
        let after_second = after_first.minus(second);
        let after_first = Dense::<W, Self>::below(after_first.and(above)).0;
        let after_second = Dense::<W, Self>::below(after_second.and(above)).0;
        let rank = rank.0.minus(first.and(after_first)).minus(second.and(after_second));
        let to_second = after_first.and(set.every_lane(0b111_111));
        let to_third = after_second.and(set.every_lane(0b111_111_000));
        let three = set.0.and(low.xor(to_second).xor(to_third));
        // Ones below it are taken away: the lowest if the rank is 1 or 2, and the next if it is 2.
        let upper = rank.down(1).and(one);
        let three = three.and(three.minus(rank.and(one).or(upper)));
        let three = three.and(three.minus(upper));
        Dense::new(three.without(three.or(above).minus(one)))
    }
}

impl<W: Words> Number for Dense<W, Six> {
    type Wide = Pair<Dense<W, Three>>;

    number!();
    #[inline(always)]
    fn widen(self) -> Self::Wide {
        Pair(self.halves())
    }
    #[inline(always)]
    fn narrow(wide: Self::Wide) -> Self {
        Self::of_halves(wide.0)
    }
    #[inline(always)]
    fn widen_mask(lanes: Self) -> PairMask<Dense<W, Three>> {
        let [first, second] = lanes.halves();
        PairMask([first.filled(), second.filled()])
    }
    #[inline(always)]
    fn narrow_mask(PairMask([first, second]): PairMask<Dense<W, Three>>) -> Self {
        Self::of_halves([Self::half(first.0), Self::half(second.0)])
    }
}
