//! Seki: tells it from life, and from death where the capture does not pay. The definitions are in `docs/status.md`.

use super::{
    LocalChain, PartSearch,
    goal::{Exchange, Goal, GoalKind},
    local_board::{Points, WordBoard},
};
use crate::life::Status;

/// Replaces the statuses of chains by what they are with regard to seki.
pub(super) fn find(part: &mut PartSearch<'_>, chains: &mut [LocalChain]) {
    let mut solver = SekiSolver {
        beside: beside(part, chains),
        life: vec![Life::NotAsked; chains.len()],
        is_held: vec![Some(false); chains.len()],
        part,
        chains,
    };
    solver.find_stuck();
    solver.find_held();
    let statuses: Vec<Status> = (0..solver.chains.len()).map(|chain| solver.status(chain)).collect();
    for (chain, status) in chains.iter_mut().zip(statuses) {
        chain.status = status;
    }
}

/// Returns for each chain those of the opponent that touch it or share a liberty with it.
fn beside(part: &PartSearch<'_>, chains: &[LocalChain]) -> Vec<Vec<usize>> {
    let (board, empty) = (part.board, part.board.empty(part.stones));
    let of_chain = |one: &LocalChain| {
        let near = board.adjacent(one.stones);
        let around = near | board.adjacent(near & empty);
        let others = chains.iter().enumerate();
        let beside = others.filter(|(_, other)| other.color != one.color && around & other.stones != 0);
        beside.map(|(number, _)| number).collect()
    };
    chains.iter().map(of_chain).collect()
}

/// Whether a chain can be made unconditionally alive if its owner moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    NotAsked,
    Possible,
    Impossible,
    Unknown,
}

/// What has been found about the chains, by their indices.
struct SekiSolver<'a, 'b> {
    part: &'a mut PartSearch<'b>,
    chains: &'a [LocalChain],
    beside: Vec<Vec<usize>>,
    life: Vec<Life>,
    /// Whether the chain is in seki by loss: it is not saved, but costs at least as much as it gains. `None` if this is unknown.
    is_held: Vec<Option<bool>>,
}

impl SekiSolver<'_, '_> {
    fn is_unsaved(&self, chain: usize) -> bool {
        matches!(self.chains[chain].status, Status::Dead | Status::Unsettled | Status::Ko)
    }

    /// Returns whether a chain puts one beside it into seki, if that is solved: it is stuck, or in seki by loss.
    fn is_hostage(&self, chain: usize) -> Option<bool> {
        match (self.chains[chain].status, self.life[chain]) {
            (Status::Unknown, _) | (Status::Alive, Life::NotAsked | Life::Unknown) => None,
            (Status::Alive, Life::Possible) => Some(false),
            (Status::Alive, Life::Impossible) => Some(true),
            _ => self.is_held[chain],
        }
    }

    /// Returns the chains beside one that may be hostages, if they have at least as many stones.
    fn hostages(&self, chain: usize) -> Option<Vec<usize>> {
        let beside = self.beside[chain].iter().copied();
        let hostages: Vec<usize> = beside.filter(|&other| self.is_hostage(other) != Some(false)).collect();
        let is_enough = self.stones(&hostages).count_ones() >= self.chains[chain].stones.count_ones();
        is_enough.then_some(hostages)
    }

    fn stones(&self, chains: &[usize]) -> Points {
        chains.iter().fold(0, |all, &chain| all | self.chains[chain].stones)
    }

    /// Finds which chains are stuck, of those that are alive beside one that is or may be.
    fn find_stuck(&mut self) {
        let may_live = |status| matches!(status, Status::Alive | Status::Unknown);
        for chain in 0..self.chains.len() {
            let mut beside = self.beside[chain].iter();
            let is_alive = self.chains[chain].status == Status::Alive;
            if is_alive && beside.any(|&other| may_live(self.chains[other].status)) {
                self.ask_life(chain);
            }
        }
    }

    fn ask_life(&mut self, chain: usize) {
        if self.life[chain] == Life::NotAsked {
            self.life[chain] = match self.chains[chain].status {
                Status::Dead => Life::Impossible,
                Status::Unknown => Life::Unknown,
                _ => match self.is_reached(chain, GoalKind::Life) {
                    Some(true) => Life::Possible,
                    Some(false) => Life::Impossible,
                    None => Life::Unknown,
                },
            };
        }
    }

    /// Finds which of the chains that are not saved are in seki by loss. Each of them may be a hostage for others.
    fn find_held(&mut self) {
        // The hostages that each chain was last asked about with.
        let mut asked: Vec<Vec<usize>> = vec![Vec::new(); self.chains.len()];
        loop {
            let mut is_new = false;
            for (chain, asked) in asked.iter_mut().enumerate() {
                if !self.is_unsaved(chain) || self.is_held[chain] != Some(false) {
                    continue;
                }
                let Some(possible) = self.hostages(chain) else { continue };
                possible.into_iter().chain([chain]).for_each(|asked| self.ask_life(asked));
                let hostages = self.hostages(chain).filter(|hostages| hostages != asked);
                if let Some(hostages) = hostages.filter(|_| self.life[chain] != Life::Possible) {
                    self.is_held[chain] = self.costs_enough(chain, &hostages);
                    is_new |= self.is_held[chain] != Some(false);
                    *asked = hostages;
                }
            }
            if !is_new {
                return;
            }
        }
    }

    /// Returns whether the capture of a chain costs at least as many of these hostages as it gains stakes, if that is solved.
    fn costs_enough(&mut self, chain: usize, hostages: &[usize]) -> Option<bool> {
        let stakes = self.beside[chain].iter().flat_map(|&other| &self.beside[other]).copied();
        let stakes = self.stones(&stakes.collect::<Vec<_>>());
        let exchange = Exchange { stakes, hostages: self.stones(hostages) };
        let is_held = !self.is_reached(chain, GoalKind::Exchange(exchange))?;
        let is_certain = self.life[chain] == Life::Impossible
            && hostages.iter().all(|&other| self.is_hostage(other) == Some(true));
        // Fewer hostages would cost no more.
        (is_certain || !is_held).then_some(is_held)
    }

    /// Returns whether the attacker reaches a goal about a chain, moving first, if that is solved.
    fn is_reached(&mut self, chain: usize, kind: GoalKind) -> Option<bool> {
        let LocalChain { color, stones, .. } = self.chains[chain];
        let goal = Goal { kind, color, point: stones.trailing_zeros() as usize };
        self.part.is_reached(goal)
    }

    fn status(&self, chain: usize) -> Status {
        let status = self.chains[chain].status;
        if self.is_unsaved(chain) {
            return match self.is_held[chain] {
                Some(true) => Status::Seki,
                Some(false) => status,
                None => Status::Unknown,
            };
        }
        if status == Status::Unknown || self.life[chain] == Life::Possible {
            return status;
        }
        let is_beside = |hostage| self.beside[chain].iter().any(|&other| self.is_hostage(other) == hostage);
        match (is_beside(Some(true)), is_beside(None)) {
            (true, _) if self.life[chain] == Life::Impossible => Status::Seki,
            (false, false) => Status::Alive,
            _ => Status::Unknown,
        }
    }
}
