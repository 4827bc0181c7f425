//! 48 lanes of 9 bits, six in a word of 64, for boards with 8 and 9 columns: half as many again as lanes of 16 bits.
//!
//! Numbers and truth values have six of the eight bytes of a word. One instruction leads from lanes to bytes and back: it fills each byte of a word with
//! eight consecutive bits of that word.

use std::arch::x86_64::*;

use super::{Avx512, Bits, Lanes, Number as _, U8x64, Vector};

/// 48 sets of 9 bits. The bit above each lane may be anything after some operations.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U9x48(__m512i);

bits!(U9x48);

/// Bits of a lane.
const BITS: u32 = 9;
/// The highest value of a lane.
const MAX: u64 = (1 << BITS) - 1;
/// Where the lanes begin in their word: three in each half of it, with a bit between them.
const STARTS: [u8; 6] = [0, 10, 20, 32, 42, 52];
/// The lowest bit of each lane of a word.
const LOW: u64 = {
    let (mut low, mut lane) = (0, 0);
    while lane < STARTS.len() {
        low |= 1 << STARTS[lane];
        lane += 1;
    }
    low
};
/// A one for each byte that belongs to a lane.
const USED: u64 = u64::from_ne_bytes([(1 << STARTS.len()) - 1; 8]);

/// Where in a word of lanes each byte of a word of bytes begins, if it has the bits of its lane from `first` on.
const fn bytes_of_lanes(first: u8) -> u64 {
    let (mut from, mut lane) = ([0; 8], 0);
    while lane < STARTS.len() {
        from[lane] = (STARTS[lane] + first) % 64;
        lane += 1;
    }
    u64::from_le_bytes(from)
}

/// Where in a word of bytes each byte of a word of lanes begins, if the lowest bits of a lane are those of its byte. With `repeats`, a byte of all ones or
/// of zeros fills its lane.
const fn lanes_of_bytes(repeats: bool) -> u64 {
    let (mut from, mut byte) = ([0; 8], 0);
    while byte < 8 {
        // The last lane that begins before the end of this byte, and its bit that is the lowest of the byte.
        let mut lane = STARTS.len() - 1;
        while STARTS[lane] as usize > 8 * byte + 7 {
            lane -= 1;
        }
        let bit = 8 * byte as i32 - STARTS[lane] as i32;
        let bit = if repeats && bit > 0 { 0 } else { bit };
        from[byte] = (8 * lane as i32 + bit) as u8;
        byte += 1;
    }
    u64::from_le_bytes(from)
}

/// For so many bits of a set and its rank above them, from `first` on: the one of the set with this rank.
const fn nth_of(bits: u32, first: usize) -> [u8; 64] {
    let (mut nth, mut at) = ([0; 64], 0);
    while at < 64 {
        let (mut set, mut rank) = ((at + first) & ((1 << bits) - 1), (at + first) >> bits);
        while rank > 0 {
            set &= set.wrapping_sub(1);
            rank -= 1;
        }
        nth[at] = (set & set.wrapping_neg()) as u8;
        at += 1;
    }
    nth
}

/// The ones of sets of five bits by ranks up to 3.
static NTH_OF_FIVE: [[u8; 64]; 2] = [nth_of(5, 0), nth_of(5, 64)];
/// The ones of sets of four bits.
static NTH_OF_FOUR: [u8; 64] = nth_of(4, 0);

impl U9x48 {
    /// Number of words.
    const COUNT: usize = 8;

    word_by_word!();

    /// The same word in every place.
    #[inline(always)]
    fn constant(self, word: u64) -> Self {
        // SAFETY: a vector exists only where the features were detected; so for all that follow.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }
    /// The bits of each lane from `FIRST` on, in bytes. Those of no lane are zero.
    #[inline(always)]
    fn bytes<const FIRST: u8>(self) -> U8x64 {
        let from = self.constant(const { bytes_of_lanes(FIRST) });
        // SAFETY: as for `constant`.
        U8x64(unsafe { _mm512_maskz_multishift_epi64_epi8(USED, from.0, self.0) })
    }
    /// What bytes have, at the lowest bits of their lanes: five bits, above which may be anything.
    #[inline(always)]
    fn of_bytes(bytes: U8x64) -> Self {
        let from = Self(bytes.0).constant(const { lanes_of_bytes(false) });
        // SAFETY: as for `constant`.
        Self(unsafe { _mm512_multishift_epi64_epi8(from.0, bytes.0) })
    }
    /// All ones in these lanes.
    #[inline(always)]
    fn all_ones(self, lanes: u64) -> Self {
        let from = self.constant(const { lanes_of_bytes(true) });
        // SAFETY: as for `constant`.
        Self(unsafe { _mm512_multishift_epi64_epi8(from.0, _mm512_movm_epi8(lanes)) })
    }
}

impl Lanes for U9x48 {
    type Isa = Avx512;
    type Mask = u64;
    const LANES: usize = 64;
    const USED: u64 = USED;
    const LANE_BITS: u32 = BITS;

    of_two!(plus_fitting = _mm512_add_epi64);

    #[inline(always)]
    fn splat(_: Avx512, value: u32) -> Self {
        let word = (u64::from(value) & MAX) * LOW;
        // SAFETY: the argument proves the features.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> u32 {
        (self.word(lane / 8) >> STARTS[lane % 8] & MAX) as u32
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, value: u32) {
        let (place, start) = (lane / 8, STARTS[lane % 8]);
        let rest = self.word(place) & !(MAX << start);
        self.set_word(place, rest | (u64::from(value) & MAX) << start);
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        self.plus_fitting(b).and(self.constant(LOW * MAX))
    }
    #[inline(always)]
    fn minus(self, b: Self) -> Self {
        // The bit above each lane is what may be borrowed.
        let minuend = self.or(self.constant(LOW << BITS));
        // SAFETY: a vector exists only where the features were detected; so for all that follow.
        Self(unsafe { _mm512_sub_epi64(minuend.0, b.0) }).and(self.constant(LOW * MAX))
    }
    #[inline(always)]
    fn nonzero(self) -> u64 {
        // The highest of the nine bits shows one place down too.
        let bytes = self.or(self.down()).bytes::<0>();
        bytes.nonzero()
    }
    #[inline(always)]
    fn keep(self, lanes: u64) -> Self {
        self.and(self.all_ones(lanes))
    }
    #[inline(always)]
    fn replace(self, lanes: u64, b: Self) -> Self {
        self.all_ones(lanes).choose(b, self)
    }
    #[inline(always)]
    fn ones(isa: Avx512, lanes: u64) -> Self {
        Self::splat(isa, 0).all_ones(lanes)
    }
}

impl Vector for U9x48 {
    type Number = U8x64;
    const LONGEST_ROW: usize = BITS as usize;
    const COUNTED_TOGETHER: usize = 3;
    const HAS_TERNARY: bool = true;

    #[inline(always)]
    fn up(self) -> Self {
        self.plus_fitting(self)
    }
    #[inline(always)]
    fn down(self) -> Self {
        // SAFETY: a vector exists only where the features were detected.
        Self(unsafe { _mm512_srli_epi64::<1>(self.0) })
    }
    #[inline(always)]
    fn count_ones(self) -> U8x64 {
        let highest = self.bytes::<8>().and(U8x64(self.constant(0x0101_0101_0101_0101).0));
        self.bytes::<0>().count_ones().plus(highest)
    }
    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Self; SETS]) -> U8x64 {
        let Ok(sets) = <[Self; 3]>::try_from(&sets[..]) else {
            return sets[1..].iter().fold(sets[0].count_ones(), |count, set| count.plus(set.count_ones()));
        };
        // The number of ones at each place, in two bits; side by side where it is the highest place.
        let [a, b, c] = sets;
        let (ones, twos) = (a.xor(b).xor(c), a.majority(b, c));
        let highest = a.constant(LOW << 8).choose(ones, twos.up());
        let highest = highest.bytes::<8>().and(U8x64(a.constant(0x0303_0303_0303_0303).0));
        let (ones, twos) = (ones.bytes::<0>().count_ones(), twos.bytes::<0>().count_ones());
        ones.plus(highest).plus(twos.plus(twos))
    }
    /// Among the lowest five bits by one table, among the other four by another.
    #[inline(always)]
    fn nth_one(self, isa: Avx512, rank: U8x64, _: usize) -> Self {
        let number = |value| U8x64::splat(isa, value);
        let low = self.bytes::<0>().and(number(0b1_1111));
        let high = self.bytes::<5>().and(number(0b1111));
        let low_count = low.count_ones();
        let is_low = rank.less(low_count);
        // SAFETY: the argument proves the features, and the tables are as long as vectors.
        let (low, high) = unsafe {
            let at = low.or_and(U8x64(_mm512_slli_epi16::<5>(rank.0)), number(0b110_0000));
            let [first, second] = NTH_OF_FIVE.each_ref().map(|half| _mm512_loadu_si512(half.as_ptr().cast()));
            let low = U8x64(_mm512_maskz_permutex2var_epi8(is_low, first, at.0, second));
            let at = high.or_and(U8x64(_mm512_slli_epi16::<4>(rank.minus(low_count).0)), number(0b11_0000));
            let table = _mm512_loadu_si512(NTH_OF_FOUR.as_ptr().cast());
            (low, U8x64(_mm512_maskz_permutexvar_epi8(!is_low, at.0, table)))
        };
        // The table has no rank 4, which only all five ones have.
        let low = low.replace(is_low & rank.equal(number(4)), number(0b1_0000));
        // SAFETY: as above.
        let high = Self(unsafe { _mm512_slli_epi64::<5>(Self::of_bytes(high).0) });
        Self::splat(isa, 0b1_1111).choose(Self::of_bytes(low), high)
    }
}
