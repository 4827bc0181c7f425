//! What a search is about.

use super::{Points, Stones, Terrain};
use crate::Color;

/// What the hunter wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// The removal of the opponent's chain.
    Capture,
    /// The same, with more of the stakes captured in the end than of the hostages.
    Profit(Exchange),
    /// Unconditional life for his own chain.
    Life,
}

/// The stones that count when a chain is captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Exchange {
    /// Those of the chain's owner, the chain among them.
    pub(super) stakes: Points,
    /// Those of the hunter.
    pub(super) hostages: Points,
}

/// A question about the chain on a point: does the *hunter* get what he wants, although the other player prevents it as he can?
///
/// One of the two is content if nothing more happens: he alone needs to pass. Whatever the other one gains after a pass he gains without it,
/// as the first may pass as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quest {
    pub(super) goal: Goal,
    /// The colour of the chain.
    pub(super) owner: Color,
    /// A point of the chain.
    pub(super) point: usize,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Reached,
    Prevented,
}

impl Quest {
    pub(super) fn hunter(&self) -> Color {
        match self.goal {
            Goal::Capture | Goal::Profit(_) => self.owner.opponent(),
            Goal::Life => self.owner,
        }
    }

    /// Who is content if nothing more happens once these stones are gone.
    pub(super) fn waiting(&self, gone: Points) -> Color {
        match self.goal {
            Goal::Profit(exchange) if self.is_captured(gone) && exchange.balance(gone) < 0 => self.hunter(),
            _ => self.hunter().opponent(),
        }
    }

    /// Which of the stones that count are gone: those that were before, and those that are not among `stones`.
    pub(super) fn gone(&self, before: Points, stones: Stones) -> Points {
        match self.goal {
            Goal::Profit(Exchange { stakes, hostages }) => {
                let (own, other) = (self.owner.index(), self.owner.opponent().index());
                before | stakes & !stones[own] | hostages & !stones[other]
            }
            Goal::Capture | Goal::Life => 0,
        }
    }

    fn is_captured(&self, gone: Points) -> bool {
        gone >> self.point & 1 != 0
    }

    /// The answer that is plain to see, when these stones are gone.
    pub(super) fn end(&self, terrain: &Terrain, stones: Stones, to_move: Color, gone: Points) -> Option<End> {
        if let Goal::Profit(exchange) = self.goal {
            return self.end_of_exchange(exchange, terrain, stones, to_move, gone);
        }
        let (owner, point) = (self.owner, self.point);
        let (lives, is_lost) = match self.goal {
            Goal::Life => (End::Reached, End::Prevented),
            Goal::Capture | Goal::Profit(_) => (End::Prevented, End::Reached),
        };
        if stones[owner.index()] >> point & 1 == 0 {
            return Some(is_lost);
        }
        let chain = terrain.connected(stones[owner.index()], 1 << point);
        let liberties = terrain.adjacent(chain) & terrain.empty(stones);
        let is_in_atari = liberties.is_power_of_two() && !terrain.is_anchored(owner, chain);
        if self.goal == Goal::Capture && to_move != owner && is_in_atari {
            return Some(is_lost);
        }
        self.is_safe(terrain, stones, to_move).then_some(lives)
    }

    /// Whether the chain plainly cannot be captured.
    ///
    /// A chain beside an empty point that touches unconditionally alive stones of its colour can be connected to them by one move; beside two
    /// such points it can be connected whatever the opponent does.
    fn is_safe(&self, terrain: &Terrain, stones: Stones, to_move: Color) -> bool {
        let owner = self.owner;
        let chain = terrain.connected(stones[owner.index()], 1 << self.point);
        let connections = terrain.adjacent(chain) & terrain.empty(stones) & terrain.beside[owner.index()];
        let needed = if to_move == owner { 1 } else { 2 };
        connections.count_ones() >= needed || terrain.are_unconditionally_alive(stones, owner, chain)
    }

    fn end_of_exchange(
        &self,
        exchange: Exchange,
        terrain: &Terrain,
        stones: Stones,
        to_move: Color,
        gone: Points,
    ) -> Option<End> {
        let Exchange { stakes, hostages } = exchange;
        let is_captured = self.is_captured(gone);
        if !is_captured && self.is_safe(terrain, stones, to_move) {
            return Some(End::Prevented);
        }
        let balance = exchange.balance(gone);
        let at_risk = |color, counted: Points| terrain.at_risk(stones, color, counted & !gone);
        if is_captured && balance < 0 && balance + at_risk(self.hunter(), hostages) < 0 {
            return Some(End::Reached);
        }
        (balance >= at_risk(self.owner, stakes)).then_some(End::Prevented)
    }

    /// About how many moves of the hunter it takes.
    pub(super) fn distance(&self, terrain: &Terrain, stones: Stones) -> u32 {
        match self.goal {
            Goal::Capture | Goal::Profit(_) => {
                let chain = terrain.connected(stones[self.owner.index()], 1 << self.point);
                (terrain.adjacent(chain) & terrain.empty(stones)).count_ones().max(1)
            }
            Goal::Life => 1,
        }
    }
}

impl Exchange {
    /// How many more stones the hunter has lost than the owner.
    fn balance(self, gone: Points) -> i32 {
        let count = |counted: Points| (gone & counted).count_ones() as i32;
        count(self.hostages) - count(self.stakes)
    }
}

impl Terrain {
    /// How many of these stones are not unconditionally alive.
    fn at_risk(&self, stones: Stones, color: Color, counted: Points) -> i32 {
        let chains = self.parts(stones[color.index()]).filter(|chain| chain & counted != 0);
        let risked = chains.filter(|&chain| !self.are_unconditionally_alive(stones, color, chain));
        risked.fold(0, |sum, chain| sum + (chain & counted).count_ones() as i32)
    }
}
