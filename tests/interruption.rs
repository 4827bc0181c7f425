//! Datasets under interruption: Ctrl-C, several writers, damage. Kills and full disks are among the `faults`.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

/// A dataset of 16 shards that takes about a second to write.
fn play(out: &Path) -> Command {
    let mut command = Command::new(JIGO);
    command
        .args(["play", "--size", "7", "--games", "192k", "--shard-games", "12000", "--threads", "2", "--out"])
        .arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All files below a folder with their contents.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Fails unless both folders hold the same files with the same bytes.
#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert!(one.keys().eq(other.keys()), "{:?} {:?}", one.keys(), other.keys());
    for (path, bytes) in &one {
        assert!(other[path] == *bytes, "{} differs", path.display());
    }
}

fn uninterrupted(folder: &Path) -> PathBuf {
    let whole = folder.join("whole");
    let output = run(&mut play(&whole));
    assert!(output.status.success(), "{}", text(&output.stderr));
    whole
}

#[test]
fn ctrl_c_stops_at_a_shard_boundary_and_says_how_to_continue() {
    let folder = tempfile::tempdir().unwrap();
    let whole = uninterrupted(folder.path());
    let broken = folder.path().join("broken");
    let child = play(&broken).spawn().unwrap();
    // The manifest is written first, with Ctrl-C already handled.
    while !broken.join("manifest.json").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(50));
    assert!(run(Command::new("kill").arg("-INT").arg(child.id().to_string())).status.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("run the same command again"), "{}", text(&output.stderr));
    assert!(run(&mut play(&broken)).status.success());
    assert_same(&whole, &broken);
}

#[test]
fn parts_and_threads_write_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = uninterrupted(folder.path());
    let parts = folder.path().join("parts");
    let mut children: Vec<_> =
        ["2/3", "0/3", "1/3", "0/3"].map(|part| play(&parts).args(["--shard", part]).spawn().unwrap()).into();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    assert_same(&whole, &parts);
    let single = folder.path().join("single");
    let output = run(Command::new(JIGO)
        .args(["play", "--size", "7", "--games", "192000", "--shard-games", "12k", "--threads", "1", "--out"])
        .arg(&single));
    assert!(output.status.success());
    assert_same(&whole, &single);
}

#[test]
fn another_run_in_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let whole = uninterrupted(folder.path());
    let before = files(&whole);
    let output = run(play(&whole).args(["--seed", "2"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("seed"), "{}", text(&output.stderr));
    assert_eq!(before, files(&whole));
}

#[test]
fn verify_names_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let whole = uninterrupted(folder.path());
    let other = folder.path().join("other");
    assert!(run(play(&other).args(["--seed", "9"])).status.success());
    let shard = |index: u32| whole.join(format!("data/shard-{index:06}.parquet"));
    let mut bytes = fs::read(shard(1)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(shard(1), bytes).unwrap();
    let bytes = fs::read(shard(2)).unwrap();
    fs::write(shard(2), &bytes[..bytes.len() - 7]).unwrap();
    fs::remove_file(shard(3)).unwrap();
    fs::copy(other.join("data/shard-000004.parquet"), shard(4)).unwrap();
    fs::copy(other.join("data/shard-000005.parquet"), shard(5)).unwrap();
    fs::copy(other.join("digests/shard-000005.json"), whole.join("digests/shard-000005.json")).unwrap();
    let output = run(Command::new(JIGO).arg("verify").arg(&whole));
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    for index in 1..=5 {
        assert!(report.contains(&format!("shard-{index:06}")), "shard {index} is not named:\n{report}");
    }
    assert!(!report.contains("shard-000000") && !report.contains("shard-000006"), "{report}");
    assert!(!text(&output.stderr).contains("panicked"));
}
