//! Counting and finding bits in words, and asking for memory before it is needed.

#![allow(unsafe_code)]

/// Work to be [compiled for this processor](with_fast_bits).
pub trait Job {
    /// What the work gives.
    type Output;

    /// Whether most of the work is done on bitboards of three words or more. Then vector instructions (AVX2) are used too, which would slow down
    /// work on shorter ones.
    const HAS_LONG_BITBOARDS: bool = false;

    /// Does the work. Mark it `#[inline(always)]`, and what is hot in it where the compiler does not inline it by itself: whatever stays a
    /// function of its own is compiled for any processor.
    fn run(self) -> Self::Output;
}

/// Runs `job` and returns its output; what is inlined into it uses the bit instructions of this processor: population count and BMI, and
/// [where that pays](Job::HAS_LONG_BITBOARDS) AVX2.
///
/// Nothing but speed depends on it. The call costs a few nanoseconds, so that one job should be a game or more.
#[inline]
pub fn with_fast_bits<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if J::HAS_LONG_BITBOARDS && x86::has_fast_bits() && x86::has_vectors() {
        // SAFETY: the processor has all features that the function is compiled for.
        return unsafe { x86::with_vectors(job) };
    }
    #[cfg(target_arch = "x86_64")]
    if x86::has_fast_bits() {
        // SAFETY: the processor has all features that the function is compiled for.
        return unsafe { x86::with_fast_bits(job) };
    }
    job.run()
}

/// The position of the `rank`-th set bit of `word`, both from 0; some number below 64 when there are not so many.
#[inline]
pub(crate) fn nth_bit(word: u64, rank: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if x86::has_fast_pdep_and_pext() {
        // SAFETY: the processor has the one feature that the function is compiled for.
        return unsafe { x86::nth_bit(word, rank) };
    }
    portable_nth_bit(word, rank)
}

/// The bits of `word` at the set bits of `mask`, packed from the lowest bit up.
#[inline(always)]
pub(crate) fn extract_bits(word: u64, mask: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if x86::has_fast_pdep_and_pext() {
        // SAFETY: the processor has the one feature that the function is compiled for.
        return unsafe { x86::extract_bits(word, mask) };
    }
    portable_extract_bits(word, mask)
}

/// Tells the processor that this will be read soon. Nothing but speed depends on it.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(value);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// As [`extract_bits`], on any processor: the place of a bit is the number of the mask's bits below it.
fn portable_extract_bits(word: u64, mask: u64) -> u64 {
    let (mut rest, mut extracted) = (word & mask, 0);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        extracted |= 1 << (mask & (lowest - 1)).count_ones();
        rest ^= lowest;
    }
    extracted
}

/// As [`nth_bit`], on any processor: sums of set bits up to each byte find the byte, clearing bits one by one the place in it.
#[inline]
fn portable_nth_bit(word: u64, rank: u32) -> u32 {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(LOW);
    let rank = rank & 63;
    // A byte keeps its high bit where the sum up to it is greater than the rank.
    let greater = ((sums | HIGH) - LOW * u64::from(rank + 1)) & HIGH;
    let start = greater.trailing_zeros().min(63) & !7;
    let before = if start == 0 { 0 } else { sums >> (start - 8) & 0xff };
    let mut byte = word >> start;
    for _ in before..u64::from(rank) {
        byte &= byte.wrapping_sub(1);
    }
    (byte.trailing_zeros() + start) & 63
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::{
        arch::{
            is_x86_feature_detected as has,
            x86_64::{_MM_HINT_T0, _mm_prefetch, _pdep_u64, _pext_u64},
        },
        sync::atomic::{AtomicU8, Ordering},
    };

    use super::Job;

    /// Whether the processor has all features of [`with_fast_bits`].
    #[inline]
    pub(super) fn has_fast_bits() -> bool {
        has!("popcnt") && has!("bmi1") && has!("bmi2") && has!("lzcnt")
    }

    /// Whether the processor also has what [`with_vectors`] adds.
    #[inline]
    pub(super) fn has_vectors() -> bool {
        has!("avx2")
    }

    /// Whether the processor deposits and extracts bits in one step. AMD's (they alone have SSE4a) took up to hundreds before the generation that brought
    /// VAES.
    #[inline(always)]
    pub(super) fn has_fast_pdep_and_pext() -> bool {
        match FAST_PDEP_AND_PEXT.load(Ordering::Relaxed) {
            YES => true,
            NO => false,
            _ => find_fast_pdep_and_pext(),
        }
    }

    #[cold]
    fn find_fast_pdep_and_pext() -> bool {
        let found = has!("bmi2") && (has!("vaes") || !has!("sse4a"));
        FAST_PDEP_AND_PEXT.store(if found { YES } else { NO }, Ordering::Relaxed);
        found
    }

    const NO: u8 = 1;
    const YES: u8 = 2;

    /// What [`find_fast_pdep_and_pext`] found, so that asking again costs a comparison; 0 before.
    static FAST_PDEP_AND_PEXT: AtomicU8 = AtomicU8::new(0);

    #[inline(always)]
    pub(super) fn prefetch<T>(value: &T) {
        // SAFETY: every x86-64 processor has the instruction, and it changes nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }

    #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
    pub(super) fn with_fast_bits<J: Job>(job: J) -> J::Output {
        job.run()
    }

    #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
    pub(super) fn with_vectors<J: Job>(job: J) -> J::Output {
        job.run()
    }

    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn nth_bit(word: u64, rank: u32) -> u32 {
        _pdep_u64(1 << (rank & 63), word).trailing_zeros() & 63
    }

    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn extract_bits(word: u64, mask: u64) -> u64 {
        _pext_u64(word, mask)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nth_bits_are_those_of_the_word(word: u64, mask: u64) {
            for word in [word, word & mask, word | mask, !0, 1, 1 << 63] {
                let positions = (0..64).filter(|position| word >> position & 1 != 0);
                for (rank, position) in positions.enumerate() {
                    prop_assert_eq!(nth_bit(word, rank as u32), position);
                    prop_assert_eq!(portable_nth_bit(word, rank as u32), position);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn extracted_bits_are_those_at_the_masks_bits(word: u64, mask: u64, other: u64) {
            for mask in [mask, mask & other, mask | other, 0, !0, 1, 1 << 63] {
                let positions = (0..64).filter(|position| mask >> position & 1 != 0);
                let expected = positions.enumerate().fold(0, |sum, (place, at)| sum | (word >> at & 1) << place);
                prop_assert_eq!(extract_bits(word, mask), expected);
                prop_assert_eq!(portable_extract_bits(word, mask), expected);
            }
        }
    }

    #[test]
    fn a_rank_too_high_gives_some_bit() {
        for (word, rank) in [(0, 0), (0, 1000), (1, 1), (!0, 64), (5, 63), (!0, u32::MAX)] {
            assert!(nth_bit(word, rank) < 64 && portable_nth_bit(word, rank) < 64);
        }
    }

    #[test]
    fn a_job_gives_its_output() {
        struct Product(u32, u32);
        impl Job for Product {
            type Output = u32;
            fn run(self) -> u32 {
                self.0 * self.1
            }
        }
        assert_eq!(with_fast_bits(Product(6, 7)), 42);
    }
}
