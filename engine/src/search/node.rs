//! The nodes of a tree: positions with statistics of their moves.

use super::state::State;
use crate::{BoardSize, bitboard::Bitboard};

/// Moves in a chunk: what vector instructions take at once.
pub(super) const LANES: usize = 16;

/// What is known of the moves on 16 neighbouring bits of a bitboard, in a node. Sums are Black's.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Chunk {
    pub(super) visits: [i32; LANES],
    pub(super) sums: [i32; LANES],
    pub(super) rave_visits: [i32; LANES],
    pub(super) rave_sums: [i32; LANES],
    /// The node after each move; 0 where there is none.
    pub(super) children: [u32; LANES],
}

/// A position with statistics of its moves.
pub(super) struct Node<const W: usize> {
    pub(super) state: State<W>,
    /// The moves, the pass included.
    pub(super) moves: Bitboard<W>,
    pub(super) visits: i32,
    /// Black's margin when the player to move passes and that ends the game.
    pub(super) end: Option<i32>,
}

impl<const W: usize> Node<W> {
    /// The moves to choose from. A pass that does not end the game comes after every other move has had a visit: it is seldom good, and of few playouts one can
    /// be lucky.
    #[inline(always)]
    pub(super) fn considered(&self, pass: usize) -> Bitboard<W> {
        let is_late = self.end.is_some() || self.visits as u32 + 1 >= self.moves.count();
        if is_late { self.moves } else { self.moves.without(Bitboard::single(pass)) }
    }
}

/// The moves from the root to one after which there is no node, with the nodes in which they are made, and how the game ended after them.
#[derive(Clone, Default)]
pub(super) struct Line<const W: usize> {
    pub(super) steps: Vec<(u32, u16)>,
    pub(super) result: Option<(i32, [Bitboard<W>; 2])>,
}

/// With how many playouts a move begins because of its shape, and by how much their mean reward differs from that of other moves, in percent of the points of
/// the board.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) playouts: i32,
    pub(super) gain_percent: i32,
}

/// Moves that capture.
pub(super) const CAPTURE: Shape = Shape { playouts: 30, gain_percent: 100 };

/// Moves on the edge of the board.
pub(super) const EDGE: Shape = Shape { playouts: 10, gain_percent: -40 };

/// The chunks of a node: those of a row and its unused bit, row by row.
pub(super) fn chunk_count(size: BoardSize) -> usize {
    ((size.width() + 1) * size.height()).div_ceil(LANES)
}
