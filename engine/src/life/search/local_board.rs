//! The board on which searches play: a few points of the real board, and what lies beside them.
//!
//! A local board has at most 64 points, numbered by whoever makes it, so that a set of points is one machine word.

pub(in crate::life) use crate::word_set::{Points, Stones, WordBoard};
use crate::{Color, Suicide, word_set::bits};

/// The points of a local board and their neighbours: all that stays the same during play.
#[derive(Clone, Debug)]
pub(in crate::life) struct LocalBoard {
    pub(super) suicide: Suicide,
    pub(super) all: Points,
    /// The neighbours of each point on this board.
    near: [Points; Points::BITS as usize],
    /// The points beside stones of Black and of White outside that are never captured.
    pub(super) beside_safe: [Points; 2],
}

/// A chain, and the points beside it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chain {
    pub(super) stones: Points,
    pub(super) near: Points,
}

/// The stones after a move, and the ko that it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) stones: Stones,
    /// The point where retaking at once would restore the position before the move.
    pub(super) ko: Option<usize>,
}

impl WordBoard for LocalBoard {
    fn adjacent(&self, set: Points) -> Points {
        Self::points(set).fold(0, |near, point| near | self.near(point))
    }
}

impl LocalBoard {
    /// Points that a local board can have.
    pub(in crate::life) const MAX_POINTS: usize = Points::BITS as usize;

    /// Makes a board from the neighbours of each of its points, and the points beside safe stones of Black and of White outside.
    pub(in crate::life) fn new(suicide: Suicide, neighbours: &[Points], beside_safe: [Points; 2]) -> Self {
        let all = Points::MAX >> (Self::MAX_POINTS - neighbours.len());
        let mut near = [0; Self::MAX_POINTS];
        near[..neighbours.len()].copy_from_slice(neighbours);
        Self { suicide, all, near, beside_safe }
    }

    /// Returns the neighbours of a point on this board.
    pub(super) fn near(&self, point: usize) -> Points {
        self.near[point % Self::MAX_POINTS]
    }

    pub(in crate::life) fn points(set: Points) -> impl Iterator<Item = usize> {
        bits(set).map(usize::from)
    }

    pub(super) fn empty(&self, stones: Stones) -> Points {
        self.all & !stones[0] & !stones[1]
    }

    /// Returns whether a chain is connected to safe stones of its colour outside.
    pub(super) fn is_anchored(&self, color: Color, chain: Points) -> bool {
        chain & self.beside_safe[color.index()] != 0
    }

    /// Plays a stone on an empty point, whatever ko forbids. Returns `None` for illegal suicide.
    ///
    /// The suicide of a single stone changes nothing and is never legal.
    pub(super) fn play(&self, stones: Stones, color: Color, point: usize) -> Option<Played> {
        let (own, other) = (color.index(), color.opponent().index());
        let near = self.near(point);
        let mut after = stones;
        after[own] |= 1 << point;
        let mut removed: Points = 0;
        for neighbour in Self::points(near & stones[other]) {
            let has_liberty = self.near(neighbour) & self.empty(after) != 0;
            if !has_liberty && removed >> neighbour & 1 == 0 {
                let chain = self.connected(1 << neighbour, stones[other]);
                if self.has_no_liberty(after, color.opponent(), chain) {
                    removed |= chain;
                }
            }
        }
        after[other] &= !removed;
        let liberties = near & self.empty(after);
        if liberties == 0 {
            let chain = self.connected(1 << point, after[own]);
            if self.has_no_liberty(after, color, chain) {
                if self.suicide == Suicide::Forbidden || chain.is_power_of_two() {
                    return None;
                }
                after[own] &= !chain;
            }
        }
        let is_alone = near & after[own] == 0 && !self.is_anchored(color, 1 << point);
        let is_ko = removed.is_power_of_two() && is_alone && liberties == removed;
        Some(Played { stones: after, ko: is_ko.then(|| removed.trailing_zeros() as usize) })
    }

    /// Lists the moves of a colour and what they lead to, whatever ko forbids.
    pub(super) fn moves(&self, stones: Stones, color: Color) -> impl Iterator<Item = (usize, Played)> {
        let points = Self::points(self.empty(stones));
        points.filter_map(move |point| Some((point, self.play(stones, color, point)?)))
    }

    fn has_no_liberty(&self, stones: Stones, color: Color, chain: Points) -> bool {
        !self.is_anchored(color, chain) && self.adjacent(chain) & self.empty(stones) == 0
    }

    /// Returns the chain of a colour on a point, or the empty set where there is none. `known` is a chain in a similar position: where it is also one
    /// here, it is not searched again.
    pub(super) fn chain(&self, stones: Stones, color: Color, point: usize, known: Chain) -> Chain {
        let own = stones[color.index()];
        if known.stones >> point & 1 != 0 && known.stones & !own == 0 && known.near & own == 0 {
            return known;
        }
        self.with_near(self.connected(1 << point, own))
    }

    /// Lists the chains of a colour.
    pub(super) fn chains(&self, stones: Stones, color: Color) -> impl Iterator<Item = Chain> {
        self.parts(stones[color.index()]).map(|chain| self.with_near(chain))
    }

    pub(super) fn with_near(&self, chain: Points) -> Chain {
        Chain { stones: chain, near: self.adjacent(chain) & !chain }
    }

    /// Returns whether a chain of `color` is [unconditionally alive](crate::Position::unconditional_life).
    ///
    /// Regions beside safe stones of the opponent continue outside and are vital to no chain; safe stones of `color` enclose regions as
    /// living chains do.
    pub(super) fn is_unconditionally_alive(&self, stones: Stones, color: Color, chain: Chain) -> bool {
        let (mut left, mut open) = (stones, self.beside_safe[color.opponent().index()]);
        if self.is_anchored(color, chain.stones) {
            return true;
        }
        // Most chains have no two vital regions, whoever encloses them.
        if !self.has_two_vital_regions(stones, color, chain, open) {
            return false;
        }
        loop {
            let is_lost = |other: &Chain| {
                !self.is_anchored(color, other.stones)
                    && !self.has_two_vital_regions(stones, color, *other, open)
            };
            let lost = self.chains(left, color).filter(is_lost);
            let [lost, beside] =
                lost.fold([0; 2], |[all, beside], other| [all | other.stones, beside | other.near]);
            if lost == 0 || lost & chain.stones != 0 {
                return lost == 0;
            }
            left[color.index()] &= !lost;
            open |= beside;
        }
    }

    /// Returns whether at least two regions without `open` points are vital to a chain of `color`.
    fn has_two_vital_regions(&self, stones: Stones, color: Color, chain: Chain, open: Points) -> bool {
        let [own, others] = [color, color.opponent()].map(|color| stones[color.index()]);
        let (outside, near) = (self.all & !own, chain.near);
        let has_two = |points: Points| points & points.wrapping_sub(1) != 0;
        // Every vital region has a liberty of the chain.
        if !has_two(near & !others) {
            return false;
        }
        let mut beyond = outside & open | self.must_touch(outside, others) & !near;
        let mut fresh = beyond;
        while fresh != 0 && has_two(near & !beyond) {
            fresh = self.adjacent(fresh) & outside & !beyond;
            beyond |= fresh;
        }
        let vital = near & !beyond;
        has_two(vital) && vital & !self.connected(vital & vital.wrapping_neg(), outside) != 0
    }

    /// Lists the maximal connected sets of points without stones of a colour that do not continue outside.
    pub(super) fn spaces(&self, stones: Stones, color: Color) -> impl Iterator<Item = Space> {
        let own = stones[color.index()];
        let open = self.beside_safe[color.opponent().index()];
        let closed = self.parts(self.all & !own).filter(move |points| points & open == 0);
        closed.map(move |points| Space { points, around: self.adjacent(points) & own })
    }

    /// Returns which points of an eye space with these stones of the opponent must be beside a chain for the space to be an eye without further
    /// moves. Where suicide is allowed the opponent can empty every point.
    pub(super) fn must_touch(&self, points: Points, others: Points) -> Points {
        match self.suicide {
            Suicide::Forbidden => points & !others,
            Suicide::Allowed => points,
        }
    }
}

/// A maximal connected set of points without stones of a player, who has all stones around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    pub(super) points: Points,
    /// The stones around it.
    pub(super) around: Points,
}
