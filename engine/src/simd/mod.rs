//! Instructions that not every processor has, chosen at run time: vectors of small integers, and counting bits.
//!
//! This folder holds all `unsafe` code of the workspace. A `Vector` comes into being only through its `Isa`, and that only by
//! detecting the instructions it stands for: a vector in hand is the proof that its operations may be used.

/// Defines a type that proves that the processor has some x86-64 instructions. One list serves detection and compilation.
#[cfg(target_arch = "x86_64")]
macro_rules! instructions {
    ($isa:ident, $name:literal: $($feature:tt),+) => {
        /// Proof that the processor has the instructions.
        #[derive(Clone, Copy)]
        pub(crate) struct $isa(());

        impl $isa {
            /// Asks the processor.
            pub(crate) fn detect() -> Option<Self> {
                let has_all = $(is_x86_feature_detected!($feature))&&+;
                has_all.then_some(Self(()))
            }

            /// Runs a job compiled for these instructions. Panics when the processor does not have them.
            pub(super) fn run<V: Vector<Isa = Self>, J: VectorJob>(job: J) -> J::Output {
                #[target_feature($(enable = $feature),+)]
                fn compiled<V: Vector<Isa = $isa>, J: VectorJob>(isa: $isa, job: J) -> J::Output {
                    job.run::<V>(isa)
                }
                let isa = Self::detect().expect(concat!("a processor with ", $name));
                // SAFETY: all these features were detected.
                unsafe { compiled::<V, J>(isa, job) }
            }
        }
    };
}

/// Operations on two vectors of x86-64, given the instruction for each.
#[cfg(target_arch = "x86_64")]
macro_rules! of_two {
    ($($name:ident = $instruction:expr),+ $(,)?) => {$(
        #[inline(always)]
        fn $name(self, b: Self) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { $instruction(self.0, b.0) })
        }
    )+};
}

/// The product of each lane with the same number, given the instructions for the product and for that number in every lane.
#[cfg(target_arch = "x86_64")]
macro_rules! times {
    ($product:ident, $splat:ident) => {
        #[inline(always)]
        fn times(self, factor: u32) -> Self {
            // SAFETY: a vector exists only where the features were detected.
            Self(unsafe { $product(self.0, $splat(factor as _)) })
        }
    };
}

/// Access to single lanes of a vector of x86-64.
#[cfg(target_arch = "x86_64")]
macro_rules! lane_by_lane {
    ($lane:ty) => {
        #[inline(always)]
        fn lane(&self, lane: usize) -> u32 {
            assert!(lane < Self::LANES);
            // SAFETY: the lane lies within the vector, and any bits are an integer.
            unsafe { u32::from(*std::ptr::from_ref(self).cast::<$lane>().add(lane)) }
        }
        #[inline(always)]
        fn set_lane(&mut self, lane: usize, value: u32) {
            assert!(lane < Self::LANES);
            // SAFETY: as for `lane`.
            unsafe { *std::ptr::from_mut(self).cast::<$lane>().add(lane) = value as $lane }
        }
    };
}

/// Access to single words of a vector of x86-64.
#[cfg(target_arch = "x86_64")]
macro_rules! word_by_word {
    () => {
        #[inline(always)]
        fn word(&self, place: usize) -> u64 {
            assert!(place < Self::COUNT);
            // SAFETY: the word lies within the vector, and any bits are an integer.
            unsafe { *std::ptr::from_ref(self).cast::<u64>().add(place) }
        }
        #[inline(always)]
        fn set_word(&mut self, place: usize, word: u64) {
            assert!(place < Self::COUNT);
            // SAFETY: as for `word`.
            unsafe { *std::ptr::from_mut(self).cast::<u64>().add(place) = word }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod bits;
mod dense;
mod four;
mod pair;
pub(crate) mod plain;
#[cfg(test)]
mod tests;

pub use bits::{Job, with_fast_bits};
pub(crate) use bits::{extract_bits, nth_bit, prefetch};
pub(crate) use four::are_squares;

use std::sync::LazyLock;

use dense::{Dense, six::Six, three::Three};

use crate::names::names;

/// The most lanes that a vector has, and more than the highest number of one.
pub const MAX_LANES: usize = 64;

/// Which instructions play many games in lockstep. The games are the same on all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Simd {
    /// What every processor of its kind has: vectors of 128 bits, or integers.
    Plain,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of x86-64 with masks and population count.
    Avx512,
}

names! {
    /// All back ends, slowest first.
    Simd { Plain = "plain", Avx2 = "avx2", Avx512 = "avx512" }
}

impl Simd {
    /// Whether this processor has the instructions.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The back ends that this processor can run, slowest first. Never empty.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|simd| simd.is_available())
    }

    /// The fastest that this processor can run.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Plain)
    }
}

/// The size of a core's first-level data cache, where the processor tells. Asked once, as virtual machines take long to answer.
pub(crate) fn data_cache_bytes() -> Option<usize> {
    static BYTES: LazyLock<Option<usize>> = LazyLock::new(|| {
        #[cfg(target_arch = "x86_64")]
        {
            use raw_cpuid::{CacheType, CpuId};
            let mut caches = CpuId::new().get_cache_parameters()?;
            let cache = caches.find(|cache| cache.level() == 1 && cache.cache_type() == CacheType::Data)?;
            let line = cache.coherency_line_size() * cache.physical_line_partitions();
            Some(cache.sets() * cache.associativity() * line)
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    });
    *BYTES
}

/// Bits side by side.
pub(crate) trait Bits: Copy {
    /// `self & b`
    fn and(self, b: Self) -> Self;
    /// `self | b`
    fn or(self, b: Self) -> Self;
    /// `self & !b`
    fn without(self, b: Self) -> Self;
    /// `self ^ b`
    fn xor(self, b: Self) -> Self;

    /// `self | b | c`
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    /// `self | b & c`
    #[inline(always)]
    fn or_and(self, b: Self, c: Self) -> Self {
        self.or(b.and(c))
    }
    /// `self | b & !c`
    #[inline(always)]
    fn or_without(self, b: Self, c: Self) -> Self {
        self.or(b.without(c))
    }
    /// `self & b & !c`
    #[inline(always)]
    fn and_without(self, b: Self, c: Self) -> Self {
        self.and(b).without(c)
    }
    /// `self & b | self & c | b & c`
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.and(b).or_and(c, self.or(b))
    }
    /// `self | b ^ c`
    #[inline(always)]
    fn or_xor(self, b: Self, c: Self) -> Self {
        self.or(b.xor(c))
    }
    /// `(self ^ b) & c`
    #[inline(always)]
    fn xor_and(self, b: Self, c: Self) -> Self {
        self.xor(b).and(c)
    }
    /// The bits of `a` where `self` has ones, those of `b` elsewhere. `self` has all ones or zeros in each lane.
    #[inline(always)]
    fn choose(self, a: Self, b: Self) -> Self {
        self.and(a).or(b.without(self))
    }
}

/// Unsigned integers of the same width side by side, or as many sets of bits. Arithmetic wraps.
pub(crate) trait Lanes: Bits {
    /// Proof that the processor has the instructions.
    type Isa: Copy;
    /// A truth value for each lane.
    type Mask: Mask<Isa = Self::Isa>;
    /// Lanes are numbered from 0 to below this.
    const LANES: usize;
    /// A one for each of these numbers that a lane has, lane 0 lowest.
    const USED: u64 = u64::MAX >> (u64::BITS - Self::LANES as u32);
    /// Bits of a lane.
    const LANE_BITS: u32;

    /// The same value in every lane.
    fn splat(isa: Self::Isa, value: u32) -> Self;
    /// The value of one lane.
    fn lane(&self, lane: usize) -> u32;
    /// Changes one lane.
    fn set_lane(&mut self, lane: usize, value: u32);

    /// `self + b`
    fn plus(self, b: Self) -> Self;
    /// `self + b`, which must fit its lane.
    #[inline(always)]
    fn plus_fitting(self, b: Self) -> Self {
        self.plus(b)
    }
    /// `self - b`
    fn minus(self, b: Self) -> Self;

    /// The lanes that are not zero.
    fn nonzero(self) -> Self::Mask;
    /// `self` in these lanes, zero elsewhere.
    fn keep(self, lanes: Self::Mask) -> Self;
    /// `b` in these lanes, `self` elsewhere.
    fn replace(self, lanes: Self::Mask, b: Self) -> Self;
    /// All ones in these lanes, zero elsewhere.
    fn ones(isa: Self::Isa, lanes: Self::Mask) -> Self;
}

/// A set of points in each lane: one row of a board each.
pub(crate) trait Vector: Lanes {
    /// Numbers up to that of a board's points, one for each lane.
    type Number: Number<Isa = Self::Isa, Mask = Self::Mask>;
    /// The points of the longest row that fits a lane.
    const LONGEST_ROW: usize = Self::LANE_BITS as usize - 1;
    /// Of how many sets the ones are best counted [together](Self::count_ones_of), one to three.
    const COUNTED_TOGETHER: usize = 1;
    /// Whether any bitwise function of three operands is one instruction.
    const HAS_TERNARY: bool;

    /// All bits one place up. The highest must be zero.
    #[inline(always)]
    fn up(self) -> Self {
        self.plus(self)
    }
    /// All bits one place down. The highest may be anything afterwards.
    fn down(self) -> Self;
    /// Number of ones in each lane.
    fn count_ones(self) -> Self::Number;
    /// Number of ones in each lane of one to three sets together.
    #[inline(always)]
    fn count_ones_of<const SETS: usize>(sets: [Self; SETS]) -> Self::Number {
        let mut count = sets[0].count_ones();
        for set in &sets[1..] {
            count = count.plus_fitting(set.count_ones());
        }
        count
    }
    /// Of the ones of each lane, the one with `rank` ones below it, which must exist. Zero in lanes without ones, where `rank` must be zero.
    ///
    /// Only the lowest `width` bits may be ones: at least two bits, and at most [`LONGEST_ROW`](Self::LONGEST_ROW).
    fn nth_one(self, isa: Self::Isa, rank: Self::Number, width: usize) -> Self;
}

/// A number in each lane.
pub(crate) trait Number: Lanes {
    /// As many lanes of at least 16 bits.
    type Wide: Wide<Isa = Self::Isa>;

    /// `self - b` in these lanes, in which `b` must not be greater; `self` elsewhere.
    fn minus_in(self, lanes: Self::Mask, b: Self) -> Self;
    /// `self * factor`, which must fit its lane.
    fn times(self, factor: u32) -> Self;
    /// The lanes in which `self` is less than `b`, which must be below 2¹⁵.
    fn less(self, b: Self) -> Self::Mask;
    /// The lanes in which both are equal.
    fn equal(self, b: Self) -> Self::Mask;

    /// The same numbers in wide lanes.
    fn widen(self) -> Self::Wide;
    /// The same numbers in the lanes of this vector, in which they must fit.
    fn narrow(wide: Self::Wide) -> Self;
    /// The same set of wide lanes.
    fn widen_mask(lanes: Self::Mask) -> <Self::Wide as Lanes>::Mask;
    /// The same set of lanes of this vector.
    fn narrow_mask(wide: <Self::Wide as Lanes>::Mask) -> Self::Mask;
}

/// [`Vector::nth_one`] by the operations that all vectors have.
#[inline(always)]
fn nth_one<V: Vector<Number = V> + Number>(set: V, isa: V::Isa, rank: V, width: usize) -> V {
    // First the half, then by taking away the lowest as often as the rank says.
    let half = width / 2;
    let one = V::splat(isa, 1);
    let low = V::splat(isa, (1 << half) - 1);
    let count = set.and(low).count_ones();
    let in_low = rank.less(count);
    let rank = rank.minus(count).replace(in_low, rank);
    let mut set = set.without(low).replace(in_low, set);
    let mut taken = V::splat(isa, 0);
    for _ in 0..width - half - 1 {
        let more = taken.less(rank);
        set = set.and(set.minus_in(more, one));
        taken = taken.plus_fitting(one);
    }
    set.without(set.minus(one))
}

/// Lanes of at least 16 bits.
pub(crate) trait Wide: Number<Wide = Self> {
    /// The first [`LANES`](Lanes::LANES) values.
    fn load(isa: Self::Isa, values: &[u16]) -> Self;
    /// Writes the low 16 bits of every lane.
    fn store(self, to: &mut [u16]);
    /// The upper and the lower 16 bits of the product of two numbers below 2¹⁶.
    fn widening_product(self, b: Self) -> (Self, Self);
}

/// The wide lanes for as many sets.
pub(crate) type WideOf<V> = <<V as Vector>::Number as Number>::Wide;

/// A vector whose lanes are wide is its own wide vector.
macro_rules! is_wide {
    () => {
        type Wide = Self;

        #[inline(always)]
        fn widen(self) -> Self {
            self
        }
        #[inline(always)]
        fn narrow(wide: Self) -> Self {
            wide
        }
        #[inline(always)]
        fn widen_mask(lanes: Self::Mask) -> Self::Mask {
            lanes
        }
        #[inline(always)]
        fn narrow_mask(wide: Self::Mask) -> Self::Mask {
            wide
        }
    };
}
use is_wide;

/// A vector whose sets of lanes are vectors with all ones or zeros in a lane.
macro_rules! is_own_mask {
    () => {
        #[inline(always)]
        fn keep(self, lanes: Self) -> Self {
            self.and(lanes)
        }
        #[inline(always)]
        fn replace(self, lanes: Self, b: Self) -> Self {
            lanes.choose(b, self)
        }
        #[inline(always)]
        fn ones(_: Self::Isa, lanes: Self) -> Self {
            lanes
        }
    };
}
use is_own_mask;

/// A set of lanes.
pub(crate) trait Mask: Bits {
    /// Proof that the processor has the instructions.
    type Isa: Copy;

    /// The lanes with a one, lane 0 lowest. Ones beyond the last lane are passed over.
    fn from_bits(isa: Self::Isa, bits: u64) -> Self;
    /// A one for each lane of the set, lane 0 lowest.
    fn bits(self) -> u64;
    /// Whether the set has any lane. With several lanes in a word this is much faster than asking [which](Self::bits).
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
    /// Whether the set has this lane.
    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.bits() >> lane & 1 == 1
    }
}

/// Code to be compiled for the instructions of a vector type.
pub(crate) trait VectorJob {
    /// What the job gives.
    type Output;

    /// Does the job. Mark it and what it calls `#[inline(always)]`: only what is inlined is compiled for the instructions.
    fn run<V: Vector>(self, isa: V::Isa) -> Self::Output;
}

/// Runs a job on the first of these vectors that holds rows of so many points.
macro_rules! on_first {
    ($row_points:ident, $vector:ident => $run:expr; $($candidate:ty),+) => {{
        $(
            if $row_points <= <$candidate as Vector>::LONGEST_ROW {
                type $vector = $candidate;
                return $run;
            }
        )+
        panic!("no lane has {} points", $row_points)
    }};
}

/// Runs a job on the vectors of a back end that have the narrowest lanes for rows of so many points.
///
/// # Panics
/// When the processor does not have the instructions, or no vector has such lanes: there are at most 31 points.
pub(crate) fn run<J: VectorJob>(simd: Simd, row_points: usize, job: J) -> J::Output {
    match simd {
        Simd::Plain => on_first!(
            row_points, V => job.run::<V>(plain::Plain);
            Dense<plain::U64s, Six>, plain::U16s, Dense<plain::U64s, Three>, plain::U32s
        ),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => on_first!(
            row_points, V => avx2::Avx2::run::<V, J>(job);
            avx2::U8x32, Dense<avx2::U64x4, Six>, avx2::U16x16, Dense<avx2::U64x4, Three>, avx2::U32x8
        ),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => on_first!(
            row_points, V => avx512::Avx512::run::<V, J>(job);
            avx512::U8x64, avx512::U9x48, avx512::U16x32, Dense<avx512::U64x8, Three>, avx512::U32x16
        ),
        #[cfg(not(target_arch = "x86_64"))]
        _ => panic!("this processor has no {simd}"),
    }
}
