//! Reports: a table for the terminal, CSV and JSON for programs, one HTML page for people.

mod board;
mod chart;
mod csv;
mod differences;
mod examples;
mod folder;
mod format;
mod html;
mod matches;
mod pairing;
mod quantities;
mod reasons;
mod rule_changes;
mod saved;
mod stones;
mod strength;
mod summary;
mod terminal;
#[cfg(test)]
mod tests;
mod tournament;

use jigo_engine::rules::KomiChoice;

pub use differences::{
    DIFFERENCES_FORMAT_VERSION, NamedRun, add_differences, differences_json, differences_table,
};
pub use folder::{REPORT_FORMAT_VERSION, ReportFolder, ReportFolderError, is_report, verify_report};
pub use html::{match_page, tournament_page};
pub use matches::{MatchScore, PlayedMatch};
pub use reasons::Reasons;
pub use saved::{Program, ReadStudyError, STUDY_FORMAT_VERSION, SavedStudy, read_study, study_json};
pub use summary::{QuantityValue, SUMMARY_FORMAT_VERSION, quantity_values, summary_json};
pub use terminal::{summary_for_width, summary_table};
pub use tournament::{
    STANDINGS, Tournament, TournamentCheck, foreign_to_tournament, is_tournament, match_folder,
    verify_tournament,
};

use crate::{
    Study,
    cells::Cells,
    records::{
        RecordStudy, write_even_games_csv, write_openings_csv, write_records_csv, write_records_json,
        write_repetitions_csv,
    },
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

/// Adds the report of a study to a folder: `report.html`, `summary.json`, `summary.txt`, CSV files, and `report.json` with the counts. `place`
/// stands before their names: nothing, or a folder such as `datasets/`.
///
/// Equal studies with equal `meta` give equal bytes.
///
/// # Errors
/// Those of [`ReportFolder::add`].
pub fn add_report(
    folder: &mut ReportFolder,
    place: &str,
    study: &Study,
    meta: &ReportMeta,
) -> Result<(), ReportFolderError> {
    let summary = Summary::new(study, meta.komi);
    let mut files = vec![
        ("report.html", html::page(&summary, meta).into_bytes()),
        ("summary.json", summary::write_summary(&summary, meta)),
        ("summary.txt", terminal::table_of(&summary).into_bytes()),
    ];
    files.extend(csv::files(&summary));
    files.push(("report.json", study_json(study, meta)));
    add_all(folder, place, &files)
}

/// Returns the page of a report, which needs no other file.
#[must_use]
pub fn study_page(study: &Study, meta: &ReportMeta) -> String {
    html::page(&Summary::new(study, meta.komi), meta)
}

/// Returns the CSV files of a report with their names, such as `summary.csv`.
#[must_use]
pub fn csv_files(study: &Study, komi: KomiChoice) -> Vec<(&'static str, Vec<u8>)> {
    csv::files(&Summary::new(study, komi))
}

/// Adds the report of game records to a folder, as [`add_report`] does for a study: `report.html`, `records.csv`, `record_repetitions.csv`,
/// `record_even_games.csv`, `record_openings.csv` and `records.json`. The list of faults is written as it is found, by a [`FaultWriter`](crate::records::FaultWriter).
///
/// # Errors
/// As [`add_report`].
pub fn add_records_report(
    folder: &mut ReportFolder,
    place: &str,
    records: &RecordStudy,
    meta: &ReportMeta,
    cells: Cells,
) -> Result<(), ReportFolderError> {
    let mut files = vec![("report.html", html::records_page(records, meta).into_bytes())];
    type Write<'a> = &'a dyn Fn(&mut Vec<u8>) -> std::io::Result<()>;
    let others: [(&str, Write<'_>); 5] = [
        ("records.csv", &|writer| write_records_csv(records, cells, writer)),
        ("record_repetitions.csv", &|writer| write_repetitions_csv(records, cells, writer)),
        ("record_even_games.csv", &|writer| write_even_games_csv(records, writer)),
        ("record_openings.csv", &|writer| write_openings_csv(records, writer)),
        ("records.json", &|writer| write_records_json(records, writer)),
    ];
    for (name, write) in others {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("writing to memory does not fail");
        files.push((name, bytes));
    }
    add_all(folder, place, &files)
}

fn add_all(
    folder: &mut ReportFolder,
    place: &str,
    files: &[(&'static str, Vec<u8>)],
) -> Result<(), ReportFolderError> {
    files.iter().try_for_each(|(name, bytes)| folder.add(&format!("{place}{name}"), bytes))
}
