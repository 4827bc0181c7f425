//! Random numbers for the tests of this crate: small, seeded and frozen.

use crate::Histogram;

/// The SplitMix64 generator.
///
/// # Source
/// G. L. Steele, D. Lea and C. H. Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014.
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`; its bias of at most `bound` in 2⁶⁴ is far below what a test can see.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A draw from a population given by weights.
    pub(crate) fn draw(&mut self, population: &Histogram) -> i32 {
        let place = self.below(population.count());
        population.order_statistic(place + 1).expect("the place is one of the population")
    }

    /// `size` independent draws from a population given by weights.
    pub(crate) fn sample(&mut self, population: &Histogram, size: u64) -> Histogram {
        let mut ends = Vec::new();
        let mut end = 0;
        for (value, weight) in population.iter() {
            end += weight;
            ends.push((end, value));
        }
        let draw = |_| {
            let place = self.below(end);
            ends[ends.partition_point(|&(end, _)| end <= place)].1
        };
        (0..size).map(draw).collect()
    }
}
