//! Plain integers: lanes side by side in words of 64 bits, and two words side by side, which compilers turn into what the target has.
//!
//! A carry, a borrow or a shifted bit may leave its lane. [`Vector`] excludes it for the operations that are used most; the others keep the
//! highest bit of each lane apart.

#![allow(unsafe_code)]

use std::mem;

use super::{Bits, Mask, Vector, Wide, dense::Words, is_own_mask, is_wide};

/// Nothing needs to be proved.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

/// Words of a vector. With four, games take a sixth to a third more time.
const WORDS: usize = 2;

macro_rules! words {
    ($name:ident, $lane:ident, $lane_bits:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy)]
        #[repr(align(16))]
        pub(crate) struct $name([u64; WORDS]);

        impl $name {
            const LANES_PER_WORD: usize = 64 / $lane_bits;
            /// All ones in the lowest lane.
            const LANE: u64 = (1 << $lane_bits) - 1;
            /// The lowest bit of each lane.
            const LOW: u64 = u64::MAX / Self::LANE;
            /// The highest.
            const HIGH: u64 = Self::LOW << ($lane_bits - 1);
            /// All bits below it.
            const BELOW: u64 = Self::HIGH - Self::LOW;

            /// The lanes as an array. Compilers find instructions for all lanes in loops over arrays, where shifts hide them.
            #[inline(always)]
            fn lanes(self) -> [$lane; Self::LANES] {
                // SAFETY: both have the same size, and any bits are integers.
                let lanes: [$lane; Self::LANES] = unsafe { mem::transmute(self.0.map(u64::to_le)) };
                lanes.map($lane::from_le)
            }
            /// The vector whose lanes are these.
            #[inline(always)]
            fn of_lanes(lanes: [$lane; Self::LANES]) -> Self {
                // SAFETY: as for `lanes`.
                let words: [u64; WORDS] = unsafe { mem::transmute(lanes.map($lane::to_le)) };
                Self(words.map(u64::from_le))
            }
            #[inline(always)]
            fn map(self, f: impl Fn(u64) -> u64) -> Self {
                Self(self.0.map(f))
            }
            #[inline(always)]
            fn zip(self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self {
                Self(std::array::from_fn(|word| f(self.0[word], b.0[word])))
            }
            /// The word that holds a lane, and where.
            #[inline(always)]
            fn place(lane: usize) -> (usize, usize) {
                (lane / Self::LANES_PER_WORD, lane % Self::LANES_PER_WORD * $lane_bits)
            }
            /// The vector whose lanes are these.
            #[inline(always)]
            fn from_lanes(lane: impl Fn(usize) -> u64) -> Self {
                Self(std::array::from_fn(|word| {
                    (0..Self::LANES_PER_WORD).fold(0, |lanes, place| {
                        lanes | lane(word * Self::LANES_PER_WORD + place) << (place * $lane_bits)
                    })
                }))
            }
            /// All ones in the lanes whose highest bit is a one, zero elsewhere.
            #[inline(always)]
            fn spread_high(word: u64) -> u64 {
                let low = (word & Self::HIGH) >> ($lane_bits - 1);
                (low << $lane_bits).wrapping_sub(low)
            }
            /// A one in the highest bit of the lanes that are not zero, anything below.
            #[inline(always)]
            fn high_if_nonzero(word: u64) -> u64 {
                (word & Self::BELOW) + Self::BELOW | word
            }
        }

        impl Bits for $name {
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                self.zip(b, |a, b| a & b)
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                self.zip(b, |a, b| a | b)
            }
            #[inline(always)]
            fn without(self, b: Self) -> Self {
                self.zip(b, |a, b| a & !b)
            }
            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                self.zip(b, |a, b| a ^ b)
            }
        }

        impl Vector for $name {
            type Isa = Plain;
            type Mask = Self;
            const LANES: usize = WORDS * Self::LANES_PER_WORD;
            const LANE_BITS: u32 = $lane_bits;
            const COUNTS_FAST: bool = false;
            const HAS_TERNARY: bool = false;

            is_wide!();

            #[inline(always)]
            fn splat(_: Plain, value: u32) -> Self {
                Self([(u64::from(value) & Self::LANE) * Self::LOW; WORDS])
            }
            #[inline(always)]
            fn lane(&self, lane: usize) -> u32 {
                let (word, shift) = Self::place(lane);
                (self.0[word] >> shift & Self::LANE) as u32
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, value: u32) {
                let (word, shift) = Self::place(lane);
                let word = &mut self.0[word];
                *word = *word & !(Self::LANE << shift) | (u64::from(value) & Self::LANE) << shift;
            }
            #[inline(always)]
            fn plus(self, b: Self) -> Self {
                self.zip(b, |a, b| (a & Self::BELOW) + (b & Self::BELOW) ^ (a ^ b) & Self::HIGH)
            }
            #[inline(always)]
            fn plus_fitting(self, b: Self) -> Self {
                self.zip(b, u64::wrapping_add)
            }
            #[inline(always)]
            fn minus(self, b: Self) -> Self {
                self.zip(b, |a, b| (a | Self::HIGH).wrapping_sub(b & Self::BELOW) ^ !(a ^ b) & Self::HIGH)
            }
            #[inline(always)]
            fn minus_in(self, lanes: Self, b: Self) -> Self {
                self.zip(b.and(lanes), u64::wrapping_sub)
            }
            #[inline(always)]
            fn up(self) -> Self {
                self.map(|word| word << 1)
            }
            #[inline(always)]
            fn down(self) -> Self {
                self.map(|word| word >> 1)
            }
            /// Sums of neighbouring bits, pairs and so on: processors without vectors of counts do it no faster.
            #[inline(always)]
            fn count_ones(self) -> Self {
                self.map(|word| {
                    const PAIRS: u64 = u64::MAX / 3;
                    const FOURS: u64 = u64::MAX / 5;
                    const BYTES: u64 = u64::MAX / 17;
                    let pairs = word - (word >> 1 & PAIRS);
                    let fours = (pairs & FOURS) + (pairs >> 2 & FOURS);
                    let bytes = fours + (fours >> 4) & BYTES;
                    let sums = bytes + (bytes >> 8);
                    (if $lane_bits == 32 { sums + (sums >> 16) } else { sums }) & Self::LOW * 63
                })
            }
            /// A one is lent to the highest bit of each lane; it is used up where the bits below are less.
            #[inline(always)]
            fn less(self, b: Self) -> Self {
                self.zip(b, |a, b| Self::spread_high(!((a | Self::HIGH).wrapping_sub(b) | a)))
            }
            #[inline(always)]
            fn equal(self, b: Self) -> Self {
                self.zip(b, |a, b| Self::spread_high(!Self::high_if_nonzero(a ^ b)))
            }
            #[inline(always)]
            fn nonzero(self) -> Self {
                self.map(|word| Self::spread_high(Self::high_if_nonzero(word)))
            }
            is_own_mask!();
        }

        impl Wide for $name {
            #[inline(always)]
            fn load(_: Plain, values: &[u16]) -> Self {
                let values = &values[..Self::LANES];
                Self::of_lanes(std::array::from_fn(|lane| values[lane].into()))
            }
            #[inline(always)]
            fn store(self, to: &mut [u16]) {
                let to = &mut to[..Self::LANES];
                to.iter_mut().zip(self.lanes()).for_each(|(to, lane)| *to = lane as u16);
            }
            #[inline(always)]
            fn times(self, b: Self) -> Self {
                let (a, b) = (self.lanes(), b.lanes());
                Self::of_lanes(std::array::from_fn(|lane| a[lane].wrapping_mul(b[lane])))
            }
            #[inline(always)]
            fn widening_product(self, b: Self) -> (Self, Self) {
                let (a, b) = (self.lanes(), b.lanes());
                let products = std::array::from_fn(|lane| u32::from(a[lane]).wrapping_mul(b[lane].into()));
                let part =
                    |part: fn(u32) -> u32| Self::of_lanes(products.map(|product| part(product) as $lane));
                (part(|product| product >> 16), part(|product| product & 0xffff))
            }
        }

        /// All ones in the lanes of the set.
        impl Mask for $name {
            type Isa = Plain;

            #[inline(always)]
            fn from_bits(_: Plain, bits: u64) -> Self {
                // There are no more than 8 lanes.
                let bits = bits as u32;
                Self::from_lanes(|lane| u64::from(bits >> lane & 1) * Self::LANE)
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                let bits = (0..Self::LANES).fold(0, |bits, lane| {
                    let (word, shift) = Self::place(lane);
                    bits | ((self.0[word] >> shift & 1) as u32) << lane
                });
                bits.into()
            }
            #[inline(always)]
            fn has(&self, lane: usize) -> bool {
                self.lane(lane) != 0
            }
        }
    };
}

words!(U16s, u16, 16, "Integers of 16 bits, four in a word.");
words!(U32s, u32, 32, "Integers of 32 bits, two in a word.");

/// Words of 64 bits.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct U64s([u64; WORDS]);

impl U64s {
    #[inline(always)]
    fn zip(self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|place| f(self.0[place], b.0[place])))
    }
}

impl Bits for U64s {
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        self.zip(b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        self.zip(b, |a, b| a | b)
    }
    #[inline(always)]
    fn without(self, b: Self) -> Self {
        self.zip(b, |a, b| a & !b)
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        self.zip(b, |a, b| a ^ b)
    }
}

impl Words for U64s {
    type Isa = Plain;
    const COUNT: usize = WORDS;

    #[inline(always)]
    fn splat(_: Plain, word: u64) -> Self {
        Self([word; WORDS])
    }
    #[inline(always)]
    fn constant(self, word: u64) -> Self {
        Self([word; WORDS])
    }
    #[inline(always)]
    fn word(&self, place: usize) -> u64 {
        self.0[place]
    }
    #[inline(always)]
    fn set_word(&mut self, place: usize, word: u64) {
        self.0[place] = word;
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        self.zip(b, u64::wrapping_add)
    }
    #[inline(always)]
    fn minus(self, b: Self) -> Self {
        self.zip(b, u64::wrapping_sub)
    }
    #[inline(always)]
    fn product(self, b: Self) -> Self {
        self.zip(b, |a, b| u64::from(a as u32) * u64::from(b as u32))
    }
    #[inline(always)]
    fn up<const BY: i32>(self) -> Self {
        Self(self.0.map(|word| word << BY))
    }
    #[inline(always)]
    fn down<const BY: i32>(self) -> Self {
        Self(self.0.map(|word| word >> BY))
    }
    #[inline(always)]
    fn highest_bits(self) -> u64 {
        (0..WORDS).fold(0, |bits, place| bits | self.0[place] >> 63 << place)
    }
    #[inline(always)]
    fn load(_: Plain, values: &[u16]) -> Self {
        let values = &values[..WORDS];
        Self(std::array::from_fn(|place| values[place].into()))
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        to[..WORDS].iter_mut().zip(self.0).for_each(|(to, word)| *to = word as u16);
    }
}
