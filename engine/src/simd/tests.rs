//! The operations of every back end of this processor against arithmetic lane by lane, on random values that the operation admits.

use super::{Bits as _, LaneBits, MAX_LANES, Mask, Simd, Vector, VectorJob, Wide, run};

/// Sets of operands that an operation is tried on.
const ROUNDS: usize = 2000;

/// Pseudorandom numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 32) as u32
    }

    /// A number up to `max`, one with all ones: often one at the end of a range, or one with few bits.
    fn up_to(&mut self, max: u32) -> u32 {
        let number = self.next();
        max & match self.next() % 8 {
            0 => 0,
            1 => 1,
            2 => u32::MAX,
            3 => u32::MAX - 1,
            4 => max / 2 + (number & 1),
            5 => number & self.next() & self.next(),
            _ => number,
        }
    }
}

/// A number for each lane.
type Lanes = [u32; MAX_LANES];

fn vector<V: Vector>(isa: V::Isa, lanes: &Lanes) -> V {
    let mut vector = V::splat(isa, 0);
    lanes.iter().enumerate().take(V::LANES).for_each(|(lane, &value)| vector.set_lane(lane, value));
    vector
}

fn lanes<V: Vector>(vector: V) -> Vec<u32> {
    (0..V::LANES).map(|lane| vector.lane(lane)).collect()
}

/// The largest value of a lane.
fn lane_max<V: Vector>() -> u32 {
    u32::MAX >> (u32::BITS - V::LANE_BITS)
}

/// Defines a test of an operation, given how three numbers up to the greatest become operands that it admits, the operation on vectors, and what it
/// gives in a lane, modulo the number of its values. Those of [`Wide`] lanes have it before the name.
macro_rules! operation {
    ($test:ident, $admit:expr, |$a:ident, $b:ident, $c:ident| $vectors:expr, $lane:expr) => {
        operation!(Vector $test, $admit, |$a, $b, $c| $vectors, $lane);
    };
    ($trait:ident $test:ident, $admit:expr, |$a:ident, $b:ident, $c:ident| $vectors:expr, $lane:expr) => {
        #[test]
        fn $test() {
            fn check<V: $trait>(isa: V::Isa) {
                let admit: fn([u32; 3], u32) -> [u32; 3] = $admit;
                let expected: fn([u32; 3]) -> u32 = $lane;
                let mut numbers = Numbers(V::LANES as u64);
                for _ in 0..ROUNDS {
                    let operands: [[u32; 3]; MAX_LANES] = std::array::from_fn(|_| {
                        admit([(); 3].map(|()| numbers.up_to(lane_max::<V>())), lane_max::<V>())
                    });
                    let [$a, $b, $c] = [0, 1, 2].map(|index: usize| {
                        vector::<V>(isa, &std::array::from_fn(|lane| operands[lane][index]))
                    });
                    let found: V = $vectors;
                    for (lane, &operands) in operands.iter().enumerate().take(V::LANES) {
                        let expected = expected(operands) & lane_max::<V>();
                        let name = std::any::type_name::<V>();
                        assert_eq!(found.lane(lane), expected, "{name} lane {lane}: {operands:x?}");
                    }
                }
            }

            test_on_all_vectors!($trait check);
        }
    };
}

/// Runs a check on all vectors, or on those with wide lanes.
macro_rules! test_on_all_vectors {
    (Vector $check:ident) => {
        test_on_all_vectors!(|V, isa| {
            $check::<V>(isa);
            $check::<V::Wide>(isa);
        });
    };
    (Wide $check:ident) => {
        test_on_all_vectors!(|V, isa| { $check::<V::Wide>(isa) });
    };
    (|$vector:ident, $isa:ident| $body:block) => {
        #[derive(Clone, Copy)]
        struct Test;

        impl VectorJob for Test {
            type Output = ();

            fn run<$vector: Vector>(self, $isa: $vector::Isa) $body
        }

        for backend in Simd::available() {
            for lanes in [LaneBits::Eight, LaneBits::Sixteen, LaneBits::Twenty, LaneBits::ThirtyTwo] {
                run(backend, lanes, Test);
            }
        }
    };
}

/// Any operands.
fn any(operands: [u32; 3], _: u32) -> [u32; 3] {
    operands
}

/// Often two equal ones.
fn often_equal([a, b, c]: [u32; 3], _: u32) -> [u32; 3] {
    if c & 1 == 0 { [a, b, c] } else { [a, a, c] }
}

/// The sum of the first two fits its lane.
fn fitting_sum([a, b, c]: [u32; 3], max: u32) -> [u32; 3] {
    [a, b.min(max - a), c]
}

/// The first two have at most 16 bits.
fn halves([a, b, c]: [u32; 3], _: u32) -> [u32; 3] {
    [a & 0xffff, b & 0xffff, c]
}

/// The highest bit of the first is zero.
fn without_highest([a, b, c]: [u32; 3], max: u32) -> [u32; 3] {
    [a & (max / 2), b, c]
}

operation!(and, any, |a, b, _c| a.and(b), |[a, b, _]| a & b);
operation!(or, any, |a, b, _c| a.or(b), |[a, b, _]| a | b);
operation!(without, any, |a, b, _c| a.without(b), |[a, b, _]| a & !b);
operation!(xor, any, |a, b, _c| a.xor(b), |[a, b, _]| a ^ b);
operation!(or3, any, |a, b, c| a.or3(b, c), |[a, b, c]| a | b | c);
operation!(or_and, any, |a, b, c| a.or_and(b, c), |[a, b, c]| a | b & c);
operation!(or_without, any, |a, b, c| a.or_without(b, c), |[a, b, c]| a | b & !c);
operation!(majority, any, |a, b, c| a.majority(b, c), |[a, b, c]| a & b | a & c | b & c);
operation!(and_without, any, |a, b, c| a.and_without(b, c), |[a, b, c]| a & b & !c);
operation!(or_xor, any, |a, b, c| a.or_xor(b, c), |[a, b, c]| a | b ^ c);
operation!(xor_and, any, |a, b, c| a.xor_and(b, c), |[a, b, c]| (a ^ b) & c);
operation!(
    choose,
    |[a, b, c], max| [if a & 1 == 0 { 0 } else { max }, b, c],
    |a, b, c| a.choose(b, c),
    |[a, b, c]| if a == 0 { c } else { b }
);

operation!(plus, any, |a, b, _c| a.plus(b), |[a, b, _]| a.wrapping_add(b));
operation!(plus_fitting, fitting_sum, |a, b, _c| a.plus_fitting(b), |[a, b, _]| a + b);
operation!(minus, any, |a, b, _c| a.minus(b), |[a, b, _]| a.wrapping_sub(b));
operation!(
    minus_in,
    |[a, b, c], _| if c == 0 { [a, b, c] } else { [a, b.min(a), c] },
    |a, b, c| a.minus_in(c.nonzero(), b),
    |[a, b, c]| if c == 0 { a } else { a - b }
);
operation!(Wide times, any, |a, b, _c| a.times(b), |[a, b, _]| a.wrapping_mul(b));
operation!(Wide widening_product_high, halves, |a, b, _c| a.widening_product(b).0, |[a, b, _]| (a * b) >> 16);
operation!(Wide widening_product_low, halves, |a, b, _c| a.widening_product(b).1, |[a, b, _]| (a * b) & 0xffff);
operation!(up, without_highest, |a, _b, _c| a.up(), |[a, _, _]| a << 1);
// Who uses `down` masks the highest bit.
operation!(down, without_highest, |a, b, _c| b.down().and(a), |[a, b, _]| b >> 1 & a);
operation!(count_ones, any, |a, _b, _c| a.count_ones(), |[a, _, _]| a.count_ones());
operation!(count_ones_of_two, any, |a, b, _c| V::count_ones_of([a, b]), |[a, b, _]| a.count_ones()
    + b.count_ones());
operation!(count_ones_of_three, any, |a, b, c| V::count_ones_of([a, b, c]), |[a, b, c]| a.count_ones()
    + b.count_ones()
    + c.count_ones());

// Masks show in what they keep.
operation!(less, |[a, b, c], _| [a, b & 0x7fff, c], |a, b, c| c.keep(a.less(b)), |[a, b, c]| if a < b {
    c
} else {
    0
});
operation!(
    less_of_neighbours,
    |[a, b, c], _| [(a & 0x7fff).saturating_sub(b & 1), a & 0x7fff, c],
    |a, b, c| c.keep(a.less(b)),
    |[a, b, c]| if a < b { c } else { 0 }
);
operation!(equal, often_equal, |a, b, c| c.keep(a.equal(b)), |[a, b, c]| if a == b { c } else { 0 });
operation!(nonzero, any, |a, b, _c| b.keep(a.nonzero()), |[a, b, _]| if a != 0 { b } else { 0 });
operation!(replace, any, |a, b, c| a.replace(c.nonzero(), b), |[a, b, c]| if c != 0 { b } else { a });

#[test]
fn nth_ones_are_those_of_each_lane() {
    fn check<V: Vector>(isa: V::Isa) {
        let mut numbers = Numbers(6);
        for width in 2..V::LANE_BITS {
            for _ in 0..ROUNDS / 10 {
                let sets: Lanes =
                    std::array::from_fn(|_| numbers.up_to(lane_max::<V>()) & ((1 << width) - 1));
                let ranks: Lanes =
                    std::array::from_fn(|lane| numbers.next() % sets[lane].count_ones().max(1));
                let found = vector::<V>(isa, &sets).nth_one(isa, vector(isa, &ranks), width as usize);
                for (lane, found) in lanes(found).into_iter().enumerate() {
                    let (set, rank) = (sets[lane], ranks[lane]);
                    let expected = (0..width).filter(|bit| set >> bit & 1 == 1).nth(rank as usize);
                    assert_eq!(
                        found,
                        expected.map_or(0, |bit| 1 << bit),
                        "{set:b}, rank {rank} of {width} bits"
                    );
                }
            }
        }
    }

    test_on_all_vectors!(Vector check);
}

#[test]
fn splat_takes_the_low_bits() {
    fn check<V: Vector>(isa: V::Isa) {
        let mut numbers = Numbers(1);
        for _ in 0..ROUNDS {
            let value = numbers.up_to(u32::MAX);
            assert_eq!(lanes(V::splat(isa, value)), vec![value & lane_max::<V>(); V::LANES]);
        }
    }

    test_on_all_vectors!(Vector check);
}

#[test]
fn lanes_are_set_one_by_one() {
    fn check<V: Vector>(isa: V::Isa) {
        let mut numbers = Numbers(2);
        let mut expected = vec![0; V::LANES];
        let mut vector = V::splat(isa, 0);
        for _ in 0..ROUNDS {
            let (lane, value) = (numbers.next() as usize % V::LANES, numbers.up_to(u32::MAX));
            vector.set_lane(lane, value);
            expected[lane] = value & lane_max::<V>();
            assert_eq!(lanes(vector), expected);
        }
    }

    test_on_all_vectors!(Vector check);
}

#[test]
fn load_and_store_keep_their_order() {
    fn check<V: Wide>(isa: V::Isa) {
        let mut numbers = Numbers(3);
        for _ in 0..ROUNDS {
            let values: [u16; MAX_LANES] = std::array::from_fn(|_| numbers.up_to(0xffff) as u16);
            let loaded = V::load(isa, &values);
            assert!(lanes(loaded).iter().zip(values).all(|(&lane, value)| lane == u32::from(value)));
            // Only the low halves of wide lanes are stored, and nothing beyond the last lane.
            let wide: Lanes = std::array::from_fn(|_| numbers.up_to(lane_max::<V>()));
            let mut stored = values;
            vector::<V>(isa, &wide).store(&mut stored);
            for lane in 0..MAX_LANES {
                let expected = if lane < V::LANES { wide[lane] as u16 } else { values[lane] };
                assert_eq!(stored[lane], expected, "lane {lane}");
            }
        }
    }

    test_on_all_vectors!(Wide check);
}

#[test]
fn masks_are_sets_of_lanes() {
    fn check<V: Vector>(isa: V::Isa) {
        let mut numbers = Numbers(4);
        let all = u64::MAX >> (u64::BITS - V::LANES as u32);
        for _ in 0..ROUNDS {
            let [a, b] = [(); 2]
                .map(|()| u64::from(numbers.up_to(u32::MAX)) << 32 | u64::from(numbers.up_to(u32::MAX)));
            let [first, second] = [a, b].map(|bits| V::Mask::from_bits(isa, bits));
            assert_eq!(first.bits(), a & all);
            assert_eq!(first.and(second).bits(), a & b & all);
            assert_eq!(first.or(second).bits(), (a | b) & all);
            assert_eq!(first.without(second).bits(), a & !b & all);
            let ones = lanes(V::ones(isa, first));
            assert!(
                (0..)
                    .zip(ones)
                    .all(|(lane, ones)| ones == if a >> lane & 1 == 1 { lane_max::<V>() } else { 0 })
            );
        }
    }

    test_on_all_vectors!(Vector check);
}

#[test]
fn widening_and_narrowing_keep_lanes_and_masks() {
    test_on_all_vectors!(|V, isa| {
        let mut numbers = Numbers(5);
        for _ in 0..ROUNDS {
            let values: Lanes = std::array::from_fn(|_| numbers.up_to(lane_max::<V>()));
            let narrow = vector::<V>(isa, &values);
            assert_eq!(lanes(narrow.widen()), lanes(narrow));
            assert_eq!(lanes(V::narrow(narrow.widen())), lanes(narrow));
            let mask = narrow.nonzero();
            assert_eq!(V::widen_mask(mask).bits(), mask.bits());
            assert_eq!(V::narrow_mask(narrow.widen().nonzero()).bits(), mask.bits());
            // All ones or zero in every lane.
            assert_eq!(lanes(V::ones(isa, V::narrow_mask(V::widen_mask(mask)))), lanes(V::ones(isa, mask)));
            let ones = V::Wide::ones(isa, V::widen_mask(mask));
            assert!(
                lanes(ones)
                    .iter()
                    .zip(values)
                    .all(|(&ones, value)| ones == if value == 0 { 0 } else { lane_max::<V::Wide>() })
            );
        }
    });
}
