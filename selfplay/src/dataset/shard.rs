//! Encoding shards, row group by row group.

use std::{mem, ops::Range, path::PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::{
    arrow::{
        ArrowWriter,
        arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves},
    },
    errors::ParquetError,
    file::writer::SerializedFileWriter,
};

use super::{
    DatasetError, DatasetSpec,
    in_order::InOrder,
    layout::{self, Layout},
    manifest::{Manifest, SideFile},
    schema::{self, ROW_GROUP_ROWS},
};
use crate::files::AtomicFile;

/// Games encoded together.
///
/// # Stability
/// Part of the format: where one batch ends decides how a page is laid out.
pub(super) const BATCH: u64 = 1024;

// A batch lies in one row group.
const _: () = assert!((ROW_GROUP_ROWS as u64).is_multiple_of(BATCH));

/// A shard that is being written.
pub(super) struct Shard {
    pub(super) index: u64,
    games: Range<u64>,
    path: PathBuf,
    schema: SchemaRef,
    row_groups: ArrowRowGroupWriterFactory,
    /// The file that row groups go into in their order; `None` once it is closed.
    pub(super) file: InOrder<Option<ShardFile>, Vec<ArrowColumnChunk>>,
}

/// The unfinished file of a shard, removed when dropped.
pub(super) struct ShardFile {
    writer: SerializedFileWriter<AtomicFile>,
}

impl Shard {
    /// Begins a shard.
    pub(super) fn create(
        layout: &Layout,
        manifest: &Manifest,
        spec: &DatasetSpec,
        index: u64,
    ) -> Result<Self, DatasetError> {
        let file = layout.begin_file(&format!("shard-{index:06}.parquet"))?;
        let path = file.path().to_owned();
        let schema = schema::schema(spec.moves, spec.run.config.count_forbidden);
        let options = schema::writer_options(spec.moves, schema::shard_metadata(manifest, index));
        let parts = ArrowWriter::try_new_with_options(file, schema.clone(), options)
            .and_then(ArrowWriter::into_serialized_writer);
        let (writer, row_groups) = parts.map_err(|error| DatasetError::parquet("write", &path, error))?;
        let file = InOrder::new(Some(ShardFile { writer }));
        Ok(Self { index, games: spec.shard_range(index), path, schema, row_groups, file })
    }

    /// Number of row groups.
    pub(super) fn group_count(&self) -> u64 {
        (self.games.end - self.games.start).div_ceil(ROW_GROUP_ROWS as u64)
    }

    /// The games of a row group.
    pub(super) fn group_games(&self, group: u64) -> Range<u64> {
        piece(&self.games, ROW_GROUP_ROWS as u64, group)
    }

    /// Begins a row group.
    pub(super) fn encoder(&self, group: u64) -> Result<GroupEncoder, DatasetError> {
        let columns = self.row_groups.create_column_writers(group as usize).map_err(self.fail())?;
        Ok(GroupEncoder { columns })
    }

    /// The columns of its games.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// An error of the Parquet library as one of this shard.
    pub(super) fn fail<E: Into<ParquetError>>(&self) -> impl Fn(E) -> DatasetError {
        move |error| DatasetError::parquet("write", &self.path, error.into())
    }

    /// Ends the file and moves it into place; returns the shard's side file, which is not written yet. Nothing is left of the shard on failure,
    /// nor if `go_on` says so before it is in place.
    pub(super) fn persist(
        &self,
        layout: &Layout,
        manifest: &Manifest,
        file: ShardFile,
        go_on: impl Fn() -> Result<(), DatasetError>,
    ) -> Result<SideFile, DatasetError> {
        let file = file.writer.into_inner().map_err(self.fail())?;
        let (bytes, blake3) = file.digest();
        go_on()?;
        layout::persist(file, &layout.shard(self.index))?;
        let run_fingerprint = manifest.run_fingerprint.clone();
        let (first_game, games) = (self.games.start, self.games.end - self.games.start);
        Ok(SideFile { shard: self.index, first_game, games, bytes, blake3, run_fingerprint })
    }
}

impl ShardFile {
    /// Writes the next row group.
    pub(super) fn append(&mut self, columns: Vec<ArrowColumnChunk>) -> Result<(), ParquetError> {
        let mut row_group = self.writer.next_row_group()?;
        for column in columns {
            column.append_to_row_group(&mut row_group)?;
        }
        row_group.close().map(|_| ())
    }
}

/// Encodes the games of a row group.
pub(super) struct GroupEncoder {
    columns: Vec<ArrowColumnWriter>,
}

impl GroupEncoder {
    /// Encodes the next batch.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        let mut writers = self.columns.iter_mut();
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            let leaves = compute_leaves(field, column)?;
            for (leaf, writer) in leaves.iter().zip(&mut writers) {
                writer.write(leaf)?;
            }
        }
        Ok(())
    }

    /// Ends the row group.
    pub(super) fn finish(&mut self) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
        mem::take(&mut self.columns).into_iter().map(ArrowColumnWriter::close).collect()
    }
}

/// Number of batches in a row group of these games.
pub(super) fn batch_count(group: &Range<u64>) -> u64 {
    (group.end - group.start).div_ceil(BATCH)
}

/// The games of a batch of a row group.
pub(super) fn batch_games(group: &Range<u64>, batch: u64) -> Range<u64> {
    piece(group, BATCH, batch)
}

/// One of the pieces of `length` of a range; the last may be shorter.
fn piece(range: &Range<u64>, length: u64, index: u64) -> Range<u64> {
    let start = range.start + index * length;
    start..range.end.min(start + length)
}
