//! Tables of states.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash, Hasher},
};

use super::{Points, Stones};
use crate::{Color, zobrist::mix64};

/// A state of a local game: the stones, who is to move, where he may not retake, and which of the stones that a quest remembers are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) stones: Stones,
    pub(super) to_move: Color,
    pub(super) ban: Option<u8>,
    pub(super) gone: Points,
}

/// A table of what is known.
pub(super) type Table<K, V> = HashMap<K, V, BuildHasherDefault<MixHasher>>;

/// The numbers of states.
pub(super) type StateTable = Table<State, u32>;

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [black, white] = self.stones;
        let ban = self.ban.map_or(0, |ban| u64::from(ban) + 1);
        hasher.write_u64(mix64(black) ^ white.rotate_left(32));
        hasher.write_u64((ban << 1 | self.to_move.index() as u64) ^ self.gone.rotate_left(8));
    }
}

/// Mixes whole words: states are no messages of enemies.
#[derive(Default)]
pub(super) struct MixHasher(u64);

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

    fn write_u64(&mut self, word: u64) {
        self.0 = mix64(self.0 ^ word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
