//! All legal positions of a tiny board, and the moves between them.

use super::{CountError, Pace};
use crate::{Board, BoardSize, Color, Point, Suicide, Symmetry, board::Colouring, zobrist::MixMap};

/// The most points of a board whose positions are all listed.
pub(super) const MAX_POINTS: usize = 12;

/// Calls `visit` with every legal position, Black to move, no ko ban; the empty one first. Each time the same board, set up anew.
pub(crate) fn for_each_position(
    size: BoardSize,
    suicide: Suicide,
    pace: &mut Pace<'_>,
    visit: &mut dyn FnMut(&Board<1>),
) -> Result<(), CountError> {
    if size.point_count() > MAX_POINTS {
        let limit = "all colourings are tried one by one, which is done up to 12 points (531,441 colourings)";
        return Err(CountError::TooLarge { size, limit });
    }
    let points: Vec<Point> = size.points().collect();
    let mut board = Board::<1>::new(size, suicide);
    let colourings = 3_u32.pow(points.len() as u32);
    for code in 0..colourings {
        pace.step()?;
        let mut rest = code;
        let stones = points.iter().filter_map(|&point| {
            let sign = rest % 3;
            rest /= 3;
            [None, Some((point, Color::Black)), Some((point, Color::White))][sign as usize]
        });
        if board.set_position(stones, Color::Black).is_ok() {
            visit(&board);
        }
    }
    Ok(())
}

/// A stone played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) point: Point,
    /// The point that simple ko then forbids to the opponent.
    pub(super) ko: Option<Point>,
}

/// A position with all that simple ko and the end by two passes depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Situation {
    pub(super) position: u32,
    pub(super) to_play: Color,
    /// Whether the last ply was a pass.
    pub(super) passed: bool,
    /// The point that simple ko forbids.
    pub(super) ko: Option<Point>,
}

/// The legal positions as numbers, 0 the empty one, and for each the moves of both colours that its suicide rule allows. Ko and superko are
/// left to the user.
pub(super) struct PositionGraph {
    /// An empty board of the size and suicide rule.
    pub(super) board: Board<1>,
    pub(super) positions: Vec<Colouring<1>>,
    pub(super) index: MixMap<Colouring<1>, u32>,
    /// Black's area minus White's, per position.
    pub(super) margins: Vec<i8>,
    edges: Vec<Edge>,
    /// Where the edges of position `p` and colour `c` begin: entry `2 p + c`.
    begins: Vec<u32>,
}

impl PositionGraph {
    /// # Errors
    /// [`CountError::TooLarge`] above [`MAX_POINTS`], [`CountError::Stopped`].
    pub(super) fn new(size: BoardSize, suicide: Suicide, pace: &mut Pace<'_>) -> Result<Self, CountError> {
        let mut positions = Vec::new();
        for_each_position(size, suicide, pace, &mut |board| positions.push(board.colouring()))?;
        let numbered = positions.iter().enumerate().map(|(number, &colouring)| (colouring, number as u32));
        let index: MixMap<_, _> = numbered.collect();
        let board = Board::new(size, suicide);
        let mut graph =
            Self { board, index, margins: Vec::new(), edges: Vec::new(), begins: vec![0], positions };
        let mut moves = Vec::new();
        for_each_position(size, suicide, pace, &mut |board| {
            graph.margins.push(board.area().margin() as i8);
            for color in Color::BOTH {
                let mut board = board.clone();
                board.set_to_play(color);
                moves.clear();
                moves.extend(board.legal_points());
                for &point in &moves {
                    let mut after = board.clone();
                    after.play_unchecked(point);
                    let to = graph.index[&after.colouring()];
                    graph.edges.push(Edge { to, point, ko: after.ko_point() });
                }
                graph.begins.push(graph.edges.len() as u32);
            }
        })?;
        Ok(graph)
    }

    pub(super) fn edges(&self, position: u32, color: Color) -> &[Edge] {
        let at = 2 * position as usize + color.index();
        &self.edges[self.begins[at] as usize..self.begins[at + 1] as usize]
    }
}

/// All symmetries of the graph, the identity among them: those of the rectangle or square, each with and without exchanged colours. Returns for
/// each the image of every position, and the image of Black. On boards of one row or column several are the same.
pub(super) fn symmetries(graph: &PositionGraph) -> Vec<(Vec<u32>, Color)> {
    let board = &graph.board;
    let mut symmetries = Vec::new();
    for turn in Symmetry::for_size(board.size()) {
        let image = |set| board.set_of(board.points_of(set).map(|point| turn.apply(point, board.size())));
        for image_of_black in Color::BOTH {
            let images = graph.positions.iter().map(|colouring| {
                let [black, white] = colouring.stones.map(image);
                let stones = if image_of_black == Color::Black { [black, white] } else { [white, black] };
                graph.index[&Colouring { stones }]
            });
            symmetries.push((images.collect(), image_of_black));
        }
    }
    symmetries
}
