//! Last positions of counted games in which playouts decide what nothing proves.

use jigo_engine::{
    AnyPosition, Point,
    life::{ChainStatus, FinalStatus, in_seki},
    protocol::Conduct,
    score::{ScoringContext, SekiBy},
};
use jigo_selfplay::{
    search::Estimate,
    sgf::{self, Replay, SgfGame},
};
use serde::{Deserialize, Serialize};

use super::measures::recorded_margin;
use crate::{
    Histogram,
    stats::{group, merge_fields},
};

/// What is [estimated](Estimate) of last positions, and how the count with it agrees with the recorded scores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EstimateCounts {
    /// Last positions with chains that nothing proves to be alive, in seki or dead.
    pub positions: u64,
    /// These chains.
    pub chains: u64,
    /// Those of them that are estimated to be dead.
    pub dead_chains: u64,
    /// The stones of these.
    pub dead_stones: u64,
    /// Black's margin before komi by the rules of the record, with the stones off that are proved or estimated to be dead, minus the recorded one: of all
    /// games whose margin is recorded.
    pub differences: Histogram,
}

merge_fields!(EstimateCounts: positions, chains, dead_chains, dead_stones, differences);

impl EstimateCounts {
    /// Estimates the last position of a game and counts it.
    pub(super) fn add(
        &mut self,
        position: AnyPosition<'_>,
        game: &SgfGame,
        replay: &Replay,
        status: &FinalStatus,
    ) {
        let chains = status.open.as_ref().map_or(&[][..], |open| &open.chains);
        let chains = if chains.iter().all(|chain| chain.status.is_settled()) {
            chains.to_vec()
        } else {
            let estimate = Estimate::new(position, replay.rules, chains.to_vec());
            self.positions += 1;
            for (chain, lost) in estimate.estimated() {
                self.chains += 1;
                if lost > Estimate::DEAD {
                    self.dead_chains += 1;
                    self.dead_stones += chain.stones.len() as u64;
                }
            }
            estimate.assumed()
        };
        if let Some(difference) = difference(position, game, replay, &chains) {
            self.differences.add(difference);
        }
    }

    /// Returns in how many games the count is the recorded one, and of how many games a margin is recorded.
    #[must_use]
    pub fn equal(&self) -> (u64, u64) {
        (equal(&self.differences), self.differences.count())
    }

    /// Says what was found; nothing where nothing was estimated.
    pub(crate) fn text(&self) -> Option<String> {
        let (equal, games) = self.equal();
        (games > 0 || self.positions > 0).then(|| {
            format!(
                "{} chains of {} last positions are estimated by playouts, not proved: {} of them, with {} stones, are dead. Counted so, {} of {} games have \
                 the recorded margin",
                group(self.chains),
                group(self.positions),
                group(self.dead_chains),
                group(self.dead_stones),
                group(equal),
                group(games)
            )
        })
    }
}

/// Returns how many of these differences are 0.
pub(crate) fn equal(differences: &Histogram) -> u64 {
    differences.iter().find(|&(difference, _)| difference == 0).map_or(0, |(_, games)| games)
}

/// Returns how much Black's margin before komi in a last position whose chains have these statuses, by the rules of the record, exceeds the recorded
/// one; nothing where none is recorded.
pub(super) fn difference(
    position: AnyPosition<'_>,
    game: &SgfGame,
    replay: &Replay,
    chains: &[ChainStatus],
) -> Option<i32> {
    Some(margin(position, game, replay, chains) - recorded_margin(game)?)
}

fn margin(position: AnyPosition<'_>, game: &SgfGame, replay: &Replay, chains: &[ChainStatus]) -> i32 {
    let position = position.to_position();
    let dead: Vec<Point> =
        position.taken_off(chains).flat_map(|chain| chain.stones.iter().copied()).collect();
    let seki = in_seki(chains);
    let context = ScoringContext {
        dead: &dead,
        seki: SekiBy::Known(&seki),
        prisoners: replay.prisoners,
        ..ScoringContext::default()
    };
    Conduct::new(sgf::rules_of(game), game.size).count(&position, &context).score.margin()
}
