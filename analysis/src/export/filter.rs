//! Which games and plies are exported. Sampling depends on the run's seed and the game's index alone and is specified in `docs/dataset.md`.

use std::{fmt, str::FromStr};

use jigo_engine::{Komi, life::Status, names, zobrist::mix64};
use jigo_selfplay::{GameRecord, RunConfig, SuperkoEvent, stream::game_seed};

/// What a game must be to be exported. All that is asked for must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameFilter {
    /// Games with such a margin: Black's area minus White's before komi.
    pub margin: Option<Bounds>,
    /// Finished games with this result, by the counting of the rules and after komi.
    pub result: Option<Winner>,
    /// Games with so many plies, passes included.
    pub plies: Option<Bounds>,
    /// Games with such a superko event.
    pub superko: Option<EventFilter>,
    /// Games whose last position has a chain of this status, as [`StatusSolver::final_status`](jigo_engine::life::StatusSolver::final_status) finds it.
    pub status: Option<Status>,
    /// A share of the games, sampled by their indices.
    pub sample: Option<Rate>,
    /// What happens to games that were stopped at the move limit.
    pub capped: CappedGames,
    /// The number of games after which no more are read.
    pub limit: Option<u64>,
}

/// Numbers from one to another, both included. Written `-3..3`, `10..`, `..-1` or `0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    lowest: Option<i32>,
    highest: Option<i32>,
}

/// How a finished game ended after komi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Neither.
    Jigo,
}

/// Superko events of a game: rejected, repeated or forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventFilter {
    /// All.
    Any,
    /// Those whose cycle has so many plies.
    Cycle(u32),
}

/// What happens to games that were stopped at the move limit: they have no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CappedGames {
    /// They are left out.
    #[default]
    Exclude,
    /// They are exported too, marked as what they are.
    Include,
    /// The others are left out.
    Only,
}

/// Text that is no value of a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct InvalidFilter {
    text: String,
    expected: &'static str,
}

impl InvalidFilter {
    fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.to_owned(), expected }
    }
}

impl GameFilter {
    /// Returns whether a game of a run with this seed is exported, as far as its record and its `winner` say: all but [`status`](Self::status)
    /// and [`limit`](Self::limit).
    pub(super) fn accepts(
        &self,
        game: &GameRecord,
        run_seed: u64,
        winner: impl FnOnce() -> Option<Winner>,
    ) -> bool {
        let capped = match self.capped {
            CappedGames::Exclude => !game.is_capped(),
            CappedGames::Include => true,
            CappedGames::Only => game.is_capped(),
        };
        capped
            && self.margin.is_none_or(|bounds| bounds.contains(game.margin()))
            && self.plies.is_none_or(|bounds| bounds.contains(game.plies as i32))
            && self.result.is_none_or(|asked| winner() == Some(asked))
            && self.superko.is_none_or(|events| events.matches(game))
            && self.sample.is_none_or(|rate| rate.takes_game(run_seed, game.game_index))
    }

    /// Returns the options that ask for this filter, with their values. Those that ask for nothing are left out, but not what happens to games that were
    /// stopped at the move limit.
    pub(super) fn options(&self) -> Vec<(&'static str, String)> {
        let options = [
            ("margin", self.margin.map(|bounds| bounds.to_string())),
            ("result", self.result.map(|outcome| outcome.to_string())),
            ("plies", self.plies.map(|bounds| bounds.to_string())),
            ("superko", self.superko.map(|events| events.to_string())),
            ("status", self.status.map(|status| status.to_string())),
            ("sample", self.sample.map(|rate| rate.to_string())),
            ("capped", Some(self.capped.to_string())),
            ("limit", self.limit.map(|games| games.to_string())),
        ];
        options.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl Bounds {
    /// Returns whether the number lies within.
    #[must_use]
    pub fn contains(self, number: i32) -> bool {
        self.lowest.is_none_or(|lowest| lowest <= number)
            && self.highest.is_none_or(|highest| number <= highest)
    }
}

impl FromStr for Bounds {
    type Err = InvalidFilter;

    fn from_str(text: &str) -> Result<Self, InvalidFilter> {
        let expected = "a range: write -3..3, 10.., ..-1 or one number; both ends are included";
        let invalid = || InvalidFilter::new(text, expected);
        let end = |text: &str| match text {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| invalid()),
        };
        let (lowest, highest) = text.split_once("..").unwrap_or((text, text));
        let bounds = Self { lowest: end(lowest)?, highest: end(highest)? };
        match (bounds.lowest, bounds.highest) {
            (None, None) => Err(invalid()),
            (Some(lowest), Some(highest)) if lowest > highest => Err(invalid()),
            _ => Ok(bounds),
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<i32>| end.map(|end| end.to_string()).unwrap_or_default();
        if self.lowest == self.highest {
            return f.write_str(&end(self.lowest));
        }
        write!(f, "{}..{}", end(self.lowest), end(self.highest))
    }
}

names! {
    /// All results.
    Winner { Black = "black", White = "white", Jigo = "jigo" }
}

impl Winner {
    /// Returns the result of a game; `None` when it was stopped at the move limit.
    #[must_use]
    pub fn from_record(game: &GameRecord, config: &RunConfig, komi: Komi) -> Option<Self> {
        config.result(game, komi).map(|half_points| match half_points {
            1.. => Self::Black,
            0 => Self::Jigo,
            _ => Self::White,
        })
    }
}

impl FromStr for Winner {
    type Err = InvalidFilter;

    fn from_str(text: &str) -> Result<Self, InvalidFilter> {
        Self::from_name(text).ok_or_else(|| InvalidFilter::new(text, "one of black, white, jigo"))
    }
}

impl EventFilter {
    fn matches(self, game: &GameRecord) -> bool {
        let is_meant = |event: &SuperkoEvent| match self {
            Self::Any => true,
            Self::Cycle(plies) => event.repetition.cycle_plies == plies,
        };
        [&game.refused, &game.repeated, &game.forbidden].into_iter().flatten().any(is_meant)
    }
}

impl FromStr for EventFilter {
    type Err = InvalidFilter;

    fn from_str(text: &str) -> Result<Self, InvalidFilter> {
        if text == "any" {
            return Ok(Self::Any);
        }
        let plies = text.parse().ok().filter(|&plies| plies > 0);
        let invalid = || InvalidFilter::new(text, "one of any, or a number of plies from 1");
        plies.map(Self::Cycle).ok_or_else(invalid)
    }
}

impl fmt::Display for EventFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Cycle(plies) => plies.fmt(f),
        }
    }
}

names! {
    /// All choices.
    CappedGames { Exclude = "exclude", Include = "include", Only = "only" }
}

impl FromStr for CappedGames {
    type Err = InvalidFilter;

    fn from_str(text: &str) -> Result<Self, InvalidFilter> {
        Self::from_name(text).ok_or_else(|| InvalidFilter::new(text, "one of exclude, include, only"))
    }
}

/// Keeps the choice of games apart from the seeds of the games: the bytes of `games`.
const GAMES: u64 = 0x67_616d_6573;
/// The same for the choice of plies: the bytes of `plies`.
const PLIES: u64 = 0x70_6c69_6573;

/// A share of many, above 0 and at most 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rate(f64);

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

    /// Returns whether something with this hash is sampled.
    #[must_use]
    pub fn takes(self, hash: u64) -> bool {
        u128::from(hash) < (self.0 * 2_f64.powi(64)) as u128
    }

    /// Returns whether a game of the run is sampled.
    #[must_use]
    pub fn takes_game(self, run_seed: u64, game_index: u64) -> bool {
        self.takes(game_seed(run_seed ^ GAMES, game_index))
    }
}

impl FromStr for Rate {
    type Err = InvalidFilter;

    fn from_str(text: &str) -> Result<Self, InvalidFilter> {
        let rate = text.parse().ok().filter(|rate| 0.0 < *rate && *rate <= 1.0);
        let expected = "a rate: write a number above 0 and at most 1, as in 0.05";
        rate.map(Self).ok_or_else(|| InvalidFilter::new(text, expected))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PlySample {
    /// Returns about the most plies that are sampled from a game with so many, at least 1.
    pub(super) fn most_of_game(self, plies: u32) -> u32 {
        let most = match self {
            Self::Count(count) => count.min(plies),
            Self::Rate(Rate(rate)) => (rate * f64::from(plies)) as u32,
        };
        most.max(1)
    }

    /// Returns the plies sampled from a game with so many, in ascending order.
    #[must_use]
    pub fn plies(self, run_seed: u64, game_index: u64, plies: u32) -> Vec<u32> {
        let key = game_seed(run_seed ^ PLIES, game_index);
        // A bijection: no two plies have the same hash.
        let hash = |ply: &u32| mix64(key.wrapping_add(u64::from(*ply)));
        match self {
            Self::Rate(rate) => (0..plies).filter(|ply| rate.takes(hash(ply))).collect(),
            Self::Count(count) => {
                let (mut all, count): (Vec<u32>, _) = ((0..plies).collect(), count as usize);
                if count < all.len() {
                    all.select_nth_unstable_by_key(count, hash);
                    all.truncate(count);
                    all.sort_unstable();
                }
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
    fn games_are_sampled_at_the_rate() {
        let rate: Rate = "0.3".parse().unwrap();
        let count = (0..100_000).filter(|&game| rate.takes_game(5, game)).count();
        // Standard deviation 145: a false alarm once in 10^9 seeds, and this seed is fixed.
        assert!((29_100..30_900).contains(&count), "{count}");
        let other = (0..1000).filter(|&game| rate.takes_game(5, game) != rate.takes_game(6, game)).count();
        assert!((300..550).contains(&other), "{other}");
    }

    #[test]
    fn plies_are_sampled_evenly_and_nested() {
        let mut counts = [0_u32; 20];
        for game in 0..30_000 {
            let two = PlySample::Count(2).plies(1, game, 20);
            let three = PlySample::Count(3).plies(1, game, 20);
            assert_eq!((two.len(), three.len()), (2, 3));
            assert!(two.is_sorted() && two.iter().all(|ply| three.contains(ply)));
            three.iter().for_each(|&ply| counts[ply as usize] += 1);
        }
        // 4500 expected of each, standard deviation 62.
        assert!(counts.iter().all(|count| (4100..4900).contains(count)), "{counts:?}");
        assert_eq!(PlySample::Count(9).plies(1, 0, 4), [0, 1, 2, 3]);
        assert_eq!(PlySample::Rate(Rate::ALL).plies(1, 0, 3), [0, 1, 2]);
        assert!(PlySample::Count(1).plies(1, 0, 0).is_empty());
    }
}
