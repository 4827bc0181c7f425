//! From a position to the statuses of its chains.

use super::{
    Proof, Status,
    local::{LocalCache, Part, PartPoint},
};
use crate::{Color, Ko, Point, Position, Suicide, bitboard::Bitboard};

/// Finds the statuses of chains, and remembers what it found.
#[derive(Clone, Debug)]
pub struct Judge {
    pub(super) suicide: Suicide,
    pub(super) local: LocalCache,
}

/// A chain with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainStatus {
    /// Its colour.
    pub color: Color,
    /// Its stones, in row-major order.
    pub stones: Vec<Point>,
    /// Its status.
    pub status: Status,
    /// How that is known.
    pub proof: Proof,
}

impl Judge {
    /// States that a search of a part of the board may look at.
    pub const DEFAULT_LIMIT: usize = 5_000;
    /// Parts that are remembered.
    const CAPACITY: usize = 1 << 16;

    /// A judge for these rules.
    #[must_use]
    pub fn new(suicide: Suicide, ko: Ko) -> Self {
        Self::with_limit(suicide, ko, Self::DEFAULT_LIMIT)
    }

    /// A judge whose searches look at so many states at most.
    #[must_use]
    pub fn with_limit(suicide: Suicide, ko: Ko, limit: usize) -> Self {
        Self { suicide, local: LocalCache::new(suicide, ko, limit, Self::CAPACITY) }
    }

    /// The chains of a position, Black's first, each in the order of its first stones.
    pub fn chains<const W: usize>(&mut self, position: &Position<W>) -> Vec<ChainStatus> {
        let geometry = position.geometry();
        let lives = position.unconditional_lives(self.suicide);
        let alive = Color::BOTH.map(|color| lives[color.index()].stone_bits());
        let territory = lives.iter().fold(Bitboard::EMPTY, |all, life| all | life.territory_bits());
        let stones = position.stone_sets();
        let mut chains: Vec<(Bitboard<W>, ChainStatus)> = Vec::new();
        for color in Color::BOTH {
            for chain in geometry.parts(stones[color.index()]) {
                let (status, proof) = if chain.intersects(alive[color.index()]) {
                    (Status::Alive, Proof::Benson)
                } else if chain.intersects(territory) {
                    (Status::Dead, Proof::Benson)
                } else {
                    (Status::Unknown, Proof::None)
                };
                let stones = geometry.points_of(chain).collect();
                chains.push((chain, ChainStatus { color, stones, status, proof }));
            }
        }
        let open = geometry.on_board.without(alive[0] | alive[1] | territory);
        for part in geometry.parts(open) {
            if !part.intersects(stones[0] | stones[1]) {
                continue;
            }
            let near = alive.map(|alive| geometry.adjacent(alive));
            let points = part.iter().map(|bit| {
                let Point { x, y } = geometry.point(bit);
                let stone = Color::BOTH.into_iter().find(|color| stones[color.index()].contains(bit));
                PartPoint { x, y, stone, beside: near.map(|near| near.contains(bit)) }
            });
            let statuses = self.local.statuses(&Part { points: points.collect() });
            for (chain, known) in &mut chains {
                if let Some(number) = part.iter().position(|bit| chain.contains(bit)) {
                    known.status = statuses[number];
                    if known.status != Status::Unknown {
                        known.proof = Proof::Search;
                    }
                }
            }
        }
        chains.into_iter().map(|(_, chain)| chain).collect()
    }

    /// How often a part of the board was known already, and how often not.
    #[must_use]
    pub fn cache_counts(&self) -> [u64; 2] {
        [self.local.hits(), self.local.misses()]
    }
}
