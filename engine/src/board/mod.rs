//! One position, kept up to date move by move.

mod chain;
mod diagram;
mod legality;
mod play;
mod undo;

use std::sync::Arc;

pub use diagram::InvalidDiagram;
pub use legality::{Among, Candidate, Candidates, IllegalMove};
pub use play::{MoveOutcome, NoLiberty};

use crate::{
    BoardSize, Color, Point, Position, Suicide,
    bitboard::{Bitboard, Padded, Table},
    geometry::Geometry,
    simd::prefetch,
};
use chain::{Liberties, Link};
pub(crate) use legality::Spoils;
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
    /// The points without a stone. Kept, because the choice of the next move waits for it.
    empty: Bitboard<W>,
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
    liberties: Box<Table<Liberties, W>>,
    /// The stones of each chain; empty in all other entries.
    chains: Box<Table<Bitboard<W>, W>>,
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
            empty: geometry.on_board,
            to_play: Color::Black,
            ko: None,
            hash: 0,
            atari: [Bitboard::EMPTY; 2],
            spoils: [start.spoils; 2],
            links: start.links,
            liberties: Box::new(start.liberties),
            chains: Box::new(Table::filled(Bitboard::EMPTY)),
            removed: Bitboard::EMPTY,
            geometry: Arc::new(geometry),
            start: Arc::new(start),
        }
    }

    /// Takes all stones off; Black moves. Cheaper than a new board.
    pub fn clear(&mut self) {
        self.stones = [Bitboard::EMPTY; 2];
        self.empty = self.geometry.on_board;
        self.atari = [Bitboard::EMPTY; 2];
        self.to_play = Color::Black;
        self.ko = None;
        self.hash = 0;
        *self.chains = Table::filled(Bitboard::EMPTY);
        let start = &*self.start;
        self.spoils = [start.spoils; 2];
        self.links.copy_from::<W>(&start.links);
        *self.liberties = start.liberties;
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

    /// Asks for the memory that a move on `bit` needs first: the board's own sets and what is on the points beside.
    #[inline(always)]
    pub(crate) fn prefetch(&self, bit: usize) {
        prefetch(&self.stones);
        prefetch(&self.spoils);
        self.geometry.beside(bit).iter().for_each(|&near| prefetch(&self.links[near]));
    }

    /// Asks for the memory of the chains beside `bit`, which a move there needs next. It reads what [`prefetch`](Self::prefetch) asks for.
    #[inline(always)]
    pub(crate) fn prefetch_chains(&self, bit: usize) {
        let roots = self.geometry.beside(bit).map(|near| self.links[near].root());
        for root in roots.into_iter().chain([bit]) {
            prefetch(&self.liberties[root]);
            prefetch(&self.chains[root]);
        }
    }

    pub(crate) fn set_ko(&mut self, point: Option<Point>) {
        self.ko = point.map(|point| self.geometry.bit(point) as u16);
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

    /// The stones of one colour as bits in row-major order: point *n* is bit *n* mod 64 of word *n* / 64.
    #[inline(always)]
    #[must_use]
    pub fn stone_bits(&self, color: Color) -> [u64; W] {
        self.geometry.bits_of(self.stones[color.index()])
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
        self.ko_bit().map(|bit| self.geometry.point(usize::from(bit)))
    }

    #[inline(always)]
    pub(crate) fn ko_bit(&self) -> Option<u16> {
        self.ko
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
        Position::from_sets(&self.geometry, self.stones)
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
        self.empty
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

/// What [`Board::clear`](super::Board::clear) copies instead of working it out for each game.
#[derive(Clone, Debug)]
struct Start<const W: usize> {
    spoils: Spoils<W>,
    links: Padded<Link>,
    liberties: Table<Liberties, W>,
}

impl<const W: usize> Start<W> {
    /// The entry for everything outside the board. It belongs to no point: see [`words`](crate::geometry::words).
    const OUTSIDE: usize = 64 * W - 1;

    fn new(geometry: &Geometry<W>) -> Self {
        let mut start = Self {
            spoils: Spoils::new(Bitboard::EMPTY, geometry),
            links: Padded::filled(Link::empty(Self::OUTSIDE)),
            liberties: Table::filled(Liberties::NONE),
        };
        for bit in geometry.on_board.iter() {
            start.links[bit] = Link::empty(bit);
            geometry
                .neighbours(bit)
                .iter()
                .for_each(|near| start.liberties[bit].gain(Liberties::single(near)));
        }
        start
    }
}

impl<const W: usize> Board<W> {
    /// Recomputes chains, liberties and hash from the stones alone and compares. For tests and for hunting faults: slow.
    ///
    /// # Errors
    /// A sentence that names the first difference.
    pub fn validate(&self) -> Result<(), String> {
        let geometry = &*self.geometry;
        if self.stones[0].intersects(self.stones[1]) {
            return Err("a point has two stones".to_owned());
        }
        if !(self.stones[0] | self.stones[1]).without(geometry.on_board).is_empty() {
            return Err("a stone stands beside the board".to_owned());
        }
        if self.empty != geometry.on_board.without(self.stones[0] | self.stones[1]) {
            return Err("the empty points are wrong".to_owned());
        }
        let mut hash = 0;
        let mut chains = Table::<_, W>::filled(Bitboard::EMPTY);
        for color in Color::BOTH {
            let stones = self.stones[color.index()];
            for part in geometry.parts(stones) {
                let liberties = geometry.adjacent(part) & self.empty();
                let at = geometry.point(part.first()).to_gtp(self.size());
                if liberties.is_empty() {
                    return Err(format!("the chain at {at} has no liberty"));
                }
                let root = self.links[part.first()].root();
                if !part.contains(root) {
                    return Err(format!("the entry of the chain at {at} is not its own"));
                }
                chains[root] = part;
                if self.liberties[root] != self.touching(part) {
                    return Err(format!("the liberties of the chain at {at} are wrong"));
                }
                let in_atari = self.atari[color.index()] & part;
                if in_atari != part.only_if(liberties.is_single()) {
                    return Err(format!("whether the chain at {at} is in atari is wrong"));
                }
                for bit in part.iter() {
                    if self.links[bit] != Link::stone(root, color) {
                        return Err(format!("a stone of the chain at {at} has another entry"));
                    }
                    hash ^= geometry.key(color, bit);
                }
            }
        }
        if (0..64 * W).any(|bit| self.chains[bit] != chains[bit]) {
            return Err("the stones of a chain are wrong".to_owned());
        }
        self.validate_points()?;
        if hash != self.hash {
            return Err("the hash is wrong".to_owned());
        }
        if self.ko.is_some_and(|ko| !self.empty().contains(usize::from(ko))) {
            return Err("the ko ban is not on an empty point".to_owned());
        }
        Ok(())
    }

    /// The same for what is known of single points.
    fn validate_points(&self) -> Result<(), String> {
        let geometry = &*self.geometry;
        for color in Color::BOTH {
            if !self.atari[color.index()].without(self.stones[color.index()]).is_empty() {
                return Err("a point without a stone is in atari".to_owned());
            }
            let spoils = Spoils::new(self.stones[color.index()], geometry);
            if !self.spoils[color.index()].agree(&spoils, geometry.on_board) {
                return Err(format!("where {color} prevents eye-like points is wrong"));
            }
        }
        for point in self.size().points() {
            let (bit, at) = (self.geometry.bit(point), point.to_gtp(self.size()));
            if !self.empty().contains(bit) {
                continue;
            }
            if self.links[bit] != Link::empty(bit) {
                return Err(format!("{at} is not known to be empty"));
            }
            if self.liberties[bit] != self.touching(Bitboard::single(bit)) {
                return Err(format!("the empty points beside {at} are wrong"));
            }
        }
        Ok(())
    }

    /// The empty points beside each of these, added up.
    fn touching(&self, points: Bitboard<W>) -> Liberties {
        let mut liberties = Liberties::NONE;
        for bit in points.iter() {
            let empty = *self.geometry.neighbours(bit) & self.empty();
            empty.iter().for_each(|near| liberties.gain(Liberties::single(near)));
        }
        liberties
    }
}
