//! The nodes of a tree: positions with statistics of their moves.

use std::ops::Range;

use super::state::State;
use crate::{BoardSize, bitboard::Bitboard};

/// Moves in a chunk: what vector instructions take at once.
pub(super) const LANES: usize = 16;

/// What is known of up to 16 moves of a node that follow each other in row-major order. Sums are Black's.
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
    /// The moves, the pass included. The *place* of a move is how many come before it.
    pub(super) moves: Bitboard<W>,
    /// Where the chunks of its moves begin.
    pub(super) start: u32,
    pub(super) visits: i32,
    /// Black's margin when the player to move passes and that ends the game.
    pub(super) end: Option<i32>,
}

impl<const W: usize> Node<W> {
    /// Where the chunks of its moves are.
    #[inline(always)]
    pub(super) fn chunks(&self) -> Range<usize> {
        let start = self.start as usize;
        start..start + (self.moves.count() as usize).div_ceil(LANES)
    }

    /// How many of the moves, the first ones, there are to choose from. A pass, which is last, comes after every other move has had a visit unless it
    /// ends the game: it is seldom good, and of few playouts one can be lucky.
    #[inline(always)]
    pub(super) fn considered(&self, pass: usize) -> u32 {
        let count = self.moves.count();
        let is_late = self.end.is_some() || self.visits as u32 + 1 >= count;
        count - u32::from(!is_late && self.moves.contains(pass))
    }
}

/// The moves from the root to one after which there is no node, and how the game ended after them.
#[derive(Clone, Default)]
pub(super) struct Line<const W: usize> {
    pub(super) steps: Vec<Step>,
    pub(super) result: Option<(i32, [Bitboard<W>; 2])>,
}

/// A move in a node.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) node: u32,
    pub(super) bit: u16,
    /// The place of the move among those of the node.
    pub(super) place: u16,
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

/// The chunks of a node in which every point and the pass are moves.
pub(super) fn max_chunk_count(size: BoardSize) -> usize {
    (size.point_count() + 1).div_ceil(LANES)
}
