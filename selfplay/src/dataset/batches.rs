//! The games of a run as batches of Arrow, without a file: the same columns as those of a dataset.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::{Arc, OnceLock},
};

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Float32Array, Float64Array, Int16Array, Int32Array, Int64Array,
    ListArray, RecordBatch, StringArray, StructArray, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use parquet::{basic::LogicalType, schema::types::Type};

use super::{
    MovesColumn,
    columns::{Column, Values},
    game::{self, SharedColumns},
    schema,
    shard::{piece, piece_count},
};
use crate::{AnyPosition, GameRecord, Progress, Run, Sink, Stopped};

/// How many games a batch has.
const BATCH_GAMES: u64 = 8192;

/// Plays the games of a run in batches, in order.
///
/// Columns have the names, types and meaning of those of a dataset: see `docs/dataset.md`. Memory does not grow with the number of games: as many as a
/// row group of a dataset has are played at a time, and given out in smaller batches.
///
/// ```
/// use jigo_selfplay::{Progress, Run, dataset::{GameBatches, MovesColumn}};
/// let run = Run::new("5", "chinese", "eye-safe")?;
/// let mut batches = GameBatches::new(run, 0..1000, MovesColumn::List, false);
/// let batch = batches.next(&Progress::new())?.expect("there are games");
/// assert_eq!(batch.num_rows(), 1000);
/// assert!(batches.next(&Progress::new())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBatches {
    run: Run,
    /// The games that are not played yet.
    games: Range<u64>,
    /// Batches that were played and not given out yet.
    played: VecDeque<RecordBatch>,
    columns: schema::Columns,
    schema: SchemaRef,
}

impl GameBatches {
    /// Prepares games of a run; nothing is played yet.
    #[must_use]
    pub fn new(run: Run, games: Range<u64>, moves: MovesColumn, ownership: bool) -> Self {
        let columns = schema::Columns::of_run(&run, moves, ownership);
        let fields: Fields =
            schema::schema(columns, "").get_fields().iter().map(|field| arrow_field(field)).collect();
        Self { run, games, played: VecDeque::new(), columns, schema: Arc::new(Schema::new(fields)) }
    }

    /// Returns the names and types of the columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Returns the next games, if need be after playing on the threads of the current rayon pool; nothing if there are no more.
    ///
    /// # Errors
    /// [`Stopped`], after which the same games are the next ones.
    pub fn next(&mut self, progress: &Progress) -> Result<Option<RecordBatch>, Stopped> {
        if self.played.is_empty() && !self.games.is_empty() {
            self.play(progress)?;
        }
        Ok(self.next_played())
    }

    /// Returns the next games if they were played already.
    pub fn next_played(&mut self) -> Option<RecordBatch> {
        self.played.pop_front()
    }

    /// Plays as many games as a row group has. Each batch is made by the thread that adds its last game, while others play.
    fn play(&mut self, progress: &Progress) -> Result<(), Stopped> {
        let size = self.run.config.size;
        let all = piece(&self.games, self.columns.group_games(), 0);
        let batch = |place| {
            let games = piece(&all, BATCH_GAMES, place);
            let columns = game::Columns::new(size.point_count(), self.columns, games);
            Batch { columns: SharedColumns::new(columns), made: OnceLock::new() }
        };
        let batches: Vec<Batch> = (0..piece_count(&all, BATCH_GAMES)).map(batch).collect();
        let collect = || Collect { from: self, batches: &batches };
        self.run.play(all.clone(), collect, progress)?;
        self.games.start = all.end;
        let made = |batch: Batch| batch.made.into_inner().expect("all games were played");
        self.played.extend(batches.into_iter().map(made));
        Ok(())
    }
}

/// A batch that is being played.
struct Batch {
    columns: SharedColumns,
    made: OnceLock<RecordBatch>,
}

/// Takes in games for batches that threads share.
struct Collect<'a> {
    from: &'a GameBatches,
    batches: &'a [Batch],
}

impl Sink for Collect<'_> {
    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        let GameBatches { run, games, columns, schema, .. } = self.from;
        let ownership = columns.ownership_of(record, position);
        let batch = &self.batches[((record.game_index - games.start) / BATCH_GAMES) as usize];
        if let Some(columns) = batch.columns.put(run.config.size, record, ownership) {
            let mut columns = columns.finish().into_iter();
            let arrays = schema.fields().iter().map(|field| array(field.data_type(), &mut columns)).collect();
            let made = RecordBatch::try_new(schema.clone(), arrays).expect("columns of the schema");
            batch.made.set(made).expect("only the last game makes a batch");
        }
    }

    fn merge(&mut self, _: Self) {}
}

/// Returns the group or value of which a column of lists consists.
fn element(field: &Type) -> &Type {
    &field.get_fields()[0].get_fields()[0]
}

fn is_list(field: &Type) -> bool {
    field.get_basic_info().logical_type_ref() == Some(&LogicalType::List)
}

/// Returns the field of Arrow for one of Parquet.
fn arrow_field(field: &Type) -> Field {
    let data_type = if is_list(field) {
        DataType::List(Arc::new(arrow_field(element(field))))
    } else if field.is_group() {
        DataType::Struct(field.get_fields().iter().map(|field| arrow_field(field)).collect())
    } else {
        use parquet::basic::Type as Physical;
        let logical = field.get_basic_info().logical_type_ref();
        let integer = match logical {
            Some(LogicalType::Integer(of)) => Some((of.bit_width, of.is_signed)),
            _ => None,
        };
        match (field.get_physical_type(), integer) {
            (Physical::BOOLEAN, _) => DataType::Boolean,
            (Physical::FLOAT, _) => DataType::Float32,
            (Physical::DOUBLE, _) => DataType::Float64,
            (Physical::BYTE_ARRAY, _) if logical == Some(&LogicalType::String) => DataType::Utf8,
            (Physical::BYTE_ARRAY, _) => DataType::Binary,
            (_, Some((16, false))) => DataType::UInt16,
            (_, Some((16, true))) => DataType::Int16,
            (_, Some((32, false))) => DataType::UInt32,
            (_, Some((64, false))) => DataType::UInt64,
            (Physical::INT64, _) => DataType::Int64,
            _ => DataType::Int32,
        }
    };
    Field::new(field.name(), data_type, field.is_optional())
}

/// Makes an array of the next columns, as many as the field has leaves.
fn array(to: &DataType, columns: &mut impl Iterator<Item = Column>) -> ArrayRef {
    let mut next = || columns.next().expect("a column of the schema").decoded();
    let DataType::List(of) = to else {
        let (values, ends) = next();
        return leaf(values, to, ends.as_deref());
    };
    let list = |ends: Vec<usize>, elements| {
        let ends = std::iter::once(0).chain(ends.into_iter().map(|end| end as i32));
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends.collect::<Vec<i32>>()));
        Arc::new(ListArray::new(Arc::clone(of), offsets, elements, None)) as ArrayRef
    };
    let DataType::Struct(fields) = of.data_type() else {
        let (values, ends) = next();
        return list(ends.expect("the levels of a list"), leaf(values, of.data_type(), None));
    };
    let (mut ends, mut arrays) = (None, Vec::new());
    for to in fields {
        let (values, of_rows) = next();
        ends = of_rows;
        arrays.push(leaf(values, to.data_type(), None));
    }
    list(ends.expect("the levels of a list"), Arc::new(StructArray::new(fields.clone(), arrays, None)))
}

/// Makes an array of values. Numbers that are NaN are null. With `ends`, which says where the values of each row end, rows without a value are null.
fn leaf(values: Values, to: &DataType, ends: Option<&[usize]>) -> ArrayRef {
    let float = |value: f32| (!value.is_nan()).then_some(value);
    match (values, to) {
        (Values::Boolean(values), _) => Arc::new(BooleanArray::from(values)),
        (Values::Int32(values), DataType::UInt16) => {
            Arc::new(UInt16Array::from_iter_values(values.into_iter().map(|value| value as u16)))
        }
        (Values::Int32(values), DataType::Int16) => {
            Arc::new(Int16Array::from_iter_values(values.into_iter().map(|value| value as i16)))
        }
        (Values::Int32(values), DataType::UInt32) => {
            Arc::new(UInt32Array::from_iter_values(values.into_iter().map(i32::cast_unsigned)))
        }
        (Values::Int32(values), _) => Arc::new(Int32Array::from(values)),
        (Values::Int64(values), DataType::UInt64) => {
            Arc::new(UInt64Array::from_iter_values(values.into_iter().map(i64::cast_unsigned)))
        }
        (Values::Int64(values), _) => Arc::new(Int64Array::from(values)),
        (Values::Float(values), _) => Arc::new(values.into_iter().map(float).collect::<Float32Array>()),
        (Values::Double(values), _) => Arc::new(Float64Array::from(values)),
        (Values::Bytes(values), to) => {
            let rows: Vec<Option<&[u8]>> = match ends {
                None => values.iter().map(|bytes| Some(bytes.data())).collect(),
                Some(ends) => {
                    let begins = std::iter::once(0).chain(ends.iter().copied());
                    let row = |(begin, &end): (usize, &usize)| (begin < end).then(|| values[begin].data());
                    begins.zip(ends).map(row).collect()
                }
            };
            match to {
                DataType::Utf8 => {
                    let text =
                        |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                    Arc::new(rows.into_iter().map(text).collect::<StringArray>())
                }
                _ => Arc::new(rows.into_iter().collect::<BinaryArray>()),
            }
        }
    }
}
