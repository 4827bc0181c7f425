//! Measuring the games of a dataset.

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
    /// Stored moves are played again for the final position, under simple ko; for all rules use [`verify`](jigo_selfplay::dataset::verify). Works on
    /// the threads of the current rayon pool, one shard on each; `progress` counts games and can stop the work.
    ///
    /// # Errors
    /// [`MeasureError`] names the file, or the game and move. [`DatasetError::Stopped`] when stopped.
    pub fn from_dataset(dataset: &Dataset, progress: &Progress) -> Result<Self, MeasureError> {
        let spec = dataset.spec();
        let shards = (0..spec.shard_count()).into_par_iter();
        let parts = shards.map(|shard| measure_shard(dataset, shard, progress));
        let mut stats = parts.try_reduce(
            || Self::new(spec.run.config),
            |mut one, other| {
                one.merge_counts(&other);
                Ok(one)
            },
        )?;
        stats.coverage = Coverage::new(spec.run.seed, 0..spec.games);
        Ok(stats)
    }
}

fn measure_shard(dataset: &Dataset, shard: u64, progress: &Progress) -> Result<RunStats, MeasureError> {
    let run = &dataset.spec().run;
    let (mut sink, mut positions) = (StatsSink::new(run), FinalPositions::new(run.config));
    for record in dataset.shard(shard)? {
        if progress.is_stopped() {
            return Err(DatasetError::Stopped.into());
        }
        let record = record?;
        let position = positions.of(&record).map_err(|(number, reason)| MeasureError::Illegal {
            shard,
            game_index: record.game_index,
            number,
            reason,
        })?;
        sink.add(&record, position);
        progress.add(1, record.ply_count().into());
    }
    Ok(sink.stats)
}
