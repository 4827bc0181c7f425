//! One position, kept up to date move by move.

mod candidates;
mod chain;
mod diagram;
mod eye;
mod legality;
mod play;
mod start;
mod undo;
mod validate;

use std::sync::Arc;

pub use candidates::{Among, Candidate, Candidates};
pub use diagram::InvalidDiagram;
pub use legality::IllegalMove;
pub use play::{MoveOutcome, NoLiberty};

use crate::{
    BoardSize, Color, Point, Position, Suicide,
    bitboard::Bitboard,
    geometry::Geometry,
    table::{Padded, Table},
};
use chain::{Liberties, Link};
use eye::Spoils;
use start::Start;
pub(crate) use undo::Changes;

/// A position with a player to move and a simple ko ban.
///
/// Chains, liberties and the position's hash are updated incrementally by [`play`](Self::play). History (superko, passes, prisoners, the
/// end of the game) is the business of [`Game`](crate::Game).
///
/// `W` is the number of 64-bit words in a bitboard. The default fits every size; a smaller one makes the same board faster and smaller:
/// see [`for_width!`](crate::for_width).
///
/// ```
/// use jigo_engine::{Board, BoardSize, Color, Move, Point, Suicide};
/// let mut board: Board = Board::new(BoardSize::square(5).unwrap(), Suicide::Forbidden);
/// for point in ["B1", "A1", "A2"] {
///     let point = Point::from_gtp(point, board.size()).unwrap();
///     board.play(Move::Play(point)).unwrap();
/// }
/// assert_eq!(board.stone_count(Color::White), 0); // the stone in the corner was captured
/// println!("{board}");
/// ```
#[derive(Clone, Debug)]
pub struct Board<const W: usize = 11> {
    geometry: Arc<Geometry<W>>,
    start: Arc<Start<W>>,
    suicide: Suicide,
    stones: [Bitboard<W>; 2],
    to_play: Color,
    /// The point that simple ko forbids to the player to move.
    ko: Option<u16>,
    hash: u64,
    /// The stones of each colour's chains that have one liberty.
    atari: [Bitboard<W>; 2],
    /// Where each colour's stones prevent eye-like points of the other.
    spoils: [Spoils<W>; 2],
    /// Which entry of the next two tables tells about a point.
    links: Padded<Link>,
    /// The liberties of each chain, and the empty points beside each empty one.
    liberties: Table<Liberties, W>,
    /// The stones of each chain; empty in all other entries.
    chains: Table<Bitboard<W>, W>,
    /// What the last move that removed stones removed.
    removed: Bitboard<W>,
}

/// A colouring of the board, for comparing and storing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Colouring<const W: usize> {
    pub(crate) stones: [Bitboard<W>; 2],
}

impl<const W: usize> Board<W> {
    /// An empty board, Black to move.
    ///
    /// # Panics
    /// When `W` words are too few for the size. The default width fits every size.
    #[must_use]
    pub fn new(size: BoardSize, suicide: Suicide) -> Self {
        let geometry = Geometry::new(size);
        let start = Start::new(&geometry);
        Self {
            suicide,
            stones: [Bitboard::EMPTY; 2],
            to_play: Color::Black,
            ko: None,
            hash: 0,
            atari: [Bitboard::EMPTY; 2],
            spoils: [start.spoils; 2],
            links: start.links,
            liberties: start.liberties,
            chains: Table::filled(Bitboard::EMPTY),
            removed: Bitboard::EMPTY,
            geometry: Arc::new(geometry),
            start: Arc::new(start),
        }
    }

    /// Takes all stones off; Black moves. Cheaper than a new board.
    pub fn clear(&mut self) {
        self.stones = [Bitboard::EMPTY; 2];
        self.atari = [Bitboard::EMPTY; 2];
        self.to_play = Color::Black;
        self.ko = None;
        self.hash = 0;
        self.chains = Table::filled(Bitboard::EMPTY);
        let start = &*self.start;
        self.spoils = [start.spoils; 2];
        self.links.copy_from::<W>(&start.links);
        self.liberties = start.liberties;
    }

    /// The board's size.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.geometry.size
    }

    /// Whether chains may be given up.
    #[must_use]
    pub fn suicide(&self) -> Suicide {
        self.suicide
    }

    /// The player to move.
    #[inline(always)]
    #[must_use]
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// Gives the move to `color` and lifts the ko ban if that changes who moves.
    pub fn set_to_play(&mut self, color: Color) {
        if color != self.to_play {
            self.to_play = color;
            self.ko = None;
        }
    }

    /// The stone on `point`, if there is one.
    ///
    /// # Panics
    /// May panic when the point is not on the board.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Color> {
        let bit = self.geometry.bit(point);
        Color::BOTH.into_iter().find(|color| self.stones[color.index()].contains(bit))
    }

    /// The points of this colour's stones, in row-major order.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> {
        self.points_of(self.stones[color.index()])
    }

    /// Number of stones of this colour.
    #[must_use]
    pub fn stone_count(&self, color: Color) -> usize {
        self.stones[color.index()].count() as usize
    }

    /// The empty points, in row-major order.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.points_of(self.empty())
    }

    /// The point that simple ko forbids to the player to move, if any.
    #[must_use]
    pub fn ko_point(&self) -> Option<Point> {
        self.ko.map(|bit| self.geometry.point(usize::from(bit)))
    }

    /// A 64-bit hash of the colouring alone: neither the player to move nor the ko ban enter it. Equal colourings have equal hashes;
    /// the converse is likely but not certain.
    ///
    /// # Stability
    /// The same position has the same hash in every version with the same major number.
    #[inline(always)]
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The stones alone.
    #[must_use]
    pub fn position(&self) -> Position<W> {
        Position::of(&self.geometry, self.stones)
    }

    #[inline(always)]
    pub(crate) fn geometry(&self) -> &Geometry<W> {
        &self.geometry
    }

    /// The stones that the last move that removed any removed. Meaningless before.
    pub(crate) fn last_removed(&self) -> Bitboard<W> {
        self.removed
    }

    pub(crate) fn colouring(&self) -> Colouring<W> {
        Colouring { stones: self.stones }
    }

    pub(crate) fn stone_set(&self, color: Color) -> Bitboard<W> {
        self.stones[color.index()]
    }

    #[inline]
    pub(crate) fn empty(&self) -> Bitboard<W> {
        self.geometry.on_board.without(self.stones[0] | self.stones[1])
    }

    pub(crate) fn points_of(&self, set: Bitboard<W>) -> impl Iterator<Item = Point> {
        set.iter().map(|bit| self.geometry.point(bit))
    }

    /// The set of these points; what lies outside the board is passed over.
    pub(crate) fn set_of(&self, points: impl IntoIterator<Item = Point>) -> Bitboard<W> {
        let inside = points.into_iter().filter(|&point| self.size().contains(point));
        inside.map(|point| self.geometry.bit(point)).collect()
    }
}

/// Equal when size, suicide rule, stones, player to move and ko ban are equal: then the same moves are legal and lead to equal boards.
impl<const W: usize> PartialEq for Board<W> {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size()
            && self.suicide == other.suicide
            && self.stones == other.stones
            && self.to_play == other.to_play
            && self.ko == other.ko
    }
}

impl<const W: usize> Eq for Board<W> {}
