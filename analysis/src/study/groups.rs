//! Sums over groups of games. Two runs of the same seeds and numbers have the same games in a group, so the groups say how much the runs vary together,
//! without any game of its own being kept.

use std::borrow::Cow;

use jigo_engine::life::{FinalStatus, Status};
use jigo_selfplay::GameRecord;
use serde::{Deserialize, Serialize};

use super::{EventCounts, Measures};
use crate::{
    MarginCounts,
    stats::{GROUPS, GroupedMargins, Merge, group_of, merge_fields},
};

/// A number of every game that is added up in groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameSum {
    Plies,
    Passes,
    Neutral,
    BlackRemoved,
    WhiteRemoved,
    FirstStoneSurvives,
    /// Whether superko rejected a move, and how many.
    RejectedGames,
    Rejected,
    RepetitionGames,
    Repetitions,
    ForbiddenGames,
    Forbidden,
    /// Whether the final position has a chain of this status.
    Seki,
    Dead,
    Unknown,
}

/// The numbers that are rarely 0, in the order of [`GameSum`].
type Common = [u32; GameSum::FirstStoneSurvives as usize + 1];

/// One number for each [`GameSum`], in their order.
type Sums = [u64; GameSum::Unknown as usize + 1];

/// The finished games of a run in 64 groups by game index.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Counts", into = "Counts")]
pub struct Groups {
    /// Without the recent games.
    counts: Counts,
    /// Groups, margins and common numbers of the games that were added last. The counts of a group are seldom in a fast cache, so many games are counted
    /// at once.
    recent: Vec<(u8, i32, Common)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    margins: GroupedMargins,
    /// For each group.
    sums: Vec<Sums>,
}

merge_fields!(Counts: margins, sums);

impl Default for Counts {
    fn default() -> Self {
        Self { margins: GroupedMargins::default(), sums: vec![Sums::default(); GROUPS] }
    }
}

impl From<Counts> for Groups {
    fn from(counts: Counts) -> Self {
        Self { counts, recent: Vec::new() }
    }
}

impl From<Groups> for Counts {
    fn from(mut groups: Groups) -> Self {
        groups.count_recent();
        groups.counts
    }
}

/// By the counts alone.
impl PartialEq for Groups {
    fn eq(&self, other: &Self) -> bool {
        self.counts() == other.counts()
    }
}

impl Eq for Groups {}

impl Merge for Groups {
    fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts());
    }
}

/// What the games of some groups have in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroupTotals {
    pub(crate) margins: MarginCounts,
    sums: Sums,
}

impl GroupTotals {
    /// Returns the mean over the games; nothing without games.
    pub(crate) fn mean(&self, sum: GameSum) -> Option<f64> {
        let games = self.margins.games();
        (games > 0).then(|| self.sums[sum as usize] as f64 / games as f64)
    }
}

impl Groups {
    /// The most recent games.
    const RECENT: usize = 256;

    /// Counts a finished game. The margin and the neutral points are those after the stones that are proved dead are removed.
    #[inline]
    pub(super) fn add(
        &mut self,
        record: &GameRecord,
        status: &FinalStatus,
        margin: i32,
        neutral: u32,
        first_stone_survives: bool,
    ) {
        let group = group_of(record.game_index);
        let [black, white] = record.prisoners;
        let common =
            [record.ply_count(), record.passes, neutral, black, white, u32::from(first_stone_survives)];
        self.add_common(group, margin, common);
        let events = [&record.refused, &record.repeated, &record.forbidden];
        if status.open.is_some() || events.iter().any(|events| !events.is_empty()) {
            self.add_rare(group, events.map(Vec::len), status);
        }
    }

    #[inline]
    fn add_common(&mut self, group: usize, margin: i32, common: Common) {
        self.recent.push((group as u8, margin, common));
        if self.recent.len() == Self::RECENT {
            self.count_recent();
        }
    }

    #[cold]
    fn add_rare(
        &mut self,
        group: usize,
        [rejected, repetitions, forbidden]: [usize; 3],
        status: &FinalStatus,
    ) {
        let has = |chains| usize::from(status.has(chains));
        let rare = [
            rejected.min(1),
            rejected,
            repetitions.min(1),
            repetitions,
            forbidden.min(1),
            forbidden,
            has(Status::Seki),
            has(Status::Dead),
            has(Status::Unknown),
        ];
        let sums = self.counts.sums[group].iter_mut().skip(GameSum::RejectedGames as usize);
        sums.zip(rare).for_each(|(sum, value)| *sum += value as u64);
    }

    /// Counts a game that was never played.
    #[cfg(test)]
    pub(crate) fn add_simulated(&mut self, game_index: u64, margin: i32, plies: u32) {
        self.add_common(group_of(game_index), margin, [plies, 0, 0, 0, 0, 0]);
    }

    fn count_recent(&mut self) {
        let Counts { margins, sums } = &mut self.counts;
        for (group, margin, common) in self.recent.drain(..) {
            margins.add(group.into(), margin);
            sums[usize::from(group)].iter_mut().zip(common).for_each(|(sum, value)| *sum += u64::from(value));
        }
    }

    /// Returns the counts of all games.
    fn counts(&self) -> Cow<'_, Counts> {
        match self.recent.is_empty() {
            true => Cow::Borrowed(&self.counts),
            false => Cow::Owned(self.clone().into()),
        }
    }

    /// Returns what the games in some of the groups have in all.
    pub(crate) fn totals(&self, is_in: impl Fn(usize) -> bool) -> GroupTotals {
        let Counts { margins, sums } = &*self.counts();
        let mut totals = GroupTotals { margins: margins.of(&is_in), ..GroupTotals::default() };
        let counted = sums.iter().enumerate().filter(|&(group, _)| is_in(group));
        counted.for_each(|(_, sums)| totals.sums.merge(sums));
        totals
    }

    /// Returns the largest sum of a group.
    pub(crate) fn max_sum(&self) -> u64 {
        self.counts().sums.iter().flatten().copied().max().unwrap_or(0)
    }

    /// Returns whether the groups are those of these games: as many groups as there must be, and together what all games have.
    pub(crate) fn add_up_to(&self, games: &Measures) -> bool {
        let events = |events: &EventCounts| [events.games, events.events].map(i128::from);
        let superko = &games.superko;
        let [rejected_games, rejected] = events(&superko.rejected);
        let [repetition_games, repetitions] = events(&superko.repetitions);
        let [forbidden_games, forbidden] = events(&superko.forbidden_candidates);
        let with = |status| games.status.positions_with(status).into();
        let expected: [i128; GameSum::Unknown as usize + 1] = [
            games.plies.sum(),
            games.passes.sum(),
            games.neutral.sum(),
            games.captures.black.sum(),
            games.captures.white.sum(),
            games.first_stone_survives.into(),
            rejected_games,
            rejected,
            repetition_games,
            repetitions,
            forbidden_games,
            forbidden,
            with(Status::Seki),
            with(Status::Dead),
            with(Status::Unknown),
        ];
        let Counts { margins, sums } = &*self.counts();
        let sum = |place: usize| sums.iter().map(|sums| i128::from(sums[place])).sum::<i128>();
        sums.len() == GROUPS
            && margins.of(|_| true) == games.margins
            && expected.into_iter().enumerate().all(|(place, expected)| sum(place) == expected)
    }
}
