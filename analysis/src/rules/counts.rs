//! What is counted: each game once for all rule sets under which it is the same, and for each contrast the differences.

use std::{collections::BTreeMap, ops::Range};

use jigo_engine::{AnyPosition, Counting, Ko, Komi, Suicide, life::StatusSolver};
use jigo_selfplay::{GameRecord, Needs, Sink};
use serde::{Deserialize, Serialize};

use crate::{
    Coverage, Histogram, MarginCounts, RunConfig, RunStats,
    stats::{Merge, PairedShares, Spread, merge_fields},
    study::{Measures, Occurrence, SupplyCounts},
};

/// What a change of rules did to games, each compared with itself before the change.
///
/// Where a contrast has several pairs of rule sets, a game's difference is the sum over the pairs. A game that reached the move limit under any
/// of the rule sets, or ended as a draw by a cycle, is not compared, only counted in `stopped`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContrastCounts {
    /// Games that ended by the rules under all of the sets.
    pub finished: u64,
    /// Games that did not.
    pub stopped: u64,
    /// Of the finished games those with a difference in any quantity.
    pub differing: u64,
    /// For each quantity, in the order of [`CountedQuantity::ALL`], the differences other than 0: after the change minus before it.
    pub differences: [Histogram; CountedQuantity::ALL.len()],
    /// Games whose margin is smaller after the change. Empty for several pairs.
    pub fallen: MovedMargins,
    /// Games whose margin is larger after the change. Empty for several pairs.
    pub risen: MovedMargins,
}

merge_fields!(ContrastCounts: finished, stopped, differing, differences, fallen, risen);

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

merge_fields!(MovedMargins: before, after);

impl MovedMargins {
    pub(crate) fn add(&mut self, before: i32, after: i32) {
        self.before.add(before);
        self.after.add(after);
    }

    /// Counts the games whose result at this komi (Black wins, White wins, jigo) is another after the change.
    #[must_use]
    pub fn changed_results(&self, komi: Komi) -> u64 {
        let is_risen = self.after.histogram().sum() > self.before.histogram().sum();
        let (upper, lower) = if is_risen { (&self.after, &self.before) } else { (&self.before, &self.after) };
        // All but those with both margins above the komi or both below it.
        upper.games() - wins(lower, komi) - upper.shares(komi).white
    }
}

impl ContrastCounts {
    /// Counts a finished game by its differences in all quantities.
    pub(super) fn add(&mut self, differences: Quantities) {
        self.finished += 1;
        self.differing += u64::from(differences != Quantities::default());
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

    /// Returns the differences other than 0 in one quantity.
    #[must_use]
    pub const fn differences(&self, quantity: CountedQuantity) -> &Histogram {
        &self.differences[quantity as usize]
    }

    /// Returns the mean and spread of the difference in one quantity over all finished games, or nothing without games.
    #[must_use]
    pub fn spread(&self, quantity: CountedQuantity) -> Option<Spread> {
        self.differences(quantity).with_zeros(self.finished).spread()
    }

    /// Counts the games that Black wins at this komi before the change only, and after it only. For one pair of rule sets.
    #[must_use]
    pub fn black_wins(&self, komi: Komi) -> PairedShares {
        // Of margins that fell, those above the komi afterwards were above it before.
        let lost = wins(&self.fallen.before, komi) - wins(&self.fallen.after, komi);
        let gained = wins(&self.risen.after, komi) - wins(&self.risen.before, komi);
        PairedShares::new(lost, gained, self.finished).expect("games that moved are among those finished")
    }

    /// Counts the games in which a position is repeated before the change only, and after it only. For one pair of rule sets.
    #[must_use]
    pub fn repetitions(&self) -> PairedShares {
        let changed = self.differences(CountedQuantity::Repetition);
        PairedShares::new(changed.count_of(-1), changed.count_of(1), self.finished)
            .expect("games that differ are among those finished")
    }

    /// Counts the games whose result at this komi (Black wins, White wins, jigo) is another after the change. For one pair of rule sets.
    #[must_use]
    pub fn changed_results(&self, komi: Komi) -> u64 {
        self.fallen.changed_results(komi) + self.risen.changed_results(komi)
    }
}

/// Returns the games that Black wins.
fn wins(margins: &MarginCounts, komi: Komi) -> u64 {
    margins.shares(komi).black
}

/// A quantity of a game that rules may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CountedQuantity {
    /// Black's points minus White's before komi.
    Margin,
    /// Plies, passes included.
    Plies,
    /// Stones removed, of both colours.
    Removed,
    /// Moves that superko rejected.
    Rejected,
    /// Whether a move recreated an earlier position: what a rule of *no result* would call off.
    Repetition,
}

impl CountedQuantity {
    /// All quantities.
    pub const ALL: [Self; 5] = [Self::Margin, Self::Plies, Self::Removed, Self::Rejected, Self::Repetition];
}

/// The quantities of a game, in the order of [`CountedQuantity::ALL`].
pub(super) type Quantities = [i32; CountedQuantity::ALL.len()];

/// A game in numbers, by area and by territory counting, without what a handicap adds to its margin; nothing if it was not finished.
pub(super) type Outcome = Option<[Quantities; 2]>;

/// Returns the outcome of a game whose margin grows by `change` when the stones that are proved dead are removed.
fn outcome(record: &GameRecord, change: i32) -> Outcome {
    let quantities = |counting| {
        [
            record.margin_by(counting) + change,
            record.ply_count() as i32,
            record.prisoners.iter().sum::<u32>() as i32,
            record.refused.len() as i32,
            i32::from(!record.repeated.is_empty()),
        ]
    };
    record.is_finished().then(|| [Counting::Area, Counting::Territory].map(quantities))
}

/// Finished games, then games that were stopped at the move limit.
type Both<T> = [T; 2];

/// What decides the margin of a game: the counting, and what a handicap adds.
type MarginKey = (Counting, i32);

fn margin_key(config: &RunConfig) -> MarginKey {
    (config.rules.counting, config.handicap_points())
}

/// Solves the status of final positions, and measures the ends of the games for each way to count them.
type Solved = (StatusSolver, BTreeMap<MarginKey, (RunConfig, Both<Measures>)>);

/// Measures games that are the same under several rule sets: each once, and its end once for each way in which the rule sets see it.
pub(super) struct SharedSink {
    games: Both<Measures>,
    supply: SupplyCounts,
    /// The ends of the games, by the rules that decide what is dead.
    ends: BTreeMap<(Suicide, Ko), Solved>,
    /// Its rules say which stones are dead when outcomes are counted.
    base: RunConfig,
    source: String,
    /// The outcomes of games that were not taken yet.
    outcomes: Vec<(u64, Outcome)>,
}

/// Returns the rules that decide what is dead.
fn status_rules(config: &RunConfig) -> (Suicide, Ko) {
    (config.rules.suicide, config.rules.ko)
}

impl SharedSink {
    /// Measures no games yet; the configurations differ in their rules only.
    pub(super) fn new(configs: &[RunConfig], run_seed: u64) -> Self {
        let both = || std::array::from_fn(|_| Measures::new(configs[0].size));
        let mut ends = BTreeMap::new();
        for config in configs {
            let (suicide, ko) = status_rules(config);
            let solved = ends.entry((suicide, ko));
            let (_, counts): &mut Solved =
                solved.or_insert_with(|| (StatusSolver::new(suicide, ko), BTreeMap::new()));
            counts.entry(margin_key(config)).or_insert_with(|| (*config, both()));
        }
        Self {
            games: both(),
            supply: SupplyCounts::default(),
            ends,
            base: configs[0],
            source: Occurrence::source_of_run(run_seed),
            outcomes: Vec::new(),
        }
    }

    /// Returns the outcomes of these games, which are all that were not taken yet.
    pub(super) fn take_outcomes(&mut self, games: Range<u64>) -> Vec<Outcome> {
        let mut outcomes = vec![None; (games.end - games.start) as usize];
        for (index, outcome) in self.outcomes.drain(..) {
            outcomes[(index - games.start) as usize] = outcome;
        }
        outcomes
    }

    /// Returns the measurements for one of the configurations.
    ///
    /// # Panics
    /// When it is none of those.
    pub(super) fn stats(&self, config: RunConfig, coverage: Coverage) -> RunStats {
        let (_, ends) = &self.ends[&status_rules(&config)].1[&margin_key(&config)];
        let [finished, stopped] = [0, 1].map(|kind| self.games[kind].with_ends(&ends[kind]));
        RunStats { config, coverage, finished, stopped, supply: self.supply }
    }
}

impl Sink for SharedSink {
    const NEEDS: Needs = Needs::Repetitions;

    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        let Some(kind) = self.supply.add(record) else {
            return self.outcomes.push((record.game_index, None));
        };
        let kind = kind as usize;
        self.games[kind].add_game(record, &self.base, &self.source);
        let mut change = 0;
        for (rules, (solver, counts)) in &mut self.ends {
            let status = solver.final_status(position, record.is_finished());
            if *rules == status_rules(&self.base) {
                change = status.dead_margin();
            }
            position.without(status.removed(), |settled| {
                for (config, measures) in counts.values_mut() {
                    measures[kind].add_end(record, &status, settled, config, &self.source);
                }
            });
        }
        self.outcomes.push((record.game_index, outcome(record, change)));
    }

    fn merge(&mut self, other: Self) {
        self.games.merge(&other.games);
        self.supply.merge(&other.supply);
        for ((_, mine), (_, theirs)) in self.ends.values_mut().zip(other.ends.values()) {
            for ((_, mine), (_, theirs)) in mine.values_mut().zip(theirs.values()) {
                mine.merge(theirs);
            }
        }
        self.outcomes.extend(other.outcomes);
    }
}
