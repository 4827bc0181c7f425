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
    /// By proofs of both bounds that were checked, under simple ko and every superko rule. `jigo solve` finds them again.
    Proved,
    /// By a search with the history of the game, under positional and situational superko alone. `jigo solve` finds it again.
    Searched,
    /// Strong players and programs agree on it.
    Believed,
}

/// Width, height and value; each board once.
const VALUES: [(usize, usize, i32, Evidence); 30] = [
    (1, 1, 0, Evidence::Proved),
    (1, 2, 0, Evidence::Proved),
    (1, 3, 3, Evidence::Proved),
    (1, 4, 4, Evidence::Proved),
    (1, 5, 0, Evidence::Searched),
    (1, 6, 1, Evidence::Searched),
    (1, 7, 2, Evidence::Searched),
    (1, 8, 3, Evidence::Searched),
    (1, 9, 0, Evidence::Searched),
    (1, 10, 1, Evidence::Searched),
    (1, 11, 2, Evidence::Searched),
    (2, 2, 1, Evidence::Searched),
    (2, 3, 0, Evidence::Searched),
    (2, 4, 8, Evidence::Proved),
    (2, 5, 10, Evidence::Proved),
    (2, 6, 12, Evidence::Proved),
    (2, 7, 14, Evidence::Proved),
    (2, 8, 16, Evidence::Proved),
    (2, 9, 18, Evidence::Proved),
    (3, 3, 9, Evidence::Proved),
    (3, 4, 4, Evidence::Searched),
    (3, 5, 15, Evidence::Proved),
    (3, 6, 18, Evidence::Proved),
    (4, 4, 2, Evidence::Searched),
    (4, 5, 20, Evidence::Proved),
    (5, 5, 25, Evidence::Proved),
    (6, 6, 4, Evidence::Believed),
    (7, 7, 9, Evidence::Believed),
    (8, 8, 10, Evidence::Believed),
    (9, 9, 7, Evidence::Believed),
];

impl KnownValue {
    /// Returns the value of a board under a ko rule; nothing where it is not known.
    ///
    /// # Source
    /// 6×6 and 7×7: the analyses of strong players and programs. 8×8 and 9×9: the komi at which strong programs win as often with both colours. All
    /// smaller boards: `docs/solve.md`.
    #[must_use]
    pub fn new(size: BoardSize, ko: Ko) -> Option<Self> {
        let sides = (size.width().min(size.height()), size.width().max(size.height()));
        let &(.., margin, evidence) = VALUES.iter().find(|&&(width, height, ..)| (width, height) == sides)?;
        (evidence != Evidence::Searched || ko != Ko::Simple).then_some(Self { margin, evidence })
    }
}
