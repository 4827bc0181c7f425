//! The move tree to a fixed depth.

use std::ops::AddAssign;

use super::{CountError, Pace, Report};
use crate::{Game, IllegalMove, Move, for_width};

/// What the plies at one depth of the move tree are, each counted once per line of play that leads to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlyCount {
    /// Legal plies: stones and passes.
    pub plies: u64,
    /// Passes among them.
    pub passes: u64,
    /// Moves that remove opposing stones.
    pub captures: u64,
    /// Opposing stones removed.
    pub captured_stones: u64,
    /// Moves that give up their own chain.
    pub suicides: u64,
    /// Own stones given up.
    pub given_up_stones: u64,
    /// Plies that end the game: second passes in a row.
    pub ended: u64,
    /// Candidates that simple ko and the suicide rule allow and the superko rule forbids. Not among `plies`.
    pub superko_refused: u64,
}

impl AddAssign for PlyCount {
    fn add_assign(&mut self, other: Self) {
        self.plies += other.plies;
        self.passes += other.passes;
        self.captures += other.captures;
        self.captured_stones += other.captured_stones;
        self.suicides += other.suicides;
        self.given_up_stones += other.given_up_stones;
        self.ended += other.ended;
        self.superko_refused += other.superko_refused;
    }
}

/// Walks all lines of play of up to `depth` plies from where the game stands; entry `d` counts the plies at depth `d + 1`.
///
/// The game's own rules and history apply, and a game that is over has no plies. A step of progress is one position in which moves were
/// generated.
///
/// Cost: one position per ply above the last depth; the last depth is counted without playing its moves.
///
/// # Errors
/// [`CountError::Stopped`].
///
/// # Examples
/// ```
/// use jigo_engine::{BoardSize, Game, Rules, count::perft};
/// use std::ops::ControlFlow;
/// let game: Game = Game::new(BoardSize::square(2).unwrap(), Rules::TROMP_TAYLOR);
/// let counts = perft(&game, 2, &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!((counts[0].plies, counts[1].plies, counts[1].ended), (5, 21, 1));
/// ```
pub fn perft(game: &Game, depth: usize, report: Report<'_>) -> Result<Vec<PlyCount>, CountError> {
    let mut counts = vec![PlyCount::default(); depth];
    let size = game.board().size();
    for_width!(size, W => walk(&mut game.with_width::<W>(), &mut counts, &mut Pace::new(report)))?;
    Ok(counts)
}

fn walk<const W: usize>(
    game: &mut Game<W>,
    counts: &mut [PlyCount],
    pace: &mut Pace<'_>,
) -> Result<(), CountError> {
    let Some((here, deeper)) = counts.split_first_mut() else { return Ok(()) };
    if game.is_over() {
        return Ok(());
    }
    pace.step()?;
    here.plies += 1;
    here.passes += 1;
    here.ended += u64::from(game.consecutive_passes() == 1);
    let mut walk_after = |game: &mut Game<W>, mv| {
        if deeper.is_empty() {
            return Ok(());
        }
        game.play_recorded_unchecked(mv);
        let walked = walk(game, deeper, pace);
        game.undo();
        walked
    };
    walk_after(game, Move::Pass)?;
    for bit in game.board().empty().iter() {
        let point = game.board().geometry().point(bit);
        match game.check(Move::Play(point)) {
            Ok(()) => {}
            Err(IllegalMove::Superko { .. }) => {
                here.superko_refused += 1;
                continue;
            }
            Err(_) => continue,
        }
        let outcome = game.board().outcome(point);
        here.plies += 1;
        here.captures += u64::from(outcome.captured > 0);
        here.captured_stones += u64::from(outcome.captured);
        here.suicides += u64::from(outcome.given_up > 0);
        here.given_up_stones += u64::from(outcome.given_up);
        walk_after(game, Move::Play(point))?;
    }
    Ok(())
}
