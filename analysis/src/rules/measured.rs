//! The games of one playing, measured for all rule sets that have the same games.

use jigo_engine::{Counting, Position};
use jigo_selfplay::{GameRecord, Needs, Sink};

use super::outcome::Outcome;
use crate::{
    Coverage, RunConfig, RunStats,
    study::{FinalStatusSolver, Measures, Occurrence, StatusCounts},
};

/// Counts by whether the ply cap cut the game off: finished games, then capped ones.
type Both<T> = [T; 2];

/// Life and death under one choice of what it depends on, for each counting.
struct Judged {
    judge: FinalStatusSolver,
    counts: Vec<(Counting, Both<StatusCounts>)>,
}

/// Measures each game once, and twice only where the rule sets see it differently.
pub(super) struct Measured {
    games: Both<Measures>,
    margins: Vec<(Counting, Both<Measures>)>,
    status: Vec<Judged>,
    /// Names the run.
    source: String,
    /// The outcomes of games that were not taken yet.
    outcomes: Vec<(u64, Outcome)>,
}

impl Measured {
    /// Nothing yet, for settings that differ in their rules only.
    pub(super) fn new(settings: &[RunConfig], run_seed: u64) -> Self {
        let both = || std::array::from_fn(|_| Measures::new(settings[0].size));
        let mut margins: Vec<(Counting, Both<Measures>)> = Vec::new();
        let mut status: Vec<Judged> = Vec::new();
        for &RunConfig { rules, .. } in settings {
            let counting = rules.counting;
            if margins.iter().all(|&(found, _)| found != counting) {
                margins.push((counting, both()));
            }
            if status.iter().all(|judged| !judged.judge.is_for(rules)) {
                status.push(Judged { judge: FinalStatusSolver::new(rules), counts: Vec::new() });
            }
            for judged in status.iter_mut().filter(|judged| judged.judge.is_for(rules)) {
                if judged.counts.iter().all(|&(found, _)| found != counting) {
                    judged.counts.push((counting, Both::default()));
                }
            }
        }
        let source = Occurrence::source_of_run(run_seed);
        Self { games: both(), margins, status, source, outcomes: Vec::new() }
    }

    /// Moves the outcomes to their places, counted from the game `first`.
    pub(super) fn take_outcomes(&mut self, first: u64, places: &mut [Outcome]) {
        for (index, outcome) in self.outcomes.drain(..) {
            places[(index - first) as usize] = outcome;
        }
    }

    /// The measurements for one of the settings.
    ///
    /// # Panics
    /// When it is none of those.
    pub(super) fn cell(&self, setting: RunConfig, coverage: Coverage) -> RunStats {
        let rules = setting.rules;
        let margins = self.margins.iter().find(|(counting, _)| *counting == rules.counting);
        let judged = self.status.iter().find(|judged| judged.judge.is_for(rules));
        let status =
            judged.and_then(|judged| judged.counts.iter().find(|(counting, _)| *counting == rules.counting));
        let ((_, margins), (_, status)) = margins.zip(status).expect("the setting is one of those measured");
        let [finished, capped] = [0, 1].map(|kind| self.games[kind].with(&margins[kind], &status[kind]));
        RunStats { config: setting, coverage, finished, capped }
    }
}

impl Sink for Measured {
    const NEEDS: Needs = Needs::Repetitions;

    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        let kind = usize::from(record.is_capped());
        self.games[kind].add_game(record, position, &self.source);
        for (counting, margins) in &mut self.margins {
            margins[kind].add_margin(record, *counting);
        }
        for Judged { judge, counts, .. } in &mut self.status {
            let found = judge.judge_end(record, position);
            for (counting, status) in counts {
                status[kind].add(&found, record.margin_by(*counting), &self.source, record.game_index);
            }
        }
        self.outcomes.push((record.game_index, Outcome::of(record)));
    }

    fn merge(&mut self, other: Self) {
        for kind in [0, 1] {
            self.games[kind].merge(&other.games[kind]);
            for ((_, mine), (_, theirs)) in self.margins.iter_mut().zip(&other.margins) {
                mine[kind].merge(&theirs[kind]);
            }
            let mine = self.status.iter_mut().flat_map(|judged| &mut judged.counts);
            let theirs = other.status.iter().flat_map(|judged| &judged.counts);
            for ((_, mine), (_, theirs)) in mine.zip(theirs) {
                mine[kind].merge(&theirs[kind]);
            }
        }
        self.outcomes.extend(other.outcomes);
    }
}
