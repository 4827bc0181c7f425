//! Plays the same games under several rule sets and compares them.

use std::ops::Range;

use jigo_engine::{Komi, RuleSet};
use jigo_selfplay::{Progress, Sink as _, Stopped};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    Contrast, Plan, RuleAxis,
    counts::{ContrastCounts, Outcome, Quantities, SharedSink},
    in_order, playing,
};
use crate::{
    Coverage, MarginCounts, RunConfig, RunStats,
    stats::{Estimate, GROUPS, GroupedMargins, Merge, delete_a_group, group_of},
    study::CountedTwice,
};

/// Games that are played under one rule set before the next: enough to keep many threads busy, few enough to remember.
const BLOCK: u64 = 1 << 16;
/// Games that a thread compares at once.
const PIECE: usize = 1 << 12;

/// The same games (seed and index, so the same random numbers) under several rule sets, each compared with itself.
///
/// A game is the same under two rule sets until a rule decides a move, so differences are known far better than from independent games. Rule
/// sets that cannot have different games, or only count them differently, share them. All counts are exact and merge by addition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// A configuration for each rule set, in the order of [`Rules::lattice`](jigo_engine::Rules::lattice).
    #[serde(rename = "settings")]
    pub configs: Vec<RunConfig>,
    /// Which games.
    pub coverage: Coverage,
    /// For each variant the margins of its finished games, dealt into groups by game index.
    pub(crate) groups: Vec<GroupedMargins>,
    /// For each contrast its counts.
    pub(crate) counts: Vec<ContrastCounts>,
}

impl Comparison {
    /// Returns a comparison of no games. The configurations may be in any order.
    ///
    /// # Panics
    /// When there are none, or when they differ in more than their rules.
    #[must_use]
    pub fn new(configs: &[RunConfig]) -> Self {
        let first = configs[0];
        let differs_in_rules_only = |config: &RunConfig| RunConfig { rules: first.rules, ..*config } == first;
        assert!(configs.iter().all(differs_in_rules_only), "only rules can be compared");
        let rules: Vec<RuleSet> = configs.iter().map(|config| config.rules).collect();
        let rules = in_order(&rules);
        let plan = Plan::new(&rules, &first);
        let configs = rules.into_iter().map(|rules| RunConfig { rules, ..first }).collect();
        Self::empty(configs, &plan)
    }

    fn empty(configs: Vec<RunConfig>, plan: &Plan) -> Self {
        Self {
            configs,
            coverage: Coverage::default(),
            groups: vec![GroupedMargins::default(); plan.variants.len()],
            counts: vec![ContrastCounts::default(); plan.contrasts.len()],
        }
    }

    /// Returns how often each game must be played: once for each rule set that can have games of its own.
    #[must_use]
    pub fn playing_count(&self) -> u64 {
        self.plan().playings.len() as u64
    }

    /// Plays the games with these indices of the runs with this seed under all rule sets, on the current rayon pool. Returns what
    /// [`RunStats::play`] returns for each, and the comparison. Memory does not grow with the number of games.
    pub(crate) fn play(
        configs: &[RunConfig],
        seed: u64,
        games: Range<u64>,
        progress: &Progress,
    ) -> Result<(Vec<RunStats>, Self), Stopped> {
        let mut comparison = Self::new(configs);
        let plan = comparison.plan();
        let config = configs[0];
        let same_games = |rules: &RuleSet| -> Vec<RunConfig> {
            let key = playing(*rules, &config);
            let all = comparison.configs.iter().copied();
            all.filter(|found| playing(found.rules, &config) == key).collect()
        };
        let sharing: Vec<Vec<RunConfig>> = plan.playings.iter().map(same_games).collect();
        let mut sinks: Vec<SharedSink> =
            sharing.iter().map(|configs| SharedSink::new(configs, seed)).collect();
        for start in games.clone().step_by(BLOCK as usize) {
            let block = start..games.end.min(start + BLOCK);
            let mut outcomes = Vec::new();
            for ((&rules, sharing), sink) in plan.playings.iter().zip(&sharing).zip(&mut sinks) {
                let run = RunConfig { rules, ..configs[0] }.seed(seed);
                sink.merge(run.play(block.clone(), || SharedSink::new(sharing, seed), progress)?);
                outcomes.push(sink.take_outcomes(block.clone()));
            }
            comparison.add(&plan, block.start, &outcomes);
        }
        comparison.coverage = Coverage::new(seed, games);
        let stats = sharing.iter().zip(&sinks).flat_map(|(sharing, sink)| {
            sharing.iter().map(|&config| sink.stats(config, comparison.coverage.clone()))
        });
        Ok((stats.collect(), comparison))
    }

    /// Counts games from index `first` on, given their outcomes under each playing.
    fn add(&mut self, plan: &Plan, first: u64, outcomes: &[Vec<Outcome>]) {
        let games = outcomes[0].len();
        let pieces = (0..games).into_par_iter().step_by(PIECE);
        let empty = || Self::empty(self.configs.clone(), plan);
        let counted = pieces.map(|start| {
            let mut piece = empty();
            (start..games.min(start + PIECE)).for_each(|place| {
                piece.add_game(plan, group_of(first + place as u64), &|playing| outcomes[playing][place]);
            });
            piece
        });
        let merged = counted.reduce(empty, |mut one, other| {
            one.merge_counts(&other);
            one
        });
        self.merge_counts(&merged);
    }

    fn add_game(&mut self, plan: &Plan, group: usize, outcome: &dyn Fn(usize) -> Outcome) {
        let variant = |index: usize| -> Option<Quantities> {
            let mut quantities = outcome(plan.playing_of[index])?[plan.variants[index].counting as usize];
            quantities[0] += plan.points[index];
            Some(quantities)
        };
        for (index, groups) in self.groups.iter_mut().enumerate() {
            if let Some([margin, ..]) = variant(index) {
                groups.add(group, margin);
            }
        }
        for (contrast, counts) in plan.contrasts.iter().zip(&mut self.counts) {
            let mut pairs = contrast.pairs.iter().map(|&(from, to)| variant(from).zip(variant(to)));
            let sum = pairs.try_fold(Quantities::default(), |sum, pair| {
                let (before, after) = pair?;
                Some(std::array::from_fn(|index| sum[index] + after[index] - before[index]))
            });
            let Some(differences) = sum else {
                counts.stopped += 1;
                continue;
            };
            counts.add(differences);
            if let [(from, to)] = contrast.pairs[..]
                && let (Some([before, ..]), Some([after, ..])) = (variant(from), variant(to))
            {
                counts.add_margins(before, after);
            }
        }
    }

    fn merge_counts(&mut self, other: &Self) {
        self.groups.merge(&other.groups);
        self.counts.merge(&other.counts);
    }

    /// Adds the games of another part of a run under the same rule sets.
    ///
    /// # Errors
    /// [`CountedTwice`] when a game is in both. Nothing is changed then.
    ///
    /// # Panics
    /// When the configurations differ.
    pub fn merge(&mut self, other: &Self) -> Result<(), CountedTwice> {
        assert_eq!(self.configs, other.configs, "comparisons of different configurations cannot be merged");
        self.coverage.merge(&other.coverage)?;
        self.merge_counts(other);
        Ok(())
    }

    pub(crate) fn plan(&self) -> Plan {
        let rules: Vec<RuleSet> = self.configs.iter().map(|config| config.rules).collect();
        Plan::new(&rules, &self.configs[0])
    }

    /// Iterates over the contrasts with their counts: first those with the base, which is the first rule set.
    pub fn contrasts(&self) -> impl Iterator<Item = (Contrast, &ContrastCounts)> {
        self.plan().contrasts.into_iter().zip(&self.counts)
    }

    /// Iterates over the choices that the rule sets differ in and that change nothing, each with the reason.
    pub fn idle(&self) -> impl Iterator<Item = (RuleAxis, &'static str)> {
        self.plan().idle.into_iter()
    }
}

/// Fewest games for [`Comparison::fair_komi_changes`]: from here on the coverage of the intervals was found to be right.
pub const FAIR_KOMI_MIN_GAMES: u64 = 1024;

impl Comparison {
    /// Returns how far each contrast moves the [fair komi](crate::FairKomi::estimate), with approximate 95 % intervals by the delete-a-group jackknife; in
    /// averages the mean over the pairs. Nothing below [`FAIR_KOMI_MIN_GAMES`] finished games under a rule set.
    ///
    /// # Source
    /// See `docs/statistics.md`.
    #[must_use]
    pub fn fair_komi_changes(&self) -> Vec<Option<Estimate>> {
        self.changes(|margins| margins.histogram().interpolated_median().map(|median| median.estimate))
    }

    /// Returns how far each contrast moves the share of games that Black wins at this komi; otherwise as [`fair_komi_changes`](Self::fair_komi_changes).
    #[must_use]
    pub fn black_win_changes(&self, komi: Komi) -> Vec<Option<Estimate>> {
        self.changes(|margins| margins.shares(komi).black_wins().estimate())
    }

    fn changes(&self, estimate: impl Fn(&MarginCounts) -> Option<f64>) -> Vec<Option<Estimate>> {
        let estimates: Vec<_> = self.groups.iter().map(|groups| estimates(groups, &estimate)).collect();
        let change = |contrast: &Contrast| {
            let (mut whole, mut without) = (0.0, [0.0; GROUPS]);
            let weight = 1.0 / contrast.pairs.len() as f64;
            for &(from, to) in &contrast.pairs {
                let (from, to) = (estimates[from].as_ref()?, estimates[to].as_ref()?);
                whole += weight * (to.0 - from.0);
                for (sum, (from, to)) in without.iter_mut().zip(from.1.iter().zip(&to.1)) {
                    *sum += weight * (to - from);
                }
            }
            Some(delete_a_group(whole, &without))
        };
        self.plan().contrasts.iter().map(change).collect()
    }
}

/// Returns an estimate from all games of a variant, and from all but each group; nothing where there are too few.
fn estimates(
    groups: &GroupedMargins,
    estimate: impl Fn(&MarginCounts) -> Option<f64>,
) -> Option<(f64, [f64; GROUPS])> {
    let all = groups.of(|_| true);
    if all.games() < FAIR_KOMI_MIN_GAMES {
        return None;
    }
    let mut without = [0.0; GROUPS];
    for (group, value) in without.iter_mut().enumerate() {
        *value = estimate(&groups.of(|other| other != group))?;
    }
    Some((estimate(&all)?, without))
}
