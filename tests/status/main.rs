//! `jigo status`: positions and records as a user hands them in.

mod input;
mod prove;

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use jigo_engine::life::{Proof, Status};
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

/// Playouts say what is not proved, beside it.
#[test]
fn estimates_stand_beside_what_is_proved() {
    let open =
        "...XO....\n...XO....\n...XO.X..\n...XO....\n.O.XO....\n...XO....\n...XO....\n...XO....\n...XO....\n";
    let json = status(open, &["--estimate"]);
    assert_eq!(lines(&json), lines(&status(open, &[])));
    let dead: Vec<bool> = json["chains"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chain| chain["estimated"]["dead"].as_bool().unwrap())
        .collect();
    assert_eq!(dead, [false, true, false, true]);
    let ownership: Vec<f64> =
        json["ownership"].as_array().unwrap().iter().map(|owner| owner.as_f64().unwrap()).collect();
    // Columns C and G are behind the walls.
    assert!(
        ownership.len() == 81 && ownership.chunks(9).all(|row| row[2] > 0.2 && row[6] < -0.2),
        "{json:#}"
    );
    let text = stdout(&output(open, &["-", "--estimate"]));
    assert!(text.contains("proof     stones     lost  estimated\n") && text.contains(" %  dead\n"), "{text}");
    let picture = text.split("in more than 50 %\n").nth(1).unwrap();
    assert!(picture.lines().count() == 9 && picture.lines().all(|row| row.contains(" X O ")), "{text}");
    // Where all is proved, nothing is estimated.
    let proved = status(CORNER, &["--estimate"]);
    assert!(
        proved["chains"].as_array().unwrap().iter().any(|chain| chain["estimated"].is_null()),
        "{proved:#}"
    );
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
    assert_eq!(["1", "5k", "1e5"].map(kos), [0, 1, 2]);
}

/// The documentation shows what the command prints.
#[test]
fn the_documentation_shows_an_example() {
    let page = include_str!("../../docs/status.md");
    assert!(page.contains(&stdout(&output(CORNER, &["-"]))));
}
