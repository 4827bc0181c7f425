//! Columns as Parquet stores them: their values and levels, their encoding into row groups, and their decoding.

use std::{
    fs::File,
    ops::Range,
    slice,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use parquet::{
    column::{
        page::{CompressedPage, PageWriteSpec, PageWriter},
        reader::ColumnReader,
        writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer},
    },
    data_type::{ByteArray, DataType},
    errors::{ParquetError, Result},
    file::{
        properties::WriterPropertiesPtr,
        reader::{FileReader, SerializedFileReader},
        writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite},
    },
    schema::types::{ColumnDescPtr, SchemaDescriptor},
};

use super::claims::lock;

/// The values of a column without its nulls, one after the other.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Boolean(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    /// Of lists with nulls, each null is NaN when they are decoded.
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
}

impl Values {
    /// Numbers of at most 32 bits; those that use the highest bit are stored as negative ones.
    pub(crate) fn numbers(numbers: impl IntoIterator<Item = u32>) -> Self {
        Self::Int32(numbers.into_iter().map(u32::cast_signed).collect())
    }

    pub(crate) fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        let bytes = |text: T| ByteArray::from(text.as_ref().as_bytes().to_vec());
        Self::Bytes(texts.into_iter().map(bytes).collect())
    }
}

/// The definition levels of a column, and its repetition levels if it is a list.
type Levels = (Vec<i16>, Option<Vec<i16>>);

/// A column of some games that is to be encoded.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    values: Values,
    /// Definition and repetition levels, where the column has any.
    levels: Option<Arc<Levels>>,
}

impl Column {
    /// A column with a value in every row.
    pub(crate) fn required(values: Values) -> Self {
        Self { values, levels: None }
    }

    /// A column with these values, and a null in every row where nothing is present.
    pub(crate) fn optional(values: Values, present: impl IntoIterator<Item = bool>) -> Self {
        let definition = present.into_iter().map(i16::from).collect();
        Self { values, levels: Some(Arc::new((definition, None))) }
    }

    /// A column of lists of these lengths.
    pub(crate) fn list(lengths: impl IntoIterator<Item = usize>, values: Values) -> Self {
        let [column] = Self::lists(lengths, [values]);
        column
    }

    /// The columns of lists of structs, one for each field.
    pub(crate) fn lists<const N: usize>(
        lengths: impl IntoIterator<Item = usize>,
        fields: [Values; N],
    ) -> [Self; N] {
        let levels = Arc::new(list_levels(lengths));
        fields.map(|values| Self { values, levels: Some(levels.clone()) })
    }

    /// A column of lists of these lengths, whose elements may be null.
    pub(super) fn optional_list(
        lengths: impl IntoIterator<Item = usize>,
        elements: impl IntoIterator<Item = Option<f32>>,
    ) -> Self {
        let ((mut definition, repetition), mut values) = (list_levels(lengths), Vec::new());
        for (level, element) in definition.iter_mut().filter(|level| **level > 0).zip(elements) {
            *level += i16::from(element.is_some());
            values.extend(element);
        }
        Self { values: Values::Float(values), levels: Some(Arc::new((definition, repetition))) }
    }
}

#[cfg(feature = "arrow")]
impl Column {
    /// Returns all values, with NaN for each null of a list, and where those of each row end, unless every row has one.
    pub(super) fn decoded(self) -> (Values, Option<Vec<usize>>) {
        let Some(levels) = self.levels else { return (self.values, None) };
        let (definition, repetition) = &*levels;
        let values = match self.values {
            Values::Float(values) => Values::Float(with_nulls(values, definition)),
            values => values,
        };
        let ends = row_ends(definition, repetition.as_deref().unwrap_or_default());
        (values, Some(ends.expect("levels of rows")))
    }
}

/// The levels of lists of these lengths.
fn list_levels(lengths: impl IntoIterator<Item = usize>) -> Levels {
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    for length in lengths {
        // An empty list has one level too, which says that there is no value.
        let levels = definition.len() + length.max(1);
        definition.resize(levels, i16::from(length > 0));
        repetition.push(0);
        repetition.resize(levels, 1);
    }
    (definition, Some(repetition))
}

/// Encodes the games of a row group in memory.
pub(super) struct GroupEncoder {
    columns: Vec<(ColumnWriter<'static>, Arc<Mutex<Pages>>)>,
}

/// The encoded pages of a column in one row group.
#[derive(Default)]
struct Pages {
    dictionary: Vec<u8>,
    data: Vec<u8>,
    /// Bytes of the values of each data page, if the values are of variable length and have no levels.
    value_bytes: Vec<i64>,
}

/// A column of a row group, encoded.
pub(super) struct ColumnChunk {
    bytes: Bytes,
    close: ColumnCloseResult,
}

impl GroupEncoder {
    pub(super) fn new(schema: &SchemaDescriptor, properties: &WriterPropertiesPtr) -> Self {
        let encoder = |column: &ColumnDescPtr| {
            let pages = Arc::new(Mutex::new(Pages::default()));
            let writer = Box::new(PagesWriter(pages.clone()));
            (get_column_writer(column.clone(), properties.clone(), writer), pages)
        };
        Self { columns: schema.columns().iter().map(encoder).collect() }
    }

    /// Encodes the next games: all columns in the order of the schema.
    pub(super) fn write(&mut self, columns: &[Column]) -> Result<()> {
        assert_eq!(columns.len(), self.columns.len(), "the columns of the schema");
        for ((writer, _), Column { values, levels }) in self.columns.iter_mut().zip(columns) {
            let levels = levels.as_deref();
            match (writer, values) {
                (ColumnWriter::BoolColumnWriter(to), Values::Boolean(values)) => put(to, values, levels)?,
                (ColumnWriter::Int32ColumnWriter(to), Values::Int32(values)) => put(to, values, levels)?,
                (ColumnWriter::Int64ColumnWriter(to), Values::Int64(values)) => put(to, values, levels)?,
                (ColumnWriter::FloatColumnWriter(to), Values::Float(values)) => put(to, values, levels)?,
                (ColumnWriter::DoubleColumnWriter(to), Values::Double(values)) => put(to, values, levels)?,
                (ColumnWriter::ByteArrayColumnWriter(to), Values::Bytes(values)) => put(to, values, levels)?,
                _ => panic!("{OTHER_TYPE}"),
            };
        }
        Ok(())
    }

    /// Ends the row group.
    pub(super) fn finish(self) -> Result<Vec<ColumnChunk>> {
        let chunk = |(writer, pages): (ColumnWriter<'static>, Arc<Mutex<Pages>>)| {
            let has_bytes = matches!(writer, ColumnWriter::ByteArrayColumnWriter(_));
            let mut close = writer.close()?;
            let Pages { mut dictionary, data, value_bytes } = std::mem::take(&mut *lock(&pages));
            close = close.update_dictionary_location(dictionary.len())?;
            // The library leaves these sizes out where it keeps no statistics; the format has them.
            if let Some(index) = close.offset_index.as_mut().filter(|_| has_bytes) {
                index.unencoded_byte_array_data_bytes.get_or_insert(value_bytes);
            }
            dictionary.extend(data);
            Ok(ColumnChunk { bytes: dictionary.into(), close })
        };
        self.columns.into_iter().map(chunk).collect()
    }
}

fn put<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    levels: Option<&Levels>,
) -> Result<usize> {
    let definition = levels.map(|(definition, _)| &definition[..]);
    let repetition = levels.and_then(|(_, repetition)| repetition.as_deref());
    writer.write_batch(values, definition, repetition)
}

/// Writes an encoded row group to a file.
pub(super) fn append_group<O: std::io::Write + Send>(
    file: &mut SerializedFileWriter<O>,
    columns: Vec<ColumnChunk>,
) -> Result<()> {
    let mut row_group = file.next_row_group()?;
    for ColumnChunk { bytes, close } in columns {
        row_group.append_column(&bytes, close)?;
    }
    row_group.close().map(drop)
}

/// Collects the pages of a column in memory.
struct PagesWriter(Arc<Mutex<Pages>>);

impl PageWriter for PagesWriter {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let mut pages = lock(&self.0);
        let is_dictionary = page.compressed_page().is_dictionary_page();
        let value_bytes =
            page.uncompressed_size() as i64 - i64::from(page.num_values()) * size_of::<u32>() as i64;
        let mut output = TrackedWrite::new(Vec::new());
        let mut spec = SerializedPageWriter::new(&mut output).write_page(page)?;
        let bytes = output.into_inner()?;
        spec.offset = (pages.dictionary.len() + pages.data.len()) as u64;
        if is_dictionary {
            pages.dictionary.extend(bytes);
        } else {
            pages.data.extend(bytes);
            pages.value_bytes.push(value_bytes);
        }
        Ok(spec)
    }

    fn defers_dictionary_ordering(&self) -> bool {
        // The dictionary is complete after the last page, and goes in front of the first.
        true
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Decodes the columns of a file, some rows at a time.
pub(super) struct RowsReader {
    file: SerializedFileReader<File>,
    next_group: usize,
    columns: Vec<(ColumnDescPtr, ColumnReader)>,
    /// Rows of the row group that were not read yet.
    left: usize,
}

/// A column of some rows that was decoded.
struct DecodedColumn {
    column: ColumnDescPtr,
    values: Values,
    /// Where the values of each row end, unless each row has one.
    ends: Option<Vec<usize>>,
}

impl RowsReader {
    pub(super) fn new(file: SerializedFileReader<File>) -> Self {
        Self { file, next_group: 0, columns: Vec::new(), left: 0 }
    }

    /// Decodes at most so many rows, none at the end of the file, and returns what `take` makes of each.
    pub(super) fn next<T>(&mut self, most: usize, take: impl Fn(Row<'_>) -> T) -> Result<Vec<T>> {
        while self.left == 0 {
            if self.next_group == self.file.num_row_groups() {
                return Ok(Vec::new());
            }
            let group = self.file.get_row_group(self.next_group)?;
            let schema = self.file.metadata().file_metadata().schema_descr();
            let column = |(index, column): (usize, &ColumnDescPtr)| {
                Ok((column.clone(), group.get_column_reader(index)?))
            };
            self.columns = schema.columns().iter().enumerate().map(column).collect::<Result<_>>()?;
            self.left = usize::try_from(group.metadata().num_rows()).unwrap_or_default();
            self.next_group += 1;
        }
        let count = most.min(self.left);
        self.left -= count;
        let columns = self.columns.iter_mut().map(|(column, reader)| decode(column, reader, count));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        Ok((0..count).map(|row| take(Row { columns: columns.iter(), row })).collect())
    }
}

fn decode(column: &ColumnDescPtr, reader: &mut ColumnReader, count: usize) -> Result<DecodedColumn> {
    let (mut definition, mut repetition) = (Vec::new(), Vec::new());
    macro_rules! read {
        ($reader:ident, $kind:ident) => {{
            let mut values = Vec::new();
            $reader.read_records(count, Some(&mut definition), Some(&mut repetition), &mut values)?;
            (values.len(), Values::$kind(values))
        }};
    }
    let fail = |what: &str| ParquetError::General(format!("column {}: {what}", column.path()));
    let (length, values) = match reader {
        ColumnReader::BoolColumnReader(reader) => read!(reader, Boolean),
        ColumnReader::Int32ColumnReader(reader) => read!(reader, Int32),
        ColumnReader::Int64ColumnReader(reader) => read!(reader, Int64),
        ColumnReader::FloatColumnReader(reader) => {
            let mut values = Vec::new();
            reader.read_records(count, Some(&mut definition), Some(&mut repetition), &mut values)?;
            let values = with_nulls(values, &definition);
            (values.len(), Values::Float(values))
        }
        ColumnReader::DoubleColumnReader(reader) => read!(reader, Double),
        ColumnReader::ByteArrayColumnReader(reader) => read!(reader, Bytes),
        _ => return Err(fail("a type that jigo does not write")),
    };
    let ends = if column.max_def_level() == 0 {
        None
    } else {
        Some(row_ends(&definition, &repetition).ok_or_else(|| fail("levels that make no rows"))?)
    };
    let of_lists = |ends: &Vec<usize>| (ends.len(), ends.last().copied().unwrap_or_default());
    let (rows, all) = ends.as_ref().map_or((length, length), of_lists);
    if (rows, all) != (count, length) {
        return Err(fail(&format!("{rows} rows with {all} values, not {count} with {length}")));
    }
    Ok(DecodedColumn { column: column.clone(), values, ends })
}

/// The elements of lists that may have nulls, as NaN.
fn with_nulls(values: Vec<f32>, definition: &[i16]) -> Vec<f32> {
    let mut values = values.into_iter();
    let element = |&level: &i16| if level == 1 { Some(f32::NAN) } else { values.next() };
    definition.iter().filter(|&&level| level > 0).map_while(element).collect()
}

/// Where the values of each row end, if these levels are those of a list or a column with nulls.
fn row_ends(definition: &[i16], repetition: &[i16]) -> Option<Vec<usize>> {
    let (mut ends, mut values, mut is_empty) = (Vec::new(), 0, true);
    for (place, &level) in definition.iter().enumerate() {
        match repetition.get(place) {
            // Only a list with values goes on, and with a value.
            Some(1) if is_empty || level == 0 => return None,
            Some(1) => {}
            _ => ends.push(values),
        }
        is_empty = level == 0;
        values += usize::from(!is_empty);
        *ends.last_mut()? = values;
    }
    Some(ends)
}

/// The columns of one row, which are read in the order of the schema.
///
/// Its methods panic when the schema has no such column, or one of another type.
#[derive(Clone)]
pub(super) struct Row<'a> {
    columns: slice::Iter<'a, DecodedColumn>,
    row: usize,
}

/// What a panic says when the code and the schema disagree on the type of a column.
const OTHER_TYPE: &str = "a column of another type than in the schema";

impl<'a> Row<'a> {
    /// The next column, and where the values of this row stand in it.
    fn next(&mut self) -> (&'a DecodedColumn, Range<usize>) {
        let column = self.columns.next().expect("a column of the schema");
        let place = match &column.ends {
            None => self.row..self.row + 1,
            Some(ends) => self.row.checked_sub(1).map_or(0, |before| ends[before])..ends[self.row],
        };
        (column, place)
    }

    /// Passes over the next columns.
    pub(super) fn skip(&mut self, count: usize) {
        self.columns.by_ref().take(count).for_each(drop);
    }

    pub(super) fn booleans(&mut self) -> &'a [bool] {
        let (DecodedColumn { values: Values::Boolean(values), .. }, place) = self.next() else {
            panic!("{OTHER_TYPE}")
        };
        &values[place]
    }

    /// The next number of a column of 64 bits without a sign.
    pub(super) fn number_64(&mut self) -> u64 {
        let (DecodedColumn { values: Values::Int64(values), .. }, place) = self.next() else {
            panic!("{OTHER_TYPE}")
        };
        values[place.start].cast_unsigned()
    }

    fn each_number<T: TryFrom<i32>>(&mut self) -> impl Iterator<Item = Result<T, String>> + use<'a, T> {
        let (column, place) = self.next();
        let Values::Int32(values) = &column.values else { panic!("{OTHER_TYPE}") };
        values[place].iter().map(move |&value| {
            let out_of_range = |_| format!("{}: {value} is out of range", column.column.path());
            T::try_from(value).map_err(out_of_range)
        })
    }

    /// The next list of numbers of at most 32 bits.
    pub(super) fn numbers<T: TryFrom<i32>>(&mut self) -> Result<Vec<T>, String> {
        self.each_number().collect()
    }

    /// The next number of at most 32 bits.
    pub(super) fn number<T: TryFrom<i32>>(&mut self) -> Result<T, String> {
        self.each_number().next().expect("a value in every row")
    }

    /// The next list of numbers, where NaN is a null.
    pub(super) fn floats(&mut self) -> &'a [f32] {
        let (DecodedColumn { values: Values::Float(values), .. }, place) = self.next() else {
            panic!("{OTHER_TYPE}")
        };
        &values[place]
    }

    fn each_bytes(&mut self) -> (&'a DecodedColumn, &'a [ByteArray]) {
        let (column, place) = self.next();
        let Values::Bytes(values) = &column.values else { panic!("{OTHER_TYPE}") };
        (column, &values[place])
    }

    pub(super) fn bytes(&mut self) -> &'a [u8] {
        self.each_bytes().1[0].data()
    }

    /// The next bytes, if they are not null.
    pub(super) fn optional_bytes(&mut self) -> Option<&'a [u8]> {
        self.each_bytes().1.first().map(ByteArray::data)
    }

    fn each_text(&mut self) -> impl Iterator<Item = Result<&'a str, String>> + use<'a> {
        let (column, values) = self.each_bytes();
        values.iter().map(move |bytes| {
            std::str::from_utf8(bytes.data()).map_err(|error| format!("{}: {error}", column.column.path()))
        })
    }

    /// The next list of texts.
    pub(super) fn texts(&mut self) -> Result<Vec<&'a str>, String> {
        self.each_text().collect()
    }

    pub(super) fn text(&mut self) -> Result<&'a str, String> {
        self.each_text().next().expect("a value in every row")
    }

    /// The next text, if it is not null.
    pub(super) fn optional_text(&mut self) -> Result<Option<&'a str>, String> {
        self.each_text().next().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_tell_rows_apart() {
        let column = Column::list([2, 0, 1, 0, 0, 3], Values::numbers(0..6));
        let levels = column.levels.unwrap();
        let (definition, repetition) = (&levels.0, levels.1.as_ref().unwrap());
        assert_eq!(definition, &[1, 1, 0, 1, 0, 0, 1, 1, 1]);
        assert_eq!(repetition, &[0, 1, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(row_ends(definition, repetition), Some(vec![2, 2, 3, 3, 3, 6]));
        assert_eq!(row_ends(&[1, 0, 1], &[]), Some(vec![1, 1, 2]));
        // A list that goes on before it began, after an empty one, or with nothing.
        assert_eq!(row_ends(&[1], &[1]), None);
        assert_eq!(row_ends(&[0, 1], &[0, 1]), None);
        assert_eq!(row_ends(&[1, 0], &[0, 1]), None);
    }

    #[test]
    fn elements_may_be_null() {
        let column = Column::optional_list([2, 0, 2], [Some(0.5), None, None, Some(-2.0)]);
        let (Values::Float(values), levels) = (column.values, column.levels.unwrap()) else { panic!() };
        assert_eq!(values, [0.5, -2.0]);
        assert_eq!(*levels, (vec![2, 1, 0, 1, 2], Some(vec![0, 1, 0, 0, 1])));
        let elements = with_nulls(values, &levels.0);
        assert!(matches!(elements[..], [0.5, one, two, -2.0] if one.is_nan() && two.is_nan()));
        assert_eq!(row_ends(&levels.0, levels.1.as_ref().unwrap()), Some(vec![2, 2, 4]));
    }
}
