//! `jigo check`: programs without faults pass, and every planted fault is found.
#![cfg(unix)]

#[path = "../selfplay/tests/outside/mod.rs"]
mod outside;

use std::{
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

/// Faults of the engine in `tests/check/engine.py`, the check that must find each of them, and words of what it says.
const FAULTS: &[(&[&str], &str, &str)] = &[
    (&["accepts unknown commands"], "protocol", "accepts a command that it does not have"),
    (&["capital colours"], "protocol", "capitals and small letters alike"),
    (&["capital vertices"], "protocol", "capitals and small letters alike"),
    (&["carriage returns"], "protocol", "carriage returns"),
    (&["chatter"], "protocol", "lines that no command asked for"),
    (&["clear_board does nothing"], "boards", "stones on the board after clear_board"),
    (&["column I"], "protocol", "a vertex that is not on the board"),
    (&["comments"], "protocol", "comments"),
    (&["corner stones are not captured"], "captures", "other stones on the board after a capture"),
    (&["corner stones are not captured", "no list_stones"], "captures", "whose stone was captured"),
    (
        &["corner stones are not captured", "no list_stones", "no undo"],
        "captures",
        "whose stone was captured",
    ),
    (&["dies of bad text"], "protocol", "bytes that are no text"),
    (&["dies of long lines"], "protocol", "long line"),
    (&["does not quit"], "protocol", "does not end after quit"),
    (&["empty lines"], "protocol", "empty lines"),
    (&["errors are successes"], "protocol", "accepts a command that it does not have"),
    (&["genmove plays anywhere"], "genmove", "does not put its own move on the board"),
    (&["history survives clear_board"], "boards", "remembers the game before"),
    (&["knows everything"], "protocol", "claims to know a command"),
    (&["komi is added"], "score", "counts another result"),
    (&["large captures are refused"], "legality", "captures several stones"),
    (&["list_stones leaves one out"], "captures", "other stones on the board"),
    (&["no empty line after errors"], "protocol", "does not end a reply with an empty line"),
    (&["no sign"], "protocol", "replies to komi without = or ?"),
    (&["numbers"], "protocol", "number of a command"),
    (&["occupied points are replaced"], "legality", "occupied point"),
    (&["passes twice"], "passes", "refuses a pass"),
    (&["simple ko is forgotten"], "ko", "immediate recapture"),
    (&["single suicide", "simple ko"], "suicide", "suicide of a single stone"),
    (&["suicide of two"], "suicide", "refuses suicide of several stones"),
    (&["tabs"], "protocol", "tabs between words"),
    (&["undo forgets ko"], "undo", "illegal move after undo"),
    (&["undo keeps captures away"], "undo", "other stones on the board after undo"),
];

/// Tests a program on few positions, and returns the results as JSON.
#[track_caller]
fn check(engine: &str, options: &[&str]) -> (Output, Value) {
    let mut command = Command::new(JIGO);
    command.args(["check", engine, "--positions", "600", "--json"]).args(options).stdin(Stdio::null());
    let output = command.output().expect("the command starts");
    let value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output, value)
}

/// Returns the command line of the engine with these faults.
fn engine(faults: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/engine.py");
    let faults: Vec<String> = faults.iter().map(|fault| format!("'{fault}'")).collect();
    format!("python3 '{}' {}", script.display(), faults.join(" "))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn row<'a>(value: &'a Value, check: &str) -> &'a Value {
    let rows = value["checks"].as_array().expect("checks");
    rows.iter().find(|row| row["check"] == check).expect("a row for every check")
}

#[track_caller]
fn assert_clean(engine: &str, options: &[&str]) -> Value {
    let (output, value) = check(engine, options);
    assert_eq!(output.status.code(), Some(0), "{engine}: {value:#} {}", text(&output.stderr));
    assert_eq!(value["faults"], Value::Array(Vec::new()));
    value
}

#[test]
fn programs_without_faults_pass() {
    for rules in ["tromp-taylor", "chinese", "japanese", "new-zealand", "situational-superko+no-suicide"] {
        let value = assert_clean(&format!("{JIGO} gtp --rules {rules}"), &["--rules", rules]);
        // Nothing passes for want of questions.
        for row in value["checks"].as_array().unwrap() {
            let least = if row["check"] == "genmove" || row["check"] == "score" { 8 } else { 20 };
            assert!(row["replies"].as_u64().unwrap() >= least, "{rules}: {row}");
        }
    }
    let value = assert_clean(&engine(&[]), &["--size", "7"]);
    assert_eq!(row(&value, "status")["note"], "skipped: the engine has no final_status_list");
    let value = assert_clean(&engine(&["no undo", "no list_stones", "no final_score"]), &[]);
    for (check, note) in [("undo", "no undo"), ("perft", "no undo"), ("score", "no final_score")] {
        assert_eq!(row(&value, check)["note"], format!("skipped: the engine has {note}"));
        assert_eq!(row(&value, check)["replies"], 0);
    }
}

#[test]
fn other_rules_are_named() {
    let served = format!("{JIGO} gtp --rules japanese");
    // Rules that were asked for are demanded.
    let (output, _) = check(&served, &["--rules", "tromp-taylor"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("makes no mistakes but plays by other rules than tromp-taylor"), "{message}");
    // Otherwise they are found out.
    let (output, value) = check(&served, &[]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    let rules = "territory+simple-ko+no-suicide+free-handicap";
    assert!(message.contains("note: ") && message.contains(&format!("--rules {rules}")), "{message}");
    assert_clean(&served, &["--rules", rules]);
    assert_eq!(value["faults"], Value::Array(Vec::new()));
    let differences = value["differences"].as_array().unwrap().iter();
    let mut checks: Vec<&str> = differences.map(|one| one["check"].as_str().unwrap()).collect();
    checks.dedup();
    checks.sort_unstable();
    assert_eq!(checks, ["score", "suicide", "superko"]);
    assert_eq!(value["plays_by"], "territory+simple-ko+no-suicide+free-handicap");
    assert_eq!(value["has_errors"], false);
    for (check, note) in
        [("superko", "plays by simple-ko"), ("suicide", "forbids suicide"), ("score", "counts territory")]
    {
        assert_eq!(row(&value, check)["note"], note, "{value:#}");
        assert_eq!(row(&value, check)["wrong"], 0);
        assert!(row(&value, check)["explained"].as_u64().unwrap() > 0);
    }
    for ko in ["situational-superko", "positional-superko"] {
        let (_, value) = check(&format!("{JIGO} gtp --rules {ko}"), &["--rules", "simple-ko"]);
        assert_eq!(row(&value, "superko")["note"], format!("plays by {ko}"), "{value:#}");
    }
}

/// Fails unless the check finds the planted fault and shows commands to which the program gives the same wrong reply again.
fn find(faults: &[&str], check_name: &str, words: &str) {
    let rules = if faults.contains(&"single suicide") { "simple-ko" } else { "tromp-taylor" };
    let (output, value) = check(&engine(faults), &["--time-limit", "2", "--rules", rules]);
    assert_eq!(output.status.code(), Some(1), "{faults:?}: {value:#} {}", text(&output.stderr));
    let found = value["faults"].as_array().unwrap();
    let is_wanted =
        |fault: &&Value| fault["check"] == check_name && fault["what"].as_str().unwrap().contains(words);
    let Some(fault) = found.iter().find(is_wanted) else { panic!("{faults:?} is not among {found:#?}") };
    assert_eq!(fault["is_repeatable"], true, "{faults:?}");
    assert!(fault["commands"].as_array().unwrap().len() <= 24, "{fault:#}");
    assert!(row(&value, check_name)["wrong"].as_u64().unwrap() >= fault["count"].as_u64().unwrap());
}

#[test]
fn planted_faults_are_found() {
    // Each half on a thread of its own: programs wait for each other.
    let (one, other) = FAULTS.split_at(FAULTS.len() / 2);
    thread::scope(|scope| {
        for faults in [one, other] {
            scope.spawn(|| faults.iter().for_each(|(faults, check, words)| find(faults, check, words)));
        }
    });
}

#[test]
fn what_shows_a_fault_is_short_and_can_be_pasted() {
    let mut command = Command::new(JIGO);
    let output = command
        .args(["check", &engine(&["corner stones are not captured"]), "--positions", "600"])
        .output()
        .unwrap();
    let (table, message) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{message}");
    let (_, shown) =
        table.split_once("captures: has other stones on the board after a capture").expect("the fault");
    let commands: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .take_while(|line| !line.starts_with(' '))
        .collect();
    // A stone in the corner, its two neighbours, and the question.
    assert_eq!(commands.len(), 6, "{table}");
    assert!(commands[5].starts_with("list_stones "), "{table}");
    let pasted = format!(
        "printf '{}\\nquit\\n' | {}",
        commands.join("\\n"),
        engine(&["corner stones are not captured"])
    );
    let replies = text(&Command::new("sh").args(["-c", &pasted]).output().unwrap().stdout);
    let answered = shown.lines().find_map(|line| line.trim().strip_prefix("is ")).expect("the reply").trim();
    assert!(replies.contains(answered), "{replies} {answered}");
}

#[test]
fn programs_that_speak_no_gtp_are_an_error() {
    for (program, words) in [
        ("/no/engine", "cannot start `/no/engine`"),
        ("cat", "does not speak GTP"),
        ("yes", "it wrote without end"),
        ("false", "does not speak GTP"),
        ("sh -c 'exec sleep 1000'", "does not speak GTP"),
    ] {
        let (output, _) = check(program, &["--time-limit", "0.5"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{program}: {message}");
        assert!(message.contains(words) && message.matches("error:").count() == 1, "{program}: {message}");
    }
    for (size, words) in
        [("9x13", "square boards"), ("4", "square boards from 5x5"), ("25", "has no 25x25 board")]
    {
        let (output, _) = check(&engine(&[]), &["--size", size]);
        let message = text(&output.stderr);
        let status = if size == "25" { 1 } else { 2 };
        assert!(output.status.code() == Some(status) && message.contains(words), "{message}");
    }
}

#[test]
fn ctrl_c_ends_a_check() {
    let mut command = Command::new(JIGO);
    command.args(["check", &engine(&[]), "--positions", "1e9"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    thread::sleep(Duration::from_secs(2));
    let start = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("error: interrupted"), "{message}");
    // A second, and what a busy machine needs.
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// What is known of GNU Go 3.8: it takes lines of more than about a thousand bytes for several commands.
#[test]
fn gnugo_plays_by_the_rules() {
    let Some(gnugo) = outside::gnugo() else { return };
    let line = format!("{gnugo} --mode gtp --level 1 --chinese-rules --simple-ko --forbid-suicide");
    let (_, value) = check(&line, &["--rules", "chinese"]);
    for fault in value["faults"].as_array().expect("faults") {
        assert_eq!(fault["what"], "takes a long line for several commands", "{fault:#}");
    }
    let (_, value) = check(&format!("{gnugo} --mode gtp --level 1"), &[]);
    assert_eq!(value["plays_by"], "territory+simple-ko+no-suicide+free-handicap", "{value:#}");
}
