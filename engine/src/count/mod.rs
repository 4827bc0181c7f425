//! Exact numbers for small boards: move trees, legal positions, games, and the result of best play.
//!
//! Nothing here estimates: a count that cannot be had ends in a [`CountError`] that names the limit. Functions that may run for long take
//! a report function, which sees how far they have come now and then and may stop the work.

mod games;
mod legal;
mod perft;
mod positions;
mod sekis;
mod solve;

use std::ops::ControlFlow;

pub use games::game_count;
pub use legal::{MoveTotals, legal_positions, move_totals};
pub use perft::{PlyCount, perft};
pub use sekis::{SekiCensus, SekiForm, seki_census};
pub use solve::{Solution, solve};

use crate::BoardSize;

/// Sees about every 65,536 steps how many are done: positions of a move tree, states of a table, as the function says. Their total is not known
/// beforehand. [`ControlFlow::Break`] ends the work with [`CountError::Stopped`].
pub type Report<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

/// Why a number cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// The method does not reach this size.
    #[error("a {size} board is too large: {limit}")]
    TooLarge {
        /// The size that was requested.
        size: BoardSize,
        /// The limit and its reason.
        limit: &'static str,
    },
    /// The number does not fit.
    #[error("the number exceeds 128 bits; count a smaller board")]
    Overflow,
    /// The rules allow games of any length.
    #[error("there are infinitely many games: simple ko allows longer cycles; choose a superko rule")]
    InfinitelyMany,
    /// The method does not keep count of stones.
    #[error(
        "games with a finite supply of stones are neither counted nor solved: choose rules with unlimited stones"
    )]
    FiniteStones,
    /// The report function ended the work.
    #[error("stopped before the end")]
    Stopped,
}

/// Counts steps and reports them at intervals.
struct Pace<'a> {
    steps: u64,
    report: Report<'a>,
}

impl<'a> Pace<'a> {
    const INTERVAL: u64 = 1 << 16;

    fn new(report: Report<'a>) -> Self {
        Self { steps: 0, report }
    }

    #[inline]
    fn step(&mut self) -> Result<(), CountError> {
        self.steps += 1;
        let stops = self.steps.is_multiple_of(Self::INTERVAL) && (self.report)(self.steps).is_break();
        if stops { Err(CountError::Stopped) } else { Ok(()) }
    }
}
