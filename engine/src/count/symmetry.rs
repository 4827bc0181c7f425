//! Symmetries of the board and of the colours, as permutations of positions.

use super::positions::PositionGraph;
use crate::{Color, bitboard::Bitboard, board::Colouring, symmetry::Symmetry as Turn};

/// Where a position goes when the board is turned or reflected, and possibly the colours are exchanged.
pub(super) struct Symmetry {
    /// The image of each position.
    pub(super) positions: Vec<u32>,
    /// Whether Black and White are exchanged.
    pub(super) swaps_colors: bool,
}

/// All symmetries of the graph, the identity among them: those of the rectangle or square, each with and without exchanged colours.
/// On boards of one row or column several are the same.
pub(super) fn symmetries(graph: &PositionGraph) -> Vec<Symmetry> {
    let of = |turn: Turn, swaps_colors: bool| {
        let positions = graph.positions.iter().map(|colouring| {
            let [black, white] = colouring.stones.map(|stones| image(graph, stones, turn));
            let stones = if swaps_colors { [white, black] } else { [black, white] };
            graph.index[&Colouring { stones }]
        });
        Symmetry { positions: positions.collect(), swaps_colors }
    };
    Turn::of(graph.board.size()).flat_map(|turn| [of(turn, false), of(turn, true)]).collect()
}

impl Symmetry {
    /// The image of a player.
    pub(super) fn color(&self, color: Color) -> Color {
        if self.swaps_colors { color.opponent() } else { color }
    }
}

fn image(graph: &PositionGraph, stones: Bitboard<1>, turn: Turn) -> Bitboard<1> {
    let board = &graph.board;
    board.set_of(board.points_of(stones).map(|point| turn.apply(point, board.size())))
}
