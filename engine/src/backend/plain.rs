//! Plain integers: arrays that any compiler turns into whatever vectors the target has by default.

use super::{MAX_LANES, Mask, Vector};

/// Nothing needs to be proved.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

macro_rules! array {
    ($name:ident, $lane:ty, $lanes:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy)]
        #[repr(align(16))]
        pub(crate) struct $name([$lane; $lanes]);

        impl $name {
            #[inline(always)]
            fn map(self, f: impl Fn($lane) -> $lane) -> Self {
                let mut lanes = self.0;
                for lane in &mut lanes {
                    *lane = f(*lane);
                }
                Self(lanes)
            }
            #[inline(always)]
            fn zip(self, b: Self, f: impl Fn($lane, $lane) -> $lane) -> Self {
                let mut lanes = self.0;
                for (lane, b) in lanes.iter_mut().zip(b.0) {
                    *lane = f(*lane, b);
                }
                Self(lanes)
            }
            /// All ones where the condition holds.
            #[inline(always)]
            fn test(self, b: Self, f: impl Fn($lane, $lane) -> bool) -> Self {
                self.zip(b, |a, b| if f(a, b) { <$lane>::MAX } else { 0 })
            }
        }

        impl Vector for $name {
            type Isa = Plain;
            type Mask = Self;
            const LANES: usize = $lanes;
            const LANE_MAX: u32 = <$lane>::MAX as u32;
            const COUNTS_FAST: bool = false;

            #[inline(always)]
            fn splat(_: Plain, value: u32) -> Self {
                Self([value as $lane; $lanes])
            }
            #[inline(always)]
            fn load(_: Plain, values: &[u16; MAX_LANES]) -> Self {
                Self(std::array::from_fn(|lane| values[lane].into()))
            }
            #[inline(always)]
            fn store(self, to: &mut [u16; MAX_LANES]) {
                to.iter_mut().zip(self.0).for_each(|(to, lane)| *to = lane as u16);
            }
            #[inline(always)]
            fn lane(&self, lane: usize) -> u32 {
                self.0[lane].into()
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, value: u32) {
                self.0[lane] = value as $lane;
            }
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
            fn or3(self, b: Self, c: Self) -> Self {
                Vector::or(Vector::or(self, b), c)
            }
            #[inline(always)]
            fn or_and(self, b: Self, c: Self) -> Self {
                Vector::or(self, Vector::and(b, c))
            }
            #[inline(always)]
            fn or_without(self, b: Self, c: Self) -> Self {
                Vector::or(self, Vector::without(b, c))
            }
            #[inline(always)]
            fn or_then_without(self, b: Self, c: Self) -> Self {
                Vector::without(Vector::or(self, b), c)
            }
            #[inline(always)]
            fn and_or(self, b: Self, c: Self) -> Self {
                Vector::and(self, Vector::or(b, c))
            }
            #[inline(always)]
            fn and_without(self, b: Self, c: Self) -> Self {
                Vector::without(Vector::and(self, b), c)
            }
            #[inline(always)]
            fn choose(self, a: Self, b: Self) -> Self {
                Vector::or(Vector::and(a, self), Vector::without(b, self))
            }
            #[inline(always)]
            fn plus(self, b: Self) -> Self {
                self.zip(b, <$lane>::wrapping_add)
            }
            #[inline(always)]
            fn minus(self, b: Self) -> Self {
                self.zip(b, <$lane>::wrapping_sub)
            }
            #[inline(always)]
            fn times(self, b: Self) -> Self {
                self.zip(b, <$lane>::wrapping_mul)
            }
            #[inline(always)]
            fn minus_in(self, lanes: Self, b: Self) -> Self {
                self.minus(Vector::and(b, lanes))
            }
            #[inline(always)]
            fn up(self) -> Self {
                self.plus(self)
            }
            #[inline(always)]
            fn down(self) -> Self {
                self.map(|lane| lane >> 1)
            }
            /// Sums of neighbouring bits, pairs and so on: processors without vectors of counts do it no faster.
            #[inline(always)]
            fn count_ones(self) -> Self {
                self.map(|lane| {
                    const PAIRS: $lane = <$lane>::MAX / 3;
                    const FOURS: $lane = <$lane>::MAX / 5;
                    const BYTES: $lane = <$lane>::MAX / 17;
                    let pairs = lane - (lane >> 1 & PAIRS);
                    let fours = (pairs & FOURS) + (pairs >> 2 & FOURS);
                    let bytes = fours + (fours >> 4) & BYTES;
                    let words = bytes + (bytes >> 8);
                    (if <$lane>::BITS == 32 { words + (words >> (<$lane>::BITS / 2)) } else { words }) & 63
                })
            }
            #[inline(always)]
            fn widening_product(self, b: Self) -> (Self, Self) {
                let product = |a: $lane, b: $lane| u32::from(a) * u32::from(b);
                let high = self.zip(b, |a, b| (product(a, b) >> 16) as $lane);
                (high, self.zip(b, |a, b| (product(a, b) & 0xffff) as $lane))
            }
            #[inline(always)]
            fn less(self, b: Self) -> Self {
                self.test(b, |a, b| a < b)
            }
            #[inline(always)]
            fn equal(self, b: Self) -> Self {
                self.test(b, |a, b| a == b)
            }
            #[inline(always)]
            fn nonzero(self) -> Self {
                self.test(self, |a, _| a != 0)
            }
            #[inline(always)]
            fn keep(self, lanes: Self) -> Self {
                Vector::and(self, lanes)
            }
            #[inline(always)]
            fn replace(self, lanes: Self, b: Self) -> Self {
                lanes.choose(b, self)
            }
            #[inline(always)]
            fn ones(_: Plain, lanes: Self) -> Self {
                lanes
            }
        }

        /// All ones in the lanes of the set.
        impl Mask for $name {
            type Isa = Plain;

            #[inline(always)]
            fn from_bits(_: Plain, bits: u32) -> Self {
                Self(std::array::from_fn(|lane| if bits >> lane & 1 == 1 { <$lane>::MAX } else { 0 }))
            }
            #[inline(always)]
            fn bits(self) -> u32 {
                self.0.iter().enumerate().fold(0, |bits, (lane, &ones)| bits | u32::from(ones & 1) << lane)
            }
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                Vector::and(self, b)
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                Vector::or(self, b)
            }
            #[inline(always)]
            fn without(self, b: Self) -> Self {
                Vector::without(self, b)
            }
        }
    };
}

array!(U16s, u16, 8, "Eight integers of 16 bits.");
array!(U32s, u32, 4, "Four integers of 32 bits.");
