//! AVX2: 16 lanes of 16 bits or 8 lanes of 32; masks are vectors with all ones or zeros in a lane.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Bits, MAX_LANES, Mask, Vector, VectorJob};

instructions!(Avx2, "AVX2": "avx2", "bmi1", "bmi2", "lzcnt", "popcnt");

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

/// What both widths of a lane have in common, given the instructions that depend on it.
macro_rules! common {
    ($lane:ty, $lanes:literal, $splat:ident, $shift_down:ident, $equal:ident) => {
        type Isa = Avx2;
        type Mask = Self;
        const LANES: usize = $lanes;
        const LANE_BITS: u32 = <$lane>::BITS;
        const COUNTS_FAST: bool = false;
        const HAS_TERNARY: bool = false;

        lane_by_lane!($lane);
        of_two!(xor = _mm256_xor_si256, equal = $equal);

        #[inline(always)]
        fn splat(_: Avx2, value: u32) -> Self {
            // SAFETY: the argument proves the features.
            Self(unsafe { $splat(value as _) })
        }
        /// `self` has all ones or zeros in a byte wherever this is used.
        #[inline(always)]
        fn choose(self, a: Self, b: Self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { _mm256_blendv_epi8(b.0, a.0, self.0) })
        }
        #[inline(always)]
        fn minus_in(self, lanes: Self, b: Self) -> Self {
            self.minus(b.and(lanes))
        }
        #[inline(always)]
        fn down(self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { $shift_down::<1>(self.0) })
        }
        #[inline(always)]
        fn nonzero(self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            unsafe {
                let zero = _mm256_setzero_si256();
                Self(_mm256_andnot_si256($equal(self.0, zero), $equal(zero, zero)))
            }
        }
        #[inline(always)]
        fn keep(self, lanes: Self) -> Self {
            self.and(lanes)
        }
        #[inline(always)]
        fn replace(self, lanes: Self, b: Self) -> Self {
            lanes.choose(b, self)
        }
        #[inline(always)]
        fn ones(_: Avx2, lanes: Self) -> Self {
            lanes
        }
    };
}

impl Vector for U16x16 {
    common!(u16, 16, _mm256_set1_epi16, _mm256_srli_epi16, _mm256_cmpeq_epi16);
    of_two!(plus = _mm256_add_epi16, minus = _mm256_sub_epi16, times = _mm256_mullo_epi16);

    #[inline(always)]
    fn load(_: Avx2, values: &[u16; MAX_LANES]) -> Self {
        // SAFETY: the argument proves the features, and the array is longer than the vector.
        Self(unsafe { _mm256_loadu_si256(values.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16; MAX_LANES]) {
        // SAFETY: a vector exists only where the features were detected, and the array is longer than the vector.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn store_pairs(self, upper: Self, to: &mut [u32; MAX_LANES]) {
        let to = to.as_mut_ptr().cast::<__m256i>();
        // SAFETY: a vector exists only where the features were detected, and the array is longer than two vectors.
        unsafe {
            let (low, high) =
                (_mm256_unpacklo_epi16(self.0, upper.0), _mm256_unpackhi_epi16(self.0, upper.0));
            _mm256_storeu_si256(to, _mm256_permute2x128_si256::<0x20>(low, high));
            _mm256_storeu_si256(to.add(1), _mm256_permute2x128_si256::<0x31>(low, high));
        }
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        Self(unsafe { _mm256_maddubs_epi16(ones_of_bytes(self.0), _mm256_set1_epi8(1)) })
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists only where the features were detected.
        unsafe { (Self(_mm256_mulhi_epu16(self.0, b.0)), Self(_mm256_mullo_epi16(self.0, b.0))) }
    }
    /// What is left of `b` after a subtraction that stops at zero is positive exactly if `self` is less.
    #[inline(always)]
    fn less(self, b: Self) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        Self(unsafe { _mm256_cmpgt_epi16(_mm256_subs_epu16(b.0, self.0), _mm256_setzero_si256()) })
    }
}

impl Vector for U32x8 {
    common!(u32, 8, _mm256_set1_epi32, _mm256_srli_epi32, _mm256_cmpeq_epi32);
    of_two!(plus = _mm256_add_epi32, minus = _mm256_sub_epi32, times = _mm256_mullo_epi32);

    #[inline(always)]
    fn load(_: Avx2, values: &[u16; MAX_LANES]) -> Self {
        // SAFETY: the argument proves the features, and the array is longer than the half vector that is read.
        Self(unsafe { _mm256_cvtepu16_epi32(_mm_loadu_si128(values.as_ptr().cast())) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16; MAX_LANES]) {
        // SAFETY: a vector exists only where the features were detected, and the array is longer than what is written.
        unsafe {
            let low = _mm256_and_si256(self.0, _mm256_set1_epi32(0xffff));
            let packed = _mm256_permute4x64_epi64::<0b10_00>(_mm256_packus_epi32(low, low));
            _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(packed));
        }
    }
    #[inline(always)]
    fn store_pairs(self, upper: Self, to: &mut [u32; MAX_LANES]) {
        // SAFETY: a vector exists only where the features were detected, and the array is longer than the vector.
        unsafe {
            let pairs = _mm256_blend_epi16::<0b1010_1010>(self.0, upper.0);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), pairs);
        }
    }
    #[inline(always)]
    fn count_ones(self) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        unsafe {
            let words = _mm256_maddubs_epi16(ones_of_bytes(self.0), _mm256_set1_epi8(1));
            Self(_mm256_madd_epi16(words, _mm256_set1_epi16(1)))
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
    #[inline(always)]
    fn less(self, b: Self) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        unsafe {
            let not_less = _mm256_cmpeq_epi32(_mm256_max_epu32(self.0, b.0), self.0);
            Self(_mm256_andnot_si256(not_less, _mm256_cmpeq_epi32(b.0, b.0)))
        }
    }
}

/// A vector is its own mask.
macro_rules! mask {
    ($name:ident, $lanes:literal, $bits:expr) => {
        impl Bits for $name {
            of_two!(and = _mm256_and_si256, or = _mm256_or_si256);

            #[inline(always)]
            fn without(self, b: Self) -> Self {
                // SAFETY: a vector exists only where the features were detected.
                Self(unsafe { _mm256_andnot_si256(b.0, self.0) })
            }
        }

        impl Mask for $name {
            type Isa = Avx2;

            #[inline(always)]
            fn from_bits(isa: Avx2, bits: u32) -> Self {
                let mut mask = Self::splat(isa, 0);
                for lane in 0..$lanes {
                    mask.set_lane(lane, if bits >> lane & 1 == 1 { u32::MAX } else { 0 });
                }
                mask
            }
            #[inline(always)]
            fn bits(self) -> u32 {
                // SAFETY: a vector exists only where the features were detected.
                unsafe { $bits(self.0) }
            }
        }
    };
}
mask!(U16x16, 16, |vector| {
    let packed = _mm256_packs_epi16(vector, _mm256_setzero_si256());
    _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b10_00>(packed)) as u32 & 0xffff
});
mask!(U32x8, 8, |vector| _mm256_movemask_ps(_mm256_castsi256_ps(vector)) as u32);
