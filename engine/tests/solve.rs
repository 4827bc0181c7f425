//! The result of best play against published values, and the solver against plain minimax.

use std::{ops::ControlFlow, time::Instant};

use jigo_engine::{
    Board, BoardSize, Color, Game, Ko, Move, Rules, Suicide,
    count::{CountError, Solution, solve},
};

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

const SUPERKOS: [Ko; 2] = [Ko::PositionalSuperko, Ko::SituationalSuperko];
const SUICIDES: [Suicide; 2] = [Suicide::Forbidden, Suicide::Allowed];

/// Solves, and plays the line through `Game`: it must be legal and end with the margin.
fn solve_and_replay(size: BoardSize, ko: Ko, suicide: Suicide) -> i32 {
    let started = Instant::now();
    let start: Board = Board::new(size, suicide);
    let Solution { margin, line, nodes } = solve(&start, ko, &mut go_on).unwrap();
    let names: Vec<String> = line.iter().map(|mv| mv.to_gtp(size)).collect();
    println!(
        "{size} {ko:?} {suicide:?}: {margin}, {nodes} nodes, {:?}: {}",
        started.elapsed(),
        names.join(" ")
    );
    let mut game: Game = Game::new(size, Rules { ko, suicide, ..Rules::TROMP_TAYLOR });
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
    for (width, height, margin) in
        [(1, 1, 0), (1, 2, 0), (1, 3, 3), (1, 4, 4), (1, 5, 0), (1, 6, 1), (2, 2, 1), (2, 3, 0), (3, 3, 9)]
    {
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

/// Alpha-beta over the rules as they are written, without table or bounds.
fn minimax(game: &mut Game<1>, seen: &mut Vec<(String, Color)>, mut alpha: i32, mut beta: i32) -> i32 {
    if game.is_over() {
        return game.board().area().margin();
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

/// Every position of the board as a start, both players to move, all rules.
fn compare_with_minimax(size: BoardSize) {
    let points: Vec<_> = size.points().collect();
    let mut compared = 0;
    for code in 0..3_usize.pow(points.len() as u32) {
        let sign = |index: usize| {
            [None, Some(Color::Black), Some(Color::White)][code / 3_usize.pow(index as u32) % 3]
        };
        let stones = || points.iter().enumerate().filter_map(|(index, &point)| Some((point, sign(index)?)));
        for (to_play, suicide) in
            Color::BOTH.into_iter().flat_map(|color| SUICIDES.map(|suicide| (color, suicide)))
        {
            let mut start: Board<1> = Board::new(size, suicide);
            if start.set_position(stones(), to_play).is_err() {
                continue;
            }
            for ko in [Ko::PositionalSuperko, Ko::SituationalSuperko, Ko::Simple] {
                let mut game = Game::<1>::new(size, Rules { ko, suicide, ..Rules::TROMP_TAYLOR });
                game.set_position(stones(), to_play).unwrap();
                let mut seen = vec![(game.board().to_string(), to_play)];
                let plain = minimax(&mut game, &mut seen, -100, 100);
                let solved = solve(&start, ko, &mut go_on).unwrap().margin;
                assert_eq!(solved, plain, "{ko:?} {suicide:?} {to_play} to move\n{start}");
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

#[test]
fn limits_are_errors() {
    let start: Board = Board::new(BoardSize::square(4).unwrap(), Suicide::Allowed);
    let refused = solve(&start, Ko::PositionalSuperko, &mut go_on);
    assert!(matches!(refused, Err(CountError::TooLarge { .. })));
    let start: Board = Board::new(BoardSize::square(3).unwrap(), Suicide::Allowed);
    let stopped = solve(&start, Ko::PositionalSuperko, &mut |_| ControlFlow::Break(()));
    // How far the search comes before it is asked to stop depends on the time.
    assert!(matches!(stopped, Err(CountError::StoppedBetween { least: -9..9, most: 9 })), "{stopped:?}");
}
