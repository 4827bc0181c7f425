//! The two players.

use std::{fmt, ops::Not};

/// One of the two players, and the colour of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Plays first.
    Black,
    /// Receives the komi.
    White,
}

impl Color {
    /// Black, then White: for loops over both players.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The position of this colour in arrays that hold one value per player: Black 0, White 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The sign of this colour's points in a margin (Black minus White): +1 for Black, −1 for White.
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Self::Black => 1,
            Self::White => -1,
        }
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        self.opponent()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}
