//! Which dead chains are taken off where a game ends.

use super::{ChainStatus, Status};
use crate::{Color, Position, bitboard::Bitboard};

impl<const W: usize> Position<W> {
    /// The chains that are taken off by players who agree on these statuses: the dead ones, but for those that stand among dead stones of the opponent,
    /// where only their own colour lives around: who took them off would give prisoners to the dead.
    ///
    /// What is not dead lives here, or is taken to. Cost: some flood fills.
    pub fn taken_off<'a>(&self, chains: &'a [ChainStatus]) -> impl Iterator<Item = &'a ChainStatus> {
        let geometry = self.geometry();
        let dead: Vec<&ChainStatus> = chains.iter().filter(|chain| chain.status == Status::Dead).collect();
        let bits = |chain: &ChainStatus| chain.stones.iter().map(|&stone| geometry.bit(stone)).collect();
        let gone: Bitboard<W> = dead.iter().fold(Bitboard::EMPTY, |all, chain| all | bits(chain));
        let living = Color::BOTH.map(|color| self.stone_set(color).without(gone));
        let open = geometry.on_board.without(living[0] | living[1]);
        let stays = |chain: &ChainStatus| {
            let around = geometry.adjacent(geometry.flood(bits(chain), open));
            let lives = |color: Color| around.intersects(living[color.index()]);
            lives(chain.color) && !lives(chain.color.opponent())
        };
        let taken_off: Vec<&ChainStatus> = dead.into_iter().filter(|chain| !stays(chain)).collect();
        taken_off.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Board, Ko, Position, Suicide,
        life::{Status, StatusSolver},
    };

    /// White's group in the corner is dead, and so is the black stone in its eye: it stays. Black's stone in White's own territory goes.
    #[test]
    fn a_stone_among_dead_stones_stays() {
        let diagram = ". O . X X X O . .
                       X O X X X O O . X
                       O O X X X O . O O
                       X X X X X O O O .
                       . X . X X O . O O";
        let board: Board = Board::from_diagram(diagram, Suicide::Forbidden).unwrap();
        let position: Position = board.position();
        let chains = StatusSolver::new(Suicide::Forbidden, Ko::Simple).chains(&position);
        let first = |status| {
            let chains = chains.iter().filter(move |chain| chain.status == status);
            chains.map(|chain| chain.stones[0].to_gtp(position.size())).collect::<Vec<_>>()
        };
        assert_eq!(first(Status::Dead), ["A4", "J4", "B5"], "{position:#}");
        let taken_off = position.taken_off(&chains).map(|chain| chain.stones[0].to_gtp(position.size()));
        assert_eq!(taken_off.collect::<Vec<_>>(), ["J4", "B5"]);
    }
}
