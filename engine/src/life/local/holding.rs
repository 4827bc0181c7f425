//! Can one player, moving second, keep every stone that he has and will have?
//!
//! A proof names the points on which it rests. What the opponent plays elsewhere is a pass to it, so only moves on these points have to be answered: a proof
//! against a pass comes first and says which.
//!
//! A proof rests on points Z when it holds whatever other stones the opponent has outside Z. For this every chain that is not unconditionally alive must have two
//! liberties in Z whenever the opponent is to move, so that no stone outside helps to capture it; and moves that capture need nothing more, as whoever is
//! captured has no empty point beside him where another stone could stand.
//!
//! # Source
//! The idea: Chung-Chin Shih, Ti-Rong Wu, Ting Han Wei, I-Chen Wu, *A novel approach to solving goal-achieving problems for board games*, AAAI (2022), relevance
//! zones.

use std::rc::Rc;

use super::{
    Points, Stones, Terrain,
    look::{Look, Looker},
    state::Table,
};
use crate::Color;

/// A search for such a proof.
pub(super) struct Holding<'a> {
    terrain: &'a Terrain,
    owner: Color,
    /// Visits that are left.
    left: usize,
    /// What is known with the opponent to move.
    known: Table<Stones, Known>,
    /// The owner's moves, the most promising first.
    moves: Table<Stones, Rc<[Move]>>,
    looker: Looker<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Known {
    /// It is proved, on these points.
    Holds(Points),
    /// There is no proof in which the owner plays so many stones one after the other.
    NotWithin(u32),
}

/// A move of the owner.
#[derive(Clone, Copy, Debug)]
struct Move {
    point: usize,
    /// The stones after it.
    after: Stones,
    look: Look,
}

/// Answers that are tried to a move of the opponent, at most. When he passes, the best move alone is tried.
const MAX_ANSWERS: usize = 8;
/// Stones in a row, at most.
const MAX_STONES: u32 = 6;

impl<'a> Holding<'a> {
    pub(super) fn new(terrain: &'a Terrain, owner: Color) -> Self {
        let (known, moves) = (Table::default(), Table::default());
        Self { terrain, owner, left: 0, known, moves, looker: Looker::new(terrain, owner) }
    }

    /// The points on which it rests that no stone is lost, if this is seen without reading ahead.
    pub(super) fn at_sight(&mut self, stones: Stones) -> Option<Points> {
        self.looker.look(stones).safe()
    }

    /// The points on which a proof rests that is found by so many visits, the opponent moving first; and the visits made.
    pub(super) fn proof(&mut self, stones: Stones, visits: usize) -> (Option<Points>, usize) {
        self.left = visits;
        let look = self.looker.look(stones);
        let proof = (0..=MAX_STONES).find_map(|depth| self.zone(stones, look, depth));
        (proof, visits - self.left)
    }

    pub(super) fn terrain(&self) -> &'a Terrain {
        self.terrain
    }

    pub(super) fn owner(&self) -> Color {
        self.owner
    }

    /// The owner's answer, if he needs one, and the stones after it. `None` if so many visits find none.
    pub(super) fn reply(&mut self, stones: Stones, visits: usize) -> Option<(Option<usize>, Stones)> {
        if self.at_sight(stones).is_some() {
            return Some((None, stones));
        }
        let moves = self.moves(stones);
        self.left = visits;
        (1..=MAX_STONES).find_map(|depth| {
            let holds = |mv: &&Move| self.zone_after(**mv, depth).is_some();
            moves.iter().take(MAX_ANSWERS).find(holds).map(|mv| (Some(mv.point), mv.after))
        })
    }

    /// The points on which a proof rests, the opponent to move and the owner to play at most `depth` stones.
    fn zone(&mut self, stones: Stones, look: Look, depth: u32) -> Option<Points> {
        match self.known.get(&stones) {
            Some(&Known::Holds(zone)) => return Some(zone),
            Some(&Known::NotWithin(known)) if known >= depth => return None,
            _ => {}
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let zone = look.safe().or_else(|| self.zone_by_play(stones, depth));
        let known = zone.map_or(Known::NotWithin(depth), Known::Holds);
        if zone.is_some() || self.left > 0 {
            self.known.insert(stones, known);
        }
        zone
    }

    fn zone_by_play(&mut self, stones: Stones, depth: u32) -> Option<Points> {
        if depth == 0 || self.is_in_atari(stones) {
            return None;
        }
        let &best = self.moves(stones).first()?;
        let rests_on = self.zone_after(best, depth)?;
        let mut zone = self.with_liberties(stones, rests_on);
        let mut answered: Points = 0;
        loop {
            let open = zone & self.terrain.empty(stones) & !answered;
            if open == 0 {
                return Some(zone);
            }
            let point = open.trailing_zeros() as usize;
            answered |= 1 << point;
            let Some(after) = self.terrain.play(stones, self.owner.opponent(), point) else { continue };
            if after.stones[self.owner.index()] != stones[self.owner.index()] {
                return None;
            }
            zone |= self.answer(after.stones, depth)?;
        }
    }

    /// The points on which a proof with the owner to move rests.
    fn answer(&mut self, stones: Stones, depth: u32) -> Option<Points> {
        if let Some(zone) = self.at_sight(stones) {
            return Some(zone);
        }
        let moves = self.moves(stones);
        moves.iter().take(MAX_ANSWERS).find_map(|&mv| self.zone_after(mv, depth))
    }

    fn zone_after(&mut self, Move { point, after, look }: Move, depth: u32) -> Option<Points> {
        self.zone(after, look, depth - 1).map(|zone| zone | 1 << point)
    }

    /// Moves of the owner by which no stone is lost, the most promising first.
    fn moves(&mut self, stones: Stones) -> Rc<[Move]> {
        if let Some(moves) = self.moves.get(&stones) {
            return Rc::clone(moves);
        }
        let own = self.owner.index();
        let mut moves: Vec<Move> = Vec::new();
        for point in Terrain::points(self.terrain.empty(stones)) {
            let Some(after) = self.terrain.play(stones, self.owner, point) else { continue };
            let after = after.stones;
            if after[own] & stones[own] == stones[own] && after[own] != stones[own] {
                moves.push(Move { point, after, look: self.looker.look(after) });
            }
        }
        moves.sort_by_key(|mv| mv.look.distance());
        let moves: Rc<[Move]> = moves.into();
        self.moves.insert(stones, Rc::clone(&moves));
        moves
    }

    fn is_in_atari(&self, stones: Stones) -> bool {
        let own = stones[self.owner.index()];
        let empty = self.terrain.empty(stones);
        self.terrain.parts(own).any(|chain| {
            !self.terrain.is_anchored(self.owner, chain)
                && (self.terrain.adjacent(chain) & empty).count_ones() < 2
        })
    }

    /// The points, and liberties so that every chain has two of them.
    fn with_liberties(&self, stones: Stones, zone: Points) -> Points {
        let empty = self.terrain.empty(stones);
        let unanchored = self
            .terrain
            .parts(stones[self.owner.index()])
            .filter(|&chain| !self.terrain.is_anchored(self.owner, chain));
        unanchored.fold(zone, |mut zone, chain| {
            let liberties = self.terrain.adjacent(chain) & empty;
            while (liberties & zone).count_ones() < 2 {
                let more = liberties & !zone;
                zone |= more & more.wrapping_neg();
            }
            zone
        })
    }
}
