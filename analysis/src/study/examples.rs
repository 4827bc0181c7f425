//! Chooses games worth looking at. Of each, its index is kept, from which it can be played again, and its moves if a search chose them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use jigo_engine::life::{FinalStatus, OpenStatus, SekiKind, Status};
use jigo_selfplay::{GameRecord, SuperkoEvent};
use serde::{Deserialize, Serialize};

use super::{GameName, Occurrence, ShapeKind};
use crate::stats::{Merge, merge_fields};

/// The least games by a key, then by source and index, ascending.
///
/// The least of two sets of games are the least of what each keeps, so parts of a run give what the whole gives, in whatever order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(K, Occurrence)>", into = "Vec<(K, Occurrence)>")]
#[serde(bound(serialize = "K: Copy + Serialize", deserialize = "K: Ord + Deserialize<'de>"))]
pub struct LeastGames<K>(Vec<(K, Occurrence)>);

impl<K> Default for LeastGames<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K> LeastGames<K> {
    /// The largest number of games that are kept.
    pub const MAX: usize = 3;

    /// Iterates over the games with their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Occurrence)> {
        self.0.iter().map(|(key, game)| (key, game))
    }
}

impl<K: Copy + Ord> LeastGames<K> {
    /// Keeps the game if it is among the least. Each game may be offered once. Allocates nothing unless it is kept.
    pub fn offer(&mut self, key: K, game: GameName<'_>) {
        self.keep(key, (game.source, game.index), || game.into());
    }

    fn keep(&mut self, key: K, name: (&str, u64), game: impl FnOnce() -> Occurrence) {
        let is_before =
            |(other, game): &(K, Occurrence)| (*other, (game.source.as_str(), game.index)) < (key, name);
        let place = self.0.partition_point(is_before);
        if place < Self::MAX {
            self.0.truncate(Self::MAX - 1);
            self.0.insert(place, (key, game()));
        }
    }
}

impl<K: Copy + Ord> Merge for LeastGames<K> {
    fn merge(&mut self, other: &Self) {
        other.iter().for_each(|(key, game)| self.keep(*key, (&game.source, game.index), || game.clone()));
    }
}

impl<K: Ord> TryFrom<Vec<(K, Occurrence)>> for LeastGames<K> {
    type Error = String;

    fn try_from(games: Vec<(K, Occurrence)>) -> Result<Self, String> {
        if games.len() > Self::MAX || !games.is_sorted_by(|one, next| one < next) {
            return Err(format!("examples are out of order, or more than {}", Self::MAX));
        }
        Ok(Self(games))
    }
}

impl<K> From<LeastGames<K>> for Vec<(K, Occurrence)> {
    fn from(games: LeastGames<K>) -> Self {
        games.0
    }
}

/// Games with events of superko.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuperkoExamples {
    /// Games in which superko rejected a move.
    #[serde(rename = "superko_rejected")]
    pub rejected: CycleExamples,
    /// Games with a move that recreated an earlier position.
    pub repeated: CycleExamples,
}

merge_fields!(SuperkoExamples: rejected, repeated);

impl SuperkoExamples {
    /// Looks at one game.
    #[inline]
    pub fn add(&mut self, record: &GameRecord, game: GameName<'_>) {
        self.rejected.add(&record.refused, game);
        self.repeated.add(&record.repeated, game);
    }
}

/// Games by the length of the cycles in plies of their events of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleExamples {
    /// The shortest cycles.
    pub shortest: LeastGames<u32>,
    /// The longest.
    pub longest: LeastGames<Reverse<u32>>,
    /// The shortest in which both players lost equally many stones: candidates for *no result*.
    pub balanced: LeastGames<u32>,
}

merge_fields!(CycleExamples: shortest, longest, balanced);

impl CycleExamples {
    /// Looks at the events of one game.
    #[inline]
    pub fn add(&mut self, events: &[SuperkoEvent], game: GameName<'_>) {
        let cycles = || events.iter().map(|event| event.repetition.cycle_plies);
        if let Some((shortest, longest)) = cycles().min().zip(cycles().max()) {
            self.shortest.offer(shortest, game);
            self.longest.offer(Reverse(longest), game);
        }
        let balanced = events.iter().filter(|event| event.repetition.is_balanced());
        if let Some(shortest) = balanced.map(|event| event.repetition.cycle_plies).min() {
            self.balanced.offer(shortest, game);
        }
    }
}

/// Games by what their final positions hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LifeExamples {
    /// The first games with a seki of each kind.
    pub sekis: BTreeMap<ShapeKind, LeastGames<()>>,
    /// The games with the largest dead chains, by their stones.
    pub dead: LeastGames<Reverse<u32>>,
}

merge_fields!(LifeExamples: sekis, dead);

impl LifeExamples {
    /// Looks at the final position of a game.
    pub fn add(&mut self, status: &FinalStatus, game: GameName<'_>) {
        let Some(open) = &status.open else { return };
        let OpenStatus { chains, sekis, .. } = &**open;
        let kinds: BTreeSet<SekiKind> = sekis.iter().map(|seki| seki.kind).collect();
        for kind in kinds {
            self.sekis.entry(ShapeKind::Seki(kind)).or_default().offer((), game);
        }
        let dead = chains.iter().filter(|chain| chain.status == Status::Dead);
        if let Some(stones) = dead.map(|chain| chain.stones.len() as u32).max() {
            self.dead.offer(Reverse(stones), game);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn least(games: &[(u32, u64)]) -> LeastGames<Reverse<u32>> {
        let mut least = LeastGames::default();
        games.iter().for_each(|&(key, index)| {
            let source = ["seed 1", "seed 2"][index as usize % 2];
            least.offer(Reverse(key), GameName { source, index, moves: None });
        });
        least
    }

    proptest! {
        /// Keys repeat often, so that source and index decide.
        #[test]
        fn merged_parts_keep_what_sorting_all_keeps(
            keys in proptest::collection::vec(0_u32..5, 0..40),
            parts in proptest::collection::vec(0_usize..4, 40),
            order in Just([0, 1, 2, 3]).prop_shuffle(),
        ) {
            let games: Vec<(u32, u64)> = keys.into_iter().zip(0..).collect();
            let of_part = |part| -> Vec<(u32, u64)> {
                games.iter().zip(&parts).filter(|(_, found)| **found == part).map(|(game, _)| *game).collect()
            };
            let mut merged = LeastGames::default();
            order.iter().for_each(|&part| merged.merge(&least(&of_part(part))));
            prop_assert_eq!(&merged, &least(&games));
            let mut all: Vec<_> = games.iter().map(|&(key, index)| (Reverse(key), index % 2, index)).collect();
            all.sort_unstable();
            let found: Vec<_> = merged.iter().map(|(key, game)| (*key, game.index % 2, game.index)).collect();
            prop_assert_eq!(&found, &all[..all.len().min(LeastGames::<u32>::MAX)]);
            let json = serde_json::to_string(&merged).unwrap();
            prop_assert_eq!(serde_json::from_str::<LeastGames<Reverse<u32>>>(&json).unwrap(), merged);
        }
    }

    #[test]
    fn lists_out_of_order_are_refused() {
        let read = |text: &str| serde_json::from_str::<LeastGames<u32>>(text);
        let game = |key: u32, index: u64| format!(r#"[{key},{{"source":"seed 1","index":{index}}}]"#);
        let list = |games: &[(u32, u64)]| {
            format!("[{}]", games.iter().map(|&(key, index)| game(key, index)).collect::<Vec<_>>().join(","))
        };
        assert!(read(&list(&[(4, 9), (4, 10), (6, 1)])).is_ok());
        for wrong in [&[(6, 1), (4, 9)][..], &[(4, 9), (4, 9)], &[(1, 1), (2, 1), (3, 1), (4, 1)]] {
            let error = read(&list(wrong)).unwrap_err().to_string();
            assert!(error.contains("out of order"), "{error}");
        }
    }
}
