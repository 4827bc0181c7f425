//! How games by players that search begin: they repeat themselves, so that many games may say the same.

use std::collections::{BTreeMap, BTreeSet};

use jigo_engine::{BoardSize, Move, Symmetry};
use jigo_selfplay::Stream;
use serde::{Deserialize, Serialize};

use crate::{
    Histogram, Interval, MarginCounts,
    stats::{CONFIDENCE, Merge},
};

/// The margins of games by how they begin, and how many games differ, up to the symmetries of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Openings {
    /// The margins for each way to play the first [`PLIES`](Self::PLIES) plies, named by their moves. Empty after more than [`MAX`](Self::MAX).
    margins: BTreeMap<String, MarginCounts>,
    /// A hash of the moves of each game. Empty after more than [`MAX`](Self::MAX).
    games: BTreeSet<u64>,
    /// Whether there were more openings, and more games, than are kept.
    #[serde(default, skip_serializing_if = "super::is_default")]
    is_full: [bool; 2],
}

impl Openings {
    /// So many plies are an opening.
    pub const PLIES: usize = 4;
    /// Up to so many openings, and different games, are counted.
    pub const MAX: usize = 10_000;

    /// Counts a game.
    pub(super) fn add(&mut self, size: BoardSize, moves: &[Move], margin: i32) {
        let image = |symmetry: Symmetry| {
            moves.iter().map(move |mv| match mv {
                Move::Play(point) => Move::Play(symmetry.apply(*point, size)),
                Move::Pass => Move::Pass,
            })
        };
        let codes = |symmetry| image(symmetry).map(|mv| mv.code(size)).collect::<Vec<u16>>();
        let first = Symmetry::for_size(size).min_by_key(|&symmetry| codes(symmetry)).expect("the identity");
        let bytes: Vec<u8> = codes(first).into_iter().flat_map(u16::to_le_bytes).collect();
        let digest = blake3::hash(&bytes);
        self.games.insert(u64::from_le_bytes(digest.as_bytes()[..8].try_into().expect("eight bytes")));
        let names: Vec<String> = image(first).take(Self::PLIES).map(|mv| mv.to_gtp(size)).collect();
        self.margins.entry(names.join(" ")).or_default().add(margin);
        self.limit();
    }

    /// Drops the openings or the games when they are more than [`MAX`](Self::MAX).
    fn limit(&mut self) {
        let is_more = [self.margins.len() > Self::MAX, self.games.len() > Self::MAX];
        self.is_full = [0, 1].map(|index| self.is_full[index] || is_more[index]);
        if self.is_full[0] {
            self.margins.clear();
        }
        if self.is_full[1] {
            self.games.clear();
        }
    }

    /// Returns how many openings there were; nothing if they were more than [`MAX`](Self::MAX).
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        (!self.is_full[0]).then_some(self.margins.len())
    }

    /// Returns how many games were different; nothing if they were more than [`MAX`](Self::MAX).
    #[must_use]
    pub fn different_games(&self) -> Option<usize> {
        (!self.is_full[1]).then_some(self.games.len())
    }

    /// Returns a 95 % interval of the [interpolated median](Histogram::interpolated_median) that takes openings, not games, for independent: the bootstrap's
    /// percentile interval over openings. Nothing for fewer than two openings or more than [`MAX`](Self::MAX).
    ///
    /// # Source
    /// B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap*, Chapman and Hall 1993, chapters 8 and 13.
    #[must_use]
    pub fn bootstrap_interval(&self) -> Option<Interval> {
        /// With a fixed seed, so that equal counts have equal intervals.
        const SAMPLES: usize = 1000;
        let openings: Vec<&Histogram> = self.margins.values().map(MarginCounts::histogram).collect();
        if openings.len() < 2 {
            return None;
        }
        let mut medians: Vec<f64> = (0..SAMPLES as u64)
            .map(|sample| {
                let mut stream = Stream::new(0, sample);
                let mut all = Histogram::new();
                for _ in 0..openings.len() {
                    all.merge(openings[stream.below(openings.len() as u32) as usize]);
                }
                all.interpolated_median().expect("margins").estimate
            })
            .collect();
        medians.sort_by(f64::total_cmp);
        let tail = (SAMPLES as f64 * (1.0 - CONFIDENCE) / 2.0) as usize;
        Some(Interval { lower: medians[tail], upper: medians[SAMPLES - 1 - tail] })
    }
}

impl Merge for Openings {
    fn merge(&mut self, other: &Self) {
        for (opening, margins) in &other.margins {
            self.margins.entry(opening.clone()).or_default().merge(margins);
        }
        self.games.extend(&other.games);
        self.is_full = [0, 1].map(|index| self.is_full[index] || other.is_full[index]);
        self.limit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(openings: &mut Openings, moves: &[&str], margin: i32) {
        let size = BoardSize::square(5).unwrap();
        let moves: Vec<Move> = moves.iter().map(|text| Move::from_gtp(text, size).unwrap()).collect();
        openings.add(size, &moves, margin);
    }

    #[test]
    fn images_are_one_opening() {
        let mut openings = Openings::default();
        add(&mut openings, &["A1", "B1", "C3", "pass", "pass"], 3);
        add(&mut openings, &["E5", "E4", "C3", "pass", "pass"], 5);
        add(&mut openings, &["A5", "B5", "C3", "pass", "D4"], 7);
        add(&mut openings, &["C3"], 25);
        assert_eq!((openings.count(), openings.different_games()), (Some(2), Some(3)));
    }

    /// The order in which parts are merged does not matter, also where there is too much to count.
    #[test]
    fn merging_counts_what_counting_at_once_counts() {
        let mut parts = [(); 3].map(|()| Openings::default());
        let mut whole = Openings::default();
        for (index, point) in (0..).zip(["A1", "B2", "C3", "A1", "C3", "D2", "A3"]) {
            for openings in [&mut parts[index % 3], &mut whole] {
                add(openings, &[point], index as i32);
            }
        }
        let [mut one, two, three] = parts;
        one.merge(&two);
        one.merge(&three);
        assert_eq!(one, whole);
        let mut full = Openings { is_full: [true, false], ..Openings::default() };
        full.merge(&whole);
        whole.merge(&Openings { is_full: [true, false], ..Openings::default() });
        assert_eq!(full, whole);
        assert_eq!((whole.count(), whole.different_games()), (None, Some(4)));
    }

    /// Many games of two openings say no more than two games do.
    #[test]
    fn few_openings_make_wide_intervals() {
        let mut openings = Openings::default();
        for _ in 0..500 {
            add(&mut openings, &["C3"], 25);
            add(&mut openings, &["A1"], -25);
        }
        let interval = openings.bootstrap_interval().unwrap();
        assert_eq!((interval.lower, interval.upper), (-25.0, 25.0));
        let mut one = Openings::default();
        add(&mut one, &["C3"], 25);
        assert_eq!(one.bootstrap_interval(), None);
    }
}
