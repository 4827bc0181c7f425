//! The rules of the game site BrainKing (document 003): each test is a statement of the source.

use Color::{Black, White};
use jigo_engine::{
    BoardSize, Color, IllegalMove, Point,
    protocol::{Conduct, GameEnd, GameEvent, IllegalEvent, Phase, Protocol},
    rules::Preset,
};

use super::support::{act, acts, agree, check, game, point};

fn conduct(size: BoardSize) -> Conduct {
    Conduct::new(Preset::BrainKing, size)
}

/// A position with the numbers of the source's picture, which is lost: Black has 7 points above and 22 to the right, White 8 at the upper left, 4
/// at the upper right and 21 below; one black and seven white stones are dead.
const WORKED: &str = "
    . . . . . . . X O . . . .
    X X X X X X X X O O O O O
    O O O O O O O O X X X X X
    . . . . . . . O X . . . .
    . O O O O O O O X O O O O
    O O O O O O O O X . . . .
    O O O O O O O O X O O O .
    O O O O O O O O X . . . .
    O O O O O O O O X . . X X
    O O O O O O O O X X X X X
    O O O O O O O O O O O O O
    . . . . . . X . . . . . .
    . . . . . . . . O O O O O";

#[test]
fn the_worked_example_to_the_half_point() {
    let mut game = game(WORKED, Black, conduct).with_prisoners([3, 2]);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark G2", "mark K9"]);
    let score = game.result().unwrap();
    // Of one and seven stones that are dead, and of three and two captured before.
    assert_eq!((score.score.surrounded, score.score.prisoners), ([29, 33], [7 + 2, 1 + 3]));
    // Black 29 − 3 − 1 − 4.5 = 20.5; White 33 − 2 − 7 = 24.
    assert_eq!(score.half_points, [41, 48]);
    assert_eq!(game.winner(), Some(White));
}

#[test]
fn komi_depends_on_the_board() {
    for (side, komi) in [(19, "5.5"), (13, "4.5"), (9, "3.5")] {
        assert_eq!(conduct(BoardSize::square(side).unwrap()).komi.to_string(), komi);
    }
}

#[test]
fn marking_one_stone_marks_all_of_its_colour_in_the_same_territory() {
    let mut game = game(WORKED, Black, conduct);
    acts(&mut game, &["pass", "pass", "mark K9"]);
    let marked: Vec<String> =
        game.marked(Black).map(|point| point.to_gtp(game.game().board().size())).collect();
    assert_eq!(marked, ["K9", "L9", "M9", "N9", "K7", "L7", "M7"]);
    assert_eq!(act(&mut game, "mark L7"), Err(IllegalEvent::AlreadyMarked));
    assert_eq!(act(&mut game, "mark A1"), Err(IllegalEvent::NoStone));
}

/// White's wall has territory of its own, so that what lies in front of it is not Black's alone.
#[test]
fn where_the_territory_is_open_one_chain_is_marked() {
    let mut game = game("O . X . O .\n. . . . O .\n. O X . O .", Black, conduct);
    acts(&mut game, &["pass", "pass", "mark A3"]);
    assert_eq!(game.marked(Black).collect::<Vec<_>>(), [point(&game, "A3")]);
}

#[test]
fn the_opponent_sees_the_score_before_accepting() {
    let mut game = game(WORKED, Black, conduct).with_prisoners([3, 2]);
    acts(&mut game, &["pass", "pass", "mark G2", "mark K9"]);
    assert_eq!(game.count(), None);
    acts(&mut game, &["propose"]);
    let proposed = game.count().unwrap();
    assert_eq!((proposed.half_points, game.result()), ([41, 48], None));
    game.apply(White, GameEvent::Accept).unwrap();
    assert_eq!(game.result(), Some(proposed));
}

#[test]
fn stones_of_either_colour_may_be_marked_by_the_player_to_move() {
    let mut game = game(WORKED, White, conduct);
    acts(&mut game, &["pass", "pass"]);
    assert_eq!(game.apply(Black, GameEvent::Mark(point(&game, "G2"))), Err(IllegalEvent::NotYourTurn(White)));
    acts(&mut game, &["mark G2", "mark K9"]);
}

#[test]
fn the_opponent_accepts_and_the_game_is_over() {
    let mut game = game(WORKED, Black, conduct);
    acts(&mut game, &["pass", "pass", "propose"]);
    assert_eq!(game.apply(Black, GameEvent::Accept), Err(IllegalEvent::NotYourTurn(White)));
    game.apply(White, GameEvent::Accept).unwrap();
    assert_eq!(game.phase(), &Phase::Finished(GameEnd::Counted));
    assert!(act(&mut game, "pass").is_err());
}

#[test]
fn or_rejects_and_the_players_put_stones_or_mark_anew_after_passes() {
    let mut game = game(WORKED, Black, conduct);
    acts(&mut game, &["pass", "pass", "mark K9", "propose"]);
    game.apply(White, GameEvent::Reject).unwrap();
    assert_eq!((game.phase(), game.to_play()), (&Phase::Playing, White));
    assert_eq!(game.marked(Black).count(), 0);
    assert!(check(&game, "mark K7").is_err(), "not before both have passed");
    acts(&mut game, &["play K10", "pass", "pass", "mark K9"]);
    assert_eq!(game.phase(), &Phase::Stopped);
}

#[test]
fn a_stone_needs_a_liberty_unless_it_captures() {
    let no_liberty = game(". O .\nO . .\n. . .", Black, conduct);
    assert_eq!(check(&no_liberty, "play A3"), Err(IllegalMove::Suicide.into()));
    let captures = game(". O X\nO X .\nX . .", Black, conduct);
    assert_eq!(check(&captures, "play A3"), Ok(()));
}

#[test]
fn a_move_may_not_repeat_the_position_after_the_same_players_last_move() {
    let mut game = game(". X O .\nX O . O\n. X O .\n. . . .", Black, conduct);
    acts(&mut game, &["play C3"]);
    assert_eq!(check(&game, "play B3"), Err(IllegalMove::Ko.into()));
    acts(&mut game, &["play A1", "play D1"]);
    assert_eq!(check(&game, "play B3"), Ok(()), "in one of the next moves it may");
}

#[test]
fn the_handicap_is_put_freely_as_blacks_first_move() {
    let size = BoardSize::square(13).unwrap();
    let mut game = Protocol::new(size, conduct(size).with_handicap(3)).unwrap();
    let points =
        |names: &[&str]| names.iter().map(|name| Point::from_gtp(name, size).unwrap()).collect::<Vec<_>>();
    for wrong in [&["D4", "K10"][..], &["D4", "D4", "K10"], &["D4", "K10", "K4", "D10"]] {
        assert_eq!(
            game.apply(Black, GameEvent::PlaceHandicap(points(wrong))),
            Err(IllegalEvent::HandicapPoints(3))
        );
    }
    game.apply(Black, GameEvent::PlaceHandicap(points(&["A1", "G7", "N13"]))).unwrap();
    assert_eq!((game.to_play(), game.game().board().stone_count(Black)), (White, 3));
    acts(&mut game, &["play C3", "play D4"]);
}

#[test]
fn handicap_games_are_not_rated() {
    let size = BoardSize::square(9).unwrap();
    assert!(conduct(size).is_rated());
    assert!(!conduct(size).with_handicap(2).is_rated());
}

/// The site's statistics have draws, although komi is a half point: the players may agree on one.
#[test]
fn the_players_may_agree_on_a_draw() {
    let size = BoardSize::square(9).unwrap();
    let mut game = Protocol::new(size, conduct(size)).unwrap();
    acts(&mut game, &["play C3", "offer-draw"]);
    assert_eq!(game.check(White, &GameEvent::AcceptDraw), Err(IllegalEvent::NoOffer), "the own offer");
    let mut declined = game.clone();
    acts(&mut declined, &["play D3"]);
    assert_eq!(act(&mut declined, "accept-draw"), Ok(()), "the offer stands until Black's next ply");
    acts(&mut game, &["play D3", "play E3"]);
    assert_eq!(act(&mut game, "accept-draw"), Err(IllegalEvent::NoOffer), "Black's ply declined it");
    acts(&mut game, &["offer-draw"]);
    assert_eq!(check(&game, "offer-draw"), Err(IllegalEvent::AlreadyOffered));
    game.apply(Black, GameEvent::AcceptDraw).unwrap();
    assert_eq!(game.phase(), &Phase::Finished(GameEnd::Agreed));
    assert_eq!((game.winner(), game.result()), (None, None));
}

#[test]
fn no_draw_is_agreed_on_while_the_game_is_stopped() {
    let mut game = game(WORKED, Black, conduct);
    acts(&mut game, &["pass", "offer-draw", "pass"]);
    assert!(matches!(game.check(Black, &GameEvent::AcceptDraw), Err(IllegalEvent::WrongPhase { .. })));
}
