//! Measures playouts: one [`RunStats`] for each configuration, a [`Study`] for several.

mod coverage;
#[cfg(feature = "dataset")]
pub(crate) mod dataset;
mod examples;
mod groups;
mod measures;
mod openings;
mod points;
mod shapes;
mod status;
mod superko;
mod unfinished;

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use jigo_engine::{Rules, life::StatusSolver};
use jigo_selfplay::{
    AnyPosition, End, GameRecord, Needs, Player, PositionRun, Progress, Run, RunConfig, RunError, Sink,
    Stopped,
};
use serde::{Deserialize, Serialize};

use crate::{
    rules::Comparison,
    stats::{Merge, merge_fields},
};

pub use coverage::{CountedTwice, Coverage};
#[cfg(feature = "dataset")]
pub use dataset::MeasureError;
pub use examples::{CycleExamples, LeastGames, LifeExamples, SuperkoExamples};
pub use groups::Groups;
pub(crate) use groups::{GameSum, GroupTotals};
pub(crate) use measures::text;
pub use measures::{CaptureCounts, LengthClass, Measures};
pub use openings::Openings;
pub use points::{FirstMoveClass, FirstMoves, Ownership};
pub use shapes::{GameName, Occurrence, ShapeCount, ShapeCounts, ShapeKind};
pub use status::{ChainCounts, ShiftCounts, SideStatus, StatusCounts, StatusTable};
pub(crate) use superko::pairs;
pub use superko::{Balance, BalanceCounts, CycleCounts, EventCounts, SuperkoCounts};
pub use unfinished::{MAX_UNFINISHED, NoFairKomi, TooManyUnfinished};

/// Says whether serde leaves a value out of a file.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The measurements of the games of one configuration.
///
/// Games that reached the move limit are counted apart: their numbers are not those of finished games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStats {
    /// What was played.
    #[serde(rename = "setting")]
    pub config: RunConfig,
    /// Which games.
    pub coverage: Coverage,
    /// Games that ended by the rules.
    pub finished: Measures,
    /// Games that were stopped at the move limit. The status of their chains is what unconditional life alone proves.
    pub stopped: Measures,
    /// What a finite supply of stones did. Files leave it out where nothing was counted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub supply: SupplyCounts,
}

/// What a [finite supply of stones](jigo_engine::rules::Supply::Finite) did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SupplyCounts {
    /// Games that ended as draws because their whole state came back. They have no margin and are neither among the finished nor the stopped.
    pub cycles: u64,
    /// Games in which a player had to pass for lack of stones, however they ended.
    pub out_of_stones: u64,
}

merge_fields!(SupplyCounts: cycles, out_of_stones);

impl SupplyCounts {
    /// Adds a game and returns where its measurements belong: among the finished games or those that were stopped. A draw by a cycle has none.
    pub(crate) fn add(&mut self, record: &GameRecord) -> Option<Kind> {
        self.out_of_stones += u64::from(record.forced_passes > 0);
        match record.end {
            End::Cycle => {
                self.cycles += 1;
                None
            }
            End::TwoPasses => Some(Kind::Finished),
            End::PlyCap | End::BrokenOff => Some(Kind::Stopped),
        }
    }
}

/// Which games are measured together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Finished,
    Stopped,
}

impl RunStats {
    /// Returns the measurements of no games.
    #[must_use]
    pub fn new(config: RunConfig) -> Self {
        let measures = Measures::new(config.size);
        Self {
            config,
            coverage: Coverage::default(),
            finished: measures.clone(),
            stopped: measures,
            supply: SupplyCounts::default(),
        }
    }

    /// Plays the games with these indices on the current rayon pool and measures them.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop.
    pub fn play(run: &Run, games: Range<u64>, progress: &Progress) -> Result<Self, Stopped> {
        let sink = run.play(games.clone(), || StatsSink::new(run), progress)?;
        Ok(Self { coverage: Coverage::new(run.seed, games), ..sink.stats })
    }

    /// Returns the number of all games, finished or not.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.finished.games + self.stopped.games + self.supply.cycles
    }

    /// Adds the measurements of other games of the same configuration.
    ///
    /// # Errors
    /// [`CountedTwice`] when a game is in both. Nothing is changed then.
    ///
    /// # Panics
    /// When the configurations differ.
    pub fn merge(&mut self, other: &Self) -> Result<(), CountedTwice> {
        assert_eq!(self.config, other.config, "measurements of different configurations cannot be merged");
        self.coverage.merge(&other.coverage)?;
        self.merge_counts(other);
        Ok(())
    }

    fn merge_counts(&mut self, other: &Self) {
        self.finished.merge(&other.finished);
        self.stopped.merge(&other.stopped);
        self.supply.merge(&other.supply);
    }
}

/// Measuring the games of a [`Run`], as in the [examples of the crate](crate).
pub trait Measure {
    /// What is measured.
    type Stats;

    /// Plays the games with these indices on the current rayon pool and measures them. [`RunStats::play`] does the same and can be stopped.
    ///
    /// # Errors
    /// None today: nothing stops the games.
    fn measure(&self, games: Range<u64>) -> Result<Self::Stats, Stopped>;

    /// Plays the games as [`Run::play_with`] does, by a player of one's own, and measures them.
    ///
    /// # Errors
    /// As [`Run::play_with`].
    fn measure_with<P: Player>(
        &self,
        new_player: impl Fn() -> P + Sync,
        games: Range<u64>,
    ) -> Result<GameStats, RunError>;
}

impl Measure for Run {
    type Stats = RunStats;

    fn measure(&self, games: Range<u64>) -> Result<RunStats, Stopped> {
        RunStats::play(self, games, &Progress::new())
    }

    fn measure_with<P: Player>(
        &self,
        new_player: impl Fn() -> P + Sync,
        games: Range<u64>,
    ) -> Result<GameStats, RunError> {
        self.play_with(new_player, games, || StatsSink::new(self), &Progress::new()).map(GameStats::from)
    }
}

impl Measure for PositionRun {
    type Stats = GameStats;

    fn measure(&self, games: Range<u64>) -> Result<GameStats, Stopped> {
        self.play(games, || StatsSink::new(self.run()), &Progress::new()).map(GameStats::from)
    }

    fn measure_with<P: Player>(
        &self,
        new_player: impl Fn() -> P + Sync,
        games: Range<u64>,
    ) -> Result<GameStats, RunError> {
        let sink = || StatsSink::new(self.run());
        self.play_with(new_player, games, sink, &Progress::new()).map(GameStats::from)
    }
}

/// The measurements of games by a player of one's own, or from a position.
///
/// Reports name a policy and start on the empty board, so these cannot be added to a [`Study`] or merged with [`RunStats`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameStats {
    /// Games that ended by the rules.
    pub finished: Measures,
    /// Games that were stopped at the move limit or ended by resignation.
    pub unfinished: Measures,
    /// What a finite supply of stones did.
    pub supply: SupplyCounts,
}

impl From<StatsSink> for GameStats {
    fn from(sink: StatsSink) -> Self {
        let RunStats { finished, stopped, supply, .. } = sink.stats;
        Self { finished, unfinished: stopped, supply }
    }
}

/// Measures the games that one thread plays.
struct StatsSink {
    stats: RunStats,
    solver: StatusSolver,
    seed: u64,
    source: String,
}

impl StatsSink {
    fn new(run: &Run) -> Self {
        let Rules { suicide, ko, .. } = *run.config.rules;
        Self {
            stats: RunStats::new(run.config),
            solver: StatusSolver::new(suicide, ko),
            seed: run.seed,
            source: Occurrence::source_of_run(run.seed),
        }
    }
}

impl Sink for StatsSink {
    const NEEDS: Needs = Needs::Repetitions;

    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        let Self { stats, solver, source, .. } = self;
        let measures = match stats.supply.add(record) {
            None => return,
            Some(Kind::Finished) => &mut stats.finished,
            Some(Kind::Stopped) => &mut stats.stopped,
        };
        measures.add(record, position, &stats.config, solver, source);
    }

    fn merge(&mut self, other: Self) {
        self.stats.merge_counts(&other.stats);
    }
}

/// Measures long games, each as soon as it has ended: what all threads have measured together is there when the run is stopped.
struct LongGames<'a> {
    own: StatsSink,
    together: &'a Mutex<Together<'a>>,
}

/// What all threads measure, and who is shown it.
struct Together<'a> {
    study: &'a mut Study,
    show: &'a mut (dyn FnMut(&Study) + Send),
}

impl Sink for LongGames<'_> {
    const NEEDS: Needs = StatsSink::NEEDS;

    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        self.own.add(record, position);
        let next = RunStats::new(self.own.stats.config);
        let mut stats = std::mem::replace(&mut self.own.stats, next);
        stats.coverage = Coverage::new(self.own.seed, record.game_index..record.game_index + 1);
        let mut together = self.together.lock().unwrap_or_else(PoisonError::into_inner);
        let Together { study, show } = &mut *together;
        study.add(stats).expect("a game that is missing");
        show(study);
    }

    fn merge(&mut self, _: Self) {}
}

/// The measurements of several configurations, and what was compared game by game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Study {
    /// The measurements, ordered by configuration, each configuration once.
    #[serde(rename = "cells")]
    pub runs: Vec<RunStats>,
    /// Games under several rule sets, ordered by their configurations, each list of configurations once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
    /// How many games were to be measured, where the work was interrupted before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_games: Option<u64>,
}

/// Why two studies cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{size}, {rules}, {policy}: {source}", size = config.size, rules = config.rules, policy = config.policy)]
pub struct MergeError {
    config: Box<RunConfig>,
    source: CountedTwice,
}

/// Plays the same games, with the same random numbers, under several rule sets and compares each game with itself: what
/// [`Measure::measure`] is for one run.
///
/// ```
/// use jigo_analysis::{Run, compare};
/// let [area, territory] = ["area", "territory"].map(|rules| Run::new("5", rules, "eye-safe"));
/// let study = compare(&[area?, territory?], 0..2000)?;
/// for (contrast, counts) in study.comparisons[0].contrasts() {
///     println!("{} -> {}: {} of {} games differ", contrast.from, contrast.to, counts.differing, counts.finished);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// None today: nothing stops the games.
///
/// # Panics
/// When there are no runs, or when they differ in more than their rules.
pub fn compare(runs: &[Run], games: Range<u64>) -> Result<Study, Stopped> {
    let seed = runs[0].seed;
    assert!(runs.iter().all(|run| run.seed == seed), "only rules can be compared");
    let configs: Vec<RunConfig> = runs.iter().map(|run| run.config).collect();
    Study::play(&configs, seed, games, &Progress::new())
}

impl Study {
    /// Plays the games with these indices of the runs with this seed under configurations that differ in their rules only, and measures them
    /// for each configuration. Where there are several, they are compared. Memory does not grow with the number of games.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop.
    ///
    /// # Panics
    /// As [`Comparison::new`].
    pub fn play(
        configs: &[RunConfig],
        seed: u64,
        games: Range<u64>,
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        if let &[config] = configs {
            let runs = vec![RunStats::play(&config.seed(seed), games, progress)?];
            return Ok(Self { runs, ..Self::default() });
        }
        let (mut runs, comparison) = Comparison::play(configs, seed, games, progress)?;
        runs.sort_by_key(|stats| stats.config);
        Ok(Self { runs, comparisons: vec![comparison], planned_games: None })
    }

    /// Plays games as [`play`](Self::play) does and adds their measurements, except those of games that are measured already. When `progress` is
    /// stopped, the measurements of a second or two are lost, of a policy that searches none, and the others stay. Each time that measurements are added,
    /// `show` is called with all of them, so that they can be saved.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop.
    ///
    /// # Panics
    /// As [`play`](Self::play), and when only some of the configurations have some of the games already.
    pub fn play_missing(
        &mut self,
        configs: &[RunConfig],
        seed: u64,
        games: Range<u64>,
        progress: &Progress,
        show: &mut (dyn FnMut(&Self) + Send),
    ) -> Result<(), Stopped> {
        let found = self.runs.iter().find(|run| run.config == configs[0]);
        let missing =
            found.map_or_else(|| vec![games.clone()], |run| run.coverage.missing(seed, games.clone()));
        let known = found.map_or(0, |run| run.coverage.games());
        progress.skip(known * Comparison::new(configs).playing_count());
        let has_long_games = configs[0].policy.has_long_games();
        if let (&[config], true) = (configs, has_long_games) {
            let run = config.seed(seed);
            let together = Mutex::new(Together { study: self, show });
            let new_sink = || LongGames { own: StatsSink::new(&run), together: &together };
            return missing.into_iter().try_for_each(|range| run.play(range, new_sink, progress).map(drop));
        }
        let mut block = if has_long_games { 1 << 8 } else { 1 << 12 };
        for range in missing {
            let mut start = range.start;
            while start < range.end {
                let end = range.end.min(start.saturating_add(block));
                let time = Instant::now();
                let measured = Self::play(configs, seed, start..end, progress)?;
                self.merge(measured).expect("games that are missing");
                start = end;
                show(self);
                // Long enough that threads do not wait for each other, short enough to be lost.
                if time.elapsed() < Duration::from_millis(500) {
                    block *= 2;
                }
            }
        }
        Ok(())
    }

    /// Removes the runs of these configurations and their comparison, and returns them if they are measurements of the same games, which are
    /// among those of this seed and range: games that [`play_missing`](Self::play_missing) of the same arguments does not play again.
    #[must_use]
    pub fn take(&mut self, configs: &[RunConfig], seed: u64, games: Range<u64>) -> Option<Self> {
        let runs: Vec<RunStats> = self.runs.extract_if(.., |run| configs.contains(&run.config)).collect();
        let mut order = configs.to_vec();
        order.sort_unstable();
        let is_same = |comparison: &mut Comparison| {
            let mut compared = comparison.configs.clone();
            compared.sort_unstable();
            compared == order
        };
        let comparisons: Vec<Comparison> = self.comparisons.extract_if(.., is_same).collect();
        let coverage = runs.first()?.coverage.clone();
        let is_inside =
            coverage.ranges().all(|(of, first, end)| of == seed && games.start <= first && end <= games.end);
        let is_whole = runs.len() == configs.len() && comparisons.len() == usize::from(configs.len() > 1);
        let is_alike = runs.iter().all(|run| run.coverage == coverage)
            && comparisons.iter().all(|comparison| comparison.coverage == coverage);
        (is_inside && is_whole && is_alike).then_some(Self { runs, comparisons, planned_games: None })
    }

    /// Adds measurements, to those of the same configuration if there are any.
    ///
    /// # Errors
    /// [`MergeError`] when a game is in both. Nothing is changed then.
    pub fn add(&mut self, stats: RunStats) -> Result<(), MergeError> {
        match self.runs.binary_search_by(|found| found.config.cmp(&stats.config)) {
            Ok(index) => self.runs[index]
                .merge(&stats)
                .map_err(|source| MergeError { config: Box::new(stats.config), source })?,
            Err(index) => self.runs.insert(index, stats),
        }
        Ok(())
    }

    /// Adds a comparison, to that of the same configurations if there is one.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_comparison(&mut self, comparison: Comparison) -> Result<(), MergeError> {
        match self.comparisons.binary_search_by(|found| found.configs.cmp(&comparison.configs)) {
            Ok(index) => self.comparisons[index]
                .merge(&comparison)
                .map_err(|source| MergeError { config: Box::new(comparison.configs[0]), source })?,
            Err(index) => self.comparisons.insert(index, comparison),
        }
        Ok(())
    }

    /// Adds everything of another study. The result does not depend on the order in which studies are merged.
    ///
    /// # Errors
    /// As [`add`](Self::add); what comes before the faulty part has been added then.
    pub fn merge(&mut self, other: Self) -> Result<(), MergeError> {
        let parts = [(self.planned_games, self.games()), (other.planned_games, other.games())];
        let is_whole = parts.iter().all(|(planned, _)| planned.is_none());
        self.planned_games =
            (!is_whole).then(|| parts.into_iter().map(|(planned, games)| planned.unwrap_or(games)).sum());
        other.runs.into_iter().try_for_each(|stats| self.add(stats))?;
        other.comparisons.into_iter().try_for_each(|comparison| self.add_comparison(comparison))
    }

    /// Returns the number of all games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.runs.iter().map(RunStats::games).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that is stopped keeps every game that it measured, and goes on with the others.
    #[test]
    fn stopped_searches_lose_no_game() {
        let run = Run::new("5", "tromp-taylor", "uct:playouts=30").unwrap();
        let play = |study: &mut Study, progress: &Progress| {
            study.play_missing(&[run.config], 5, 0..300, progress, &mut |_| {})
        };
        let (mut whole, mut parts) = (Study::default(), Study::default());
        play(&mut whole, &Progress::new()).unwrap();
        let progress = Progress::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while progress.games() < 20 {
                    std::thread::yield_now();
                }
                progress.stop();
            });
            play(&mut parts, &progress).unwrap_err();
        });
        let stopped = parts.games();
        assert!((20..300).contains(&stopped), "{stopped}");
        assert_eq!(parts.runs[0].coverage.games(), stopped);
        play(&mut parts, &Progress::new()).unwrap();
        assert_eq!(parts, whole);
        assert_eq!(whole.games(), 300);
    }
}
