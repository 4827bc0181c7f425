//! `jigo status`: positions and records as a user hands them in.

use std::{
    io::{Read as _, Write as _},
    process::{Command, Output, Stdio},
};

use jigo_engine::{Proof, Status};
use serde_json::{Value, json};

/// Black has three points in a row; White is alive outside.
const CORNER: &str = ". . . X O . O\nX X X X O O .\nO O O O O . O\n. O . O . O O\n";
/// A seki with a stone that was given up in it.
const SEKI: &str = "O O . X\nX O X .\n. O X X\n";
const KO: &str = "X X . O\n. O O O\n. O O O\n";
/// The last move makes two eyes.
const RECORD: &str = "(;SZ[7:4]RU[Japanese]AB[da][ab][bb][cb][db]AW[ea][ga][eb][fb][ac][bc][cc][dc][ec][gc]\
    [bd][dd][fd][gd]PL[B];B[ba];W[])";

/// The command with these arguments, which get the text on standard input.
fn start(input: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.arg("status").args(arguments).env_remove("CLICOLOR_FORCE");
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(input: &str, arguments: &[&str]) -> Output {
    let mut child = start(input, arguments).spawn().unwrap();
    if let Some(mut stdin) = child.stdin.take() {
        // A command that ends at once, because of its arguments, does not read.
        let _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn status(input: &str, arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&output(input, &[&["-", "--json"], arguments].concat()))).unwrap()
}

/// Each chain by its first stone, as in `Black D4 unsettled search 5`.
fn lines(json: &Value) -> Vec<String> {
    let line = |chain: &Value| {
        let stones = chain["stones"].as_array().unwrap();
        let words = [&chain["color"], &stones[0], &chain["status"], &chain["proof"]];
        format!("{} {}", words.map(|word| word.as_str().unwrap()).join(" "), stones.len())
    };
    json["chains"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_picture_a_table_and_totals() {
    let expected = "   A B C D E F G
 4 . . . X!O . O 4
 3 X!X!X!X!O O . 3
 2 O O O O O . O 2
 1 . O . O . O O 1
   A B C D E F G

X O  alive   X!O! unsettled

chain       status      proof     stones
Black D4    unsettled   search         5
White E4    alive       benson        10
White G4    alive       benson         1
White G2    alive       benson         3

stones         benson   static   search     none      all
alive              14        0        0        0       14
unsettled           0        0        5        0        5
total              14        0        5        0       19
";
    assert_eq!(stdout(&output(CORNER, &["-"])), expected);
    // The same from the arguments alone.
    assert_eq!(stdout(&output("", &[CORNER])), expected);
    assert_eq!(stdout(&output("", &[". .\n"])), "   A B\n 1 . . 1\n   A B\nno stones\n");
}

#[test]
fn colours_are_for_terminals_and_on_request() {
    let colored = |name, value| {
        let mut command = start("", &[CORNER]);
        let output = command.env(name, value).output().unwrap();
        stdout(&output).contains('\u{1b}')
    };
    assert!(colored("CLICOLOR_FORCE", "1"));
    assert!(!colored("NO_COLOR", "1"));
    assert!(!stdout(&output("", &[CORNER])).contains('\u{1b}'));
}

#[test]
fn every_status_has_its_mark() {
    let seki = stdout(&output(SEKI, &["-"]));
    assert!(seki.contains(" 2 X-O=X=. 2\n") && seki.contains("X=O= seki   X-O- dead\n"), "{seki}");
    let ko = stdout(&output(KO, &["-", "--limit", "1e5"]));
    assert!(ko.contains(" 3 X-X-. O*3\n") && ko.contains("X*O* ko   X-O- dead\n"), "{ko}");
    let unknown = stdout(&output("", &["X . . . .\n. . . . O\n. . . . .\n", "--limit", "10"]));
    assert!(unknown.contains("X?. . . . 3\n") && unknown.contains("X?O? unknown\n"), "{unknown}");
}

#[test]
fn json_has_every_stone_and_the_totals() {
    let json = status(SEKI, &["--rules", "japanese"]);
    assert_eq!(
        lines(&json),
        [
            "Black D3 seki search 1",
            "Black A2 dead search 1",
            "Black C2 seki search 3",
            "White A3 seki search 4"
        ]
    );
    assert_eq!(json["chains"][3]["stones"], json!(["A3", "B3", "B2", "B1"]));
    assert_eq!((&json["size"], &json["limit"]), (&"4x3".into(), &20_000.into()));
    assert!(json["rules"].as_str().unwrap().contains("simple-ko+no-suicide"));
    for status in Status::ALL {
        for proof in Proof::ALL {
            let expected = match (status, proof) {
                (Status::Seki, Proof::Search) => 8,
                (Status::Dead, Proof::Search) => 1,
                _ => 0,
            };
            assert_eq!(json["stones"][status.name()][proof.name()], expected);
        }
    }
}

/// Whether White's stones can be captured by filling their space and giving that up is for the rules to say.
#[test]
fn rules_and_limit_matter() {
    let of = |rules| lines(&status(". X . O O O\n", &["--rules", rules])).remove(0);
    assert_eq!(of("japanese"), "Black B1 alive benson 1");
    assert_ne!(of("tromp-taylor"), "Black B1 alive benson 1");
    let kos = |limit| {
        let arguments = ["--rules", "japanese", "--limit", limit];
        lines(&status("X X . .\n. X O O\nX O O O\n", &arguments)).join("\n").matches(" ko search").count()
    };
    assert_eq!(["1", "2k", "1e5"].map(kos), [0, 1, 2]);
}

#[test]
fn records_have_positions_after_each_move() {
    let first = |arguments: &[&str]| lines(&status(RECORD, arguments)).remove(0);
    assert_eq!(first(&[]), "Black B4 alive benson 6");
    assert_eq!(first(&["--move", "1"]), "Black B4 alive benson 6");
    assert_eq!(first(&["--move", "0"]), "Black D4 unsettled search 5");
    assert!(status(RECORD, &[])["rules"].as_str().unwrap().contains("no-suicide"));
    // A whole game with its protocol.
    let whole = include_str!("../docs/examples/czech.sgf");
    let decided = |arguments: &[&str]| {
        let json = status(whole, arguments);
        lines(&json).iter().filter(|line| !line.contains("unknown")).count()
    };
    assert_eq!(decided(&[]), lines(&status(whole, &[])).len());
    assert_eq!(decided(&["--move", "1", "--limit", "10"]), 0);
}

/// The answer of a line and its first ply.
fn shown(line: &Value) -> [&str; 4] {
    let [first, question, answer] = ["first", "question", "answer"].map(|name| line[name].as_str().unwrap());
    [first, question, answer, line["plies"][0].as_str().unwrap_or("none")]
}

#[test]
fn lines_show_why_a_search_proves_a_status() {
    let json = status(CORNER, &["--prove", "a3"]);
    let lines = json["reasons"]["lines"].as_array().unwrap();
    assert_eq!(shown(&lines[0]), ["White", "capture", "captured", "White B4"]);
    assert_eq!(shown(&lines[1]), ["Black", "capture", "saved", "Black B4"]);
    let text = stdout(&output(CORNER, &["-", "--prove", "A3"]));
    let reasons = text.split_once("\nBlack D4 A3 B3 C3 D3: unsettled, proof: search\n").unwrap().1;
    assert!(reasons.contains("White (the opponent) first: captured\n  1 White B4, 2 Black "), "{reasons}");
    assert!(reasons.contains("Black's chain is captured.\n"), "{reasons}");
    let saved = "Black (the owner) first: saved\n  1 Black B4\n   A B C D E F G\n 4 . X . X O . O 4\n";
    assert!(reasons.contains(saved), "{reasons}");
    assert!(reasons.ends_with("Black's chain is unconditionally alive.\n"), "{reasons}");
    // Who is in seki cannot get eyes.
    let json = status(SEKI, &["--prove", "A3"]);
    let lines = json["reasons"]["lines"].as_array().unwrap();
    assert_eq!(shown(&lines[0])[..3], ["Black", "capture", "saved"]);
    assert_eq!(shown(&lines[1])[..3], ["White", "life", "not made unconditionally alive"]);
    // Where no line alone decides, this is said.
    let json = status(KO, &["--prove", "D3"]);
    let lines = json["reasons"]["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["plies"].is_null() && line["answer"].is_null()), "{json}");
    assert!(stdout(&output(KO, &["-", "--prove", "D3"])).contains("first: no line alone decides."));
}

#[test]
fn unconditional_life_is_explained_by_regions_and_walls() {
    let eyes = ". X . O X .\nX X X X X .\n";
    let alive = status(eyes, &["--prove", "B2"]);
    assert_eq!(alive["reasons"]["vital_regions"], json!([["A2"], ["C2", "D2"], ["F2", "F1"]]));
    let dead = status(eyes, &["--prove", "D2"]);
    assert_eq!(dead["reasons"]["enclosing_chains"], json!([["B2", "E2", "A1", "B1", "C1", "D1", "E1"]]));
    let text = stdout(&output(eyes, &["-", "--prove", "B2"]));
    assert!(
        text.ends_with("even if Black always passes. Regions vital to it:\n  A2\n  C2 D2\n  F2 F1\n"),
        "{text}"
    );
    let text = stdout(&output("", &["X . . . .\n. . . . O\n. . . . .\n", "--limit", "10", "--prove", "A3"]));
    assert!(
        text.ends_with("unknown, proof: none\nNothing is proved. A larger --limit may help.\n"),
        "{text}"
    );
}

#[test]
fn searches_are_checked_by_the_definitions() {
    let checks = |input: &str| {
        let json = status(input, &["--check"]);
        let chains = json["chains"].as_array().unwrap().iter();
        chains.map(|chain| chain["check"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(checks(CORNER), [json!("checked"), json!(null), json!(null), json!(null)]);
    assert_eq!(checks("O . X X\n. O X .\n"), vec![json!("checked"); 3]);
    assert_eq!(checks(SEKI), vec![json!("too large"); 4]);
    let text = stdout(&output(CORNER, &["-", "--check"]));
    assert!(text.contains("stones   check\nBlack D4    unsettled   search         5   checked\n"), "{text}");
    assert!(text.contains("White E4    alive       benson        10\n"), "{text}");
}

/// The documentation shows what the command prints.
#[test]
fn the_documentation_shows_an_example() {
    let page = include_str!("../docs/status.md");
    assert!(page.contains(&stdout(&output(CORNER, &["-"]))));
}

#[test]
fn wrong_input_gets_one_clear_error() {
    let cases: [(&str, &[&str], i32, &str); 11] = [
        ("garbage", &["-"], 1, "neither SGF nor a diagram"),
        ("", &["garbage\n"], 1, "the argument is neither SGF nor a diagram"),
        ("", &["no/such/file"], 1, "cannot read no/such/file"),
        ("(;SZ[9];B[aa];B[aa])", &["-"], 1, "occupied"),
        (RECORD, &["-", "--game", "2"], 1, "no game 2"),
        (RECORD, &["-", "--move", "3"], 1, "the game has 2 moves, so there is no position after move 3"),
        (CORNER, &["-", "--prove", "A4"], 1, "there is no stone on A4, which --prove names"),
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
