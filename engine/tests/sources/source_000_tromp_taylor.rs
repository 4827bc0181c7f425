//! The logical rules of John Tromp and Bill Taylor (document 000): each test is a statement of the source.

use super::support::{act, acts, agree, check, game, point};
use Color::{Black, White};
use jigo_engine::{
    BoardSize, Color, Game, IllegalMove, Ko, Komi, Move, Point, Rules,
    protocol::{Conduct, GameEnd, GameEvent, IllegalEvent, Phase, Protocol},
    rules::Preset,
};

fn conduct(size: BoardSize) -> Conduct {
    Conduct::new(Preset::TrompTaylor, size)
}

fn start(side: usize) -> Protocol {
    let size = BoardSize::square(side).unwrap();
    Protocol::new(size, conduct(size)).unwrap()
}

fn play(game: &mut Game, name: &str) -> Result<(), IllegalMove> {
    let point = Point::from_gtp(name, game.board().size()).unwrap();
    game.play(Move::Play(point)).map(|_| ())
}

#[test]
fn the_grid_starts_empty_black_begins_and_the_players_alternate() {
    let mut game = start(19);
    assert_eq!(game.game().board().empty_points().count(), 361);
    for color in [Black, White, Black, White] {
        assert_eq!(game.to_play(), color);
        let name = ["C3", "D4", "E5", "F6"][game.record().len()];
        acts(&mut game, &[&format!("play {name}")]);
    }
    assert_eq!(game.apply(White, GameEvent::Pass), Err(IllegalEvent::NotYourTurn(Black)));
}

#[test]
fn grids_of_other_sizes_can_be_agreed() {
    for (width, height) in [(1, 1), (2, 9), (19, 19), (25, 25)] {
        let size = BoardSize::new(width, height).unwrap();
        assert!(Protocol::new(size, conduct(size)).is_ok(), "{size}");
    }
}

#[test]
fn a_move_clears_the_opponents_colour_and_then_ones_own() {
    // Black takes two stones, though his own stone had no liberty before.
    let mut captured = game(". O X\nO X .\nX . .", Black, conduct);
    acts(&mut captured, &["play A3"]);
    let board = captured.game().board();
    assert_eq!((board.stone_count(Black), board.stone_count(White)), (4, 0));
    assert_eq!((captured.prisoners(Black), captured.prisoners(White)), (0, 2));
    // The own chain of two is cleared: suicide. At most one of both clears anything.
    let mut given_up = game(". X O\nO O .\n. . .", Black, conduct);
    acts(&mut given_up, &["play A3"]);
    let board = given_up.game().board();
    assert_eq!((board.stone_count(Black), board.stone_count(White)), (0, 3));
    assert_eq!((given_up.prisoners(Black), given_up.prisoners(White)), (2, 0));
}

#[test]
fn no_move_repeats_an_earlier_colouring() {
    let mut game = game(". X O .\nX O . O\n. X O .", Black, conduct);
    acts(&mut game, &["play C2", "pass", "pass"]);
    assert_eq!(act(&mut game, "play B2"), Err(IllegalMove::Superko { earlier_ply: 0 }.into()));
}

/// Positional superko ignores who is to move; situational superko does not.
#[test]
fn superko_ignores_who_is_to_move() {
    let size = BoardSize::new(3, 2).unwrap();
    let situational = Rules { ko: Ko::SituationalSuperko, ..Rules::TROMP_TAYLOR };
    let (mut seed, mut only_positional) = (1, 0);
    for _ in 0..300 {
        let mut games = [situational, Rules::TROMP_TAYLOR].map(|rules| Game::<11>::new(size, rules));
        while !games[0].is_over() {
            let legal: Vec<Point> = games[0].legal_points().collect();
            let differs = |&point: &Point| games[1].check(Move::Play(point)).is_err();
            if let Some(&point) = legal.iter().find(|point| differs(point)) {
                let repetition = games[0].repetition(point).expect("the colouring was there before");
                assert!(!repetition.same_player);
                only_positional += 1;
                break;
            }
            seed = jigo_engine::zobrist::mix64(seed);
            let mv =
                legal.get(seed as usize % (legal.len() + 1)).map_or(Move::Pass, |&point| Move::Play(point));
            for game in &mut games {
                game.play(mv).unwrap();
            }
        }
    }
    assert!(only_positional > 50, "{only_positional}");
}

#[test]
fn a_pass_is_always_legal_and_repeats_nothing() {
    let mut game = start(3);
    acts(&mut game, &["pass", "play B2", "pass", "pass"]);
    assert_eq!(game.phase(), &Phase::Stopped);
}

#[test]
fn a_single_stone_given_up_repeats_the_colouring_before() {
    let game = game(". O .\nO . .\n. . .", Black, conduct);
    assert!(check(&game, "play A3").is_err());
}

/// Rule 6 alone; the commentary's way to the end is tested below.
#[test]
fn the_game_ends_after_two_consecutive_passes() {
    let mut game = Game::new(BoardSize::square(3).unwrap(), Rules::TROMP_TAYLOR);
    for (mv, is_over) in [("pass", false), ("B2", false), ("pass", false), ("pass", true)] {
        match mv {
            "pass" => game.pass(),
            name => play(&mut game, name).unwrap(),
        }
        assert_eq!(game.is_over(), is_over);
    }
    assert_eq!(play(&mut game, "A1"), Err(IllegalMove::GameOver));
}

#[test]
fn the_score_is_points_coloured_and_empty_points_that_reach_only_ones_colour() {
    let mut game = game(". X O .\nX X O .\n. X . O", Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &[]);
    let score = game.result().unwrap();
    let area = score.score;
    assert_eq!((area.stones, area.surrounded, area.dame), ([4, 3], [2, 2], 1));
    assert_eq!(score.half_points, [12, 10]);
}

#[test]
fn the_higher_score_wins_and_equal_scores_are_a_draw() {
    for (komi, winner) in [(1, Some(Black)), (2, None), (3, Some(White))] {
        let with_komi = |size| conduct(size).with_komi(Komi::from_half_points(komi));
        let mut game = game(". X O .\nX X O .\n. X . O", Black, with_komi);
        acts(&mut game, &["pass", "pass"]);
        agree(&mut game, White, &[]);
        assert_eq!(game.winner(), winner, "komi of {komi} half points");
    }
}

#[test]
fn a_handicap_of_n_stones_is_n_moves_in_a_row() {
    let size = BoardSize::square(9).unwrap();
    let mut game = Protocol::new(size, conduct(size).with_handicap(3)).unwrap();
    assert_eq!(act(&mut game, "pass"), Err(IllegalEvent::HandicapFirst));
    for name in ["C3", "G7", "E5"] {
        assert_eq!(game.to_play(), Black);
        acts(&mut game, &[&format!("play {name}")]);
    }
    assert_eq!((game.to_play(), game.phase()), (White, &Phase::Playing));
    assert_eq!(game.game().board().stone_count(Black), 3);
}

#[test]
fn after_two_passes_the_players_may_agree_on_points_to_empty() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, White, &["mark A2"]);
    assert_eq!(game.result().unwrap().half_points, [16, 16]);
}

/// One stone of a chain of four: the three others stay.
#[test]
fn the_points_agreed_on_are_emptied_and_no_others() {
    let mut game = game("X X . .\nX X . .\n. . O O", Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark A3"]);
    let count = game.result().unwrap();
    assert_eq!((count.half_points, count.dead), ([8, 4], vec![point(&game, "A3")]));
    assert_eq!((count.territory[0].len(), count.dame.len()), (1, 6));
}

#[test]
fn without_agreement_play_goes_on() {
    let mut game = start(5);
    acts(&mut game, &["play C3", "pass", "pass", "propose"]);
    game.apply(Black, GameEvent::Reject).unwrap();
    assert_eq!(game.phase(), &Phase::Stopped);
    acts(&mut game, &["play A1"]);
    assert_eq!(game.phase(), &Phase::Playing);
    // Superko looks at the whole game, also at what was before the stop.
    assert_eq!(game.game().ply_count(), 4);
}

#[test]
fn after_four_passes_the_game_ends_as_it_stands() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, conduct);
    acts(&mut game, &["pass", "pass", "mark A2", "pass"]);
    assert_eq!(game.phase(), &Phase::Stopped);
    acts(&mut game, &["pass"]);
    assert_eq!(game.phase(), &Phase::Finished(GameEnd::Counted));
    let area = game.result().unwrap().score;
    assert_eq!((area.of(Black), area.of(White), area.dame), (6, 9, 1), "A2 stays, A1 reaches both");
}

#[test]
fn komi_is_given_to_white_and_half_a_point_excludes_draws() {
    for half_points in [11, 13] {
        let komi = Komi::from_half_points(half_points);
        assert!(!komi.is_whole());
        assert!((-100..100).all(|margin| komi.apply(margin) != 0));
    }
}

/// Four differences between Chinese and Japanese rules, independent of each other: 2×2×2×2 rule sets, and situational superko besides.
#[test]
fn the_four_choices_are_independent() {
    let (mut sixteen, mut all) = (0, 0);
    for rules in Rules::lattice() {
        let size = BoardSize::square(9).unwrap();
        let mut game = Protocol::new(size, Conduct::new(rules, size).with_handicap(2)).unwrap();
        if game.phase() != &Phase::Playing {
            acts(&mut game, &["play D4", "play F6"]);
        }
        assert_eq!((game.to_play(), game.game().board().stone_count(Black)), (White, 2), "{rules}");
        acts(&mut game, &["play E5", "pass", "pass"]);
        agree(&mut game, Black, &[]);
        assert!(game.result().is_some(), "{rules}");
        sixteen += u32::from(rules.ko != Ko::SituationalSuperko);
        all += 1;
    }
    assert_eq!((sixteen, all), (16, 24));
}

/// Under simple ko a cycle of more than two plies is legal, here with three kos; under superko its last move is not.
#[test]
fn simple_ko_lets_long_cycles_happen() {
    let diagram = "
        . X O . . X O . . X O .
        X O . O X . X O X O . O
        . X O . . X O . . X O .";
    for ko in [Ko::Simple, Ko::PositionalSuperko] {
        let mut game = game(diagram, Black, |size| Conduct::new(Rules { ko, ..Rules::TROMP_TAYLOR }, size));
        let before = game.game().board().position();
        acts(&mut game, &["play C2", "play F2", "play L2", "play B2", "play G2"]);
        let last = act(&mut game, "play K2");
        assert_eq!(last.is_ok(), ko == Ko::Simple);
        assert_eq!(game.game().board().position() == before, ko == Ko::Simple);
    }
}

/// Handicap stones are moves, so the position with all of them is one that may not come back.
#[test]
fn the_position_with_the_handicap_stones_is_not_repeated() {
    let size = BoardSize::new(4, 1).unwrap();
    let mut game = Protocol::new(size, conduct(size).with_handicap(2)).unwrap();
    acts(&mut game, &["play A1", "play C1", "play B1"]);
    assert_eq!(game.game().board().stone(point(&game, "A1")), None, "White has captured A1");
    // No ko bans the capture after passes, but it would recreate the position after two plies.
    acts(&mut game, &["pass", "pass"]);
    assert_eq!(check(&game, "play A1"), Err(IllegalMove::Superko { earlier_ply: 2 }.into()));
}

/// Three kos: each capture is another position, until the sixth recreates the first.
#[test]
fn long_cycles_are_repetitions_too() {
    let diagram = "
        . X O . . X O . . X O .
        X O . O X . X O X O . O
        . X O . . X O . . X O .";
    let mut game = game(diagram, Black, conduct);
    acts(&mut game, &["play C2", "play F2", "play L2", "play B2", "play G2"]);
    assert_eq!(check(&game, "play K2"), Err(IllegalMove::Superko { earlier_ply: 0 }.into()));
}
