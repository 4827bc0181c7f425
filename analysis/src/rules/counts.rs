//! The exact counts of a contrast.

use jigo_engine::Komi;
use serde::{Deserialize, Serialize};

use super::outcome::CountedQuantity;
use crate::{
    Histogram, MarginCounts,
    stats::{Moments, PairedShares},
};

/// What a change of rules did to games, each compared with itself before the change.
///
/// Where a contrast has several pairs of rule sets, a game's difference is the sum over the pairs. A game that the ply cap cut off under any of
/// the rule sets is not compared, only counted in `lost_to_cap`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContrastCounts {
    /// Games that ended by the rules under all of the sets.
    pub finished: u64,
    /// Games that did not.
    pub lost_to_cap: u64,
    /// Of the finished games those with a difference in any quantity.
    pub differing: u64,
    /// For each quantity, in the order of [`CountedQuantity::ALL`], the differences other than 0: after the change minus before it.
    pub differences: [Histogram; CountedQuantity::ALL.len()],
    /// Games whose margin is smaller after the change. Empty for several pairs.
    pub fallen: MovedMargins,
    /// Games whose margin is larger after the change. Empty for several pairs.
    pub risen: MovedMargins,
}

/// The margins of games before and after a change of rules, where they moved in one direction.
///
/// Of margins that fell, those above a komi afterwards were above it before, so that two histograms say for every komi how many winners changed;
/// likewise of those that rose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedMargins {
    /// Before the change.
    pub before: MarginCounts,
    /// After the change.
    pub after: MarginCounts,
}

impl MovedMargins {
    pub(crate) fn add(&mut self, before: i32, after: i32) {
        self.before.add(before);
        self.after.add(after);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.before.merge(&other.before);
        self.after.merge(&other.after);
    }

    /// Games whose result at this komi (Black wins, White wins, jigo) is another after the change.
    #[must_use]
    pub fn changed_results(&self, komi: Komi) -> u64 {
        let is_risen = self.after.histogram().sum() > self.before.histogram().sum();
        let (upper, lower) = if is_risen { (&self.after, &self.before) } else { (&self.before, &self.after) };
        // All but those with both margins above the komi or both below it.
        upper.games() - wins(lower, komi) - upper.shares(komi).white
    }
}

impl ContrastCounts {
    /// Counts a game that is the same under all rule sets.
    pub(super) const fn add_equal(&mut self, is_capped: bool) {
        if is_capped {
            self.lost_to_cap += 1;
        } else {
            self.finished += 1;
        }
    }

    /// Counts a finished game by its differences in all quantities.
    pub(super) fn add(&mut self, differences: [i32; CountedQuantity::ALL.len()]) {
        self.finished += 1;
        self.differing += u64::from(differences != [0; CountedQuantity::ALL.len()]);
        for (histogram, difference) in self.differences.iter_mut().zip(differences) {
            histogram.add_many(difference, u64::from(difference != 0));
        }
    }

    /// Counts the margin of a finished game before and after.
    pub(super) fn add_margins(&mut self, before: i32, after: i32) {
        match before.cmp(&after) {
            std::cmp::Ordering::Greater => self.fallen.add(before, after),
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Less => self.risen.add(before, after),
        }
    }

    /// Adds the counts of other games.
    pub(super) fn merge(&mut self, other: &Self) {
        self.finished += other.finished;
        self.lost_to_cap += other.lost_to_cap;
        self.differing += other.differing;
        for (mine, theirs) in self.differences.iter_mut().zip(&other.differences) {
            mine.merge(theirs);
        }
        self.fallen.merge(&other.fallen);
        self.risen.merge(&other.risen);
    }

    /// The differences other than 0 in one quantity.
    #[must_use]
    pub const fn differences(&self, quantity: CountedQuantity) -> &Histogram {
        &self.differences[quantity as usize]
    }

    /// Mean and spread of the difference in one quantity over all finished games, or nothing without games.
    #[must_use]
    pub fn moments(&self, quantity: CountedQuantity) -> Option<Moments> {
        let mut all = self.differences(quantity).clone();
        all.add_many(0, self.finished - all.count());
        all.moments()
    }

    /// Games that Black wins at this komi before the change only, and after it only. For one pair of rule sets.
    #[must_use]
    pub fn black_wins(&self, komi: Komi) -> PairedShares {
        // Of margins that fell, those above the komi afterwards were above it before.
        let lost = wins(&self.fallen.before, komi) - wins(&self.fallen.after, komi);
        let gained = wins(&self.risen.after, komi) - wins(&self.risen.before, komi);
        PairedShares::new(lost, gained, self.finished).expect("games that moved are among those finished")
    }

    /// Games in which a position is repeated before the change only, and after it only. For one pair of rule sets.
    #[must_use]
    pub fn repetitions(&self) -> PairedShares {
        let changed = self.differences(CountedQuantity::Repetition);
        PairedShares::new(changed.count_of(-1), changed.count_of(1), self.finished)
            .expect("games that differ are among those finished")
    }

    /// Games whose result at this komi (Black wins, White wins, jigo) is another after the change. For one pair of rule sets.
    #[must_use]
    pub fn changed_results(&self, komi: Komi) -> u64 {
        self.fallen.changed_results(komi) + self.risen.changed_results(komi)
    }
}

/// Games that Black wins.
fn wins(margins: &MarginCounts, komi: Komi) -> u64 {
    margins.shares(komi).black
}
