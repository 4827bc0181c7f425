//! A number that identifies the games of a run.

use std::fmt;

use jigo_engine::{BoardSize, Position, batch::Needs, zobrist::mix64};

use crate::{record::GameRecord, run::Sink};

/// A hash of games, their moves and ends. Equal games give equal signatures, in whatever order and on however many threads they are played;
/// different games almost certainly different ones.
///
/// Quoted with every speed, so that a faster but different game cannot pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature(u64);

impl Signature {
    /// The signature of one game on a board of this size.
    #[must_use]
    pub fn of(record: &GameRecord, size: BoardSize) -> Self {
        let start = mix64(record.game_index) ^ u64::from(record.is_capped());
        Self(record.codes(size).fold(start, |hash, code| mix64(hash ^ u64::from(code))))
    }
}

impl Sink for Signature {
    const NEEDS: Needs = Needs::Moves;

    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        self.merge(Self::of(record, position.size()));
    }

    fn merge(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
