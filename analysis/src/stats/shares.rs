//! Who won how often.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Proportion;

/// Games won by Black, drawn and won by White, at one komi.
///
/// Displays in one line as below. Per cents are rounded to two decimals, halves up, so they may add up to a little more or less
/// than 100.
///
/// ```
/// use jigo_analysis::stats::Shares;
/// let shares = Shares { black: 6114, jigo: 90, white: 6311 };
/// let line = "Black 6114 (48.85 %), White 6311 (50.43 %), draws 90 (0.72 %) of 12515 games";
/// assert_eq!(shares.to_string(), line);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shares {
    /// Games won by Black.
    pub black: u64,
    /// Games drawn: equal after komi.
    pub jigo: u64,
    /// Games won by White.
    pub white: u64,
}

impl Shares {
    /// Number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.black + self.jigo + self.white
    }

    /// Counts all games of `other`.
    pub const fn merge(&mut self, other: &Self) {
        self.black += other.black;
        self.jigo += other.jigo;
        self.white += other.white;
    }

    /// Black's wins among all games.
    #[must_use]
    pub fn black_wins(&self) -> Proportion {
        self.part(self.black)
    }

    /// Draws among all games.
    #[must_use]
    pub fn draws(&self) -> Proportion {
        self.part(self.jigo)
    }

    /// White's wins among all games.
    #[must_use]
    pub fn white_wins(&self) -> Proportion {
        self.part(self.white)
    }

    /// Difference between the two sides' wins, in games.
    #[must_use]
    pub const fn imbalance(&self) -> u64 {
        self.black.abs_diff(self.white)
    }

    fn part(&self, count: u64) -> Proportion {
        Proportion::new(count, self.games()).expect("a part is at most the whole")
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { black, jigo, white } = self;
        let (black_wins, white_wins, draws) = (self.black_wins(), self.white_wins(), self.draws());
        write!(f, "Black {black} ({black_wins}), White {white} ({white_wins}), draws {jigo} ({draws})")?;
        match self.games() {
            1 => write!(f, " of 1 game"),
            games => write!(f, " of {games} games"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_games_read_well() {
        let none = Shares::default();
        assert_eq!(none.to_string(), "Black 0 (-), White 0 (-), draws 0 (-) of 0 games");
        let one = Shares { white: 1, ..none };
        assert_eq!(one.to_string(), "Black 0 (0.00 %), White 1 (100.00 %), draws 0 (0.00 %) of 1 game");
    }

    #[test]
    fn merging_adds() {
        let mut shares = Shares { black: 1, jigo: 2, white: 3 };
        shares.merge(&Shares { black: 10, jigo: 20, white: 31 });
        assert_eq!(shares, Shares { black: 11, jigo: 22, white: 34 });
        assert_eq!((shares.games(), shares.imbalance()), (67, 23));
    }
}
