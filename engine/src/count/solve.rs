//! The result of best play on tiny boards.

use super::{CountError, Pace, Report, positions::Situation, search::Search};
use crate::{Board, Color, Ko, Move};

/// The result of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Black's area minus White's, before komi.
    pub margin: i32,
    /// A line of best play by both, to the second pass; under simple ko possibly to the stone that recreates an earlier position.
    pub line: Vec<Move>,
    /// Situations looked at.
    pub nodes: u64,
}

/// Finds Black's margin by area when both players play best from `start`, whose player to move, ko ban and suicide rule apply. History
/// begins there; two consecutive passes end the game.
///
/// Under a superko rule the result is exact with full history. Under simple ko longer cycles are possible: the stone that recreates an
/// earlier position with the same player to move ends the game as a draw, margin 0.
///
/// Asks whether Black reaches a margin, by halving the interval of integers, with a depth-first search of growing depth. Unconditionally
/// alive stones bound the result; proofs are remembered with the part of the history they depend on. A step of progress is one situation.
/// Cost: grows exponentially. On one core of 2.6 GHz boards up to 6 points take milliseconds and 3×3 a second or two; 2×4, 1×7 and 1×8
/// take about a second. `cargo test --release -p jigo-engine --test solve -- --nocapture` prints values, nodes, times and lines.
/// Memory: up to 512 MiB for the table of proofs.
///
/// # Errors
/// [`CountError::TooLarge`] above 12 points, or when lines of 1024 plies do not settle the result; [`CountError::Stopped`].
///
/// # Source
/// For values of tiny boards John Tromp and Gunnar Farnebäck, *Combinatorics of Go* (2016); for the dependence of a table's entries on
/// history Akihiro Kishimoto and Martin Müller, *A general solution to the graph history interaction problem* (2004).
///
/// # Examples
/// ```
/// use jigo_engine::{Board, BoardSize, Ko, Suicide, count::solve};
/// use std::ops::ControlFlow;
/// let start: Board = Board::new(BoardSize::square(2).unwrap(), Suicide::Forbidden);
/// let mut go_on = |_| ControlFlow::Continue(());
/// assert_eq!(solve(&start, Ko::PositionalSuperko, &mut go_on).unwrap().margin, 1);
/// assert_eq!(solve(&start, Ko::Simple, &mut go_on).unwrap().margin, 0);
/// ```
pub fn solve<const W: usize>(start: &Board<W>, ko: Ko, report: Report<'_>) -> Result<Solution, CountError> {
    let stones =
        || Color::BOTH.into_iter().flat_map(|color| start.stones(color).map(move |point| (point, color)));
    let limit = "the solver lists all positions, which is done up to 12 points; best play is found in reasonable time up to about 9";
    if start.size().point_count() > super::positions::MAX_POINTS {
        return Err(CountError::TooLarge { size: start.size(), limit });
    }
    let mut board = Board::<1>::new(start.size(), start.suicide());
    let mut search = Search::new(board.clone(), ko, Pace::new(report))?;
    let placed = board.set_position(stones(), start.to_play());
    debug_assert!(placed.is_ok(), "a board never holds a chain without liberties");
    let at = Situation {
        position: search.graph.index[&board.colouring()],
        to_play: start.to_play(),
        passed: false,
        ko: start.ko_point(),
    };
    search.visit(at);
    let margin = margin(&mut search, at)?;
    let nodes = search.pace.steps;
    let line = line(&mut search, at, margin)?;
    Ok(Solution { margin, line, nodes })
}

fn margin(search: &mut Search<'_>, at: Situation) -> Result<i32, CountError> {
    let points = search.point_count();
    let (mut reached, mut out_of_reach) = (-points, points + 1);
    while reached + 1 < out_of_reach {
        let goal = (reached + out_of_reach).div_euclid(2);
        match search.decide(at, goal)? {
            Color::Black => reached = goal,
            Color::White => out_of_reach = goal,
        }
    }
    Ok(reached)
}

/// Follows plies that keep the margin, which the search knows already or finds again.
fn line(search: &mut Search<'_>, mut at: Situation, margin: i32) -> Result<Vec<Move>, CountError> {
    let mut line = Vec::new();
    loop {
        // Black must still reach the margin, White must still keep Black below the next.
        let goal = if at.to_play == Color::Black { margin } else { margin + 1 };
        let (mv, next) = search.winning_move(at, goal)?;
        line.push(mv);
        match next {
            Some(next) => at = next,
            None => return Ok(line),
        }
    }
}
