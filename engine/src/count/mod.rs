//! Exact numbers for small boards: move trees, legal positions, games, and the result of best play.
//!
//! Nothing here estimates: a count that cannot be had ends in a [`CountError`] that names the limit. Functions that may run for long take
//! a report function, which sees the [`CountProgress`] now and then and may stop the work.

mod games;
mod legal;
mod perft;
mod positions;
mod sekis;
mod solve;

use std::{
    hash::{BuildHasherDefault, Hasher},
    ops::ControlFlow,
};

pub use games::game_count;
pub use legal::{MoveTotals, enumerate_legal_positions, legal_positions, move_totals};
pub use perft::{PlyCount, perft};
pub use sekis::{SekiCensus, SekiForm, seki_census};
pub use solve::{Solution, solve};

use crate::{BoardSize, zobrist::mix64};

/// How far a piece of work has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountProgress {
    /// Steps done so far: positions of a move tree, states of a table, as the function says. Their total is not known beforehand.
    pub steps: u64,
}

/// Sees the progress about every 65,536 steps; [`ControlFlow::Break`] ends the work with [`CountError::Stopped`].
pub type Report<'a> = &'a mut dyn FnMut(CountProgress) -> ControlFlow<()>;

/// Why a number cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// The method does not reach this size.
    #[error("a {size} board is too large: {limit}")]
    TooLarge {
        /// The size that was requested.
        size: BoardSize,
        /// The limit and its reason.
        limit: &'static str,
    },
    /// The number does not fit.
    #[error("the number exceeds 128 bits; count a smaller board")]
    Overflow,
    /// The rules allow games of any length.
    #[error("there are infinitely many games: simple ko allows longer cycles; choose a superko rule")]
    InfinitelyMany,
    /// The report function ended the work.
    #[error("stopped before the end")]
    Stopped,
}

/// Counts steps and reports them at intervals.
struct Pace<'a> {
    steps: u64,
    report: Report<'a>,
}

impl<'a> Pace<'a> {
    const INTERVAL: u64 = 1 << 16;

    fn new(report: Report<'a>) -> Self {
        Self { steps: 0, report }
    }

    #[inline]
    fn step(&mut self) -> Result<(), CountError> {
        self.steps += 1;
        if self.steps.is_multiple_of(Self::INTERVAL) {
            return self.report();
        }
        Ok(())
    }

    fn report(&mut self) -> Result<(), CountError> {
        match (self.report)(CountProgress { steps: self.steps }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(CountError::Stopped),
        }
    }
}

/// A fast hash for tables whose keys are not chosen by an adversary.
#[derive(Clone, Copy, Default)]
struct MixHasher(u64);

type MixMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<MixHasher>>;

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

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }
}
