//! 8 lanes of 16 bits, 4 of 32 or 2 words of 64, in what every processor of its kind has: SSE2, NEON, or else arrays of integers.

use wide::{u16x8, u32x4, u64x2};

use super::{Bits, Lanes, Mask, Number, Vector, Wide, dense::Words, is_own_mask, is_wide, nth_one};

/// Nothing needs to be proved.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

/// Operations on the bits of a vector.
macro_rules! bits {
    ($name:ident) => {
        impl Bits for $name {
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                Self(self.0 & b.0)
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                Self(self.0 | b.0)
            }
            #[inline(always)]
            fn without(self, b: Self) -> Self {
                Self(self.0 & !b.0)
            }
            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                Self(self.0 ^ b.0)
            }
        }
    };
}

/// A vector of lanes, given the vector of `wide`, the type of a lane, and the function for the upper and the lower 16 bits of products.
macro_rules! vector {
    ($name:ident, $vector:ident, $lane:ident, $widening_product:expr, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name($vector);

        bits!($name);

        impl Lanes for $name {
            type Isa = Plain;
            type Mask = Self;
            const LANES: usize = 128 / Self::LANE_BITS as usize;
            const LANE_BITS: u32 = $lane::BITS;

            #[inline(always)]
            fn splat(_: Plain, value: u32) -> Self {
                Self($vector::splat(value as $lane))
            }
            #[inline(always)]
            fn lane(&self, lane: usize) -> u32 {
                self.0.as_array()[lane].into()
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, value: u32) {
                self.0.as_mut_array()[lane] = value as $lane;
            }
            #[inline(always)]
            fn plus(self, b: Self) -> Self {
                Self(self.0 + b.0)
            }
            #[inline(always)]
            fn minus(self, b: Self) -> Self {
                Self(self.0 - b.0)
            }
            #[inline(always)]
            fn nonzero(self) -> Self {
                Self(self.0.simd_ne($vector::splat(0)))
            }
            is_own_mask!();
        }

        impl Vector for $name {
            type Number = Self;
            const HAS_TERNARY: bool = false;

            #[inline(always)]
            fn down(self) -> Self {
                Self(self.0 >> 1)
            }
            /// Sums of neighbouring bits, pairs and so on.
            #[inline(always)]
            fn count_ones(self) -> Self {
                const PAIRS: $vector = $vector::splat($lane::MAX / 3);
                const FOURS: $vector = $vector::splat($lane::MAX / 5);
                const BYTES: $vector = $vector::splat($lane::MAX / 17);
                let pairs = self.0 - (self.0 >> 1 & PAIRS);
                let fours = (pairs & FOURS) + (pairs >> 2 & FOURS);
                let bytes = fours + (fours >> 4) & BYTES;
                let sums = bytes + (bytes >> 8);
                let sums = if Self::LANE_BITS == 32 { sums + (sums >> 16) } else { sums };
                Self(sums & $vector::splat(63))
            }
            #[inline(always)]
            fn nth_one(self, isa: Plain, rank: Self, width: usize) -> Self {
                nth_one(self, isa, rank, width)
            }
        }

        impl Number for $name {
            is_wide!();

            #[inline(always)]
            fn minus_in(self, lanes: Self, b: Self) -> Self {
                self.minus(b.and(lanes))
            }
            #[inline(always)]
            fn times(self, factor: u32) -> Self {
                Self(self.0 * $vector::splat(factor as $lane))
            }
            #[inline(always)]
            fn less(self, b: Self) -> Self {
                Self(self.0.simd_lt(b.0))
            }
            #[inline(always)]
            fn equal(self, b: Self) -> Self {
                Self(self.0.simd_eq(b.0))
            }
        }

        impl Wide for $name {
            #[inline(always)]
            fn load(_: Plain, values: &[u16]) -> Self {
                let values: [u16; Self::LANES] = *values.first_chunk().expect("a value for each lane");
                Self($vector::new(values.map($lane::from)))
            }
            #[inline(always)]
            fn store(self, to: &mut [u16]) {
                let to: &mut [u16; Self::LANES] = to.first_chunk_mut().expect("a place for each lane");
                *to = self.0.to_array().map(|lane| lane as u16);
            }
            #[inline(always)]
            fn widening_product(self, b: Self) -> (Self, Self) {
                let (high, low) = $widening_product(self.0, b.0);
                (Self(high), Self(low))
            }
        }

        /// All ones in the lanes of the set.
        impl Mask for $name {
            type Isa = Plain;

            #[inline(always)]
            fn from_bits(_: Plain, bits: u64) -> Self {
                let ones = |lane| if bits >> lane & 1 == 1 { $lane::MAX } else { 0 };
                Self($vector::new(std::array::from_fn(ones)))
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                self.0.to_bitmask().into()
            }
            #[inline(always)]
            fn has(&self, lane: usize) -> bool {
                self.lane(lane) != 0
            }
        }
    };
}

vector!(U16s, u16x8, u16, |a: u16x8, b: u16x8| (a.mul_keep_high(b), a * b), "8 integers of 16 bits.");
vector!(
    U32s,
    u32x4,
    u32,
    |a: u32x4, b: u32x4| {
        let product = a * b;
        (product >> 16, product & u32x4::splat(0xffff))
    },
    "4 integers of 32 bits."
);

/// 2 words of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64s(u64x2);

bits!(U64s);

impl Words for U64s {
    type Isa = Plain;
    const COUNT: usize = 2;

    #[inline(always)]
    fn splat(_: Plain, word: u64) -> Self {
        Self(u64x2::splat(word))
    }
    #[inline(always)]
    fn constant(self, word: u64) -> Self {
        Self(u64x2::splat(word))
    }
    #[inline(always)]
    fn word(&self, place: usize) -> u64 {
        self.0.as_array()[place]
    }
    #[inline(always)]
    fn set_word(&mut self, place: usize, word: u64) {
        self.0.as_mut_array()[place] = word;
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        Self(self.0 + b.0)
    }
    #[inline(always)]
    fn minus(self, b: Self) -> Self {
        Self(self.0 - b.0)
    }
    #[inline(always)]
    fn product(self, b: Self) -> Self {
        let (a, b) = (self.0.to_array(), b.0.to_array());
        Self(u64x2::new(std::array::from_fn(|word| u64::from(a[word] as u32) * u64::from(b[word] as u32))))
    }
    #[inline(always)]
    fn up(self, by: u32) -> Self {
        Self(self.0 << by)
    }
    #[inline(always)]
    fn down(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
    #[inline(always)]
    fn highest_bits(self) -> u64 {
        self.0.to_bitmask().into()
    }
    #[inline(always)]
    fn any(self) -> bool {
        let [a, b] = self.0.to_array();
        a | b != 0
    }
    #[inline(always)]
    fn load(_: Plain, values: &[u16]) -> Self {
        let values = &values[..Self::COUNT];
        Self(u64x2::new(std::array::from_fn(|place| values[place].into())))
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        to[..Self::COUNT].iter_mut().zip(self.0.to_array()).for_each(|(to, word)| *to = word as u16);
    }
}
