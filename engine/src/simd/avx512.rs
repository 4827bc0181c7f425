//! AVX-512: 64 lanes of 8 bits, 32 of 16, 24 of 20 or 16 of 32, masks in registers of their own, any function of three operands in one instruction.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{
    Bits, Lanes, Mask, Number, Vector, VectorJob, Wide,
    dense::{
        Dense, Words,
        three::{STRIDE, Three},
    },
    is_wide,
    pair::{Pair, PairMask},
};

instructions!(
    Avx512, "AVX-512": "avx512f", "avx512bw", "avx512vbmi", "avx512dq", "avx512vl", "avx512bitalg", "avx512vpopcntdq", "bmi1",
    "bmi2", "lzcnt", "popcnt"
);

/// 64 integers of 8 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U8x64(__m512i);

/// 32 integers of 16 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U16x32(__m512i);

/// 16 integers of 32 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U32x16(__m512i);

/// Operations on three vectors. The number is the function's truth table: bit 4a + 2b + c is its value for a, b and c.
macro_rules! of_three {
    ($($name:ident = $table:literal),+ $(,)?) => {$(
        #[inline(always)]
        fn $name(self, b: Self, c: Self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { _mm512_ternarylogic_epi64::<$table>(self.0, b.0, c.0) })
        }
    )+};
}

/// Operations on the bits of a vector.
macro_rules! bits {
    ($vector:ident) => {
        impl Bits for $vector {
            of_two!(
                and = _mm512_and_si512,
                or = _mm512_or_si512,
                without = |a, b| _mm512_andnot_si512(b, a),
                xor = _mm512_xor_si512,
            );
            of_three!(
                or3 = 0b1111_1110,
                or_and = 0b1111_1000,
                or_without = 0b1111_0100,
                majority = 0b1110_1000,
                and_without = 0b0100_0000,
                or_xor = 0b1111_0110,
                xor_and = 0b0010_1000,
                choose = 0b1100_1010,
            );
        }
    };
}

mod nine;

pub(crate) use nine::U9x48;

/// A vector of lanes, given the instructions that depend on their width, how the nth one is found, and how lanes are widened.
macro_rules! vector {
    (
        $name:ident, $lane:ty, $lanes:literal, $mask:ty; splat: $splat:ident, plus: $plus:ident, minus: $minus:ident, minus_in: $minus_in:ident,
        down: $down:ident, count_ones: $count_ones:ident, less: $less:ident, equal: $equal:ident, nonzero: $nonzero:ident,
        keep: $keep:ident, replace: $replace:ident, ones: $ones:ident; nth_one: { $($nth_one:tt)+ } wide: { $($wide:tt)+ }
    ) => {
        bits!($name);

        impl Lanes for $name {
            type Isa = Avx512;
            type Mask = $mask;
            const LANES: usize = $lanes;
            const LANE_BITS: u32 = <$lane>::BITS;

            lane_by_lane!($lane);
            of_two!(plus = $plus, minus = $minus);

            #[inline(always)]
            fn splat(_: Avx512, value: u32) -> Self {
                // SAFETY: the argument proves the features.
                Self(unsafe { $splat(value as _) })
            }
            #[inline(always)]
            fn nonzero(self) -> $mask {
                // SAFETY: a vector exists only where the features were detected; so for all that follow.
                unsafe { $nonzero(self.0, self.0) }
            }
            #[inline(always)]
            fn keep(self, lanes: $mask) -> Self {
                // SAFETY: as for `nonzero`.
                Self(unsafe { $keep(lanes, self.0) })
            }
            #[inline(always)]
            fn replace(self, lanes: $mask, b: Self) -> Self {
                // SAFETY: as for `nonzero`.
                Self(unsafe { $replace(self.0, lanes, b.0) })
            }
            #[inline(always)]
            fn ones(_: Avx512, lanes: $mask) -> Self {
                // SAFETY: the argument proves the features.
                Self(unsafe { $ones(lanes) })
            }
        }

        impl Vector for $name {
            type Number = Self;
            const HAS_TERNARY: bool = true;

            #[inline(always)]
            fn down(self) -> Self {
                // SAFETY: a vector exists only where the features were detected; so for all that follow.
                Self(unsafe { $down::<1>(self.0) })
            }
            #[inline(always)]
            fn count_ones(self) -> Self {
                // SAFETY: as for `down`.
                Self(unsafe { $count_ones(self.0) })
            }
            $($nth_one)+
        }

        impl Number for $name {
            #[inline(always)]
            fn minus_in(self, lanes: $mask, b: Self) -> Self {
                // SAFETY: a vector exists only where the features were detected; so for all that follow.
                Self(unsafe { $minus_in(self.0, lanes, self.0, b.0) })
            }
            #[inline(always)]
            fn less(self, b: Self) -> $mask {
                // SAFETY: as for `minus_in`.
                unsafe { $less(self.0, b.0) }
            }
            #[inline(always)]
            fn equal(self, b: Self) -> $mask {
                // SAFETY: as for `minus_in`.
                unsafe { $equal(self.0, b.0) }
            }
            $($wide)+
        }
    };
}

/// [`Vector::nth_one`] five bits at a time, given the shifts of a lane by those of another and by a constant.
macro_rules! nth_one {
    ($down_by:ident, $up_by:ident, $down:ident, $up:ident) => {
        #[inline(always)]
        fn nth_one(self, isa: Avx512, mut rank: Self, width: usize) -> Self {
            let (low, place_bits) = (Self::splat(isa, 0b1_1111), Self::splat(isa, 0b111));
            let (mut set, mut below) = (self, Self::splat(isa, 1));
            let mut found = Self::splat(isa, 0);
            for part in 0..(Self::LANE_BITS as usize - 1).div_ceil(5) {
                if 5 * part >= width {
                    break;
                }
                // SAFETY: the argument proves the features, and the table is as long as a vector.
                unsafe {
                    if part > 0 {
                        rank = rank.minus(set.and(low).count_ones());
                        set = Self($down::<5>(set.0));
                        below = Self($up::<5>(below.0));
                    }
                    let table = _mm512_loadu_si512(PLACES.as_ptr().cast());
                    let places = _mm512_permutexvar_epi16(set.and(low).0, table);
                    // Shifts by too much give zero, and so do ranks that wrapped: there is no such one in this part.
                    let place = Self($down_by(places, rank.plus(rank).plus(rank).0)).and(place_bits);
                    found = found.or_without(Self($up_by(below.0, place.0)), below);
                }
            }
            found.down()
        }
    };
}

/// For each set of five bits, the places of its ones, from 1 and lowest first, in three bits each; 0 where there are no more.
static PLACES: [u16; 32] = {
    let mut places = [0; 32];
    let mut set = 0;
    while set < 32 {
        let (mut rest, mut shift): (usize, u32) = (set, 0);
        while rest != 0 {
            places[set] |= (rest.trailing_zeros() as u16 + 1) << shift;
            (rest, shift) = (rest & (rest - 1), shift + 3);
        }
        set += 1;
    }
    places
};

/// For each set of five bits, three times the number of its ones.
static THREE_TIMES_COUNT: [u16; 32] = {
    let mut counts = [0; 32];
    let mut set = 0;
    while set < 32 {
        counts[set] = 3 * (set as u32).count_ones() as u16;
        set += 1;
    }
    counts
};

/// From which bit on of a word of three [`Dense`] lanes each byte of another word is taken, so that each of its first three 16-bit integers has the bits
/// of a lane from `first` on.
const fn bits_of_lanes(first: u8) -> [u8; 8] {
    let mut from = [0; 8];
    let mut byte = 0;
    while byte < 6 {
        from[byte as usize] = (first + byte / 2 * STRIDE as u8 + byte % 2 * 8) % 64;
        byte += 1;
    }
    from
}

/// The inverse of [`bits_of_lanes`], for 16-bit integers whose lowest bit is left out: from which bit on of their word each byte of a word of three lanes
/// is taken. The bits of a lane below `first` may be anything.
const fn lanes_of_bits(first: i32) -> [u8; 8] {
    let mut from = [0; 8];
    let mut byte = 0;
    while byte < 8 {
        // The last lane whose bits in question begin in this byte or before.
        let mut lane = 2;
        while lane > 0 && lane * STRIDE as i32 + first > 8 * byte + 7 {
            lane -= 1;
        }
        from[byte as usize] = (16 * lane + 1 + 8 * byte - lane * STRIDE as i32 - first).rem_euclid(64) as u8;
        byte += 1;
    }
    from
}

/// Each set of seven bits without its two lowest ones, and without its four lowest ones.
static WITHOUT_TWO_AND_FOUR: [[u8; 128]; 2] = {
    const fn without_two(set: u8) -> u8 {
        let rest = set & set.wrapping_sub(1);
        rest & rest.wrapping_sub(1)
    }
    let mut rest = [[0; 128]; 2];
    let mut set = 0;
    while set < 128 {
        rest[0][set] = without_two(set as u8);
        rest[1][set] = without_two(rest[0][set]);
        set += 1;
    }
    rest
};

// Bits that leave a lane downwards come into the highest of the next, where anything may be.
vector!(
    U8x64, u8, 64, u64;
    splat: _mm512_set1_epi8, plus: _mm512_add_epi8, minus: _mm512_sub_epi8, minus_in: _mm512_mask_sub_epi8,
    down: _mm512_srli_epi16, count_ones: _mm512_popcnt_epi8, less: _mm512_cmplt_epu8_mask,
    equal: _mm512_cmpeq_epi8_mask, nonzero: _mm512_test_epi8_mask, keep: _mm512_maskz_mov_epi8,
    replace: _mm512_mask_mov_epi8, ones: _mm512_movm_epi8;
    nth_one: {
        #[inline(always)]
        fn nth_one(self, isa: Avx512, rank: Self, _: usize) -> Self {
            let [one, two, four] = [1, 2, 4].map(|bit| Self::splat(isa, bit));
            let [without_two, without_four] = &WITHOUT_TWO_AND_FOUR;
            let look_up = |set: Self, lanes: u64, table: &[u8; 128]| {
                let [low, high]: [_; 2] = std::array::from_fn(|half| &table[64 * half..][..64]);
                // SAFETY: the argument proves the features, and each half of the table is as long as a vector.
                unsafe {
                    let [low, high] = [low, high].map(|half| _mm512_loadu_si512(half.as_ptr().cast()));
                    Self(_mm512_mask2_permutex2var_epi8(low, set.0, lanes, high))
                }
            };
            let set = look_up(self, rank.and(four).nonzero(), without_four);
            let set = look_up(set, rank.and(two).nonzero(), without_two);
            let set = set.and(set.minus_in(rank.and(one).nonzero(), one));
            set.without(set.minus(one))
        }
    }
    wide: {
        type Wide = Pair<U16x32>;

        #[inline(always)]
        fn times(self, factor: u32) -> Self {
            Self::narrow(self.widen().times(factor))
        }
        #[inline(always)]
        fn widen(self) -> Pair<U16x32> {
            // SAFETY: a vector exists only where the features were detected.
            unsafe {
                let (first, second) = (_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0));
                Pair([U16x32(_mm512_cvtepu8_epi16(first)), U16x32(_mm512_cvtepu8_epi16(second))])
            }
        }
        #[inline(always)]
        fn narrow(wide: Pair<U16x32>) -> Self {
            let [first, second] = wide.0;
            // SAFETY: as for `widen`.
            unsafe {
                let (first, second) = (_mm512_cvtepi16_epi8(first.0), _mm512_cvtepi16_epi8(second.0));
                Self(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second))
            }
        }
        #[inline(always)]
        fn widen_mask(lanes: u64) -> PairMask<U16x32> {
            PairMask([lanes as u32, (lanes >> 32) as u32])
        }
        #[inline(always)]
        fn narrow_mask(wide: PairMask<U16x32>) -> u64 {
            wide.bits()
        }
    }
);

vector!(
    U16x32, u16, 32, u32;
    splat: _mm512_set1_epi16, plus: _mm512_add_epi16, minus: _mm512_sub_epi16, minus_in: _mm512_mask_sub_epi16,
    down: _mm512_srli_epi16, count_ones: _mm512_popcnt_epi16, less: _mm512_cmplt_epu16_mask, equal: _mm512_cmpeq_epi16_mask,
    nonzero: _mm512_test_epi16_mask, keep: _mm512_maskz_mov_epi16, replace: _mm512_mask_mov_epi16, ones: _mm512_movm_epi16;
    nth_one: { nth_one!(_mm512_srlv_epi16, _mm512_sllv_epi16, _mm512_srli_epi16, _mm512_slli_epi16); }
    wide: {
        is_wide!();
        times!(_mm512_mullo_epi16, _mm512_set1_epi16);
    }
);

impl Wide for U16x32 {
    #[inline(always)]
    fn load(_: Avx512, values: &[u16]) -> Self {
        let values = values.first_chunk::<32>().expect("a value for each lane");
        // SAFETY: the argument proves the features, and the array is as long as the vector.
        Self(unsafe { _mm512_loadu_si512(values.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        let to = to.first_chunk_mut::<32>().expect("a place for each lane");
        // SAFETY: a vector exists only where the features were detected, and the array is as long as the vector.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists only where the features were detected.
        unsafe { (Self(_mm512_mulhi_epu16(self.0, b.0)), Self(_mm512_mullo_epi16(self.0, b.0))) }
    }
}

vector!(
    U32x16, u32, 16, u16;
    splat: _mm512_set1_epi32, plus: _mm512_add_epi32, minus: _mm512_sub_epi32, minus_in: _mm512_mask_sub_epi32,
    down: _mm512_srli_epi32, count_ones: _mm512_popcnt_epi32, less: _mm512_cmplt_epu32_mask, equal: _mm512_cmpeq_epi32_mask,
    nonzero: _mm512_test_epi32_mask, keep: _mm512_maskz_mov_epi32, replace: _mm512_mask_mov_epi32, ones: _mm512_movm_epi32;
    nth_one: { nth_one!(_mm512_srlv_epi32, _mm512_sllv_epi32, _mm512_srli_epi32, _mm512_slli_epi32); }
    wide: {
        is_wide!();
        times!(_mm512_mullo_epi32, _mm512_set1_epi32);
    }
);

impl Wide for U32x16 {
    #[inline(always)]
    fn load(_: Avx512, values: &[u16]) -> Self {
        let values = values.first_chunk::<16>().expect("a value for each lane");
        // SAFETY: the argument proves the features, and so many values are read.
        Self(unsafe { _mm512_cvtepu16_epi32(_mm256_loadu_si256(values.as_ptr().cast())) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        let to = to.first_chunk_mut::<16>().expect("a place for each lane");
        // SAFETY: a vector exists only where the features were detected, and so many values are written.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi16(self.0)) }
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        // SAFETY: a vector exists only where the features were detected.
        unsafe {
            let product = _mm512_mullo_epi32(self.0, b.0);
            let low = _mm512_and_si512(product, _mm512_set1_epi32(0xffff));
            (Self(_mm512_srli_epi32::<16>(product)), Self(low))
        }
    }
}

/// 8 words of 64 bits.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct U64x8(__m512i);

bits!(U64x8);

impl Words for U64x8 {
    type Isa = Avx512;
    const COUNT: usize = 8;
    const COUNTED_TOGETHER: usize = 3;
    const HAS_TERNARY: bool = true;

    of_two!(plus = _mm512_add_epi64, minus = _mm512_sub_epi64, product = _mm512_mul_epu32);
    word_by_word!();

    #[inline(always)]
    fn splat(_: Avx512, word: u64) -> Self {
        // SAFETY: the argument proves the features.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }
    #[inline(always)]
    fn constant(self, word: u64) -> Self {
        // SAFETY: a vector exists only where the features were detected; so for all that follow.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }
    #[inline(always)]
    fn up(self, by: u32) -> Self {
        // SAFETY: as for `constant`.
        Self(unsafe { _mm512_sllv_epi64(self.0, _mm512_set1_epi64(by.into())) })
    }
    #[inline(always)]
    fn down(self, by: u32) -> Self {
        // SAFETY: as for `constant`.
        Self(unsafe { _mm512_srlv_epi64(self.0, _mm512_set1_epi64(by.into())) })
    }
    #[inline(always)]
    fn highest_bits(self) -> u64 {
        // SAFETY: as for `constant`.
        unsafe { _mm512_movepi64_mask(self.0).into() }
    }
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: as for `constant`.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }
    #[inline(always)]
    fn load(_: Avx512, values: &[u16]) -> Self {
        let values = values.first_chunk::<8>().expect("a value for each word");
        // SAFETY: the argument proves the features, and so many values are read.
        Self(unsafe { _mm512_cvtepu16_epi64(_mm_loadu_si128(values.as_ptr().cast())) })
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        let to = to.first_chunk_mut::<8>().expect("a place for each word");
        // SAFETY: a vector exists only where the features were detected, and so many values are written.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm512_cvtepi64_epi16(self.0)) }
    }
    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Dense<Self, Three>; SETS]) -> Dense<Self, Three> {
        let constant = |word| sets[0].0.constant(word);
        let count = |words: Self| {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { _mm512_popcnt_epi64(words.0) })
        };
        if SETS == 1 {
            let part = |lane| count(sets[0].0.and(constant(lane)));
            let max = Dense::<Self, Three>::MAX;
            return Dense::of_parts([part(max), part(max << STRIDE), part(max << (2 * STRIDE))]);
        }
        if SETS == 2 {
            return sets[0].count_ones().plus_fitting(sets[1].count_ones());
        }
        // The lowest lanes of three sets side by side in each word, then the middle ones and the highest ones. The last of them comes to lie one bit
        // higher than a lane, so that the bits beside it are zero.
        const LOWEST: u64 = (1 << STRIDE) - 1;
        let (first, second) = (constant(LOWEST), constant(LOWEST << STRIDE));
        let join =
            |low: Self, middle: Self, high: Self| count(first.choose(low, second.choose(middle, high)));
        let (a, b, c) = (sets[0].0, sets[1].0, sets[2].0);
        Dense::of_parts([
            join(a, b.up(STRIDE), c.up(2 * STRIDE + 1)),
            join(a.down(STRIDE), b, c.up(STRIDE + 1)),
            join(a.down(2 * STRIDE), b.down(STRIDE), c),
        ])
    }
    /// As for other lanes, with a 16-bit integer for each of the three lanes of a word.
    #[inline(always)]
    fn nth_one(
        set: Dense<Self, Three>,
        isa: Avx512,
        rank: Dense<Self, Three>,
        _: usize,
    ) -> Dense<Self, Three> {
        const PARTS: [[u8; 8]; 4] =
            [bits_of_lanes(0), bits_of_lanes(5), bits_of_lanes(10), bits_of_lanes(15)];
        const TO_LANES: [[u8; 8]; 2] = [lanes_of_bits(0), lanes_of_bits(15)];
        let splat = |value| U16x32::splat(isa, value);
        let take = |words: __m512i, bits: [u8; 8]| {
            // SAFETY: the argument proves the features; so for all that follow.
            unsafe { _mm512_multishift_epi64_epi8(_mm512_set1_epi64(i64::from_le_bytes(bits)), words) }
        };
        // SAFETY: the tables are as long as a vector.
        let (places, counts) = unsafe {
            (
                _mm512_loadu_si512(PLACES.as_ptr().cast()),
                _mm512_loadu_si512(THREE_TIMES_COUNT.as_ptr().cast()),
            )
        };
        let rank = U16x32(take(rank.0.0, PARTS[0]));
        let mut three_ranks = rank.plus(rank).plus(rank);
        let (mut low, mut high) = (splat(0), splat(0));
        for (part, bits) in PARTS.into_iter().enumerate() {
            let bits = take(set.0.0, bits);
            // SAFETY: as for `take`. Shifts by too much give zero, and so do ranks that wrapped: there is no such one in this part.
            let place = unsafe {
                let places = _mm512_permutexvar_epi16(bits, places);
                U16x32(_mm512_srlv_epi16(places, three_ranks.0)).and(splat(0b111))
            };
            let below = splat(1 << (5 * part % 15));
            // SAFETY: as for `take`.
            let found = U16x32(unsafe { _mm512_sllv_epi16(below.0, place.0) });
            if part < 3 {
                low = low.or_without(found, below);
                // SAFETY: as for `take`.
                three_ranks = three_ranks.minus(U16x32(unsafe { _mm512_permutexvar_epi16(bits, counts) }));
            } else {
                high = found.without(below);
            }
        }
        let is_low = Dense::<Self, Three>::splat(isa, (1 << 15) - 1);
        let [low, high] = [take(low.0, TO_LANES[0]), take(high.0, TO_LANES[1])];
        Dense::new(is_low.0.choose(Self(low), Self(high)))
    }
}

/// Sets of lanes in registers of their own.
macro_rules! mask {
    ($mask:ty) => {
        impl Bits for $mask {
            #[inline(always)]
            fn and(self, b: Self) -> Self {
                self & b
            }
            #[inline(always)]
            fn or(self, b: Self) -> Self {
                self | b
            }
            #[inline(always)]
            fn without(self, b: Self) -> Self {
                self & !b
            }
            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                self ^ b
            }
        }

        impl Mask for $mask {
            type Isa = Avx512;

            #[inline(always)]
            fn from_bits(_: Avx512, bits: u64) -> Self {
                bits as Self
            }
            #[inline(always)]
            fn bits(self) -> u64 {
                self.into()
            }
        }
    };
}
mask!(u64);
mask!(u32);
mask!(u16);
