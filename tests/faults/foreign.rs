//! Files of others in the folders of jigo, and folders of others.

use std::{
    fs,
    io::Write as _,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{Scratch, exists, files, jigo, play_little, refuse, run, said, succeed};

#[test]
fn folders_of_others_are_refused_and_left_alone() {
    let scratch = Scratch::new();
    let [data, photos] = ["data", "photos"].map(|name| scratch.path(name));
    succeed(&play_little(&data));
    fs::create_dir(&photos).unwrap();
    fs::write(format!("{photos}/photo.jpg"), "a photo").unwrap();
    let before = files(&photos);
    refuse(
        &play_little(&photos),
        &["not empty and not a jigo dataset", "photo.jpg", "choose a new or empty directory"],
    );
    refuse(
        &["export", &data, "--to", "csv", "--out", &photos],
        &["not empty and not an export", "photo.jpg"],
    );
    refuse(&["verify", &photos], &["it has no manifest.json", "a folder that jigo wrote"]);
    let study = ["study", "--size", "3", "--games", "500", "--out", &photos];
    refuse(&study, &["holds photo.jpg", "--out", "--force"]);
    assert_eq!(files(&photos), before);
    // A report may lie beside other files if the user says so.
    succeed(&[&study[..], &["--force"]].concat());
    assert_eq!(files(&photos)["photo.jpg"], before["photo.jpg"]);
}

#[test]
fn files_of_others_in_a_dataset_are_named_and_left_alone() {
    let scratch = Scratch::new();
    let data = scratch.path("data");
    succeed(&play_little(&data));
    for name in ["data/notes.txt", "data/shard-000099.parquet", "digests/.hidden"] {
        let path = format!("{data}/{name}");
        fs::write(&path, "mine").unwrap();
        let output = run(&["verify", &data]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            said(&output).contains(&format!("{name}: does not belong there; move it away")),
            "{}",
            said(&output)
        );
        fs::remove_file(format!("{data}/data/shard-000001.parquet")).unwrap();
        succeed(&play_little(&data));
        assert!(exists(&path));
        fs::remove_file(&path).unwrap();
        succeed(&["verify", &data]);
    }
}

/// A link in the place of a file is replaced, never written through.
#[test]
fn links_lead_nowhere() {
    let scratch = Scratch::new();
    let [data, csv, report, mine] = ["data", "csv", "report", "mine"].map(|name| scratch.path(name));
    fs::write(&mine, "mine").unwrap();
    let plant = |path: String| {
        _ = fs::remove_file(&path);
        std::os::unix::fs::symlink(&mine, path).unwrap();
    };
    succeed(&play_little(&data));
    for name in ["data/shard-000001.parquet", "digests/shard-000002.json"] {
        plant(format!("{data}/{name}"));
        succeed(&play_little(&data));
    }
    succeed(&["verify", &data]);
    let export = ["export", &data, "--to", "csv", "--out", &csv];
    succeed(&export);
    plant(format!("{csv}/games.csv"));
    succeed(&export);
    succeed(&["verify", &csv]);
    let study = ["study", "--size", "3", "--games", "500", "--out", &report];
    succeed(&study);
    plant(format!("{report}/report.html"));
    plant(format!("{report}/report.json"));
    succeed(&study);
    let folder = scratch.path("match");
    succeed(&play_match(&folder));
    plant(format!("{folder}/match.json"));
    plant(format!("{folder}/games.parquet"));
    succeed(&play_match(&folder));
    // Files that grow are not replaced.
    for name in ["games.sgf", "games.jsonl"] {
        plant(format!("{folder}/{name}"));
        refuse(&play_match(&folder), &[name, "not a regular file"]);
        fs::remove_file(format!("{folder}/{name}")).unwrap();
    }
    assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
}

/// The arguments of a little match.
fn play_match(out: &str) -> Vec<&str> {
    let players = ["match", "policy:uniform", "policy:uniform"];
    [&players[..], &["--size", "3", "--games", "2", "--out", out]].concat()
}

/// Runs a command with this input; fails if it does not end in time.
#[track_caller]
fn run_in_time(arguments: &[&str], input: &str) -> Output {
    let mut child = jigo(arguments).stdin(Stdio::piped()).spawn().unwrap();
    // A command that reads no input may be gone.
    _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn pipes_in_place_of_files_are_not_waited_for() {
    let scratch = Scratch::new();
    let [data, games, imported, csv] = ["data", "games", "imported", "csv"].map(|name| scratch.path(name));
    let [report, played, out] = ["report", "match", "out"].map(|name| scratch.path(name));
    succeed(&play_little(&data));
    succeed(&["export", &data, "--to", "sgf", "--out", &games]);
    succeed(&["import", &games, "--out", &imported]);
    succeed(&["export", &data, "--to", "csv", "--out", &csv]);
    succeed(&["study", "--size", "3", "--games", "500", "--out", &report]);
    succeed(&play_match(&played));
    let cases: &[(String, &[&str])] = &[
        (format!("{data}/manifest.json"), &play_little(&data)),
        (format!("{data}/manifest.json"), &["export", &data, "--to", "csv", "--out", &out]),
        (format!("{data}/digests/shard-000001.json"), &["verify", &data]),
        (format!("{data}/data/shard-000001.parquet"), &["export", &data, "--to", "csv", "--out", &out]),
        (format!("{data}/data/shard-000001.parquet"), &["analyze", &data, "--out", &out]),
        (format!("{imported}/manifest.json"), &["verify", &imported]),
        (format!("{imported}/faults.csv"), &["analyze", &imported, "--out", &out]),
        (format!("{csv}/export.json"), &["verify", &csv]),
        (format!("{report}/report.json"), &["merge", &report, "--out", &out]),
        (format!("{played}/manifest.json"), &play_match(&played)),
        (format!("{played}/games.sgf"), &play_match(&played)),
        (format!("{played}/games.jsonl"), &play_match(&played)),
    ];
    for (path, arguments) in cases {
        let aside = scratch.path("aside");
        fs::rename(path, &aside).unwrap();
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        let output = run_in_time(arguments, "");
        assert_eq!(output.status.code(), Some(1), "{path}: {arguments:?}: {}", said(&output));
        fs::rename(&aside, path).unwrap();
    }
}

/// As in `jigo score <(…)`.
#[test]
fn pipes_that_are_named_are_read() {
    let scratch = Scratch::new();
    let [report, out, merged] = ["report", "out", "merged"].map(|name| scratch.path(name));
    succeed(&["study", "--size", "3", "--games", "500", "--out", &report]);
    let record = "(;SZ[3];B[bb];W[];B[])";
    let read = [
        (vec!["score", "/dev/stdin"], record.to_owned()),
        (vec!["status", "/dev/stdin"], record.to_owned()),
        (vec!["perft", "1", "--diagram", "/dev/stdin"], "X..\n...\n...\n".to_owned()),
        ([&play_match(&out)[..], &["--openings", "/dev/stdin"]].concat(), "B2\n".to_owned()),
        (
            vec!["merge", "/dev/stdin", "--out", &merged],
            fs::read_to_string(format!("{report}/report.json")).unwrap(),
        ),
    ];
    for (arguments, input) in read {
        let output = run_in_time(&arguments, &input);
        assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    }
}
