//! `kill -9` at any moment: files are whole or absent, what was finished stays, and the same command goes on.

use std::{
    collections::BTreeMap,
    fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use super::{
    Draws, Scratch, assert_same, clock, files, jigo, play, play_games, refuse, rounds, run, said, succeed,
};

/// Starts a command and kills it within its usual time, which is learned; returns whether it was alive until then.
fn kill(command: &mut Command, usual: &mut Duration, draws: &mut Draws) -> bool {
    let mut child = command.spawn().unwrap();
    thread::sleep(Duration::from_micros(draws.below(usual.as_micros() as usize) as u64));
    let is_alive = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(is_alive || output.status.success(), "{}", said(&output));
    // A machine that was busy at first would let most later runs come to their end.
    if is_alive {
        *usual += *usual / 16;
    } else {
        *usual -= *usual / 4;
    }
    is_alive
}

/// How long a command takes.
fn time_of(arguments: &[&str]) -> Duration {
    let start = Instant::now();
    succeed(arguments);
    start.elapsed()
}

fn shards(all: &BTreeMap<String, Vec<u8>>) -> BTreeMap<&String, &Vec<u8>> {
    all.iter().filter(|(name, _)| name.starts_with("data/") || name.starts_with("digests/")).collect()
}

#[test]
fn play_goes_on_where_it_was_killed() {
    let scratch = Scratch::new();
    let [whole, broken] = ["whole", "broken"].map(|name| scratch.path(name));
    let mut usual = time_of(&play(&whole));
    let expected = files(&whole);
    let (mut draws, mut kills, mut datasets) = (Draws(1), 0, 0);
    while kills < rounds() {
        let before = files(&broken);
        let is_killed = kill(&mut jigo(&play(&broken)), &mut usual, &mut draws);
        let after = files(&broken);
        for (name, bytes) in shards(&after) {
            assert!(expected[name] == *bytes, "{name} is not whole");
        }
        assert!(shards(&before).keys().all(|name| after.contains_key(*name)), "a finished shard was lost");
        kills += usize::from(is_killed);
        if !is_killed || kills == rounds() {
            succeed(&play(&broken));
            assert_same(&whole, &broken);
            succeed(&["verify", &broken]);
            fs::remove_dir_all(&broken).unwrap();
            datasets += 1;
        }
    }
    println!("{kills} kills, {datasets} datasets as if uninterrupted");
}

/// The smaller dataset ends with a shard of 500 games, which the larger one has with 750.
#[test]
fn a_dataset_that_was_killed_while_it_grew_is_as_if_played_at_once() {
    let scratch = Scratch::new();
    let [few, whole, broken] = ["few", "whole", "broken"].map(|name| scratch.path(name));
    succeed(&play_games("6500", &few));
    let mut usual = time_of(&play(&whole));
    let (few, expected) = (files(&few), files(&whole));
    let (mut draws, mut kills) = (Draws(5), 0);
    while kills < rounds() {
        succeed(&play_games("6500", &broken));
        let is_killed = kill(&mut jigo(&play(&broken)), &mut usual, &mut draws);
        let mut found = files(&broken);
        found.retain(|name, _| !name.starts_with("partial/"));
        for (name, bytes) in shards(&found) {
            let is_of_few = few.get(name) == Some(bytes);
            assert!(is_of_few || expected[name] == *bytes, "{name} is neither old nor new");
        }
        assert!(few.keys().all(|name| found.contains_key(name)), "a file is missing");
        let checked = run(&["verify", &broken]);
        assert_eq!(checked.status.success(), found == few || found == expected, "{}", said(&checked));
        let is_incomplete = said(&checked).contains("error: 1 problem found")
            && said(&checked).contains("the dataset is not complete");
        assert!(checked.status.success() || is_incomplete, "{}", said(&checked));
        if found["manifest.json"] != few["manifest.json"] {
            refuse(&play_games("6500", &broken), &["12000 games", "Ask for at least 12000"]);
        }
        succeed(&play(&broken));
        assert_same(&whole, &broken);
        fs::remove_dir_all(&broken).unwrap();
        kills += usize::from(is_killed);
    }
    println!("{kills} kills");
}

#[test]
fn a_report_has_the_old_files_or_the_new_ones() {
    let scratch = Scratch::new();
    let [old, new, broken] = ["old", "new", "broken"].map(|name| scratch.path(name));
    fn study<'a>(seed: &'a str, out: &'a str) -> Vec<&'a str> {
        vec!["study", "--size", "5", "--games", "3000", "--threads", "2", "--seed", seed, "--out", out]
    }
    succeed(&study("1", &old));
    let mut usual = time_of(&study("2", &new));
    // The command line stands in the page: both must be written to the same folder.
    let (mut draws, mut kills, mut mixed) = (Draws(2), 0, 0);
    let written = |seed| {
        succeed(&study(seed, &broken));
        files(&broken)
    };
    let (old, new) = (written("1"), written("2"));
    assert!(old.keys().eq(new.keys()) && old["report.json"] != new["report.json"]);
    assert_eq!(written("1"), old);
    while kills < rounds() {
        let is_killed = kill(&mut jigo(&study("2", &broken)), &mut usual, &mut draws);
        let found = files(&broken);
        let lasting = || found.iter().filter(|(name, _)| !name.ends_with(".partial"));
        for (name, bytes) in lasting().filter(|(name, _)| *name != "files.json") {
            assert!(old[name] == *bytes || new[name] == *bytes, "{name} is neither old nor new");
        }
        assert!(old.keys().all(|name| found.contains_key(name)), "a file is missing");
        // The list says so while files of both are there.
        let is_one = [&old, &new].into_iter().any(|report| lasting().eq(report));
        let checked = run(&["verify", &broken]);
        let only_left_over = said(&checked)
            .lines()
            .all(|line| line.contains(".partial") || line.starts_with("error: ") || !line.contains(": "));
        assert_eq!(checked.status.success() || only_left_over, is_one, "{}", said(&checked));
        let differs = |other: &BTreeMap<String, Vec<u8>>| {
            old.keys().filter(|name| *name != "files.json").any(|name| found[name] != other[name])
        };
        mixed += usize::from(differs(&old) && differs(&new));
        // The counts come last: when they are new, all is.
        assert!(
            found["report.json"] == old["report.json"] || !differs(&new),
            "counts are new, other files old"
        );
        kills += usize::from(is_killed);
        // Also removes what the killed process left.
        assert!(written("2") == new && written("1") == old, "something was left behind");
    }
    println!("{kills} kills, {mixed} between two renames");
}

/// A search whose report is written many times a second, because its minutes are short. Games that were measured before it was killed are not played again.
#[test]
fn a_search_goes_on_where_it_was_killed() {
    let scratch = Scratch::new();
    let short_minutes =
        "if (clock == CLOCK_MONOTONIC) time->tv_sec = time->tv_sec * 1000 + time->tv_nsec / 1000000;";
    let Some(clock) = clock::clock(&scratch, short_minutes) else { return };
    let [whole, broken] = ["whole", "broken"].map(|name| scratch.path(name));
    fn study(out: &str) -> Vec<&str> {
        let policies = "uct:playouts=10,30";
        vec!["study", "--size", "5", "--games", "120", "--threads", "2", "--policy", policies, "--out", out]
    }
    let mut usual = time_of(&study(&whole));
    let report = |out: &str| {
        let mut report = files(out);
        // The page names the command, and with it the folder; the list has a digest of the page.
        report.retain(|name, _| !matches!(&**name, "report.html" | "files.json"));
        report
    };
    let expected = report(&whole);
    let (mut draws, mut kills, mut saved) = (Draws(6), 0, 0);
    while kills < rounds() {
        let mut command = jigo(&study(&broken));
        let is_killed = kill(command.env("LD_PRELOAD", &clock), &mut usual, &mut draws);
        kills += usize::from(is_killed);
        let found = report(&broken);
        let is_saved = found.get("summary.txt").is_some_and(|text| text.starts_with(b"Interrupted: "));
        saved += usize::from(is_killed && is_saved);
        if !is_killed || kills == rounds() {
            succeed(&study(&broken));
            assert!(report(&broken) == expected, "the report is not that of an uninterrupted study");
            succeed(&["verify", &broken]);
            fs::remove_dir_all(&broken).unwrap();
        }
    }
    println!("{kills} kills, {saved} of them left a report of some games");
    assert!(saved > 0, "no report was left");
}

#[test]
fn export_begins_again_where_it_was_killed() {
    let scratch = Scratch::new();
    let [data, whole, broken] = ["data", "whole", "broken"].map(|name| scratch.path(name));
    succeed(&["play", "--size", "5", "--games", "6000", "--shard-games", "1000", "--out", &data]);
    let export = ["export", &data, "--to", "sgf", "--games-per-file", "500", "--threads", "2", "--out"];
    let [to_whole, to_broken] = [&whole, &broken].map(|out| [&export[..], &[out.as_str()]].concat());
    let mut usual = time_of(&to_whole);
    let expected = files(&whole);
    let (mut draws, mut kills) = (Draws(3), 0);
    while kills < rounds() {
        let is_killed = kill(&mut jigo(&to_broken), &mut usual, &mut draws);
        let found = files(&broken);
        for (name, bytes) in found.iter().filter(|(name, _)| name.ends_with(".sgf")) {
            assert!(expected[name] == *bytes, "{name} is not whole");
        }
        // Only once all files are there is the export complete.
        let checked = run(&["verify", &broken]);
        assert_eq!(checked.status.success(), found == expected, "{}", said(&checked));
        kills += usize::from(is_killed);
        if !is_killed || kills % 4 == 0 || kills == rounds() {
            succeed(&to_broken);
            assert_same(&whole, &broken);
            succeed(&["verify", &broken]);
            fs::remove_dir_all(&broken).unwrap();
        }
    }
    println!("{kills} kills");
}

#[test]
fn import_leaves_the_games_of_before_or_has_the_new_ones() {
    let scratch = Scratch::new();
    let [data, games, whole, broken] = ["data", "games", "whole", "broken"].map(|name| scratch.path(name));
    succeed(&["play", "--size", "7", "--games", "3000", "--out", &data]);
    succeed(&["export", &data, "--to", "sgf", "--games-per-file", "100", "--out", &games]);
    let import = ["import", &games, "--shard-games", "500", "--threads", "2", "--out"];
    let [to_whole, to_broken] = [&whole, &broken].map(|out| [&import[..], &[out.as_str()]].concat());
    let mut usual = time_of(&to_whole);
    let expected = files(&whole);
    let (mut draws, mut kills, mut left) = (Draws(4), 0, 0);
    while kills < rounds() {
        // Every other time there is an import that would be lost.
        let was_there = draws.below(2) == 0;
        if was_there {
            succeed(&to_broken);
        }
        let is_killed = kill(&mut jigo(&to_broken), &mut usual, &mut draws);
        let mut found = files(&broken);
        found.retain(|name, _| !name.starts_with("partial/") && !name.ends_with(".partial"));
        // It says that it is complete only when it is.
        let checked = run(&["verify", &broken]);
        assert_eq!(checked.status.success(), found == expected, "{}", said(&checked));
        left += usize::from(is_killed && was_there && found == expected);
        kills += usize::from(is_killed);
        succeed(&to_broken);
        assert_same(&whole, &broken);
        fs::remove_dir_all(&broken).unwrap();
    }
    println!("{kills} kills, {left} of them left the import of before");
}
