//! Every format: how its golden files are made, what must stay, and how they are read.

use std::{fs, path::Path};

use jigo_analysis::report::read_study;

use crate::{
    CHANGED,
    arrays::arrays,
    contents::{files, json, read, same_columns, same_fields},
    folder, printed, printed_in, text, versions,
};

/// A format of files, by its name in `jigo --version`.
pub(crate) struct Format {
    pub(crate) name: &'static str,
    /// Writes examples into an empty folder.
    pub(crate) write: fn(&Path),
    /// Panics unless what is written now has all that the golden files of the same version have.
    pub(crate) compare: fn(&Path, &Path),
    /// Panics unless the golden files, of any version, can be read; the second path may be used for results.
    pub(crate) read: Option<fn(&Path, &Path)>,
}

pub(crate) const FORMATS: [Format; 8] = [
    Format { name: "dataset", write: write_dataset, compare: same_dataset, read: Some(read_dataset) },
    Format { name: "match", write: write_match, compare: same_match, read: Some(read_match) },
    Format { name: "export", write: write_export, compare: same_export, read: Some(read_export) },
    Format { name: "study", write: write_study, compare: same_study, read: Some(read_report) },
    Format { name: "summary", write: write_summary, compare: same_json, read: None },
    Format { name: "differences", write: write_differences, compare: same_json, read: None },
    Format { name: "records", write: write_records, compare: same_json, read: None },
    Format { name: "bench", write: write_bench, compare: same_json, read: None },
];

/// The newest golden files of a format.
fn newest(name: &str) -> std::path::PathBuf {
    let (_, formats) = versions();
    folder(name, formats.iter().find(|(known, _)| known == name).expect("a format").1)
}

fn same_json(expected: &Path, written: &Path) {
    for name in files(expected, ".json") {
        same_fields(&expected.join(&name), &written.join(&name));
    }
}

fn write_dataset(out: &Path) {
    let games = ["--size", "4x3", "--games", "60", "--shard-games", "40", "--policy", "uniform"];
    let played = out.join("played");
    // A name that the values of the rules do not imply is what version 2 adds, ownership what version 4 adds.
    let more = ["--rules", "korean", "--forbidden-candidates", "--ownership"];
    printed(&[&["play", "--out", text(&played)], &more[..], &games[..]].concat());
    let records = ["brainking.sgf", "czech.sgf"];
    let imported = out.join("imported");
    printed_in(&examples(), &[&["import", "--out", text(&imported)], &records[..]].concat());
}

/// Records that do not change.
fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples")
}

fn same_dataset(expected: &Path, written: &Path) {
    for name in ["played", "imported"] {
        let [expected, written] = [expected, written].map(|folder| folder.join(name));
        same_json(&expected, &written);
        assert_eq!(files(&expected.join("data"), ""), files(&written.join("data"), ""), "{CHANGED}");
    }
}

/// Every stored game is played again by its moves, and those that were played by their seed.
fn read_dataset(golden: &Path, _: &Path) {
    for name in ["played", "imported"] {
        printed(&["verify", "--replay", text(&golden.join(name))]);
    }
}

fn play_match(out: &Path) {
    let players = ["policy:eye-safe", "policy:uniform", "--rules", "chinese"];
    printed(&[&["match", "--size", "5", "--games", "4", "--out", text(out)], &players[..]].concat());
}

fn write_match(out: &Path) {
    play_match(out);
}

fn same_match(expected: &Path, written: &Path) {
    same_json(expected, written);
    assert_eq!(read(&expected.join("games.jsonl")), read(&written.join("games.jsonl")), "{CHANGED}");
}

/// A match that was interrupted goes on to the same games.
fn read_match(golden: &Path, scratch: &Path) {
    fs::create_dir(scratch).unwrap();
    for name in ["manifest.json", "games.sgf", "games.jsonl"] {
        fs::copy(golden.join(name), scratch.join(name)).unwrap();
    }
    let rows = read(&golden.join("games.jsonl"));
    let first: Vec<&str> = rows.split_inclusive('\n').take(2).collect();
    fs::write(scratch.join("games.jsonl"), first.concat()).unwrap();
    play_match(scratch);
    assert_eq!(read(&scratch.join("games.jsonl")), rows);
}

/// What is exported of the first golden dataset, a folder for each.
const EXPORTS: [(&str, &[&str]); 3] = [
    ("sgf", &["--to", "sgf", "--komi", "0.5"]),
    ("csv", &["--to", "csv", "--events"]),
    ("npz", &["--to", "npz", "--limit", "10"]),
];

fn write_export(out: &Path) {
    let dataset = folder("dataset", 1).join("played");
    for (name, options) in EXPORTS {
        let out = out.join(name);
        printed(&[&["export", text(&dataset), "--capped", "include", "--out", text(&out)], options].concat());
    }
}

fn same_export(expected: &Path, written: &Path) {
    for (name, _) in EXPORTS {
        same_json(&expected.join(name), &written.join(name));
    }
    for name in files(&expected.join("csv"), ".csv") {
        same_columns(&expected.join("csv").join(&name), &written.join("csv").join(&name));
    }
    for name in files(&expected.join("npz"), ".npz") {
        let (old, new) =
            (arrays(&expected.join("npz").join(&name)), arrays(&written.join("npz").join(&name)));
        assert!(old.len() > 9, "{name} has hardly an array");
        for (array, bytes) in old {
            assert!(new.get(&array) == Some(&bytes), "{name}: {array}: {CHANGED}");
        }
    }
}

/// All files have their digests, and records are read as any others are.
fn read_export(golden: &Path, scratch: &Path) {
    for (name, _) in EXPORTS {
        printed(&["verify", text(&golden.join(name))]);
    }
    let told = printed(&["analyze", text(&golden.join("sgf")), "--out", text(scratch)]);
    assert!(told.contains("60 games measured"), "{told}");
}

fn study(out: &Path, sizes: &str, seed: &str) {
    let settings = ["--size", sizes, "--rules", "tromp-taylor,korean", "--games", "150"];
    printed(&[&["study", "--seed", seed, "--out", text(out)], &settings[..]].concat());
}

/// Counts and tables; of the tables the headings are enough.
fn write_study(out: &Path) {
    let report = tempfile::tempdir().unwrap();
    study(report.path(), "3,2x4", "1");
    fs::copy(report.path().join("report.json"), out.join("report.json")).unwrap();
    for name in files(report.path(), ".csv") {
        let heading = read(&report.path().join(&name)).lines().next().unwrap().to_owned();
        fs::write(out.join(&name), heading + "\n").unwrap();
    }
}

fn same_study(expected: &Path, written: &Path) {
    let [old, new] = [expected, written].map(|folder| {
        read_study(&fs::read(folder.join("report.json")).unwrap())
            .unwrap_or_else(|error| panic!("{error}: {CHANGED}"))
    });
    assert!(old.study == new.study, "the counts of the same games differ: {CHANGED}");
    same_json(expected, written);
    for name in files(expected, ".csv") {
        same_columns(&expected.join(&name), &written.join(&name));
    }
}

fn read_report(golden: &Path, scratch: &Path) {
    let told = printed(&["merge", text(&golden.join("report.json")), "--out", text(scratch)]);
    assert!(told.contains("tromp-taylor"), "{told}");
}

fn write_summary(out: &Path) {
    let report = tempfile::tempdir().unwrap();
    study(report.path(), "3", "1");
    fs::copy(report.path().join("summary.json"), out.join("summary.json")).unwrap();
}

fn write_differences(out: &Path) {
    let report = tempfile::tempdir().unwrap();
    for seed in ["1", "2"] {
        study(&report.path().join(seed), "3", seed);
    }
    printed_in(report.path(), &["compare", "1", "2", "--out", "both"]);
    fs::copy(report.path().join("both/differences.json"), out.join("differences.json")).unwrap();
}

fn write_records(out: &Path) {
    let report = tempfile::tempdir().unwrap();
    printed_in(&newest("export"), &["analyze", "sgf", "--out", text(report.path())]);
    fs::copy(report.path().join("records.json"), out.join("records.json")).unwrap();
}

fn write_bench(out: &Path) {
    let games =
        ["--size", "5", "--games", "100", "--repetitions", "1", "--threads", "1", "--backend", "board,plain"];
    let document = printed(&[&["bench", "--json"], &games[..]].concat());
    fs::write(out.join("bench.json"), document).unwrap();
    assert!(json(&out.join("bench.json"))["complete"] == true);
}
