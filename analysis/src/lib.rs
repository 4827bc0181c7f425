//! What many games say: fair komi, superko frequency, life and death, from exact counts.
//!
//! A [`Cell`] holds the measurements of one setting, a [`Study`] those of several; both merge in any order. [`fair_komi()`] and the intervals of
//! [`Proportion`] and [`Histogram`] estimate, and name their method. [`write_report`] shows the result. [`export()`] writes
//! the games of a dataset for other programs.
//!
//! ```
//! use jigo_analysis::{Cell, Setting, fair_komi};
//! use jigo_selfplay::{Census, PlayoutSpec, Policy, Progress};
//! let spec = PlayoutSpec::new("5".parse()?, "tromp-taylor".parse()?, Policy::EYE_SAFE, 1);
//! let cell = Cell::play(Setting::of(&spec, Census::Draws), 1, 0, 2000, &Progress::new())?;
//! println!("{:?}", fair_komi(&cell.finished.margins)?.estimate);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aggregate;
mod coverage;
mod dataset;
mod export;
mod fair_komi;
mod histogram;
mod margins;
mod pairs;
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
    ExportFormat, ExportSpec, ExportSummary, ExportedFile, GameFilter, InvalidBounds, InvalidRate, Outcome,
    PlySample, Rate, UnknownChoice, export,
};
pub use fair_komi::{
    ESTIMATE_METHOD, FairKomi, KomiShares, MEDIAN_METHOD, MIN_GAMES, TooFewGames, fair_komi,
};
pub use histogram::{Histogram, InvalidHistogram, Iter};
pub use margins::{InvalidMargin, MarginCounts};
pub use records::{
    Analysis, AnalyzeError, AnalyzeOptions, Fault, FaultList, FaultStage, FaultWriter, GroupKey, KomiRow,
    RECORDS_FORMAT_VERSION, ReadProgress, RecordMeasures, RecordStudy, RepetitionRow, ResultCounts,
    RulesRead, WarningCounts, WinCounts, Written, analyze, komi_rows, plausible_komi, records_summary,
    repetition_rows, write_records_csv, write_records_json, write_repetitions_csv,
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
