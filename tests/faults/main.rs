//! What may happen to a machine while jigo works, and what must not happen to its files.
//!
//! Every fault is made `JIGO_FAULTS` times (default 10). The results of longer runs are in `docs/reliability.md`.
#![cfg(unix)]

mod bits;
mod clock;
mod disk;
mod engines;
mod foreign;
mod kill;
mod versions;
mod writers;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use jigo_engine::zobrist::mix64;
use tempfile::TempDir;

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

/// How often each fault is made.
fn rounds() -> usize {
    env::var("JIGO_FAULTS").map_or(10, |text| text.parse().expect("JIGO_FAULTS is a number"))
}

/// A sequence of draws.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(1);
        (mix64(mix64(self.0)) % bound as u64) as usize
    }
}

fn jigo(arguments: &[&str]) -> Command {
    let mut command = Command::new(JIGO);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    jigo(arguments).output().expect("the command starts")
}

/// What a command says, on both streams.
fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

#[track_caller]
fn succeed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", said(&output));
    said(&output)
}

/// Fails unless the command ends with status 1, one error, no panic, and all of these words.
#[track_caller]
fn refuse(arguments: &[&str], words: &[&str]) {
    let output = run(arguments);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
    assert!(!text.contains("panicked") && text.matches("error:").count() == 1, "{arguments:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{arguments:?}: `{word}` is missing in: {text}");
    }
}

/// A folder for the files of a test.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

/// All files below a folder with their contents.
fn files(root: &str) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![PathBuf::from(root)]);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Fails unless both folders hold the same files with the same bytes.
#[track_caller]
fn assert_same(one: &str, other: &str) {
    let (one, other) = (files(one), files(other));
    assert!(one.keys().eq(other.keys()), "{:?} {:?}", one.keys(), other.keys());
    let differing: Vec<_> =
        one.iter().filter(|(name, bytes)| other[*name] != **bytes).map(|(name, _)| name).collect();
    assert!(differing.is_empty(), "{differing:?} differ");
}

/// The arguments that write a dataset of 16 shards.
fn play(out: &str) -> Vec<&str> {
    play_games("12k", out)
}

/// The arguments that write so many games of that dataset.
fn play_games<'a>(games: &'a str, out: &'a str) -> Vec<&'a str> {
    let run = ["play", "--size", "7", "--shard-games", "750", "--threads", "2", "--seed", "5"];
    [&run[..], &["--games", games, "--out", out]].concat()
}

/// The arguments that write a dataset of 3 shards in an instant.
fn play_little(out: &str) -> Vec<&str> {
    vec!["play", "--size", "4", "--games", "300", "--shard-games", "100", "--out", out]
}

/// Runs a shell script in a mount namespace of its own; `None` where the system does not let us have one. Status 77 skips too.
fn in_own_mounts(script: &str) -> Option<Output> {
    let output = Command::new("unshare").args(["--map-root-user", "--mount", "sh", "-c", script]).output();
    let Ok(output) = output else {
        println!("skipped: no unshare here");
        return None;
    };
    if output.status.code() == Some(77) || said(&output).contains("unshare:") {
        println!("skipped: no mount namespace here: {}", said(&output));
        return None;
    }
    Some(output)
}

/// Whether a path is there.
fn exists(path: &str) -> bool {
    Path::new(path).exists()
}
