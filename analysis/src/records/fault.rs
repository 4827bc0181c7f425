//! Files and games that could not be used.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use jigo_engine::names;
use jigo_selfplay::sgf::SgfFault;
use serde::{Deserialize, Serialize};

/// One file or game that was left out, with the place and the reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fault {
    /// The file, as in [`SourceItem::name`](crate::records::SourceItem::name).
    pub file: String,
    /// Offset in the file; for a damaged archive, in its decompressed stream.
    pub byte: u64,
    /// Number of the move concerned or, between moves, of the last one before.
    pub move_number: Option<u64>,
    /// Who found it.
    pub stage: FaultStage,
    /// A short name of the reason, for counting.
    pub reason: String,
    /// What is wrong, and often what to do.
    pub text: String,
}

/// The three places where a game can be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultStage {
    /// The file could not be read.
    File,
    /// The file, or a game of it, is not readable SGF.
    Record,
    /// The game breaks the rules.
    Replay,
}

names! {
    /// All stages.
    FaultStage { File = "file", Record = "record", Replay = "replay" }
}

impl Fault {
    /// Returns the fault of a game, with the byte and the move at which it is.
    pub(super) fn from_game(
        stage: FaultStage,
        file: &str,
        error: &SgfFault<impl ToString>,
        reason: &str,
    ) -> Self {
        let move_number = error.move_number.map(|number| number as u64);
        Self { move_number, ..Self::new(stage, file, error.byte as u64, reason, &error.kind) }
    }

    pub(super) fn new(stage: FaultStage, file: &str, byte: u64, reason: &str, text: &impl ToString) -> Self {
        let (file, reason) = (file.to_owned(), reason.to_owned());
        Self { file, byte, move_number: None, stage, reason, text: text.to_string() }
    }
}

/// `file: byte 17, move 3: reason`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: byte {}", self.file, self.byte)?;
        if let Some(number) = self.move_number {
            write!(f, ", move {number}")?;
        }
        write!(f, ": {}", self.text)
    }
}

/// All faults counted, and the first of them in full.
///
/// First is meant in the order of file names and bytes, so that it does not matter in which order faults are found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultList {
    #[serde(with = "crate::study::pairs")]
    counts: BTreeMap<(FaultStage, String), u64>,
    first: BTreeSet<Fault>,
}

impl FaultList {
    /// The most faults that are kept in full.
    pub const MAX_KEPT: usize = 10_000;

    /// Counts a fault.
    pub fn add(&mut self, fault: Fault) {
        *self.counts.entry((fault.stage, fault.reason.clone())).or_default() += 1;
        self.keep(fault);
    }

    fn keep(&mut self, fault: Fault) {
        if self.first.len() >= Self::MAX_KEPT && self.first.last().is_some_and(|last| *last <= fault) {
            return;
        }
        self.first.insert(fault);
        if self.first.len() > Self::MAX_KEPT {
            self.first.pop_last();
        }
    }

    /// Adds other faults.
    pub fn merge(&mut self, other: Self) {
        for (reason, count) in other.counts {
            *self.counts.entry(reason).or_default() += count;
        }
        other.first.into_iter().for_each(|fault| self.keep(fault));
    }

    /// Returns the number of all faults.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the number of faults found at one stage.
    #[must_use]
    pub fn count_at(&self, stage: FaultStage) -> u64 {
        self.by_reason().filter(|&(found, _, _)| found == stage).map(|(_, _, count)| count).sum()
    }

    /// Iterates over how many faults there are of each reason, by stage and name.
    pub fn by_reason(&self) -> impl Iterator<Item = (FaultStage, &str, u64)> {
        self.counts.iter().map(|((stage, reason), &count)| (*stage, reason.as_str(), count))
    }

    /// Iterates over the first [`MAX_KEPT`](Self::MAX_KEPT) faults by file name and byte. Equal faults, of files with equal names, appear once.
    pub fn first(&self) -> impl Iterator<Item = &Fault> {
        self.first.iter()
    }
}
