//! Counts repetitions: how often positions were repeated, or would have been.

use std::collections::{BTreeMap, BTreeSet};

use jigo_selfplay::{GameRecord, SuperkoEvent};
use serde::{Deserialize, Serialize};

use crate::{Histogram, stats::merge_fields};

/// The three kinds of repetition. They answer different questions and are never added up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuperkoCounts {
    /// Sampled moves that simple ko allows and superko rejected.
    #[serde(rename = "superko_rejected")]
    pub rejected: EventCounts,
    /// Moves played that recreated an earlier position.
    pub repetitions: EventCounts,
    /// Candidates that superko forbade, sampled or not. Counted only where the run asks for it.
    pub forbidden_candidates: EventCounts,
}

merge_fields!(SuperkoCounts: rejected, repetitions, forbidden_candidates);

impl SuperkoCounts {
    /// Counts one game.
    #[inline]
    pub fn add(&mut self, record: &GameRecord) {
        self.rejected.add(&record.refused);
        self.repetitions.add(&record.repeated);
        self.forbidden_candidates.add(&record.forbidden);
    }
}

/// Events of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventCounts {
    /// Games with at least one event.
    pub games: u64,
    /// Games with at least one event whose cycle is balanced.
    pub balanced_games: u64,
    /// Games with at least one event whose cycle is not balanced.
    pub unbalanced_games: u64,
    /// Events.
    pub events: u64,
    /// Events per game, for games with at least one.
    pub per_game: Histogram,
    /// Events by the ply at which they happened.
    pub by_ply: Histogram,
    /// Events by the length of the cycle in plies, from the earlier position to the recreating move.
    #[serde(with = "pairs")]
    pub by_cycle: BTreeMap<u32, CycleCounts>,
    /// Events by the stones removed in the cycle.
    #[serde(with = "pairs")]
    pub by_balance: BTreeMap<Balance, BalanceCounts>,
}

merge_fields!(EventCounts: games, balanced_games, unbalanced_games, events, per_game, by_ply, by_cycle, by_balance);

/// Events with one cycle length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CycleCounts {
    /// Games with at least one event with this cycle length.
    pub games: u64,
    /// Both players lost equally many stones: candidates for *no result*, such as triple ko.
    pub balanced: u64,
    /// One player lost more: send *n*, return *m*.
    pub unbalanced: u64,
    /// Of both, the events with at least one pass in the cycle.
    pub with_pass: u64,
    /// Of both, the events with the same player to move as in the earlier position.
    pub same_player: u64,
}

merge_fields!(CycleCounts: games, balanced, unbalanced, with_pass, same_player);

impl CycleCounts {
    /// Returns all events with this cycle length.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.balanced + self.unbalanced
    }
}

/// Events with one balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceCounts {
    /// Games with at least one event with this balance.
    pub games: u64,
    /// Events.
    pub events: u64,
}

merge_fields!(BalanceCounts: games, events);

/// The stones lost in a cycle, whoever lost them. Counts of [`Balance::MAX`] and more are counted as that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Balance {
    /// Stones lost by the player who lost more.
    pub more: u32,
    /// Stones lost by the player who lost fewer.
    pub fewer: u32,
}

impl Balance {
    /// The largest count told apart.
    pub const MAX: u32 = 20;

    fn new(removed: [u32; 2]) -> Self {
        let [one, other] = removed.map(|stones| stones.min(Self::MAX));
        Self { more: one.max(other), fewer: one.min(other) }
    }
}

impl EventCounts {
    /// Counts the events of one game.
    pub fn add(&mut self, events: &[SuperkoEvent]) {
        if events.is_empty() {
            return;
        }
        self.games += 1;
        self.events += events.len() as u64;
        self.per_game.add(events.len() as i32);
        let is_balanced = |event: &SuperkoEvent| event.repetition.is_balanced();
        self.balanced_games += u64::from(events.iter().any(is_balanced));
        self.unbalanced_games += u64::from(!events.iter().all(is_balanced));
        // The game counts once for each length and balance that its events have.
        let (mut lengths, mut balances) = (BTreeSet::new(), BTreeSet::new());
        for event in events {
            let (repetition, is_balanced) = (&event.repetition, is_balanced(event));
            self.by_ply.add(event.ply as i32);
            let cycle = self.by_cycle.entry(repetition.cycle_plies).or_default();
            cycle.games += u64::from(lengths.insert(repetition.cycle_plies));
            cycle.balanced += u64::from(is_balanced);
            cycle.unbalanced += u64::from(!is_balanced);
            cycle.with_pass += u64::from(repetition.cycle_passes > 0);
            cycle.same_player += u64::from(repetition.same_player);
            let balance = Balance::new(repetition.cycle_removed);
            let kind = self.by_balance.entry(balance).or_default();
            kind.games += u64::from(balances.insert(balance));
            kind.events += 1;
        }
    }

    /// Returns the events with balanced cycles.
    #[must_use]
    pub fn balanced(&self) -> u64 {
        self.by_cycle.values().map(|cycle| cycle.balanced).sum()
    }
}

/// Stores maps with keys that JSON cannot have as names as lists of pairs.
pub(crate) mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(crate) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::<(K, V)>::deserialize(deserializer)?.into_iter().collect())
    }
}
