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
        life: vec![Life::NotAsked; chains.len()],
        is_held: vec![Some(false); chains.len()],
        chains,
    };
    found.find_stuck(budget);
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

/// Whether a chain can be made unconditionally alive if its owner moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    NotAsked,
    Reached,
    Prevented,
    Unknown,
}

/// What is known about the chains, by their numbers.
struct Seki<'a> {
    terrain: &'a Terrain,
    stones: Stones,
    chains: &'a [Judged],
    beside: Vec<Vec<usize>>,
    life: Vec<Life>,
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

    /// Whether a chain is in seki if one beside it is, as far as is known: alive and stuck, or not worth its capture.
    fn is_hostage(&self, chain: usize) -> Option<bool> {
        match (self.chains[chain].status, self.life[chain]) {
            (Status::Unknown, _) | (Status::Alive, Life::NotAsked | Life::Unknown) => None,
            (Status::Alive, Life::Reached) => Some(false),
            (Status::Alive, Life::Prevented) => Some(true),
            _ => self.is_held[chain],
        }
    }

    /// The chains beside one that may be hostages, if they count as many stones, at least.
    fn hostages(&self, chain: usize) -> Option<Vec<usize>> {
        let beside = self.beside[chain].iter().copied();
        let hostages: Vec<usize> = beside.filter(|&other| self.is_hostage(other) != Some(false)).collect();
        let count = |stones: Points| stones.count_ones();
        (count(self.stones(&hostages)) >= count(self.chains[chain].stones)).then_some(hostages)
    }

    /// The stones of chains.
    fn stones(&self, chains: &[usize]) -> Points {
        chains.iter().fold(0, |all, &chain| all | self.chains[chain].stones)
    }

    /// Asks which chains are stuck, of those that are alive beside one that is, or may be.
    fn find_stuck(&mut self, budget: &mut Budget) {
        let may_live = |status| matches!(status, Status::Alive | Status::Unknown);
        for chain in 0..self.chains.len() {
            let mut beside = self.beside[chain].iter();
            if self.is_alive(chain) && beside.any(|&other| may_live(self.chains[other].status)) {
                self.ask_life(chain, budget);
            }
        }
    }

    fn ask_life(&mut self, chain: usize, budget: &mut Budget) {
        if self.life[chain] == Life::NotAsked {
            self.life[chain] = match self.chains[chain].status {
                Status::Dead => Life::Prevented,
                Status::Unknown => Life::Unknown,
                _ => match self.is_reached(chain, Goal::Life, budget) {
                    Some(true) => Life::Reached,
                    Some(false) => Life::Prevented,
                    None => Life::Unknown,
                },
            };
        }
    }

    /// Asks which chains that are not saved are not worth their capture. Each of them may be a hostage for others.
    fn find_held(&mut self, budget: &mut Budget) {
        // For each chain the hostages with which it was asked about.
        let mut asked: Vec<Vec<usize>> = vec![Vec::new(); self.chains.len()];
        loop {
            let mut is_new = false;
            for (chain, asked) in asked.iter_mut().enumerate() {
                if !self.is_unsaved(chain) || self.is_held[chain] != Some(false) {
                    continue;
                }
                let Some(possible) = self.hostages(chain) else { continue };
                possible.into_iter().chain([chain]).for_each(|asked| self.ask_life(asked, budget));
                let hostages = self.hostages(chain).filter(|hostages| hostages != asked);
                if let Some(hostages) = hostages.filter(|_| self.life[chain] != Life::Reached) {
                    self.is_held[chain] = self.costs_enough(chain, &hostages, budget);
                    is_new |= self.is_held[chain] != Some(false);
                    *asked = hostages;
                }
            }
            if !is_new {
                return;
            }
        }
    }

    /// Whether the capture of a chain costs at least as much of these hostages as it brings, if that is known.
    fn costs_enough(&self, chain: usize, hostages: &[usize], budget: &mut Budget) -> Option<bool> {
        let stakes = self.beside[chain].iter().flat_map(|&other| &self.beside[other]).copied();
        let stakes = self.stones(&stakes.collect::<Vec<_>>());
        let exchange = Exchange { stakes, hostages: self.stones(hostages) };
        let is_held = !self.is_reached(chain, Goal::Profit(exchange), budget)?;
        let is_certain = self.life[chain] == Life::Prevented
            && hostages.iter().all(|&other| self.is_hostage(other) == Some(true));
        // Fewer hostages would cost no more.
        (is_certain || !is_held).then_some(is_held)
    }

    /// Whether a goal is reached, if that is known: unconditional life when the chain's owner moves first, profit when his opponent does.
    fn is_reached(&self, chain: usize, goal: Goal, budget: &mut Budget) -> Option<bool> {
        let Judged { color, stones, .. } = self.chains[chain];
        let quest = Quest { goal, owner: color, point: stones.trailing_zeros() as usize };
        is_reached(self.terrain, self.stones, quest, quest.hunter(), budget).ok()
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
        if status == Status::Unknown || self.life[chain] == Life::Reached {
            return status;
        }
        let is_opposed = |known| self.beside[chain].iter().any(|&other| self.is_hostage(other) == known);
        match (is_opposed(Some(true)), is_opposed(None)) {
            (true, _) if self.life[chain] == Life::Prevented => Status::Seki,
            (false, false) => Status::Alive,
            _ => Status::Unknown,
        }
    }
}
