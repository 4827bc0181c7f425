//! From a position to the statuses of its chains.

use std::collections::HashMap;

use super::{
    ChainStatus, Proof, Status, StatusReport, UnconditionalLife,
    parts::{Borders, CanonicalPart, Part},
    search::{self, OpenQuestions, local_board::LocalBoard},
    zones::{ZoneSearch, ZoneSolver},
};
use crate::{Color, Ko, Position, Suicide, bitboard::Bitboard, position::Image};

/// Finds the statuses of chains, and keeps the results of parts of the board for the next position.
///
/// Unconditional life decides first; then searches of the [parts](super) between unconditionally alive stones; then proofs in zones of the open
/// board and searches of the parts between safe groups.
///
/// Rotations, reflections and exchanged colours change no status, and a higher limit loses none: a position is searched in a canonical
/// orientation, by limits that grow in [steps](Self::with_limit) and keep what is proved.
#[derive(Clone, Debug)]
pub struct StatusSolver {
    pub(super) suicide: Suicide,
    ko: Ko,
    /// States that the search of one question about a part may visit.
    limit: usize,
    /// The results of the last parts.
    solved: HashMap<CanonicalPart, SolvedPart>,
}

/// What has been found about a part.
#[derive(Clone, Debug, Default)]
struct SolvedPart {
    /// By limit, the status of the chain on each point.
    statuses: Vec<(usize, Box<[Status]>)>,
    /// The questions that no search has answered, so that lower limits do not search them again.
    open: OpenQuestions,
}

/// A chain as a set of points, with its status and what that is based on.
#[derive(Clone, Debug)]
pub(super) struct Chain<const W: usize> {
    /// Its points in the position that is searched.
    pub(super) set: Bitboard<W>,
    /// How the given position is turned into the one that is searched.
    pub(super) image: Image,
    /// The chain in the given position, with its status.
    pub(super) solved: ChainStatus,
    /// `None` where the status is unknown or decided by unconditional life.
    pub(super) basis: Option<Basis<W>>,
}

/// What the status of a chain is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis<const W: usize> {
    /// The search of this part of the board.
    Part(Bitboard<W>),
    /// The proof in a zone with this index.
    Zone(usize),
}

impl StatusSolver {
    /// The default limit of states that a search of a part of the board may visit.
    pub const DEFAULT_LIMIT: usize = 5_000;
    /// The limits that differ. Each is tried in turn and keeps what those before it have proved, so that a higher limit never proves less.
    pub const LIMITS: [usize; 14] = [
        0,
        10,
        50,
        200,
        1_000,
        5_000,
        20_000,
        100_000,
        300_000,
        1_000_000,
        3_000_000,
        10_000_000,
        30_000_000,
        100_000_000,
    ];
    /// Parts whose results are kept.
    const CAPACITY: usize = 1 << 16;

    /// Makes a solver for these rules.
    #[must_use]
    pub fn new(suicide: Suicide, ko: Ko) -> Self {
        Self::with_limit(suicide, ko, Self::DEFAULT_LIMIT)
    }

    /// Makes a solver whose searches visit at most `limit` states, and those in zones of open boards at most 100,000.
    ///
    /// A limit counts as the highest of [`LIMITS`](Self::LIMITS) that it reaches.
    #[must_use]
    pub fn with_limit(suicide: Suicide, ko: Ko, limit: usize) -> Self {
        Self { suicide, ko, limit, solved: HashMap::new() }
    }

    /// Returns the chains of a position with their statuses, Black's first, each colour in the order of first stones.
    pub fn chains<const W: usize>(&mut self, position: &Position<W>) -> Vec<ChainStatus> {
        self.solve(position).chains.into_iter().map(|chain| chain.solved).collect()
    }

    /// Returns the chains of a position with their statuses and what these are based on.
    ///
    /// ```
    /// use jigo_engine::{life::{Question, Status, StatusSolver}, Board, Color, Ko, Suicide};
    /// let diagram = ". . . X O . O\nX X X X O O .\nO O O O O . O\n. O . O . O O\n";
    /// let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
    /// let position = board.position();
    /// let report = StatusSolver::new(Suicide::Forbidden, Ko::Simple).solve(&position);
    /// let chain = report.chains().next().unwrap();
    /// assert_eq!(chain.status, Status::Unsettled);
    /// let line = report.line(chain.stones[0], Question::Capture, Color::White).unwrap();
    /// assert_eq!(line.moves[0].1.to_gtp(position.size()), "B4");
    /// ```
    pub fn solve<const W: usize>(&mut self, position: &Position<W>) -> StatusReport<W> {
        let (image, images) = position.canonical();
        let lives = image.unconditional_lives(self.suicide);
        let borders = Borders::unconditional(&image, &lives);
        let chains = Chain::all_by_benson(&image, &lives);
        let mut report = self.solve_open_board(image, borders, chains);
        report.turn_back(&images, position.size());
        report
    }

    /// Returns the limits up to this one that searches are made with.
    pub(super) fn limits(limit: usize) -> impl DoubleEndedIterator<Item = usize> {
        Self::LIMITS.into_iter().filter(move |&step| step <= limit)
    }

    /// Searches the parts with chains of unknown status, by lower limits where one is left.
    pub(super) fn solve_parts<const W: usize>(
        &mut self,
        position: &Position<W>,
        borders: &Borders<W>,
        limit: usize,
        chains: &mut [Chain<W>],
    ) {
        for part in borders.parts(position) {
            let is_open = |chain: &Chain<W>| chain.is_unknown() && chain.set.intersects(part);
            let mut limits = Self::limits(limit).rev();
            while chains.iter().any(is_open)
                && let Some(limit) = limits.next()
            {
                let statuses = self.part_statuses(&borders.part(position, part), limit);
                for chain in chains.iter_mut().filter(|chain| is_open(chain)) {
                    let found = part.iter().zip(&statuses).find(|&(bit, _)| chain.set.contains(bit));
                    if let Some((_, &status)) = found.filter(|&(_, &status)| status != Status::Unknown) {
                        chain.decide(status, Proof::Search, Some(Basis::Part(part)));
                    }
                }
            }
        }
    }

    /// Returns the status of the chain on each point of a part, `Unknown` on empty points and where the part is too large.
    fn part_statuses(&mut self, part: &Part, limit: usize) -> Vec<Status> {
        if part.points.len() > LocalBoard::MAX_POINTS {
            return vec![Status::Unknown; part.points.len()];
        }
        let (form, numbers) = part.canonical();
        let in_order = |statuses: &[Status]| numbers.iter().map(|&number| statuses[number]).collect();
        let known = self.solved.get(&form).map_or(&[][..], |solved| &solved.statuses);
        if let Some((_, statuses)) = known.iter().find(|&&(of, _)| of == limit) {
            return in_order(statuses);
        }
        if self.solved.len() >= Self::CAPACITY {
            self.solved.clear();
        }
        let (board, stones) = form.local_board(self.suicide);
        let solved = self.solved.entry(form).or_default();
        let mut statuses = vec![Status::Unknown; part.points.len()];
        for chain in search::chain_statuses(&board, stones, self.ko, limit, &mut solved.open) {
            for point in LocalBoard::points(chain.stones) {
                statuses[point] = chain.status;
            }
        }
        let result = in_order(&statuses);
        solved.statuses.push((limit, statuses.into()));
        result
    }

    /// Solves the parts between these borders; then what is left, by zones and by parts between safe groups.
    pub(super) fn solve_open_board<const W: usize>(
        &mut self,
        position: Position<W>,
        borders: Borders<W>,
        mut chains: Vec<Chain<W>>,
    ) -> StatusReport<W> {
        self.solve_parts(&position, &borders, self.limit, &mut chains);
        let mut all_borders = vec![borders];
        let zones = ZoneSolver { position, alive: borders.stones, suicide: self.suicide };
        let mut search = ZoneSearch::new(&zones);
        for limit in Self::limits(self.limit) {
            let is_asked = Color::BOTH
                .map(|color| chains.iter().any(|chain| chain.solved.color == color && chain.is_unknown()));
            if is_asked == [false; 2] {
                break;
            }
            search.search(is_asked, limit);
            for (number, proved) in search.proved.iter().enumerate() {
                let (stones, status) = proved.status();
                let is_proved = |chain: &&mut Chain<W>| chain.is_unknown() && chain.set.intersects(stones);
                for chain in chains.iter_mut().filter(is_proved) {
                    chain.decide(status, proved.proof, Some(Basis::Zone(number)));
                }
            }
            let between_groups = borders.with_safe_groups(&zones.position, &search.proved);
            self.solve_parts(&zones.position, &between_groups, limit, &mut chains);
            all_borders.push(between_groups);
        }
        let proved = search.proved;
        StatusReport { zones, limit: self.limit, borders: all_borders, proved, chains }
    }
}

impl<const W: usize> Chain<W> {
    pub(super) fn is_unknown(&self) -> bool {
        self.solved.status == Status::Unknown
    }

    pub(super) fn decide(&mut self, status: Status, proof: Proof, basis: Option<Basis<W>>) {
        (self.solved.status, self.solved.proof, self.basis) = (status, proof, basis);
    }

    /// Lists the chains of a position with unknown status, Black's first, each colour in the order of first stones.
    pub(super) fn all(position: &Position<W>) -> Vec<Self> {
        let geometry = position.geometry();
        let mut chains = Vec::new();
        for color in Color::BOTH {
            for set in geometry.parts(position.stone_set(color)) {
                let stones = geometry.points_of(set).collect();
                let solved = ChainStatus { color, stones, status: Status::Unknown, proof: Proof::None };
                chains.push(Self { set, image: Image::IDENTITY, solved, basis: None });
            }
        }
        chains
    }

    /// Lists the chains with the statuses that unconditional life decides.
    fn all_by_benson(position: &Position<W>, lives: &[UnconditionalLife<W>; 2]) -> Vec<Self> {
        let mut chains = Self::all(position);
        for chain in &mut chains {
            if chain.set.intersects(lives[0].stones | lives[1].stones) {
                chain.decide(Status::Alive, Proof::Benson, None);
            } else if chain.set.intersects(lives[0].territory | lives[1].territory) {
                chain.decide(Status::Dead, Proof::Benson, None);
            }
        }
        chains
    }
}

impl<const W: usize> Position<W> {
    /// Returns the chains in the order of [`StatusSolver::chains`] with the statuses that [unconditional life](Self::unconditional_life)
    /// decides. All others are unknown; nothing is searched.
    #[must_use]
    pub fn chains_by_benson(&self, suicide: Suicide) -> Vec<ChainStatus> {
        let chains = Chain::all_by_benson(self, &self.unconditional_lives(suicide));
        chains.into_iter().map(|chain| chain.solved).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    #[test]
    fn agrees_with_benson_alone_where_that_decides() {
        let diagram = ". X . O O . O
                       X X O O . O O
                       . X O . O O O
                       X X O O O . X
                       X O O . O X X
                       O O . O O X .";
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let position = board.position();
        let solved = StatusSolver::new(Suicide::Forbidden, Ko::Simple).chains(&position);
        let found = position.chains_by_benson(Suicide::Forbidden);
        assert_eq!(found.len(), solved.len());
        let mut open = 0;
        for (found, solved) in found.iter().zip(&solved) {
            assert_eq!((found.color, &found.stones), (solved.color, &solved.stones));
            if solved.proof == Proof::Benson {
                assert_eq!(found, solved);
            } else {
                assert_eq!((found.status, found.proof), (Status::Unknown, Proof::None));
                open += 1;
            }
        }
        assert!(0 < open && open < found.len(), "{found:?}");
    }
}
