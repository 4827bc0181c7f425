//! From a position to the statuses of its chains.

use super::{
    Proof, Status, StatusReport,
    borders::Borders,
    decided::{Basis, Chain},
    local::LocalCache,
    open::OpenBoard,
};
use crate::{Color, Ko, Point, Position, Suicide};

/// Finds the statuses of chains, and remembers what it found.
#[derive(Clone, Debug)]
pub struct StatusSolver {
    suicide: Suicide,
    local: LocalCache,
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

impl StatusSolver {
    /// States that a search of a part of the board may look at.
    pub const DEFAULT_LIMIT: usize = 5_000;
    /// Parts that are remembered.
    const CAPACITY: usize = 1 << 16;

    /// A judge for these rules.
    #[must_use]
    pub fn new(suicide: Suicide, ko: Ko) -> Self {
        Self::with_limit(suicide, ko, Self::DEFAULT_LIMIT)
    }

    /// A judge whose searches look at so many states at most, those in zones of open boards at 100,000 at most.
    #[must_use]
    pub fn with_limit(suicide: Suicide, ko: Ko, limit: usize) -> Self {
        Self { suicide, local: LocalCache::new(suicide, ko, limit, Self::CAPACITY) }
    }

    /// The chains of a position, Black's first, each in the order of its first stones.
    pub fn chains<const W: usize>(&mut self, position: &Position<W>) -> Vec<ChainStatus> {
        self.judge(position).chains.into_iter().map(|chain| chain.known).collect()
    }

    /// The same, with what the statuses rest on.
    ///
    /// ```
    /// use jigo_engine::{life::{Question, Status, StatusSolver}, Board, Color, Ko, Suicide};
    /// let diagram = ". . . X O . O\nX X X X O O .\nO O O O O . O\n. O . O . O O\n";
    /// let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
    /// let position = board.position();
    /// let judgement = StatusSolver::new(Suicide::Forbidden, Ko::Simple).judge(&position);
    /// let chain = judgement.chains().next().unwrap();
    /// assert_eq!(chain.status, Status::Unsettled);
    /// let line = judgement.line(chain.stones[0], Question::Capture, Color::White).unwrap();
    /// assert_eq!(line.moves[0].1.to_gtp(position.size()), "B4");
    /// ```
    pub fn judge<'a, const W: usize>(&mut self, position: &'a Position<W>) -> StatusReport<'a, W> {
        let lives = position.unconditional_lives(self.suicide);
        let mut chains = Chain::all_by_benson(position, &lives);
        let borders = Borders::unconditional(position, &lives);
        self.search_parts(position, &borders, &mut chains);
        self.judge_open(position, borders, chains)
    }

    /// Searches the parts between borders in which there are chains of unknown status.
    fn search_parts<const W: usize>(
        &mut self,
        position: &Position<W>,
        borders: &Borders<W>,
        chains: &mut [Chain<W>],
    ) {
        for part in borders.parts(position) {
            if !chains.iter().any(|chain| chain.is_unknown() && chain.set.intersects(part)) {
                continue;
            }
            let statuses = self.local.statuses(&borders.local(position, part));
            for chain in chains.iter_mut().filter(|chain| chain.is_unknown()) {
                let found = part.iter().zip(&statuses).find(|&(bit, _)| chain.set.contains(bit));
                if let Some((_, &status)) = found.filter(|&(_, &status)| status != Status::Unknown) {
                    chain.decide(status, Proof::Search, Basis::Part(part));
                }
            }
        }
    }

    /// Judges what is left, where hardly any border is unconditional: by zones, then by parts between groups that hold.
    fn judge_open<'a, const W: usize>(
        &mut self,
        position: &'a Position<W>,
        borders: Borders<W>,
        mut chains: Vec<Chain<W>>,
    ) -> StatusReport<'a, W> {
        let limit = self.local.limit();
        let board = OpenBoard::new(position, borders.stones, self.suicide, limit);
        let is_asked = Color::BOTH
            .map(|color| chains.iter().any(|chain| chain.known.color == color && chain.is_unknown()));
        let shown = board.shown(is_asked);
        for (number, proof) in shown.iter().enumerate() {
            let (stones, status) = proof.status();
            for chain in chains.iter_mut().filter(|chain| chain.is_unknown() && chain.set.intersects(stones))
            {
                chain.decide(status, proof.proof, Basis::Zone(number));
            }
        }
        let with_groups = borders.with_groups(position, &shown);
        self.search_parts(position, &with_groups, &mut chains);
        StatusReport { board, limit, borders: [borders, with_groups], shown, chains }
    }

    /// All chains by search alone, the whole board being one part.
    #[cfg(test)]
    pub(super) fn search_all<const W: usize>(&mut self, position: &Position<W>) -> Vec<ChainStatus> {
        let mut chains = Chain::all(position);
        self.search_parts(position, &Borders::none(position), &mut chains);
        chains.into_iter().map(|chain| chain.known).collect()
    }

    /// All chains as on a board that is too large to be searched as one part.
    #[cfg(test)]
    pub(super) fn judge_as_open<const W: usize>(&mut self, position: &Position<W>) -> Vec<ChainStatus> {
        let judgement = self.judge_open(position, Borders::none(position), Chain::all(position));
        judgement.chains().cloned().collect()
    }

    /// How often a part of the board was known already, and how often not.
    #[must_use]
    pub fn cache_counts(&self) -> [u64; 2] {
        [self.local.hits(), self.local.misses()]
    }
}
