//! The games of one playing, measured for all rule sets that have the same games.

use jigo_engine::{Counting, Position, Suicide};
use jigo_selfplay::{GameRecord, Needs, Sink};

use super::outcome::Outcome;
use crate::{Cell, Coverage, Measures, Setting, SideStatus, StatusCounts};

/// Counts by whether the ply cap cut the game off: finished games, then capped ones.
type Both<T> = [T; 2];

/// Measures each game once, and twice only where the rule sets see it differently.
pub(super) struct Measured {
    games: Both<Measures>,
    margins: Vec<(Counting, Both<Measures>)>,
    status: Vec<(Suicide, Both<StatusCounts>)>,
    /// The outcomes of games that were not taken yet.
    outcomes: Vec<(u64, Outcome)>,
}

impl Measured {
    /// Nothing yet, for settings that differ in their rules only.
    pub(super) fn new(settings: &[Setting]) -> Self {
        let both = || std::array::from_fn(|_| Measures::new(settings[0].size));
        let (mut margins, mut status) = (Vec::new(), Vec::new());
        for setting in settings {
            let (counting, suicide) = (setting.rules.counting, setting.rules.suicide);
            if margins.iter().all(|&(found, _)| found != counting) {
                margins.push((counting, both()));
            }
            if status.iter().all(|&(found, _)| found != suicide) {
                status.push((suicide, Both::default()));
            }
        }
        Self { games: both(), margins, status, outcomes: Vec::new() }
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
    pub(super) fn cell(&self, setting: Setting, coverage: Coverage) -> Cell {
        let rules = setting.rules;
        let margins = self.margins.iter().find(|(counting, _)| *counting == rules.counting);
        let status = self.status.iter().find(|(suicide, _)| *suicide == rules.suicide);
        let ((_, margins), (_, status)) = margins.zip(status).expect("the setting is one of those measured");
        let [finished, capped] = [0, 1].map(|kind| self.games[kind].with(&margins[kind], &status[kind]));
        Cell { setting, coverage, finished, capped }
    }
}

impl Sink for Measured {
    const NEEDS: Needs = Needs::Repetitions;

    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) {
        let kind = usize::from(record.is_capped());
        self.games[kind].add_game(record, position);
        for (counting, margins) in &mut self.margins {
            margins[kind].add_margin(record, *counting);
        }
        for (suicide, status) in &mut self.status {
            status[kind].add(SideStatus::of_both(position, *suicide));
        }
        self.outcomes.push((record.game_index, Outcome::of(record)));
    }

    fn merge(&mut self, other: Self) {
        for kind in [0, 1] {
            self.games[kind].merge(&other.games[kind]);
            for ((_, mine), (_, theirs)) in self.margins.iter_mut().zip(&other.margins) {
                mine[kind].merge(&theirs[kind]);
            }
            for ((_, mine), (_, theirs)) in self.status.iter_mut().zip(&other.status) {
                mine[kind].merge(&theirs[kind]);
            }
        }
        self.outcomes.extend(other.outcomes);
    }
}
