//! Unconditional life in final positions.

use jigo_engine::{Position, Suicide};
use serde::{Deserialize, Serialize};

use crate::Histogram;

/// What is certain about one side's stones in a position, by Benson's theorem and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStatus {
    /// Stones on the board.
    pub stones: u64,
    /// Stones of unconditionally alive chains.
    pub alive_stones: u64,
    /// Stones inside the opponent's unconditional territory.
    pub enclosed_stones: u64,
    /// Chains on the board.
    pub chains: u64,
    /// Unconditionally alive chains.
    pub alive_chains: u64,
    /// Points, empty or under opposing stones, of unconditional territory.
    pub territory: u64,
}

impl SideStatus {
    /// The certain part of each side's stones (Black, White) under a suicide rule.
    #[must_use]
    #[inline]
    pub fn of_both<const W: usize>(position: &Position<W>, suicide: Suicide) -> [Self; 2] {
        position.life_counts(suicide).map(|counts| Self {
            stones: counts.stones.into(),
            alive_stones: counts.alive_stones.into(),
            enclosed_stones: counts.dead_stones.into(),
            chains: counts.chains.into(),
            alive_chains: counts.alive_chains.into(),
            territory: counts.territory.into(),
        })
    }

    /// Stones that are neither unconditionally alive nor inside unconditional territory: nothing is said about them.
    #[must_use]
    pub const fn undecided_stones(&self) -> u64 {
        self.stones - self.alive_stones - self.enclosed_stones
    }

    /// Adds the counts of another position.
    pub const fn merge(&mut self, other: &Self) {
        self.stones += other.stones;
        self.alive_stones += other.alive_stones;
        self.enclosed_stones += other.enclosed_stones;
        self.chains += other.chains;
        self.alive_chains += other.alive_chains;
        self.territory += other.territory;
    }
}

/// Sums over final positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusCounts {
    /// Final positions.
    pub positions: u64,
    /// Positions in which every stone is unconditionally alive or inside unconditional territory.
    pub decided_positions: u64,
    /// Black's sums.
    pub black: SideStatus,
    /// White's sums.
    pub white: SideStatus,
    /// Undecided stones of both sides per position.
    pub undecided_stones: Histogram,
}

impl StatusCounts {
    /// Counts one final position (Black, White).
    #[inline]
    pub fn add(&mut self, [black, white]: [SideStatus; 2]) {
        let undecided = black.undecided_stones() + white.undecided_stones();
        self.positions += 1;
        self.decided_positions += u64::from(undecided == 0);
        self.black.merge(&black);
        self.white.merge(&white);
        self.undecided_stones.add(undecided as i32);
    }

    /// Both sides together.
    #[must_use]
    pub fn both(&self) -> SideStatus {
        let mut both = self.black;
        both.merge(&self.white);
        both
    }

    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Self) {
        self.positions += other.positions;
        self.decided_positions += other.decided_positions;
        self.black.merge(&other.black);
        self.white.merge(&other.white);
        self.undecided_stones.merge(&other.undecided_stones);
    }
}
