//! The counts of a study for merging, and the derived numbers for reading.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{
    ReportMeta,
    changes::{ComparisonSummary, summaries},
    check::check,
    summary::{CONFIDENCE, CellSummary, RATE_METHOD},
};
use crate::{
    Study,
    stats::{ESTIMATE_METHOD, MEDIAN_METHOD, MIN_GAMES},
};

/// Names the format of [`study_json`].
const FORMAT: &str = "jigo-study";

/// The version of [`study_json`], that is of `report.json`, that this program writes and reads.
pub const STUDY_FORMAT_VERSION: u32 = 2;

/// Names the format of [`summary_json`].
const SUMMARY_FORMAT: &str = "jigo-summary";

/// The version of [`summary_json`].
pub const SUMMARY_FORMAT_VERSION: u32 = 2;

/// Who wrote a file.
#[derive(Serialize, Deserialize)]
struct Writer<'a> {
    version: Cow<'a, str>,
    commit: Cow<'a, str>,
}

impl<'a> Writer<'a> {
    fn of(meta: &'a ReportMeta) -> Self {
        Self { version: Cow::Borrowed(&meta.version), commit: Cow::Borrowed(&meta.commit) }
    }
}

/// What a file says about itself before its contents.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
}

#[derive(Deserialize)]
struct Body {
    jigo: Writer<'static>,
    study: Study,
}

/// Why bytes are not a study.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadStudyError {
    /// No JSON, or not of the shape of a study.
    #[error("not a study: {0}. The file may be damaged or incomplete: write it again")]
    Json(#[from] serde_json::Error),
    /// JSON of another kind.
    #[error(
        "not a study: the file has no \"format\": \"{FORMAT}\". Give the report.json that `jigo study` wrote"
    )]
    Format,
    /// A study of another version.
    #[error(
        "a study of format version {0}; this program reads version {STUDY_FORMAT_VERSION}: use the program that wrote it"
    )]
    Version(u32),
    /// Counts that contradict each other.
    #[error("a damaged study: cell {cell}: {reason}. Write the file again")]
    Inconsistent {
        /// Position of the cell in the file, from 1.
        cell: usize,
        /// What does not fit.
        reason: String,
    },
    /// Counts of a comparison that contradict each other.
    #[error("a damaged study: comparison {comparison}: {reason}. Write the file again")]
    Comparison {
        /// Position of the comparison in the file, from 1.
        comparison: usize,
        /// What does not fit.
        reason: String,
    },
}

/// The counts of a study, from which parts of a run are merged. Equal studies and equal versions give equal bytes.
///
/// # Panics
/// Never: a study has nothing that JSON cannot hold.
#[must_use]
pub fn study_json(study: &Study, meta: &ReportMeta) -> Vec<u8> {
    #[derive(Serialize)]
    struct File<'a> {
        format: &'static str,
        version: u32,
        jigo: Writer<'a>,
        study: &'a Study,
    }
    let file = File { format: FORMAT, version: STUDY_FORMAT_VERSION, jigo: Writer::of(meta), study };
    let mut bytes = serde_json::to_vec(&file).expect("a study can be written as JSON");
    bytes.push(b'\n');
    bytes
}

/// A study as [`study_json`] wrote it, and the program that did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedStudy {
    /// The counts.
    pub study: Study,
    /// The version of jigo.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
}

/// So many characters of a commit are shown where only people read it.
const SHORT_COMMIT: usize = 12;

impl SavedStudy {
    /// The program that wrote it, for files and to tell programs apart.
    #[must_use]
    pub fn program(&self) -> String {
        format!("jigo {}, commit {}", self.version, self.commit)
    }

    /// As [`program`](Self::program), for headings: the commit's first characters are enough to find it.
    #[must_use]
    pub fn program_in_short(&self) -> String {
        let commit: String = self.commit.chars().take(SHORT_COMMIT).collect();
        format!("jigo {}, commit {commit}", self.version)
    }
}

/// Reads what [`study_json`] wrote, and checks that its counts belong together.
///
/// # Errors
/// [`ReadStudyError`], in the order: no JSON, another format, another version, not of the shape of a study, contradicting counts.
pub fn read_study(bytes: &[u8]) -> Result<SavedStudy, ReadStudyError> {
    let head: Head = serde_json::from_slice(bytes)?;
    if head.format.as_deref() != Some(FORMAT) {
        return Err(ReadStudyError::Format);
    }
    match head.version {
        Some(STUDY_FORMAT_VERSION) => {}
        other => return Err(ReadStudyError::Version(other.unwrap_or(0))),
    }
    let Body { jigo: Writer { version, commit }, study } = serde_json::from_slice(bytes)?;
    check(&study)?;
    Ok(SavedStudy { study, version: version.into_owned(), commit: commit.into_owned() })
}

/// The derived numbers of a study for other programs: what the table and the page show, unrounded.
///
/// # Panics
/// Never: the numbers have nothing that JSON cannot hold.
#[must_use]
pub fn summary_json(study: &Study, meta: &ReportMeta) -> Vec<u8> {
    let cells: Vec<CellSummary> = study.cells.iter().map(|cell| CellSummary::new(cell, meta.komi)).collect();
    write_summary(&cells, &summaries(study, meta.komi), meta)
}

pub(super) fn write_summary(
    cells: &[CellSummary],
    comparisons: &[ComparisonSummary],
    meta: &ReportMeta,
) -> Vec<u8> {
    #[derive(Serialize)]
    struct Methods {
        confidence: f64,
        fair_komi: &'static str,
        median: &'static str,
        rates: &'static str,
        min_games: u64,
    }
    #[derive(Serialize)]
    struct File<'a> {
        format: &'static str,
        version: u32,
        jigo: Writer<'a>,
        methods: Methods,
        cells: &'a [CellSummary],
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        comparisons: &'a [ComparisonSummary],
    }
    let methods = Methods {
        confidence: CONFIDENCE.level(),
        fair_komi: ESTIMATE_METHOD,
        median: MEDIAN_METHOD,
        rates: RATE_METHOD,
        min_games: MIN_GAMES,
    };
    let jigo = Writer::of(meta);
    let file =
        File { format: SUMMARY_FORMAT, version: SUMMARY_FORMAT_VERSION, jigo, methods, cells, comparisons };
    let mut bytes = serde_json::to_vec_pretty(&file).expect("a summary can be written as JSON");
    bytes.push(b'\n');
    bytes
}
