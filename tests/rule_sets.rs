//! A rule set keeps its name and its komi through every command.

use std::{
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use jigo_engine::{BoardSize, RuleSet, rules::Supply};
use jigo_selfplay::sgf::{SgfGame, read_collection, rules_of};
use serde_json::Value;

#[track_caller]
fn jigo(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_jigo"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The only game of an SGF file.
fn game(text: &str) -> SgfGame {
    let games = read_collection(text.as_bytes());
    games.into_iter().next().expect("a game").expect("a readable record").game
}

#[test]
fn komi_by_rule_set_and_size() {
    for (rules, size, komi) in [
        ("czech", "13", "8"),
        ("czech", "19", "5.5"),
        ("hups", "19", "0"),
        ("brainking", "19", "5.5"),
        ("brainking", "13", "4.5"),
        ("brainking", "9", "3.5"),
        ("brainking", "11", "5.5"),
        ("korean", "19", "6.5"),
        ("new-zealand", "9", "7"),
        ("tromp-taylor", "19", "0"),
    ] {
        let answer = jigo(&["gtp", "--rules", rules, "--size", size], "get_komi\n");
        assert_eq!(answer, format!("= {komi}\n\n"), "{rules} {size}");
    }
}

#[test]
fn komi_follows_size_and_rules_until_it_is_set() {
    let asked = "boardsize 13\nget_komi\nkata-set-rules czech\nget_komi\nkomi 1\nboardsize 9\nget_komi\n";
    let answers = jigo(&["gtp", "--rules", "brainking"], asked);
    assert_eq!(answers, "= \n\n= 4.5\n\n= \n\n= 8\n\n= \n\n= \n\n= 1\n\n");
}

#[test]
fn records_are_read_back_as_the_rule_set_that_wrote_them() {
    for rules in RuleSet::all() {
        for size in ["19", "13", "9", "7"] {
            let printed = jigo(&["gtp", "--rules", &rules.to_string(), "--size", size], "printsgf\n");
            let record = game(printed.trim_start_matches("= "));
            let size: BoardSize = size.parse().unwrap();
            assert_eq!(rules_of(&record), rules);
            assert_eq!(record.komi(), Some(rules.komi(size)), "{rules} {size}");
        }
    }
}

#[test]
fn a_record_without_komi_has_that_of_its_rules() {
    for (name, expected) in [("czech", 8.0), ("brainking", 4.5), ("hups", 0.0), ("nobody knows", 6.5)] {
        let score = jigo(&["score", "--json", "-"], &format!("(;SZ[13]RU[{name}];B[aa])"));
        let score: Value = serde_json::from_str(&score).unwrap();
        assert_eq!(score["counts"][0]["komi"], expected, "{name}");
    }
}

#[test]
fn matches_and_exports_state_the_name() {
    let folder = tempfile::tempdir().unwrap();
    for rules in RuleSet::all() {
        let name = rules.to_string();
        let [played, exported, dataset] =
            ["match", "export", "games"].map(|kind| folder.path().join(format!("{name}-{kind}")));
        let players = ["policy:eye-safe", "policy:eye-safe"];
        // Matches by Makrai's rules need players who can settle disputes.
        let adjudication: &[&str] =
            if rules.supply == Supply::Finite { &["--adjudicate", "certified"] } else { &[] };
        let arguments = ["match", "--rules", &name, "--size", "5", "--games", "1", "--out", text(&played)];
        jigo(&[&arguments[..], &players, adjudication].concat(), "");
        jigo(&["play", "--rules", &name, "--size", "5", "--games", "1", "--out", text(&dataset)], "");
        jigo(&["verify", "--replay", text(&dataset)], "");
        jigo(&["export", text(&dataset), "--to", "sgf", "--out", text(&exported)], "");
        for file in [played.join("games.sgf"), exported.join("games-000000.sgf")] {
            let record = game(&fs::read_to_string(file).unwrap());
            assert_eq!(rules_of(&record), rules);
            assert_eq!(record.komi(), Some(rules.komi(record.size)), "{name}");
        }
    }
}

/// Rule sets that play alike share their games, and each has its row with its komi.
#[test]
fn a_study_has_a_row_for_every_name() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["japanese", "korean", "czech", "brainking", "hups"];
    let out = ["--games", "300", "--out", text(folder.path())];
    let table = jigo(&[&["study", "--size", "9,13", "--rules", &names.join(",")], &out[..]].concat(), "");
    let summary = fs::read_to_string(folder.path().join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let rows = summary["cells"].as_array().unwrap();
    let found: Vec<(String, f64)> = rows
        .iter()
        .map(|row| {
            let setting = &row["setting"];
            let rules = setting["rule_set"].as_str().map_or_else(
                || RuleSet::restore(setting["rules"].as_str().unwrap().parse().unwrap(), None).to_string(),
                str::to_owned,
            );
            (format!("{} {rules}", setting["size"].as_str().unwrap()), row["komi"].as_f64().unwrap())
        })
        .collect();
    for (size, rules, komi) in [
        (9, "japanese", 6.5),
        (9, "korean", 6.5),
        (9, "czech", 5.5),
        (9, "brainking", 3.5),
        (9, "hups", 0.0),
        (13, "czech", 8.0),
        (13, "brainking", 4.5),
    ] {
        assert!(found.contains(&(format!("{size}x{size} {rules}"), komi)), "{rules} {size}: {found:?}");
    }
    assert_eq!(rows.len(), 2 * names.len());
    for name in names {
        assert!(table.contains(name), "{name}:\n{table}");
    }
    let lengths = |row: &Value| row["finished"]["plies"].clone();
    let of_nine: Vec<Value> =
        rows.iter().filter(|row| row["setting"]["size"] == "9x9").map(lengths).collect();
    assert!(
        of_nine[0].is_object() && of_nine.iter().all(|found| *found == of_nine[0]),
        "the games are the same"
    );
}

/// The fourth choice of the rules, where handicap stones go, changes games that begin with some.
#[test]
fn a_study_measures_handicaps() {
    let folder = tempfile::tempdir().unwrap();
    let out = text(folder.path());
    let arguments =
        ["study", "--size", "9", "--rules", "tromp-taylor,area+fixed-handicap", "--handicap", "0,4"];
    let table = jigo(&[&arguments[..], &["--games", "200", "--out", out]].concat(), "");
    assert!(table.contains("handicap changes nothing: no game begins with handicap stones"), "{table}");
    let summary = fs::read_to_string(folder.path().join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let handicaps: Vec<&Value> =
        summary["cells"].as_array().unwrap().iter().map(|row| &row["setting"]["handicap"]).collect();
    assert_eq!(handicaps.iter().filter(|&&handicap| *handicap == 4).count(), 2);
    let lengths = |index: usize| summary["cells"][index]["finished"]["plies"]["mean"].clone();
    let cells: Vec<Value> = (0..4).map(lengths).collect();
    assert_eq!(cells[0], cells[2], "even games are the same under both");
    assert_ne!(cells[1], cells[3], "games with handicap are not");
    // The report is read back, and joins with itself under another seed.
    let merged = folder.path().join("merged");
    let again = folder.path().join("again");
    jigo(&[&arguments[..], &["--games", "200", "--seed", "2", "--out", text(&again)]].concat(), "");
    let reports = [folder.path(), &again].map(|path| path.join("report.json"));
    jigo(&["merge", text(&reports[0]), text(&reports[1]), "--out", text(&merged)], "");
}

/// A dataset for each handicap, which go on where they were interrupted and are measured together.
#[test]
fn several_handicaps_are_several_datasets() {
    let folder = tempfile::tempdir().unwrap();
    let [games, report] = ["games", "report"].map(|name| folder.path().join(name));
    let play = |handicap: &str| {
        let run = ["play", "--size", "7", "--rules", "japanese", "--games", "30", "--shard-games", "10"];
        jigo(&[&run[..], &["--handicap", handicap, "--out", text(&games)]].concat(), "")
    };
    play("0,3,3");
    fs::remove_dir_all(games.join("handicap-3")).unwrap();
    play("0,3");
    let folders = [0, 3].map(|stones| games.join(format!("handicap-{stones}")));
    assert_eq!(fs::read_dir(&games).unwrap().count(), 2);
    for folder in &folders {
        assert!(jigo(&["verify", "--replay", text(folder)], "").starts_with("ok: 3 shards, 30 games"));
    }
    let [even, other] = folders.each_ref().map(|folder| text(folder));
    let table = jigo(&["analyze", even, other, "--out", text(&report)], "");
    assert!(table.contains("a stone, 0 to 3"), "{table}");
    fs::remove_dir_all(&games).unwrap();
    // One alone is where it was before.
    play("3");
    assert!(games.join("manifest.json").exists());
}

#[test]
fn impossible_handicaps_are_refused() {
    for (arguments, reason) in [
        (["study", "--handicap", "1"], "first move"),
        (["play", "--handicap", "0,81"], "80 at most"),
        (["study", "--handicap", "x"], "a whole number from 0 to 625"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_jigo"))
            .args(arguments)
            .args(["--size", "9", "--out", text(folder.path())])
            .output()
            .unwrap();
        assert!(!output.status.success());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(reason), "{error}");
    }
}
