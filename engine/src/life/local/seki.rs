//! Seki: chains that neither side can settle, because none gains by going on.

use super::{
    Points, Stones, Terrain,
    judge::{Budget, Judged, is_reached},
    quest::{Exchange, Goal, Quest},
};
use crate::life::Status;

/// Tells seki from life, and from death where the capture does not pay.
pub(super) fn find(terrain: &Terrain, stones: Stones, budget: &mut Budget, chains: &mut [Judged]) {
    let mut found = Seki {
        terrain,
        stones,
        beside: beside(terrain, stones, chains),
        can_live: vec![None; chains.len()],
        is_held: vec![Some(false); chains.len()],
        chains,
    };
    found.find_lives(budget);
    found.find_held(budget);
    let statuses: Vec<Status> = (0..found.chains.len()).map(|chain| found.status(chain)).collect();
    for (chain, status) in chains.iter_mut().zip(statuses) {
        chain.status = status;
    }
}

/// For each chain those of the opponent that touch it or share a liberty with it.
fn beside(terrain: &Terrain, stones: Stones, chains: &[Judged]) -> Vec<Vec<usize>> {
    let empty = terrain.empty(stones);
    let of_chain = |one: &Judged| {
        let near = terrain.adjacent(one.stones);
        let around = near | terrain.adjacent(near & empty);
        let others = chains.iter().enumerate();
        let beside = others.filter(|(_, other)| other.color != one.color && around & other.stones != 0);
        beside.map(|(number, _)| number).collect()
    };
    chains.iter().map(of_chain).collect()
}

/// What is known about the chains, by their numbers.
struct Seki<'a> {
    terrain: &'a Terrain,
    stones: Stones,
    chains: &'a [Judged],
    beside: Vec<Vec<usize>>,
    /// Whether its owner can make it unconditionally alive if he moves next, if that is asked and known.
    can_live: Vec<Option<bool>>,
    /// Whether it is not saved, but costs at least as much as it brings, if that is known.
    is_held: Vec<Option<bool>>,
}

impl Seki<'_> {
    fn is_alive(&self, chain: usize) -> bool {
        self.chains[chain].status == Status::Alive
    }

    fn is_unsaved(&self, chain: usize) -> bool {
        matches!(self.chains[chain].status, Status::Dead | Status::Unsettled | Status::Ko)
    }

    /// The stones of chains.
    fn stones(&self, chains: &[usize]) -> Points {
        chains.iter().fold(0, |all, &chain| all | self.chains[chain].stones)
    }

    /// Whether these chains count as many stones as that one, at least.
    fn outweigh(&self, chains: &[usize], chain: usize) -> bool {
        self.stones(chains).count_ones() >= self.chains[chain].stones.count_ones()
    }

    /// The chains beside one that are alive, as far as is known stuck.
    fn hostages(&self, chain: usize) -> Vec<usize> {
        let beside = self.beside[chain].iter().copied();
        beside.filter(|&other| self.is_alive(other) && self.can_live[other] != Some(true)).collect()
    }

    /// Asks which chains can be made unconditionally alive, of those that may be in seki.
    fn find_lives(&mut self, budget: &mut Budget) {
        let all = 0..self.chains.len();
        let faces_life = |&chain: &usize| {
            self.is_alive(chain) && self.beside[chain].iter().any(|&other| self.is_alive(other))
        };
        let mut asked: Vec<usize> = all.clone().filter(faces_life).collect();
        for chain in all.filter(|&chain| self.is_unsaved(chain)) {
            let hostages = self.hostages(chain);
            if self.outweigh(&hostages, chain) {
                asked.extend(hostages);
                asked.push(chain);
            }
        }
        for chain in asked {
            if self.can_live[chain].is_none() {
                self.can_live[chain] = match self.chains[chain].status {
                    Status::Dead => Some(false),
                    _ => self.is_reached(chain, Goal::Life, budget),
                };
            }
        }
    }

    /// Asks which chains that are not saved are not worth their capture.
    fn find_held(&mut self, budget: &mut Budget) {
        for chain in 0..self.chains.len() {
            if self.is_unsaved(chain) && self.can_live[chain] != Some(true) {
                self.is_held[chain] = self.costs_enough(chain, budget);
            }
        }
    }

    /// Whether the capture of a chain costs at least as much as it brings, if that is known.
    fn costs_enough(&self, chain: usize, budget: &mut Budget) -> Option<bool> {
        let hostages = self.hostages(chain);
        if !self.outweigh(&hostages, chain) {
            return Some(false);
        }
        // The more hostages there are, the more it costs.
        let stakes = self.beside[chain].iter().flat_map(|&other| &self.beside[other]).copied();
        let stakes = self.stones(&stakes.collect::<Vec<_>>());
        let exchange = Exchange { stakes, hostages: self.stones(&hostages) };
        let is_held = !self.is_reached(chain, Goal::Profit(exchange), budget)?;
        let is_certain = hostages.iter().chain([&chain]).all(|&chain| self.can_live[chain] == Some(false));
        (is_certain || !is_held).then_some(is_held)
    }

    /// Whether a goal is reached, if that is known: unconditional life when the chain's owner moves first, profit when his opponent does.
    fn is_reached(&self, chain: usize, goal: Goal, budget: &mut Budget) -> Option<bool> {
        let Judged { color, stones, .. } = self.chains[chain];
        let quest = Quest { goal, owner: color, point: stones.trailing_zeros() as usize };
        is_reached(self.terrain, self.stones, quest, quest.hunter(), budget).ok()
    }

    /// Whether a chain is like one in seki but for its neighbours, if that is known: stuck, and alive or not worth its capture.
    fn is_like_seki(&self, chain: usize) -> Option<bool> {
        if self.is_alive(chain) {
            self.can_live[chain].map(|can_live| !can_live)
        } else {
            self.is_held[chain]
        }
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
        if status == Status::Unknown || self.can_live[chain] == Some(true) {
            return status;
        }
        let opposed: Vec<Option<bool>> =
            self.beside[chain].iter().map(|&other| self.is_like_seki(other)).collect();
        match self.can_live[chain] {
            Some(false) if opposed.contains(&Some(true)) => Status::Seki,
            _ if opposed.iter().any(|other| *other != Some(false)) => Status::Unknown,
            _ => Status::Alive,
        }
    }
}
