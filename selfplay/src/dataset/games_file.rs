//! One file of games that do not follow from a seed: the columns of every dataset, and behind them those of where the games come from.

use std::io::Write;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Fields, SchemaRef};
use jigo_engine::BoardSize;
use parquet::{arrow::ArrowWriter, errors::ParquetError};

use super::{MovesColumn, encode::Columns, schema};
use crate::{Census, GameRecord};

/// A file of games in a dataset's columns, written game after game.
pub(crate) struct GamesFile<O: Write + Send> {
    writer: ArrowWriter<O>,
    schema: SchemaRef,
    size: BoardSize,
    game_count: u64,
}

impl<O: Write + Send> GamesFile<O> {
    /// Games to be [written](Self::write) together: as many as a dataset encodes together.
    ///
    /// # Stability
    /// Part of the format, as there.
    pub(crate) const BATCH: usize = super::shard::BATCH as usize;

    /// Begins a file of games on boards of this size: with these further columns, and with metadata behind the format's version.
    pub(crate) fn new(
        output: O,
        size: BoardSize,
        further: &Fields,
        metadata: Vec<(&'static str, String)>,
    ) -> Result<Self, ParquetError> {
        let schema = schema::schema_with(MovesColumn::List, Census::Draws, further);
        let options = schema::writer_options(MovesColumn::List, metadata);
        let writer = ArrowWriter::try_new_with_options(output, schema.clone(), options)?;
        Ok(Self { writer, schema, size, game_count: 0 })
    }

    /// Writes the next games, whose indices follow one another from 0, and the further columns of each.
    pub(crate) fn write(&mut self, games: &[GameRecord], further: Vec<ArrayRef>) -> Result<(), ParquetError> {
        let first = self.game_count;
        self.game_count += games.len() as u64;
        let mut columns = Columns::new(self.size, MovesColumn::List, first..self.game_count);
        for game in games {
            columns.put(game);
        }
        let columns = [columns.finish(Census::Draws)?, further].concat();
        self.writer.write(&RecordBatch::try_new(self.schema.clone(), columns)?)
    }

    /// Ends the file.
    pub(crate) fn finish(self) -> Result<O, ParquetError> {
        self.writer.into_inner()
    }
}
