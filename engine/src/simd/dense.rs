//! Lanes of 20 bits, three in a word of 64: half as many again as lanes of 32 bits.
//!
//! No instruction knows such lanes. So the bit above each lane is kept zero, and an addition or a subtraction shows there what it carries or
//! borrows: comparisons and masks are made of that bit.

use super::{Bits, Lanes, Mask, Number, Vector, Wide, is_own_mask, is_wide, nth_one};

/// Words of 64 bits side by side.
pub(crate) trait Words: Bits {
    /// Proof that the processor has the instructions.
    type Isa: Copy;
    /// Number of words.
    const COUNT: usize;
    /// Of how many sets the ones are best [counted together](Self::count_ones_of).
    const COUNTED_TOGETHER: usize = 2;
    /// Whether any bitwise function of three operands is one instruction.
    const HAS_TERNARY: bool = false;

    /// The same word in every place.
    fn splat(isa: Self::Isa, word: u64) -> Self;
    /// The same word in every place. `self` is the proof that the instructions may be used.
    fn constant(self, word: u64) -> Self;
    /// One word.
    fn word(&self, place: usize) -> u64;
    /// Changes one word.
    fn set_word(&mut self, place: usize, word: u64);

    /// `self + b`
    fn plus(self, b: Self) -> Self;
    /// `self - b`
    fn minus(self, b: Self) -> Self;
    /// The product of the lower halves.
    fn product(self, b: Self) -> Self;
    /// All bits `BY` places up.
    fn up<const BY: i32>(self) -> Self;
    /// All bits `BY` places down.
    fn down<const BY: i32>(self) -> Self;
    /// The highest bit of each word, that of the first word lowest.
    fn highest_bits(self) -> u64;

    /// The first [`COUNT`](Self::COUNT) values.
    fn load(isa: Self::Isa, values: &[u16]) -> Self;
    /// Writes the low 16 bits of every word.
    fn store(self, to: &mut [u16]);

    /// Number of ones in each lane of one to three sets together.
    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Dense<Self>; SETS]) -> Dense<Self> {
        match SETS {
            1 => Dense::sum_of_threes(sets[0].counts_of_three()),
            2 => Dense::sum_of_threes(sets[0].counts_of_three().plus(sets[1].counts_of_three())),
            _ => sets[0].count_ones().plus_fitting(Self::count_ones_of([sets[1], sets[2]])),
        }
    }
    /// [`Vector::nth_one`]
    #[inline(always)]
    fn nth_one(set: Dense<Self>, isa: Self::Isa, rank: Dense<Self>, width: usize) -> Dense<Self> {
        nth_one(set, isa, rank, width)
    }
}

/// The bits of a lane and the one above it.
pub(super) const STRIDE: i32 = 21;
/// The lanes of a word.
const PER_WORD: usize = 3;
/// The highest value of a lane.
pub(super) const MAX: u64 = (1 << (STRIDE - 1)) - 1;
/// The lowest bit of each lane of a word.
const LOW: u64 = 1 | 1 << STRIDE | 1 << (2 * STRIDE);
/// All bits of the lanes.
const ALL: u64 = LOW * MAX;
/// The bits above the lanes.
const ABOVE: u64 = LOW << (STRIDE - 1);

/// The lanes in the lowest part of each word, then those in the middle, then those in the highest.
///
/// As a set of lanes: all ones in each lane of the set.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Dense<W>(pub(super) W);

impl<W: Words> Dense<W> {
    /// The word that holds a lane, and where.
    #[inline(always)]
    fn place(lane: usize) -> (usize, usize) {
        assert!(lane < Self::LANES);
        (lane % W::COUNT, lane / W::COUNT * STRIDE as usize)
    }
    /// The lanes of each part at the lower end of their words.
    #[inline(always)]
    fn parts(self) -> [W; PER_WORD] {
        let max = self.0.constant(MAX);
        [self.0.and(max), self.0.down::<STRIDE>().and(max), self.0.down::<{ 2 * STRIDE }>()]
    }
    /// The inverse of [`parts`](Self::parts).
    #[inline(always)]
    pub(super) fn of_parts([low, middle, high]: [W; PER_WORD]) -> Self {
        Self(low.or(middle.up::<STRIDE>()).or(high.up::<{ 2 * STRIDE }>()))
    }
    /// The products of the lanes of each part.
    #[inline(always)]
    fn products(self, b: Self) -> [W; PER_WORD] {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.parts(), b.parts());
        [a0.product(b0), a1.product(b1), a2.product(b2)]
    }
    /// All ones in the lanes below these bits of [`ABOVE`].
    #[inline(always)]
    fn below(above: W) -> Self {
        Self(above.minus(above.down::<{ STRIDE - 1 }>()))
    }
    /// The number of ones among every three bits.
    #[inline(always)]
    fn counts_of_three(self) -> W {
        const FIRSTS: u64 = LOW * 0o111_1111;
        let seconds_and_thirds = self.0.down::<1>().and(self.0.constant(3 * FIRSTS));
        let thirds = self.0.down::<2>().and(self.0.constant(FIRSTS));
        self.0.minus(seconds_and_thirds).minus(thirds)
    }
    /// The sum of the seven numbers of three bits in each lane, which must be below 64.
    #[inline(always)]
    fn sum_of_threes(threes: W) -> Self {
        let every_second = threes.constant(LOW * 0o7_0707);
        let last = threes.down::<18>().and(threes.constant(LOW * 0o7));
        let sixes = threes.and(every_second).plus(threes.down::<3>().and(every_second)).plus(last);
        let sum = sixes.plus(sixes.down::<6>()).plus(sixes.down::<12>());
        Self(sum.and(threes.constant(LOW * 0o77)))
    }
}

/// Operations that are the same on whole words.
macro_rules! on_words {
    ($($name:ident($($b:ident),+));+ $(;)?) => {$(
        #[inline(always)]
        fn $name(self, $($b: Self),+) -> Self {
            Self(self.0.$name($($b.0),+))
        }
    )+};
}

impl<W: Words> Bits for Dense<W> {
    on_words!(and(b); or(b); without(b); xor(b));
    on_words!(or3(b, c); or_and(b, c); or_without(b, c); and_without(b, c));
    on_words!(majority(b, c); or_xor(b, c); xor_and(b, c); choose(a, b));
}

impl<W: Words> Lanes for Dense<W> {
    type Isa = W::Isa;
    type Mask = Self;
    const LANES: usize = PER_WORD * W::COUNT;
    const LANE_BITS: u32 = STRIDE as u32 - 1;

    #[inline(always)]
    fn splat(isa: W::Isa, value: u32) -> Self {
        Self(W::splat(isa, (u64::from(value) & MAX) * LOW))
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> u32 {
        let (place, shift) = Self::place(lane);
        (self.0.word(place) >> shift & MAX) as u32
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, value: u32) {
        let (place, shift) = Self::place(lane);
        let rest = self.0.word(place) & !(MAX << shift);
        self.0.set_word(place, rest | (u64::from(value) & MAX) << shift);
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        Self(self.0.plus(b.0).and(self.0.constant(ALL)))
    }
    #[inline(always)]
    fn plus_fitting(self, b: Self) -> Self {
        Self(self.0.plus(b.0))
    }
    #[inline(always)]
    fn minus(self, b: Self) -> Self {
        Self(self.0.or(self.0.constant(ABOVE)).minus(b.0).and(self.0.constant(ALL)))
    }
    #[inline(always)]
    fn nonzero(self) -> Self {
        Self::below(self.0.plus(self.0.constant(ALL)).and(self.0.constant(ABOVE)))
    }
    is_own_mask!();
}

impl<W: Words> Vector for Dense<W> {
    type Number = Self;
    const COUNTED_TOGETHER: usize = W::COUNTED_TOGETHER;
    const HAS_TERNARY: bool = W::HAS_TERNARY;

    #[inline(always)]
    fn up(self) -> Self {
        Self(self.0.plus(self.0))
    }
    /// The bit above a lane may be anything too.
    #[inline(always)]
    fn down(self) -> Self {
        Self(self.0.down::<1>())
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        W::count_ones_of([self])
    }
    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Self; SETS]) -> Self {
        W::count_ones_of(sets)
    }
    #[inline(always)]
    fn nth_one(self, isa: W::Isa, rank: Self, width: usize) -> Self {
        W::nth_one(self, isa, rank, width)
    }
}

impl<W: Words> Number for Dense<W> {
    is_wide!();

    #[inline(always)]
    fn minus_in(self, lanes: Self, b: Self) -> Self {
        Self(self.0.minus(b.and(lanes).0))
    }
    #[inline(always)]
    fn less(self, b: Self) -> Self {
        let above = self.0.constant(ABOVE);
        Self::below(above.without(self.0.or(above).minus(b.0)))
    }
    #[inline(always)]
    fn equal(self, b: Self) -> Self {
        Self::below(self.0.constant(ABOVE).without(self.xor(b).0.plus(self.0.constant(ALL))))
    }
}

impl<W: Words> Wide for Dense<W> {
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
    fn times(self, b: Self) -> Self {
        let max = self.0.constant(MAX);
        let [low, middle, high] = self.products(b);
        Self::of_parts([low.and(max), middle.and(max), high.and(max)])
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        let half = self.0.constant(0xffff);
        let [low, middle, high] = self.products(b);
        (
            Self::of_parts([low.down::<16>(), middle.down::<16>(), high.down::<16>()]),
            Self::of_parts([low.and(half), middle.and(half), high.and(half)]),
        )
    }
}

impl<W: Words> Mask for Dense<W> {
    type Isa = W::Isa;

    #[inline(always)]
    fn from_bits(isa: W::Isa, bits: u64) -> Self {
        let mut words = W::splat(isa, 0);
        for place in 0..W::COUNT {
            let part = |part: usize| (bits >> (part * W::COUNT + place) & 1) << (part * STRIDE as usize);
            words.set_word(place, (part(0) | part(1) | part(2)) * MAX);
        }
        Self(words)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        // The highest bit of each lane moves to the upper end of its word.
        let low = self.0.up::<{ 65 - STRIDE }>().highest_bits();
        let middle = self.0.up::<{ 65 - 2 * STRIDE }>().highest_bits();
        let high = self.0.up::<{ 65 - 3 * STRIDE }>().highest_bits();
        low | middle << W::COUNT | high << (2 * W::COUNT)
    }
    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.lane(lane) != 0
    }
}
