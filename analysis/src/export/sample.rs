//! Which games and plies are drawn: a function of the run's seed and the game's index alone. Specified in `docs/dataset.md`.

use std::{fmt, str::FromStr};

use jigo_engine::zobrist::mix64;
use jigo_selfplay::stream::game_seed;

/// Keeps the choice of games apart from the seeds of the games: the bytes of `games`.
const GAMES: u64 = 0x67_616d_6573;
/// The same for the choice of plies: the bytes of `plies`.
const PLIES: u64 = 0x70_6c69_6573;

/// A share of many, above 0 and at most 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rate(f64);

/// Text that is not a rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rate: write a number above 0 and at most 1, as in 0.05")]
pub struct InvalidRate(String);

/// Which positions of a game are exported, each with the move that follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlySample {
    /// So many plies, or all of a shorter game. Those for a smaller number are among them.
    Count(u32),
    /// Each ply with this probability.
    Rate(Rate),
}

impl Rate {
    /// Everything.
    pub const ALL: Self = Self(1.0);

    /// Whether something with this hash is drawn.
    #[must_use]
    pub fn takes(self, hash: u64) -> bool {
        u128::from(hash) < (self.0 * 2_f64.powi(64)) as u128
    }

    /// Whether a game of the run is drawn.
    #[must_use]
    pub fn takes_game(self, run_seed: u64, game_index: u64) -> bool {
        self.takes(game_seed(run_seed ^ GAMES, game_index))
    }
}

impl FromStr for Rate {
    type Err = InvalidRate;

    fn from_str(text: &str) -> Result<Self, InvalidRate> {
        let rate = text.parse().ok().filter(|rate| 0.0 < *rate && *rate <= 1.0);
        rate.map(Self).ok_or_else(|| InvalidRate(text.to_owned()))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PlySample {
    /// About the most plies that are drawn from a game with so many, at least 1.
    pub(super) fn most_of_game(self, plies: u32) -> u32 {
        let most = match self {
            Self::Count(count) => count.min(plies),
            Self::Rate(Rate(rate)) => (rate * f64::from(plies)) as u32,
        };
        most.max(1)
    }

    /// The plies drawn from a game with so many, in ascending order.
    #[must_use]
    pub fn of_game(self, run_seed: u64, game_index: u64, plies: u32) -> Vec<u32> {
        let key = game_seed(run_seed ^ PLIES, game_index);
        // A bijection: no two plies have the same hash.
        let hash = |ply: &u32| mix64(key.wrapping_add(u64::from(*ply)));
        match self {
            Self::Rate(rate) => (0..plies).filter(|ply| rate.takes(hash(ply))).collect(),
            Self::Count(count) => {
                let mut all: Vec<u32> = (0..plies).collect();
                all.sort_unstable_by_key(hash);
                all.truncate(count as usize);
                all.sort_unstable();
                all
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_shares_above_nothing() {
        for text in ["0.05", "1", "1e-6"] {
            let rate: Rate = text.parse().unwrap();
            assert_eq!(rate.to_string().parse(), Ok(rate));
        }
        for text in ["", "0", "-0.1", "1.01", "NaN", "inf", "5%"] {
            assert!(text.parse::<Rate>().unwrap_err().to_string().contains(&format!("`{text}`")));
        }
        assert!(Rate::ALL.takes(u64::MAX));
        let half = Rate(0.5);
        assert!(half.takes((1 << 63) - 1) && !half.takes(1 << 63));
    }

    #[test]
    fn games_are_drawn_at_the_rate() {
        let rate: Rate = "0.3".parse().unwrap();
        let count = (0..100_000).filter(|&game| rate.takes_game(5, game)).count();
        // Standard deviation 145: a false alarm once in 10^9 seeds, and this seed is fixed.
        assert!((29_100..30_900).contains(&count), "{count}");
        let other = (0..1000).filter(|&game| rate.takes_game(5, game) != rate.takes_game(6, game)).count();
        assert!((300..550).contains(&other), "{other}");
    }

    #[test]
    fn plies_are_drawn_evenly_and_nested() {
        let mut counts = [0_u32; 20];
        for game in 0..30_000 {
            let two = PlySample::Count(2).of_game(1, game, 20);
            let three = PlySample::Count(3).of_game(1, game, 20);
            assert_eq!((two.len(), three.len()), (2, 3));
            assert!(two.is_sorted() && two.iter().all(|ply| three.contains(ply)));
            three.iter().for_each(|&ply| counts[ply as usize] += 1);
        }
        // 4500 expected of each, standard deviation 62.
        assert!(counts.iter().all(|count| (4100..4900).contains(count)), "{counts:?}");
        assert_eq!(PlySample::Count(9).of_game(1, 0, 4), [0, 1, 2, 3]);
        assert_eq!(PlySample::Rate(Rate::ALL).of_game(1, 0, 3), [0, 1, 2]);
        assert!(PlySample::Count(1).of_game(1, 0, 0).is_empty());
    }
}
