//! The measurements of real games as tables, CSV and JSON.
//!
//! [`komi_rows`] and [`repetition_rows`] are what every form shows; another form, such as a section of a page, starts from them.

mod csv;
mod rows;
mod text;

use std::io;

pub(super) use self::csv::read_faults;
pub use self::csv::{FaultWriter, write_records_csv, write_repetitions_csv};
pub use rows::{KomiRow, RepetitionRow, komi_rows, repetition_rows};
pub use text::records_summary;

use super::RecordStudy;

/// Writes a study as JSON: counts only, so that studies read back can be merged exactly.
///
/// # Errors
/// Those of the writer.
pub fn write_records_json(study: &RecordStudy, writer: impl io::Write) -> io::Result<()> {
    serde_json::to_writer(writer, study).map_err(io::Error::from)
}
