//! Lines of play that show why a chain has its status.

use super::{
    StatusReport,
    decided::Basis,
    local::{Goal, Part, PartPoint},
    open::Claim,
};
use crate::{Board, Color, IllegalMove, Move, Point, Position, Suicide, bitboard::Bitboard};

/// What is asked about a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Whether its opponent captures it.
    Capture,
    /// Whether its owner makes it unconditionally alive.
    Life,
}

/// A line of play that answers a question about a chain. Who gets what he wants takes the shortest way that was found, the other player
/// resists as long as he can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The plies, players in turn. Ko forbids nothing.
    pub moves: Vec<(Color, Move)>,
    /// Why it is over.
    pub end: LineEnd,
    /// States that the search looked at which found it.
    pub visits: usize,
}

/// Why a line of play is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// The chain is captured.
    Captured,
    /// The chain is unconditionally alive, or connected to stones that were so from the start.
    Alive,
    /// Who wants to capture the chain, or to make it unconditionally alive, has no legal move in this part of the board but to pass.
    NoMove,
}

impl Question {
    pub(super) fn goal(self) -> Goal {
        match self {
            Self::Capture => Goal::Capture,
            Self::Life => Goal::Life,
        }
    }
}

impl<const W: usize> Position<W> {
    /// The position after the plies of a line. Ko forbids nothing, and nobody has to move in turn.
    ///
    /// # Errors
    /// Why a ply is illegal, the first that is.
    ///
    /// # Panics
    /// When a chain of this position has no liberty.
    pub fn after_plies(
        &self,
        plies: impl IntoIterator<Item = (Color, Move)>,
        suicide: Suicide,
    ) -> Result<Self, IllegalMove> {
        let mut board: Board<W> = Board::new(self.size(), suicide);
        plies.into_iter().try_fold(self.clone(), |position, (color, mv)| {
            let of = |color| position.stones(color).map(move |point| (point, color));
            let stones: Vec<(Point, Color)> = Color::BOTH.into_iter().flat_map(of).collect();
            // Set up anew, so that ko forbids nothing.
            board.set_position(stones, color).expect("every chain has a liberty");
            board.play(mv)?;
            Ok(board.position())
        })
    }
}

impl<const W: usize> StatusReport<'_, W> {
    /// The line that answers a question about the chain on `point` when `first` moves first.
    ///
    /// `None` where no line says it all: the chain is unconditionally alive or in unconditional territory at once, its part of the board is
    /// too large and it is not shown to be captured in a zone of the open board, the search gives up, or the answer depends on repetition.
    #[must_use]
    pub fn line(&self, point: Point, question: Question, first: Color) -> Option<Line> {
        self.chain_at(point).filter(|chain| chain.basis != Basis::Life)?;
        let in_part = |part: Part| self.line_in_part(&part, point, question, first);
        self.small_parts(point).find_map(in_part).or_else(|| match question {
            Question::Capture => self.capture_in_zone(point, first),
            Question::Life => None,
        })
    }

    /// The part around a point between unconditionally alive stones and, if that is another one, the part between groups that hold, where they
    /// may be searched.
    fn small_parts(&self, point: Point) -> impl Iterator<Item = Part> {
        let position = self.board.position;
        let mut last = None;
        self.borders.iter().filter_map(move |borders| {
            let is_new = |part: &Bitboard<W>| last.replace(*part) != Some(*part);
            let part = borders.part_at(position, point).filter(is_small).filter(is_new)?;
            Some(borders.local(position, part))
        })
    }

    fn line_in_part(&self, part: &Part, point: Point, question: Question, first: Color) -> Option<Line> {
        let to_point = |&PartPoint { x, y, .. }: &PartPoint| Point::new(x, y);
        let at = part.points.iter().position(|other| to_point(other) == point)?;
        let line = part.line(at, question, first, self.board.suicide, self.limit)?;
        let mv = |place: Option<usize>| match place {
            Some(place) => Move::Play(to_point(&part.points[place])),
            None => Move::Pass,
        };
        let moves = line.moves.into_iter().map(|(color, place)| (color, mv(place))).collect();
        Some(Line { moves, end: line.end, visits: line.visits })
    }

    /// The line by which the chain is captured in a zone of the open board.
    fn capture_in_zone(&self, point: Point, first: Color) -> Option<Line> {
        let bit = self.board.position.geometry().bit(point);
        self.shown.iter().find_map(|shown| match shown.claim {
            Claim::Captures(prey) if prey.contains(bit) => {
                let (moves, visits) = self.capture(shown, prey, first)?;
                Some(Line { moves, end: LineEnd::Captured, visits })
            }
            _ => None,
        })
    }
}

/// Whether a part may be searched.
fn is_small<const W: usize>(part: &Bitboard<W>) -> bool {
    part.count() as usize <= Part::MAX_POINTS
}
