//! Measurements of playouts, one cell for each setting.

mod captures;
mod coverage;
pub(crate) mod dataset;
mod examples;
mod first_moves;
mod length;
mod measures;
mod ownership;
mod status;
mod superko;

use jigo_engine::{BoardSize, Position, Rules};
use jigo_selfplay::{
    Census, GameRecord, Needs, PlayoutSpec, Policy, Progress, Sink, Stopped, fingerprint::rules_fingerprint,
};
use serde::{Deserialize, Serialize};

pub use captures::CaptureCounts;
pub use coverage::{CountedTwice, Coverage};
pub use dataset::MeasureError;
pub use examples::{CycleExamples, LeastGames, LifeExamples, SuperkoExamples};
pub use first_moves::{FirstMoveClass, FirstMoves};
pub use length::LengthClass;
pub use measures::Measures;
pub(crate) use measures::Side;
pub use ownership::Ownership;
pub use status::{
    ChainCounts, FinalStatus, FinalStatusSolver, Occurrence, ShapeCount, ShapeCounts, ShapeKind, ShiftCounts,
    SideStatus, StatusCounts, StatusTable,
};
pub use superko::{Balance, BalanceCounts, CycleCounts, EventCounts, SuperkoCounts};

use crate::rules::Comparison;

/// Which playouts a cell counts: all that determines a game but the run's seed and the game's index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "StoredConfig", into = "StoredConfig")]
pub struct RunConfig {
    /// The board.
    pub size: BoardSize,
    /// The rules.
    pub rules: Rules,
    /// How moves are chosen.
    pub policy: Policy,
    /// The number of plies after which an unfinished game is cut off.
    pub ply_cap: u32,
    /// Whether forbidden candidates are counted.
    pub counts_candidates: bool,
}

/// A setting as text.
#[derive(Serialize, Deserialize)]
struct StoredConfig {
    size: String,
    rules: String,
    /// Not in files from before it was stated.
    #[serde(default)]
    rules_fingerprint: Option<String>,
    policy: String,
    ply_cap: u32,
    counts_candidates: bool,
}

impl From<RunConfig> for StoredConfig {
    fn from(setting: RunConfig) -> Self {
        Self {
            size: setting.size.to_string(),
            rules: setting.rules.canonical(),
            rules_fingerprint: Some(rules_fingerprint(setting.rules)),
            policy: setting.policy.to_string(),
            ply_cap: setting.ply_cap,
            counts_candidates: setting.counts_candidates,
        }
    }
}

impl TryFrom<StoredConfig> for RunConfig {
    type Error = String;

    fn try_from(stored: StoredConfig) -> Result<Self, String> {
        let rules =
            stored.rules.parse().map_err(|error: jigo_engine::rules::UnknownRules| error.to_string())?;
        if stored.rules_fingerprint.is_some_and(|stated| stated != rules_fingerprint(rules)) {
            return Err(format!(
                "the rules' meaning changed: the fingerprint is not that of `{}` in this version",
                stored.rules
            ));
        }
        Ok(Self {
            size: stored.size.parse().map_err(|error: jigo_engine::InvalidSize| error.to_string())?,
            rules,
            policy: stored.policy.parse().map_err(|error: jigo_selfplay::UnknownPolicy| error.to_string())?,
            ply_cap: stored.ply_cap,
            counts_candidates: stored.counts_candidates,
        })
    }
}

impl RunConfig {
    /// The setting of a run.
    #[must_use]
    pub fn of(spec: &PlayoutSpec, census: Census) -> Self {
        let PlayoutSpec { size, rules, policy, ply_cap, run_seed: _ } = *spec;
        Self { size, rules, policy, ply_cap, counts_candidates: census == Census::Candidates }
    }

    /// Whether the ply cap is the one that runs have unless told otherwise.
    #[must_use]
    pub fn has_default_ply_cap(&self) -> bool {
        self.ply_cap == PlayoutSpec::default_ply_cap(self.size)
    }

    pub(crate) fn census(&self) -> Census {
        if self.counts_candidates { Census::Candidates } else { Census::Draws }
    }
}

/// The measurements of one setting. Games that the ply cap cut off are measured apart: their numbers are not those of finished games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStats {
    /// What was played.
    pub setting: RunConfig,
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
    pub fn new(setting: RunConfig) -> Self {
        let measures = Measures::new(setting.size);
        Self { setting, coverage: Coverage::default(), finished: measures.clone(), capped: measures }
    }

    /// Plays the games with indices `first..end` of the run with this seed on the current rayon pool, and measures them.
    ///
    /// # Errors
    /// [`Stopped`] when `progress` was told to stop.
    pub fn play(
        setting: RunConfig,
        run_seed: u64,
        first: u64,
        end: u64,
        progress: &Progress,
    ) -> Result<Self, Stopped> {
        let RunConfig { size, rules, policy, ply_cap, .. } = setting;
        let spec = PlayoutSpec { size, rules, policy, run_seed, ply_cap };
        let counted = || CountedCell::new(setting, run_seed);
        let counted = jigo_selfplay::run(&spec, first..end, setting.census(), counted, progress)?;
        Ok(Self { coverage: Coverage::of(run_seed, first, end), ..counted.cell })
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
        assert_eq!(self.setting, other.setting, "cells of different settings cannot be merged");
        self.coverage.merge(&other.coverage)?;
        self.merge_counts(other);
        Ok(())
    }

    pub(crate) fn merge_counts(&mut self, other: &Self) {
        self.finished.merge(&other.finished);
        self.capped.merge(&other.capped);
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
    pub(crate) fn new(setting: RunConfig, run_seed: u64) -> Self {
        Self {
            cell: RunStats::new(setting),
            judge: FinalStatusSolver::new(setting.rules),
            source: Occurrence::source_of_run(run_seed),
        }
    }
}

impl Sink for CountedCell {
    const NEEDS: Needs = Needs::Repetitions;

    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        let Self { cell, judge, source } = self;
        let measures = if record.is_capped() { &mut cell.capped } else { &mut cell.finished };
        measures.add(record, position, cell.setting.rules, judge, source);
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
        if let &[setting] = settings {
            let cells = vec![RunStats::play(setting, run_seed, first, end, progress)?];
            return Ok(Self { cells, comparisons: Vec::new() });
        }
        let (mut cells, comparison) = Comparison::play(settings, run_seed, first, end, progress)?;
        cells.sort_by_key(|cell| cell.setting);
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
        match self.cells.binary_search_by(|found| found.setting.cmp(&cell.setting)) {
            Ok(index) => self.cells[index]
                .merge(&cell)
                .map_err(|source| MergeError { setting: Box::new(cell.setting), source }),
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
