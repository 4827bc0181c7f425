//! Keys whose sum (exclusive or) over the stones of a position is its hash, and a fast hash for other tables.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use crate::{BoardSize, Color, Point};

/// The key of one stone: a function of colour and coordinates only, so that a hash means the same on every machine.
///
/// # Stability
/// Frozen: a test below pins the values.
#[must_use]
pub(crate) const fn key(color: Color, point: Point) -> u64 {
    let index = (color as u64 * BoardSize::MAX_SIDE as u64 + point.y as u64) * BoardSize::MAX_SIDE as u64
        + point.x as u64;
    mix64(mix64(index).wrapping_add(0x6a69_676f)) // "jigo"
}

/// A bijection of 64-bit words in which every input bit changes about half of the output bits.
///
/// # Source
/// Sebastiano Vigna, *splitmix64.c* (2015, public domain): one step of the generator from state `word`.
#[must_use]
pub const fn mix64(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// A hash table with a fast hash of whole words: keys come from searches, never from an adversary.
pub(crate) type MixMap<K, V> = HashMap<K, V, BuildHasherDefault<MixHasher>>;

#[derive(Clone, Copy, Default)]
pub(crate) struct MixHasher(u64);

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix64(self.0 ^ word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mix64_matches_the_published_generator() {
        // The first three outputs of splitmix64.c from state 1234567, as listed by Rosetta Code.
        let golden_ratio = 0x9e37_79b9_7f4a_7c15_u64;
        let outputs =
            [0, 1, 2].map(|step: u64| mix64(1_234_567_u64.wrapping_add(step.wrapping_mul(golden_ratio))));
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn keys_are_pinned() {
        let size = BoardSize::square(BoardSize::MAX_SIDE).unwrap();
        let keys =
            Color::BOTH.into_iter().flat_map(|color| size.points().map(move |point| key(color, point)));
        assert_eq!(keys.fold(0, |hash, key| mix64(hash ^ key)), 6_965_587_902_365_963_678);
        assert_eq!(key(Color::Black, Point::new(0, 0)), 7_107_252_527_888_931_002);
    }

    #[test]
    fn keys_are_distinct() {
        let size = BoardSize::square(BoardSize::MAX_SIDE).unwrap();
        let keys: std::collections::HashSet<u64> =
            Color::BOTH.iter().flat_map(|&color| size.points().map(move |point| key(color, point))).collect();
        assert_eq!(keys.len(), 2 * size.point_count());
    }
}
