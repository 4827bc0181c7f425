//! Eye values: how many eyes a closed eye space is worth to the chain around it, whoever moves first in it.
//!
//! The owner plays only beside his chain, so that each stone belongs to it at once, and may pass. Where all empty points of a space are
//! liberties of the chain it is an eye for certain: the opponent's last move there would be suicide. A move of the owner splits the space,
//! and the values of the pieces add up: of two pieces that are an eye for whoever moves first, the owner gets one.
//!
//! The values are lower bounds: what the owner could gain by stones apart from the chain does not count.
//!
//! # Source
//! Howard A. Landman, *Eyespace values in Go*, Games of No Chance, MSRI Publications 29 (1996).

use super::local_board::{LocalBoard, Points, WordBoard};
use crate::{Suicide, zobrist::MixMap};

/// A closed set of points without stones of the owner, around which all the owner's stones are one chain or as good as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EyeSpace {
    pub(super) points: Points,
    /// The opponent's stones in it.
    pub(super) others: Points,
    /// The points beside the chain.
    pub(super) near: Points,
}

/// The eyes that the owner gets, at most two, if the opponent moves first and if the owner does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EyeValue {
    pub(super) second: u32,
    pub(super) first: u32,
}

/// The eye values found so far, `None` while a value is being computed.
pub(super) type EyeTable = MixMap<EyeSpace, Option<EyeValue>>;

/// The sum of the values of independent spaces.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EyeSum {
    sure: u32,
    /// Eyes for whoever moves first.
    open: u32,
}

impl EyeSum {
    pub(super) fn add(&mut self, value: EyeValue) {
        self.sure += value.second;
        self.open += u32::from(value.first > value.second);
    }

    pub(super) fn value(self) -> EyeValue {
        let Self { sure, open } = self;
        EyeValue { second: (sure + open / 2).min(2), first: (sure + open.div_ceil(2)).min(2) }
    }
}

impl LocalBoard {
    /// Points of the largest spaces that are valued.
    pub(super) const MAX_EYE_POINTS: u32 = 7;

    /// Returns the value of an eye space.
    pub(super) fn eye_value(&self, space: EyeSpace, table: &mut EyeTable) -> EyeValue {
        match table.get(&space) {
            Some(&Some(value)) => return value,
            // Suicide may lead back to a space, which is then worth nothing in this line.
            Some(None) => return EyeValue::default(),
            None => {}
        }
        let liberties = space.near & space.points & !space.others;
        if liberties == 0 {
            return EyeValue::default();
        }
        table.insert(space, None);
        let sure = u32::from(self.is_eye(space));
        let first = self.eyes_moving_first(space, sure, table);
        // A chain without an eye elsewhere is captured by its last liberty.
        let most = if liberties.is_power_of_two() { 1 } else { 2 };
        // The opponent may pass: in a seki, moving first loses.
        let second = self.eyes_moving_second(space, sure, first.min(most), table);
        let value = EyeValue { second, first };
        table.insert(space, Some(value));
        value
    }

    /// Returns whether a space is an eye without further moves: all points that matter are beside the chain.
    fn is_eye(&self, space: EyeSpace) -> bool {
        self.must_touch(space.points, space.others) & !space.near == 0
    }

    /// Returns the eyes with the opponent to move, which are between `least` and `most`.
    fn eyes_moving_second(&self, space: EyeSpace, least: u32, most: u32, table: &mut EyeTable) -> u32 {
        let mut eyes = most;
        for point in Self::points(space.points & !space.others) {
            if eyes <= least {
                break;
            }
            if let Some(after) = self.after_opponent(space, point) {
                let sure = u32::from(self.is_eye(after));
                eyes = eyes.min(self.eyes_moving_first(after, sure, table));
            }
        }
        eyes.max(least)
    }

    /// Returns the eyes with the owner to move, who has `least` by passing.
    fn eyes_moving_first(&self, space: EyeSpace, least: u32, table: &mut EyeTable) -> u32 {
        let mut eyes = least;
        for point in Self::points(space.points & !space.others & space.near) {
            if eyes == 2 {
                break;
            }
            eyes = eyes.max(self.value_after_owner(space, point, table).second);
        }
        eyes
    }

    /// Returns the space after a move of the opponent, or `None` for illegal suicide.
    fn after_opponent(&self, space: EyeSpace, point: usize) -> Option<EyeSpace> {
        let mut others = space.others | 1 << point;
        let chain = self.connected(1 << point, others);
        if self.adjacent(chain) & space.points & !others == 0 {
            if self.suicide == Suicide::Forbidden || chain.is_power_of_two() {
                return None;
            }
            others &= !chain;
        }
        Some(EyeSpace { others, ..space })
    }

    /// Returns the value of what is left after a move of the owner.
    fn value_after_owner(&self, space: EyeSpace, point: usize, table: &mut EyeTable) -> EyeValue {
        let points = space.points & !(1 << point);
        let near = (space.near | self.near(point)) & points;
        let mut others = space.others;
        for stone in Self::points(self.near(point) & space.others) {
            let chain = self.connected(1 << stone, space.others);
            if self.adjacent(chain) & points & !others == 0 {
                others &= !chain;
            }
        }
        let mut sum = EyeSum::default();
        for part in self.parts(points) {
            let space = EyeSpace { points: part, others: others & part, near: near & part };
            sum.add(self.eye_value(space, table));
        }
        sum.value()
    }
}
