//! Playing and encoding one shard.

use std::{
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::{arrow::ArrowWriter, errors::ParquetError};
use rayon::prelude::*;

use super::{
    DatasetError, DatasetSpec,
    encode::Columns,
    files::{DigestWriter, Partial},
    layout::Layout,
    manifest::{Manifest, SideFile},
    schema,
};
use crate::{Player, Progress};

/// Games played and encoded together: the unit of parallel work.
///
/// # Stability
/// Part of the format: where one batch ends decides how a page is laid out.
const BATCH: u64 = 1024;
/// Batches played before they are written: bounds memory.
const BATCHES_IN_FLIGHT: u64 = 8;

/// Plays a shard, writes it into place, and returns its side file, which is not written yet.
///
/// # Errors
/// [`DatasetError::Stopped`] when `is_stopped` says so before the shard is in place; otherwise what went wrong. Nothing of the shard is left
/// then.
pub(super) fn write_shard<const W: usize>(
    layout: &Layout,
    manifest: &Manifest,
    spec: &DatasetSpec,
    shard: u64,
    progress: &Progress,
    is_stopped: impl Fn() -> bool + Sync,
) -> Result<SideFile, DatasetError> {
    let partial = Partial::create(layout, &format!("shard-{shard:06}.parquet"))?;
    let fail = |error| DatasetError::parquet("write", partial.path(), error);
    let schema = schema::schema(spec.moves, spec.census);
    let options = schema::writer_options(manifest, spec, shard);
    let file = DigestWriter::new(partial.file());
    let mut writer = ArrowWriter::try_new_with_options(file, schema.clone(), options).map_err(fail)?;
    let games = spec.shard_range(shard);
    for some in pieces(games.clone(), BATCH * BATCHES_IN_FLIGHT) {
        let batches: Vec<Batch> = pieces(some, BATCH)
            .collect::<Vec<_>>()
            .into_par_iter()
            .map_init(
                || Box::new(Player::<W>::new(spec.playout, spec.census)),
                |player, games| play(player, games, spec, &schema, &is_stopped),
            )
            .collect::<Option<_>>()
            .ok_or(DatasetError::Stopped)?;
        for Batch { columns, plies } in batches {
            let columns = columns.map_err(fail)?;
            writer.write(&columns).map_err(fail)?;
            progress.add(columns.num_rows() as u64, plies);
        }
    }
    let (bytes, blake3) = writer.into_inner().map_err(fail)?.finish();
    if is_stopped() {
        return Err(DatasetError::Stopped);
    }
    partial.persist(&layout.shard(shard))?;
    let run_fingerprint = manifest.run_fingerprint.clone();
    let (first_game, games) = (games.start, spec.games_in_shard(shard));
    Ok(SideFile { shard, first_game, games, bytes, blake3, run_fingerprint })
}

/// Some games of a shard.
struct Batch {
    columns: Result<RecordBatch, ParquetError>,
    plies: u64,
}

/// Plays some games; `None` when stopped.
fn play<const W: usize>(
    player: &mut Player<W>,
    games: Range<u64>,
    spec: &DatasetSpec,
    schema: &SchemaRef,
    is_stopped: impl Fn() -> bool,
) -> Option<Batch> {
    let mut columns = Columns::new(spec.playout.size, spec.moves);
    let mut plies = 0;
    for index in games {
        if is_stopped() {
            return None;
        }
        let (record, _) = player.play(index);
        plies += u64::from(record.ply_count());
        columns.push(record);
    }
    Some(Batch { columns: columns.finish(schema.clone()).map_err(ParquetError::from), plies })
}

/// Cuts a range into pieces of `length`, the last of which may be shorter.
fn pieces(range: Range<u64>, length: u64) -> impl Iterator<Item = Range<u64>> {
    let count = (range.end - range.start).div_ceil(length);
    (0..count).map(move |piece| {
        let start = range.start + piece * length;
        start..range.end.min(start + length)
    })
}

/// Does `job` for all these shards, several at a time, until one fails, and returns the first failure.
///
/// At most about half as many shards as there are threads are in work at once: their jobs are themselves parallel, so that one shard's games are
/// played while another is encoded.
pub(super) fn for_each_shard<E: Send>(
    shards: &[u64],
    job: impl Fn(u64) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let threads = rayon::current_num_threads();
    let lanes = threads.div_ceil(2).max(2).min(threads).min(shards.len());
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    (0..lanes).into_par_iter().with_max_len(1).for_each(|_| {
        while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = job(shard) {
                next.store(shards.len(), Ordering::Relaxed);
                let mut first = failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                first.get_or_insert(error);
            }
        }
    });
    let failure = failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    failure.map_or(Ok(()), Err)
}
