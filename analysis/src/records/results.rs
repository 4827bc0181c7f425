//! What records say about who won.

use jigo_engine::Color;
use jigo_selfplay::sgf::{GameResult, WinBy};
use serde::{Deserialize, Serialize};

use crate::stats::Shares;

/// Games by the result recorded in `RE`. Nothing here was checked against the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultCounts {
    /// Black's wins.
    pub black: WinCounts,
    /// White's wins.
    pub white: WinCounts,
    /// Jigo.
    pub draw: u64,
    /// No result, or play suspended.
    pub void: u64,
    /// Said to be unknown.
    pub unknown: u64,
    /// Text that is no result.
    pub other: u64,
    /// Nothing recorded.
    pub not_recorded: u64,
}

/// One side's wins by their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinCounts {
    /// By points.
    pub score: u64,
    /// By resignation.
    pub resignation: u64,
    /// On time.
    pub time: u64,
    /// By forfeit.
    pub forfeit: u64,
    /// Without a reason.
    pub unstated: u64,
}

impl WinCounts {
    /// All wins.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.score + self.resignation + self.time + self.forfeit + self.unstated
    }

    const fn add(&mut self, by: WinBy) {
        match by {
            WinBy::HalfPoints(_) => self.score += 1,
            WinBy::Resignation => self.resignation += 1,
            WinBy::Time => self.time += 1,
            WinBy::Forfeit => self.forfeit += 1,
            WinBy::Unstated => self.unstated += 1,
        }
    }

    const fn merge(&mut self, other: &Self) {
        self.score += other.score;
        self.resignation += other.resignation;
        self.time += other.time;
        self.forfeit += other.forfeit;
        self.unstated += other.unstated;
    }
}

impl ResultCounts {
    /// Counts one game.
    pub const fn add(&mut self, result: Option<&GameResult>) {
        match result {
            Some(GameResult::Win { winner: Color::Black, by }) => self.black.add(*by),
            Some(GameResult::Win { winner: Color::White, by }) => self.white.add(*by),
            Some(GameResult::Draw) => self.draw += 1,
            Some(GameResult::Void) => self.void += 1,
            Some(GameResult::Unknown) => self.unknown += 1,
            Some(GameResult::Other(_)) => self.other += 1,
            None => self.not_recorded += 1,
        }
    }

    /// Adds the counts of other games.
    pub const fn merge(&mut self, other: &Self) {
        self.black.merge(&other.black);
        self.white.merge(&other.white);
        self.draw += other.draw;
        self.void += other.void;
        self.unknown += other.unknown;
        self.other += other.other;
        self.not_recorded += other.not_recorded;
    }

    /// The games with a winner or a draw.
    #[must_use]
    pub const fn shares(&self) -> Shares {
        Shares { black: self.black.games(), jigo: self.draw, white: self.white.games() }
    }

    /// The games with neither.
    #[must_use]
    pub const fn undecided(&self) -> u64 {
        self.void + self.unknown + self.other + self.not_recorded
    }
}
