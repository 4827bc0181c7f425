//! The random numbers of a game, and those of many games side by side.

use jigo_engine::{batch::MAX_LANES, zobrist::mix64};

/// The version of the games: which game a configuration, a seed and an index give. `docs/playouts.md` specifies them, `docs/stability.md` says when this
/// number changes.
pub const GAMES_VERSION: u32 = 1;

/// Returns the seed of one game: a function of the run's seed and the game's index alone, so that any game can be played again by itself.
///
/// Both words pass through a bijection before they meet, so that neighbouring games and neighbouring runs share nothing.
///
/// # Stability
/// Frozen with the [games](GAMES_VERSION): `tests/data/games-v1/signatures.csv` pins them.
#[must_use]
pub const fn game_seed(run_seed: u64, game_index: u64) -> u64 {
    mix64(mix64(run_seed).wrapping_add(game_index))
}

/// The distance between SplitMix64's states.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The random numbers of one game: samples of 16 bits.
///
/// The generator is xoshiro128++, seeded from the [game's seed](game_seed) by SplitMix64 as its authors recommend. Each 32-bit output gives
/// two samples, first its low half, then its high half.
///
/// # Stability
/// Frozen with the games.
///
/// # Source
/// David Blackman and Sebastiano Vigna, *Scrambled linear pseudorandom number generators*, ACM TOMS 47 (2021).
#[derive(Clone, Debug)]
pub struct Stream {
    state: [u32; 4],
    /// Samples taken in advance, and how many of them are used: most samples are then one read.
    samples: [u16; AHEAD],
    used: usize,
}

const AHEAD: usize = 32;

impl Stream {
    /// Returns the stream of game `game_index` in the run with this seed.
    #[must_use]
    pub fn new(run_seed: u64, game_index: u64) -> Self {
        Self { state: Self::initial_state(run_seed, game_index), samples: [0; AHEAD], used: AHEAD }
    }

    /// Returns the generator's state at the beginning of a game.
    fn initial_state(run_seed: u64, game_index: u64) -> [u32; 4] {
        let seed = game_seed(run_seed, game_index);
        let words = [mix64(seed), mix64(seed.wrapping_add(GOLDEN_GAMMA))];
        [words[0] as u32, (words[0] >> 32) as u32, words[1] as u32, (words[1] >> 32) as u32]
    }

    /// Returns the next 16 bits.
    #[inline(always)]
    pub fn sample(&mut self) -> u16 {
        if self.used >= AHEAD {
            self.sample_ahead();
        }
        let sample = self.samples[self.used];
        self.used += 1;
        sample
    }

    #[inline(never)]
    fn sample_ahead(&mut self) {
        for halves in self.samples.chunks_exact_mut(2) {
            let word = next(&mut self.state);
            halves.copy_from_slice(&[word as u16, (word >> 16) as u16]);
        }
        self.used = 0;
    }

    /// Returns a number below `bound`, all equally likely.
    ///
    /// Multiplies a sample by the bound and takes the upper half of the product, unless the lower half shows that this value would come up too
    /// often: then it takes another sample (at most `bound` in 65,536 times).
    ///
    /// # Panics
    /// When the bound is 0. Bounds above 65,536 cannot be met by 16 bits and panic as well.
    ///
    /// # Source
    /// Daniel Lemire, *Fast random integer generation in an interval*, ACM TOMACS 29 (2019).
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(0 < bound && bound <= 1 << 16, "no uniform number below {bound}");
        loop {
            let product = u32::from(self.sample()) * bound;
            let low = product & 0xffff;
            if low >= bound || low >= (1 << 16) % bound {
                return product >> 16;
            }
        }
    }
}

/// The [`Stream`]s of the games of a batch, one in each lane: the same samples, but all lanes move on at once.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Streams {
    /// The next samples.
    samples: [u16; MAX_LANES],
    blocks: [Block; MAX_LANES / BLOCK],
}

/// Lanes that move on in one loop.
const BLOCK: usize = 32;
/// In a batch with at most half of these lanes, only those move on.
const HALF: usize = BLOCK / 2;
/// In a batch with at most three quarters of them, only those.
const THREE_QUARTERS: usize = BLOCK / 4 * 3;

/// The generators of some lanes.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Their states.
    state: [[u32; BLOCK]; 4],
    /// The upper halves of the last outputs.
    high: [u16; BLOCK],
    /// All ones where the next sample is such an upper half, else zero.
    is_high: [u16; BLOCK],
}

impl Streams {
    /// Returns streams that must be [started](Self::start).
    pub(crate) fn new() -> Self {
        let block = Block { state: [[0; BLOCK]; 4], high: [0; BLOCK], is_high: [0; BLOCK] };
        Self { samples: [0; MAX_LANES], blocks: [block; MAX_LANES / BLOCK] }
    }

    /// Begins the stream of a game.
    pub(crate) fn start(&mut self, lane: usize, run_seed: u64, game_index: u64) {
        let mut state = Stream::initial_state(run_seed, game_index);
        let output = next(&mut state);
        self.samples[lane] = output as u16;
        let (block, lane) = (&mut self.blocks[lane / BLOCK], lane % BLOCK);
        for (words, word) in block.state.iter_mut().zip(state) {
            words[lane] = word;
        }
        block.high[lane] = (output >> 16) as u16;
        block.is_high[lane] = 0;
    }

    /// Returns the next sample of each lane.
    #[inline(always)]
    pub(crate) fn samples(&self) -> &[u16; MAX_LANES] {
        &self.samples
    }

    /// Moves on in the lanes whose element is all ones; in the others it is zero.
    #[inline(always)]
    pub(crate) fn advance(&mut self, used: &[u16]) {
        let samples = self.samples.as_chunks_mut().0;
        for ((block, samples), used) in self.blocks.iter_mut().zip(samples).zip(used.chunks(BLOCK)) {
            if used.len() <= HALF {
                block.advance::<HALF>(samples, used);
            } else if used.len() <= THREE_QUARTERS {
                block.advance::<THREE_QUARTERS>(samples, used);
            } else {
                block.advance::<BLOCK>(samples, used);
            }
        }
    }
}

impl Block {
    /// Moves on as [`Streams::advance`] does, in the first `N` lanes.
    ///
    /// Chooses by masks and works on copies of just these lanes, so that compilers make vectors of the loop.
    #[inline(always)]
    fn advance<const N: usize>(&mut self, next_samples: &mut [u16; BLOCK], used: &[u16]) {
        assert!(used.len() <= N);
        let [a, b, c, d] = &mut self.state;
        let (to_a, to_b, to_c, to_d) =
            (first::<_, N>(a), first::<_, N>(b), first::<_, N>(c), first::<_, N>(d));
        let to_samples = first::<_, N>(next_samples);
        let (to_high, to_is_high) = (first::<_, N>(&mut self.high), first::<_, N>(&mut self.is_high));
        let (mut a, mut b, mut c, mut d) = (*to_a, *to_b, *to_c, *to_d);
        let (mut samples, mut high, mut is_high) = (*to_samples, *to_high, *to_is_high);
        for (lane, &used) in used.iter().enumerate() {
            let steps = used & is_high[lane];
            let wide_steps = i32::from(steps as i16) as u32;
            let mut state = [a[lane], b[lane], c[lane], d[lane]];
            let output = next(&mut state);
            a[lane] ^= (a[lane] ^ state[0]) & wide_steps;
            b[lane] ^= (b[lane] ^ state[1]) & wide_steps;
            c[lane] ^= (c[lane] ^ state[2]) & wide_steps;
            d[lane] ^= (d[lane] ^ state[3]) & wide_steps;
            let following = high[lane] ^ (high[lane] ^ output as u16) & is_high[lane];
            samples[lane] ^= (samples[lane] ^ following) & used;
            high[lane] ^= (high[lane] ^ (output >> 16) as u16) & steps;
            is_high[lane] ^= used;
        }
        (*to_a, *to_b, *to_c, *to_d) = (a, b, c, d);
        (*to_samples, *to_high, *to_is_high) = (samples, high, is_high);
    }
}

/// The first `N` lanes of a block.
#[inline(always)]
fn first<T, const N: usize>(lanes: &mut [T; BLOCK]) -> &mut [T; N] {
    lanes.first_chunk_mut().expect("at most the lanes of a block")
}

/// One step of xoshiro128++.
///
/// # Source
/// David Blackman and Sebastiano Vigna, *xoshiro128plusplus.c* (2019, public domain).
#[inline(always)]
fn next(state: &mut [u32; 4]) -> u32 {
    let output = state[0].wrapping_add(state[3]).rotate_left(7).wrapping_add(state[0]);
    let shifted = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3].rotate_left(11);
    output
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro128PlusPlus;

    use super::*;

    #[test]
    fn halves_of_the_published_generator() {
        let mut generator = Xoshiro128PlusPlus::seed_from_u64(game_seed(3, 4));
        let mut stream = Stream::new(3, 4);
        for _ in 0..100 {
            let word = generator.next_u32();
            assert_eq!([stream.sample(), stream.sample()], [word as u16, (word >> 16) as u16]);
        }
    }

    /// Takes the bounded number from all 65,536 values instead of random ones: each result must come up equally often.
    #[test]
    fn bounded_numbers_are_exactly_uniform() {
        for bound in [1, 2, 3, 7, 81, 169, 361, 625, 1000, 65_535, 65_536] {
            let mut counts = vec![0_u32; bound as usize];
            for sample in 0..=u32::from(u16::MAX) {
                let product = sample * bound;
                if product & 0xffff >= (1 << 16) % bound {
                    counts[(product >> 16) as usize] += 1;
                }
            }
            assert!(counts.iter().all(|&count| count == 65_536 / bound), "{bound}");
        }
    }

    #[test]
    fn seeds_of_neighbours_share_nothing() {
        let seeds: std::collections::HashSet<u64> =
            (0..100).flat_map(|run| (0..100).map(move |game| game_seed(run, game))).collect();
        assert_eq!(seeds.len(), 10_000);
    }

    /// Lanes move on at different times; each sees the samples of its game.
    #[test]
    fn lanes_sample_what_their_games_sample() {
        for lanes in [8, 16, 32, MAX_LANES] {
            let mut streams = Streams::new();
            let mut alone: Vec<Stream> = (0..lanes).map(|lane| Stream::new(7, lane as u64)).collect();
            (0..lanes).for_each(|lane| streams.start(lane, 7, lane as u64));
            let mut expected: Vec<u16> = alone.iter_mut().map(Stream::sample).collect();
            for step in 0..200_u32 {
                assert_eq!(streams.samples()[..lanes], expected);
                let is_used =
                    |lane: usize| !(step.wrapping_mul(2_654_435_761) >> (lane % 29)).is_multiple_of(3);
                let used: Vec<u16> =
                    (0..lanes).map(|lane| if is_used(lane) { u16::MAX } else { 0 }).collect();
                streams.advance(&used);
                for lane in (0..lanes).filter(|&lane| is_used(lane)) {
                    expected[lane] = alone[lane].sample();
                }
            }
        }
    }

    /// A lane that is started again forgets the game it had.
    #[test]
    fn a_lane_can_be_started_again() {
        let mut streams = Streams::new();
        streams.start(3, 1, 2);
        streams.advance(&[u16::MAX; MAX_LANES]);
        streams.start(3, 1, 5);
        let mut alone = Stream::new(1, 5);
        for _ in 0..9 {
            assert_eq!(streams.samples()[3], alone.sample());
            streams.advance(&[u16::MAX; MAX_LANES]);
        }
    }
}
