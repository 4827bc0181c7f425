//! Results of finished games, dead stones, and the program's own moves.

use jigo_engine::{Board, Color, Counting, Game, Komi, Move, Point, Rules, Suicide, Symmetry, life::Status};

use super::{
    Check, CheckError, Fault,
    checker::Checker,
    connection::Reply,
    script::{Action, Expected, Script, parse_result, square},
};
use crate::{Policy, RunConfig};

/// Finished games that are counted on each board, and the most that are played for them.
const GAMES: usize = 12;
const MAX_GAMES: u64 = 60;
/// The program's own moves.
const MOVES: usize = 8;

/// A position at the end of a game, with a dead stone of each colour. All other stones live with two eyes or more.
const FINISHED: &str = "
    . . X O . O .
    O . X O O O O
    X X X O . O .
    X . X O O O O
    X X X O . . O
    X . X O . X O
    X X X O O O O
";

/// Compares results of random games in which all stones live without an answer, so that there is nothing to judge.
pub(super) fn check_scores(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    if !checker.abilities.has("final_score") {
        checker.note(Check::Score, "skipped: the engine has no final_score");
        return Ok(());
    }
    // Results by area and by territory, and what the program answers.
    let mut results = Vec::new();
    for side in [checker.abilities.small, checker.spec.size.width()] {
        let size = square(side);
        let rules = checker.rules;
        let run = RunConfig::new(size, rules, Policy::EYE_SAFE).seed(checker.spec.seed);
        let scripts = run.games(0..MAX_GAMES).map(|record| {
            let mut script = Script::of_moves(side, &record.moves);
            script.actions.push(Action::Score);
            script
        });
        let komis = [
            checker.spec.rules.komi(size),
            Komi::ZERO,
            Komi::from_half_points(11),
            Komi::from_half_points(-7),
            Komi::from_points(6),
        ];
        let scripts = scripts.filter(|script| script.is_fair(rules)).take(GAMES);
        for (mut script, komi) in scripts.zip(komis.into_iter().cycle()) {
            if checker.is_hopeless() {
                return Ok(());
            }
            script.komi = Some(komi);
            let outcome = checker.run(&script)?;
            let by = Counting::ALL.map(|counting| {
                let steps = script.steps(Rules { counting, ..checker.rules });
                match steps.last().map(|step| &step.expected) {
                    Some(Expected::Result(half_points)) => *half_points,
                    _ => unreachable!("a script that ends with final_score"),
                }
            });
            let answered = if outcome.has_failed() {
                outcome.wrong_text().and_then(parse_result)
            } else {
                Some(by[checker.rules.counting as usize])
            };
            results.push((by, answered));
        }
    }
    let other = match checker.rules.counting {
        Counting::Area => Counting::Territory,
        Counting::Territory => Counting::Area,
    };
    let fits = |&(by, answered): &([i32; 2], Option<i32>)| answered == Some(by[other as usize]);
    if checker.row(Check::Score).wrong > 0 && results.iter().all(fits) {
        checker.explain(Check::Score, &format!("counts {other}"));
        checker.rules.counting = other;
    }
    Ok(())
}

/// Compares the dead stones of positions in which all statuses are proved.
pub(super) fn check_statuses(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    if !checker.abilities.has("final_status_list") {
        checker.note(Check::Status, "skipped: the engine has no final_status_list");
        return Ok(());
    }
    let rules = checker.rules;
    for script in finished_positions().filter(|script| script.is_fair(rules)) {
        let reply = checker.connection.ask(&format!("boardsize {}", script.side))?;
        if !matches!(reply.parse(None), Some((true, _))) {
            checker.note(Check::Status, format!("skipped: the engine has no {0}x{0} board", script.side));
            return Ok(());
        }
        if checker.is_hopeless() {
            break;
        }
        checker.run(&script)?;
    }
    Ok(())
}

/// Returns the finished position in all orientations and both colourings, played in turns, with questions for its dead and for its living stones.
fn finished_positions() -> impl Iterator<Item = Script> {
    let board: Board = Board::from_diagram(FINISHED, Suicide::Forbidden).expect("a diagram");
    let size = board.size();
    let statuses = [Status::Dead, Status::Alive];
    let images =
        Symmetry::ALL.into_iter().flat_map(move |symmetry| Color::BOTH.map(|first| (symmetry, first)));
    images.flat_map(move |(symmetry, first)| {
        let stones =
            |color| board.stones(color).map(|point| symmetry.apply(point, size)).collect::<Vec<Point>>();
        let moves = in_turns(stones(first), stones(first.opponent()));
        statuses.map(|status| Script::new(size.width(), [&moves[..], &[Action::Status(status)]].concat()))
    })
}

/// Returns the moves that put these stones on the board, with passes of the player who has fewer, and two passes.
fn in_turns(black: Vec<Point>, white: Vec<Point>) -> Vec<Action> {
    let turns = black.len().max(white.len());
    let [mut black, mut white] = [black, white].map(|points| points.into_iter().map(Move::Play));
    let mut actions = Vec::new();
    for _ in 0..turns {
        actions.push(Action::Play(Color::Black, black.next().unwrap_or(Move::Pass)));
        actions.push(Action::Play(Color::White, white.next().unwrap_or(Move::Pass)));
    }
    let has_passed = matches!(actions.last(), Some(Action::Play(_, Move::Pass)));
    let passes = Color::BOTH.map(|color| Action::Play(color, Move::Pass));
    actions.extend(passes.into_iter().take(if has_passed { 1 } else { 2 }));
    actions
}

/// Lets the program play both colours for some moves, which must be legal and be played on its board.
pub(super) fn check_moves(checker: &mut Checker<'_>) -> Result<(), CheckError> {
    let size = checker.spec.size;
    let mut game: Game = Game::new(size, checker.rules);
    let mut commands = vec![format!("boardsize {size}", size = size.width()), "clear_board".to_owned()];
    checker.connection.ask_all(&commands)?;
    for color in Color::BOTH.into_iter().cycle().take(MOVES) {
        commands.push(format!("genmove {}", color.name()));
        let reply = checker.connection.ask(&commands[commands.len() - 1])?;
        let text = reply.parse(None).filter(|(success, _)| *success).map(|(_, text)| text);
        if text.is_some_and(|text| text.eq_ignore_ascii_case("resign")) {
            break;
        }
        let mv = text.and_then(|text| Move::from_gtp(text, size).ok());
        let what = match mv {
            None => "gives no move",
            Some(Move::Play(point)) if game.check_point(point).is_err() => "plays an illegal move",
            Some(_) => "",
        };
        let is_right = judge(checker, what, &commands, "= and a legal move", &reply);
        let Some(mv) = mv.filter(|_| is_right) else { break };
        let Move::Play(point) = mv else {
            game.pass();
            continue;
        };
        game.play_unchecked(point);
        // Nobody else may play where the program says that it has played.
        commands.push(format!("play {} {}", color.opponent().name(), point.to_gtp(size)));
        let reply = checker.connection.ask(&commands[commands.len() - 1])?;
        let is_refused = matches!(reply.parse(None), Some((false, _)));
        let what = if is_refused { "" } else { "does not put its own move on the board" };
        if !judge(checker, what, &commands, "?", &reply) {
            break;
        }
        commands.pop();
    }
    Ok(())
}

/// Counts a reply to the last of these commands, which is right where nothing is said to be wrong. Returns whether it is.
fn judge(checker: &mut Checker<'_>, what: &str, commands: &[String], wanted: &str, reply: &Reply) -> bool {
    if what.is_empty() {
        checker.row(Check::Genmove).cases += 1;
        return true;
    }
    checker.note_silence(reply);
    let kind = (Check::Genmove, what.to_owned());
    let fault = Fault::new(&kind, commands.to_vec(), wanted.to_owned(), reply.shown(), true);
    checker.record(kind, fault);
    false
}

#[cfg(test)]
mod tests {
    use jigo_engine::rules::Preset;

    use super::*;

    #[test]
    fn all_statuses_of_the_finished_positions_are_proved() {
        let all = FINISHED.chars().filter(|&char| char != '.' && !char.is_whitespace()).count();
        for rules in Preset::ALL.map(Preset::rules) {
            assert_eq!(finished_positions().count(), 32);
            for script in finished_positions() {
                assert!(script.is_fair(rules), "{rules}");
                let steps = script.steps(rules);
                let Some(Expected::Points(stones, _)) = steps.last().map(|step| &step.expected) else {
                    panic!("a list of stones")
                };
                let is_dead = matches!(script.actions.last(), Some(Action::Status(Status::Dead)));
                let count = if is_dead { 2 } else { all - 2 };
                assert_eq!(stones.len(), count, "{rules}");
            }
        }
    }
}
