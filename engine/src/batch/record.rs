//! The moves of the games in play, and a signature of each position they went through.

use super::fields::Field;
use crate::backend::Vector;

/// In the log: no move.
pub(super) const NOTHING: u32 = u16::MAX as u32;

/// Steps that the log holds before it is copied into the games' records: so many that the copy reads whole cache lines, so few that they stay
/// near.
const STEPS: usize = 64;

/// The moves of all games.
///
/// A step writes one row of the log, in which each game has a lane. A game reads its lane when it ends, when somebody asks about its history,
/// or when the log is full.
pub(super) struct Log<V> {
    rows: Vec<Row<V>>,
    row_count: usize,
    games: Vec<Moves>,
}

/// What a step did in all games.
#[derive(Clone, Copy)]
pub(super) struct Row<V> {
    /// The row-major index of the point, the number of points for a pass, or [`NOTHING`].
    pub(super) moves: V,
    /// The signature of the position afterwards, where signatures are kept.
    pub(super) signature: V,
}

/// The moves of one game.
struct Moves {
    /// Rows of the log read.
    rows_read: usize,
    ply_count: usize,
    /// The moves, of which `ply_count` are valid, and one more place, so that copying needs no branch.
    moves: Vec<u16>,
    /// The signatures of the positions before the first and after each ply; one more place, too. Empty if they are not kept.
    signatures: Vec<u32>,
}

/// Whether positions get signatures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Signatures {
    Kept,
    Left,
}

impl<V: Vector> Log<V> {
    /// No moves yet.
    pub(super) fn new(isa: V::Isa, lanes: usize, ply_cap: u16, signatures: Signatures) -> Self {
        let plies = usize::from(ply_cap);
        let moves = || Moves {
            rows_read: 0,
            ply_count: 0,
            moves: vec![0; plies + 1],
            signatures: vec![0; if signatures == Signatures::Kept { plies + 2 } else { 0 }],
        };
        let zero = V::splat(isa, 0);
        Self {
            rows: vec![Row { moves: zero, signature: zero }; STEPS],
            row_count: 0,
            games: (0..lanes).map(|_| moves()).collect(),
        }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        let game = &mut self.games[lane];
        game.rows_read = self.row_count;
        game.ply_count = 0;
    }

    /// Notes what a step did.
    #[inline(always)]
    pub(super) fn write(&mut self, row: Row<V>) {
        if self.row_count == STEPS {
            self.empty();
        }
        self.rows[self.row_count] = row;
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

    /// The moves of one game so far, and, if they are kept, the signatures of its positions, one more.
    #[inline]
    pub(super) fn moves(&mut self, lane: usize) -> (&[u16], &[u32]) {
        self.read(lane);
        let game = &self.games[lane];
        let signatures = if game.signatures.is_empty() { 0 } else { game.ply_count + 1 };
        (&game.moves[..game.ply_count], &game.signatures[..signatures])
    }

    #[inline]
    fn read(&mut self, lane: usize) {
        let Self { rows, row_count, games } = self;
        let game = &mut games[lane];
        let rows = &rows[game.rows_read..*row_count];
        let mut count = game.ply_count;
        let (moves, signatures) = (&mut game.moves[..], &mut game.signatures[..]);
        if signatures.is_empty() {
            for row in rows {
                let mv = row.moves.lane(lane);
                moves[count] = mv as u16;
                count += usize::from(mv != NOTHING);
            }
        } else {
            for row in rows {
                let mv = row.moves.lane(lane);
                moves[count] = mv as u16;
                signatures[count + 1] = row.signature.lane(lane);
                count += usize::from(mv != NOTHING);
            }
        }
        game.ply_count = count;
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
