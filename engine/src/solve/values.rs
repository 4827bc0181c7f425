//! The values of boards that are known: the only place where they stand.

use crate::{BoardSize, Ko};

/// Black's margin by area from an empty board when both play best, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownValue {
    /// Black's area minus White's.
    pub margin: i32,
    /// How it is known.
    pub evidence: Evidence,
}

/// How a value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// By proofs of both bounds that were checked. `jigo solve` finds them again.
    Proved,
    /// Strong players and programs agree on it.
    Believed,
}

const EVERY: &[Ko] = &Ko::ALL;
const SUPERKO: &[Ko] = &[Ko::PositionalSuperko, Ko::SituationalSuperko];

/// Width, height, value, and the ko rules under which it is proved.
const PROVED: [(usize, usize, i32, &[Ko]); 30] = [
    (1, 1, 0, EVERY),
    (1, 2, 0, EVERY),
    (1, 3, 3, EVERY),
    (1, 4, 4, EVERY),
    (1, 5, 0, SUPERKO),
    (1, 6, 1, SUPERKO),
    (1, 7, 2, SUPERKO),
    (1, 8, 3, SUPERKO),
    (1, 9, 0, SUPERKO),
    (1, 10, 1, SUPERKO),
    (1, 11, 2, SUPERKO),
    (1, 12, 2, &[Ko::PositionalSuperko]),
    (1, 12, 1, &[Ko::SituationalSuperko]),
    (1, 13, 0, SUPERKO),
    (2, 2, 1, SUPERKO),
    (2, 3, 0, SUPERKO),
    (2, 4, 8, EVERY),
    (2, 5, 10, EVERY),
    (2, 6, 12, EVERY),
    (2, 7, 14, EVERY),
    (2, 8, 16, EVERY),
    (2, 9, 18, EVERY),
    (2, 10, 4, &[Ko::Simple]),
    (3, 3, 9, EVERY),
    (3, 4, 4, SUPERKO),
    (3, 5, 15, EVERY),
    (3, 6, 18, EVERY),
    (4, 4, 2, SUPERKO),
    (4, 5, 20, EVERY),
    (5, 5, 25, EVERY),
];

/// Width, height, and value under every ko rule.
const BELIEVED: [(usize, usize, i32); 4] = [(6, 6, 4), (7, 7, 9), (8, 8, 10), (9, 9, 7)];

impl KnownValue {
    /// Returns the value of a board under a ko rule; nothing where it is not known.
    ///
    /// # Source
    /// 6×6 and 7×7: the analyses of strong players and programs. 8×8 and 9×9: the komi at which strong programs win as often with both colours. All
    /// smaller boards: `docs/solve.md`.
    #[must_use]
    pub fn new(size: BoardSize, ko: Ko) -> Option<Self> {
        let sides = (size.width().min(size.height()), size.width().max(size.height()));
        let proved =
            PROVED.iter().find(|&&(width, height, _, kos)| (width, height) == sides && kos.contains(&ko));
        let believed = || BELIEVED.iter().find(|&&(width, height, _)| (width, height) == sides);
        match proved {
            Some(&(_, _, margin, _)) => Some(Self { margin, evidence: Evidence::Proved }),
            None => believed().map(|&(_, _, margin)| Self { margin, evidence: Evidence::Believed }),
        }
    }
}
