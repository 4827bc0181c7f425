//! Exact numbers for small boards: move trees, legal positions and games.
//!
//! Nothing here estimates: a count that cannot be had ends in a [`CountError`] that names the limit. Functions that may run for long take
//! a report function, which sees how far they have come now and then and may stop the work.

mod games;
mod legal;
mod perft;
mod positions;
mod sekis;

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

pub use games::game_count;
pub use legal::{MoveTotals, legal_positions, move_totals};
pub use perft::{PlyCount, perft};
pub(crate) use positions::for_each_position;
pub use sekis::{SekiCensus, SekiForm, seki_census};

use crate::BoardSize;

/// Sees some times a second how many steps are done: positions of a move tree, states of a table, as the function says. Their total is not known
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

/// Counts steps and reports them at intervals of time, however long a step takes.
pub(crate) struct Pace<'a> {
    pub(crate) steps: u64,
    /// The step before which nothing is reported.
    next_look: u64,
    /// Steps from one look at the clock to the next.
    interval: u64,
    last_report: Instant,
    report: Report<'a>,
}

impl<'a> Pace<'a> {
    /// The longest time without a report, unless one step takes longer.
    const PERIOD: Duration = Duration::from_millis(50);

    pub(crate) fn new(report: Report<'a>) -> Self {
        Self { steps: 0, next_look: 1, interval: 1, last_report: Instant::now(), report }
    }

    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), CountError> {
        self.steps += 1;
        if self.steps < self.next_look { Ok(()) } else { self.look() }
    }

    /// Looks at the clock.
    #[cold]
    fn look(&mut self) -> Result<(), CountError> {
        let elapsed = self.last_report.elapsed();
        // Sixteen looks or more a period: a slower step brings the next look forward.
        self.interval = if elapsed < Self::PERIOD { self.interval + self.interval.div_ceil(16) } else { 1 };
        self.next_look = self.steps + self.interval;
        if elapsed < Self::PERIOD {
            return Ok(());
        }
        self.last_report = Instant::now();
        if (self.report)(self.steps).is_break() { Err(CountError::Stopped) } else { Ok(()) }
    }
}
