//! The moves of the games in play, and a signature of each position they went through.

use super::state::Field;
use crate::{
    BoardSize, Point,
    simd::{MAX_LANES, Vector},
};

/// In the log: no move.
pub(super) const NOTHING: u16 = u16::MAX;

/// Steps that the log holds before it is copied into the games' records: more than most games take, so that few plies are copied of games whose
/// moves nobody asks for.
const STEPS: usize = 1024;

/// The plies of all games.
///
/// A step writes one row of the log, in which each game has a place. A game reads its places when it ends, when its history is searched, or when
/// the log is full.
pub(super) struct Log {
    /// What each step did in each game.
    rows: Vec<[Ply; MAX_LANES]>,
    row_count: usize,
    games: Vec<Plies>,
    /// The moves asked for last.
    moves: Vec<u16>,
}

/// A move and, where signatures are kept, the highest bits of the signature of the position that it led to.
#[derive(Clone, Copy)]
pub(super) struct Ply(u32);

impl Ply {
    /// The row-major index of the point, the number of points for a pass, or [`NOTHING`].
    #[inline(always)]
    pub(super) const fn code(self) -> u16 {
        self.0 as u16
    }

    /// The point; none for a pass.
    pub(super) const fn point(self, size: BoardSize) -> Option<Point> {
        Point::from_index(self.code() as usize, size)
    }

    #[inline(always)]
    pub(super) const fn signature(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

/// The plies of one game.
struct Plies {
    /// Rows of the log read.
    rows_read: usize,
    count: usize,
    /// The plies, of which `count` are valid, and one more place, so that copying needs no branch.
    plies: Vec<Ply>,
}

impl Log {
    /// No plies yet.
    pub(super) fn new(lanes: usize, ply_cap: u16) -> Self {
        let plies = usize::from(ply_cap);
        let game = || Plies { rows_read: 0, count: 0, plies: vec![Ply(0); plies + 1] };
        Self {
            rows: vec![[Ply(0); MAX_LANES]; STEPS],
            row_count: 0,
            games: (0..lanes).map(|_| game()).collect(),
            moves: Vec::with_capacity(if lanes > 0 { plies } else { 0 }),
        }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        let game = &mut self.games[lane];
        game.rows_read = self.row_count;
        game.count = 0;
    }

    /// Notes the [code](Ply::code) of what a step did in each game, and signatures of the positions afterwards.
    #[inline(always)]
    pub(super) fn write<V: Vector>(&mut self, codes: V, signatures: V) {
        if self.row_count == STEPS {
            self.empty();
        }
        let mut pairs = [0; MAX_LANES];
        codes.store_pairs(signatures, &mut pairs);
        self.rows[self.row_count] = pairs.map(Ply);
        self.row_count += 1;
    }

    #[inline(never)]
    fn empty(&mut self) {
        for lane in 0..self.games.len() {
            self.read(lane);
            self.games[lane].rows_read = 0;
        }
        self.row_count = 0;
    }

    /// The plies of one game so far.
    #[inline]
    pub(super) fn plies(&self, lane: usize) -> impl DoubleEndedIterator<Item = Ply> {
        let Plies { rows_read, count, plies } = &self.games[lane];
        let in_log = self.rows[*rows_read..self.row_count].iter().map(move |row| row[lane]);
        plies[..*count].iter().copied().chain(in_log.filter(|ply| ply.code() != NOTHING))
    }

    /// The codes of all plies of one game.
    #[inline]
    pub(super) fn moves(&mut self, lane: usize) -> &[u16] {
        self.read(lane);
        let game = &self.games[lane];
        self.moves.clear();
        self.moves.extend(game.plies[..game.count].iter().map(|ply| ply.code()));
        &self.moves
    }

    #[inline]
    fn read(&mut self, lane: usize) {
        let Self { rows, row_count, games, .. } = self;
        let game = &mut games[lane];
        let plies = &mut game.plies[..];
        let mut count = game.count;
        for row in &rows[game.rows_read..*row_count] {
            let ply = row[lane];
            plies[count] = ply;
            count += usize::from(ply.code() != NOTHING);
        }
        game.count = count;
        game.rows_read = *row_count;
    }
}

/// The signature of a set of stones of one colour is the sum of its rows, each multiplied by this factor, and by [`WHITE_FACTOR`] if it is
/// White's; that of a position is the sum of both.
///
/// The factors are odd, so that a single stone always counts, and those of two rows differ in as many low bits as possible.
pub(super) const fn row_factor(row: u32) -> u32 {
    row.wrapping_mul(ROW_STEP).wrapping_add(1)
}

/// The distance of the factors of neighbouring rows: twice an odd number.
pub(super) const ROW_STEP: u32 = 2 * 0x4f1b_bcdd;

/// An odd number.
pub(super) const WHITE_FACTOR: u32 = 0x2c1b_3c6d;

/// The factors of all rows.
pub(super) fn row_factors<V: Vector>(isa: V::Isa) -> Field<V> {
    Field::from_fn(|row| V::splat(isa, row_factor(row as u32)))
}
