//! Tables of a page.

/// A table as text, ready to be shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataTable {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<String>>,
}

/// A column's heading, with its unit, and what it holds.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) heading: String,
    pub(crate) is_numeric: bool,
    /// Whether it holds digests, of which the first digits are shown.
    pub(crate) is_digest: bool,
}

/// How much of a digest is shown.
const SHOWN_DIGITS: usize = 12;

impl DataTable {
    /// A table whose first `words` columns hold words; the others hold numbers.
    pub(crate) fn new<'a>(words: usize, headings: impl IntoIterator<Item = &'a str>) -> Self {
        let column = |(index, heading): (usize, &str)| Column {
            heading: heading.to_owned(),
            is_numeric: index >= words,
            is_digest: false,
        };
        Self { columns: headings.into_iter().enumerate().map(column).collect(), rows: Vec::new() }
    }

    /// The same table with digests in one column.
    #[must_use]
    pub(crate) fn with_digests(mut self, column: usize) -> Self {
        self.columns[column].is_digest = true;
        self
    }

    /// The digits of a digest that are shown.
    pub(crate) fn short(digest: &str) -> &str {
        digest.get(..SHOWN_DIGITS).unwrap_or(digest)
    }

    /// Adds a row; in numbers a hyphen becomes a minus sign.
    ///
    /// # Panics
    /// When the row is not as long as the header.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = String>) {
        let row: Vec<String> = row
            .into_iter()
            .zip(&self.columns)
            .map(|(cell, column)| if column.is_numeric { cell.replace('-', "−") } else { cell })
            .collect();
        assert_eq!(row.len(), self.columns.len(), "a row is as long as the header");
        self.rows.push(row);
    }

    /// Each cell of a row with its column.
    pub(crate) fn cells<'a>(&'a self, row: &'a [String]) -> impl Iterator<Item = (&'a Column, &'a String)> {
        self.columns.iter().zip(row)
    }
}
