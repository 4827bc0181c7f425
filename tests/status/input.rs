//! Records, and input that is wrong.

use std::io::Read as _;

use super::{CORNER, RECORD, lines, output, start, status, stdout};

/// An open part that no search comes to the end of.
const LONG: &str = ". . . . . . .\n. X . . . O .\n. . X . O . .\n. . . . . . .\n. . O . X . .\n. O . . . X .\n. . . . . . .\n";

#[test]
fn records_have_positions_after_each_move() {
    let first = |arguments: &[&str]| lines(&status(RECORD, arguments)).remove(0);
    assert_eq!(first(&[]), "Black B4 alive benson 6");
    assert_eq!(first(&["--move", "1"]), "Black B4 alive benson 6");
    assert_eq!(first(&["--move", "0"]), "Black D4 unsettled search 5");
    assert!(status(RECORD, &[])["rules"].as_str().unwrap().contains("no-suicide"));
    // A whole game with its protocol.
    let whole = include_str!("../../docs/examples/czech.sgf");
    let decided = |arguments: &[&str]| {
        let json = status(whole, arguments);
        lines(&json).iter().filter(|line| !line.contains("unknown")).count()
    };
    assert_eq!(decided(&[]), lines(&status(whole, &[])).len());
    assert_eq!(decided(&["--move", "1", "--limit", "10"]), 0);
}

#[test]
fn the_first_of_several_games_is_named_so() {
    let two = "(;SZ[5];B[cc])(;SZ[5];B[aa])";
    let told = |input: &str, arguments: &[&str]| {
        let output = output(input, &[&["-"], arguments].concat());
        (stdout(&output).contains(" 5 X?"), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(
        told(two, &[]),
        (false, "this is the first of 2 games: choose another with --game N\n".to_owned())
    );
    assert_eq!(told(two, &["--game", "1"]), (false, String::new()));
    assert_eq!(told(two, &["--game", "2"]), (true, String::new()));
    assert_eq!(told(RECORD, &[]).1, "");
}

#[test]
fn wrong_input_gets_one_clear_error() {
    let cases: [(&str, &[&str], i32, &str); 14] = [
        ("garbage", &["-"], 1, "neither SGF nor a diagram"),
        ("", &["garbage\n"], 1, "the argument is neither SGF nor a diagram"),
        ("\n", &["-"], 1, "standard input is neither SGF nor a diagram: the diagram has no rows"),
        ("\u{1b}[2J", &["-"], 1, "row 1 of the diagram has `\\u{1b}`"),
        ("", &["no/such/file"], 1, "cannot read no/such/file"),
        ("(;SZ[9];B[aa];B[aa])", &["-"], 1, "occupied"),
        (RECORD, &["-", "--game", "2"], 1, "it has 1 game, so there is no game 2"),
        (RECORD, &["-", "--move", "3"], 1, "the game has 2 moves, so there is no position after move 3"),
        (CORNER, &["-", "--prove", "A4"], 1, "there is no stone on A4, which --prove names"),
        // Found before the search, which would take hours.
        (LONG, &["-", "--limit", "1e8", "--prove", "A1"], 1, "there is no stone on A1"),
        (CORNER, &["-", "--prove", "Z9"], 1, "--prove names a point"),
        (CORNER, &["-", "--limit", "0"], 2, "write 5000, 10k or 1e6"),
        (CORNER, &["-", "--limit", "1e9"], 2, "at most 1e8"),
        (CORNER, &["-", "--rules", "chineese"], 2, "tromp-taylor"),
    ];
    for (input, arguments, code, expected) in cases {
        let output = output(input, arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(expected) && !error.contains("panicked"), "{arguments:?}: {error}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = start("", &[CORNER]).spawn().unwrap();
    drop(child.stdout.take());
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(error, "");
}
