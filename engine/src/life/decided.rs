//! What unconditional life alone says about each chain.

use super::{ChainStatus, Proof, Status, UnconditionalLife};
use crate::{Color, Position, Suicide, bitboard::Bitboard};

/// A chain as a set of points, and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct Chain<const W: usize> {
    pub(super) set: Bitboard<W>,
    pub(super) known: ChainStatus,
    pub(super) basis: Basis<W>,
}

/// What the status of a chain rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basis<const W: usize> {
    /// Nothing: it is unknown.
    Nothing,
    /// Unconditional life.
    Life,
    /// The search of this part of the board.
    Part(Bitboard<W>),
    /// The proof with this number in a zone of the open board.
    Zone(usize),
}

impl<const W: usize> Chain<W> {
    /// Whether nothing is known about it.
    pub(super) fn is_unknown(&self) -> bool {
        self.known.status == Status::Unknown
    }

    /// Its status is this, as it is known from that.
    pub(super) fn decide(&mut self, status: Status, proof: Proof, basis: Basis<W>) {
        (self.known.status, self.known.proof, self.basis) = (status, proof, basis);
    }

    /// The chains of a position, Black's first, each in the order of its first stones; nothing is known about them.
    pub(super) fn all(position: &Position<W>) -> Vec<Self> {
        let geometry = position.geometry();
        let of_color = |color: Color| geometry.parts(position.stone_set(color)).map(move |set| (color, set));
        Color::BOTH
            .into_iter()
            .flat_map(of_color)
            .map(|(color, set)| {
                let stones = geometry.points_of(set).collect();
                let known = ChainStatus { color, stones, status: Status::Unknown, proof: Proof::None };
                Self { set, known, basis: Basis::Nothing }
            })
            .collect()
    }

    /// The same with what unconditional life says.
    pub(super) fn all_by_benson(position: &Position<W>, lives: &[UnconditionalLife<W>; 2]) -> Vec<Self> {
        let territory = lives.iter().fold(Bitboard::EMPTY, |all, life| all | life.territory_bits());
        let mut chains = Self::all(position);
        for chain in &mut chains {
            if chain.set.intersects(lives[chain.known.color.index()].stone_bits()) {
                chain.decide(Status::Alive, Proof::Benson, Basis::Life);
            } else if chain.set.intersects(territory) {
                chain.decide(Status::Dead, Proof::Benson, Basis::Life);
            }
        }
        chains
    }
}

impl<const W: usize> Position<W> {
    /// The chains in the order of [`StatusSolver::chains`](super::StatusSolver::chains), with what [unconditional life](Self::unconditional_life) says about
    /// them; nothing is searched, and all others are unknown.
    #[must_use]
    pub fn chains_by_benson(&self, suicide: Suicide) -> Vec<ChainStatus> {
        let chains = Chain::all_by_benson(self, &self.unconditional_lives(suicide));
        chains.into_iter().map(|chain| chain.known).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Board, Ko, Suicide,
        life::{Proof, Status, StatusSolver},
    };

    #[test]
    fn agrees_with_the_judge_where_benson_decides() {
        let diagram = ". X . O O . O
                       X X O O . O O
                       . X O . O O O
                       X X O O O . X
                       X O O . O X X
                       O O . O O X .";
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let position = board.position();
        let judged = StatusSolver::new(Suicide::Forbidden, Ko::Simple).chains(&position);
        let found = position.chains_by_benson(Suicide::Forbidden);
        assert_eq!(found.len(), judged.len());
        let mut open = 0;
        for (found, judged) in found.iter().zip(&judged) {
            assert_eq!((found.color, &found.stones), (judged.color, &judged.stones));
            if judged.proof == Proof::Benson {
                assert_eq!(found, judged);
            } else {
                assert_eq!((found.status, found.proof), (Status::Unknown, Proof::None));
                open += 1;
            }
        }
        assert!(0 < open && open < found.len(), "{found:?}");
    }
}
