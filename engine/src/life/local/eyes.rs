//! Eye values: how many eyes a closed eye space is worth to the chain around it, whoever moves first in it.
//!
//! The owner plays beside his chain only, so his stones belong to it at once; he may pass. He has an eye for certain where all empty points left in a part are
//! liberties of the chain: whatever the opponent plays there, the last of them is suicide. Moves of the owner split the space, and the values of the parts add up:
//! of two parts worth an eye to whoever moves first, he gets one.
//!
//! The values are lower bounds: what the owner could gain by stones apart from the chain does not count.
//!
//! # Source
//! Howard A. Landman, *Eyespace values in Go*, Games of No Chance, MSRI Publications 29 (1996).

use super::{Points, Terrain, state::Table};
use crate::Suicide;

/// A closed set of points without stones of the owner, all stones of his beside it being one chain or as good as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EyeSpace {
    pub(super) points: Points,
    /// The stones of the opponent.
    pub(super) others: Points,
    /// The points beside the chain.
    pub(super) near: Points,
}

/// Eyes that the owner gets, two at most, if the opponent moves first and if he does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EyeValue {
    pub(super) second: u32,
    pub(super) first: u32,
}

/// Eye values that are known; `None` while they are looked for.
pub(super) type EyeTable = Table<EyeSpace, Option<EyeValue>>;

/// The values of spaces that are played in independently.
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

impl Terrain {
    /// Points of a space, at most, whose value is found out.
    pub(super) const MAX_EYE_POINTS: u32 = 7;

    /// What an eye space is worth.
    pub(super) fn eye_value(&self, space: EyeSpace, table: &mut EyeTable) -> EyeValue {
        match table.get(&space) {
            Some(&Some(value)) => return value,
            // Suicide may lead back to a space. Then it is worth nothing on this line.
            Some(None) => return EyeValue::default(),
            None => {}
        }
        let liberties = space.near & space.points & !space.others;
        if liberties == 0 {
            return EyeValue::default();
        }
        table.insert(space, None);
        let sure = u32::from(self.is_eye(space));
        let first = self.as_first(space, sure, table);
        // By its last liberty a chain without an eye elsewhere is captured.
        let most = if liberties.is_power_of_two() { 1 } else { 2 };
        // The opponent may pass: in a seki who moves first loses.
        let second = self.as_second(space, sure, first.min(most), table);
        let value = EyeValue { second, first };
        table.insert(space, Some(value));
        value
    }

    /// Whether all that matters is beside the chain, so that it is an eye without further moves.
    fn is_eye(&self, space: EyeSpace) -> bool {
        let must_touch = match self.suicide {
            Suicide::Forbidden => space.points & !space.others,
            Suicide::Allowed => space.points,
        };
        must_touch & !space.near == 0
    }

    /// The eyes with the opponent to move: between `least` and `most`, as is known.
    fn as_second(&self, space: EyeSpace, least: u32, most: u32, table: &mut EyeTable) -> u32 {
        let mut eyes = most;
        for point in Self::points(space.points & !space.others) {
            if eyes <= least {
                break;
            }
            if let Some(after) = self.with_stranger(space, point) {
                let sure = u32::from(self.is_eye(after));
                eyes = eyes.min(self.as_first(after, sure, table));
            }
        }
        eyes.max(least)
    }

    /// The eyes with the owner to move, who has `least` if he passes.
    fn as_first(&self, space: EyeSpace, least: u32, table: &mut EyeTable) -> u32 {
        let mut eyes = least;
        for point in Self::points(space.points & !space.others & space.near) {
            if eyes == 2 {
                break;
            }
            eyes = eyes.max(self.with_own(space, point, table).second);
        }
        eyes
    }

    /// The space after a move of the opponent; `None` for suicide that is not allowed.
    fn with_stranger(&self, space: EyeSpace, point: usize) -> Option<EyeSpace> {
        let mut others = space.others | 1 << point;
        let chain = self.connected(others, 1 << point);
        if self.adjacent(chain) & space.points & !others == 0 {
            if self.suicide == Suicide::Forbidden || chain.is_power_of_two() {
                return None;
            }
            others &= !chain;
        }
        Some(EyeSpace { others, ..space })
    }

    /// The value of what is left after a move of the owner.
    fn with_own(&self, space: EyeSpace, point: usize, table: &mut EyeTable) -> EyeValue {
        let points = space.points & !(1 << point);
        let near = (space.near | self.near[point]) & points;
        let mut others = space.others;
        for stone in Self::points(self.near[point] & space.others) {
            let chain = self.connected(space.others, 1 << stone);
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
