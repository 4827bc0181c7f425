//! The moves of the games in play.

use crate::backend::MAX_LANES;

/// In the log of a step: no move.
pub(super) const NOTHING: u16 = u16::MAX;

/// Steps that the log holds before it is copied into the games' records: so many that the copy reads whole cache lines, so few that they stay
/// near.
const STEPS: usize = 64;

/// The moves of all games.
///
/// A step writes one row of the log, in which each game has a column. A game reads its column when it ends, when somebody asks about its
/// history, or when the log is full.
pub(super) struct MoveLog {
    rows: Box<[[u16; MAX_LANES]; STEPS]>,
    row_count: usize,
    games: Vec<Moves>,
}

/// The moves of one game.
struct Moves {
    /// Rows of the log read.
    rows_read: usize,
    /// The moves, of which `ply_count` are valid, and one more place, so that copying needs no branch.
    moves: Vec<u16>,
    ply_count: usize,
}

impl MoveLog {
    /// No moves yet.
    pub(super) fn new(lanes: usize, ply_cap: u16) -> Self {
        let moves = || Moves { rows_read: 0, moves: vec![NOTHING; usize::from(ply_cap) + 1], ply_count: 0 };
        Self {
            rows: Box::new([[NOTHING; MAX_LANES]; STEPS]),
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

    /// A row for the moves of the next step, to be written in full.
    #[inline(always)]
    pub(super) fn next_row(&mut self) -> &mut [u16; MAX_LANES] {
        if self.row_count == STEPS {
            for lane in 0..self.games.len() {
                self.read(lane);
                self.games[lane].rows_read = 0;
            }
            self.row_count = 0;
        }
        self.row_count += 1;
        &mut self.rows[self.row_count - 1]
    }

    /// The moves of one game so far.
    #[inline]
    pub(super) fn moves(&mut self, lane: usize) -> &[u16] {
        self.read(lane);
        let game = &self.games[lane];
        &game.moves[..game.ply_count]
    }

    #[inline]
    fn read(&mut self, lane: usize) {
        let game = &mut self.games[lane];
        let lane = lane % MAX_LANES;
        let mut count = game.ply_count;
        for row in &self.rows[game.rows_read..self.row_count] {
            game.moves[count] = row[lane];
            count += usize::from(row[lane] != NOTHING);
        }
        game.ply_count = count;
        game.rows_read = self.row_count;
    }
}
