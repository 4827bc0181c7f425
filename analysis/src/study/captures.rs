//! Stones removed during games.

use serde::{Deserialize, Serialize};

use crate::Histogram;

/// Stones removed per game, by capture or suicide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureCounts {
    /// Black stones removed per game.
    pub black: Histogram,
    /// White stones removed per game.
    pub white: Histogram,
}

impl CaptureCounts {
    /// Counts one game's removed stones (Black, White).
    #[inline]
    pub fn add(&mut self, removed: [u32; 2]) {
        self.black.add(removed[0] as i32);
        self.white.add(removed[1] as i32);
    }

    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &Self) {
        self.black.merge(&other.black);
        self.white.merge(&other.white);
    }
}
