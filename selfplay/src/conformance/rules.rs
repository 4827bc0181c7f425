//! Which boards, ko rule and suicide rule a program has, and the checks of sizes, passes and undo.

use jigo_engine::{Color, Game, IllegalMove, Ko, Move, Point, Rules, Suicide};

use super::{
    Check, CheckError,
    checker::Checker,
    script::{Action, Script, square},
};
use crate::Stream;

/// Positions of each kind in which the program is asked about a rule.
const MAX_PROBES: usize = 25;
/// Games in which such positions are sought.
const MAX_GAMES: u64 = 3_000;
/// Moves that leave a ko, in corners of boards from 4×4: Black's stone on the third column is taken, and may not take back at once.
const KO: [(u8, u8); 8] = [(1, 0), (2, 0), (0, 1), (3, 1), (1, 2), (2, 2), (2, 1), (1, 1)];

/// Finds the boards, and checks that a new game knows nothing of the last one.
pub(super) fn check_boards(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let size = checker.spec.size;
    let mut sides = Vec::new();
    for side in 2..=25 {
        let reply = checker.connection.ask(&format!("boardsize {side}"))?;
        if matches!(reply.parse(None), Some((true, _))) {
            sides.push(side);
        }
    }
    if !sides.contains(&size.width()) {
        return Err(CheckError::NoBoard { program: checker.spec.program.clone(), size });
    }
    let smallest_from =
        |least: usize| sides.iter().copied().find(|&side| side >= least).unwrap_or(size.width());
    checker.abilities.smallest = smallest_from(2);
    checker.abilities.small = smallest_from(5).min(size.width());
    checker.note(Check::Boards, format!("sizes: {}", ranges(&sides)));
    for side in sides.into_iter().filter(|&side| side > 2) {
        check_corners(checker, side)?;
    }
    for side in [checker.abilities.small, size.width()] {
        check_new_games(checker, side)?;
    }
    Ok(())
}

/// Returns whole numbers in order as ranges: `2..19, 25`.
fn ranges(sides: &[usize]) -> String {
    let parts = sides.chunk_by(|one, next| one + 1 == *next);
    let parts = parts.map(|part| match part {
        [side] => side.to_string(),
        [first, .., last] => format!("{first}..{last}"),
        [] => String::new(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Plays in all corners, and again.
fn check_corners(checker: &mut Checker<'_>, side: usize) -> Result<(), CheckError> {
    let end = side as u8 - 1;
    let corners = [(0, 0), (end, end), (0, end), (end, 0)].map(|(x, y)| Move::Play(Point::new(x, y)));
    let twice = [corners, corners].concat();
    checker.run(&Script::of_moves(side, &twice)).map(drop)
}

/// Begins games after others, in which the same moves are legal again.
fn check_new_games(checker: &mut Checker<'_>, side: usize) -> Result<(), CheckError> {
    let ko = KO.map(|(x, y)| Move::Play(Point::new(x, y)));
    let game = |script: &mut Script, moves: &[Move]| {
        script.actions.extend(Script::of_moves(side, moves).actions);
    };
    let stones = |script: &mut Script, has_list: bool| {
        script.actions.extend(Color::BOTH.map(Action::Stones).into_iter().filter(|_| has_list));
    };
    let has_list = checker.abilities.has("list_stones");
    for begin in [&[Action::Clear][..], &[Action::Size(side), Action::Clear]] {
        let mut script = Script::new(side, Vec::new());
        game(&mut script, &ko);
        for _ in 0..2 {
            script.actions.extend(begin);
            stones(&mut script, has_list);
            game(&mut script, &ko);
            stones(&mut script, has_list);
        }
        checker.run(&script)?;
        // The point of the ko is free in the next game.
        let mut script = Script::new(side, Vec::new());
        game(&mut script, &ko);
        script.actions.extend(begin);
        script.actions.push(Action::Play(Color::Black, Move::Play(Point::new(2, 1))));
        script.actions.push(Action::Play(Color::White, Move::Play(Point::new(1, 1))));
        checker.run(&script)?;
    }
    Ok(())
}

/// A position in which a rule decides about the last move of a script.
struct Probe {
    script: Script,
    /// Whether positional and situational superko forbid the move.
    is_repetition: [bool; 2],
}

/// Asks the program where rules differ, and says by which it plays if that is another one than was asked for in every case.
pub(super) fn find_rules(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let [suicides, repetitions, kos] = find_probes(checker);
    let asked = checker.rules;
    ask(checker, &kos)?;
    let accepted = ask(checker, &suicides)?;
    let suicide = Suicide::ALL.into_iter().find(|&rule| {
        !accepted.is_empty() && accepted.iter().all(|(accepts, _)| *accepts == (rule == Suicide::Allowed))
    });
    match suicide {
        Some(Suicide::Allowed) if asked.suicide == Suicide::Forbidden => {
            checker.explain(Check::Suicide, "allows suicide of several stones");
        }
        Some(Suicide::Forbidden) if asked.suicide == Suicide::Allowed => {
            checker.explain(Check::Suicide, "forbids suicide");
        }
        _ => {}
    }
    let accepted = ask(checker, &repetitions)?;
    let ko = Ko::ALL.into_iter().find(|&rule| {
        let is_legal = |[positional, situational]: [bool; 2]| match rule {
            Ko::Simple => true,
            Ko::PositionalSuperko => !positional,
            Ko::SituationalSuperko => !situational,
        };
        !accepted.is_empty() && accepted.iter().all(|&(accepts, by)| accepts == is_legal(by))
    });
    if let Some(ko) = ko.filter(|&ko| ko != asked.ko) {
        checker.explain(Check::Superko, &format!("plays by {ko}"));
    }
    // Where no rule fits, random games leave such moves out: they would end at every one of them.
    checker.leaves_out = [suicide.is_none(), ko.is_none()];
    checker.rules = Rules { suicide: suicide.unwrap_or(asked.suicide), ko: ko.unwrap_or(asked.ko), ..asked };
    Ok(())
}

/// Runs the scripts, and returns for each whether the program accepts the last move.
fn ask(checker: &mut Checker<'_>, probes: &[Probe]) -> Result<Vec<(bool, [bool; 2])>, CheckError> {
    let mut accepted = Vec::new();
    for probe in probes {
        if checker.is_hopeless() {
            break;
        }
        let outcome = checker.run(&probe.script)?;
        accepted.extend(outcome.is_last_accepted().map(|accepts| (accepts, probe.is_repetition)));
    }
    Ok(accepted)
}

/// Plays random games on small boards, and returns positions with a suicide of several stones, with a move that repeats an earlier position, and
/// with a ko that may not be retaken.
fn find_probes(checker: &Checker<'_>) -> [Vec<Probe>; 3] {
    let mut found = [const { Vec::new() }; 3];
    // Of suicides, repetitions by either superko rule, those by positional superko alone, and kos.
    let mut counts = [0; 4];
    for index in 0..MAX_GAMES {
        let side = if index % 2 == 0 { checker.abilities.smallest.max(4) } else { checker.abilities.small };
        let size = square(if side > checker.abilities.small { checker.abilities.small } else { side });
        let rules = Rules { suicide: Suicide::Allowed, ko: Ko::PositionalSuperko, ..Rules::TROMP_TAYLOR };
        let mut game: Game = Game::new(size, rules);
        let mut other: Game = Game::new(size, Rules { ko: Ko::SituationalSuperko, ..rules });
        let mut stream = Stream::new(checker.spec.seed, index);
        let mut moves = Vec::new();
        while game.ply_count() < 2 * size.point_count() as u32 {
            for point in game.board().empty_points() {
                let is_suicide = game.board().is_suicide(point);
                let is_repetition = [&game, &other].map(|game| game.check_point(point).is_err());
                let (kind, place) = match (game.board().check(point), is_suicide, is_repetition) {
                    (Ok(()), true, [false, false]) => (0, 0),
                    (Ok(()), false, [true, true]) => (1, 1),
                    (Ok(()), false, [true, false]) => (2, 1),
                    (Err(IllegalMove::Ko), ..) => (3, 2),
                    _ => continue,
                };
                if counts[kind] == MAX_PROBES {
                    continue;
                }
                counts[kind] += 1;
                let all = [&moves[..], &[Move::Play(point)]].concat();
                found[place].push(Probe { script: Script::of_moves(size.width(), &all), is_repetition });
            }
            let points: Vec<Point> =
                game.legal_points().filter(|&point| !game.board().is_suicide(point)).collect();
            if points.is_empty() {
                break;
            }
            let mv = Move::Play(points[stream.below(points.len() as u32) as usize]);
            for game in [&mut game, &mut other] {
                game.play(mv).expect("situational superko forbids no more than positional");
            }
            moves.push(mv);
        }
        if counts.iter().all(|&count| count == MAX_PROBES) {
            break;
        }
    }
    found
}

/// Checks passes and undo in a game with a ko.
pub(super) fn check_passes_and_undo(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let side = checker.abilities.small;
    let at = |x, y| Move::Play(Point::new(x, y));
    let (pass, retake) = (Move::Pass, at(2, 1));
    let ko = KO.map(|(x, y)| at(x, y));
    for moves in [
        vec![pass, pass, at(0, 0), at(1, 0), pass, at(0, 1), at(4, 4)],
        vec![at(0, 0), pass, at(1, 0), pass, at(0, 1)],
        [&ko[..], &[retake]].concat(),
        // A pass or another move lifts the ban of simple ko, not that of superko.
        [&ko[..], &[pass, pass, retake]].concat(),
        [&ko[..], &[at(4, 4), at(4, 3), retake, at(1, 1)]].concat(),
    ] {
        checker.run(&Script::of_moves(side, &moves))?;
    }
    if !checker.abilities.has("undo") {
        for check in [Check::Undo, Check::Perft] {
            checker.note(check, "skipped: the engine has no undo");
        }
        return Ok(());
    }
    let stones = Color::BOTH.map(Action::Stones);
    let stones = if checker.abilities.has("list_stones") { &stones[..] } else { &[] };
    let undo = |count| vec![Action::Undo; count];
    let black = |mv| [Action::Play(Color::Black, mv)];
    let white = |mv| [Action::Play(Color::White, mv)];
    let start = Script::of_moves(side, &ko).actions;
    for actions in [
        // Nothing is there to take back.
        undo(1),
        [&black(at(0, 0))[..], &undo(2)].concat(),
        // The stone that was taken is back, and its taking is legal again.
        [&start, &undo(1)[..], stones, &white(at(1, 1)), stones, &black(retake)].concat(),
        // The ban is back.
        [&start, &black(at(4, 4))[..], &undo(1), stones, &black(retake), &black(at(4, 4))].concat(),
        [&start, &black(pass)[..], &undo(1), stones, &black(retake)].concat(),
        [&start, &black(pass)[..], &white(pass), &undo(2), stones, &black(retake), &black(at(4, 4))].concat(),
        // All moves, one by one and played again.
        [&start, &undo(8)[..], stones, &start, stones, &undo(4), stones].concat(),
        // A new game has nothing to take back.
        [&start, &[Action::Clear][..], &undo(1)].concat(),
    ] {
        checker.run(&Script::new(side, actions))?;
    }
    Ok(())
}
