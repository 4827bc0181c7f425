//! One file of games that do not follow from a seed: the columns of every dataset, and behind them those of where the games come from.

use std::io::Write;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Fields, SchemaRef};
use jigo_engine::BoardSize;
use parquet::{arrow::ArrowWriter, errors::ParquetError};

use super::{MovesColumn, encode::Columns, schema};
use crate::GameRecord;

/// A file of games in a dataset's columns, written game after game.
pub(crate) struct GamesFile<O: Write + Send> {
    writer: ArrowWriter<O>,
    schema: SchemaRef,
    next_game: u64,
}

impl<O: Write + Send> GamesFile<O> {
    /// Games to be [written](Self::write) together: as many as a dataset encodes together.
    ///
    /// # Stability
    /// Part of the format, as there.
    pub(crate) const BATCH: usize = super::shard::BATCH as usize;

    /// Begins a file of games from this index on: with these further columns, and with metadata behind the format's version.
    pub(crate) fn new(
        output: O,
        first_game: u64,
        further: &Fields,
        metadata: Vec<(&'static str, String)>,
    ) -> Result<Self, ParquetError> {
        let schema = schema::schema_with(MovesColumn::List, false, further);
        let options = schema::writer_options(MovesColumn::List, metadata);
        let writer = ArrowWriter::try_new_with_options(output, schema.clone(), options)?;
        Ok(Self { writer, schema, next_game: first_game })
    }

    /// Writes the next games, whose indices follow one another, each with the size of its board; and the further columns of each.
    pub(crate) fn write<'a>(
        &mut self,
        games: impl ExactSizeIterator<Item = (BoardSize, &'a GameRecord)>,
        further: Vec<ArrayRef>,
    ) -> Result<(), ParquetError> {
        let first = self.next_game;
        self.next_game += games.len() as u64;
        let mut games = games.peekable();
        let point_count = games.peek().map_or(0, |(size, _)| size.point_count());
        let mut columns = Columns::new(point_count, MovesColumn::List, first..self.next_game);
        for (size, game) in games {
            columns.put(size, game);
        }
        let columns = [columns.finish(false)?, further].concat();
        self.writer.write(&RecordBatch::try_new(self.schema.clone(), columns)?)
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> Result<O, ParquetError> {
        self.writer.into_inner()
    }
}
