//! A test on four words at once.

#![allow(unsafe_code)]

/// Whether the product of the lowest 11 bits and the upper 32 is the square of the 21 bits between, for each word: 16 bits of the result tell
/// of each, all set or none, the lowest of the first.
#[inline(always)]
pub(crate) fn are_squares(words: [u64; 4]) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: the condition above says that every processor this is compiled for has SSE2.
    return unsafe { x86::are_squares(words) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    portable_are_squares(words)
}

/// As [`are_squares`], on any processor.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
#[inline(always)]
fn portable_are_squares(words: [u64; 4]) -> u64 {
    let is_square = |word: u64| {
        let (low, middle, high) = (word & 0x7ff, u64::from(word as u32 >> 11), word >> 32);
        if low * high == middle * middle { 0xffff } else { 0 }
    };
    (0..4).map(|at| is_square(words[at]) << (16 * at)).sum()
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86 {
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn are_squares(words: [u64; 4]) -> u64 {
        let [a, b, c, d] = words.map(|word| word as i64);
        let (one, two) = (are_equal(_mm_set_epi64x(b, a)), are_equal(_mm_set_epi64x(d, c)));
        let lows = _mm_shuffle_ps::<0b10_00_10_00>(_mm_castsi128_ps(one), _mm_castsi128_ps(two));
        let highs = _mm_shuffle_ps::<0b11_01_11_01>(_mm_castsi128_ps(one), _mm_castsi128_ps(two));
        let both = _mm_castps_si128(_mm_and_ps(lows, highs));
        _mm_cvtsi128_si64(_mm_packs_epi32(both, both)) as u64
    }

    /// Which halves of the products are equal, for two words.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn are_equal(words: __m128i) -> __m128i {
        let low = _mm_and_si128(words, _mm_set1_epi64x(0x7ff));
        let middle = _mm_srli_epi32::<11>(words);
        let high = _mm_srli_epi64::<32>(words);
        _mm_cmpeq_epi32(_mm_mul_epu32(low, high), _mm_mul_epu32(middle, middle))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_tests_agree(points in prop::collection::vec((1_u64..5, 0_u64..675), 4), words: [u64; 4]) {
            let word = |at: usize| {
                let (number, bit) = points[at];
                number + ((number * bit) << 11) + ((number * bit * bit) << 32)
            };
            let squares = [word(0), word(1), word(2), word(3)];
            prop_assert_eq!(are_squares(squares), u64::MAX);
            let mixed = [words[0], squares[1], words[2], squares[0] + squares[2]];
            for words in [words, squares, mixed] {
                prop_assert_eq!(are_squares(words), portable_are_squares(words));
            }
        }
    }
}
