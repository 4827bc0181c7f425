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

use super::{
    Proof, Status,
    safe_groups::SafeStones,
    search::{
        goal::{Goal, GoalKind, Value},
        local_board::{LocalBoard, Points, Stones},
        proof_number::ProofNumberSearch,
        safety::SafetySearch,
    },
};
use crate::{Color, Position, Suicide, bitboard::Bitboard};

/// States that a search of a zone may visit, whatever the limit. For safe groups about 0.7 KB are kept for each, 70 MB in all.
const MAX_VISITS: usize = 100_000;

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

/// A zone with a claim that is proved. Its area is what the proof uses.
#[derive(Clone, Debug)]
pub(super) struct Proved<const W: usize> {
    /// The opponent's chain that the owner captures, or `None` if the claim is that the owner never loses a stone of the chains.
    pub(super) captured: Option<Bitboard<W>>,
    pub(super) zone: Zone<W>,
    pub(super) proof: Proof,
}

impl<const W: usize> Proved<W> {
    /// Returns the stones whose status is proved, and the status.
    pub(super) fn status(&self) -> (Bitboard<W>, Status) {
        match self.captured {
            None => (self.zone.stones(), Status::Alive),
            Some(chain) => (chain, Status::Dead),
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
        Some((LocalBoard::new(suicide, near, beside_safe), stones))
    }
}

/// A position and the settings of searches in its zones.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZoneSolver<'a, const W: usize> {
    pub(super) position: &'a Position<W>,
    /// The unconditionally alive stones of Black and White.
    pub(super) alive: [Bitboard<W>; 2],
    pub(super) suicide: Suicide,
    /// States that a search of a zone may visit.
    pub(super) limit: usize,
}

impl<'a, const W: usize> ZoneSolver<'a, W> {
    /// Makes a solver whose searches visit at most `limit` states, and at most [`MAX_VISITS`].
    pub(super) fn new(
        position: &'a Position<W>,
        alive: [Bitboard<W>; 2],
        suicide: Suicide,
        limit: usize,
    ) -> Self {
        Self { position, alive, suicide, limit: limit.min(MAX_VISITS) }
    }

    /// Finds safe groups and captured chains of the colours that are asked about, Black and White.
    pub(super) fn prove(&self, is_asked: [bool; 2]) -> Vec<Proved<W>> {
        let mut proved = Vec::new();
        let mut safe = self.alive.map(SafeStones::unconditional);
        let asked = || Color::BOTH.into_iter().filter(|color| is_asked[color.index()]);
        for color in asked() {
            let (stones, proofs) = self.safe_groups(color);
            safe[color.index()] = stones;
            proved.extend(proofs);
        }
        for color in asked() {
            proved.extend(self.captures(color.opponent(), safe));
        }
        proved
    }

    /// Searches with so many visits for a proof that all chains of a zone are safe. Returns its kind and the points of the area that it uses.
    pub(super) fn prove_safe(&self, zone: &Zone<W>, visits: usize) -> Option<(Proof, Bitboard<W>)> {
        let (board, stones) = zone.local_board(self.position, self.suicide)?;
        let mut search = SafetySearch::new(&board, zone.owner);
        let (proof, points) = match search.static_proof(stones) {
            Some(points) => (Proof::Static, points),
            None => (Proof::Search, search.proof(stones, visits).0?),
        };
        let area = zone.area.iter().enumerate();
        Some((proof, area.filter(|(number, _)| points >> number & 1 != 0).map(|(_, bit)| bit).collect()))
    }

    /// Searches with so many visits for a proof that the opponent's chain on a bit of the area is captured, although the opponent moves first.
    pub(super) fn proves_capture(&self, zone: &Zone<W>, bit: usize, visits: usize) -> bool {
        zone.local_board(self.position, self.suicide).is_some_and(|(board, stones)| {
            let mut search = ProofNumberSearch::without_losses(&board, zone.capture_goal(bit));
            search.search(stones, zone.owner.opponent(), visits).0 == Some(Value::Proven)
        })
    }
}
