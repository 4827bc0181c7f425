//! A sink that keeps everything.

use std::collections::BTreeMap;

use jigo_selfplay::{AnyPosition, GameRecord, Sink};

/// Games by their numbers, with their final positions.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct Games(pub(crate) BTreeMap<u64, (GameRecord, String)>);

impl Sink for Games {
    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        let before = self.0.insert(record.game_index, (record.clone(), position.to_position().to_string()));
        assert!(before.is_none(), "game {} was played twice", record.game_index);
    }

    fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}
