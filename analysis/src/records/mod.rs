//! Real games: what their records say, played again by the rules.

mod analyze;
mod batches;
mod fault;
mod file;
mod import;
mod key;
mod measures;
mod progress;
mod report;
mod results;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use analyze::{Analysis, AnalyzeError, AnalyzeOptions, StatusMethod, analyze};
pub use fault::{Fault, FaultList, FaultStage};
pub use import::{ImportError, ImportOptions, import};
pub use key::{GroupKey, Written};
pub use measures::{RecordMeasures, RulesRead, WarningCounts, plausible_komi};
pub use progress::ReadProgress;
pub use report::{
    FaultWriter, KomiRow, RepetitionRow, komi_rows, records_summary, repetition_rows, write_records_csv,
    write_records_json, write_repetitions_csv,
};
pub use results::{ResultCounts, WinCounts};
pub use source::{Input, SourceError, SourceErrorKind, SourceItem, SourceLimits, read_sources};

/// The measurements of a collection of real games.
///
/// All counts are exact and merging adds them: the result depends neither on the order of the files nor on threads. Nothing tells whether
/// two parts contain the same games: that is for whoever merges them to know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordStudy {
    format: Format,
    /// SGF files read.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files in directories and archives that are neither games nor archives.
    pub other_files: u64,
    /// The games, by group.
    #[serde(with = "crate::pairs")]
    pub groups: BTreeMap<GroupKey, RecordMeasures>,
    /// What could not be used.
    pub faults: FaultList,
}

/// The version of `records.json` that this program writes.
pub const RECORDS_FORMAT_VERSION: u32 = 2;

/// Names the form of the JSON, so that no other file is taken for it: [`RECORDS_FORMAT_VERSION`] in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Format {
    #[default]
    #[serde(rename = "jigo-records-2")]
    V2,
}

impl RecordStudy {
    /// The most groups that are told apart: real collections have some hundreds, made-up records as many as they have games. Of more, the first
    /// by their keys are kept, and the others are counted together for each board size.
    pub const MAX_GROUPS: usize = 10_000;

    /// The measurements to which a game with this key is added.
    ///
    /// Whatever the order of the games, the same groups are kept: one that gave way once is behind all that are kept, and stays so.
    pub(super) fn group(&mut self, key: GroupKey) -> &mut RecordMeasures {
        if self.groups.len() >= Self::MAX_GROUPS && !self.groups.contains_key(&key) {
            return self.group_of_many(key, Self::MAX_GROUPS);
        }
        self.groups.entry(key).or_default()
    }

    /// As [`group`](Self::group) for a key that is not there, with this limit.
    fn group_of_many(&mut self, key: GroupKey, most: usize) -> &mut RecordMeasures {
        let own = self.groups.keys().filter(|key| !key.is_further()).count();
        if own < most || key.is_further() {
            return self.groups.entry(key).or_default();
        }
        let last = self.groups.keys().rfind(|key| !key.is_further()).expect("there are many").clone();
        if last < key {
            return self.groups.entry(key.further()).or_default();
        }
        let measures = self.groups.remove(&last).expect("it is there");
        self.groups.entry(last.further()).or_default().merge(&measures);
        self.groups.entry(key).or_default()
    }

    /// Adds the counts of other files.
    pub fn merge(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.other_files += other.other_files;
        for (key, measures) in other.groups {
            self.group(key).merge(&measures);
        }
        self.faults.merge(other.faults);
    }

    /// The games measured.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.groups.values().map(|measures| measures.games).sum()
    }

    /// All groups together.
    #[must_use]
    pub fn total(&self) -> RecordMeasures {
        self.groups.values().fold(RecordMeasures::default(), |mut total, measures| {
            total.merge(measures);
            total
        })
    }
}
