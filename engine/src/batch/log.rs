//! The moves of the games in play, and a signature of each position they went through.

use super::state::Field;
use crate::{
    BoardSize, Point,
    simd::{Vector, Wide},
};

/// Steps that the log holds before it is copied into the games' records: more than most games take, so that few plies are copied of games whose
/// moves nobody asks for.
const STEPS: usize = 1024;

/// The plies of all games.
///
/// A step writes one row of the log, in which each game has a place. A game reads its places when it ends, when its history is searched, or when
/// the log is full.
pub(super) struct Log<V: Vector> {
    /// What each step did in each game: [codes](Ply::code), or [`NOTHING`](Self::NOTHING).
    codes: Vec<V>,
    /// The signatures of the positions after each step, if they are kept.
    signatures: Vec<V::Wide>,
    games: Vec<Plies>,
    /// The moves asked for last, and places for more.
    moves: Vec<u16>,
}

/// A move and, where signatures are kept, the highest bits of the signature of the position that it led to.
#[derive(Clone, Copy)]
pub(super) struct Ply {
    /// The row-major index of the point, or the number of points for a pass.
    pub(super) code: u16,
    pub(super) signature: u16,
}

impl Ply {
    /// The point; none for a pass.
    pub(super) const fn point(self, size: BoardSize) -> Option<Point> {
        Point::from_index(self.code as usize, size)
    }
}

/// The bits of a signature that are compared: the highest of its lane, which depend on all points.
pub(super) fn highest<N: Wide>(signature: u32) -> u16 {
    (signature >> (N::LANE_BITS - u16::BITS)) as u16
}

/// The plies of one game.
struct Plies {
    /// Rows of the log read.
    rows_read: usize,
    count: usize,
    /// The plies, of which `count` are valid, and one more place, so that copying needs no branch.
    plies: Vec<Ply>,
}

impl<V: Vector> Log<V> {
    /// In a lane: no move.
    pub(super) const NOTHING: u32 = u32::MAX >> (u32::BITS - V::LANE_BITS);

    /// No plies yet.
    pub(super) fn new(lanes: usize, ply_cap: u16) -> Self {
        let plies = usize::from(ply_cap);
        let game = || Plies { rows_read: 0, count: 0, plies: vec![Ply { code: 0, signature: 0 }; plies + 1] };
        Self {
            codes: Vec::with_capacity(if lanes > 0 { STEPS } else { 0 }),
            signatures: Vec::with_capacity(if lanes > 0 { STEPS } else { 0 }),
            games: (0..lanes).map(|_| game()).collect(),
            moves: vec![0; plies + 1],
        }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        let game = &mut self.games[lane];
        game.rows_read = self.codes.len();
        game.count = 0;
    }

    /// Notes what a step did, and the signatures of the positions afterwards, if they are kept.
    #[inline(always)]
    pub(super) fn write(&mut self, codes: V, signatures: Option<V::Wide>) {
        if self.codes.len() == STEPS {
            self.empty();
        }
        self.codes.push(codes);
        self.signatures.extend(signatures);
    }

    #[inline(never)]
    fn empty(&mut self) {
        for (lane, game) in self.games.iter_mut().enumerate() {
            let mut count = game.count;
            for (row, codes) in self.codes.iter().enumerate().skip(game.rows_read) {
                let code = codes.lane(lane);
                let signature = self.signatures.get(row).map_or(0, |row| highest::<V::Wide>(row.lane(lane)));
                game.plies[count] = Ply { code: code as u16, signature };
                count += usize::from(code != Self::NOTHING);
            }
            game.count = count;
            game.rows_read = 0;
        }
        self.codes.clear();
        self.signatures.clear();
    }

    /// The plies of one game so far, where signatures are kept.
    #[inline]
    pub(super) fn plies(&self, lane: usize) -> impl DoubleEndedIterator<Item = Ply> {
        let Plies { rows_read, count, plies } = &self.games[lane];
        let in_log = self.codes[*rows_read..].iter().zip(&self.signatures[*rows_read..]);
        let in_log = in_log.filter_map(move |(codes, signatures)| {
            let code = codes.lane(lane);
            let ply = || Ply { code: code as u16, signature: highest::<V::Wide>(signatures.lane(lane)) };
            (code != Self::NOTHING).then(ply)
        });
        plies[..*count].iter().copied().chain(in_log)
    }

    /// The code of the first ply of one game.
    #[inline]
    pub(super) fn first_code(&self, lane: usize) -> Option<u16> {
        let Plies { rows_read, count, plies } = &self.games[lane];
        let mut in_log = self.codes[*rows_read..].iter().map(|codes| codes.lane(lane));
        let copied = plies[..*count].first().map(|ply| ply.code);
        copied.or_else(|| in_log.find(|&code| code != Self::NOTHING).map(|code| code as u16))
    }

    /// The codes of all plies of one game.
    #[inline]
    pub(super) fn moves(&mut self, lane: usize) -> &[u16] {
        let Self { codes, games, moves, .. } = self;
        let Plies { rows_read, count, plies } = &games[lane];
        moves.iter_mut().zip(&plies[..*count]).for_each(|(code, ply)| *code = ply.code);
        let mut count = *count;
        for codes in &codes[*rows_read..] {
            let code = codes.lane(lane);
            moves[count] = code as u16;
            count += usize::from(code != Self::NOTHING);
        }
        &moves[..count]
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
pub(super) fn row_factors<N: Wide>(isa: N::Isa) -> Field<N> {
    Field::from_fn(|row| N::splat(isa, row_factor(row as u32)))
}
