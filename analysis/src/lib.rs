//! What many games say: fair komi, superko frequency, life and death, from exact counts.
//!
//! A [`Cell`] holds the measurements of one setting, a [`Study`] those of several; both merge in any order. [`fair_komi()`] and the intervals of
//! [`Proportion`] and [`Histogram`] estimate, and name their method.
//!
//! ```
//! use jigo_analysis::{Cell, Setting, fair_komi};
//! use jigo_selfplay::{Census, PlayoutSpec, Policy, Progress};
//! let spec = PlayoutSpec::new("5".parse()?, "tromp-taylor".parse()?, Policy::EYE_SAFE, 1);
//! let cell = Cell::play(Setting::of(&spec, Census::Draws), 1, 0, 2000, &Progress::new())?;
//! println!("{:?}", fair_komi(&cell.finished.margins)?.estimate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! | to | take |
//! | --- | --- |
//! | play games and measure them | [`Cell::play`], [`Study::play`] |
//! | measure a dataset | [`Cell::of_dataset`] |
//! | measure game records of people: SGF, folders, archives | [`analyze`] |
//! | see what one rule changes, game by game | [`Study::play`] with several settings: [`Comparison`] |
//! | estimate | [`fair_komi()`], [`Proportion`], [`Histogram`] |
//! | show a study | [`summary_table`] for a terminal, [`write_report`] for a folder with a page, CSV and JSON |
//! | show how two runs differ | [`differences_table`], [`write_differences`] |
//! | keep a study, and join parts of a run | [`study_json`], [`read_study`], [`Study::merge`] |
//! | hand games of a dataset to other programs | [`export()`] |
//!
//! Parts of a run, played anywhere, are the run:
//!
//! ```
//! use jigo_analysis::{Cell, Setting};
//! use jigo_selfplay::{Census, PlayoutSpec, Policy, Progress};
//! let spec = PlayoutSpec::new("4x3".parse()?, "japanese".parse()?, Policy::Uniform, 1);
//! let play = |first, end| Cell::play(Setting::of(&spec, Census::Draws), 1, first, end, &Progress::new());
//! let mut parts = play(600, 1000)?;
//! parts.merge(&play(0, 600)?)?;
//! assert!(parts == play(0, 1000)?);
//! // No game is counted twice.
//! assert!(parts.merge(&play(0, 1)?).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Of note
//!
//! - **Counts are exact integers**; what is estimated from them names its method, and `docs/statistics.md` its source.
//! - **Cut-off games** are measured apart and never mixed with finished ones.
//! - **Example games** are kept by their place in the run and played again for the page.
//! - **Formats have versions**, such as [`STUDY_FORMAT_VERSION`]; `docs/stability.md` says what they promise.
//!
//! # Not here
//!
//! The games are played by `jigo-selfplay`, and the rules are in `jigo-engine`. There is no estimate of strength, and none of the komi of good play: all numbers describe the
//! games that were counted.

mod aggregate;
mod coverage;
mod dataset;
mod export;
mod fair_komi;
mod histogram;
mod margins;
mod pairs;
mod quantity;
mod records;
mod report;
mod rules;
mod shares;
mod source;
mod stats;
mod study;
#[cfg(test)]
mod test_random;

pub use aggregate::{
    Balance, BalanceCounts, CaptureCounts, ChainCounts, CycleCounts, CycleExamples, EventCounts, FinalJudge,
    FinalStatus, FirstMoveClass, FirstMoves, LeastGames, LengthClass, LifeExamples, Measures, Occurrence,
    Ownership, ShapeCount, ShapeCounts, ShapeKind, ShiftCounts, SideStatus, StatusCounts, StatusTable,
    SuperkoCounts, SuperkoExamples,
};
pub use coverage::{CountedTwice, Coverage};
pub use dataset::MeasureError;
pub use export::{
    Bounds, CappedGames, EXPORT_FORMAT_VERSION, EventFilter, EventRows, ExportCounts, ExportError,
    ExportFormat, ExportProblem, ExportReport, ExportSpec, ExportSummary, ExportedFile, GameFilter,
    InvalidBounds, InvalidRate, Outcome, PlySample, Rate, UnknownChoice, export, export_imported, is_export,
    verify_export,
};
pub use fair_komi::{
    ESTIMATE_METHOD, FairKomi, KomiShares, MEDIAN_METHOD, MIN_GAMES, TooFewGames, fair_komi,
};
pub use histogram::{Histogram, InvalidHistogram, Iter};
pub use margins::{InvalidMargin, MarginCounts};
pub use quantity::{group, quantity};
pub use records::{
    Analysis, AnalyzeError, AnalyzeOptions, Fault, FaultList, FaultStage, FaultWriter, GroupKey, ImportError,
    ImportOptions, KomiRow, RECORDS_FORMAT_VERSION, ReadProgress, RecordMeasures, RecordStudy, RepetitionRow,
    ResultCounts, RulesRead, StatusMethod, WarningCounts, WinCounts, Written, analyze, import, komi_rows,
    plausible_komi, records_summary, repetition_rows, write_records_csv, write_records_json,
    write_repetitions_csv,
};
pub use report::{
    DIFFERENCES_FORMAT_VERSION, NamedRun, ReadStudyError, ReportMeta, STUDY_FORMAT_VERSION,
    SUMMARY_FORMAT_VERSION, SavedStudy, differences_table, read_study, study_json, summary_for_width,
    summary_json, summary_table, write_differences, write_records_report, write_report,
};
pub use rules::{
    Comparison, Contrast, ContrastCounts, ContrastScope, FAIR_KOMI_MIN_GAMES, MovedMargins, Quantity,
    RuleAxis,
};
pub use shares::Shares;
pub use source::{Input, SourceError, SourceErrorKind, SourceItem, SourceLimits, read_sources};
pub use stats::{
    Change, Confidence, InterpolatedMedian, Interval, InvalidConfidence, InvalidPairs, InvalidProportion,
    Median, Moments, PairedShares, Proportion, RankInterval,
};
pub use study::{Cell, MergeError, Setting, Study};

/// The examples of the README, so that they are tested.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
