//! The operations of every back end of this processor against arithmetic lane by lane, on random values that the operation admits.

use super::{Bits as _, Lanes, MAX_LANES, Mask, Number, Simd, Vector, VectorJob, Wide, WideOf, run};

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
type Values = [u32; MAX_LANES];

/// The lanes that a vector has.
fn used<V: Lanes>() -> impl Iterator<Item = usize> {
    (0..V::LANES).filter(|lane| V::USED >> lane & 1 == 1)
}

fn vector<V: Lanes>(isa: V::Isa, values: &Values) -> V {
    let mut vector = V::splat(isa, 0);
    used::<V>().for_each(|lane| vector.set_lane(lane, values[lane]));
    vector
}

/// The values of the lanes that a vector has, zero for others.
fn values<V: Lanes>(vector: V) -> Values {
    let mut values = [0; MAX_LANES];
    used::<V>().for_each(|lane| values[lane] = vector.lane(lane));
    values
}

/// The largest value of a lane.
fn lane_max<V: Lanes>() -> u32 {
    u32::MAX >> (u32::BITS - V::LANE_BITS)
}

/// Defines a test of an operation, given how three numbers up to the greatest become operands that it admits, the operation on vectors, and what it
/// gives in a lane, modulo the number of its values. Before its name stands the trait that it belongs to, unless that is [`Lanes`].
macro_rules! operation {
    ($test:ident, $admit:expr, |$a:ident, $b:ident, $c:ident| $vectors:expr, $lane:expr) => {
        operation!(Lanes $test, $admit, |$a, $b, $c| $vectors, $lane);
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
                    let found = values($vectors);
                    for lane in used::<V>() {
                        let (operands, name) = (operands[lane], std::any::type_name::<V>());
                        let expected = expected(operands) & lane_max::<V>();
                        assert_eq!(found[lane], expected, "{name} lane {lane}: {operands:x?}");
                    }
                }
            }

            test_on_all_vectors!($trait check);
        }
    };
}

/// Runs a check on all vectors that have a trait, or on all that are sets.
macro_rules! test_on_all_vectors {
    (Lanes $check:ident) => {
        test_on_all_vectors!(|V, isa| {
            $check::<V>(isa);
            $check::<V::Number>(isa);
            $check::<WideOf<V>>(isa);
        });
    };
    (Vector $check:ident) => {
        test_on_all_vectors!(|V, isa| { $check::<V>(isa) });
    };
    (Number $check:ident) => {
        test_on_all_vectors!(|V, isa| {
            $check::<V::Number>(isa);
            $check::<WideOf<V>>(isa);
        });
    };
    (Wide $check:ident) => {
        test_on_all_vectors!(|V, isa| { $check::<WideOf<V>>(isa) });
    };
    (|$vector:ident, $isa:ident| $body:block) => {
        /// The check, for vectors whose longest row has so many points.
        struct Test(usize);

        impl VectorJob for Test {
            type Output = ();

            fn run<$vector: Vector>(self, $isa: $vector::Isa) {
                if self.0 == $vector::LONGEST_ROW $body
            }
        }

        for backend in Simd::available() {
            for row_points in 2..=31 {
                run(backend, row_points, Test(row_points));
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
    Number minus_in,
    |[a, b, c], _| if c == 0 { [a, b, c] } else { [a, b.min(a), c] },
    |a, b, c| a.minus_in(c.nonzero(), b),
    |[a, b, c]| if c == 0 { a } else { a - b }
);
operation!(Number times, |[a, b, c], max| [a.min(max / 7), b, c], |a, _b, _c| a.times(7), |[a, _, _]| 7 * a);
operation!(Wide widening_product_high, halves, |a, b, _c| a.widening_product(b).0, |[a, b, _]| (a * b) >> 16);
operation!(Wide widening_product_low, halves, |a, b, _c| a.widening_product(b).1, |[a, b, _]| (a * b) & 0xffff);
operation!(Vector up, without_highest, |a, _b, _c| a.up(), |[a, _, _]| a << 1);
// Who uses `down` masks the highest bit.
operation!(Vector down, without_highest, |a, b, _c| b.down().and(a), |[a, b, _]| b >> 1 & a);
operation!(Vector count_ones, any, |a, _b, _c| a.count_ones(), |[a, _, _]| a.count_ones());
operation!(Vector count_ones_of_two, any, |a, b, _c| V::count_ones_of([a, b]), |[a, b, _]| a.count_ones()
    + b.count_ones());
operation!(Vector count_ones_of_three, any, |a, b, c| V::count_ones_of([a, b, c]), |[a, b, c]| a.count_ones()
    + b.count_ones()
    + c.count_ones());

// Masks show in what they keep.
operation!(Number less, |[a, b, c], _| [a, b & 0x7fff, c], |a, b, c| c.keep(a.less(b)), |[a, b, c]| if a < b {
    c
} else {
    0
});
operation!(
    Number less_of_neighbours,
    |[a, b, c], _| [(a & 0x7fff).saturating_sub(b & 1), a & 0x7fff, c],
    |a, b, c| c.keep(a.less(b)),
    |[a, b, c]| if a < b { c } else { 0 }
);
operation!(Number equal, often_equal, |a, b, c| c.keep(a.equal(b)), |[a, b, c]| if a == b { c } else { 0 });
operation!(nonzero, any, |a, b, _c| b.keep(a.nonzero()), |[a, b, _]| if a != 0 { b } else { 0 });
operation!(replace, any, |a, b, c| a.replace(c.nonzero(), b), |[a, b, c]| if c != 0 { b } else { a });

#[test]
fn nth_ones_are_those_of_each_lane() {
    fn check<V: Vector>(isa: V::Isa) {
        let mut numbers = Numbers(6);
        for width in 2..=V::LONGEST_ROW {
            for _ in 0..ROUNDS / 10 {
                let sets: Values =
                    std::array::from_fn(|_| numbers.up_to(lane_max::<V>()) & ((1 << width) - 1));
                let ranks: Values =
                    std::array::from_fn(|lane| numbers.next() % sets[lane].count_ones().max(1));
                let found = vector::<V>(isa, &sets).nth_one(isa, vector(isa, &ranks), width);
                let found = values(found);
                for lane in used::<V>() {
                    let (set, rank) = (sets[lane], ranks[lane]);
                    let expected = (0..width).filter(|bit| set >> bit & 1 == 1).nth(rank as usize);
                    assert_eq!(
                        found[lane],
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
    fn check<V: Lanes>(isa: V::Isa) {
        let mut numbers = Numbers(1);
        for _ in 0..ROUNDS {
            let value = numbers.up_to(u32::MAX);
            assert!(used::<V>().all(|lane| V::splat(isa, value).lane(lane) == value & lane_max::<V>()));
        }
    }

    test_on_all_vectors!(Lanes check);
}

#[test]
fn lanes_are_set_one_by_one() {
    fn check<V: Lanes>(isa: V::Isa) {
        let mut numbers = Numbers(2);
        let lanes: Vec<usize> = used::<V>().collect();
        let mut expected = [0; MAX_LANES];
        let mut vector = V::splat(isa, 0);
        for _ in 0..ROUNDS {
            let (lane, value) = (lanes[numbers.next() as usize % lanes.len()], numbers.up_to(u32::MAX));
            vector.set_lane(lane, value);
            expected[lane] = value & lane_max::<V>();
            assert_eq!(values(vector), expected);
        }
    }

    test_on_all_vectors!(Lanes check);
}

#[test]
fn load_and_store_keep_their_order() {
    fn check<V: Wide>(isa: V::Isa) {
        let mut numbers = Numbers(3);
        for _ in 0..ROUNDS {
            let halves: [u16; MAX_LANES] = std::array::from_fn(|_| numbers.up_to(0xffff) as u16);
            let loaded = V::load(isa, &halves);
            assert!(used::<V>().all(|lane| loaded.lane(lane) == u32::from(halves[lane])));
            // Only the low halves of wide lanes are stored, and nothing beyond the last lane.
            let wide: Values = std::array::from_fn(|_| numbers.up_to(lane_max::<V>()));
            let mut stored = halves;
            vector::<V>(isa, &wide).store(&mut stored);
            for lane in 0..MAX_LANES {
                let expected = if lane < V::LANES { wide[lane] as u16 } else { halves[lane] };
                assert_eq!(stored[lane], expected, "lane {lane}");
            }
        }
    }

    test_on_all_vectors!(Wide check);
}

#[test]
fn masks_are_sets_of_lanes() {
    fn check<V: Lanes>(isa: V::Isa) {
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
            let ones = values(V::ones(isa, first));
            assert!(used::<V>().all(|lane| ones[lane] == (a >> lane & 1) as u32 * lane_max::<V>()));
        }
    }

    test_on_all_vectors!(Lanes check);
}

#[test]
fn widening_and_narrowing_keep_lanes_and_masks() {
    fn check<N: Number>(isa: N::Isa) {
        let mut numbers = Numbers(5);
        for _ in 0..ROUNDS {
            let narrow = vector::<N>(isa, &std::array::from_fn(|_| numbers.up_to(lane_max::<N>())));
            assert_eq!(values(narrow.widen()), values(narrow));
            assert_eq!(values(N::narrow(narrow.widen())), values(narrow));
            let mask = narrow.nonzero();
            assert_eq!(N::widen_mask(mask).bits(), mask.bits());
            assert_eq!(N::narrow_mask(narrow.widen().nonzero()).bits(), mask.bits());
            // All ones or zero in every lane.
            assert_eq!(values(N::ones(isa, N::narrow_mask(N::widen_mask(mask)))), values(N::ones(isa, mask)));
            let ones = values(N::Wide::ones(isa, N::widen_mask(mask)));
            let max = lane_max::<N::Wide>();
            assert!(used::<N>().all(|lane| ones[lane] == if narrow.lane(lane) == 0 { 0 } else { max }));
        }
    }

    test_on_all_vectors!(Number check);
}
