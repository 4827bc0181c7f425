//! AVX2: 32 lanes of 8 bits, 16 of 16 or 8 of 32; masks are vectors with all ones or zeros in a lane.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{
    Bits, Lanes, Mask, Number, Vector, VectorJob, Wide,
    dense::Words,
    is_own_mask, is_wide, nth_one,
    pair::{Pair, PairMask},
};

instructions!(Avx2, "AVX2": "avx2", "bmi1", "bmi2", "lzcnt", "popcnt");

/// 32 integers of 8 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U8x32(__m256i);

/// 16 integers of 16 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U16x16(__m256i);

/// 8 integers of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x8(__m256i);

/// The number of ones in each byte, by looking up both halves.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn ones_of_bytes(vector: __m256i) -> __m256i {
    // SAFETY: the caller promises the feature.
    unsafe {
        let table =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        let half = _mm256_set1_epi8(0xf);
        let low = _mm256_shuffle_epi8(table, _mm256_and_si256(vector, half));
        let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(vector), half));
        _mm256_add_epi8(low, high)
    }
}

/// A vector of lanes, given the instructions that depend on their width, how ones are counted, and the rest of what numbers have.
macro_rules! vector {
    (
        $name:ident, $lane:ty, $lanes:literal; splat: $splat:ident, plus: $plus:ident, minus: $minus:ident, down: $down:ident, equal: $equal:ident;
        count_ones: { $($count_ones:tt)+ } number: { $($number:tt)+ }
    ) => {
        impl Lanes for $name {
            type Isa = Avx2;
            type Mask = Self;
            const LANES: usize = $lanes;
            const LANE_BITS: u32 = <$lane>::BITS;

            lane_by_lane!($lane);
            of_two!(plus = $plus, minus = $minus);

            #[inline(always)]
            fn splat(_: Avx2, value: u32) -> Self {
                // SAFETY: the argument proves the features.
                Self(unsafe { $splat(value as _) })
            }
            #[inline(always)]
            fn nonzero(self) -> Self {
                // SAFETY: a vector exists only where the features were detected.
                unsafe {
                    let zero = _mm256_setzero_si256();
                    Self(_mm256_andnot_si256($equal(self.0, zero), $equal(zero, zero)))
                }
            }
            is_own_mask!();
        }

        impl Vector for $name {
            type Number = Self;
            const HAS_TERNARY: bool = false;

            #[inline(always)]
            fn down(self) -> Self {
                // SAFETY: a vector exists only where the features were detected.
                Self(unsafe { $down::<1>(self.0) })
            }
            #[inline(always)]
            fn nth_one(self, isa: Avx2, rank: Self, width: usize) -> Self {
                nth_one(self, isa, rank, width)
            }
            $($count_ones)+
        }

        impl Number for $name {
            of_two!(equal = $equal);

            #[inline(always)]
            fn minus_in(self, lanes: Self, b: Self) -> Self {
                self.minus(b.and(lanes))
            }
            $($number)+
        }
    };
}

// Bits that leave a lane downwards come into the highest of the next, where anything may be.
vector!(
    U8x32, u8, 32;
    splat: _mm256_set1_epi8, plus: _mm256_add_epi8, minus: _mm256_sub_epi8, down: _mm256_srli_epi16, equal: _mm256_cmpeq_epi8;
    count_ones: {
        #[inline(always)]
        fn count_ones(self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { ones_of_bytes(self.0) })
        }
    }
    number: {
        type Wide = Pair<U16x16>;

        #[inline(always)]
        fn times(self, factor: u32) -> Self {
            Self::narrow(self.widen().times(factor))
        }
        #[inline(always)]
        fn less(self, b: Self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            unsafe {
                let not_less = _mm256_cmpeq_epi8(_mm256_max_epu8(self.0, b.0), self.0);
                Self(_mm256_andnot_si256(not_less, _mm256_cmpeq_epi8(b.0, b.0)))
            }
        }
        #[inline(always)]
        fn widen(self) -> Pair<U16x16> {
            // SAFETY: a vector exists only where the features were detected.
            unsafe {
                let (first, second) = self.halves();
                Pair([U16x16(_mm256_cvtepu8_epi16(first)), U16x16(_mm256_cvtepu8_epi16(second))])
            }
        }
        #[inline(always)]
        fn narrow(wide: Pair<U16x16>) -> Self {
            let [first, second] = wide.0;
            // SAFETY: a vector exists only where the features were detected.
            unsafe { Self(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(first.0, second.0))) }
        }
        #[inline(always)]
        fn widen_mask(lanes: Self) -> PairMask<U16x16> {
            // SAFETY: a vector exists only where the features were detected.
            unsafe {
                let (first, second) = lanes.halves();
                PairMask([U16x16(_mm256_cvtepi8_epi16(first)), U16x16(_mm256_cvtepi8_epi16(second))])
            }
        }
        #[inline(always)]
        fn narrow_mask(wide: PairMask<U16x16>) -> Self {
            let [first, second] = wide.0;
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(first.0, second.0)) })
        }
    }
);

impl U8x32 {
    #[inline(always)]
    fn halves(self) -> (__m128i, __m128i) {
        // SAFETY: a vector exists only where the features were detected.
        unsafe { (_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0)) }
    }
}

vector!(
    U16x16, u16, 16;
    splat: _mm256_set1_epi16, plus: _mm256_add_epi16, minus: _mm256_sub_epi16, down: _mm256_srli_epi16, equal: _mm256_cmpeq_epi16;
    count_ones: {
        #[inline(always)]
        fn count_ones(self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { _mm256_maddubs_epi16(ones_of_bytes(self.0), _mm256_set1_epi8(1)) })
        }
    }
    number: {
        is_wide!();
        times!(_mm256_mullo_epi16, _mm256_set1_epi16);
        /// What is left of `b` after a subtraction that stops at zero is positive exactly if `self` is less.
        #[inline(always)]
        fn less(self, b: Self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { _mm256_cmpgt_epi16(_mm256_subs_epu16(b.0, self.0), _mm256_setzero_si256()) })
        }
    }
);

impl Wide for U16x16 {
    #[inline(always)]
    fn load(_: Avx2, values: &[u16]) -> Self {
        let values = values.first_chunk::<16>().expect("a value for each lane");
        // SAFETY: the argument proves the features, and so many values are read.
        Self(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        let to = to.first_chunk_mut::<16>().expect("a place for each lane");
        // SAFETY: a vector exists only where the features were detected, and so many values are written.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists only where the features were detected.
        unsafe { (Self(_mm256_mulhi_epu16(self.0, b.0)), Self(_mm256_mullo_epi16(self.0, b.0))) }
    }
}

vector!(
    U32x8, u32, 8;
    splat: _mm256_set1_epi32, plus: _mm256_add_epi32, minus: _mm256_sub_epi32, down: _mm256_srli_epi32, equal: _mm256_cmpeq_epi32;
    count_ones: {
        #[inline(always)]
        fn count_ones(self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            unsafe {
                let words = _mm256_maddubs_epi16(ones_of_bytes(self.0), _mm256_set1_epi8(1));
                Self(_mm256_madd_epi16(words, _mm256_set1_epi16(1)))
            }
        }
    }
    number: {
        is_wide!();
        times!(_mm256_mullo_epi32, _mm256_set1_epi32);
        #[inline(always)]
        fn less(self, b: Self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            unsafe {
                let not_less = _mm256_cmpeq_epi32(_mm256_max_epu32(self.0, b.0), self.0);
                Self(_mm256_andnot_si256(not_less, _mm256_cmpeq_epi32(b.0, b.0)))
            }
        }
    }
);

impl Wide for U32x8 {
    #[inline(always)]
    fn load(_: Avx2, values: &[u16]) -> Self {
        let values = values.first_chunk::<8>().expect("a value for each lane");
        // SAFETY: the argument proves the features, and so many values are read.
        Self(unsafe { _mm256_cvtepu16_epi32(_mm_loadu_si128(values.as_ptr().cast())) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        let to = to.first_chunk_mut::<8>().expect("a place for each lane");
        // SAFETY: a vector exists only where the features were detected, and so many values are written.
        unsafe {
            let low = _mm256_and_si256(self.0, _mm256_set1_epi32(0xffff));
            let packed = _mm256_permute4x64_epi64::<0b10_00>(_mm256_packus_epi32(low, low));
            _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(packed));
        }
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists only where the features were detected.
        unsafe {
            let product = _mm256_mullo_epi32(self.0, b.0);
            let low = _mm256_and_si256(product, _mm256_set1_epi32(0xffff));
            (Self(_mm256_srli_epi32::<16>(product)), Self(low))
        }
    }
}

/// 4 words of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x4(__m256i);

impl Words for U64x4 {
    type Isa = Avx2;
    const COUNT: usize = 4;

    of_two!(plus = _mm256_add_epi64, minus = _mm256_sub_epi64, product = _mm256_mul_epu32);
    word_by_word!();

    #[inline(always)]
    fn splat(_: Avx2, word: u64) -> Self {
        // SAFETY: the argument proves the features.
        Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }
    #[inline(always)]
    fn constant(self, word: u64) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }
    #[inline(always)]
    fn up(self, by: u32) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        Self(unsafe { _mm256_sllv_epi64(self.0, _mm256_set1_epi64x(by.into())) })
    }
    #[inline(always)]
    fn down(self, by: u32) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        Self(unsafe { _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(by.into())) })
    }
    #[inline(always)]
    fn highest_bits(self) -> u64 {
        // SAFETY: a vector exists only where the features were detected.
        unsafe { (_mm256_movemask_pd(_mm256_castsi256_pd(self.0)) as u32).into() }
    }
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: a vector exists only where the features were detected.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }
    #[inline(always)]
    fn load(_: Avx2, values: &[u16]) -> Self {
        let values = values.first_chunk::<4>().expect("a value for each word");
        // SAFETY: the argument proves the features, and so many values are read.
        Self(unsafe { _mm256_cvtepu16_epi64(_mm_loadl_epi64(values.as_ptr().cast())) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        let to = to.first_chunk_mut::<4>().expect("a place for each word");
        // SAFETY: a vector exists only where the features were detected, and so many values are written.
        unsafe {
            let low = _mm256_and_si256(self.0, _mm256_set1_epi64x(0xffff));
            let (first, second) = (_mm256_castsi256_si128(low), _mm256_extracti128_si256::<1>(low));
            let packed = _mm_packus_epi32(first, second);
            _mm_storel_epi64(to.as_mut_ptr().cast(), _mm_packus_epi32(packed, packed));
        }
    }
}

/// Operations on the bits of a vector.
macro_rules! bits {
    ($name:ident $(, $choose:item)?) => {
        impl Bits for $name {
            of_two!(
                and = _mm256_and_si256,
                or = _mm256_or_si256,
                without = |a, b| _mm256_andnot_si256(b, a),
                xor = _mm256_xor_si256,
            );
            $($choose)?
        }
    };
}
bits!(U64x4);

/// A vector is its own mask.
macro_rules! mask {
    ($name:ident, $lanes:literal, $bits:expr) => {
        bits!(
            $name,
            #[inline(always)]
            fn choose(self, a: Self, b: Self) -> Self {
                // SAFETY: a vector exists only where the features were detected.
                Self(unsafe { _mm256_blendv_epi8(b.0, a.0, self.0) })
            }
        );

        impl Mask for $name {
            type Isa = Avx2;

            #[inline(always)]
            fn from_bits(isa: Avx2, bits: u64) -> Self {
                let mut mask = Self::splat(isa, 0);
                for lane in 0..$lanes {
                    mask.set_lane(lane, if bits >> lane & 1 == 1 { u32::MAX } else { 0 });
                }
                mask
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                // SAFETY: a vector exists only where the features were detected.
                unsafe { ($bits(self.0) as u32).into() }
            }
            #[inline(always)]
            fn any(self) -> bool {
                // SAFETY: a vector exists only where the features were detected.
                unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
            }
            #[inline(always)]
            fn has(&self, lane: usize) -> bool {
                self.lane(lane) != 0
            }
        }
    };
}
mask!(U8x32, 32, |vector| _mm256_movemask_epi8(vector));
mask!(U16x16, 16, |vector| {
    let packed = _mm256_packs_epi16(vector, _mm256_setzero_si256());
    _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b10_00>(packed)) & 0xffff
});
mask!(U32x8, 8, |vector| _mm256_movemask_ps(_mm256_castsi256_ps(vector)));
