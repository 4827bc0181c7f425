//! Which games of which runs have been counted.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, Serialize};

/// Sets of game indices, one for each run seed. Merging refuses to count a game twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Coverage {
    /// For each seed the half-open ranges of indices: ascending, not empty, with gaps between them.
    runs: BTreeMap<u64, Vec<(u64, u64)>>,
}

/// A game that would be counted twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game_index} of the run with seed {run_seed} is in both parts: leave one of them out")]
pub struct CountedTwice {
    /// The run.
    pub run_seed: u64,
    /// The first game that both have.
    pub game_index: u64,
}

impl Coverage {
    /// Returns the games with these indices of one run.
    #[must_use]
    pub fn new(run_seed: u64, games: Range<u64>) -> Self {
        let ranges = if games.is_empty() { Vec::new() } else { vec![(games.start, games.end)] };
        Self { runs: BTreeMap::from([(run_seed, ranges)]) }
    }

    /// Returns the number of games covered.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.runs.values().flatten().map(|(first, end)| end.saturating_sub(*first)).sum()
    }

    /// Iterates over the seeds and their half-open ranges of game indices, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        self.runs
            .iter()
            .flat_map(|(&seed, ranges)| ranges.iter().map(move |&(first, end)| (seed, first, end)))
    }

    /// Returns whether a game is covered.
    #[must_use]
    pub fn contains(&self, run_seed: u64, game_index: u64) -> bool {
        let mut ranges = self.runs.get(&run_seed).into_iter().flatten();
        ranges.any(|&(first, end)| (first..end).contains(&game_index))
    }

    /// Returns the games of a range that are not covered, as ascending ranges.
    #[must_use]
    pub fn missing(&self, run_seed: u64, games: Range<u64>) -> Vec<Range<u64>> {
        let mut start = games.start;
        let mut missing = Vec::new();
        for &(first, end) in self.runs.get(&run_seed).into_iter().flatten() {
            missing.push(start..first.min(games.end));
            start = start.max(end);
        }
        missing.push(start..games.end);
        missing.retain(|range| range.start < range.end);
        missing
    }

    /// Adds the games of `other`.
    ///
    /// # Errors
    /// [`CountedTwice`] names the first game that both cover. Nothing is changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), CountedTwice> {
        let mut runs = self.runs.clone();
        for (&run_seed, theirs) in &other.runs {
            let ranges = runs.entry(run_seed).or_default();
            ranges.extend(theirs);
            ranges.sort_unstable();
            let overlap = ranges.windows(2).find(|pair| pair[1].0 < pair[0].1);
            if let Some(pair) = overlap {
                return Err(CountedTwice { run_seed, game_index: pair[1].0 });
            }
            ranges.dedup_by(|next, last| {
                let adjacent = next.0 == last.1;
                if adjacent {
                    last.1 = next.1;
                }
                adjacent
            });
        }
        self.runs = runs;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_ranges_join_in_any_order() {
        let parts = [(0, 10), (10, 20), (30, 40), (20, 30)];
        let mut forward = Coverage::default();
        let mut backward = Coverage::default();
        parts.iter().for_each(|&(first, end)| forward.merge(&Coverage::new(1, first..end)).unwrap());
        parts.iter().rev().for_each(|&(first, end)| backward.merge(&Coverage::new(1, first..end)).unwrap());
        assert_eq!(forward, backward);
        assert_eq!(forward, Coverage::new(1, 0..40));
        assert_eq!(forward.games(), 40);
        let covered = [(1, 0), (1, 39), (1, 40), (2, 0)].map(|(seed, index)| forward.contains(seed, index));
        assert_eq!(covered, [true, true, false, false]);
    }

    #[test]
    fn what_is_missing_lies_between_the_ranges() {
        let mut coverage = Coverage::new(1, 10..20);
        coverage.merge(&Coverage::new(1, 30..40)).unwrap();
        let missing = |seed, games| -> Vec<(u64, u64)> {
            coverage.missing(seed, games).into_iter().map(|range| (range.start, range.end)).collect()
        };
        assert_eq!(missing(1, 0..50), [(0, 10), (20, 30), (40, 50)]);
        assert_eq!(missing(1, 12..35), [(20, 30)]);
        assert_eq!(missing(1, 10..20), []);
        assert_eq!(missing(2, 0..5), [(0, 5)]);
        assert_eq!(missing(1, 0..5), [(0, 5)]);
        assert_eq!(missing(1, 45..50), [(45, 50)]);
    }

    #[test]
    fn overlaps_are_refused_and_change_nothing() {
        let mut coverage = Coverage::new(1, 0..10);
        let error = coverage.merge(&Coverage::new(1, 9..12)).unwrap_err();
        assert_eq!(error, CountedTwice { run_seed: 1, game_index: 9 });
        assert_eq!(coverage, Coverage::new(1, 0..10));
        coverage.merge(&Coverage::new(2, 9..12)).unwrap();
        assert_eq!(coverage.games(), 13);
    }
}
