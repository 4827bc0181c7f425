//! How far a change of rules moves estimates that are no means over games.

use jigo_engine::Komi;

use super::{Comparison, Contrast};
use crate::{
    MarginCounts,
    stats::{Change, GROUPS, delete_a_group},
};

/// Fewest games for [`Comparison::fair_komi_changes`]: from here on the coverage of the intervals was found to be right.
pub const FAIR_KOMI_MIN_GAMES: u64 = 1024;

impl Comparison {
    /// How far each contrast moves the [fair komi](crate::FairKomi::estimate), with approximate 95 % intervals by the delete-a-group jackknife; in
    /// averages the mean over the pairs. Nothing below [`FAIR_KOMI_MIN_GAMES`] finished games under a rule set.
    ///
    /// # Source
    /// See `docs/statistics.md`.
    #[must_use]
    pub fn fair_komi_changes(&self) -> Vec<Option<Change>> {
        self.changes(|margins| margins.histogram().interpolated_median().map(|median| median.estimate))
    }

    /// How far each contrast moves the share of games that Black wins at this komi; otherwise as [`fair_komi_changes`](Self::fair_komi_changes).
    #[must_use]
    pub fn black_win_changes(&self, komi: Komi) -> Vec<Option<Change>> {
        self.changes(|margins| margins.shares(komi).black_wins().estimate())
    }

    fn changes(&self, estimate: impl Fn(&MarginCounts) -> Option<f64>) -> Vec<Option<Change>> {
        let estimates: Vec<_> = self.groups.iter().map(|groups| Estimates::of(groups, &estimate)).collect();
        let change = |contrast: &Contrast| {
            let (mut whole, mut without) = (0.0, [0.0; GROUPS]);
            let weight = 1.0 / contrast.pairs.len() as f64;
            for &(from, to) in &contrast.pairs {
                let (from, to) = (estimates[from].as_ref()?, estimates[to].as_ref()?);
                whole += weight * (to.whole - from.whole);
                for (sum, (from, to)) in without.iter_mut().zip(from.without.iter().zip(&to.without)) {
                    *sum += weight * (to - from);
                }
            }
            Some(Change { estimate: whole, interval: delete_a_group(whole, &without) })
        };
        self.plan().contrasts.iter().map(change).collect()
    }
}

/// An estimate from all games of a variant, and from all but one group.
struct Estimates {
    whole: f64,
    without: [f64; GROUPS],
}

impl Estimates {
    fn of(groups: &[MarginCounts], estimate: impl Fn(&MarginCounts) -> Option<f64>) -> Option<Self> {
        let but = |left_out: Option<usize>| {
            let mut merged = MarginCounts::new();
            let kept = groups.iter().enumerate().filter(|(group, _)| Some(*group) != left_out);
            kept.for_each(|(_, margins)| merged.merge(margins));
            merged
        };
        let all = but(None);
        if all.games() < FAIR_KOMI_MIN_GAMES {
            return None;
        }
        let mut without = [0.0; GROUPS];
        for (group, value) in without.iter_mut().enumerate() {
            *value = estimate(&but(Some(group)))?;
        }
        Some(Self { whole: estimate(&all)?, without })
    }
}
