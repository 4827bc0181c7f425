//! Zones of an open board, where no border is unconditional: safe groups, and chains that are captured.
//!
//! A *zone* is a set of chains of one colour, its owner's, with points around them. Everything outside is taken to be the opponent's and never to
//! be captured.
//!
//! If the owner, moving second and playing only inside the zone, keeps every stone in it, these stones are safe on the real board, whatever stands
//! and whatever is played elsewhere. The owner's stones in the zone only grow in number. So every move of the real opponent is a move of the zone or
//! a pass, the real opponent has a stone in the zone only where there is one in the game of the zone, and no position recurs.
//!
//! If the owner captures a chain of the opponent in the same way, losing no stone on the way, it is captured on the real board. There, chains that
//! continue outside the zone may be captured that cannot be in the zone. They never belong to the chain in question, which would count as
//! saved, so its liberties are the same in both games.

use std::collections::HashMap;

use super::{
    Proof, Status,
    safe_groups::{GroupSearch, SafeStones},
    search::{
        goal::{Goal, GoalKind, Value},
        local_board::{LocalBoard, Points, Stones},
        proof_number::ProofNumberSearch,
        safety::SafetySearch,
    },
};
use crate::{Color, Position, Suicide, bitboard::Bitboard, geometry::Geometry};

/// States that a search of a zone may visit, whatever the limit. For safe groups about 0.7 KB are kept for each, 70 MB in all.
pub(super) const MAX_VISITS: usize = 100_000;

/// A zone. Local boards number the points of its area in the order of their bits, then one point for each chain.
#[derive(Clone, Debug)]
pub(super) struct Zone<const W: usize> {
    pub(super) owner: Color,
    /// The owner's chains that play a part.
    pub(super) chains: Vec<Bitboard<W>>,
    /// The owner's stones that are safe already, whatever is played in the area.
    pub(super) anchors: Bitboard<W>,
    /// The points of the zone beside the chains: empty or with stones of the opponent.
    pub(super) area: Bitboard<W>,
}

/// What is claimed about a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Claim<const W: usize> {
    /// The owner never loses a stone of the chains.
    Safe,
    /// The owner captures this chain of the opponent.
    Captures(Bitboard<W>),
}

/// A zone with a claim that is proved. Its area is what the proof uses.
#[derive(Clone, Debug)]
pub(super) struct Proved<const W: usize> {
    pub(super) claim: Claim<W>,
    pub(super) zone: Zone<W>,
    pub(super) proof: Proof,
}

impl<const W: usize> Proved<W> {
    /// Returns the chain that is captured, if that is the claim.
    pub(super) fn captured(&self) -> Option<Bitboard<W>> {
        match self.claim {
            Claim::Safe => None,
            Claim::Captures(chain) => Some(chain),
        }
    }

    /// Returns the stones whose status is proved, and the status.
    pub(super) fn status(&self) -> (Bitboard<W>, Status) {
        match self.claim {
            Claim::Safe => (self.zone.stones(), Status::Alive),
            Claim::Captures(chain) => (chain, Status::Dead),
        }
    }
}

impl<const W: usize> Zone<W> {
    /// The most points that the area of a zone may have.
    pub(super) const MAX_POINTS: u32 = 50;

    /// Returns the stones of the chains.
    pub(super) fn stones(&self) -> Bitboard<W> {
        self.chains.iter().fold(Bitboard::EMPTY, |all, &chain| all | chain)
    }

    /// Returns the anchors beside the area, the only ones that matter.
    pub(super) fn anchors_beside(&self, geometry: &Geometry<W>) -> Bitboard<W> {
        self.anchors & geometry.adjacent(self.area)
    }

    /// Returns the goal to capture the opponent's chain on a bit of the area.
    pub(super) fn capture_goal(&self, bit: usize) -> Goal {
        let point = self.area.iter().position(|other| other == bit).expect("a point of the area");
        Goal { kind: GoalKind::Capture, color: self.owner.opponent(), point }
    }

    /// Returns the local board of the zone with its stones, or `None` if the zone is too large.
    pub(super) fn local_board(
        &self,
        position: &Position<W>,
        suicide: Suicide,
    ) -> Option<(LocalBoard, Stones)> {
        let geometry = position.geometry();
        let count = self.area.count() as usize + self.chains.len();
        if count > LocalBoard::MAX_POINTS {
            return None;
        }
        let bits: Vec<usize> = self.area.iter().collect();
        let chains = || (bits.len()..).zip(&self.chains);
        let inside = self.area | self.anchors | self.stones();
        let beside_anchors = geometry.adjacent(self.anchors);
        let beside_outside = geometry.adjacent(geometry.on_board.without(inside));
        let (own, other) = (self.owner.index(), self.owner.opponent().index());
        let opponents = position.stone_set(self.owner.opponent());
        let mut near: Vec<Points> = vec![0; count];
        let (mut beside_safe, mut stones) = ([0; 2], [0; 2]);
        for (number, &bit) in bits.iter().enumerate() {
            let around = *geometry.neighbours(bit);
            for neighbour in (around & self.area).iter() {
                let place = bits.binary_search(&neighbour).expect("a point of the area");
                near[number] |= 1 << place;
            }
            for (chain_number, _) in chains().filter(|(_, chain)| chain.intersects(around)) {
                near[number] |= 1 << chain_number;
                near[chain_number] |= 1 << number;
            }
            beside_safe[own] |= u64::from(beside_anchors.contains(bit)) << number;
            beside_safe[other] |= u64::from(beside_outside.contains(bit)) << number;
            stones[other] |= u64::from(opponents.contains(bit)) << number;
        }
        for (number, _) in chains() {
            stones[own] |= 1 << number;
        }
        Some((LocalBoard::new(suicide, &near, beside_safe), stones))
    }
}

/// A position, and what searches of its zones start from.
#[derive(Clone, Debug)]
pub(super) struct ZoneSolver<const W: usize> {
    pub(super) position: Position<W>,
    /// The unconditionally alive stones of Black and White.
    pub(super) alive: [Bitboard<W>; 2],
    pub(super) suicide: Suicide,
}

/// Why a search of a zone proved nothing.
pub(super) enum Failure {
    /// The visits did not suffice.
    Visits,
    /// More visits would not help, or are never made.
    NoProof,
}

impl<const W: usize> ZoneSolver<W> {
    /// Searches for a proof with at most so many visits.
    pub(super) fn prove(
        &self,
        mut zone: Zone<W>,
        claim: Claim<W>,
        visits: usize,
    ) -> Result<Proved<W>, Failure> {
        let (board, stones) = zone.local_board(&self.position, self.suicide).ok_or(Failure::NoProof)?;
        let visits = visits.min(MAX_VISITS);
        let failure = |made| {
            if made < visits || visits == MAX_VISITS { Failure::NoProof } else { Failure::Visits }
        };
        let Claim::Captures(chain) = claim else {
            let mut search = SafetySearch::new(&board, zone.owner);
            let (proof, points) = match search.static_proof(stones) {
                Some(points) => (Proof::Static, points),
                None => match search.proof(stones, visits) {
                    (Some(points), _) => (Proof::Search, points),
                    (None, made) => return Err(failure(made)),
                },
            };
            let area = zone.area.iter().enumerate();
            zone.area = area.filter(|(number, _)| points >> number & 1 != 0).map(|(_, bit)| bit).collect();
            return Ok(Proved { claim, zone, proof });
        };
        let mut search = ProofNumberSearch::without_losses(&board, zone.capture_goal(chain.first()));
        match search.search(stones, zone.owner.opponent(), visits) {
            (Some(Value::Proven), _) => Ok(Proved { claim, zone, proof: Proof::Search }),
            (Some(Value::Disproven), _) => Err(Failure::NoProof),
            (None, made) => Err(failure(made)),
        }
    }
}

/// The zones in which nothing was proved, each with the limit up to which it need not be tried again: the owner's stones, the area and the
/// anchors beside it, and what was claimed.
#[derive(Debug, Default)]
pub(super) struct Failures<const W: usize>(HashMap<([Bitboard<W>; 3], Claim<W>), usize>);

impl<const W: usize> Failures<W> {
    /// Searches a zone with at most so many visits, unless that has failed at this limit before.
    pub(super) fn prove(
        &mut self,
        solver: &ZoneSolver<W>,
        zone: Zone<W>,
        claim: Claim<W>,
        limit: usize,
        visits: usize,
    ) -> Option<Proved<W>> {
        let beside = zone.anchors_beside(solver.position.geometry());
        let key = ([zone.stones(), zone.area, beside], claim);
        if self.0.get(&key).is_some_and(|&failed| failed >= limit) {
            return None;
        }
        match solver.prove(zone, claim, visits) {
            Ok(proved) => Some(proved),
            Err(failure) => {
                let limit = if matches!(failure, Failure::NoProof) { usize::MAX } else { limit };
                self.0.insert(key, limit);
                None
            }
        }
    }
}

/// The search of a board for zones with proofs. Its limit grows step by step, and what is proved at one stays proved.
pub(super) struct ZoneSearch<'a, const W: usize> {
    solver: &'a ZoneSolver<W>,
    /// The searches for safe groups of the colours that were asked about.
    groups: [Option<GroupSearch<'a, W>>; 2],
    failed_captures: Failures<W>,
    pub(super) proved: Vec<Proved<W>>,
}

impl<'a, const W: usize> ZoneSearch<'a, W> {
    pub(super) fn new(solver: &'a ZoneSolver<W>) -> Self {
        Self { solver, groups: [None, None], failed_captures: Failures::default(), proved: Vec::new() }
    }

    /// Searches for more safe groups and captured chains of the colours that are asked about, Black and White.
    pub(super) fn search(&mut self, is_asked: [bool; 2], limit: usize) {
        let asked = || Color::BOTH.into_iter().filter(|color| is_asked[color.index()]);
        for color in asked() {
            let groups = &mut self.groups[color.index()];
            let groups = groups.get_or_insert_with(|| GroupSearch::new(self.solver, color));
            self.proved.extend(groups.search(limit));
        }
        let safe = Color::BOTH.map(|color| match &self.groups[color.index()] {
            Some(groups) => groups.safe,
            None => SafeStones::unconditional(self.solver.alive[color.index()]),
        });
        for color in asked() {
            let captured = self.proved.iter().filter_map(Proved::captured);
            let dead = captured.fold(Bitboard::EMPTY, |all, chain| all | chain);
            let failures = &mut self.failed_captures;
            self.proved.extend(self.solver.captures(color.opponent(), safe, dead, limit, failures));
        }
    }
}
