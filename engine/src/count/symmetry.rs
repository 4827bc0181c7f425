//! Symmetries of the board and of the colours, as permutations of positions.

use super::positions::PositionGraph;
use crate::{BoardSize, Color, Point, bitboard::Bitboard, board::Colouring};

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
    let size = graph.board.size();
    let turns = if size.is_square() { 8 } else { 4 };
    let of = |turn: u8, swaps_colors: bool| {
        let positions = graph.positions.iter().map(|colouring| {
            let [black, white] = colouring.stones.map(|stones| image(graph, stones, turn));
            let stones = if swaps_colors { [white, black] } else { [black, white] };
            graph.index[&Colouring { stones }]
        });
        Symmetry { positions: positions.collect(), swaps_colors }
    };
    (0..turns).flat_map(|turn| [of(turn, false), of(turn, true)]).collect()
}

impl Symmetry {
    /// The image of a player.
    pub(super) fn color(&self, color: Color) -> Color {
        if self.swaps_colors { color.opponent() } else { color }
    }
}

fn image(graph: &PositionGraph, stones: Bitboard<1>, turn: u8) -> Bitboard<1> {
    let (board, size) = (&graph.board, graph.board.size());
    board.set_of(board.points_of(stones).map(|point| turned(point, size, turn)))
}

/// One of the symmetries of the rectangle (0 to 3) or, with columns and rows exchanged as well, of the square (4 to 7).
fn turned(point: Point, size: BoardSize, turn: u8) -> Point {
    let x = if turn & 1 != 0 { size.width() as u8 - 1 - point.x } else { point.x };
    let y = if turn & 2 != 0 { size.height() as u8 - 1 - point.y } else { point.y };
    let moved = Point::new(x, y);
    if turn & 4 != 0 { moved.transposed() } else { moved }
}
