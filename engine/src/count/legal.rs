//! Legal positions of tiny boards one by one, and the moves in them.

use super::{CountError, Pace, Report, positions::for_each_position};
use crate::{BoardSize, Color, Suicide};

/// Counts the legal positions by trying every colouring: the slow check of [`legal_positions`](super::legal_positions).
///
/// A step of progress is one colouring. Cost: 3^points set-ups of a board.
///
/// # Errors
/// [`CountError::TooLarge`] above 12 points, [`CountError::Stopped`].
pub fn enumerate_legal_positions(size: BoardSize, report: Report<'_>) -> Result<u64, CountError> {
    let mut count = 0;
    for_each_position(size, Suicide::Forbidden, &mut Pace::new(report), &mut |_| count += 1)?;
    Ok(count)
}

/// The stones that could be played on the empty points of all legal positions, each position once with Black and once with White to move.
/// Ko is not considered: positions have no history here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveTotals {
    /// Moves that leave the new stone on the board.
    pub no_suicides: u64,
    /// Moves that would remove the mover's own chain of two or more stones.
    pub chain_suicides: u64,
    /// Moves that would remove just the stone played.
    pub stone_suicides: u64,
    /// Moves that remove opposing stones; all are among `no_suicides`.
    pub captures: u64,
}

/// Adds up the moves of both colours over all legal positions.
///
/// A step of progress is one colouring. Cost: as [`enumerate_legal_positions`], and the moves of each legal position.
///
/// # Errors
/// [`CountError::TooLarge`] above 12 points, [`CountError::Stopped`].
///
/// # Examples
/// ```
/// use jigo_engine::{BoardSize, count::{MoveTotals, move_totals}};
/// use std::ops::ControlFlow;
/// let totals = move_totals(BoardSize::new(2, 1).unwrap(), &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!(totals, MoveTotals { no_suicides: 8, chain_suicides: 4, stone_suicides: 0, captures: 4 });
/// ```
pub fn move_totals(size: BoardSize, report: Report<'_>) -> Result<MoveTotals, CountError> {
    let mut totals = MoveTotals::default();
    for_each_position(size, Suicide::Allowed, &mut Pace::new(report), &mut |board| {
        for color in Color::BOTH {
            for bit in board.empty().iter() {
                let captures = !board.captured_by(color, bit).is_empty();
                match board.given_up_by(color, bit).count() {
                    _ if captures => totals.captures += 1,
                    0 => totals.no_suicides += 1,
                    1 => totals.stone_suicides += 1,
                    _ => totals.chain_suicides += 1,
                }
            }
        }
    })?;
    totals.no_suicides += totals.captures;
    Ok(totals)
}
