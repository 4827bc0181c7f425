//! The counting guide of hups (document 004): each test is a statement of the source.

use Color::{Black, White};
use jigo_engine::{
    BoardSize, Color,
    protocol::{Conduct, GameEvent, Phase, Protocol},
    rules::Preset,
};

use super::support::{acts, agree, check, game, point};

fn conduct(size: BoardSize) -> Conduct {
    Conduct::new(Preset::Hups, size)
}

/// The numbers of pictures 14 to 16: White 6 points, Black 5, and two dead stones of each.
const WORKED: &str = "
    . O X O X .
    O . X O . X
    . X X O . .";

const DEAD: [&str; 4] = ["mark A2", "mark B3", "mark E3", "mark F2"];

fn counted(mut game: Protocol, marks: &[&str]) -> [i32; 2] {
    while game.phase() == &Phase::Playing {
        acts(&mut game, &["pass"]);
    }
    agree(&mut game, Black, marks);
    game.result().unwrap().half_points.map(|half_points| half_points / 2)
}

#[test]
fn the_worked_count() {
    let mut game = game(WORKED, Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &DEAD);
    let score = game.result().unwrap().score;
    assert_eq!((score.surrounded, score.prisoners), ([5, 6], [2, 2]));
    assert_eq!(game.result().unwrap().half_points, [14, 16]);
    assert_eq!(game.winner(), Some(White), "by one point");
}

#[test]
fn the_game_ends_when_the_last_two_moves_are_passes() {
    let mut game = game(WORKED, Black, conduct);
    acts(&mut game, &["pass"]);
    assert_eq!(game.phase(), &Phase::Playing);
    acts(&mut game, &["pass"]);
    assert_eq!(game.phase(), &Phase::Stopped);
}

#[test]
fn the_players_agree_on_the_dead_or_play_on() {
    let mut game = game(WORKED, Black, conduct);
    acts(&mut game, &["pass", "pass", "mark A2", "propose"]);
    game.apply(White, GameEvent::Reject).unwrap();
    assert_eq!(game.phase(), &Phase::Playing);
    assert_eq!(check(&game, "play A1"), Ok(()));
}

#[test]
fn connected_empty_points_bounded_by_one_colour_are_territory_and_others_are_dame() {
    let mut game = game(". X . O .\n. X . O .\n. X . O .", Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &[]);
    let score = game.result().unwrap().score;
    assert_eq!((score.surrounded, score.dame), ([3, 3], 3));
}

/// Territory and dame are those of the board without the dead stones.
#[test]
fn a_region_with_a_dead_chain_is_territory_and_no_dame() {
    let mut game = game(". . X O .\nO O X O .\n. . X O .", Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark A2"]);
    let count = game.result().unwrap();
    assert_eq!((count.territory[0].len(), count.dame.len()), (6, 0));
    assert_eq!(count.dead, ["A2", "B2"].map(|name| point(&game, name)));
}

/// Picture 17: playing in one's own territory loses a point.
#[test]
fn playing_inside_ones_own_territory_loses_a_point() {
    let [black, white] = counted(game(WORKED, Black, conduct), &DEAD);
    let mut inside = game(WORKED, Black, conduct);
    acts(&mut inside, &["play A1"]);
    assert_eq!(counted(inside, &DEAD), [black - 1, white]);
}

/// Picture 18: a stone in the opponent's territory that is ignored is one more prisoner.
#[test]
fn playing_inside_the_opponents_territory_loses_a_point() {
    let [black, white] = counted(game(WORKED, Black, conduct), &DEAD);
    let mut inside = game(WORKED, Black, conduct);
    acts(&mut inside, &["play F1"]);
    assert_eq!(counted(inside, &[&DEAD[..], &["mark F1"]].concat()[..4]), [black, white + 1], "F1 joins F2");
}

/// Pictures 18 and 19: one move each inside the same territory changes nothing.
#[test]
fn one_move_each_inside_the_same_territory_changes_nothing() {
    let [black, white] = counted(game(WORKED, Black, conduct), &DEAD);
    let mut inside = game(WORKED, Black, conduct);
    acts(&mut inside, &["play F1", "play E1"]);
    let [black_after, white_after] = counted(inside, &DEAD);
    assert_eq!(black_after - white_after, black - white);
}
