//! Positions of tiny boards whose value depends on the ko rule.

use std::collections::HashSet;

use super::{Problem, strategy::StateCode};
use crate::{
    Board, BoardSize, Color, Ko, Position, Rules, Suicide,
    count::{CountError, Pace, Report, for_each_position},
};

/// The positions of a board whose value depends on the ko rule.
#[derive(Clone, Debug)]
pub struct KoSensitivity {
    /// Legal positions with Black to play, up to symmetry. Those with White to play are these with exchanged colours.
    pub positions: u64,
    /// Those that have different values, with the fewest stones first.
    pub sensitive: Vec<KoSensitive>,
}

/// A position whose value depends on the ko rule.
#[derive(Clone, Debug)]
pub struct KoSensitive {
    /// The stones; Black is to play, and nothing is forbidden by ko.
    pub position: Position,
    /// Black's area minus White's when both play best, in the order of [`Ko::ALL`]; the history of the game begins here. Under simple ko the stone that
    /// repeats a board with the same player to move ends the game as a draw.
    pub margins: [i32; Ko::ALL.len()],
}

impl KoSensitivity {
    /// Solves all legal positions of a board under each ko rule, by [`Problem::best_play`] with tables of about `memory` bytes.
    ///
    /// A step of progress is a colouring of the board, and then a position. Cost: on one core of a virtual machine (AMD EPYC) 2×3 takes less than a
    /// second, and 2×4 and 3×3 less than two minutes.
    ///
    /// # Errors
    /// [`CountError::TooLarge`] above 12 points, [`CountError::Stopped`].
    pub fn new(
        size: BoardSize,
        suicide: Suicide,
        memory: usize,
        report: Report<'_>,
    ) -> Result<Self, CountError> {
        let (mut seen, mut problems) = (HashSet::new(), Vec::new());
        for_each_position(size, suicide, &mut Pace::new(report), &mut |board: &Board<1>| {
            if let Ok(problem) = Problem::from_board(board)
                && seen.insert(StateCode::new(&problem.board, &problem.start).0)
            {
                problems.push(problem);
            }
        })?;
        let points = size.point_count() as i32;
        let mut sensitive = Vec::new();
        for (done, problem) in (0..).zip(&problems) {
            let mut margins = [0; Ko::ALL.len()];
            for (margin, ko) in margins.iter_mut().zip(Ko::ALL) {
                let rules = Rules { ko, ..Rules::TROMP_TAYLOR };
                let solution = problem.best_play(rules, (-points, points), memory, &mut |_| report(done))?;
                *margin = solution.margin().ok_or(CountError::Stopped)?;
            }
            if margins.iter().any(|&margin| margin != margins[0]) {
                sensitive.push(KoSensitive { position: problem.position.clone(), margins });
            }
        }
        let stones = |found: &KoSensitive| {
            Color::BOTH.map(|color| found.position.stone_count(color)).iter().sum::<usize>()
        };
        sensitive.sort_by_key(stones);
        Ok(Self { positions: problems.len() as u64, sensitive })
    }
}
