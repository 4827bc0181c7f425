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
    pub(super) near: Vec<Points>,
    /// The points beside stones of Black and of White outside that are never captured.
    pub(super) beside_safe: [Points; 2],
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
        Self::points(set).fold(0, |near, point| near | self.near[point])
    }
}

impl LocalBoard {
    /// Points that a local board can have.
    pub(in crate::life) const MAX_POINTS: usize = Points::BITS as usize;

    /// Makes a board from the neighbours of each of its points, and the points beside safe stones of Black and of White outside.
    pub(in crate::life) fn new(suicide: Suicide, near: Vec<Points>, beside_safe: [Points; 2]) -> Self {
        let all = Points::MAX >> (Self::MAX_POINTS - near.len());
        Self { suicide, all, near, beside_safe }
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
        let near = self.near[point];
        let mut after = stones;
        after[own] |= 1 << point;
        let mut removed: Points = 0;
        for neighbour in Self::points(near & stones[other]) {
            let has_liberty = self.near[neighbour] & self.empty(after) != 0;
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

    /// Returns whether these stones of `color`, which are whole chains, are
    /// [unconditionally alive](crate::Position::unconditional_life).
    ///
    /// Regions beside safe stones of the opponent continue outside and are vital to no chain; safe stones of `color` enclose regions as
    /// living chains do.
    pub(super) fn are_unconditionally_alive(&self, stones: Stones, color: Color, asked: Points) -> bool {
        let empty = self.empty(stones);
        let mut needs_proof = false;
        for chain in self.parts(asked).filter(|&chain| !self.is_anchored(color, chain)) {
            // Every vital region has a liberty of the chain.
            if (self.adjacent(chain) & empty).count_ones() < 2 {
                return false;
            }
            needs_proof = true;
        }
        !needs_proof || self.are_alive_by_benson(stones, color, asked)
    }

    fn are_alive_by_benson(&self, stones: Stones, color: Color, asked: Points) -> bool {
        let [own, others] = [color, color.opponent()].map(|color| stones[color.index()]);
        let mut spaces: Vec<Space> = self.spaces(stones, color).collect();
        let mut chains: Vec<(Points, Points)> =
            self.parts(own).map(|chain| (chain, self.adjacent(chain))).collect();
        loop {
            let mut lost: Points = 0;
            chains.retain(|&(chain, near)| {
                let is_vital = |&&Space { points, around }: &&Space| {
                    around & chain != 0 && self.must_touch(points, others) & !near == 0
                };
                let stays =
                    self.is_anchored(color, chain) || spaces.iter().filter(is_vital).take(2).count() == 2;
                lost |= if stays { 0 } else { chain };
                stays
            });
            if lost & asked != 0 {
                return false;
            }
            if lost == 0 {
                return true;
            }
            spaces.retain(|space| space.around & lost == 0);
        }
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
