//! Gábor Makrai's rules 1.5 (document 002): each test is a statement of the source.

use jigo_engine::{
    BoardSize, Color, IllegalMove, Move, Point,
    protocol::{
        ClaimedStatus, Conduct, ContinuationLimits, EndRule, GameEnd, GameEvent, IllegalEvent, KoChoice,
        Phase, Protocol,
    },
    rules::{Preset, RuleSet},
};

use super::support::{act, acts, agree, check, game, point};
use Color::{Black, White};

fn limits_of(conduct: Conduct) -> ContinuationLimits {
    match conduct.ending {
        EndRule::Continuations(limits) => limits,
        _ => unreachable!("Makrai's rules"),
    }
}

fn area(size: BoardSize) -> Conduct {
    Conduct::new(Preset::MakraiArea, size)
}

fn territory(size: BoardSize) -> Conduct {
    Conduct::new(Preset::MakraiTerritory, size)
}

/// The source's diagram is lost: this is a position in which its line and every remark hold. In the corner Black has one eye and a ko that he
/// cannot win by connecting; to the right a seki with two kos.
const MOONSHINE: &str = "
    . . . . . . . . . . .
    . . . . . . . O O O O
    O O . . . O O O X X X
    . O O . . O X X X . X
    O X O O O O X . O X O
    X X O O O X X O O O O
    . X O . O X O . O O O";

fn moonshine() -> Protocol {
    game(MOONSHINE, Black, area)
}

/// The legal captures of a ko, and the kos that may be challenged.
fn ko_captures(game: &Protocol) -> (Vec<Point>, Vec<Point>) {
    let board = game.game().board();
    let by_shape: Vec<Point> =
        board.empty_points().filter(|&point| board.ko_capture(point).is_some()).collect();
    let allowed = |event: fn(Point) -> GameEvent| {
        by_shape.iter().copied().filter(|&point| game.check(game.to_play(), &event(point)).is_ok()).collect()
    };
    (allowed(GameEvent::Play), allowed(GameEvent::Challenge))
}

#[test]
fn moonshine_life_is_captured() {
    let mut game = moonshine();
    acts(&mut game, &["play A4"]);
    // 2. The corner ko cannot be taken legally at the moment.
    assert_eq!(check(&game, "play A3"), Err(IllegalMove::Ko.into()));
    acts(&mut game, &["pass", "pass"]);
    // 3. The game stops, White demands a continuation.
    assert_eq!(game.phase(), &Phase::Stopped);
    acts(&mut game, &["demand modified"]);
    // 4. Directly at first.
    assert_eq!(check(&game, "challenge A3"), Err(IllegalEvent::NotARecapture));
    acts(&mut game, &["play A3", "play H1", "play K4", "play A4"]);
    // A stone may be given up at A1, but it takes no ko.
    assert_eq!(check(&game, "play A1"), Ok(()));
    assert_eq!(check(&game, "challenge A1"), Err(IllegalEvent::NoKoCapture));
    // 8. The corner ko is not legal again.
    assert_eq!(check(&game, "play A3"), Err(IllegalMove::Ko.into()));
    assert_eq!(check(&game, "challenge A3"), Err(IllegalEvent::CaptureForbidden));
    acts(&mut game, &["play G1", "play K3"]);
    // 10. Now it is legal; 11 tries to stir; 12 for safety.
    assert_eq!(check(&game, "challenge A3"), Ok(()));
    acts(&mut game, &["challenge A3", "challenge H1", "challenge K4"]);
    assert_eq!(game.phase(), &Phase::Continued(KoChoice::Modified), "challenge passes do not stop the game");
    acts(&mut game, &["play H1"]);
    // 13 locks.
    assert_eq!(check(&game, "play G1"), Err(IllegalMove::Ko.into()));
    acts(&mut game, &["play K4"]);
    // 14 locks. 15: no ko capture is legal, so no pass for a lock is either.
    assert_eq!(check(&game, "play K3"), Err(IllegalMove::Ko.into()));
    assert_eq!(ko_captures(&game), (vec![], vec![]));
    acts(&mut game, &["pass"]);
    // 16 locks.
    acts(&mut game, &["play A3", "play K3", "play G1"]);
    assert_eq!(check(&game, "play A4"), Err(IllegalEvent::Locked));
    assert_eq!(check(&game, "challenge A4"), Err(IllegalEvent::Locked));
    // 19. There is nothing else: every move loses the corner, or the group on the right to a stone at the last liberty.
    let mut others = 0;
    for other in game.game().board().empty_points() {
        let mut game = game.clone();
        if game.apply(Black, GameEvent::Play(other)).is_ok() {
            let (reply, lost) = match &*other.to_gtp(game.game().board().size()) {
                "H3" => ("play K4", "G3"),
                "K4" => ("play H3", "G3"),
                "A1" => ("play A4", "B2"),
                _ => ("play A1", "B2"),
            };
            acts(&mut game, &[reply]);
            assert_eq!(game.game().board().stone(point(&game, lost)), None, "{other:?}");
            others += 1;
        }
    }
    assert!(others > 20, "{others}");
    acts(&mut game, &["pass", "play A1"]);
    for name in ["A2", "B1", "B2", "B3"] {
        assert_eq!(game.game().board().stone(point(&game, name)), None, "{name} is captured");
    }
}

/// Why the locks are needed: the same line with basic ko comes back to where it was.
#[test]
fn without_the_modified_ko_moonshine_life_lives() {
    let mut game = moonshine();
    acts(&mut game, &["play A4", "pass", "pass", "demand"]);
    assert_eq!(check(&game, "challenge A3"), Err(IllegalEvent::NoChallenges));
    acts(&mut game, &["play A3", "play H1", "play K4", "play A4", "play G1", "play K3"]);
    assert_eq!(game.phase(), &Phase::Continued(KoChoice::Basic));
    acts(&mut game, &["play A3"]);
    assert_eq!(game.phase(), &Phase::Finished(GameEnd::Repeated), "a true cycle is a draw");
    assert_eq!(game.winner(), None);
    assert_eq!(game.result(), None);
}

/// The seki is one: who takes the second ko threatens to capture, and who fills the shared liberty is captured himself.
#[test]
fn the_seki_of_the_line_is_a_seki() {
    let mut game = moonshine();
    acts(&mut game, &["play A4", "pass", "play H1", "play A6", "play H3"]);
    assert_eq!(game.game().board().stone(point(&game, "J2")), None, "unanswered, both kos capture White");
    let mut game = moonshine();
    acts(&mut game, &["play A4", "pass", "play H3", "play K4"]);
    assert_eq!(
        game.game().board().stone(point(&game, "G3")),
        None,
        "Black filled his own last liberty but one"
    );
}

/// Three kos: six captures later the same capture gives the same state, the point that simple ko forbids included.
#[test]
fn a_true_cycle_is_a_draw() {
    let diagram = "
        . X O . . X O . . X O .
        X O . O X . X O X O . O
        . X O . . X O . . X O .";
    for prisoners in [[0, 0], [3, 1]] {
        let mut game = game(diagram, Black, area).with_prisoners(prisoners);
        acts(&mut game, &["play C2", "play F2", "play L2", "play B2", "play G2", "play K2"]);
        assert_eq!(game.phase(), &Phase::Playing);
        acts(&mut game, &["play C2"]);
        assert_eq!(game.phase(), &Phase::Finished(GameEnd::Repeated), "{prisoners:?}");
    }
}

#[test]
fn a_ko_capture_takes_one_stone_and_may_be_retaken_by_shape() {
    let line = moonshine();
    let board = line.game().board();
    assert_eq!(board.ko_capture(point(&line, "A4")), Some(point(&line, "A3")));
    assert_eq!(board.ko_capture(point(&line, "H1")), Some(point(&line, "G1")));
    assert_eq!(board.ko_capture(point(&line, "H3")), None, "takes nothing");
    // One stone taken by a stone that joins another is no ko capture.
    let game = game(". O X .\nO X . X\nX X X X", White, area);
    assert_eq!(game.game().board().ko_capture(Point::new(2, 1)), None);
}

#[test]
fn two_passes_stop_and_anybody_may_demand_a_continuation() {
    for demander in [Black, White] {
        let mut game = moonshine();
        acts(&mut game, &["pass", "pass"]);
        assert_eq!(
            check(&game, "play A4").unwrap_err().to_string(),
            "phases: no `play` in the phase `stopped`"
        );
        game.apply(demander, GameEvent::Demand(KoChoice::Basic)).unwrap();
        assert_eq!(game.to_play(), Black, "the turns alternate as before");
        acts(&mut game, &["play A4"]);
    }
}

/// When a stopped game is continued, either player may ask for the modified ko rules, whoever demanded the continuation.
#[test]
fn either_player_may_ask_for_the_modified_ko() {
    for asker in [Black, White] {
        let mut game = moonshine();
        acts(&mut game, &["play A4", "pass", "pass"]);
        assert!(matches!(check(&game, "modify-ko"), Err(IllegalEvent::WrongPhase { .. })));
        game.apply(Black, GameEvent::Demand(KoChoice::Basic)).unwrap();
        let mut late = game.clone();
        acts(&mut late, &["play A3"]);
        assert_eq!(check(&late, "modify-ko"), Err(IllegalEvent::TooLateToModify));
        game.apply(asker, GameEvent::ModifyKo).unwrap();
        assert_eq!(game.phase(), &Phase::Continued(KoChoice::Modified));
        assert_eq!(check(&game, "modify-ko"), Err(IllegalEvent::TooLateToModify));
        acts(&mut game, &["play A3", "play H1", "play K4", "play A4", "play G1", "play K3", "challenge A3"]);
    }
}

#[test]
fn the_number_of_continuations_is_limited_and_the_position_is_final_then() {
    let conduct = |size| {
        let conduct = area(size);
        Conduct {
            ending: EndRule::Continuations(ContinuationLimits { continuations: 2, ..limits_of(conduct) }),
            ..conduct
        }
    };
    let mut game = game("X X .\nO O .\n. . .", Black, conduct);
    for _ in 0..2 {
        acts(&mut game, &["pass", "pass", "demand"]);
    }
    acts(&mut game, &["pass", "pass"]);
    assert_eq!(act(&mut game, "demand"), Err(IllegalEvent::NoContinuationsLeft(2)));
    // Black sees White's stones as dead, White does not: they are not dead, since both must see it.
    game.apply(Black, GameEvent::Mark(Point::new(0, 1))).unwrap();
    game.apply(Black, GameEvent::Propose).unwrap();
    game.apply(White, GameEvent::Reject).unwrap();
    assert_eq!(game.phase(), &Phase::Finished(GameEnd::Counted));
    assert_eq!(game.result().unwrap().half_points, [4, 4]);
}

#[test]
fn challenges_can_be_switched_off() {
    let off = |size| {
        let conduct = area(size);
        let limits = ContinuationLimits { challenges: false, ..limits_of(conduct) };
        Conduct { ending: EndRule::Continuations(limits), ..conduct }
    };
    let mut game = game(MOONSHINE, Black, off);
    acts(&mut game, &["play A4", "pass", "pass"]);
    assert_eq!(act(&mut game, "demand modified"), Err(IllegalEvent::NoChallenges));
    acts(&mut game, &["demand"]);
}

#[test]
fn a_challenge_prepares_once_and_a_regular_pass_clears_locks_only() {
    let mut game = moonshine();
    acts(&mut game, &["play A4", "pass", "pass", "demand modified"]);
    acts(&mut game, &["play A3", "play H1", "play K4", "play A4"]);
    assert_eq!(check(&game, "challenge H3"), Err(IllegalEvent::NoKoCapture));
    acts(&mut game, &["play G1", "play K3", "challenge A3", "pass"]);
    assert_eq!(check(&game, "challenge A3"), Err(IllegalEvent::AlreadyPrepared));
    // The regular pass of Black has cleared no preparation: the capture locks.
    acts(&mut game, &["play A3", "play H1", "play K4"]);
    assert_eq!(check(&game, "play A4"), Err(IllegalEvent::Locked));
    // A regular pass of either player clears the lock.
    acts(&mut game, &["pass", "play C6"]);
    assert_eq!(check(&game, "play A4"), Ok(()));
}

#[test]
fn a_ko_is_the_same_only_while_the_stones_around_do_not_change() {
    let mut game = game(
        ". . . . . .
         . . . . . .
         . X O . . .
         X O . O . .
         . X O . . .",
        Black,
        area,
    );
    acts(&mut game, &["pass", "pass", "demand modified", "play C2", "play F5", "play F4"]);
    assert_eq!(check(&game, "challenge B2"), Ok(()));
    // White's C1 beside the ko is taken and comes back: the ko looks as before, but it is another.
    acts(&mut game, &["play E5", "play D1", "play E1", "play F3", "play C1", "play E4"]);
    assert_eq!(check(&game, "play B2"), Ok(()));
    assert_eq!(check(&game, "challenge B2"), Err(IllegalEvent::NotARecapture));
}

#[test]
fn who_lost_too_many_stones_must_pass() {
    let few = |size| {
        let conduct = area(size);
        let limits = ContinuationLimits { stone_supply: 2, ..limits_of(conduct) };
        Conduct { ending: EndRule::Continuations(limits), ..conduct }
    };
    let mut game = game(". X .\nX X .\n. . .", White, few);
    // Suicide of a single stone is not forbidden; it costs a prisoner and changes nothing else.
    for lost in 1..=3 {
        let before = game.game().board().position();
        acts(&mut game, &["play A3"]);
        assert_eq!((game.prisoners(White), game.game().board().position()), (lost, before));
        acts(&mut game, &["pass"]);
    }
    assert_eq!(act(&mut game, "play C1"), Err(IllegalMove::OutOfStones(2).into()));
    acts(&mut game, &["pass"]);
}

/// Black sends two stones and takes one back again and again: no true cycle, since a stone more is lost each time, but the supply ends it.
#[test]
fn sending_two_and_taking_one_back_is_stopped_by_the_supply() {
    let few = |size| {
        let conduct = area(size);
        let limits = ContinuationLimits { stone_supply: 3, ..limits_of(conduct) };
        Conduct { ending: EndRule::Continuations(limits), ..conduct }
    };
    let mut game = game(". . . .\nO O X .\n. X . X", Black, few);
    let before = game.game().board().position();
    for round in 1..=2 {
        acts(&mut game, &["play A1", "play C1", "play B1", "pass"]);
        assert_eq!((game.game().board().position(), game.prisoners(Black)), (before.clone(), 2 * round));
        assert_eq!((game.phase(), game.prisoners(White)), (&Phase::Playing, round));
    }
    acts(&mut game, &["play A1", "play C1"]);
    assert_eq!(check(&game, "play B1"), Err(IllegalMove::OutOfStones(3).into()));
    assert_eq!(check(&game, "pass"), Ok(()));
}

#[test]
fn the_default_supply_is_half_the_points_and_all_on_small_boards() {
    for (side, supply) in [(19, 180), (13, 84), (12, 144), (9, 81)] {
        assert_eq!(ContinuationLimits::new(BoardSize::square(side).unwrap()).stone_supply, supply);
    }
}

#[test]
fn area_is_what_living_stones_occupy_and_enclose() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, area);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark A2"]);
    let score = game.result().unwrap();
    let count = score.score;
    assert_eq!((count.stones, count.surrounded, count.dame), ([5, 5], [3, 3], 0));
    assert_eq!(score.winner(), None);
}

#[test]
fn territory_adds_prisoners_and_the_dead_in_it() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, territory);
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark A2"]);
    assert_eq!(game.result().unwrap().half_points, [8, 6]);
}

/// Points in a seki count like all others: there is no special rule.
#[test]
fn there_is_no_special_rule_for_seki() {
    let game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, territory);
    let mark = GameEvent::MarkSeki(Point::new(1, 0));
    assert_eq!(game.check(Black, &mark), Err(IllegalEvent::SekiCounts));
}

#[test]
fn the_last_verification_of_a_claim_decides_and_the_position_is_restored() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, territory);
    acts(&mut game, &["pass", "pass"]);
    let before = (game.game().board().position(), game.to_play());
    let claim = |status| GameEvent::Claim(Point::new(0, 2), status);
    game.apply(Black, claim(ClaimedStatus::Dead)).unwrap();
    assert_eq!(game.phase(), &Phase::Verifying);
    acts(&mut game, &["play A1", "pass", "pass"]);
    assert_eq!((game.game().board().position(), game.to_play()), before);
    assert_eq!(game.prisoners(White), 0);
    assert_eq!(game.phase(), &Phase::Stopped);
    // Captured: it is dead, though nobody marked it.
    let mut counted = game.clone();
    agree(&mut counted, White, &[]);
    assert_eq!(counted.result().unwrap().half_points, [8, 6]);
    // A new verification shows nothing: it is the last that counts.
    game.apply(White, claim(ClaimedStatus::Alive)).unwrap();
    acts(&mut game, &["pass", "pass"]);
    agree(&mut game, Black, &["mark A2"]);
    assert_eq!(game.result().unwrap().half_points, [2, 6]);
}

/// A continuation makes another position of the stopped one, so what was verified there says nothing any more.
#[test]
fn a_claim_is_forgotten_in_a_continuation() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, territory);
    acts(&mut game, &["pass", "pass", "claim dead A2", "play A1", "pass", "pass"]);
    let mut counted = game.clone();
    agree(&mut counted, White, &[]);
    assert_eq!(counted.dead().collect::<Vec<_>>(), [point(&game, "A2")]);
    acts(&mut game, &["demand", "pass", "pass"]);
    agree(&mut game, White, &[]);
    assert_eq!(game.dead().count(), 0);
}

#[test]
fn the_marks_of_the_proposer_count() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, territory);
    acts(&mut game, &["pass", "pass"]);
    game.apply(White, GameEvent::Mark(point(&game, "A2"))).unwrap();
    let mut by_white = game.clone();
    agree(&mut by_white, White, &[]);
    agree(&mut game, Black, &[]);
    assert_eq!((by_white.dead().count(), game.dead().count()), (1, 0));
}

#[test]
fn only_territory_has_claims() {
    let mut game = game(". X O .\nX X O O\nO X O .\n. X O .", Black, area);
    acts(&mut game, &["pass", "pass"]);
    let claim = GameEvent::Claim(Point::new(0, 2), ClaimedStatus::Dead);
    assert!(matches!(game.check(Black, &claim), Err(IllegalEvent::NoSuchEvent { .. })));
}

#[test]
fn the_rules_are_found_by_name() {
    let size = BoardSize::square(9).unwrap();
    let named = |name: &str| name.parse::<RuleSet>().map(|rules| Conduct::new(rules, size));
    assert_eq!(named("makrai-area"), Ok(area(size)));
    assert_eq!(named("makrai-territory"), Ok(territory(size)));
    assert!(named("makrai").is_err());
}

#[test]
fn any_grid_is_a_board() {
    for (width, height) in [(2, 7), (25, 3), (1, 9)] {
        let size = BoardSize::new(width, height).unwrap();
        let mut game = Protocol::new(size, area(size)).unwrap();
        game.apply(Black, GameEvent::Play(Point::new(0, 0))).unwrap();
        assert!(game.game().check(Move::Pass).is_ok());
    }
}
