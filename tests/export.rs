//! `jigo export`: files that other programs and jigo itself read back.
#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(JIGO);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn jigo(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn succeed(arguments: &[&str]) -> String {
    let output = jigo(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stderr(&output)
}

/// Fails unless the command ends with this status, without a panic, and says all of these words.
#[track_caller]
fn expect_error(arguments: &[&str], status: i32, words: &[&str]) {
    let output = jigo(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments:?}: `{word}` is missing in: {message}");
    }
}

/// A dataset, and a way to name folders beside it.
struct Played(TempDir);

impl Played {
    fn new(more: &[&str]) -> Self {
        let played = Self(tempfile::tempdir().unwrap());
        let data = played.path("data");
        succeed(&[&["play", "--out", &data, "--shard-games", "1500"], more].concat());
        played
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Exports, and gives what `export.json` says.
    #[track_caller]
    fn export(&self, out: &str, more: &[&str]) -> Value {
        let (data, out) = (self.path("data"), self.path(out));
        succeed(&[&["export", &data, "--out", &out], more].concat());
        json(&Path::new(&out).join("export.json"))
    }

    /// One of the files that `jigo analyze` writes.
    #[track_caller]
    fn analyze(&self, path: &str, file: &str) -> Value {
        let (path, report) = (self.path(path), self.path(&format!("report-{path}")));
        succeed(&["analyze", &path, "--out", &report]);
        json(&Path::new(&report).join(file))
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn exported_records_analyze_like_the_dataset() {
    let played = Played::new(&["--size", "4x6", "--games", "4k", "--rules", "aga"]);
    let exported = played.export("sgf", &["--to", "sgf", "--games-per-file", "700", "--komi", "0"]);
    let (dataset, records) = (played.analyze("data", "report.json"), played.analyze("sgf", "records.json"));
    let finished = &dataset["study"]["cells"][0]["finished"];
    assert_eq!(exported["counts"]["games_kept"], finished["games"]);
    assert!(finished["games"].as_u64().is_some_and(|games| games > 3000));
    assert_eq!(records["faults"]["counts"], Value::Array(Vec::new()));
    assert_eq!(records["groups"].as_array().map(Vec::len), Some(1));
    let measures = &records["groups"][0][1];
    for name in ["games", "plies", "passes", "captures"] {
        assert_eq!(measures[name], finished[name], "{name}");
    }
    let scores: Vec<[i64; 2]> = serde_json::from_value(measures["scores"].clone()).unwrap();
    let mut margins: Vec<[i64; 2]> = serde_json::from_value(finished["margins"].clone()).unwrap();
    let jigo = margins.extract_if(.., |margin| margin[0] == 0).map(|[_, games]| games).sum::<i64>();
    assert_eq!(measures["results"]["draw"], jigo);
    let scores: Vec<_> = scores.into_iter().filter(|score| score[0] != 0).collect();
    assert_eq!(scores, margins.into_iter().map(|[margin, games]| [2 * margin, games]).collect::<Vec<_>>());
}

#[test]
fn the_table_has_the_games_of_the_dataset() {
    let played = Played::new(&["--size", "3x4", "--games", "4k", "--rules", "aga", "--policy", "uniform"]);
    let exported = played.export("csv", &["--to", "csv", "--events", "--capped", "include"]);
    let read = |name: &str| fs::read_to_string(Path::new(&played.path("csv")).join(name)).unwrap();
    let (games, events) = (read("games.csv"), read("events.csv"));
    let mut lines = games.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let sum = |name: &str| -> u64 {
        let column = names.iter().position(|column| *column == name).unwrap();
        rows.iter().map(|row| row[column].parse::<u64>().unwrap()).sum()
    };
    let dataset = played.analyze("data", "report.json");
    let cell = &dataset["study"]["cells"][0];
    let both = |name: &str| {
        ["finished", "stopped"]
            .map(|games| cell[games][name].as_u64().unwrap_or_default())
            .iter()
            .sum::<u64>()
    };
    assert_eq!(rows.len() as u64, 4000);
    assert_eq!(both("games"), 4000);
    assert_eq!(exported["counts"]["games_read"], 4000);
    let event_rows = events.lines().count() as u64 - 1;
    assert!(event_rows > 100 && event_rows == sum("refused") + sum("repeated"), "{event_rows}");
    assert_eq!(exported["files"][1]["rows"], event_rows);
    assert!(rows.iter().enumerate().all(|(index, row)| row[0] == index.to_string()));
}

#[test]
fn files_of_positions_hold_the_documented_arrays_alone() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/dataset.md")).unwrap();
    let section = page.split("\n### ").find(|section| section.starts_with("NPZ\n")).unwrap();
    for (policy, is_searched) in [("eye-safe", false), ("uct:playouts=5", true)] {
        let played = Played::new(&["--size", "3", "--games", "20", "--policy", policy]);
        played.export("npz", &["--to", "npz"]);
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
        let rows = rows.filter(|(_, rest)| is_searched || !rest.contains("Only in datasets of searches"));
        let mut documented: Vec<String> = rows
            .flat_map(|(names, _)| names.split(['`', ',', ' ']).filter(|name| !name.is_empty()))
            .map(|name| format!("{name}.npy"))
            .collect();
        let file = fs::File::open(Path::new(&played.path("npz")).join("positions-000000.npz")).unwrap();
        let mut archive = zip::ZipArchive::new(file).unwrap();
        let count = archive.len();
        let member = |index| archive.by_index(index).unwrap().name().unwrap().into_owned();
        let mut members: Vec<String> = (0..count).map(member).collect();
        documented.sort();
        members.sort();
        assert_eq!(members, documented);
        let about: Value = serde_json::from_slice(archive.comment()).unwrap();
        assert_eq!(about["format"], "jigo-export");
    }
}

#[test]
fn the_command_in_the_manifest_exports_the_same_again() {
    let played = Played::new(&["--size", "5", "--games", "3k"]);
    let options = ["--to", "npz", "--positions-per-game", "2", "--rows-per-file", "999", "--komi", "1.5"];
    let filters = ["--margin", "-3..3", "--sample", "0.5", "--plies", "20.."];
    let one = played.export("one", &[&options[..], &filters].concat());
    let command = one["command"].as_str().unwrap();
    let words: Vec<String> = command
        .split(' ')
        .skip(1)
        .map(|word| match word {
            "DATASET" => played.path("data"),
            "OUT" => played.path("two"),
            other => other.to_owned(),
        })
        .collect();
    succeed(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let two = json(&Path::new(&played.path("two")).join("export.json"));
    assert_eq!(one, two);
    assert_eq!(one["filters"]["margin"], "-3..3");
    assert!(one["files"].as_array().unwrap().iter().all(|file| file["rows"].as_u64() <= Some(999)));
    assert_eq!(
        one["run_fingerprint"],
        json(&Path::new(&played.path("data")).join("manifest.json"))["run_fingerprint"]
    );
}

#[test]
fn wrong_arguments_and_folders_get_one_clear_error() {
    let played = Played::new(&["--size", "3", "--games", "100"]);
    let (data, out) = (played.path("data"), played.path("out"));
    let export = |more: &[&'static str]| -> Vec<String> {
        ["export", &data, "--out", &out].iter().chain(more).map(|&word| word.to_owned()).collect()
    };
    let check = |more: &[&'static str], status, words: &[&str]| {
        let arguments = export(more);
        expect_error(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), status, words);
        assert!(!Path::new(&out).exists());
    };
    check(&[], 2, &["--to"]);
    check(&["--to", "xml"], 2, &["xml", "sgf", "csv", "npz"]);
    check(&["--to", "csv", "--margin", "3..1"], 2, &["3..1", "both ends"]);
    check(&["--to", "csv", "--result", "draw"], 2, &["draw", "jigo"]);
    check(&["--to", "csv", "--superko", "0"], 2, &["any"]);
    check(&["--to", "csv", "--status", "undead"], 2, &["undead", "seki"]);
    check(&["--to", "csv", "--sample", "2"], 2, &["`2`", "at most 1"]);
    check(&["--to", "csv", "--capped", "maybe"], 2, &["maybe", "exclude"]);
    check(&["--to", "csv", "--limit", "0"], 2, &["number of games"]);
    check(&["--to", "npz", "--rows-per-file", "0"], 2, &["65536"]);
    check(&["--to", "npz", "--position-rate", "0.1", "--positions-per-game", "1"], 2, &["--position-rate"]);
    check(&["--to", "sgf", "--games-per-file", "none"], 2, &["none", "all"]);
    check(&["--to", "sgf", "--events"], 2, &["--events", "--to csv"]);
    check(&["--to", "csv", "--positions-per-game", "2"], 2, &["--to npz"]);
    let nowhere = played.path("nowhere");
    expect_error(&["export", &nowhere, "--to", "csv", "--out", &out], 1, &[&nowhere, "not a jigo dataset"]);
    expect_error(&["export", &data, "--to", "csv", "--out", &data], 1, &["not empty", "--out"]);
    let file = played.path("file");
    fs::write(&file, "text").unwrap();
    expect_error(&["export", &data, "--to", "csv", "--out", &file], 1, &[&file]);
    succeed(&["export", &data, "--to", "csv", "--out", &out]);
    expect_error(&["export", &data, "--to", "sgf", "--out", &out], 1, &["another export", "--out"]);
}

#[test]
fn a_changed_dataset_is_told() {
    let played = Played::new(&["--size", "3", "--games", "4k"]);
    let (data, out) = (played.path("data"), played.path("out"));
    let shard = PathBuf::from(&data).join("data/shard-000002.parquet");
    let mut bytes = fs::read(&shard).unwrap();
    bytes[100] ^= 1;
    fs::write(&shard, &bytes).unwrap();
    expect_error(&["export", &data, "--to", "csv", "--out", &out], 1, &["shard-000002.parquet", "damaged"]);
    bytes.truncate(1000);
    fs::write(&shard, &bytes).unwrap();
    expect_error(&["export", &data, "--to", "npz", "--out", &played.path("two")], 1, &["shard-000002"]);
    fs::remove_file(&shard).unwrap();
    expect_error(&["export", &data, "--to", "sgf", "--out", &played.path("three")], 1, &["shard-000002"]);
    for out in [out, played.path("two"), played.path("three")] {
        let manifest = json(&Path::new(&out).join("export.json"));
        assert_eq!(manifest["complete"], false);
        assert!(names(&out).iter().all(|name| !name.ends_with(".partial")));
    }
}

fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn ctrl_c_leaves_whole_files_and_the_same_command_begins_again() {
    let played = Played::new(&["--size", "9", "--games", "40k"]);
    let (data, out) = (played.path("data"), played.path("out"));
    let export = ["export", &data, "--to", "sgf", "--threads", "1", "--out", &out];
    let child = command(&export).spawn().unwrap();
    while !Path::new(&out).join("games-000002.sgf").exists() {
        thread::sleep(Duration::from_millis(2));
    }
    assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("begins again"), "{}", stderr(&output));
    let whole = names(&out);
    assert!(
        (4..41).contains(&whole.len()) && whole.iter().all(|name| !name.ends_with(".partial")),
        "{whole:?}"
    );
    for name in whole.iter().filter(|name| name.ends_with(".sgf")) {
        let text = fs::read_to_string(Path::new(&out).join(name)).unwrap();
        assert_eq!(text.matches("GN[game ").count(), 1000, "{name}");
    }
    succeed(&export);
    let manifest = json(&Path::new(&out).join("export.json"));
    assert_eq!((&manifest["complete"], &manifest["counts"]["games_kept"]), (&true.into(), &40_000.into()));
}
