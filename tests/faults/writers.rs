//! Several processes that write to one folder at the same time.

use std::{
    process::{Child, Output},
    thread,
    time::Duration,
};

use super::{
    Scratch, assert_same, exists, files, jigo, play, play_games, play_little, rounds, said, succeed,
};

fn at_once(commands: &[Vec<&str>]) -> Vec<Output> {
    let children: Vec<Child> = commands.iter().map(|command| jigo(command).spawn().unwrap()).collect();
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

#[test]
fn of_one_dataset() {
    let scratch = Scratch::new();
    let whole = scratch.path("whole");
    succeed(&play(&whole));
    for round in 0..rounds().div_ceil(5) {
        let shared = scratch.path(&format!("shared-{round}"));
        for output in at_once(&[play(&shared), play(&shared), play(&shared)]) {
            assert!(output.status.success(), "{}", said(&output));
        }
        assert_same(&whole, &shared);
    }
    let little = scratch.path("little");
    succeed(&play_little(&little));
    for round in 0..rounds() {
        let shared = scratch.path(&format!("little-{round}"));
        for output in at_once(&[play_little(&shared), play_little(&shared)]) {
            assert!(output.status.success(), "{}", said(&output));
        }
        assert_same(&little, &shared);
        succeed(&["verify", &shared]);
    }
}

/// A search, whose games threads share one by one, at once or in parts.
#[test]
fn of_one_dataset_of_a_search() {
    let scratch = Scratch::new();
    let [whole, shared, parts] = ["whole", "shared", "parts"].map(|name| scratch.path(name));
    fn play(out: &str) -> Vec<&str> {
        let run = ["play", "--size", "5", "--policy", "uct:playouts=10,opening=2"];
        [&run[..], &["--games", "700", "--shard-games", "250", "--out", out]].concat()
    }
    succeed(&[&play(&whole)[..], &["--threads", "1"]].concat());
    let three = || [&play(&shared)[..], &["--threads", "3"]].concat();
    let part = |part| [&play(&parts)[..], &["--shard", part]].concat();
    for output in at_once(&[three(), three(), part("0/2"), part("1/2")]) {
        assert!(output.status.success(), "{}", said(&output));
    }
    assert_same(&whole, &shared);
    assert_same(&whole, &parts);
    succeed(&["verify", &shared, "--replay"]);
}

/// The writer of the larger dataset has its way, whoever begins.
#[test]
fn of_one_dataset_with_fewer_and_more_games() {
    let scratch = Scratch::new();
    let whole = scratch.path("whole");
    succeed(&play(&whole));
    let mut refused = 0;
    for round in 0..rounds() {
        let shared = scratch.path(&format!("shared-{round}"));
        let commands = [play_games("6500", &shared), play(&shared), play_games("9k", &shared)];
        let [few, all, most] = at_once(&commands).try_into().expect("three outputs");
        assert!(all.status.success(), "{}", said(&all));
        for output in [few, most].iter().filter(|output| !output.status.success()) {
            let text = said(output);
            assert!(text.contains("another command is adding them"), "{text}");
            assert_eq!(text.matches("error:").count(), 1, "{text}");
            refused += 1;
        }
        assert_same(&whole, &shared);
        succeed(&["verify", &shared]);
    }
    println!("{refused} of {} writers of fewer games were refused", 2 * rounds());
}

/// A writer that is killed leaves unfinished files, which the writer that completes the dataset removes.
#[test]
fn of_one_dataset_one_of_which_is_killed() {
    let scratch = Scratch::new();
    let [whole, shared] = ["whole", "shared"].map(|name| scratch.path(name));
    let play = |out| vec!["play", "--size", "9", "--games", "60k", "--shard-games", "6000", "--out", out];
    succeed(&play(&whole));
    let others = jigo(&play(&shared)).spawn().unwrap();
    let mut killed = jigo(&play(&shared)).spawn().unwrap();
    let is_its_own =
        |name: &String| name.starts_with("partial/") && name.contains(&format!(".{}-", killed.id()));
    while !files(&shared).keys().any(is_its_own) {
        assert!(!exists(&format!("{shared}/data/shard-000009.parquet")), "the dataset is complete too early");
        thread::sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let output = others.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_same(&whole, &shared);
    assert!(!exists(&format!("{shared}/partial")));
}

#[test]
fn of_one_export() {
    let scratch = Scratch::new();
    let [data, whole, shared] = ["data", "whole", "shared"].map(|name| scratch.path(name));
    succeed(&["play", "--size", "5", "--games", "3000", "--shard-games", "1000", "--out", &data]);
    let export = |out| vec!["export", &data, "--to", "sgf", "--games-per-file", "200", "--out", out];
    succeed(&export(&whole));
    let mut refused = 0;
    for _ in 0..rounds() {
        let outputs = at_once(&[export(&shared), export(&shared)]);
        assert!(outputs.iter().any(|output| output.status.success()), "nobody exported");
        for output in outputs.iter().filter(|output| !output.status.success()) {
            assert!(said(output).contains("is in use: "), "{}", said(output));
            refused += 1;
        }
        assert_same(&whole, &shared);
    }
    println!("{refused} of {} second exports were refused", rounds());
}

#[test]
fn of_one_report() {
    let scratch = Scratch::new();
    let [alone, shared] = ["alone", "shared"].map(|name| scratch.path(name));
    let study = |out| vec!["study", "--size", "3", "--games", "1000", "--out", out];
    succeed(&study(&alone));
    for _ in 0..rounds() {
        let outputs = at_once(&[study(&shared), study(&shared)]);
        assert!(outputs.iter().any(|output| output.status.success()), "nobody wrote");
        for output in outputs.iter().filter(|output| !output.status.success()) {
            assert!(said(output).contains("is in use: "), "{}", said(output));
        }
        let (alone, shared) = (files(&alone), files(&shared));
        assert!(alone.keys().eq(shared.keys()), "{:?}", shared.keys());
        // The page names the command, and with it the folder; the list has a digest of the page.
        assert!(
            alone
                .iter()
                .filter(|(name, _)| !["report.html", "files.json"].contains(&name.as_str()))
                .all(|(name, bytes)| shared[name] == *bytes)
        );
    }
}
