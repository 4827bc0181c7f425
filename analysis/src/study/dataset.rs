//! Measuring the games of a dataset.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use jigo_engine::IllegalMove;
use jigo_selfplay::{
    Progress, Sink as _,
    dataset::{Dataset, DatasetError, FinalPositions},
};
use rayon::prelude::*;

use crate::{Coverage, RunStats, study::StatsSink};

/// Why a dataset could not be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A file of the dataset.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// A stored move.
    #[error(
        "shard {shard}, game {game_index}: move {number} is illegal ({reason}); check the dataset with `jigo verify --replay`"
    )]
    Illegal {
        /// The shard.
        shard: u64,
        /// The game.
        game_index: u64,
        /// The move, from 1.
        number: usize,
        /// The rule it breaks.
        reason: IllegalMove,
    },
}

impl RunStats {
    /// Measures a complete dataset: the result equals that of [`play`](Self::play) for the same games.
    ///
    /// # Errors
    /// As [`add_dataset`](Self::add_dataset).
    pub fn from_dataset(dataset: &Dataset, progress: &Progress) -> Result<Self, MeasureError> {
        let mut stats = Self::new(dataset.spec().run.config);
        stats.add_dataset(dataset, progress)?;
        Ok(stats)
    }

    /// Adds the games of a complete dataset that are not measured yet.
    ///
    /// Stored moves are played again for the final position, under simple ko; for all rules use [`verify`](jigo_selfplay::dataset::verify). Works on
    /// the threads of the current rayon pool, one shard on each; `progress` counts games and can stop the work.
    ///
    /// # Errors
    /// [`MeasureError`] names the file, or the game and move. [`DatasetError::Stopped`] when stopped. What was measured until then stays.
    ///
    /// # Panics
    /// When the games of the dataset have another configuration.
    pub fn add_dataset(&mut self, dataset: &Dataset, progress: &Progress) -> Result<(), MeasureError> {
        let spec = dataset.spec();
        let missing = self.coverage.missing(spec.run.seed, 0..spec.games);
        progress.skip(spec.games - missing.iter().map(|games| games.end - games.start).sum::<u64>());
        let total = Mutex::new(self);
        (0..spec.shard_count()).into_par_iter().try_for_each(|shard| {
            let of_shard = spec.shard_range(shard);
            let in_shard = |games: &Range<u64>| games.start.max(of_shard.start)..games.end.min(of_shard.end);
            let missing: Vec<_> = missing.iter().map(in_shard).filter(|games| !games.is_empty()).collect();
            let (measured, result) = measure_shard(dataset, shard, &missing, progress);
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            total.merge(&measured).expect("games that are missing");
            result
        })
    }
}

/// Measures these games of a shard in order, and returns what was measured until an error.
fn measure_shard(
    dataset: &Dataset,
    shard: u64,
    games: &[Range<u64>],
    progress: &Progress,
) -> (RunStats, Result<(), MeasureError>) {
    let run = &dataset.spec().run;
    let (mut sink, mut positions) = (StatsSink::new(run), FinalPositions::new(run.config));
    let mut end = 0;
    let mut measure =
        || {
            if games.is_empty() {
                return Ok(());
            }
            if progress.is_stopped() {
                return Err(DatasetError::Stopped.into());
            }
            for record in dataset.shard(shard)? {
                if progress.is_stopped() {
                    return Err(DatasetError::Stopped.into());
                }
                let record = record?;
                if games.iter().any(|games| games.contains(&record.game_index)) {
                    let position = positions.of(&record).map_err(|(number, reason)| {
                        MeasureError::Illegal { shard, game_index: record.game_index, number, reason }
                    })?;
                    sink.add(&record, position);
                    progress.add(1, record.ply_count().into());
                }
                end = record.game_index + 1;
            }
            Ok(())
        };
    let result = measure();
    let mut stats = sink.stats;
    for games in games.iter().filter(|games| games.start < end) {
        let measured = Coverage::new(run.seed, games.start..games.end.min(end));
        stats.coverage.merge(&measured).expect("ranges without a game in common");
    }
    (stats, result)
}
