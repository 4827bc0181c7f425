//! What a search tree tells about its playouts, on small boards with random playouts.

use jigo_engine::{
    BoardSize, Counting, Game, Ko, Komi, Move, Point, Rules, Suicide,
    board::Among,
    search::{Next, Reward, SearchOptions, Tree},
    zobrist::mix64,
};

fn options(reward: Reward) -> SearchOptions {
    SearchOptions {
        reward,
        komi: Komi::from_half_points(3),
        owners: true,
        among: Among::NotEyeLike,
        suicide: Suicide::Forbidden,
        rave: Some(100.0),
        exploration: 0.5,
        expansion: 2,
        prior: 4,
        playouts: 500,
        leaves: 3,
    }
}

/// Plays random moves that fill no eyes until both players pass, and returns them.
fn play_out(game: &mut Game, random: &mut u64) -> Vec<Move> {
    let mut moves = Vec::new();
    while !game.is_over() && moves.len() < 200 {
        let is_sensible = |&point: &Point| {
            game.check_point(point).is_ok() && !game.board().is_eye_like(point, game.to_play())
        };
        let choices: Vec<Point> = game.board().size().points().filter(is_sensible).collect();
        *random = mix64(*random);
        let mv = choices
            .get(*random as usize % choices.len().max(1))
            .map_or(Move::Pass, |&point| Move::Play(point));
        game.play(mv).unwrap();
        moves.push(mv);
    }
    moves
}

/// Searches until all playouts have ended. Those under way end in another order than they began.
fn run(tree: &mut Tree<11>, game: &Game, random: &mut u64) {
    let (size, rules) = (game.board().size(), game.rules());
    let mut board = Game::new(size, Rules { ko: Ko::Simple, ..rules });
    let mut under_way = Vec::new();
    loop {
        assert_eq!(tree.is_idle(), under_way.is_empty());
        match tree.select(game, |count| count - 1) {
            Next::Playout { leaf, start, .. } => under_way.push((leaf, start)),
            Next::Wait => {
                for (leaf, start) in under_way.drain(..).rev() {
                    board.place(&start);
                    let moves = play_out(&mut board, random);
                    tree.finish_on_board(leaf, &board, &moves);
                }
            }
            Next::Done => return,
        }
    }
}

/// A search that is extended is the one that had all its playouts from the beginning, unless its first stage was over before.
#[test]
fn searches_can_be_extended() {
    let size = "4x5".parse().unwrap();
    let game = Game::new(size, Rules::TROMP_TAYLOR);
    let found = |reward, leaves, parts: &[u32]| {
        let options = SearchOptions { playouts: parts[0], leaves, ..options(reward) };
        let mut tree = Tree::new(size, game.rules().counting, game.rules().ko, options);
        let mut random = 4;
        tree.begin(&game, &[]);
        run(&mut tree, &game, &mut random);
        for &part in &parts[1..] {
            tree.extend(part);
            run(&mut tree, &game, &mut random);
        }
        assert_eq!(tree.playouts(), parts.iter().sum::<u32>());
        let moves: Vec<_> = tree.moves().collect();
        assert_eq!(tree.visits(), moves.iter().map(|stats| stats.visits).sum::<u32>());
        (tree.visits(), moves, tree.owners().cloned())
    };
    // Parts that fill the playouts under way.
    assert_eq!(found(Reward::Win, 3, &[300, 60, 240]), found(Reward::Win, 3, &[600]));
    assert_eq!(found(Reward::Margin, 1, &[10, 5, 585]), found(Reward::Margin, 1, &[600]));
    // The first stage of 16 playouts is over.
    assert_eq!(found(Reward::Margin, 1, &[100, 500]).0, 584);
    assert_eq!(found(Reward::Margin, 1, &[600]).0, 525);
}

#[test]
fn playouts_fit_in_bytes_and_sums() {
    let options = |playouts| SearchOptions { playouts, ..options(Reward::Win) };
    for size in ["1", "9", "19", "25"].map(|size| size.parse::<BoardSize>().unwrap()) {
        for bytes in [1 << 20, 1 << 31, usize::MAX] {
            let playouts = Tree::<11>::max_playouts(size, &options(1), bytes);
            assert!(playouts > 100);
            assert!(Tree::<11>::max_bytes(size, &options(playouts)) <= bytes);
            assert!(u64::from(playouts) * (size.point_count() as u64) < i32::MAX as u64);
        }
        assert_eq!(Tree::<11>::max_playouts(size, &options(1), 100), 0);
    }
}

#[test]
fn a_search_without_a_choice_stays_one() {
    let game = Game::new("1".parse().unwrap(), Rules::TROMP_TAYLOR);
    let mut tree: Tree<11> =
        Tree::new(game.board().size(), Counting::Area, Ko::Simple, options(Reward::Margin));
    tree.begin(&game, &[]);
    tree.extend(100);
    assert!(matches!(tree.select(&game, |_| 0), Next::Done));
    assert_eq!((tree.playouts(), tree.visits(), tree.choice()), (0, 0, Move::Pass));
}

#[test]
fn ends_of_playouts_add_up() {
    let mut lines = 0;
    for (seed, reward) in [(1, Reward::Margin), (2, Reward::Win), (3, Reward::Margin)] {
        let size = "4x5".parse().unwrap();
        let rules = Rules { ko: Ko::PositionalSuperko, ..Rules::TROMP_TAYLOR };
        assert_eq!(rules.counting, Counting::Area);
        let mut game = Game::new(size, rules);
        let options = options(reward);
        let mut tree = Tree::new(size, rules.counting, rules.ko, options);
        let mut random = seed;
        while !game.is_over() && game.ply_count() < 12 {
            tree.begin(&game, &[]);
            run(&mut tree, &game, &mut random);
            let moves: Vec<_> = tree.moves().collect();
            let visits: u32 = moves.iter().map(|stats| stats.visits).sum();
            assert!(visits <= options.playouts && visits >= options.playouts * 3 / 4);
            assert!(moves.iter().all(|stats| stats.wins[0] + stats.wins[1] <= stats.visits));
            if reward == Reward::Win {
                let points = size.point_count() as i32;
                let by_wins = |wins: [u32; 2]| (wins[0] as i32 - wins[1] as i32) * points;
                assert!(moves.iter().all(|stats| by_wins(stats.wins) == stats.sum));
            }
            let [black, white] = tree.owners().unwrap().clone();
            let area = |owned: &[u64]| owned.iter().sum::<u64>() as i64;
            assert_eq!(moves.iter().map(|stats| stats.margins).sum::<i64>(), area(&black) - area(&white));
            assert!(black.iter().zip(&white).all(|(black, white)| black + white <= u64::from(visits)));
            for stats in moves.iter().filter(|stats| stats.visits > 0) {
                let line = tree.line(stats.mv);
                assert_eq!(line[0], stats.mv);
                let mut trial = game.clone();
                for mv in &line {
                    trial.play(*mv).unwrap();
                }
                lines += usize::from(line.len() > 2);
            }
            assert_eq!(moves.iter().map(|stats| stats.visits).max(), {
                let choice = tree.choice();
                moves.iter().find(|stats| stats.mv == choice).map(|stats| stats.visits)
            });
            game.play(tree.choice()).unwrap();
        }
    }
    assert!(lines > 100, "{lines}");
}

/// Where a pass is forbidden, the last point is not treated as the pass.
#[test]
fn all_points_can_be_tried_first() {
    let game = Game::new("2x2".parse().unwrap(), Rules::TROMP_TAYLOR);
    for (forbidden, choices) in
        [(&[][..], 4), (&[Move::Pass], 4), (&[Move::Pass, Move::Play(Point::new(1, 0))], 3)]
    {
        let mut tree: Tree<11> =
            Tree::new(game.board().size(), Counting::Area, Ko::Simple, options(Reward::Margin));
        tree.begin(&game, forbidden);
        let mut equal = 0;
        tree.select(&game, |count| {
            equal = count;
            0
        });
        assert_eq!(equal, choices, "without {forbidden:?}");
    }
}
