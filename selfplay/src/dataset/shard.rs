//! Encoding shards, and other files of games, row group by row group.

use std::{
    io::{self, Write},
    ops::Range,
    path::PathBuf,
    sync::Arc,
};

use jigo_engine::BoardSize;
use parquet::{
    errors::Result as ParquetResult,
    file::{properties::WriterPropertiesPtr, writer::SerializedFileWriter},
    schema::types::SchemaDescPtr,
};

use super::{
    Dataset, DatasetError, ShardEntry,
    claims::InOrder,
    columns::{Column, ColumnChunk, GroupEncoder, append_group},
    error::At as _,
    game::Columns,
    manifest::SideFile,
    read::Shards as _,
    schema,
};
use crate::{GameRecord, files::AtomicFile};

/// A shard that is being written.
pub(super) struct Shard {
    pub(super) index: u64,
    games: Range<u64>,
    /// The temporary file.
    pub(super) path: PathBuf,
    pub(super) columns: schema::Columns,
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    point_count: usize,
    /// Takes in the row groups.
    pub(super) file: InOrder<ShardFile, Vec<ColumnChunk>>,
}

/// The unfinished file of a shard, removed when dropped.
pub(super) type ShardFile = SerializedFileWriter<Output<AtomicFile>>;

/// The output of a Parquet writer. It can be taken back after [`finish`](SerializedFileWriter::finish), which says why it fails, as for a full disk;
/// `into_inner` fails with a text alone.
pub(super) struct Output<O>(Option<O>);

impl<O: Write + Send> Output<O> {
    /// Ends a file and returns it.
    fn finish(mut writer: SerializedFileWriter<Self>) -> ParquetResult<O> {
        writer.finish()?;
        Ok(writer.inner_mut().0.take().expect("a file is finished once"))
    }

    fn file(&mut self) -> io::Result<&mut O> {
        self.0.as_mut().ok_or_else(|| io::Error::other("the file is finished"))
    }
}

impl<O: Write + Send> Write for Output<O> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Shard {
    /// Begins a shard.
    pub(super) fn create(dataset: &Dataset, index: u64) -> Result<Self, DatasetError> {
        let Dataset { layout, manifest, spec } = dataset;
        let file = layout.begin_file(&format!("shard-{index:06}.parquet"))?;
        let path = file.path().to_owned();
        let metadata =
            schema::shard_metadata(&manifest.run.without_games(), &manifest.run_fingerprint, index);
        let columns = dataset.columns();
        let properties = schema::writer_properties(columns, metadata);
        let file =
            ShardFile::new(Output(Some(file)), dataset.schema(), properties.clone()).at("write", &path)?;
        let schema = Arc::new(file.schema_descr().clone());
        let games = spec.shard_range(index);
        let point_count = spec.run.config.size.point_count();
        Ok(Self { index, games, path, columns, schema, properties, point_count, file: InOrder::new(file) })
    }

    /// Returns the places of the row groups of a shard with these games.
    pub(super) fn groups(columns: schema::Columns, games: &Range<u64>) -> Range<u64> {
        0..piece_count(games, columns.group_games())
    }

    /// Returns whether a row group is the last.
    pub(super) fn is_last(&self, group: u64) -> bool {
        group + 1 == Self::groups(self.columns, &self.games).end
    }

    /// Returns the games of a row group.
    pub(super) fn group_games(&self, group: u64) -> Range<u64> {
        piece(&self.games, self.columns.group_games(), group)
    }

    /// Returns columns for these games.
    pub(super) fn new_columns(&self, games: Range<u64>) -> Columns {
        Columns::new(self.point_count, self.columns, games)
    }

    /// Begins a row group.
    pub(super) fn encoder(&self) -> GroupEncoder {
        GroupEncoder::new(&self.schema, &self.properties)
    }

    /// Ends the file and moves it into place with its side file, and returns its entry. Nothing is left of the shard on failure, nor if `go_on`
    /// says so, or another writer has [raised](DatasetError::FewerGames) the number of games, before it is in place.
    pub(super) fn persist(
        &self,
        dataset: &Dataset,
        file: ShardFile,
        go_on: impl Fn() -> Result<(), DatasetError>,
    ) -> Result<ShardEntry, DatasetError> {
        let file = Output::finish(file).at("write", &self.path)?;
        let ((bytes, blake3), path) = (file.digest(), dataset.layout.shard(self.index));
        go_on()?;
        let _lock = dataset.lock()?;
        file.persist(&path).at("write", &path)?;
        let run_fingerprint = dataset.manifest.run_fingerprint.clone();
        let (first_game, games) = (self.games.start, self.games.end - self.games.start);
        let side_file = SideFile { shard: self.index, first_game, games, bytes, blake3, run_fingerprint };
        side_file.write(&dataset.layout)?;
        Ok(side_file.entry())
    }
}

/// Returns into how many pieces of `length` a range falls.
pub(super) fn piece_count(range: &Range<u64>, length: u64) -> u64 {
    (range.end - range.start).div_ceil(length)
}

/// One of the pieces of `length` of a range; the last may be shorter.
pub(super) fn piece(range: &Range<u64>, length: u64, index: u64) -> Range<u64> {
    let start = range.start + index * length;
    start..range.end.min(start + length)
}

/// A file of games that do not follow from a seed: the columns of every dataset, and after them those of where the games come from.
pub(crate) struct GamesFile<O: Write + Send> {
    writer: SerializedFileWriter<Output<O>>,
    properties: WriterPropertiesPtr,
    /// The row group in work, and how many games it has.
    group: Option<(GroupEncoder, usize)>,
}

impl<O: Write + Send> GamesFile<O> {
    /// How many games are [written](Self::write) together, as in a dataset.
    pub(crate) const BATCH: usize = schema::Columns::GIVEN.batch_games() as usize;

    /// Begins a file with these further columns, and with metadata after the format's version.
    pub(crate) fn new(
        output: O,
        further: &str,
        metadata: Vec<(&'static str, String)>,
    ) -> ParquetResult<Self> {
        let schema = schema::schema(schema::Columns::GIVEN, further);
        let properties = schema::writer_properties(schema::Columns::GIVEN, metadata);
        let writer = SerializedFileWriter::new(Output(Some(output)), schema, properties.clone())?;
        Ok(Self { writer, properties, group: None })
    }

    /// How many games can be written to the row group in work.
    pub(crate) fn room(&self) -> usize {
        schema::Columns::GIVEN.group_games() as usize - self.group.as_ref().map_or(0, |(_, games)| *games)
    }

    /// Writes games, for which there is [room](Self::room) and whose indices follow one another, each with the size of its board; and the further
    /// columns of all.
    pub(crate) fn write<'a>(
        &mut self,
        games: impl ExactSizeIterator<Item = (BoardSize, &'a GameRecord)>,
        further: Vec<Column>,
    ) -> ParquetResult<()> {
        let (count, mut games) = (games.len(), games.peekable());
        let Some(&(size, first)) = games.peek() else { return Ok(()) };
        let indices = first.game_index..first.game_index + count as u64;
        let mut columns = Columns::new(size.point_count(), schema::Columns::GIVEN, indices);
        for (size, game) in games {
            columns.put(size, game, None);
        }
        let begin = || (GroupEncoder::new(self.writer.schema_descr(), &self.properties), 0);
        let (encoder, in_group) = self.group.get_or_insert_with(begin);
        encoder.write(&[columns.finish(), further].concat())?;
        *in_group += count;
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
        Output::finish(self.writer)
    }
}
