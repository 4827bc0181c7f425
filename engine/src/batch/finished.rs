//! What a batch gives out.

use crate::{Color, game::Repetition};

/// A move that recreates (or would recreate) an earlier position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuperkoEvent {
    /// Plies played before this move.
    pub ply: u32,
    /// The earlier position and the cycle in between.
    pub repetition: Repetition,
}

/// A game that has come to its end.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// Plies, passes included.
    pub plies: u32,
    /// Passes of Black and White.
    pub passes: [u32; 2],
    /// Whether it ended by two passes; otherwise the ply cap cut it off.
    pub is_over: bool,
    /// The final stones of Black and White: for each row a number whose bit *c* is the point in column *c*.
    pub stones: [&'a [u32]; 2],
    /// The first ply, as [`moves`](Self::moves) has it. None in a game without plies, and where neither moves nor repetitions were asked for or
    /// needed for superko.
    pub first_move: Option<u16>,
    /// All plies as row-major indices of points, the number of points for a pass. Empty unless asked for.
    pub moves: &'a [u16],
    /// The draws that the superko rule refused. Empty unless asked for or found under superko.
    pub refused: &'a [SuperkoEvent],
    /// The moves that recreated an earlier position. Empty unless asked for or found under superko.
    pub repeated: &'a [SuperkoEvent],
}

impl Finished<'_> {
    /// Stones of this colour that were put on the board.
    #[must_use]
    #[inline]
    pub fn placed(&self, color: Color) -> u32 {
        let turns = match color {
            Color::Black => self.plies.div_ceil(2),
            Color::White => self.plies / 2,
        };
        turns - self.passes[color.index()]
    }
}
