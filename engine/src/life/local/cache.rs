//! Local games that were judged before.

use std::collections::HashMap;

use super::{
    canonical::{Canonical, MAX_POINTS, Part},
    judge,
};
use crate::{Ko, Suicide, life::Status};

/// Judges local games and remembers them, up to a number.
///
/// A local game is always judged in its canonical form and with the full limit, so results do not depend on what is remembered.
#[derive(Clone, Debug)]
pub(crate) struct LocalCache {
    suicide: Suicide,
    ko: Ko,
    /// States that a search may look at.
    limit: usize,
    /// Games that are remembered at most.
    capacity: usize,
    known: HashMap<Canonical, Box<[Status]>>,
    hits: u64,
    misses: u64,
}

impl LocalCache {
    pub(crate) fn new(suicide: Suicide, ko: Ko, limit: usize, capacity: usize) -> Self {
        Self { suicide, ko, limit, capacity, known: HashMap::new(), hits: 0, misses: 0 }
    }

    /// The status of the chain on each point of the part, `Unknown` for empty points.
    pub(crate) fn statuses(&mut self, part: &Part) -> Vec<Status> {
        if part.points.len() > MAX_POINTS {
            return vec![Status::Unknown; part.points.len()];
        }
        let (form, numbers) = part.canonical();
        if let Some(known) = self.known.get(&form) {
            self.hits += 1;
            return numbers.iter().map(|&number| known[number]).collect();
        }
        self.misses += 1;
        let statuses = self.judge(&form, part.points.len());
        let result = numbers.iter().map(|&number| statuses[number]).collect();
        if self.known.len() >= self.capacity {
            self.known.clear();
        }
        self.known.insert(form, statuses);
        result
    }

    fn judge(&self, form: &Canonical, points: usize) -> Box<[Status]> {
        let (terrain, stones) = form.game(self.suicide);
        let mut statuses = vec![Status::Unknown; points];
        for (chain, status) in judge::statuses(&terrain, stones, self.ko, self.limit) {
            for (point, slot) in statuses.iter_mut().enumerate() {
                if chain >> point & 1 != 0 {
                    *slot = status;
                }
            }
        }
        statuses.into()
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    pub(crate) fn hits(&self) -> u64 {
        self.hits
    }

    pub(crate) fn misses(&self) -> u64 {
        self.misses
    }
}
