//! Exact counts against published numbers and against literal enumeration through `Game` or the reference.

use std::ops::ControlFlow;

use jigo_engine::{
    Board, BoardSize, Color, Game, Ko, Move, Point, Rules, Suicide,
    count::{CountError, MoveTotals, PlyCount, game_count, legal_positions, move_totals, perft},
    reference::{ReferenceGame, Refusal},
};

fn go_on(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn size(width: usize, height: usize) -> BoardSize {
    BoardSize::new(width, height).unwrap()
}

fn rules(ko: Ko, suicide: Suicide) -> Rules {
    Rules { ko, suicide, ..Rules::TROMP_TAYLOR }
}

const SUICIDES: [Suicide; 2] = [Suicide::Allowed, Suicide::Forbidden];

/// Tromp and Farnebäck, *Combinatorics of Go*: row m, then n = m, m + 1, …
#[test]
fn legal_positions_match_the_published_table() {
    let published: [&[u128]; 8] = [
        &[1, 5, 15, 41, 113, 313, 867, 2401],
        &[57, 489, 4125, 35117, 299_681],
        &[12675, 321_689, 8_180_343],
        &[24_318_165],
        &[414_295_148_741],
        &[62_567_386_502_084_877],
        &[83_677_847_847_984_287_628_595],
        &[990_966_953_618_170_260_281_935_463_385],
    ];
    for (m, row) in published.iter().enumerate().map(|(index, row)| (index + 1, row)) {
        for (n, &count) in row.iter().enumerate().map(|(index, count)| (index + m, count)) {
            assert_eq!(legal_positions(size(m, n), &mut go_on), Ok(count), "{m}x{n}");
            assert_eq!(legal_positions(size(n, m), &mut go_on), Ok(count), "{n}x{m}");
        }
    }
}

#[test]
fn one_row_satisfies_the_recurrence() {
    let counts: Vec<u128> = (1..=25).map(|n| legal_positions(size(n, 1), &mut go_on).unwrap()).collect();
    for window in counts.windows(4) {
        assert_eq!(window[3] + window[1], 3 * window[2] + window[0]);
    }
}

/// Counts the legal positions by trying every colouring.
fn enumerated(size: BoardSize) -> u128 {
    let mut board: Board<1> = Board::new(size, Suicide::Forbidden);
    let points: Vec<Point> = size.points().collect();
    let is_legal = |code: &usize| {
        let stones = points.iter().enumerate().filter_map(|(place, &point)| {
            let stone = code / 3_usize.pow(place as u32) % 3;
            [None, Some((point, Color::Black)), Some((point, Color::White))][stone]
        });
        board.set_position(stones, Color::Black).is_ok()
    };
    (0..3_usize.pow(points.len() as u32)).filter(is_legal).count() as u128
}

#[test]
fn the_border_programme_agrees_with_enumeration() {
    for (width, height) in (1..=12).flat_map(|width| (1..=12 / width).map(move |height| (width, height))) {
        let size = size(width, height);
        assert_eq!(legal_positions(size, &mut go_on), Ok(enumerated(size)), "{size}");
    }
}

#[test]
fn limits_are_errors() {
    let too_large = |result: Result<u128, CountError>| matches!(result, Err(CountError::TooLarge { .. }));
    assert!(too_large(legal_positions(size(9, 9), &mut go_on)));
    assert_eq!(legal_positions(size(4, 25), &mut go_on), Err(CountError::Overflow));
    assert!(too_large(game_count(size(2, 3), Rules::TROMP_TAYLOR, &mut go_on)));
    assert!(too_large(game_count(size(13, 1), Rules::TROMP_TAYLOR, &mut go_on)));
    let stop = |_: u64| ControlFlow::Break(());
    assert_eq!(game_count(size(1, 5), Rules::TROMP_TAYLOR, &mut stop.clone()), Err(CountError::Stopped));
    assert_eq!(legal_positions(size(8, 8), &mut stop.clone()), Err(CountError::Stopped));
}

#[test]
fn move_totals_match_the_independent_enumeration() {
    for (width, height, [no_suicides, chain_suicides, stone_suicides, captures]) in [
        (1, 2, [8, 4, 0, 4]),
        (1, 3, [36, 6, 4, 14]),
        (2, 2, [184, 8, 8, 56]),
        (2, 3, [2220, 92, 116, 500]),
        (3, 3, [83502, 2698, 3726, 14390]),
    ] {
        let expected = MoveTotals { no_suicides, chain_suicides, stone_suicides, captures };
        assert_eq!(move_totals(size(width, height), &mut go_on), Ok(expected), "{width}x{height}");
    }
}

/// All games, one after the other.
fn play_all(game: &mut Game<1>) -> u128 {
    if game.is_over() {
        return 1;
    }
    let moves: Vec<Move> = game.legal_points().map(Move::Play).chain([Move::Pass]).collect();
    let mut count = 0;
    for mv in moves {
        game.play_recorded(mv).unwrap();
        count += play_all(game);
        game.undo();
    }
    count
}

#[test]
fn games_match_literal_enumeration() {
    for (length, tromp_taylor) in [(1, 1), (2, 9), (3, 907)] {
        for suicide in SUICIDES {
            for ko in [Ko::PositionalSuperko, Ko::SituationalSuperko] {
                let (size, rules) = (size(1, length), rules(ko, suicide));
                let literal = play_all(&mut Game::<1>::new(size, rules));
                assert_eq!(game_count(size, rules, &mut go_on), Ok(literal), "{size} {rules}");
                assert!(rules != Rules::TROMP_TAYLOR || literal == tromp_taylor);
            }
        }
    }
}

#[test]
fn games_under_simple_ko_are_finite_only_where_nothing_recurs() {
    let count = |length, suicide| game_count(size(length, 1), rules(Ko::Simple, suicide), &mut go_on);
    for length in [1, 2] {
        let rules = rules(Ko::Simple, Suicide::Forbidden);
        assert_eq!(
            count(length, Suicide::Forbidden),
            Ok(play_all(&mut Game::<1>::new(size(length, 1), rules)))
        );
    }
    assert_eq!(count(2, Suicide::Allowed), Err(CountError::InfinitelyMany));
    assert_eq!(count(3, Suicide::Forbidden), Err(CountError::InfinitelyMany));
    assert_eq!(count(5, Suicide::Allowed), Err(CountError::InfinitelyMany));
}

#[test]
fn games_1x4() {
    assert_eq!(game_count(size(1, 4), Rules::TROMP_TAYLOR, &mut go_on), Ok(2_098_407_841));
}

#[test]
fn games_2x2() {
    assert_eq!(game_count(size(2, 2), Rules::TROMP_TAYLOR, &mut go_on), Ok(386_356_909_593));
}

/// The move tree by the naive reference.
fn naive_perft(game: &ReferenceGame, counts: &mut [PlyCount]) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    if game.is_over() {
        return;
    }
    let (mover, before) = (game.to_play(), game.prisoners);
    let points = game.colouring().len();
    for code in 0..=points {
        let board = size(points, 1);
        let mv = Move::from_code(code as u16, board).unwrap();
        let mut next = game.clone();
        match next.play(mv) {
            Ok(()) => {}
            Err(Refusal::Superko) => {
                here.superko_refused += 1;
                continue;
            }
            Err(_) => continue,
        }
        let removed =
            Color::BOTH.map(|color| u64::from(next.prisoners[color.index()] - before[color.index()]));
        let (captured, given_up) = (removed[mover.opponent().index()], removed[mover.index()]);
        here.plies += 1;
        here.passes += u64::from(mv == Move::Pass);
        here.captures += u64::from(captured > 0);
        here.captured_stones += captured;
        here.suicides += u64::from(given_up > 0);
        here.given_up_stones += given_up;
        here.ended += u64::from(next.is_over());
        naive_perft(&next, deeper);
    }
}

#[test]
fn perft_matches_the_naive_reference_under_all_rules() {
    let mut totals = PlyCount::default();
    for (length, depth) in [(1, 3), (2, 12), (3, 8), (4, 6)] {
        for rules in Rules::lattice() {
            let size = size(length, 1);
            let mut expected = vec![PlyCount::default(); depth];
            naive_perft(&ReferenceGame::new(size, rules), &mut expected);
            let game: Game = Game::new(size, rules);
            assert_eq!(perft(&game, depth, &mut go_on).unwrap(), expected, "{size} {rules}");
            totals.suicides += expected.iter().map(|count| count.suicides).sum::<u64>();
            totals.captures += expected.iter().map(|count| count.captures).sum::<u64>();
            totals.superko_refused += expected.iter().map(|count| count.superko_refused).sum::<u64>();
        }
    }
    assert!(totals.suicides > 100 && totals.captures > 100 && totals.superko_refused > 100, "{totals:?}");
}

/// The number of games is the number of second passes in the whole tree.
#[test]
fn perft_to_the_end_counts_the_games() {
    let game: Game = Game::new(size(3, 1), Rules::TROMP_TAYLOR);
    let counts = perft(&game, 64, &mut go_on).unwrap();
    assert_eq!(counts.iter().map(|count| count.ended).sum::<u64>(), 907);
    assert_eq!(counts[63], PlyCount::default());
}

#[test]
fn perft_starts_where_the_game_stands() {
    let mut game: Game = Game::new(size(2, 1), Rules::TROMP_TAYLOR);
    game.play(Move::Play(Point::new(0, 0))).unwrap();
    game.play(Move::Play(Point::new(1, 0))).unwrap();
    // The stone just captured cannot be retaken: simple ko, before superko is asked.
    let counts = perft(&game, 1, &mut go_on).unwrap();
    assert_eq!(counts, [PlyCount { plies: 1, passes: 1, ..PlyCount::default() }]);
    game.pass();
    // White could give up both stones, which would bring the empty board back.
    let counts = perft(&game, 1, &mut go_on).unwrap();
    let expected = PlyCount { plies: 1, passes: 1, ended: 1, superko_refused: 1, ..PlyCount::default() };
    assert_eq!(counts, [expected]);
}

/// A game whose last plies are taken back equals a copy that never went on, history included.
#[test]
fn undo_restores_the_game() {
    let size = size(3, 2);
    let mut game: Game<1> = Game::new(size, Rules::TROMP_TAYLOR);
    let mut draws = 0;
    let mut refused = 0;
    for _ in 0..2000 {
        let copy = game.clone();
        for _ in 0..7 {
            if let Some(mv) = any_move(&game, &mut draws) {
                game.play_recorded(mv).unwrap();
            }
        }
        while game.undo().is_some() {}
        game.board().validate().unwrap();
        assert_eq!(game.board(), copy.board());
        assert_eq!(game.ply_count(), copy.ply_count());
        assert_eq!(game.consecutive_passes(), copy.consecutive_passes());
        assert!(game.legal_points().eq(copy.legal_points()));
        for color in Color::BOTH {
            assert_eq!(game.prisoners(color), copy.prisoners(color));
            assert_eq!(game.placed(color), copy.placed(color));
        }
        for point in game.board().legal_points() {
            let violation = game.superko_violation(point);
            assert_eq!(violation, copy.superko_violation(point));
            refused += u32::from(violation.is_some());
        }
        if let Some(mv) = any_move(&game, &mut draws) {
            game.play(mv).unwrap();
        }
        if game.is_over() {
            game.clear();
        }
    }
    assert!(refused > 100, "{refused}");
}

/// A legal move, unless the game is over.
fn any_move(game: &Game<1>, draws: &mut u64) -> Option<Move> {
    let moves: Vec<Move> = game.legal_points().map(Move::Play).chain([Move::Pass]).collect();
    *draws += 1;
    // Passes only where nothing else is legal, or games would be short.
    let index = jigo_engine::zobrist::mix64(*draws) as usize % (moves.len() - 1).max(1);
    (!game.is_over()).then(|| moves[index])
}
