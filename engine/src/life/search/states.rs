//! The states of a search, each stored once and known by its number from then on.

use std::ops::Index;

use hashbrown::{HashTable, hash_table::Entry};

use super::local_board::{Points, Stones};
use crate::Color;

/// A state of a search on a local board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) stones: Stones,
    pub(super) to_move: Color,
    /// The point where the player to move may not retake a ko.
    pub(super) ko_ban: Option<u8>,
    /// The stones that a goal counts and that have been captured.
    pub(super) gone: Points,
}

impl State {
    /// Returns the state in which a search begins.
    pub(super) fn new(stones: Stones, to_move: Color) -> Self {
        Self { stones, to_move, ko_ban: None, gone: 0 }
    }

    /// Returns whether one move may lead from this state to another: true for all to which one does, and for few others.
    pub(super) fn may_lead_to(&self, other: &Self) -> bool {
        let (own, opponent) = (self.to_move.index(), self.to_move.opponent().index());
        let played = other.stones[own] & !self.stones[own];
        let appeared = other.stones[opponent] & !self.stones[opponent];
        appeared == 0 && played & played.wrapping_sub(1) == 0 && other.to_move != self.to_move
    }

    /// Hashes by one long multiplication, so that the table is read soon.
    fn hash(&self) -> u64 {
        let [black, white] = self.stones;
        let ban = self.ko_ban.map_or(0, |ban| u64::from(ban) + 1);
        let rest = (ban << 1 | self.to_move.index() as u64) ^ self.gone.rotate_left(8);
        // Odd words without a pattern: the golden ratio and a prime of xxHash.
        let [one, other] =
            [black ^ rest.rotate_left(32) ^ 0x9e37_79b9_7f4a_7c15, white ^ 0xc2b2_ae3d_27d4_eb4f];
        let product = u128::from(one) * u128::from(other);
        product as u64 ^ (product >> 64) as u64
    }
}

/// A set of states, numbered in the order in which they were added. Each takes 32 bytes and its share of the table of numbers, which is at most 12.
#[derive(Debug, Default)]
pub(super) struct States {
    states: Vec<State>,
    numbers: HashTable<u32>,
}

impl States {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the states added after the first `count`.
    pub(super) fn since(&self, count: usize) -> &[State] {
        &self.states[count..]
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.states[..]) + self.numbers.allocation_size()
    }

    /// Returns the number of a state, if it has been added.
    pub(super) fn find(&self, state: &State) -> Option<usize> {
        let number = self.numbers.find(state.hash(), |&number| self[number as usize] == *state)?;
        Some(*number as usize)
    }

    /// Returns the number of a state, which it adds if it is new.
    pub(super) fn add(&mut self, state: State) -> usize {
        let Self { states, numbers } = self;
        let is_state = |&number: &u32| states[number as usize] == state;
        match numbers.entry(state.hash(), is_state, |&number| states[number as usize].hash()) {
            Entry::Occupied(number) => *number.get() as usize,
            Entry::Vacant(place) => {
                let number = states.len();
                place.insert(u32::try_from(number).expect("fewer than four billion states"));
                states.push(state);
                number
            }
        }
    }
}

impl Index<usize> for States {
    type Output = State;

    fn index(&self, number: usize) -> &State {
        &self.states[number]
    }
}
