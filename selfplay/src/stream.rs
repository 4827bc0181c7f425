//! The random stream of one game.

use jigo_engine::zobrist::mix64;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro128PlusPlus;

/// The version of the games: which game a seed, an index and a setting give. `docs/playouts.md` specifies them, `docs/stability.md` says when this
/// number changes.
pub const GAMES_VERSION: u32 = 1;

/// The seed of one game: a function of the run's seed and the game's index alone, so that any game can be played again by itself.
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

/// The random draws of one game: 16 bits at a time.
///
/// The generator is xoshiro128++, seeded from the [game's seed](game_seed) by SplitMix64 as its authors recommend. Each 32-bit output gives
/// two draws, first its low half, then its high half.
///
/// # Stability
/// Frozen with the games.
///
/// # Source
/// David Blackman and Sebastiano Vigna, *Scrambled linear pseudorandom number generators*, ACM TOMS 47 (2021).
#[derive(Clone, Debug)]
pub struct Stream {
    generator: Xoshiro128PlusPlus,
    /// Draws made in advance, and how many of them are used: most draws are then one read.
    draws: [u16; AHEAD],
    used: usize,
}

const AHEAD: usize = 32;

impl Stream {
    /// The stream of game `game_index` in the run with this seed.
    #[must_use]
    pub fn new(run_seed: u64, game_index: u64) -> Self {
        let generator = Xoshiro128PlusPlus::seed_from_u64(game_seed(run_seed, game_index));
        Self { generator, draws: [0; AHEAD], used: AHEAD }
    }

    /// The generator's state at the beginning of a game.
    pub(crate) fn initial_state(run_seed: u64, game_index: u64) -> [u32; 4] {
        let seed = game_seed(run_seed, game_index);
        let words = [mix64(seed), mix64(seed.wrapping_add(GOLDEN_GAMMA))];
        [words[0] as u32, (words[0] >> 32) as u32, words[1] as u32, (words[1] >> 32) as u32]
    }

    /// The next 16 bits.
    #[inline(always)]
    pub fn draw(&mut self) -> u16 {
        if self.used >= AHEAD {
            self.draw_ahead();
        }
        let draw = self.draws[self.used];
        self.used += 1;
        draw
    }

    #[inline(never)]
    fn draw_ahead(&mut self) {
        for halves in self.draws.chunks_exact_mut(2) {
            let word = self.generator.next_u32();
            halves.copy_from_slice(&[word as u16, (word >> 16) as u16]);
        }
        self.used = 0;
    }

    /// A number below `bound`, all equally likely.
    ///
    /// Multiplies a draw by the bound and takes the upper half of the product, unless the lower half shows that this value would come up too
    /// often: then it draws again (at most `bound` in 65,536 times).
    ///
    /// # Panics
    /// When the bound is 0. Bounds above 65,536 cannot be met by 16 bits and panic as well.
    ///
    /// # Source
    /// Daniel Lemire, *Fast random integer generation in an interval*, ACM TOMACS 29 (2019).
    #[inline(always)]
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(0 < bound && bound <= 1 << 16, "no uniform draw below {bound}");
        loop {
            let product = u32::from(self.draw()) * bound;
            let low = product & 0xffff;
            if low >= bound || low >= (1 << 16) % bound {
                return product >> 16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_the_published_generator() {
        let mut generator = Xoshiro128PlusPlus::seed_from_u64(game_seed(3, 4));
        let mut stream = Stream::new(3, 4);
        for _ in 0..100 {
            let word = generator.next_u32();
            assert_eq!([stream.draw(), stream.draw()], [word as u16, (word >> 16) as u16]);
        }
    }

    /// Runs the bounded draw over all 65,536 values instead of random ones: each result must come up equally often.
    #[test]
    fn bounded_draws_are_exactly_uniform() {
        for bound in [1, 2, 3, 7, 81, 169, 361, 625, 1000, 65_535, 65_536] {
            let mut counts = vec![0_u32; bound as usize];
            for draw in 0..=u32::from(u16::MAX) {
                let product = draw * bound;
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
}
