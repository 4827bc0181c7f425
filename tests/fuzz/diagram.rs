//! Positions as text: what is read is a legal position, shows itself as a diagram that reads the same, and can be counted.

use jigo_engine::{Board, Color, Ko, Suicide, life::StatusSolver};

use crate::harness::{MAX_FOR_STATUS, Target};

const TOKENS: &[&str] = &[
    "X",
    "O",
    ".",
    "+",
    "#",
    " ",
    "\n",
    "\r\n",
    "\n\n",
    "X X X X X\n",
    ". . . . .\n",
    "\u{feff}",
    "\u{e9}",
    "XXXXXXXXXXXXXXXXXXXXXXXXX\n",
];

#[test]
fn diagram() {
    let target = Target { name: "diagram", made: Vec::new(), tokens: TOKENS, memory: MAX_FOR_STATUS };
    target.run(|bytes, _| {
        let text = String::from_utf8_lossy(bytes);
        for suicide in [Suicide::Forbidden, Suicide::Allowed] {
            let board: Board = match Board::from_diagram(&text, suicide) {
                Ok(board) => board,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    continue;
                }
            };
            let again: Board = Board::from_diagram(&board.to_string(), suicide).unwrap();
            assert_eq!(again.position(), board.position());
            let points = board.size().point_count();
            let area = board.area();
            assert_eq!(
                (area.of(Color::Black) + area.of(Color::White) + area.neutral) as usize,
                points,
                "{board}"
            );
            // On larger boards a search takes longer than this target has.
            if points <= 25 {
                let stones: usize = StatusSolver::new(suicide, Ko::Simple)
                    .chains(&board.position())
                    .iter()
                    .map(|chain| chain.stones.len())
                    .sum();
                assert_eq!(points - stones, board.position().empty_points().count());
            }
        }
    });
}
