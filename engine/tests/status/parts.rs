//! Parts of a board between alive stones, against the definitions by all positions of the part, with moves of the naive reference.

use jigo_engine::{
    Board, Color, Ko, Point, Position, Suicide,
    life::{ChainStatus, Proof, Status, StatusSolver},
    reference::Colouring,
    zobrist::mix64,
};

use super::SUICIDES;
use crate::definitions::ReferenceStatus;

/// Spaces between alive stones of both colours, of Black and of White; and one where a border's life rests on the space.
pub(super) const FRAMES: [&str; 4] = [
    ". X X ? ? ? O O .\nX . X ? ? ? O . O\nX X X ? ? O O O O\nX X X X O O O O O\n",
    ". X . X ? ? ?\nX X X X ? ? ?\n. . . X ? ? X\n. . . X X X X\n",
    "O . O ? ? ? ?\n. O O ? ? ? ?\nO O O O O O O\n. . . . . . .\n",
    ". X ? ? ? ? ? ? ?\n",
];

/// The position of a frame with a random filling, if it is a legal one.
pub(super) fn filled(frame: &str, suicide: Suicide, draw: u64) -> Option<Position> {
    let mut state = draw;
    let fill = |sign| {
        state = mix64(state);
        if sign == '?' { ['X', 'O', '.'][(state >> 8) as usize % 3] } else { sign }
    };
    let diagram: String = frame.chars().map(fill).collect();
    Board::from_diagram(&diagram, suicide).ok().map(|board| board.position())
}

#[test]
fn parts_by_all_their_positions() {
    let mut counts = [0; Status::ALL.len()];
    for suicide in SUICIDES {
        for (number, frame) in (0..).zip(FRAMES) {
            let positions = (0..).filter_map(|draw| filled(frame, suicide, 1_000 * number + draw)).take(15);
            for position in positions {
                compare(&position, suicide, &mut counts);
            }
        }
    }
    println!("{counts:?}");
    let few = Status::ALL.into_iter().zip(counts).filter(|&(_, count)| count < 5);
    assert_eq!(few.map(|(status, _)| status).collect::<Vec<_>>(), [Status::Unknown]);
}

/// Every chain whose status a search proves, under two ko rules.
fn compare(position: &Position, suicide: Suicide, counts: &mut [u32; Status::ALL.len()]) {
    let size = position.size();
    let colouring: Colouring = size.points().map(|point| position.stone(point)).collect();
    for ko in [Ko::Simple, Ko::PositionalSuperko] {
        let report = StatusSolver::with_limit(suicide, ko, 100_000).solve(position);
        let mut known: Option<(Vec<Point>, ReferenceStatus)> = None;
        let is_open = |chain: &&ChainStatus| [Proof::Static, Proof::Search].contains(&chain.proof);
        for chain in report.chains().filter(is_open) {
            let part = report.part(chain.stones[0]);
            if known.as_ref().is_none_or(|(points, _)| *points != part) {
                let all = ReferenceStatus::new(size, suicide, colouring.clone(), &part, 20_000);
                known = Some((part, all.expect("the part is small")));
            }
            let (_, reference) = known.as_ref().expect("just made");
            let expected = reference.status(chain.stones[0], ko);
            assert_eq!(chain.status, expected, "{chain:?} {ko:?} {suicide:?}\n{position:#}");
            counts[expected as usize] += 1;
        }
        assert!(report.chains().all(|chain| chain.proof != Proof::None), "{position:#}");
    }
}

/// The definitions on a whole board: a part without a border.
#[test]
fn a_seki_and_its_dead_stone() {
    let board: Board = Board::from_diagram("O O . X\nX O X .\n. O X X\n", Suicide::Forbidden).unwrap();
    let (size, position) = (board.size(), board.position());
    let colouring: Colouring = size.points().map(|point| position.stone(point)).collect();
    let points: Vec<Point> = size.points().collect();
    let new = |limit| ReferenceStatus::new(size, Suicide::Forbidden, colouring.clone(), &points, limit);
    assert!(new(100).is_none());
    let reference = new(1_000_000).unwrap();
    for (point, status) in [(Point::new(0, 0), Status::Seki), (Point::new(0, 1), Status::Dead)] {
        assert_eq!(reference.status(point, Ko::Simple), status);
    }
    assert_eq!(position.stone(Point::new(0, 1)), Some(Color::Black));
}

/// A chain with one liberty in the part is not in atari where it is connected to alive stones outside.
#[test]
fn a_connection_outside_is_a_liberty() {
    let diagram = ". X X . . . O O .\nX . X O X . O . O\nX X X O O X O O O\nX X X X O O O O O\n";
    let mut counts = [0; Status::ALL.len()];
    for suicide in SUICIDES {
        let board: Board = Board::from_diagram(diagram, suicide).unwrap();
        compare(&board.position(), suicide, &mut counts);
    }
    assert!(counts.iter().sum::<u32>() >= 8, "{counts:?}");
}

/// Three points in a row inside a living wall, and a whole board without a border.
#[test]
fn small_parts() {
    let diagrams = [". . . X O . O\nX X X X O O .\nO O O O O . O\n. O . O . O O\n", "O . X X\n. O X .\n"];
    let mut counts = [0; Status::ALL.len()];
    for diagram in diagrams {
        let board: Board = Board::from_diagram(diagram, Suicide::Allowed).unwrap();
        compare(&board.position(), Suicide::Allowed, &mut counts);
    }
    assert_eq!(counts.iter().sum::<u32>(), 8, "{counts:?}");
}
