//! Measures real games: what their records say, replayed by the rules.

use std::{cmp::Ordering, collections::BTreeMap, fmt};

use jigo_engine::{BoardSize, Komi};
use jigo_selfplay::sgf::SgfGame;
use serde::{Deserialize, Serialize};

use crate::{
    stats::{Merge, quantity},
    study,
};

mod analyze;
mod batches;
mod boards;
mod estimate;
mod examples;
mod fault;
mod import;
mod measures;
mod report;
mod source;
#[cfg(test)]
mod tests;
mod text;

pub use analyze::{Analysis, AnalyzeOptions, RecordsError, StatusMethod, analyze};
pub use batches::ReadProgress;
pub use boards::{BoardMeasures, YearAndKomi};
pub use estimate::EstimateCounts;
pub(crate) use estimate::equal;
pub use examples::{ExampleRecord, RecordExamples};
pub use fault::{Fault, FaultList, FaultStage};
pub use import::{ImportOptions, import};
pub use measures::{
    RecordMeasures, ResultCounts, RulesRead, WarningCounts, WinCounts, komi_in_points, plausible_komi,
};
pub use report::{
    FaultWriter, write_even_games_csv, write_openings_csv, write_records_csv, write_records_json,
    write_repetitions_csv,
};
pub use source::{Input, SourceError, SourceItem, SourceLimits, read_sources};
pub use text::records_summary;

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
    #[serde(with = "crate::study::pairs")]
    pub groups: BTreeMap<GroupKey, RecordMeasures>,
    /// Openings, and results by year and komi, for each board size.
    #[serde(with = "boards::list")]
    pub boards: BTreeMap<BoardSize, BoardMeasures>,
    /// Games to look at.
    pub examples: RecordExamples,
    /// What could not be used.
    pub faults: FaultList,
    /// Where the command that measures was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Interrupted>,
}

/// Where a command that measures game records was interrupted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupted {
    /// The program, and those of its options on which the measurements depend, in words. Another one does not go on.
    pub by: String,
    /// What was measured.
    pub read: SourcesRead,
}

/// How far sources were read. They are counted in the order of reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcesRead {
    /// Whether all was read.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// Files and imported games that were counted to their ends, and whatever else is counted of sources.
    pub items: u64,
    /// Games and faults counted of the file after these.
    pub games_of_next: u64,
    /// BLAKE3 of the names and contents of these; also of the file after them, if any of its games is counted.
    pub blake3: String,
}

impl SourcesRead {
    /// Returns how many items are counted, as a whole or in part.
    const fn items_begun(&self) -> u64 {
        self.items + (self.games_of_next > 0) as u64
    }
}

/// The version of `records.json` that this program writes.
pub const RECORDS_FORMAT_VERSION: u32 = 3;

/// Names the form of the JSON, so that no other file is taken for it: [`RECORDS_FORMAT_VERSION`] in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Format {
    #[default]
    #[serde(rename = "jigo-records-3")]
    V3,
}

impl RecordStudy {
    /// The most groups that are told apart: real collections have some hundreds, made-up records as many as they have games. Of more, the first
    /// by their keys are kept, and the others are counted together for each board size.
    pub const MAX_GROUPS: usize = 10_000;

    /// Returns the measurements to which a game with this key is added.
    ///
    /// Whatever the order of the games, the same groups are kept: a group that was once left out comes after all that are kept, and stays out.
    pub(super) fn group(&mut self, key: GroupKey) -> &mut RecordMeasures {
        let own = || self.groups.keys().filter(|key| !key.is_further());
        let is_kept = |key: &GroupKey| key.is_further() || self.groups.contains_key(key);
        // The cheap questions first: this is asked for each game.
        if self.groups.len() < Self::MAX_GROUPS || is_kept(&key) || own().count() < Self::MAX_GROUPS {
            return self.groups.entry(key).or_default();
        }
        let last = own().next_back().expect("there are many").clone();
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
        Merge::merge(&mut self.boards, &other.boards);
        self.examples.merge(&other.examples);
        self.faults.merge(other.faults);
    }

    /// Says that the command was interrupted, if it was: perhaps when it had measured all game records, but no dataset.
    pub(crate) fn interruption(&self) -> Option<String> {
        let games = quantity(self.games(), "game");
        let text = format!("Interrupted: {games} are measured. The same command measures the others.");
        self.interrupted.is_some().then_some(text)
    }

    /// Returns the games measured.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.groups.values().map(|measures| measures.games).sum()
    }

    /// Returns all groups together.
    #[must_use]
    pub fn total(&self) -> RecordMeasures {
        self.groups.values().fold(RecordMeasures::default(), |mut total, measures| {
            total.merge(measures);
            total
        })
    }
}

/// What a record says in one property, as written and never interpreted; or that it says nothing.
///
/// Ordered by value where the text is a number: 5.5, 6.5, 10; then other text; last what is not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Written(Option<String>);

impl Written {
    /// The most characters kept.
    const LONGEST: usize = 60;

    /// Returns the text of a property without the blanks around it; empty text counts as not recorded. Control characters become blanks, and what
    /// is longer than 60 characters is cut.
    #[must_use]
    pub fn new(text: Option<&str>) -> Self {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        let plain = |character: char| if character.is_control() { ' ' } else { character };
        Self(text.map(|text| text.chars().take(Self::LONGEST).map(plain).collect()))
    }

    /// Returns the text; `None` when nothing is recorded.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Returns the text as a number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        self.text()?.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

impl Ord for Written {
    fn cmp(&self, other: &Self) -> Ordering {
        let class = |written: &Self| (written.0.is_none(), written.number().is_none());
        let number = |written: &Self| written.number().unwrap_or_default();
        let by_number = || number(self).total_cmp(&number(other));
        class(self).cmp(&class(other)).then_with(by_number).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Written {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The text, or `not recorded`.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().unwrap_or("not recorded"))
    }
}

/// What stands for the words of groups that are counted together.
const FURTHER: &str = "(further)";

/// The games of one board size, rule set, komi and handicap, the last three as the records write them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GroupKey {
    /// The board.
    #[serde(with = "study::text")]
    pub size: BoardSize,
    /// `RU`.
    pub rules: Written,
    /// `KM`. A komi of 0 may mean that none was recorded, and other units than points occur: [`komi_in_points`].
    pub komi: Written,
    /// `HA`. The stones actually placed may differ, which the warnings count.
    pub handicap: Written,
}

impl GroupKey {
    /// Returns the group that a game belongs to.
    #[must_use]
    pub fn new(game: &SgfGame) -> Self {
        let written = |name| Written::new(game.info.get(name));
        Self { size: game.size, rules: written("RU"), komi: written("KM"), handicap: written("HA") }
    }

    /// Returns the komi in points if it is written in another [unit](komi_in_points).
    pub(crate) fn converted_komi(&self) -> Option<Komi> {
        komi_in_points(self.komi.text()?).filter(|komi| Some(komi.to_f64()) != self.komi.number())
    }

    /// Returns the komi as written, with its points if it is in another unit.
    pub(crate) fn komi_text(&self) -> String {
        let points = self.converted_komi().map(|komi| format!(" ({komi})"));
        self.komi.to_string() + &points.unwrap_or_default()
    }

    /// Returns the group of the games on boards of the same size whose own groups are [too many](super::RecordStudy::MAX_GROUPS).
    #[must_use]
    pub(super) fn further(&self) -> Self {
        let further = Written(Some(FURTHER.to_owned()));
        Self { size: self.size, rules: further.clone(), komi: further.clone(), handicap: further }
    }

    /// Returns whether this is such a group.
    pub(super) fn is_further(&self) -> bool {
        [&self.handicap, &self.komi, &self.rules].iter().all(|written| written.text() == Some(FURTHER))
    }
}
