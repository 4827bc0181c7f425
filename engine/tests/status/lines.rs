//! Lines of play: every move legal by the naive reference, the end as it is claimed, the answer that of the status.

use jigo_engine::{
    Board, BoardSize, Color, Ko, Move, Point, Position, Rules, Suicide,
    life::{ChainStatus, Line, LineEnd, Proof, Question, Status, StatusSolver},
    reference::{Colouring, ReferenceGame},
    zobrist::mix64,
};

use super::SUICIDES;
use crate::definitions::{ReferenceStatus, life::unconditional_life};

/// The game after a line, in which ko forbids nothing.
fn play_out(position: &Position, suicide: Suicide, line: &Line, first: Color) -> ReferenceGame {
    let size = position.size();
    let rules = Rules { ko: Ko::Simple, suicide, ..Rules::TROMP_TAYLOR };
    let colouring = size.points().map(|point| position.stone(point)).collect();
    let mut game = ReferenceGame::from_position(size, rules, colouring, first);
    for &(color, mv) in &line.moves {
        assert_eq!(color, game.to_play(), "{line:?}\n{position}");
        game.play(mv).unwrap_or_else(|refusal| panic!("{mv:?} {refusal:?} {line:?}\n{position}"));
        game = ReferenceGame::from_position(size, rules, game.colouring().clone(), color.opponent());
    }
    game
}

fn is_alive(size: BoardSize, colouring: &Colouring, point: Point, owner: Color, suicide: Suicide) -> bool {
    let life = unconditional_life(size, colouring, owner, suicide);
    life.chains.iter().any(|chain| chain.contains(&point))
}

/// Whether the line's end is as it is claimed.
fn check_end(position: &Position, suicide: Suicide, chain: &ChainStatus, line: &Line, game: &ReferenceGame) {
    let (size, point) = (position.size(), chain.stones[0]);
    let stands = game.colouring()[point.index(size)] == Some(chain.color);
    assert_eq!(stands, line.end != LineEnd::Captured, "{line:?}\n{position}");
    let lives = stands && is_alive(size, game.colouring(), point, chain.color, suicide);
    match line.end {
        LineEnd::Captured => {}
        LineEnd::Alive => assert!(lives, "{line:?}\n{position}"),
        LineEnd::NoMove => {
            let own = position.unconditional_lives(suicide);
            let is_settled =
                |point: &Point| own.iter().any(|life| life.territory().any(|other| other == *point));
            assert!(game.legal_points().iter().all(is_settled), "{line:?}\n{position}");
        }
    }
}

/// Checks all lines about a position; how many there are, and how many searched questions have none.
fn check(position: &Position, suicide: Suicide) -> [u32; 2] {
    let report = StatusSolver::with_limit(suicide, Ko::PositionalSuperko, 20_000).solve(position);
    let mut counts = [0; 2];
    for chain in report.chains().filter(|chain| chain.proof == Proof::Search) {
        for first in [chain.color.opponent(), chain.color] {
            for question in [Question::Capture, Question::Life] {
                let Some(line) = report.line(chain.stones[0], question, first) else {
                    counts[1] += 1;
                    continue;
                };
                counts[0] += 1;
                let game = play_out(position, suicide, &line, first);
                check_end(position, suicide, chain, &line, &game);
                let is_first = first == chain.color;
                let fits = match (question, line.end, chain.status) {
                    (Question::Capture, LineEnd::Captured, status) => {
                        status == Status::Dead
                            || status == Status::Unsettled && !is_first
                            || status == Status::Ko
                    }
                    (Question::Capture, _, status) => {
                        matches!(status, Status::Alive | Status::Seki | Status::Ko)
                            || status == Status::Unsettled && is_first
                    }
                    (Question::Life, LineEnd::Alive, Status::Seki | Status::Dead) => false,
                    (Question::Life, ..) => true,
                };
                assert!(fits, "{chain:?} {question:?} {line:?}\n{position}");
            }
        }
    }
    counts
}

fn check_all(width: usize, height: usize, step: usize) {
    let size = BoardSize::new(width, height).unwrap();
    for suicide in SUICIDES {
        let truth = ReferenceStatus::of_board(size, suicide);
        let mut sum = [0; 2];
        for colouring in truth.positions().iter().step_by(step) {
            let mut position: Position = Position::new(size);
            size.points().for_each(|point| position.set_stone(point, colouring[point.index(size)]));
            let counts = check(&position, suicide);
            sum = [sum[0] + counts[0], sum[1] + counts[1]];
        }
        println!("{size} {suicide:?}: {} lines, {} questions without", sum[0], sum[1]);
        assert!(sum[0] > sum[1], "too few lines");
    }
}

#[test]
fn lines_on_whole_boards() {
    check_all(4, 1, 1);
    check_all(3, 2, 1);
    check_all(3, 3, 7);
}

/// A space of nine points between alive stones of both colours.
#[test]
fn lines_between_alive_stones() {
    let frame = ". X X ? ? ? O O .\nX . X ? ? ? O . O\nX X X ? ? ? O O O\nX X X X O O O O O\n";
    let mut draws = (0..).map(|index| mix64(20_261_121 + index));
    for suicide in SUICIDES {
        let (mut sum, mut positions) = ([0; 2], 0);
        while positions < 300 {
            let fill = |sign| {
                if sign == '?' { ['X', 'O', '.'][(draws.next().unwrap() >> 8) as usize % 3] } else { sign }
            };
            let diagram: String = frame.chars().map(fill).collect();
            let Ok(board) = Board::<11>::from_diagram(&diagram, suicide) else { continue };
            positions += 1;
            let counts = check(&board.position(), suicide);
            sum = [sum[0] + counts[0], sum[1] + counts[1]];
        }
        println!("{suicide:?}: {} lines, {} questions without", sum[0], sum[1]);
        assert!(sum[0] > 5 * sum[1], "too few lines");
    }
}

/// Three points in a row: whoever plays in the middle decides.
#[test]
fn three_in_a_row() {
    let board: Board = Board::from_diagram(
        ". . . X O . O\nX X X X O O .\nO O O O O . O\n. O . O . O O\n",
        Suicide::Forbidden,
    )
    .unwrap();
    let position = board.position();
    let report = StatusSolver::new(Suicide::Forbidden, Ko::Simple).solve(&position);
    let line = |first| report.line(Point::new(3, 0), Question::Capture, first).unwrap();
    let middle = Move::Play(Point::new(1, 0));
    let saved = line(Color::Black);
    assert_eq!((saved.moves[0], saved.end), ((Color::Black, middle), LineEnd::Alive));
    let captured = line(Color::White);
    assert_eq!((captured.moves[0], captured.end), ((Color::White, middle), LineEnd::Captured));
    // Nothing to show for stones that are alive at once, and no chain stands on an empty point.
    for point in [Point::new(4, 0), Point::new(0, 0)] {
        assert_eq!(report.line(point, Question::Capture, Color::Black), None);
    }
}
