//! Sinks: a cheap one for timed runs, and one that tells which games were played.

use std::hash::{Hash as _, Hasher};

use jigo_engine::{Position, zobrist::mix64};
use jigo_selfplay::{GameRecord, Needs, Signature, Sink};

use crate::config::Recorded;

/// What runs of the same games agree on, whatever is recorded. Adding is commutative, so neither order nor threads matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) games: u64,
    pub(super) plies: u64,
    pub(super) margins: i64,
    /// Hashes of game index and final position.
    pub(super) positions: u64,
}

impl Sums {
    #[inline]
    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        let mut hash = PositionHash(record.game_index);
        position.hash(&mut hash);
        self.merge(Self {
            games: 1,
            plies: record.ply_count().into(),
            margins: record.margin().into(),
            positions: hash.finish(),
        });
    }

    fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.margins += other.margins;
        self.positions = self.positions.wrapping_add(other.positions);
    }
}

/// A few operations per word, so that what is timed is playing.
struct PositionHash(u64);

impl Hasher for PositionHash {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        for &byte in rest {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        mix64(self.0)
    }
}

pub(super) const END: u8 = Recorded::End as u8;
pub(super) const MOVES: u8 = Recorded::Moves as u8;
pub(super) const REPETITIONS: u8 = Recorded::Repetitions as u8;
pub(super) const ALL: u8 = Recorded::All as u8;

/// The sink of timed runs that record so much (a [`Recorded`] as a number).
#[derive(Default)]
pub(super) struct Timed<const RECORDED: u8>(pub(super) Sums);

impl<const RECORDED: u8> Sink for Timed<RECORDED> {
    const NEEDS: Needs = match RECORDED {
        END => Needs::End,
        MOVES => Needs::Moves,
        REPETITIONS => Needs::Repetitions,
        ALL => Needs::All,
        _ => panic!("no such record"),
    };

    #[inline]
    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        self.0.add(record, position);
    }

    fn merge(&mut self, other: Self) {
        self.0.merge(other.0);
    }
}

/// The sink of the run that is not timed.
#[derive(Default)]
pub(super) struct Identified {
    pub(super) sums: Sums,
    pub(super) signature: Signature,
}

impl Sink for Identified {
    const NEEDS: Needs = Signature::NEEDS;

    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        self.sums.add(record, position);
        self.signature.add(record, position);
    }

    fn merge(&mut self, other: Self) {
        self.sums.merge(other.sums);
        self.signature.merge(other.signature);
    }
}
