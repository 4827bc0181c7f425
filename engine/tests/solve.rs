//! The result of best play against published values, and the solver against plain minimax.

use std::{ops::ControlFlow, time::Instant};

use jigo_engine::{
    Board, BoardSize, Color, Game, Ko, Move, Point, Rules, Suicide,
    count::CountError,
    rules::Tax,
    solve::{Claim, Effort, Evidence, KnownValue, Problem, Progress, Solution},
};

/// The bytes of the tables.
const MEMORY: usize = 1 << 24;

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Solves a position of which nothing is known.
fn best_play<const W: usize>(start: &Board<W>, rules: Rules, memory: usize) -> Result<Solution, CountError> {
    let points = start.size().point_count() as i32;
    Problem::from_board(start).unwrap().best_play(rules, (-points, points), memory, &mut go_on)
}

const SUPERKOS: [Ko; 2] = [Ko::PositionalSuperko, Ko::SituationalSuperko];
const SUICIDES: [Suicide; 2] = [Suicide::Forbidden, Suicide::Allowed];

/// Solves, and plays the line through `Game`: it must be legal and end with the margin.
fn solve_and_replay(size: BoardSize, ko: Ko, suicide: Suicide) -> i32 {
    let started = Instant::now();
    let start: Board = Board::new(size, suicide);
    let rules = Rules { ko, suicide, ..Rules::TROMP_TAYLOR };
    let Solution { bounds: (margin, _), line, nodes, proofs } = best_play(&start, rules, MEMORY).unwrap();
    let names: Vec<String> = line.iter().map(|mv| mv.to_gtp(size)).collect();
    println!(
        "{size} {ko:?} {suicide:?}: {margin}, {nodes} nodes, {:?}: {}",
        started.elapsed(),
        names.join(" ")
    );
    for proof in proofs.iter().flatten() {
        let verdict = proof.check();
        println!("    {}: {verdict:?}, {:?}", proof.claim(), started.elapsed());
        assert!(verdict.is_ok(), "{size} {ko} {suicide}: {verdict:?}");
    }
    let mut game: Game = Game::new(size, rules);
    let mut result = None;
    for &mv in &line {
        assert_eq!(result, None, "plies after the end");
        let played = game.play(mv).unwrap();
        if played.repetition.is_some_and(|repetition| repetition.same_player) {
            result = Some(0);
        } else if game.is_over() {
            result = Some(game.board().area().margin());
        }
    }
    assert_eq!(result, Some(margin));
    margin
}

#[test]
fn superko_values_match_the_published_ones() {
    for (width, height, margin) in [
        (1, 1, 0),
        (1, 2, 0),
        (1, 3, 3),
        (1, 4, 4),
        (1, 5, 0),
        (1, 6, 1),
        (1, 7, 2),
        (1, 8, 3),
        (1, 9, 0),
        (2, 2, 1),
        (2, 3, 0),
        (2, 4, 8),
        (2, 5, 10),
        (3, 3, 9),
        (3, 4, 4),
    ] {
        for (ko, suicide) in SUPERKOS.into_iter().flat_map(|ko| SUICIDES.map(|suicide| (ko, suicide))) {
            let size = BoardSize::new(width, height).unwrap();
            assert_eq!(solve_and_replay(size, ko, suicide), margin);
            assert_eq!(solve_and_replay(size.transposed(), ko, suicide), margin);
        }
    }
}

/// The value depends on the ko rule.
#[test]
fn with_draws_by_repetition_2x2_is_a_draw() {
    for suicide in SUICIDES {
        assert_eq!(solve_and_replay(BoardSize::square(2).unwrap(), Ko::Simple, suicide), 0);
        assert_eq!(solve_and_replay(BoardSize::square(3).unwrap(), Ko::Simple, suicide), 9);
    }
}

/// One point more than Black secures under every ko rule.
#[test]
#[ignore = "takes minutes and a gigabyte"]
fn the_value_of_4x4_is_2_under_both_superko_rules() {
    for (ko, suicide) in SUPERKOS.into_iter().flat_map(|ko| SUICIDES.map(|suicide| (ko, suicide))) {
        let start: Board = Board::new(BoardSize::square(4).unwrap(), suicide);
        let rules = Rules { ko, suicide, ..Rules::TROMP_TAYLOR };
        let solution = best_play(&start, rules, 1 << 30).unwrap();
        assert_eq!(solution.margin(), Some(2), "{rules}");
        assert!(solution.proofs.iter().flatten().all(|proof| proof.check().is_ok()), "{rules}");
    }
}

/// Alpha-beta over the rules as they are written, without table or bounds.
fn minimax(game: &mut Game<1>, seen: &mut Vec<(String, Color)>, mut alpha: i32, mut beta: i32) -> i32 {
    if game.is_over() {
        return game.score(&[], 0).margin();
    }
    let to_play = game.to_play();
    let moves: Vec<Move> = [Move::Pass].into_iter().chain(game.legal_points().map(Move::Play)).collect();
    let mut best = -100 * to_play.sign();
    for mv in moves {
        game.play_recorded(mv).unwrap();
        let situation = (game.board().to_string(), game.to_play());
        let is_draw = mv != Move::Pass && game.rules().ko == Ko::Simple && seen.contains(&situation);
        seen.push(situation);
        let value = if is_draw { 0 } else { minimax(game, seen, alpha, beta) };
        seen.pop();
        game.undo();
        match to_play {
            Color::Black => {
                best = best.max(value);
                alpha = alpha.max(best);
            }
            Color::White => {
                best = best.min(value);
                beta = beta.min(best);
            }
        }
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The result when a move from the start is followed by best play.
fn minimax_after(game: &mut Game<1>, seen: &mut Vec<(String, Color)>, mv: Move) -> i32 {
    game.play_recorded(mv).unwrap();
    let situation = (game.board().to_string(), game.to_play());
    let is_draw = mv != Move::Pass && game.rules().ko == Ko::Simple && seen.contains(&situation);
    seen.push(situation);
    let value = if is_draw { 0 } else { minimax(game, seen, -100, 100) };
    seen.pop();
    game.undo();
    value
}

/// Returns the stones of the colouring of a board with this number.
fn stones(size: BoardSize, number: usize) -> Vec<(Point, Color)> {
    let stone = |index: u32| [None, Some(Color::Black), Some(Color::White)][number / 3_usize.pow(index) % 3];
    (0..).zip(size.points()).filter_map(|(index, point)| Some((point, stone(index)?))).collect()
}

/// Every position of the board as a start, both players to move, all rules: the value, and the moves that keep it.
fn compare_with_minimax(size: BoardSize) {
    let mut compared = 0;
    for number in 0..3_usize.pow(size.point_count() as u32) {
        let stones = || stones(size, number);
        for (to_play, suicide) in
            Color::BOTH.into_iter().flat_map(|color| SUICIDES.map(|suicide| (color, suicide)))
        {
            let mut start: Board<1> = Board::new(size, suicide);
            if start.set_position(stones(), to_play).is_err() {
                continue;
            }
            for (ko, tax) in Ko::ALL.into_iter().flat_map(|ko| Tax::ALL.map(|tax| (ko, tax))) {
                let rules = Rules { ko, suicide, tax, ..Rules::TROMP_TAYLOR };
                let mut game = Game::<1>::new(size, rules);
                game.set_position(stones(), to_play).unwrap();
                let mut seen = vec![(game.board().to_string(), to_play)];
                let legal: Vec<Move> = game.legal_points().map(Move::Play).chain([Move::Pass]).collect();
                let values: Vec<(Move, i32)> =
                    legal.iter().map(|&mv| (mv, minimax_after(&mut game, &mut seen, mv))).collect();
                let worth = |&(_, value): &(Move, i32)| to_play.sign() * value;
                let plain = to_play.sign() * values.iter().map(worth).max().unwrap();
                let place = format!("{rules} {to_play} to move\n{start}");
                let solved = best_play(&start, rules, MEMORY).unwrap().margin();
                let problem = Problem::from_board(&start).unwrap();
                assert_eq!(solved, Some(plain), "{place}");
                let best = problem.best_moves(rules, plain, MEMORY, &mut go_on).unwrap();
                for (mv, value) in values {
                    assert_eq!(best.contains(&mv), value == plain, "{} {place}", mv.to_gtp(size));
                }
                compared += 1;
            }
        }
    }
    println!("{size}: {compared} positions");
    assert!(compared > 0);
}

#[test]
fn the_solver_agrees_with_plain_minimax() {
    for length in 1..=4 {
        compare_with_minimax(BoardSize::new(length, 1).unwrap());
    }
}

#[test]
fn the_solver_agrees_with_plain_minimax_2x2() {
    compare_with_minimax(BoardSize::new(2, 2).unwrap());
}

/// Where a proof is said to hold under every superko rule, the search with the history of the game finds no smaller margin for the prover.
#[test]
fn proofs_hold_under_superko_where_they_say_so() {
    let (mut held, mut sensitive) = (0, 0);
    for (width, height, step) in [(1, 7, 31), (2, 3, 3), (2, 4, 23), (3, 3, 97)] {
        let size = BoardSize::new(width, height).unwrap();
        for number in (0..3_usize.pow(size.point_count() as u32)).step_by(step) {
            for (to_play, suicide) in
                Color::BOTH.into_iter().flat_map(|color| SUICIDES.map(|suicide| (color, suicide)))
            {
                let mut start: Board = Board::new(size, suicide);
                if start.set_position(stones(size, number), to_play).is_err() {
                    continue;
                }
                let bounds = Problem::from_board(&start).unwrap().bounds(Effort::default(), &Progress::new());
                let margins = SUPERKOS.map(|ko| {
                    let rules = Rules { ko, suicide, ..Rules::TROMP_TAYLOR };
                    best_play(&start, rules, MEMORY).unwrap().margin().unwrap()
                });
                for proof in bounds.proofs.iter().flatten() {
                    if !proof.check().unwrap().holds_under_superko {
                        sensitive += 1;
                        continue;
                    }
                    let Claim { prover, margin } = proof.claim();
                    let is_secured = |value: &i32| prover.sign() * value >= margin;
                    assert!(margins.iter().all(is_secured), "{} {margins:?}\n{start}", proof.claim());
                    held += 1;
                }
            }
        }
    }
    println!("{held} proofs hold under superko, of {sensitive} it is not shown");
    assert!(held > 1000 && sensitive > 0);
}

#[test]
fn limits_are_errors() {
    let start: Board = Board::new(BoardSize::new(2, 13).unwrap(), Suicide::Allowed);
    assert!(Problem::from_board(&start).is_err());
    let problem =
        Problem::from_board::<11>(&Board::new(BoardSize::square(5).unwrap(), Suicide::Allowed)).unwrap();
    let stopped = problem.best_play(Rules::TROMP_TAYLOR, (-25, 25), MEMORY, &mut |_| ControlFlow::Break(()));
    let stopped = stopped.unwrap();
    // How far the search comes before it is asked to stop depends on the time.
    assert!(matches!(stopped.bounds, (-25..25, 25)) && stopped.margin().is_none(), "{:?}", stopped.bounds);
    assert!(stopped.proofs.iter().flatten().all(|proof| proof.check().is_ok()));
}

/// Results are found again when there is no room to keep them.
#[test]
fn a_little_memory_is_enough() {
    let start: Board = Board::new(BoardSize::new(2, 5).unwrap(), Suicide::Forbidden);
    for ko in SUPERKOS {
        let rules = Rules { ko, ..Rules::TROMP_TAYLOR };
        let little = best_play(&start, rules, 1 << 18).unwrap();
        let enough = best_play(&start, rules, MEMORY).unwrap();
        println!("{} nodes instead of {}", little.nodes, enough.nodes);
        assert_eq!(little.margin(), enough.margin());
    }
}

/// What the table of known values says is found again, on boards that take little time.
#[test]
fn known_values_are_found_again() {
    let mut solved = 0;
    for (width, height) in (1..=5).flat_map(|width| (width..=9).map(move |height| (width, height))) {
        let size = BoardSize::new(width, height).unwrap();
        let points = size.point_count();
        if points > 10 && (width, height) != (3, 5) {
            continue;
        }
        for ko in SUPERKOS {
            let known = KnownValue::new(size.transposed(), ko).expect("a value");
            let board: Board = Board::new(size, Suicide::Allowed);
            let problem = Problem::from_board(&board).unwrap();
            let bounds = problem.bounds(Effort { plies: Some(30), ..Effort::default() }, &Progress::new());
            assert_eq!(known.evidence, Evidence::Proved, "{size}");
            assert_eq!(bounds.value().is_some(), KnownValue::new(size, Ko::Simple).is_some(), "{size}");
            let rules = Rules { ko, ..Rules::TROMP_TAYLOR };
            let value = bounds.value().unwrap_or_else(|| best_play(&board, rules, MEMORY).unwrap().bounds.0);
            assert_eq!(value, known.margin, "{size} {ko}");
            solved += 1;
        }
    }
    assert_eq!(solved, 30);
}
