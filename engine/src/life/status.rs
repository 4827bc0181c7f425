//! The statuses of chains, and which dead chains are removed at the end of a game.

use crate::{Color, Point, Position, names::names};

/// The status of a chain. `docs/status.md` has the exact definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// It cannot be captured, even if the opponent moves next.
    Alive,
    /// It cannot be captured, even if the opponent moves next, or only at the cost of at least as many stones as that gains; but its owner
    /// cannot make it unconditionally alive either, and the same holds for a chain of the opponent beside it.
    Seki,
    /// It is captured if the opponent moves next, and saved if its owner does.
    Unsettled,
    /// It depends on ko threats, or on how the rules treat endless repetition.
    Ko,
    /// It is captured, even if its owner moves next.
    Dead,
    /// The search gave up.
    Unknown,
}

/// The kind of proof of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Proof {
    /// Unconditional life, or unconditional territory of the opponent.
    Benson,
    /// Theorems about eyes and links, without reading ahead.
    Static,
    /// A search of lines of play: of a part of the board between stones that are never captured, or of a zone of an open board.
    Search,
    /// No proof: the status is unknown.
    None,
}

names! {
    /// All statuses, best for the owner first.
    Status {
        Alive = "alive",
        Seki = "seki",
        Unsettled = "unsettled",
        Ko = "ko",
        Dead = "dead",
        Unknown = "unknown",
    }
}

impl Status {
    /// Returns whether the status says what becomes of the chain whoever moves first.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Alive | Self::Seki | Self::Dead)
    }

    /// Returns the sign after a stone in pictures: a space if it is alive.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Alive => ' ',
            Self::Seki => '=',
            Self::Unsettled => '!',
            Self::Ko => '*',
            Self::Dead => '-',
            Self::Unknown => '?',
        }
    }
}

names! {
    /// All kinds of proof, `None` last.
    Proof { Benson = "benson", Static = "static", Search = "search", None = "none" }
}

/// A chain with its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainStatus {
    /// The chain's colour.
    pub color: Color,
    /// The chain's stones, in row-major order.
    pub stones: Vec<Point>,
    /// The chain's status.
    pub status: Status,
    /// The kind of proof of the status.
    pub proof: Proof,
}

impl<const W: usize> Position<W> {
    /// Returns the chains that players remove who agree on these statuses: the dead ones, except where only their own colour is alive around the
    /// region of dead stones and empty points in which they stand. Removing these would give prisoners to a dead group.
    ///
    /// Every chain that is not dead counts as alive. Cost: some flood fills.
    pub fn taken_off<'a>(&self, chains: &'a [ChainStatus]) -> impl Iterator<Item = &'a ChainStatus> {
        let geometry = self.geometry();
        let dead: Vec<&ChainStatus> = chains.iter().filter(|chain| chain.status == Status::Dead).collect();
        let gone = geometry.set_of(dead.iter().flat_map(|chain| &chain.stones));
        let living = Color::BOTH.map(|color| self.stone_set(color).without(gone));
        let open = geometry.on_board.without(living[0] | living[1]);
        let stays = |chain: &ChainStatus| {
            let around = geometry.adjacent(geometry.flood(geometry.set_of(&chain.stones), open));
            let lives = |color: Color| around.intersects(living[color.index()]);
            lives(chain.color) && !lives(chain.color.opponent())
        };
        let taken_off: Vec<&ChainStatus> = dead.into_iter().filter(|chain| !stays(chain)).collect();
        taken_off.into_iter()
    }
}

/// Returns the stones of the chains in seki.
#[must_use]
pub fn in_seki(chains: &[ChainStatus]) -> Vec<Point> {
    let chains = chains.iter().filter(|chain| chain.status == Status::Seki);
    chains.flat_map(|chain| chain.stones.iter().copied()).collect()
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
