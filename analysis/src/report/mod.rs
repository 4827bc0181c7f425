//! Reports: a table for the terminal, CSV and JSON for programs, one HTML page for people.

mod board;
mod chart;
mod csv;
mod differences;
mod examples;
mod format;
mod html;
mod quantities;
mod rule_changes;
mod saved;
mod stones;
mod summary;
mod terminal;
#[cfg(test)]
mod tests;

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use jigo_engine::rules::KomiChoice;
use jigo_selfplay::files::AtomicFile;

pub use differences::{DIFFERENCES_FORMAT_VERSION, NamedRun, differences_table, write_differences};
pub use saved::{Program, ReadStudyError, STUDY_FORMAT_VERSION, SavedStudy, read_study, study_json};
pub use summary::{SUMMARY_FORMAT_VERSION, summary_json};
pub use terminal::{summary_for_width, summary_table};

use crate::{
    Study,
    records::{RecordStudy, write_records_csv, write_records_json, write_repetitions_csv},
};
use summary::Summary;

/// How a report was made, as it says itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportMeta {
    /// The command that makes the same report again.
    pub command_line: String,
    /// The program that makes it.
    pub program: Program,
    /// The komi at which the shares of Black, White and jigo are shown. Comparisons of rule sets and of studies take that of the first of both.
    pub komi: KomiChoice,
}

/// Writes the report of game records into a folder, as [`write_report`] does for a study: `report.html`, `records.csv`,
/// `record_repetitions.csv` and `records.json`. The list of faults is written as it is found, by a [`FaultWriter`](crate::records::FaultWriter).
///
/// # Errors
/// As [`write_report`].
pub fn write_records_report(
    dir: &Path,
    records: &RecordStudy,
    meta: &ReportMeta,
) -> io::Result<Vec<PathBuf>> {
    let mut files = vec![("report.html", html::records_page(records, meta).into_bytes())];
    files.extend(["records.csv", "record_repetitions.csv", "records.json"].map(|name| (name, Vec::new())));
    write_records_csv(records, &mut files[1].1)?;
    write_repetitions_csv(records, &mut files[2].1)?;
    write_records_json(records, &mut files[3].1)?;
    write_all(dir, &files)
}

/// Writes the report of a study into a folder, which is created if necessary, and returns the paths of the files.
///
/// Equal studies with equal `meta` give equal bytes. All files are written under temporary names and renamed at the
/// end, so that none is ever half there and the files of another report stay until these are whole.
///
/// # Errors
/// The first one of the file system, naming the file.
pub fn write_report(dir: &Path, study: &Study, meta: &ReportMeta) -> io::Result<Vec<PathBuf>> {
    let summary = Summary::new(study, meta.komi);
    let mut files = vec![
        ("report.html", html::page(&summary, meta).into_bytes()),
        ("summary.json", summary::write_summary(&summary, meta)),
        ("summary.txt", terminal::table_of(&summary).into_bytes()),
    ];
    files.extend(csv::files(&summary));
    files.push(("report.json", study_json(study, meta)));
    write_all(dir, &files)
}

/// Writes all files aside, and when all are on the disk moves one after the other into place in the order given.
///
/// Whatever happens before the first move, the folder keeps the files it had; in between it holds files of both, and the last file is still
/// the old one.
///
/// # Errors
/// The first one of the file system, naming the file. Nothing is left of what was not moved.
fn write_all(dir: &Path, files: &[(&'static str, Vec<u8>)]) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir).map_err(|error| naming(error, dir))?;
    AtomicFile::remove_stale(dir).map_err(|error| naming(error, dir))?;
    let write = |(name, bytes): &(&str, Vec<u8>)| {
        let path = dir.join(name);
        let written = AtomicFile::create(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync()?;
            Ok(file)
        });
        Ok((written.map_err(|error| naming(error, &path))?, path))
    };
    let written = files.iter().map(write).collect::<io::Result<Vec<_>>>()?;
    let persist = |(file, path): (AtomicFile, PathBuf)| {
        file.persist(&path).map_err(|error| naming(error, &path))?;
        Ok(path)
    };
    written.into_iter().map(persist).collect()
}

fn naming(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
