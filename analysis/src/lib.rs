//! What many games say: fair komi and the statistics behind it, from exact counts.

mod aggregate;
mod coverage;
mod fair_komi;
mod histogram;
mod margins;
mod report;
mod shares;
mod stats;
mod study;
#[cfg(test)]
mod test_random;

pub use aggregate::{
    Balance, BalanceCounts, CaptureCounts, CycleCounts, EventCounts, FirstMoveClass, FirstMoves, LengthClass,
    Measures, Ownership, SideStatus, StatusCounts, SuperkoCounts,
};
pub use coverage::{CountedTwice, Coverage};
pub use fair_komi::{
    ESTIMATE_METHOD, FairKomi, KomiShares, MEDIAN_METHOD, MIN_GAMES, TooFewGames, fair_komi,
};
pub use histogram::{Histogram, InvalidHistogram, Iter};
pub use margins::{InvalidMargin, MarginCounts};
pub use report::{
    ReadStudyError, ReportMeta, read_study, study_json, summary_json, summary_table, write_report,
};
pub use shares::Shares;
pub use stats::{
    Confidence, InterpolatedMedian, Interval, InvalidConfidence, InvalidProportion, Median, Moments,
    Proportion, RankInterval,
};
pub use study::{Cell, MergeError, Setting, Study};
