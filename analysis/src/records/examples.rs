//! Games worth looking at, kept with their records so that a page can show them.

use std::collections::{BTreeMap, BTreeSet};

use jigo_engine::{Color, life::FinalStatus};
use jigo_selfplay::sgf::{self, Replay, SgfGame};
use serde::{Deserialize, Serialize};

use super::Written;
use crate::{
    stats::Merge,
    study::{CycleExamples, GameName, LifeExamples, Occurrence},
};

/// Games with the shortest and longest cycles, with sekis and with the largest dead chains, over all groups.
///
/// Games in which the position was edited, White has stones before the first move, or more than [`MAX_PLIES`](Self::MAX_PLIES) were played are not
/// among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordExamples {
    /// Games with a move that recreated an earlier position.
    pub repeated: CycleExamples,
    /// Games by what their last positions hold.
    pub life: LifeExamples,
    /// The records of these games, by file and place.
    #[serde(with = "crate::study::pairs")]
    pub records: BTreeMap<(String, u64), ExampleRecord>,
}

/// A game that can be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleRecord {
    /// Its setup and moves, and those of its properties that say what game it is, as SGF.
    pub sgf: String,
    /// Whether its last position was searched for certified statuses.
    pub is_searched: bool,
}

impl RecordExamples {
    /// Longer games are not shown.
    pub const MAX_PLIES: u32 = 2000;

    /// Looks at one game with the status of its last position; `name` gives its file and place.
    pub(super) fn add(
        &mut self,
        game: &SgfGame,
        replay: &Replay,
        status: &FinalStatus,
        is_searched: bool,
        name: GameName<'_>,
    ) {
        let has_white_start = game.setup.points_with(Some(Color::White)).next().is_some();
        if replay.edits > 0 || replay.plies > Self::MAX_PLIES || has_white_start {
            return;
        }
        self.repeated.add(&replay.repetitions, name);
        self.life.add(status, name);
        if self.occurrences().any(|kept| (kept.source.as_str(), kept.index) == (name.source, name.index)) {
            let record = ExampleRecord { sgf: sgf::write(&shortened(game)), is_searched };
            self.records.insert((name.source.to_owned(), name.index), record);
            self.drop_others();
        }
    }

    /// Iterates over the games that are kept, some of them several times.
    fn occurrences(&self) -> impl Iterator<Item = &Occurrence> {
        let CycleExamples { shortest, longest, balanced } = &self.repeated;
        let cycles = shortest.iter().chain(balanced.iter()).map(|(_, game)| game);
        let cycles = cycles.chain(longest.iter().map(|(_, game)| game));
        let sekis = self.life.sekis.values().flat_map(|games| games.iter().map(|(_, game)| game));
        cycles.chain(sekis).chain(self.life.dead.iter().map(|(_, game)| game))
    }

    /// Drops the records of games that are not kept any more.
    fn drop_others(&mut self) {
        let kept: BTreeSet<(String, u64)> =
            self.occurrences().map(|game| (game.source.clone(), game.index)).collect();
        self.records.retain(|name, _| kept.contains(name));
    }
}

impl Merge for RecordExamples {
    fn merge(&mut self, other: &Self) {
        self.repeated.merge(&other.repeated);
        self.life.merge(&other.life);
        self.records.extend(other.records.iter().map(|(name, record)| (name.clone(), record.clone())));
        self.drop_others();
    }
}

/// The same setup and moves with those of the properties that say what game it is, none of them long.
fn shortened(game: &SgfGame) -> SgfGame {
    let mut short = SgfGame::new(game.size);
    short.setup = game.setup.clone();
    short.events.clone_from(&game.events);
    for name in ["GN", "EV", "DT", "PB", "PW", "RU", "KM", "HA", "RE"] {
        if let Some(text) = Written::new(game.info.get(name)).text() {
            short.info.set(name, text).expect("all of these hold text");
        }
    }
    short
}
