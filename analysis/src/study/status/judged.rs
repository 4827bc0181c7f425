//! From a final position to what is counted of it.

use jigo_engine::{
    Ko, Position, Rules, Suicide,
    life::{ChainStatus, LifeCounts, Seki, Status, StatusSolver},
};
use jigo_selfplay::GameRecord;

use super::shapes::FoundShape;

/// Judges final positions under the suicide and ko rules of a rule set. What it says depends on the position and the rules alone, not on what
/// was judged before: each thread may have its own.
#[derive(Clone, Debug)]
pub struct FinalStatusSolver {
    suicide: Suicide,
    ko: Ko,
    judge: StatusSolver,
}

/// What is known about the life in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalStatus {
    pub(super) life: [LifeCounts; 2],
    /// Where not every chain is unconditionally alive.
    pub(super) open: Option<Box<Open>>,
}

/// A position in which not every chain is unconditionally alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) chains: Vec<ChainStatus>,
    pub(super) sekis: Vec<Seki>,
    pub(super) points_in_seki: [u32; 2],
    /// What taking dead chains off adds to the margin.
    pub(super) dead_margin: i32,
    pub(super) shapes: Vec<FoundShape>,
}

impl FinalStatusSolver {
    /// A judge for these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let Rules { suicide, ko, .. } = rules;
        Self { suicide, ko, judge: StatusSolver::new(suicide, ko) }
    }

    /// Whether it judges under these rules.
    pub(crate) fn is_for(&self, rules: Rules) -> bool {
        (self.suicide, self.ko) == (rules.suicide, rules.ko)
    }

    /// Judges all chains of a position. Where unconditional life is plain to see, as in nearly all finals of playouts, nothing else is asked.
    #[inline]
    pub fn judge<const W: usize>(&mut self, position: &Position<W>) -> FinalStatus {
        FinalStatus::new(position, self.suicide, |position| self.judge.chains(position))
    }

    /// Judges the last position of a playout: by unconditional life alone where the ply cap cut the game off.
    #[inline]
    pub fn judge_end<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>) -> FinalStatus {
        if record.is_capped() { self.judge_by_benson(position) } else { self.judge(position) }
    }

    /// Asks unconditional life alone: for positions in the midst of a game, which nobody can search through.
    #[inline]
    pub fn judge_by_benson<const W: usize>(&self, position: &Position<W>) -> FinalStatus {
        FinalStatus::new(position, self.suicide, |position| position.chains_by_benson(self.suicide))
    }
}

impl FinalStatus {
    #[inline]
    fn new<const W: usize>(
        position: &Position<W>,
        suicide: Suicide,
        judge: impl FnOnce(&Position<W>) -> Vec<ChainStatus>,
    ) -> Self {
        let life = position.life_counts(suicide);
        let is_plain = life.iter().all(|side| side.alive_stones == side.stones);
        let open = if is_plain { None } else { Some(Box::new(Open::of(position, judge(position)))) };
        Self { life, open }
    }

    /// Whether a chain has this status.
    #[must_use]
    pub fn has(&self, status: Status) -> bool {
        match &self.open {
            Some(open) => open.chains.iter().any(|chain| chain.status == status),
            None => status == Status::Alive && self.life.iter().any(|side| side.chains > 0),
        }
    }

    /// The chains, unless all of them are plainly unconditionally alive.
    #[must_use]
    pub fn open_chains(&self) -> Option<&[ChainStatus]> {
        self.open.as_ref().map(|open| open.chains.as_slice())
    }
}

impl Open {
    fn of<const W: usize>(position: &Position<W>, chains: Vec<ChainStatus>) -> Self {
        let has = |status| chains.iter().any(|chain| chain.status == status);
        let (has_seki, has_dead) = (has(Status::Seki), has(Status::Dead));
        let sekis = position.sekis(&chains);
        Self {
            points_in_seki: if has_seki { position.points_in_seki(&chains) } else { [0; 2] },
            dead_margin: if has_dead { position.margin_of_dead(&chains) } else { 0 },
            shapes: if has_seki || has_dead {
                FoundShape::all(position, &chains, &sekis)
            } else {
                Vec::new()
            },
            sekis,
            chains,
        }
    }
}
