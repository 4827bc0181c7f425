//! What a search is about.

use super::{Stones, Terrain};
use crate::Color;

/// What the hunter wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// The removal of the opponent's chain.
    Capture,
    /// Unconditional life for his own chain.
    Life,
}

/// A question about the chain on a point: does the *hunter* get what he wants, although the other player prevents it as he can?
///
/// The hunter never needs to pass: whatever he gains after a pass he gains without it, as the other player may pass as well.
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
            Goal::Capture => self.owner.opponent(),
            Goal::Life => self.owner,
        }
    }

    /// The answer that is plain to see.
    ///
    /// A chain beside an empty point that touches unconditionally alive stones of its colour can be connected to them by one move; beside two
    /// such points it can be connected whatever the opponent does.
    pub(super) fn end(&self, terrain: &Terrain, stones: Stones, to_move: Color) -> Option<End> {
        let Self { goal, owner, point } = *self;
        let (lives, is_lost) = match goal {
            Goal::Capture => (End::Prevented, End::Reached),
            Goal::Life => (End::Reached, End::Prevented),
        };
        if stones[owner.index()] >> point & 1 == 0 {
            return Some(is_lost);
        }
        let chain = terrain.connected(stones[owner.index()], 1 << point);
        let liberties = terrain.adjacent(chain) & terrain.empty(stones);
        let is_in_atari = liberties.is_power_of_two() && !terrain.is_anchored(owner, chain);
        if goal == Goal::Capture && to_move != owner && is_in_atari {
            return Some(is_lost);
        }
        let connections = liberties & terrain.beside[owner.index()];
        let needed = if to_move == owner { 1 } else { 2 };
        let is_alive =
            connections.count_ones() >= needed || terrain.are_unconditionally_alive(stones, owner, chain);
        is_alive.then_some(lives)
    }

    /// About how many moves of the hunter it takes.
    pub(super) fn distance(&self, terrain: &Terrain, stones: Stones) -> u32 {
        match self.goal {
            Goal::Capture => {
                let chain = terrain.connected(stones[self.owner.index()], 1 << self.point);
                (terrain.adjacent(chain) & terrain.empty(stones)).count_ones()
            }
            Goal::Life => 1,
        }
    }
}
