//! The traditional rules as published in Czech (document 001): each test is a statement of the source.

use Color::{Black, White};
use jigo_engine::{
    BoardSize, Color, IllegalMove,
    protocol::{Conduct, GameEnd, GameEvent, IllegalEvent, Phase, Protocol},
    rules::Preset,
    score::ScoringContext,
};

use super::support::{act, acts, agree, check, game, point};

fn conduct(size: BoardSize) -> Conduct {
    Conduct::new(Preset::Czech, size)
}

fn handicap(side: usize, stones: u32) -> Protocol {
    let size = BoardSize::square(side).unwrap();
    Protocol::new(size, conduct(size).with_handicap(stones)).unwrap()
}

#[test]
fn black_begins_on_any_point_of_the_empty_board() {
    let size = BoardSize::square(19).unwrap();
    let game = Protocol::new(size, conduct(size)).unwrap();
    assert!(size.points().all(|point| game.check(Black, &GameEvent::Play(point)).is_ok()));
}

#[test]
fn handicap_stones_stand_on_the_stars_in_a_fixed_order() {
    let order = [
        (2, &["Q16", "D4"][..]),
        (3, &["Q16", "D4", "Q4"]),
        (4, &["Q16", "D4", "Q4", "D16"]),
        (5, &["Q16", "D4", "Q4", "D16", "K10"]),
        (6, &["Q16", "D4", "Q4", "D16", "D10", "Q10"]),
        (7, &["Q16", "D4", "Q4", "D16", "D10", "Q10", "K10"]),
        (8, &["Q16", "D4", "Q4", "D16", "D10", "Q10", "K16", "K4"]),
        (9, &["Q16", "D4", "Q4", "D16", "D10", "Q10", "K16", "K4", "K10"]),
    ];
    for (stones, names) in order {
        let game = handicap(19, stones);
        let board = game.game().board();
        assert_eq!(board.stone_count(Black), names.len());
        for name in names {
            assert_eq!(board.stone(point(&game, name)), Some(Black), "{stones} stones: {name}");
        }
        assert_eq!(game.to_play(), White, "White plays the first move");
    }
    for (side, corner, center) in [(13, "K10", "G7"), (9, "G7", "E5")] {
        let game = handicap(side, 5);
        for name in [corner, center] {
            assert_eq!(game.game().board().stone(point(&game, name)), Some(Black), "{side}: {name}");
        }
    }
}

#[test]
fn each_class_beyond_nine_is_evened_by_five_prisoners() {
    for (classes, prisoners) in [(9, 0), (10, 5), (12, 15)] {
        let game = handicap(19, classes);
        assert_eq!(game.game().board().stone_count(Black), 9);
        assert_eq!((game.prisoners(White), game.prisoners(Black)), (prisoners, 0));
    }
}

/// Dia. 6 to 8.
#[test]
fn suicide_is_forbidden_except_when_it_captures() {
    let single = game(". O .\nO . .\n. . .", Black, conduct);
    assert_eq!(check(&single, "play A3"), Err(IllegalMove::Suicide.into()));
    let chain = game(". X O\nO O .\n. . .", Black, conduct);
    assert_eq!(check(&chain, "play A3"), Err(IllegalMove::Suicide.into()));
    let mut captures = game(". O X\nO X .\nX . .", Black, conduct);
    acts(&mut captures, &["play A3"]);
    assert_eq!(captures.prisoners(White), 2, "taking the stones is part of the move");
}

/// Dia. 9 to 12.
#[test]
fn a_ko_is_not_retaken_at_once() {
    let mut game = game(". X O .\nX O . O\n. X O .\n. . . .", Black, conduct);
    acts(&mut game, &["play C3"]);
    assert_eq!(act(&mut game, "play B3"), Err(IllegalMove::Ko.into()));
    // Elsewhere once, or a pass, and the fight may go on.
    let mut elsewhere = game.clone();
    acts(&mut elsewhere, &["play A1", "play D1", "play B3"]);
    acts(&mut game, &["pass", "play D1", "play B3"]);
}

/// Dia. 14: a stone is taken back together with others; that is no ko.
#[test]
fn taking_back_more_than_one_stone_is_no_ko() {
    let mut game = game(
        ". X X X .
         X O O . O
         . X X O .",
        White,
        conduct,
    );
    // White D2 is not needed: Black takes two at D2, White takes one back at once.
    acts(&mut game, &["pass", "play D2"]);
    assert_eq!(game.prisoners(White), 2);
    assert!(game.game().board().ko_point().is_none());
}

#[test]
fn two_passes_end_the_game_one_does_not() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, conduct);
    acts(&mut game, &["pass", "play D4", "pass"]);
    assert_eq!(game.phase(), &Phase::Playing);
    acts(&mut game, &["pass"]);
    assert_eq!(game.phase(), &Phase::Stopped);
}

#[test]
fn a_player_may_give_up_before_the_end() {
    let size = BoardSize::square(9).unwrap();
    let mut game = Protocol::new(size, conduct(size)).unwrap();
    acts(&mut game, &["play C3"]);
    game.apply(Black, GameEvent::Resign).unwrap();
    assert_eq!(game.phase(), &Phase::Finished(GameEnd::Resigned(Black)));
    assert_eq!(game.winner(), Some(White));
}

#[test]
fn dead_stones_are_taken_off_and_count_with_the_prisoners() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, conduct).with_prisoners([1, 2]);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark A2"]);
    // 3 points, 1 dead and 2 prisoners; 3 points, 1 prisoner and 5.5 komi.
    assert_eq!(game.result().unwrap().half_points, [12, 19]);
}

#[test]
fn komi_is_five_and_a_half_and_eight_on_thirteen_lines() {
    for (side, komi) in [(19, "5.5"), (9, "5.5"), (13, "8")] {
        assert_eq!(conduct(BoardSize::square(side).unwrap()).komi.to_string(), komi);
    }
}

/// Dia. 22: 14 and 22 points and a prisoner against 18 and 15 points and seven prisoners.
#[test]
fn the_worked_count() {
    let row = format!("{}XO{}", ".".repeat(11), ".".repeat(12));
    let mut game = game(&[&*row; 3].join("\n"), Black, conduct).with_prisoners([1, 7]);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, White, &[]);
    let komi = game.conduct().komi.half_points();
    assert_eq!(game.result().unwrap().half_points, [2 * 40, 2 * 37 + komi]);
    assert_eq!(game.winner(), Some(White), "three points more are not enough for the komi");
}

#[test]
fn neutral_points_between_living_groups_are_nobodys() {
    let mut game = game(". X . O .\n. X . O .", Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, White, &[]);
    let score = game.result().unwrap().score;
    assert_eq!((score.surrounded, score.dame), ([2, 2], 2));
}

/// Dia. 21 B: two groups with an eye each and common liberties.
#[test]
fn points_in_seki_count_for_nobody() {
    let mut with_seki = game(". X . O .\nX X . O O\nO O O X X\n. . O X .", Black, conduct);
    acts(&mut with_seki, &["pass", "pass"]);
    let mut without = with_seki.clone();
    agree(&mut without, Black, &[]);
    agree(&mut with_seki, Black, &["mark-seki B3", "mark-seki D4"]);
    let territory = |game: &Protocol| game.result().unwrap().score.surrounded;
    assert_eq!(territory(&without)[0], territory(&with_seki)[0] + 1, "the eye at A4");
    assert_eq!(territory(&without)[1], territory(&with_seki)[1] + 1, "the eye at E4");
}

/// The same position with the sekis found by the dame beside them: then nobody has a point.
#[test]
fn the_players_decide_which_groups_are_in_seki() {
    let mut game = game(". X . O .\nX X . O O\nO O O X X\n. . O X .", Black, conduct);
    let by_dame = conduct(game.game().board().size())
        .count(&game.game().board().position(), &ScoringContext::default());
    assert_eq!(
        (by_dame.result(), by_dame.territory.iter().flatten().count(), by_dame.dame.len()),
        (-11, 0, 2)
    );
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark-seki B3", "mark-seki D4"]);
    let agreed = game.result().unwrap();
    // A1 and B1 against E1; the eyes and the common liberties count for nobody.
    assert_eq!((agreed.result(), agreed.territory[0].len(), agreed.territory[1].len()), (-13, 1, 2));
    assert_eq!((agreed.dame.len(), agreed.seki.len()), (0, 4));
}

/// A stone in an eye of two points of a group in seki must be taken before the end; otherwise it stays and is neutral.
#[test]
fn a_stone_in_an_eye_of_a_seki_stays() {
    let diagram = ". O X . O .\nX X X . O O\nO O O O O O";
    let mut game = game(diagram, Black, conduct);
    acts(&mut game, &["pass", "pass"]);
    let stone = point(&game, "B3");
    // In whatever order it is marked.
    let mut seki_first = game.clone();
    seki_first.apply(Black, GameEvent::MarkSeki(point(&game, "C3"))).unwrap();
    assert_eq!(seki_first.apply(Black, GameEvent::Mark(stone)), Err(IllegalEvent::StoneInSekiEye));
    agree(&mut game, Black, &["mark B3", "mark-seki C3"]);
    assert_eq!((game.dead().count(), game.result().unwrap().score.surrounded[0]), (0, 0));
}

/// The game is stopped; Black rejects White's proposal, and play is resumed.
fn resumed(to_play: Color) -> Protocol {
    let mut game = game(
        ". . X O . .
         . . X O . .
         O . X O . X
         . . X O . .",
        to_play,
        conduct,
    );
    acts(&mut game, &["pass", "pass", "propose"]);
    game.apply(to_play.opponent(), GameEvent::Reject).unwrap();
    game
}

#[test]
fn a_resumption_is_begun_by_the_player_to_move_and_ended_by_the_opponent() {
    let mut game = resumed(Black);
    assert_eq!((game.phase(), game.to_play()), (&Phase::Resumed(Black), Black));
    acts(&mut game, &["play B2", "hand-over", "hand-over"]);
    assert_eq!(game.phase(), &Phase::Resumed(Black), "both have passed, but Black was the last");
    acts(&mut game, &["hand-over"]);
    assert_eq!(game.phase(), &Phase::Stopped);
}

#[test]
fn who_need_not_answer_hands_over_a_stone() {
    let mut game = resumed(White);
    assert_eq!(act(&mut game, "pass"), Err(IllegalEvent::PassCostsStone));
    acts(&mut game, &["play A1", "hand-over"]);
    assert_eq!((game.prisoners(Black), game.prisoners(White)), (1, 0));
}

/// Moves inside the own territory cost the player who proves nothing on balance: as long as no status changes, the difference of the scores stays.
#[test]
fn a_resumption_that_changes_nothing_leaves_the_difference() {
    let finish = |mut game: Protocol, dead: &[&str]| {
        agree(&mut game, Black, dead);
        game.result().unwrap().result()
    };
    let mut expected = resumed(Black);
    acts(&mut expected, &["hand-over", "hand-over"]);
    let expected = finish(expected, &["mark A2", "mark F2"]);
    let lines: [(&[&str], &[&str]); 4] = [
        // Black takes the dead stone by moves into his own territory.
        (&["play A3", "hand-over", "play A1", "hand-over", "play B2", "hand-over"], &["mark F2"]),
        // White adds dead stones, answered by passes.
        (&["hand-over", "play A4", "hand-over", "hand-over"], &["mark A2", "mark A4", "mark F2"]),
        // Both play.
        (&["play F4", "play E4", "play B1", "hand-over"], &["mark A2", "mark F4", "mark F2"]),
        (&["play B1", "play E1", "play B4", "play E4"], &["mark A2", "mark F2"]),
    ];
    for (line, dead) in lines {
        let mut game = resumed(Black);
        acts(&mut game, line);
        while game.phase() != &Phase::Stopped {
            acts(&mut game, &["hand-over"]);
        }
        assert_eq!(finish(game, dead), expected, "{line:?}");
    }
}

/// The result of a resumption does not depend on who fills the neutral points, be they even or odd in number.
#[test]
fn neutral_points_filled_in_a_resumption_leave_the_difference() {
    for dame in 1..=3 {
        // White's stone on the left is dead.
        let rows = (0..3)
            .map(|row| format!("{} . X {} O . .", [".", "O", "."][row], if row < dame { "." } else { "O" }));
        let diagram = rows.collect::<Vec<_>>().join("\n");
        let stopped = || {
            let mut game = game(&diagram, Black, conduct);
            acts(&mut game, &["pass", "pass", "mark A2", "propose"]);
            game
        };
        let mut accepted = stopped();
        accepted.apply(White, GameEvent::Accept).unwrap();
        let expected = accepted.result().unwrap().result();
        // Every order of stones on neutral points, stones in the own territory, and passes.
        for choices in 0..3_u32.pow(6) {
            let mut game = stopped();
            game.apply(White, GameEvent::Reject).unwrap();
            for ply in 0..6 {
                let own = if game.to_play() == Black { ["A3", "A1", "B2"] } else { ["G1", "G2", "G3"] };
                let points: &[&str] = match choices / 3_u32.pow(ply) % 3 {
                    0 => &["D3", "D2", "D1"],
                    1 => &own,
                    _ => &[],
                };
                let played = points.iter().any(|name| act(&mut game, &format!("play {name}")).is_ok());
                if !played && game.phase() != &Phase::Stopped {
                    acts(&mut game, &["hand-over"]);
                }
            }
            while game.phase() != &Phase::Stopped {
                acts(&mut game, &["hand-over"]);
            }
            let is_captured = game.game().prisoners(White) > 0;
            agree(&mut game, Black, if is_captured { &[] } else { &["mark A2"] });
            assert_eq!(game.result().unwrap().result(), expected, "{dame} neutral points, {choices}");
        }
    }
}

/// What the surplus is, stone by stone, also while it is proposed.
#[test]
fn who_filled_more_neutral_points_hands_over_the_difference() {
    let mut game = game(". X . O .\n. X O O .", Black, conduct);
    acts(&mut game, &["pass", "pass", "propose"]);
    game.apply(White, GameEvent::Reject).unwrap();
    acts(&mut game, &["play C2", "hand-over", "hand-over", "hand-over"]);
    assert_eq!((game.prisoners(Black), game.prisoners(White)), (1, 2));
    acts(&mut game, &["propose"]);
    assert_eq!((game.prisoners(Black), game.prisoners(White)), (2, 2));
    game.apply(game.to_play().opponent(), GameEvent::Accept).unwrap();
    assert_eq!((game.prisoners(Black), game.prisoners(White)), (2, 2));
}
