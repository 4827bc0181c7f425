//! Measurements of playouts, one cell for each setting.

mod coverage;
#[cfg(feature = "dataset")]
pub(crate) mod dataset;
mod examples;
mod final_status;
mod measures;
mod points;
mod status;
mod superko;

use jigo_engine::Position;
use std::ops::Range;

use jigo_selfplay::{
    GameRecord, Needs, Player, PositionRun, Progress, Run, RunConfig, RunError, Sink, Stopped,
};
use serde::{Deserialize, Serialize};

pub use coverage::{CountedTwice, Coverage};
#[cfg(feature = "dataset")]
pub use dataset::MeasureError;
pub use examples::{CycleExamples, LeastGames, LifeExamples, SuperkoExamples};
pub use final_status::{FinalStatus, FinalStatusSolver, Occurrence, ShapeCount, ShapeCounts, ShapeKind};
pub(crate) use measures::Side;
pub use measures::{CaptureCounts, LengthClass, Measures};
pub use points::{FirstMoveClass, FirstMoves, Ownership};
pub use status::{ChainCounts, ShiftCounts, SideStatus, StatusCounts, StatusTable};
pub(crate) use superko::pairs;
pub use superko::{Balance, BalanceCounts, CycleCounts, EventCounts, SuperkoCounts};

use crate::{FairKomi, fair_komi, rules::Comparison, stats::TooFewGames};

/// The measurements of one setting. Games that the ply cap cut off are measured apart: their numbers are not those of finished games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStats {
    /// What was played.
    #[serde(rename = "setting")]
    pub config: RunConfig,
    /// Which games.
    pub coverage: Coverage,
    /// Games that ended by the rules.
    pub finished: Measures,
    /// Games that the ply cap cut off. Of life and death they have what unconditional life says alone.
    pub capped: Measures,
}

impl RunStats {
    /// No games yet.
    #[must_use]
    pub fn new(config: RunConfig) -> Self {
        let measures = Measures::new(config.size);
        Self { config, coverage: Coverage::default(), finished: measures.clone(), capped: measures }
    }

    /// Plays the games with these indices on the current rayon pool and measures them.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop.
    pub fn play(run: &Run, games: Range<u64>, progress: &Progress) -> Result<Self, Stopped> {
        let counted = run.play(games.clone(), || CountedCell::new(run), progress)?;
        Ok(Self { coverage: Coverage::of(run.seed, games.start, games.end), ..counted.cell })
    }

    /// Estimates the komi at which Black and White win equally often, from the finished games.
    ///
    /// # Errors
    /// As [`fair_komi`].
    pub fn fair_komi(&self) -> Result<FairKomi, TooFewGames> {
        fair_komi(&self.finished.margins)
    }

    /// All games, finished or not.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.finished.games + self.capped.games
    }

    /// Adds the measurements of other games of the same setting.
    ///
    /// # Errors
    /// [`CountedTwice`] when a game is in both. Nothing is changed then.
    ///
    /// # Panics
    /// When the settings differ.
    pub fn merge(&mut self, other: &Self) -> Result<(), CountedTwice> {
        assert_eq!(self.config, other.config, "cells of different settings cannot be merged");
        self.coverage.merge(&other.coverage)?;
        self.merge_counts(other);
        Ok(())
    }

    pub(crate) fn merge_counts(&mut self, other: &Self) {
        self.finished.merge(&other.finished);
        self.capped.merge(&other.capped);
    }
}

/// Measuring the games of a [`Run`].
///
/// ```
/// use jigo_analysis::{Measure as _, Run};
/// let run = Run::new("9", "chinese", "eye-safe")?.seed(1);
/// let measured = run.measure(0..10_000)?;
/// println!("{}", measured.fair_komi()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Measure {
    /// What is measured.
    type Stats;

    /// Plays the games with these indices on the current rayon pool and measures them. [`RunStats::play`] can be stopped, too.
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
        self.play_with(new_player, games, || CountedCell::new(self), &Progress::new()).map(GameStats::from)
    }
}

impl Measure for PositionRun {
    type Stats = GameStats;

    fn measure(&self, games: Range<u64>) -> Result<GameStats, Stopped> {
        self.play(games, || CountedCell::new(self.run()), &Progress::new()).map(GameStats::from)
    }

    fn measure_with<P: Player>(
        &self,
        new_player: impl Fn() -> P + Sync,
        games: Range<u64>,
    ) -> Result<GameStats, RunError> {
        let sink = || CountedCell::new(self.run());
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
}

impl GameStats {
    /// Estimates the komi at which Black and White win equally often, from the finished games.
    ///
    /// # Errors
    /// As [`fair_komi`].
    pub fn fair_komi(&self) -> Result<FairKomi, TooFewGames> {
        fair_komi(&self.finished.margins)
    }
}

impl From<CountedCell> for GameStats {
    fn from(counted: CountedCell) -> Self {
        Self { finished: counted.cell.finished, unfinished: counted.cell.capped }
    }
}

/// A cell that is being filled by one thread.
pub(crate) struct CountedCell {
    pub(crate) cell: RunStats,
    judge: FinalStatusSolver,
    source: String,
}

impl CountedCell {
    /// No games yet.
    pub(crate) fn new(run: &Run) -> Self {
        Self {
            cell: RunStats::new(run.config),
            judge: FinalStatusSolver::new(run.config.rules),
            source: Occurrence::source_of_run(run.seed),
        }
    }
}

impl Sink for CountedCell {
    const NEEDS: Needs = Needs::Repetitions;

    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        let Self { cell, judge, source } = self;
        let measures = if record.is_finished() { &mut cell.finished } else { &mut cell.capped };
        measures.add(record, position, cell.config.rules, judge, source);
    }

    fn merge(&mut self, other: Self) {
        self.cell.merge_counts(&other.cell);
    }
}

/// Cells of different settings, in a fixed order, and what was compared game by game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Study {
    /// The cells, ordered by setting, each setting once.
    pub cells: Vec<RunStats>,
    /// Games under several rule sets, ordered by their settings, each list of settings once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<Comparison>,
}

/// Why two studies cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{size}, {rules}, {policy}: {source}", size = setting.size, rules = setting.rules, policy = setting.policy)]
pub struct MergeError {
    setting: Box<RunConfig>,
    source: CountedTwice,
}

impl Study {
    /// Plays the games with indices `first..end` of the run with this seed under settings that differ in their rules only: a cell for each and,
    /// where there are several, their comparison. Memory does not grow with the number of games.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop.
    ///
    /// # Panics
    /// As [`Comparison::new`].
    pub fn play(
        settings: &[RunConfig],
        run_seed: u64,
        first: u64,
        end: u64,
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        if let &[config] = settings {
            let cells = vec![RunStats::play(&config.seed(run_seed), first..end, progress)?];
            return Ok(Self { cells, comparisons: Vec::new() });
        }
        let (mut cells, comparison) = Comparison::play(settings, run_seed, first, end, progress)?;
        cells.sort_by_key(|cell| cell.config);
        Ok(Self { cells, comparisons: vec![comparison] })
    }

    /// How often [`play`](Self::play) plays each game: less often than there are settings, since some share their games.
    ///
    /// # Panics
    /// As [`Comparison::new`].
    #[must_use]
    pub fn playing_count(settings: &[RunConfig]) -> u64 {
        Comparison::new(settings).playing_count()
    }

    /// Adds a cell, or its games to the cell of the same setting.
    ///
    /// # Errors
    /// [`MergeError`] when a game is in both. Nothing is changed then.
    pub fn add(&mut self, cell: RunStats) -> Result<(), MergeError> {
        match self.cells.binary_search_by(|found| found.config.cmp(&cell.config)) {
            Ok(index) => self.cells[index]
                .merge(&cell)
                .map_err(|source| MergeError { setting: Box::new(cell.config), source }),
            Err(index) => {
                self.cells.insert(index, cell);
                Ok(())
            }
        }
    }

    /// Adds a comparison, or its games to that of the same settings.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_comparison(&mut self, comparison: Comparison) -> Result<(), MergeError> {
        match self.comparisons.binary_search_by(|found| found.settings.cmp(&comparison.settings)) {
            Ok(index) => self.comparisons[index]
                .merge(&comparison)
                .map_err(|source| MergeError { setting: Box::new(comparison.settings[0]), source }),
            Err(index) => {
                self.comparisons.insert(index, comparison);
                Ok(())
            }
        }
    }

    /// Adds all cells and comparisons of another study. The result does not depend on the order in which studies are merged.
    ///
    /// # Errors
    /// As [`add`](Self::add); what comes before the faulty cell has been added then.
    pub fn merge(&mut self, other: Self) -> Result<(), MergeError> {
        other.cells.into_iter().try_for_each(|cell| self.add(cell))?;
        other.comparisons.into_iter().try_for_each(|comparison| self.add_comparison(comparison))
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.cells.iter().map(RunStats::games).sum()
    }
}
