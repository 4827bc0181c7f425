//! `jigo score`: positions and records as a user hands them in.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use jigo_engine::{
    BoardSize, Color, Preset,
    protocol::{Conduct, Event, Protocol},
};
use jigo_selfplay::sgf;

const DIAGRAM: &str = ". X O .\nX X O O\nO X O .\n. X O .\n";

/// What the command says to a file on standard input.
fn score(input: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(["score", "-"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that ends at once, because of its arguments, does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn results(input: &str, arguments: &[&str]) -> Vec<String> {
    let output = stdout(&score(input, &[arguments, &["--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&output).unwrap();
    let counts = json["counts"].as_array().unwrap().iter();
    counts
        .map(|count| format!("{} {}", count["name"].as_str().unwrap(), count["result"].as_str().unwrap()))
        .collect()
}

#[test]
fn a_diagram_is_counted_with_the_dead_named() {
    assert_eq!(results(DIAGRAM, &[]), ["tromp-taylor W+3"]);
    assert_eq!(results(DIAGRAM, &["--dead", "A2"]), ["tromp-taylor 0"]);
    assert_eq!(results(DIAGRAM, &["--dead", "A2", "--rules", "czech"]), ["czech W+4.5"]);
    assert_eq!(results(DIAGRAM, &["--dead", "A2", "--rules", "hups", "--prisoners", "0,2"]), ["hups B+3"]);
    assert_eq!(
        results(DIAGRAM, &["--rules", "chinese", "--handicap", "3", "--komi", "0.5"]),
        ["chinese W+6.5"]
    );
}

#[test]
fn the_sheet_lays_the_count_out() {
    let sheet = stdout(&score(DIAGRAM, &["--dead", "A2", "--rules", "czech"]));
    let lines: Vec<&str> = sheet.lines().skip(6).collect();
    let expected = [
        "czech              Black   White",
        "territory              3       3",
        "prisoners              1       0",
        "komi                   0     5.5",
        "total                  4     8.5",
        "result: W+4.5",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn all_rules_are_a_table_of_every_name() {
    let all = results(DIAGRAM, &["--dead", "A2", "--all-rules", "--komi", "0"]);
    let names = Preset::ALL.map(Preset::name);
    assert_eq!(all.len(), names.len());
    for (line, name) in all.iter().zip(names) {
        let rules = Preset::ALL.into_iter().find(|preset| preset.name() == name).unwrap().rules();
        let expected = if rules.counting == jigo_engine::Counting::Area { "0" } else { "B+1" };
        assert_eq!(*line, format!("{name} {expected}"));
    }
    let table = stdout(&score(DIAGRAM, &["--all-rules"]));
    assert!(names.iter().all(|name| table.contains(name)), "{table}");
}

#[test]
fn a_record_states_rules_komi_and_prisoners() {
    let record = "(;SZ[5]KM[6.5]RU[Korean];B[ba];W[da];B[bb];W[db];B[bc];W[dc];B[bd];W[dd];B[be];W[de])";
    let output = score(record, &[]);
    assert!(stdout(&output).contains("result: W+6.5"));
    let dame = String::from_utf8(output.stderr).unwrap();
    assert!(dame.contains("C5 C4 C3 C2 C1"), "{dame}");
}

/// A whole game's record states which stones the players agreed to be dead.
#[test]
fn a_whole_game_is_counted_as_it_was_agreed() {
    let size = BoardSize::square(4).unwrap();
    let mut game = Protocol::new(size, Conduct::of_preset(Preset::Hups, size)).unwrap();
    let moves = ["B4", "C4", "A3", "C3", "B3", "D3", "B2", "A2", "B1", "C2", "pass", "C1", "pass", "pass"];
    for name in moves {
        let text = if name == "pass" { name.to_owned() } else { format!("play {name}") };
        game.apply(game.to_play(), Event::from_text(&text, size).unwrap()).unwrap();
    }
    game.apply(Color::Black, Event::from_text("mark A2", size).unwrap()).unwrap();
    game.apply(Color::Black, Event::Propose).unwrap();
    game.apply(Color::White, Event::Accept).unwrap();
    assert_eq!(game.winner(), Some(Color::Black));
    assert_eq!(results(&sgf::write(&sgf::from_protocol(&game)), &[]), ["hups B+1"]);
}

#[test]
fn wrong_input_gets_one_clear_error() {
    let cases: [(&str, &[&str], &str); 7] = [
        ("garbage", &[], "neither SGF nor a diagram"),
        ("(;SZ[9];B[aa];B[aa])", &[], "occupied"),
        ("(;SZ[9];B[aa])", &["--game", "2"], "no game 2"),
        (DIAGRAM, &["--dead", "A1"], "no stone on A1"),
        (DIAGRAM, &["--dead", "Z1"], "Z1"),
        (DIAGRAM, &["--prisoners", "3"], "write 3,2"),
        (DIAGRAM, &["--rules", "chineese"], "tromp-taylor"),
    ];
    for (input, arguments, expected) in cases {
        let output = score(input, arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(expected), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}
