//! Local games: a part of the board whose border is unconditionally alive, so that what happens there depends on nothing else.
//!
//! At most 64 points, numbered as the part lists them; sets of them are words.

mod answers;
mod cache;
mod canonical;
mod eyes;
#[cfg(test)]
mod eyes_tests;
mod graph;
mod holding;
mod judge;
mod line;
mod look;
mod play;
mod quest;
mod safety;
mod search;
mod seki;
mod state;
mod zone;

pub(super) use cache::LocalCache;
pub(super) use canonical::{Part, PartPoint};
pub(super) use quest::Goal;
pub(super) use zone::{Answers, Zone, ZonePly};

use crate::{Color, Suicide};

/// A set of points of the part.
type Points = u64;

/// The stones of Black and White in the part.
type Stones = [Points; 2];

/// What does not change in a local game.
#[derive(Clone, Debug)]
struct Terrain {
    suicide: Suicide,
    all: Points,
    /// The neighbours of each point inside the part.
    near: Vec<Points>,
    /// The points beside unconditionally alive stones of Black and White.
    beside: [Points; 2],
}

impl Terrain {
    fn points(set: Points) -> impl Iterator<Item = usize> {
        let mut rest = set;
        std::iter::from_fn(move || {
            let point = rest.trailing_zeros() as usize;
            (rest != 0).then(|| rest &= rest - 1)?;
            Some(point)
        })
    }

    /// The points with a neighbour in `set`.
    fn adjacent(&self, set: Points) -> Points {
        Self::points(set).fold(0, |near, point| near | self.near[point])
    }

    /// What is connected to `seed` inside `of`.
    fn connected(&self, of: Points, seed: Points) -> Points {
        let (mut found, mut fresh) = (seed & of, seed & of);
        while fresh != 0 {
            fresh = self.adjacent(fresh) & of & !found;
            found |= fresh;
        }
        found
    }

    /// The connected parts of a set.
    fn parts(&self, set: Points) -> impl Iterator<Item = Points> {
        let mut rest = set;
        std::iter::from_fn(move || {
            let first = rest & rest.wrapping_neg();
            (first != 0).then(|| {
                let part = self.connected(rest, first);
                rest &= !part;
                part
            })
        })
    }

    fn empty(&self, stones: Stones) -> Points {
        self.all & !stones[0] & !stones[1]
    }

    /// Whether a chain is connected to unconditionally alive stones of its colour outside.
    fn is_anchored(&self, color: Color, chain: Points) -> bool {
        chain & self.beside[color.index()] != 0
    }
}
