//! Taking plies back.

use super::{Game, recurrence::Recurrence};
use crate::Board;

/// Where a game stood at some ply, to [rewind](Game::rewind) it there.
///
/// Holds the position and the counters, not the history: it costs a copy of the board, whatever the game's length.
#[derive(Clone, Debug)]
pub struct Mark<const W: usize = 11> {
    board: Board<W>,
    recurrence: Recurrence<W>,
    prisoners: [u32; 2],
    placed: [u32; 2],
    consecutive_passes: u32,
    ply_count: u32,
}

impl<const W: usize> Mark<W> {
    /// The position at the mark.
    #[must_use]
    pub fn board(&self) -> &Board<W> {
        &self.board
    }
}

impl<const W: usize> Game<W> {
    /// Remembers where the game stands.
    #[must_use]
    pub fn mark(&self) -> Mark<W> {
        Mark {
            board: self.board.clone(),
            recurrence: self.recurrence,
            prisoners: self.prisoners,
            placed: self.placed,
            consecutive_passes: self.consecutive_passes,
            ply_count: self.ply_count(),
        }
    }

    /// Takes back all plies since `mark`, any number of times.
    ///
    /// The mark must be of this game and its plies must still be part of it: after [`clear`](Self::clear),
    /// [`set_position`](Self::set_position) or a rewind to an earlier mark the history no longer fits the position.
    ///
    /// # Panics
    /// When the game has fewer plies than the mark.
    pub fn rewind(&mut self, mark: &Mark<W>) {
        assert!(
            mark.ply_count <= self.ply_count(),
            "the mark is of ply {}, the game only at {}",
            mark.ply_count,
            self.ply_count()
        );
        self.history.truncate(mark.ply_count);
        self.board.clone_from(&mark.board);
        self.recurrence = mark.recurrence;
        self.prisoners = mark.prisoners;
        self.placed = mark.placed;
        self.consecutive_passes = mark.consecutive_passes;
    }
}
