//! What unconditional life alone says about each chain.

use super::{ChainStatus, Proof, Status};
use crate::{Color, Position, Suicide, bitboard::Bitboard};

impl<const W: usize> Position<W> {
    /// The chains in the order of [`Judge::chains`](super::Judge::chains), with what [unconditional life](Self::unconditional_life) says about
    /// them; nothing is searched, and all others are unknown.
    #[must_use]
    pub fn chains_by_benson(&self, suicide: Suicide) -> Vec<ChainStatus> {
        let geometry = self.geometry();
        let lives = self.unconditional_lives(suicide);
        let territory = lives.iter().fold(Bitboard::EMPTY, |all, life| all | life.territory_bits());
        let status = |color: Color, chain: Bitboard<W>| {
            if chain.intersects(lives[color.index()].stone_bits()) {
                (Status::Alive, Proof::Benson)
            } else if chain.intersects(territory) {
                (Status::Dead, Proof::Benson)
            } else {
                (Status::Unknown, Proof::None)
            }
        };
        let chains = Color::BOTH.into_iter().flat_map(|color| {
            geometry.parts(self.stone_set(color)).map(move |chain| (color, chain)).collect::<Vec<_>>()
        });
        let known = |(color, chain)| {
            let (status, proof) = status(color, chain);
            ChainStatus { color, stones: geometry.points_of(chain).collect(), status, proof }
        };
        chains.map(known).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Board, Judge, Ko, Proof, Status, Suicide};

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
        let judged = Judge::new(Suicide::Forbidden, Ko::Simple).chains(&position);
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
