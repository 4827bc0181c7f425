//! Runs in which so many games have no result that the others are not a fair sample.

use std::fmt;

use super::{GameStats, Measures, RunStats, SupplyCounts};
use crate::{FairKomi, Proportion, RunConfig, fair_komi, stats::TooFewGames};

/// The largest share of games without a result with which the results of the other games are estimated: one in twenty.
///
/// Games that are stopped at a move limit are the longest, so those that are left are a biased sample.
pub const MAX_UNFINISHED: f64 = 0.05;

/// More than [`MAX_UNFINISHED`] of the games have no result: they were stopped at the move limit, or were draws by a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct TooManyUnfinished {
    /// All games.
    pub games: u64,
    /// Games that were stopped at the move limit.
    pub stopped: u64,
    /// Draws by a cycle.
    pub cycles: u64,
    /// A move limit at which few games would be stopped, be it [possible](RunConfig::MAX_PLY_CAP) or not. Extrapolated from how often games ended in
    /// the second half of the present limit; nothing where too few did.
    pub sufficient_ply_cap: Option<u32>,
}

impl fmt::Display for TooManyUnfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { games, stopped, cycles, .. } = self;
        let share =
            |part| Proportion::new(part, games).map_or_else(|_| String::new(), |part| part.to_string());
        let what = match (stopped, cycles) {
            (_, 0) => format!("{} of the games were stopped at the move limit", share(stopped)),
            (0, _) => format!("{} of the games were draws by a cycle", share(cycles)),
            _ => format!(
                "{} of the games were stopped at the move limit and {} were draws by a cycle",
                share(stopped),
                share(cycles)
            ),
        };
        write!(f, "{what}, and the others are not a fair sample")?;
        match self.sufficient_ply_cap {
            _ if stopped <= cycles => Ok(()),
            Some(plies) if plies <= RunConfig::MAX_PLY_CAP => write!(f, ": use --ply-cap {plies}"),
            Some(_) => write!(f, ": no --ply-cap is large enough, so choose another policy"),
            None => {
                write!(f, ": too few games ended to tell which --ply-cap would do, so try a much larger one")
            }
        }
    }
}

impl TooManyUnfinished {
    /// Returns the games of two runs together. The move limit is enough for both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            stopped: self.stopped + other.stopped,
            cycles: self.cycles + other.cycles,
            sufficient_ply_cap: self
                .sufficient_ply_cap
                .zip(other.sufficient_ply_cap)
                .map(|(one, two)| one.max(two)),
        }
    }

    fn new(finished: &Measures, stopped: &Measures, supply: SupplyCounts) -> Result<(), Self> {
        let (stopped_games, cycles) = (stopped.games, supply.cycles);
        let games = finished.games + stopped_games + cycles;
        if (stopped_games + cycles) as f64 <= MAX_UNFINISHED * games as f64 {
            return Ok(());
        }
        let sufficient_ply_cap = sufficient_ply_cap(finished, stopped, games);
        Err(Self { games, stopped: stopped_games, cycles, sufficient_ply_cap })
    }
}

/// Extrapolates from the games that lasted longer than half of the move limit, as if a game went on to end with the same probability at every ply.
fn sufficient_ply_cap(finished: &Measures, stopped: &Measures, games: u64) -> Option<u32> {
    /// Fewer ends say too little about how often games end.
    const MIN_ENDS: u64 = 10;
    /// The share of games that may still be stopped: half of what is tolerated, because the extrapolation is rough.
    const TARGET: f64 = MAX_UNFINISHED / 2.0;
    let cap = stopped.plies.max()?;
    let half = cap / 2;
    let late = finished.plies.iter().filter(|&(plies, _)| plies > half);
    let (ends, plies) = late.fold((0, stopped.games * (cap - half) as u64), |(ends, sum), (plies, count)| {
        (ends + count, sum + count * (plies - half) as u64)
    });
    if ends < MIN_ENDS {
        return None;
    }
    let left = stopped.games as f64 / games as f64;
    let needed = f64::from(cap) + (left / TARGET).ln() * plies as f64 / ends as f64;
    // Two significant digits.
    let unit = 10_f64.powf(needed.log10().floor() - 1.0);
    Some(((needed / unit).ceil() * unit) as u32)
}

/// Why there is no fair komi.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoFairKomi {
    /// Too few games.
    #[error(transparent)]
    TooFewGames(#[from] TooFewGames),
    /// Too many games without a result.
    #[error(transparent)]
    TooManyUnfinished(#[from] TooManyUnfinished),
}

impl RunStats {
    /// Checks that the finished games are nearly all games, so that they stand for them.
    ///
    /// # Errors
    /// [`TooManyUnfinished`] when they do not.
    pub fn check_finished(&self) -> Result<(), TooManyUnfinished> {
        TooManyUnfinished::new(&self.finished, &self.stopped, self.supply)
    }

    /// Estimates the komi at which Black and White win equally often, from the finished games.
    ///
    /// # Errors
    /// As [`check_finished`](Self::check_finished) and [`fair_komi`].
    pub fn fair_komi(&self) -> Result<FairKomi, NoFairKomi> {
        self.check_finished()?;
        Ok(fair_komi(&self.finished.margins)?)
    }
}

impl GameStats {
    /// Estimates the komi at which Black and White win equally often, from the finished games.
    ///
    /// # Errors
    /// As [`RunStats::fair_komi`].
    pub fn fair_komi(&self) -> Result<FairKomi, NoFairKomi> {
        TooManyUnfinished::new(&self.finished, &self.unfinished, self.supply)?;
        Ok(fair_komi(&self.finished.margins)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;

    /// So many games that each end with probability 1 / `mean` after every ply, stopped at `cap`.
    fn stats(games: u64, mean: f64, cap: u32) -> RunStats {
        let run = Run::new("5", "tromp-taylor", "uniform").unwrap().ply_cap(cap);
        let mut stats = RunStats::new(run.config);
        for game in 0..games {
            let share = (game as f64 + 0.5) / games as f64;
            let plies = (-mean * share.ln()).ceil() as i32;
            let (part, plies) = if plies > cap as i32 {
                (&mut stats.stopped, cap as i32)
            } else {
                (&mut stats.finished, plies)
            };
            part.games += 1;
            part.plies.add(plies);
            part.margins.add(0);
        }
        stats
    }

    #[test]
    fn the_advised_move_limit_is_enough() {
        for (mean, cap) in [(300.0, 75), (300.0, 200), (1000.0, 50), (1000.0, 2000)] {
            let error = stats(10_000, mean, cap).check_finished().unwrap_err();
            let advised = error.sufficient_ply_cap.expect("many games ended");
            assert!(advised > cap && f64::from(advised) < 5.0 * mean, "{advised}");
            assert_eq!(stats(10_000, mean, advised).check_finished(), Ok(()), "{mean} {cap} {advised}");
        }
    }

    #[test]
    fn few_stopped_games_do_no_harm() {
        // Of 1000 games with a mean of 100 plies, 50 are longer than 299.6.
        assert_eq!(stats(1000, 100.0, 300).check_finished(), Ok(()));
        let error = stats(1000, 100.0, 295).check_finished().unwrap_err();
        assert!(
            error.to_string().starts_with("5.20 % of the games were stopped at the move limit"),
            "{error}"
        );
        assert!(stats(1000, 100.0, 295).fair_komi().is_err());
        assert!(stats(1000, 100.0, 300).fair_komi().is_ok());
    }

    #[test]
    fn nothing_is_extrapolated_from_nothing() {
        let error = stats(1000, 1e7, 300).check_finished().unwrap_err();
        assert_eq!(error.sufficient_ply_cap, None);
        assert!(error.to_string().ends_with("try a much larger one"), "{error}");
        // The longest games that datasets have are too short.
        let error = stats(10_000, 30_000.0, 1000).check_finished().unwrap_err();
        assert!(error.to_string().ends_with("choose another policy"), "{error}");
    }

    #[test]
    fn draws_by_a_cycle_are_no_fair_sample_either() {
        let mut run = stats(1000, 100.0, 300);
        run.supply.cycles = 20;
        let error = run.check_finished().unwrap_err();
        assert!(error.to_string().contains("and 1.96 % were draws by a cycle"), "{error}");
        assert_eq!((error.games, error.cycles), (1020, 20));
    }
}
