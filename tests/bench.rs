//! `jigo bench`: what it prints, and that only the games it should play can be measured.

use std::{
    collections::BTreeSet,
    fs,
    process::{Command, Output, Stdio},
};

use jigo_selfplay::Backend;
use serde_json::Value;

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

fn bench(arguments: &[&str]) -> Output {
    Command::new(JIGO).arg("bench").args(arguments).stdin(Stdio::null()).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What `bench --json` prints with these arguments.
#[track_caller]
fn json(arguments: &[&str]) -> Value {
    let output = bench(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn lines(document: &Value) -> &[Value] {
    document["lines"].as_array().expect("lines")
}

/// The pinned signatures: size, rules, policy, games, signature.
fn pinned() -> Vec<Vec<String>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/selfplay/tests/data/games-v1/signatures.csv");
    let content = fs::read_to_string(file).unwrap();
    let rows = content.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn all_backends_play_the_pinned_games() {
    let settings = [
        ("9x9", "tromp-taylor", "eye-safe"),
        ("9x9", "chinese", "guarded:k=2"),
        ("13x13", "new-zealand", "uniform"),
        ("19x19", "chinese", "eye-safe"),
    ];
    for (size, rules, policy) in settings {
        let row =
            pinned().into_iter().find(|row| row[..3] == [size, rules, policy]).expect("a pinned setting");
        let setting = ["--size", size, "--rules", rules, "--policy", policy, "--games", &row[3]];
        let more = ["--threads", "1,2", "--repetitions", "1", "--needs", "end,moves,repetitions,all"];
        let document = json(&[&setting[..], &more[..]].concat());
        assert_eq!(lines(&document).len(), 8 * Backend::available().count());
        for line in lines(&document) {
            assert_eq!(line["signature"], row[4], "{line}");
            assert_eq!(line["games"].to_string(), row[3]);
        }
        let backends: BTreeSet<_> =
            lines(&document).iter().map(|line| line["backend"].as_str().unwrap()).collect();
        let available: Vec<_> = Backend::available().map(|backend| backend.to_string()).collect();
        assert_eq!(backends, available.iter().map(String::as_str).collect());
    }
}

#[test]
fn json_has_what_a_record_needs() {
    let arguments = ["--size", "5x4,4", "--games", "300", "--threads", "1", "--repetitions", "3"];
    let document = json(&[&arguments[..], &["--backend", "board,plain", "--seed", "7"]].concat());
    assert_eq!((&document["format"], &document["complete"]), (&2.into(), &true.into()));
    assert!(document["machine"]["threads"].as_u64().unwrap() >= 1);
    assert!(document["commit"].is_string() && document["version"].is_string());
    assert_eq!(document["arguments"]["size"], serde_json::json!(["5x4", "4x4"]));
    assert_eq!(document["arguments"]["games"], 300);
    assert_eq!(lines(&document).len(), 4);
    for line in lines(&document) {
        let seconds: Vec<f64> =
            line["seconds"].as_array().unwrap().iter().map(|second| second.as_f64().unwrap()).collect();
        assert_eq!(seconds.len(), 3);
        let speed = |name: &str| line["games_per_s"][name].as_f64().unwrap();
        assert!(speed("min") <= speed("median") && speed("median") <= speed("max"));
        let (games, plies) = (line["games"].as_f64().unwrap(), line["plies"].as_f64().unwrap());
        let slowest = seconds.iter().copied().fold(0.0, f64::max);
        assert!((games / slowest / speed("min") - 1.0).abs() < 1e-9);
        let nanoseconds = line["ns_per_ply_per_thread"].as_f64().unwrap();
        assert!((nanoseconds * speed("median") * plies / games / 1e9 - 1.0).abs() < 1e-9);
        assert!(line["backend"] != "board" || line["ratio"] == 1.0);
    }
    let fewest = json(&["--size", "3", "--backend", "best", "--threads", "1", "--repetitions", "1"]);
    assert!(lines(&fewest)[0]["games"].as_u64().unwrap() >= 1000, "chosen by speed");
}

#[test]
fn table_and_file_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bench.json");
    let file = file.to_str().unwrap();
    let arguments = ["--size", "5", "--games", "200", "--threads", "1,2", "--backend", "board,plain"];
    let output = bench(&[&arguments[..], &["--repetitions", "2", "--out", file]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    let document: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let signature = lines(&document)[0]["signature"].as_str().unwrap();
    for threads in ["1 thread", "2 threads"] {
        let heading = format!("5x5 tromp-taylor eye-safe, {threads}: 200 games, signature {signature}\n");
        assert_eq!(table.matches(&heading).count(), 1, "{table}");
    }
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|row: &Vec<&str>| row.len() == 7 && row[1] == "end")
        .collect();
    assert_eq!(rows.len(), 4, "{table}");
    for (row, line) in rows.iter().zip(lines(&document)) {
        assert_eq!(line["backend"], row[0]);
        let speed: f64 = row[2].replace(',', "").parse().unwrap();
        assert!((speed - line["games_per_s"]["median"].as_f64().unwrap()).abs() <= 0.5, "{table}");
        assert!(row[3].contains(".."), "{table}");
    }
}

/// Fails unless the command ends with this status and one line that says these words.
#[track_caller]
fn expect_error(arguments: &[&str], status: i32, words: &[&str]) {
    let output = bench(arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    let errors: Vec<&str> = message.lines().filter(|line| line.contains("error")).collect();
    let [error] = errors[..] else { panic!("{arguments:?}: {message}") };
    for word in words {
        assert!(message.contains(word), "{arguments:?}: `{word}` is missing in: {error}");
    }
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn wrong_arguments_get_one_clear_error() {
    expect_error(&["--size", "26"], 2, &["26", "1 to 25"]);
    expect_error(&["--rules", "chineese"], 2, &["chineese", "tromp-taylor"]);
    expect_error(&["--policy", "clever"], 2, &["clever", "eye-safe"]);
    expect_error(&["--backend", "fast"], 2, &["fast", "board", "avx512", "all", "best"]);
    expect_error(&["--needs", "score"], 2, &["score", "end", "moves", "repetitions"]);
    expect_error(&["--threads", "0"], 2, &["`0`", "all"]);
    expect_error(&["--games", "0"], 2, &["number of games"]);
    expect_error(&["--repetitions", "0"], 2, &["0", "1 to 1000"]);
    expect_error(&["--size", "1x5", "--backend", "plain"], 1, &["plain", "1x5", "board"]);
    expect_error(&["--out", "no/such/folder/file.json"], 1, &["no/such/folder/file.json", "--out"]);
    expect_error(&["--out", "src"], 1, &["src is a folder", "--out"]);
}

#[cfg(unix)]
#[test]
fn another_program_is_timed_in_turn() {
    let few =
        ["--size", "5", "--games", "200", "--threads", "1", "--backend", "board,plain", "--repetitions", "3"];
    let folder = tempfile::tempdir().unwrap();
    let calls = folder.path().join("calls");
    let program =
        format!("sh -c 'echo {{size}} {{width}} {{threads}} >> {}; echo pps=1000'", calls.display());
    let document = json(&[&few[..], &["--against", &program]].concat());
    assert_eq!(fs::read_to_string(calls).unwrap(), "5x5 5 1\n".repeat(3));
    for line in lines(&document) {
        let seconds = line["seconds"].as_array().unwrap().iter().map(|seconds| seconds.as_f64().unwrap());
        let ratios: Vec<f64> = seconds.map(|seconds| 200.0 / seconds / 1000.0).collect();
        assert_eq!(line["against"]["games_per_s"], serde_json::json!([1000.0, 1000.0, 1000.0]));
        let ratio = |name: &str| line["against"]["ratio"][name].as_f64().unwrap();
        assert!((ratio("max") - ratios.iter().copied().fold(0.0, f64::max)).abs() < 1e-9);
        assert!(ratio("min") <= ratio("median") && ratio("median") <= ratio("max"));
    }
    let error = |program: &str, words: &[&str]| {
        expect_error(&[&few[..], &["--against", program]].concat(), 1, words);
    };
    error("no-such-program", &["no-such-program", "--against"]);
    error("echo 1000 games/s", &["echo", "pps=NUMBER"]);
    error("sh -c 'echo out of memory >&2; exit 3'", &["sh failed", "3", "out of memory"]);
    expect_error(&["--against", "sh '"], 2, &["--against", "quote"]);
}

/// The unit tests of `jigo bench` do the same for a processor that supports all backends.
#[test]
fn backends_that_the_processor_lacks_are_refused() {
    for backend in ["plain", "avx2", "avx512"] {
        if Backend::available().all(|available| available.to_string() != backend) {
            expect_error(&["--backend", backend], 1, &[backend, "this processor", "board, plain"]);
        }
    }
}

#[test]
fn narrow_boards_are_played_by_what_can_play_them() {
    let document = json(&["--size", "1x5", "--games", "100", "--threads", "1", "--repetitions", "1"]);
    assert_eq!(lines(&document).len(), 1);
    assert_eq!(lines(&document)[0]["backend"], "board");
}

#[test]
fn a_reader_who_goes_away_is_no_error() {
    for json in [&[][..], &["--json"]] {
        let mut command = Command::new(JIGO);
        command.args(["bench", "--size", "9", "--games", "500", "--threads", "1"]).args(json);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_measured() {
    let mut command = Command::new(JIGO);
    command.args(["bench", "--size", "9", "--games", "500", "--repetitions", "1000", "--threads", "1"]);
    command.args(["--backend", "board,plain", "--json"]).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("measured until then"), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["complete"], false);
    assert!(lines(&document).iter().all(|line| line["seconds"].as_array().unwrap().len() < 1000));
}
