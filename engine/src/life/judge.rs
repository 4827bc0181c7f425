//! From a position to the statuses of its chains.

use super::{
    Proof, Status,
    decided::Chain,
    local::{LocalCache, Part, PartPoint},
    open::{self, Shown},
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
        let (chains, _) = self.judged(position);
        chains.into_iter().map(|chain| chain.known).collect()
    }

    /// The chains, and what was shown in zones of the open board.
    pub(super) fn judged<const W: usize>(
        &mut self,
        position: &Position<W>,
    ) -> (Vec<Chain<W>>, Vec<Shown<W>>) {
        let geometry = position.geometry();
        let lives = position.unconditional_lives(self.suicide);
        let alive = Color::BOTH.map(|color| lives[color.index()].stone_bits());
        let territory = lives.iter().fold(Bitboard::EMPTY, |all, life| all | life.territory_bits());
        let mut chains = Chain::all_by_benson(position, &lives);
        let open = geometry.on_board.without(alive[0] | alive[1] | territory);
        self.search_parts(position, open, alive, &mut chains);
        let shown = self.judge_open(position, alive, &mut chains);
        (chains, shown)
    }

    /// Searches the connected parts of `open`, which border on unconditionally alive stones only.
    fn search_parts<const W: usize>(
        &mut self,
        position: &Position<W>,
        open: Bitboard<W>,
        alive: [Bitboard<W>; 2],
        chains: &mut [Chain<W>],
    ) {
        let geometry = position.geometry();
        let stones = position.stone_sets();
        for part in geometry.parts(open).filter(|part| part.intersects(stones[0] | stones[1])) {
            let near = alive.map(|alive| geometry.adjacent(alive));
            let points = part.iter().map(|bit| {
                let Point { x, y } = geometry.point(bit);
                let stone = Color::BOTH.into_iter().find(|color| stones[color.index()].contains(bit));
                PartPoint { x, y, stone, beside: near.map(|near| near.contains(bit)) }
            });
            let statuses = self.local.statuses(&Part { points: points.collect() });
            for chain in chains.iter_mut() {
                let found = part.iter().zip(&statuses).find(|&(bit, _)| chain.set.contains(bit));
                if let Some((_, &status)) = found.filter(|&(_, &status)| status != Status::Unknown) {
                    (chain.known.status, chain.known.proof) = (status, Proof::Search);
                }
            }
        }
    }

    /// Judges what is left, where hardly any border is unconditional.
    fn judge_open<const W: usize>(
        &self,
        position: &Position<W>,
        alive: [Bitboard<W>; 2],
        chains: &mut [Chain<W>],
    ) -> Vec<Shown<W>> {
        let is_unknown = |chain: &Chain<W>| chain.known.status == Status::Unknown;
        let is_asked = Color::BOTH
            .map(|color| chains.iter().any(|chain| chain.known.color == color && is_unknown(chain)));
        let shown = open::shown(position, alive, is_asked, self.suicide, self.local.limit());
        for proof in &shown {
            let (stones, status) = proof.status();
            for chain in chains.iter_mut().filter(|chain| is_unknown(chain) && chain.set.intersects(stones)) {
                (chain.known.status, chain.known.proof) = (status, proof.proof);
            }
        }
        shown
    }

    /// All chains by search alone, the whole board being one part.
    #[cfg(test)]
    pub(super) fn search_all<const W: usize>(&mut self, position: &Position<W>) -> Vec<ChainStatus> {
        let mut chains = Chain::all(position, |_, _| (Status::Unknown, Proof::None));
        let all = position.geometry().on_board;
        self.search_parts(position, all, [Bitboard::EMPTY; 2], &mut chains);
        chains.into_iter().map(|chain| chain.known).collect()
    }

    /// How often a part of the board was known already, and how often not.
    #[must_use]
    pub fn cache_counts(&self) -> [u64; 2] {
        [self.local.hits(), self.local.misses()]
    }
}
