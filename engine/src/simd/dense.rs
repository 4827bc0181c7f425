//! Lanes that no instruction knows, side by side in words of 64 bits: three of 20 bits, or six of 9.
//!
//! The bit above each lane is kept zero, and an addition or a subtraction shows there what it carries or borrows: comparisons and masks are made of
//! that bit.

pub(super) mod six;
pub(super) mod three;

use std::marker::PhantomData;

use super::{Bits, Lanes, Mask, Number, Vector, is_own_mask, nth_one};
use three::Three;

/// Words of 64 bits side by side.
pub(crate) trait Words: Bits {
    /// Proof that the processor has the instructions.
    type Isa: Copy;
    /// Number of words.
    const COUNT: usize;
    /// Of how many sets of [three](Three) lanes in a word the ones are best [counted together](Self::count_ones_of).
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
    /// All bits so many places up, less than 64.
    fn up(self, by: u32) -> Self;
    /// All bits so many places down, less than 64.
    fn down(self, by: u32) -> Self;
    /// The highest bit of each word, that of the first word lowest.
    fn highest_bits(self) -> u64;
    /// Whether any bit is a one.
    fn any(self) -> bool;

    /// The first [`COUNT`](Self::COUNT) values.
    fn load(isa: Self::Isa, values: &[u16]) -> Self;
    /// Writes the low 16 bits of every word.
    fn store(self, to: &mut [u16]);

    /// Number of ones in each lane of one to three sets together.
    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Dense<Self, Three>; SETS]) -> Dense<Self, Three> {
        three::count_ones_of(sets)
    }
    /// [`Vector::nth_one`] of three lanes in a word.
    #[inline(always)]
    fn nth_one(
        set: Dense<Self, Three>,
        isa: Self::Isa,
        rank: Dense<Self, Three>,
        width: usize,
    ) -> Dense<Self, Three> {
        nth_one(set, isa, rank, width)
    }
}

/// Where the lanes of a word are, and the operations that depend on it.
pub(crate) trait Layout<W: Words>: Copy {
    /// Bits of a lane.
    const BITS: u32;
    /// Where the lanes of a word begin. At least one bit lies between them.
    const STARTS: &'static [u32];
    /// [`Vector::COUNTED_TOGETHER`]
    const COUNTED_TOGETHER: usize = 1;

    /// Number of ones in each lane of one to three sets together.
    fn count_ones_of<const SETS: usize>(sets: [Dense<W, Self>; SETS]) -> Dense<W, Self>;
    /// [`Vector::nth_one`]
    fn nth_one(set: Dense<W, Self>, isa: W::Isa, rank: Dense<W, Self>, width: usize) -> Dense<W, Self>;
}

/// The first lanes of all words, then the second ones, and so on.
///
/// As a set of lanes: all ones in each lane of the set.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Dense<W, L>(pub(super) W, PhantomData<L>);

/// A one where each lane begins.
const fn lowest_bits(starts: &[u32]) -> u64 {
    let (mut bits, mut lane) = (0, 0);
    while lane < starts.len() {
        bits |= 1 << starts[lane];
        lane += 1;
    }
    bits
}

impl<W: Words, L: Layout<W>> Dense<W, L> {
    /// The highest value of a lane.
    pub(super) const MAX: u64 = (1 << L::BITS) - 1;
    /// The lowest bit of each lane of a word.
    const LOW: u64 = lowest_bits(L::STARTS);
    /// All bits of the lanes.
    const ALL: u64 = Self::LOW * Self::MAX;
    /// The bits above the lanes.
    const ABOVE: u64 = Self::LOW << L::BITS;

    /// The lanes of these words. The bits above them must be zero where that matters.
    #[inline(always)]
    pub(super) fn new(words: W) -> Self {
        Self(words, PhantomData)
    }
    /// The same value in every lane, without a proof of the instructions.
    #[inline(always)]
    fn every_lane(self, value: u64) -> W {
        self.0.constant(Self::LOW * value)
    }
    /// The word that holds a lane, and where.
    #[inline(always)]
    fn place(lane: usize) -> (usize, u32) {
        (lane % W::COUNT, L::STARTS[lane / W::COUNT])
    }
    /// All ones in the lanes below these bits of [`ABOVE`](Self::ABOVE).
    #[inline(always)]
    fn below(above: W) -> Self {
        Self::new(above.minus(above.down(L::BITS)))
    }
    /// The number of ones among every three bits.
    #[inline(always)]
    fn counts_of_three(self) -> W {
        const FIRSTS: u64 = 0o111_1111;
        let seconds_and_thirds = self.0.down(1).and(self.every_lane(3 * (FIRSTS & Self::MAX)));
        let thirds = self.0.down(2).and(self.every_lane(FIRSTS & Self::MAX));
        self.0.minus(seconds_and_thirds).minus(thirds)
    }
}

/// Operations that are the same on whole words.
macro_rules! on_words {
    ($($name:ident($($b:ident),+));+ $(;)?) => {$(
        #[inline(always)]
        fn $name(self, $($b: Self),+) -> Self {
            Self::new(self.0.$name($($b.0),+))
        }
    )+};
}

impl<W: Words, L: Layout<W>> Bits for Dense<W, L> {
    on_words!(and(b); or(b); without(b); xor(b));
    on_words!(or3(b, c); or_and(b, c); or_without(b, c); and_without(b, c));
    on_words!(majority(b, c); or_xor(b, c); xor_and(b, c); choose(a, b));
}

impl<W: Words, L: Layout<W>> Lanes for Dense<W, L> {
    type Isa = W::Isa;
    type Mask = Self;
    const LANES: usize = L::STARTS.len() * W::COUNT;
    const LANE_BITS: u32 = L::BITS;

    #[inline(always)]
    fn splat(isa: W::Isa, value: u32) -> Self {
        Self::new(W::splat(isa, (u64::from(value) & Self::MAX) * Self::LOW))
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> u32 {
        let (place, start) = Self::place(lane);
        (self.0.word(place) >> start & Self::MAX) as u32
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, value: u32) {
        let (place, start) = Self::place(lane);
        let rest = self.0.word(place) & !(Self::MAX << start);
        self.0.set_word(place, rest | (u64::from(value) & Self::MAX) << start);
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        Self::new(self.0.plus(b.0).and(self.0.constant(Self::ALL)))
    }
    #[inline(always)]
    fn plus_fitting(self, b: Self) -> Self {
        Self::new(self.0.plus(b.0))
    }
    #[inline(always)]
    fn minus(self, b: Self) -> Self {
        let minuend = self.0.or(self.0.constant(Self::ABOVE));
        Self::new(minuend.minus(b.0).and(self.0.constant(Self::ALL)))
    }
    #[inline(always)]
    fn nonzero(self) -> Self {
        Self::below(self.0.plus(self.0.constant(Self::ALL)).and(self.0.constant(Self::ABOVE)))
    }
    is_own_mask!();
}

impl<W: Words, L: Layout<W>> Vector for Dense<W, L>
where
    Self: Number<Isa = W::Isa, Mask = Self>,
{
    type Number = Self;
    const LONGEST_ROW: usize = L::BITS as usize;
    const COUNTED_TOGETHER: usize = L::COUNTED_TOGETHER;
    const HAS_TERNARY: bool = W::HAS_TERNARY;

    /// The highest bit comes to lie above the lane.
    #[inline(always)]
    fn up(self) -> Self {
        Self::new(self.0.plus(self.0))
    }
    /// The bit above a lane may be anything too.
    #[inline(always)]
    fn down(self) -> Self {
        Self::new(self.0.down(1))
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        L::count_ones_of([self])
    }
    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Self; SETS]) -> Self {
        L::count_ones_of(sets)
    }
    #[inline(always)]
    fn nth_one(self, isa: W::Isa, rank: Self, width: usize) -> Self {
        L::nth_one(self, isa, rank, width)
    }
}

/// The operations on numbers that are the same for all layouts.
macro_rules! number {
    () => {
        #[inline(always)]
        fn minus_in(self, lanes: Self, b: Self) -> Self {
            Self::new(self.0.minus(b.and(lanes).0))
        }
        /// No product carries into the next lane.
        #[inline(always)]
        fn times(self, factor: u32) -> Self {
            let factor = self.0.constant(factor.into());
            let (lower, upper) = (self.0.product(factor), self.0.down(32).product(factor));
            Self::new(lower.plus(upper.up(32)))
        }
        #[inline(always)]
        fn less(self, b: Self) -> Self {
            let above = self.0.constant(Self::ABOVE);
            Self::below(above.without(self.0.or(above).minus(b.0)))
        }
        #[inline(always)]
        fn equal(self, b: Self) -> Self {
            let differs = self.xor(b).0.plus(self.0.constant(Self::ALL));
            Self::below(self.0.constant(Self::ABOVE).without(differs))
        }
    };
}
use number;

impl<W: Words, L: Layout<W>> Mask for Dense<W, L> {
    type Isa = W::Isa;

    #[inline(always)]
    fn from_bits(isa: W::Isa, bits: u64) -> Self {
        let mut words = W::splat(isa, 0);
        for place in 0..W::COUNT {
            let mut word = 0;
            for (part, start) in L::STARTS.iter().enumerate() {
                word |= (bits >> (part * W::COUNT + place) & 1) << start;
            }
            words.set_word(place, word * Self::MAX);
        }
        Self::new(words)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        let mut bits = 0;
        for (part, start) in L::STARTS.iter().enumerate() {
            // The highest bit of each lane moves to the upper end of its word.
            bits |= self.0.up(u64::BITS - L::BITS - start).highest_bits() << (part * W::COUNT);
        }
        bits
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.any()
    }
    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.lane(lane) != 0
    }
}
