//! The exact set of legal points against the naive reference, at every ply of random games.

use jigo_engine::{
    Board, BoardSize, Color, Ko, Move, Point, Rules, Suicide,
    board::Among,
    for_width,
    reference::{ReferenceGame, neighbours},
    zobrist::mix64,
};

/// How a test game chooses among the legal points.
#[derive(Clone, Copy)]
enum Choice {
    /// Uniformly.
    Any,
    /// Uniformly among those that are not eye-like, if there are any.
    NotEyeLike,
    /// Now and then a pass.
    OrPass,
}

/// Whether a point of the reference's board is eye-like, by definition.
fn is_eye_like(game: &ReferenceGame, size: BoardSize, point: Point, color: Color) -> bool {
    let stone = |point: Point| game.colouring()[point.index(size)];
    let diagonals =
        size.points().filter(|other| point.x.abs_diff(other.x) == 1 && point.y.abs_diff(other.y) == 1);
    let opposing = diagonals.filter(|&other| stone(other) == Some(color.opponent())).count();
    let is_edge = neighbours(size, point).count() < 4;
    neighbours(size, point).all(|near| stone(near) == Some(color)) && opposing + usize::from(is_edge) <= 1
}

/// Compares all questions about legality with the reference. Returns the legal points.
fn compare<const W: usize>(board: &Board<W>, game: &ReferenceGame) -> Vec<Point> {
    let size = board.size();
    board.validate().unwrap();
    let legal: Vec<Point> = size.points().filter(|&point| game.check(Move::Play(point)).is_ok()).collect();
    assert!(size.points().filter(|&point| board.check(point).is_ok()).eq(legal.iter().copied()), "{board}");
    assert!(board.legal_points().eq(legal.iter().copied()), "{board}");
    for among in [Among::Empty, Among::NotEyeLike] {
        let is_considered =
            |point: &Point| among == Among::Empty || !is_eye_like(game, size, *point, board.to_play());
        let expected: Vec<Point> = legal.iter().copied().filter(is_considered).collect();
        let found = board.legal_candidates(among);
        assert!(found.iter().eq(expected.iter().copied()), "{among:?}\n{board}");
        assert!(size.points().all(|point| found.contains(point) == expected.contains(&point)));
        assert_eq!(found.count() as usize, expected.len());
        for (rank, &point) in expected.iter().enumerate() {
            assert_eq!(found.pick(rank as u32).point(), point);
        }
        let superset: Vec<Point> = board.candidates(among).iter().collect();
        assert!(expected.iter().all(|point| superset.contains(point)));
    }
    legal
}

/// Plays one game and returns how many plies it had and how many empty points were suicides.
fn play<const W: usize>(size: BoardSize, suicide: Suicide, choice: Choice, seed: u64) -> [usize; 2] {
    let rules = Rules { ko: Ko::Simple, suicide, ..Rules::TROMP_TAYLOR };
    let mut board = Board::<W>::new(size, suicide);
    let mut game = ReferenceGame::new(size, rules);
    let mut state = seed;
    let mut below = |bound: usize| {
        state = mix64(state);
        (state % bound as u64) as usize
    };
    let (mut plies, mut suicides) = (0, 0);
    while !game.is_over() && plies < 3 * size.point_count() {
        let mut points = compare(&board, &game);
        suicides += board.candidates(Among::Empty).count() as usize - points.len();
        match choice {
            Choice::Any => {}
            Choice::NotEyeLike => points.retain(|&point| !is_eye_like(&game, size, point, game.to_play())),
            Choice::OrPass if below(10) == 0 => points.clear(),
            Choice::OrPass => {}
        }
        if points.is_empty() {
            board.pass();
            game.play(Move::Pass).unwrap();
        } else {
            let rank = below(points.len());
            let is_not_eye_like = matches!(choice, Choice::NotEyeLike);
            let among = if is_not_eye_like { Among::NotEyeLike } else { Among::Empty };
            board.play_candidate(board.legal_candidates(among).pick(rank as u32));
            game.play(Move::Play(points[rank])).unwrap();
        }
        plies += 1;
    }
    [plies, suicides]
}

#[test]
fn legal_points_are_those_of_the_reference() {
    let small = (1..=6).flat_map(|width| (1..=6).map(move |height| (width, height)));
    let others = [(1, 25), (25, 1), (2, 16), (16, 2), (7, 9), (9, 9), (13, 4), (4, 19), (11, 12), (25, 3)];
    let (mut plies, mut suicides) = (0, 0);
    for (width, height) in small.chain(others) {
        let size = BoardSize::new(width, height).unwrap();
        for suicide in [Suicide::Forbidden, Suicide::Allowed] {
            let choices = [Choice::Any, Choice::NotEyeLike, Choice::OrPass].into_iter().cycle().take(9);
            for (seed, choice) in choices.enumerate() {
                let seed = (100 * width + height) as u64 * 10 + seed as u64;
                let [more_plies, more_suicides] =
                    for_width!(size, W => play::<W>(size, suicide, choice, seed));
                plies += more_plies;
                suicides += more_suicides;
            }
        }
    }
    assert!(plies > 15_000 && suicides > 15_000, "{plies} plies, {suicides} suicides: too few to tell");
}

/// The widest boards take long in the reference: every fiftieth ply.
#[test]
fn large_boards() {
    for (width, height) in [(13, 13), (19, 19), (25, 25)] {
        let size = BoardSize::new(width, height).unwrap();
        for suicide in [Suicide::Forbidden, Suicide::Allowed] {
            for_width!(size, W => {
                let mut board = Board::<W>::new(size, suicide);
                let mut state = 7;
                for ply in 0..3 * size.point_count() {
                    let candidates = board.legal_candidates(Among::NotEyeLike);
                    if candidates.count() == 0 {
                        break;
                    }
                    state = mix64(state);
                    board.play_candidate(candidates.pick((state % u64::from(candidates.count())) as u32));
                    if ply % 50 == 0 {
                        let stone = |point| board.stone(point);
                        let colouring = size.points().map(stone).collect();
                        let rules = Rules { ko: Ko::Simple, suicide, ..Rules::TROMP_TAYLOR };
                        let game = ReferenceGame::from_position(size, rules, colouring, board.to_play());
                        if board.ko_point().is_none() {
                            compare(&board, &game);
                        }
                    }
                }
            });
        }
    }
}
