//! Encoding shards, and other files of games, row group by row group.

use std::{io, ops::Range, path::PathBuf, sync::Arc};

use jigo_engine::BoardSize;
use parquet::{
    errors::{ParquetError, Result as ParquetResult},
    file::{properties::WriterPropertiesPtr, writer::SerializedFileWriter},
    schema::types::SchemaDescPtr,
};

use super::{
    DatasetError, MovesColumn,
    claims::InOrder,
    columns::{Column, ColumnChunk, GroupEncoder, append_group},
    game::Columns,
    manifest::{self, SideFile},
    schema::{self, ROW_GROUP_ROWS},
    write::Target,
};
use crate::{GameRecord, files::AtomicFile};

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
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    /// The file that row groups go into in their order; `None` once it is closed.
    pub(super) file: InOrder<Option<ShardFile>, Vec<ColumnChunk>>,
}

/// The unfinished file of a shard, removed when dropped.
pub(super) type ShardFile = SerializedFileWriter<AtomicFile>;

impl Shard {
    /// Begins a shard.
    pub(super) fn create(target: &Target<'_>, index: u64) -> Result<Self, DatasetError> {
        let Target { layout, manifest, spec } = target;
        let file = layout.begin_file(&format!("shard-{index:06}.parquet"))?;
        let path = file.path().to_owned();
        let schema = schema::schema(spec.moves, spec.run.config.count_forbidden, "");
        let metadata = schema::shard_metadata(&manifest.run, &manifest.run_fingerprint, index);
        let properties = schema::writer_properties(spec.moves, metadata);
        let writer = SerializedFileWriter::new(file, schema, properties.clone())
            .map_err(|error| DatasetError::parquet("write", &path, error))?;
        let schema = Arc::new(writer.schema_descr().clone());
        let file = InOrder::new(Some(writer));
        Ok(Self { index, games: spec.shard_range(index), path, schema, properties, file })
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
    pub(super) fn encoder(&self) -> GroupEncoder {
        GroupEncoder::new(&self.schema, &self.properties)
    }

    /// An error of the Parquet library as one of this shard.
    pub(super) fn fail(&self) -> impl Fn(ParquetError) -> DatasetError {
        move |error| DatasetError::parquet("write", &self.path, error)
    }

    /// Ends the file and moves it into place with its side file, which it returns. Nothing is left of the shard on failure, nor if `go_on` says so
    /// before it is in place.
    pub(super) fn persist(
        &self,
        target: &Target<'_>,
        file: ShardFile,
        go_on: impl Fn() -> Result<(), DatasetError>,
    ) -> Result<SideFile, DatasetError> {
        let file = file.into_inner().map_err(self.fail())?;
        let (bytes, blake3) = file.digest();
        go_on()?;
        manifest::persist(file, &target.layout.shard(self.index))?;
        let run_fingerprint = target.manifest.run_fingerprint.clone();
        let (first_game, games) = (self.games.start, self.games.end - self.games.start);
        let side_file = SideFile { shard: self.index, first_game, games, bytes, blake3, run_fingerprint };
        side_file.write(&target.layout)?;
        Ok(side_file)
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

/// A file of games that do not follow from a seed: the columns of every dataset, and after them those of where the games come from.
pub(crate) struct GamesFile<O: io::Write + Send> {
    writer: SerializedFileWriter<O>,
    properties: WriterPropertiesPtr,
    /// The row group in work, and how many games it has.
    group: Option<(GroupEncoder, usize)>,
    next_game: u64,
}

impl<O: io::Write + Send> GamesFile<O> {
    /// How many games are [written](Self::write) together, as in a dataset.
    ///
    /// # Stability
    /// Part of the format, as there.
    pub(crate) const BATCH: usize = BATCH as usize;

    /// Begins a file of games from this index on: with these further columns, and with metadata after the format's version.
    pub(crate) fn new(
        output: O,
        first_game: u64,
        further: &str,
        metadata: Vec<(&'static str, String)>,
    ) -> ParquetResult<Self> {
        let schema = schema::schema(MovesColumn::List, false, further);
        let properties = schema::writer_properties(MovesColumn::List, metadata);
        let writer = SerializedFileWriter::new(output, schema, properties.clone())?;
        Ok(Self { writer, properties, group: None, next_game: first_game })
    }

    /// How many games can be written to the row group in work.
    pub(crate) fn room(&self) -> usize {
        ROW_GROUP_ROWS - self.group.as_ref().map_or(0, |(_, games)| *games)
    }

    /// Writes the next games, for which there is [room](Self::room) and whose indices follow one another, each with the size of its board; and
    /// the further columns of all.
    pub(crate) fn write<'a>(
        &mut self,
        games: impl ExactSizeIterator<Item = (BoardSize, &'a GameRecord)>,
        further: Vec<Column>,
    ) -> ParquetResult<()> {
        let (first, count) = (self.next_game, games.len());
        self.next_game += count as u64;
        let mut games = games.peekable();
        let point_count = games.peek().map_or(0, |(size, _)| size.point_count());
        let mut columns = Columns::new(point_count, MovesColumn::List, first..self.next_game);
        for (size, game) in games {
            columns.put(size, game);
        }
        let begin = || (GroupEncoder::new(self.writer.schema_descr(), &self.properties), 0);
        let (encoder, games) = self.group.get_or_insert_with(begin);
        encoder.write(&[columns.finish(false), further].concat())?;
        *games += count;
        if self.room() == 0 { self.finish_group() } else { Ok(()) }
    }

    fn finish_group(&mut self) -> ParquetResult<()> {
        match self.group.take() {
            Some((encoder, _)) => append_group(&mut self.writer, encoder.finish()?),
            None => Ok(()),
        }
    }

    /// Ends the file.
    pub(crate) fn finish(mut self) -> ParquetResult<O> {
        self.finish_group()?;
        self.writer.into_inner()
    }
}
