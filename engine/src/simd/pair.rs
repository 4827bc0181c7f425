//! Two vectors side by side: the wide lanes of a vector whose lanes are narrow.
//!
//! Arrays are written out here, since `map` calls a function that is not compiled for the instructions.

use super::{Bits, Lanes, Mask, Number, Wide, is_wide};

/// The lanes of the first vector, then those of the second.
#[derive(Clone, Copy)]
pub(crate) struct Pair<H>(pub(super) [H; 2]);

/// The lanes of a [`Pair`] that are in a set.
#[derive(Clone, Copy)]
pub(crate) struct PairMask<H: Lanes>(pub(super) [H::Mask; 2]);

/// Operations on both vectors.
macro_rules! on_both {
    ($($name:ident($($b:ident),*));+ $(;)?) => {$(
        #[inline(always)]
        fn $name(self, $($b: Self),*) -> Self {
            Self([self.0[0].$name($($b.0[0]),*), self.0[1].$name($($b.0[1]),*)])
        }
    )+};
}

impl<H: Lanes> Bits for Pair<H> {
    on_both!(and(b); or(b); without(b); xor(b); choose(a, b));
}

impl<H: Lanes> Bits for PairMask<H> {
    on_both!(and(b); or(b); without(b); xor(b));
}

impl<H: Lanes> Mask for PairMask<H> {
    type Isa = H::Isa;

    #[inline(always)]
    fn from_bits(isa: H::Isa, bits: u64) -> Self {
        Self([H::Mask::from_bits(isa, bits), H::Mask::from_bits(isa, bits >> H::LANES)])
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.0[0].bits() | self.0[1].bits() << H::LANES
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0[0].or(self.0[1]).any()
    }
}

impl<H: Wide> Lanes for Pair<H> {
    type Isa = H::Isa;
    type Mask = PairMask<H>;
    const LANES: usize = 2 * H::LANES;
    const LANE_BITS: u32 = H::LANE_BITS;

    on_both!(plus(b); minus(b));

    #[inline(always)]
    fn splat(isa: H::Isa, value: u32) -> Self {
        Self([H::splat(isa, value); 2])
    }
    #[inline(always)]
    fn lane(&self, lane: usize) -> u32 {
        self.0[lane / H::LANES].lane(lane % H::LANES)
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, value: u32) {
        self.0[lane / H::LANES].set_lane(lane % H::LANES, value);
    }
    #[inline(always)]
    fn nonzero(self) -> PairMask<H> {
        PairMask([self.0[0].nonzero(), self.0[1].nonzero()])
    }
    #[inline(always)]
    fn keep(self, lanes: PairMask<H>) -> Self {
        Self([self.0[0].keep(lanes.0[0]), self.0[1].keep(lanes.0[1])])
    }
    #[inline(always)]
    fn replace(self, lanes: PairMask<H>, b: Self) -> Self {
        Self([self.0[0].replace(lanes.0[0], b.0[0]), self.0[1].replace(lanes.0[1], b.0[1])])
    }
    #[inline(always)]
    fn ones(isa: H::Isa, lanes: PairMask<H>) -> Self {
        Self([H::ones(isa, lanes.0[0]), H::ones(isa, lanes.0[1])])
    }
}

impl<H: Wide> Number for Pair<H> {
    is_wide!();

    #[inline(always)]
    fn minus_in(self, lanes: PairMask<H>, b: Self) -> Self {
        Self([self.0[0].minus_in(lanes.0[0], b.0[0]), self.0[1].minus_in(lanes.0[1], b.0[1])])
    }
    #[inline(always)]
    fn times(self, factor: u32) -> Self {
        Self([self.0[0].times(factor), self.0[1].times(factor)])
    }
    #[inline(always)]
    fn less(self, b: Self) -> PairMask<H> {
        PairMask([self.0[0].less(b.0[0]), self.0[1].less(b.0[1])])
    }
    #[inline(always)]
    fn equal(self, b: Self) -> PairMask<H> {
        PairMask([self.0[0].equal(b.0[0]), self.0[1].equal(b.0[1])])
    }
}

impl<H: Wide> Wide for Pair<H> {
    #[inline(always)]
    fn load(isa: H::Isa, values: &[u16]) -> Self {
        Self([H::load(isa, values), H::load(isa, &values[H::LANES..])])
    }
    #[inline(always)]
    fn store(self, to: &mut [u16]) {
        let (first, second) = to.split_at_mut(H::LANES);
        self.0[0].store(first);
        self.0[1].store(second);
    }
    #[inline(always)]
    fn widening_product(self, b: Self) -> (Self, Self) {
        let first = self.0[0].widening_product(b.0[0]);
        let second = self.0[1].widening_product(b.0[1]);
        (Self([first.0, second.0]), Self([first.1, second.1]))
    }
}
