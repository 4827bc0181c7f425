//! Interruption: Ctrl-C in every command that takes long, several writers, damage. Kills and full disks are among the `faults`.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use jigo_analysis::report::{Program, ReportMeta, SavedStudy, read_study, study_json};
use jigo_engine::rules::KomiChoice;

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

fn jigo(arguments: &[&str]) -> Command {
    let mut command = Command::new(JIGO);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits until a process handles the signals that end a command.
fn wait_for_handler(process: u32) {
    let handled = || {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // Bit n-1 of the mask is signal n; SIGINT is 2, SIGTERM is 15.
        mask.is_none_or(|mask| mask >> 1 & mask >> 14 & 1 == 1)
    };
    let start = Instant::now();
    while !handled() && start.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a command, sends it one signal while it works, and returns what it said. Fails unless it ends at once with status 130, one error and no
/// panic.
#[track_caller]
fn interrupted(arguments: &[&str], signal: &str, after: Duration) -> Output {
    let mut child = jigo(arguments).spawn().unwrap();
    wait_for_handler(child.id());
    thread::sleep(after);
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended before the signal");
    let start = Instant::now();
    assert!(run(Command::new("kill").args([signal, &child.id().to_string()])).status.success());
    let output = child.wait_with_output().unwrap();
    let (elapsed, said) = (start.elapsed(), text(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{arguments:?}: {said}");
    // A second, and what a busy machine needs.
    assert!(elapsed < Duration::from_secs(3), "{arguments:?} took {elapsed:?}");
    assert!(
        said.matches("error: interrupted").count() == 1 && !said.contains("panicked"),
        "{arguments:?}: {said}"
    );
    output
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
fn the_first_signal_ends_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [data, games, out, report] = ["data", "games", "out", "report"].map(path);
    // Large enough that reading it takes some tenths of a second.
    for arguments in [
        vec!["play", "--size", "9", "--games", "100k", "--out", &data],
        vec!["export", &data, "--to", "sgf", "--games-per-file", "5000", "--out", &games],
    ] {
        assert!(run(&mut jigo(&arguments)).status.success(), "{arguments:?}");
    }
    let commands: &[&[&str]] = &[
        &["study", "--size", "9", "--games", "1e9", "--out", &report],
        &["play", "--size", "9", "--games", "1e9", "--out", &out],
        &["match", "policy:eye-safe", "policy:uniform", "--games", "1e6", "--out", &path("match")],
        &["bench", "--size", "19", "--repetitions", "1000"],
        &["verify", &data, "--replay"],
        &["analyze", &data, "--out", &path("measured")],
        &["analyze", &games, "--out", &path("read")],
        &["import", &games, "--out", &path("imported")],
        &["export", &data, "--to", "csv", "--out", &path("exported")],
        &["count", "--moves", "3x4"],
        &["count", "--legal", "8x25"],
        &["count", "--games", "1x5"],
        &["solve", "4x5"],
        &["perft", "12"],
        &["study", "--seki-census", "3x4"],
    ];
    for (number, arguments) in commands.iter().enumerate() {
        let signal = ["-INT", "-TERM"][number % 2];
        // Moves are counted on the largest board that is allowed within a tenth of a second.
        let milliseconds = if arguments.contains(&"--moves") { 0 } else { 50 };
        interrupted(arguments, signal, Duration::from_millis(milliseconds));
    }
}

/// The report of an interrupted study holds the games measured so far, and the same command measures the others.
#[test]
fn a_study_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    let study = |out: &Path| {
        let mut command = Command::new(JIGO);
        command.args([
            "study",
            "--size",
            "5,7",
            "--rules",
            "tromp-taylor,japanese",
            "--games",
            "300k",
            "--out",
        ]);
        command.arg(out).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    assert!(run(&mut study(&whole)).status.success());
    let child = study(&broken).spawn().unwrap();
    wait_for_handler(child.id());
    thread::sleep(Duration::from_millis(700));
    assert!(run(Command::new("kill").args(["-INT", &child.id().to_string()])).status.success());
    let output = child.wait_with_output().unwrap();
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("are measured; run the same command again for the others"), "{said}");
    let summary = fs::read_to_string(broken.join("summary.txt")).unwrap();
    assert!(summary.starts_with("Interrupted: ") && printed == summary, "{printed}");
    assert!(summary.contains(" of 1,200,000 games are measured."), "{summary}");
    let page = fs::read_to_string(broken.join("report.html")).unwrap();
    assert!(page.contains("Interrupted: "));
    let merged =
        run(Command::new(JIGO).arg("merge").arg(&broken).arg("--out").arg(folder.path().join("merged")));
    assert!(
        text(&merged.stderr).contains("was interrupted: run its command again"),
        "{}",
        text(&merged.stderr)
    );
    let report = broken.join("report.json");
    let by_this = fs::read(&report).unwrap();
    let by_another = written_by_another(&by_this);
    fs::write(&report, &by_another).unwrap();
    let refused = run(&mut study(&broken));
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("commit another: finish it with that version"),
        "{}",
        text(&refused.stderr)
    );
    assert!(fs::read(&report).unwrap() == by_another);
    fs::write(&report, by_this).unwrap();
    let again = run(&mut study(&broken));
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(without_page(&whole) == without_page(&broken));
    assert!(run(Command::new(JIGO).arg("verify").arg(&broken)).status.success());
}

/// The report of a study as a program of another commit writes it.
fn written_by_another(report: &[u8]) -> Vec<u8> {
    let SavedStudy { study, program } = read_study(report).unwrap();
    let program = Program { commit: "another".to_owned(), ..program };
    study_json(&study, &ReportMeta { command_line: String::new(), program, komi: KomiChoice::Rules })
}

/// All files but those that state the command.
fn without_page(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    // The page names the command, and with it the folder; the list has a digest of the page.
    let mut files = files(folder);
    files.retain(|path, _| !path.ends_with("report.html") && !path.ends_with("files.json"));
    files
}

/// Interrupts `jigo analyze` as often as it does not come to its end within about so long a time; the report it then has is that of an analysis that nobody
/// interrupted. Each report before must say that it is not complete, and hold more games than the one before that. Returns how many these are.
#[track_caller]
fn analyze_in_parts(paths: &[&str], folder: &Path, mut after: Duration) -> usize {
    let [whole, broken] = ["whole", "broken"].map(|name| folder.join(name));
    let command = |out: &Path| jigo(&[&["analyze"], paths, &["--out", out.to_str().unwrap()]].concat());
    assert!(run(&mut command(&whole)).status.success());
    let (mut reports, mut measured) = (0, 0);
    loop {
        let mut child = command(&broken).spawn().unwrap();
        wait_for_handler(child.id());
        thread::sleep(after);
        // What was measured is read again: on a busy machine that might take all the time.
        after += after / 8;
        let is_interrupted = child.try_wait().unwrap().is_none();
        if is_interrupted {
            run(Command::new("kill").args(["-INT", &child.id().to_string()]));
        }
        let output = child.wait_with_output().unwrap();
        let (printed, said) = (text(&output.stdout), text(&output.stderr));
        assert!(!said.contains("anew") && !said.contains("panicked"), "{said}");
        if output.status.success() {
            break;
        }
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert_eq!(said.matches("error: interrupted").count(), 1, "{said}");
        let Some((games, _)) = said.split_once(" are measured; run the same command again for the others")
        else {
            assert!(said.contains("no report was written, because no game was measured"), "{said}");
            continue;
        };
        let games = games.rsplit(": ").next().unwrap().replace(',', "");
        let games: u64 = games.split(' ').next().unwrap().parse().unwrap();
        assert!(games >= measured, "{games} after {measured}");
        (reports, measured) = (reports + 1, games);
        assert!(printed.contains("Interrupted: "), "{printed}");
        let written = files(&broken);
        let pages = written.iter().filter(|(path, _)| path.ends_with("report.html"));
        assert!(pages.map(|(_, page)| text(page)).any(|page| page.contains("Interrupted: ")));
        let json = written.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "json"));
        let is_marked =
            |json: String| json.contains("\"interrupted\":") || json.contains("\"planned_games\":");
        assert!(json.map(|(_, json)| text(json)).any(is_marked));
        assert!(run(Command::new(JIGO).arg("verify").arg(&broken)).status.success());
        assert!(reports < 200, "it does not come to its end");
    }
    let (whole, broken) = (without_page(&whole), without_page(&broken));
    assert!(whole.keys().eq(broken.keys()), "{:?}", broken.keys());
    whole.iter().for_each(|(path, bytes)| assert!(broken[path] == *bytes, "{} differs", path.display()));
    reports
}

/// The report of an interrupted analysis holds the games measured so far, and the same command measures the others.
#[test]
fn an_analysis_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [data, other, sgf, archive, imported] =
        ["data", "other", "sgf", "games.tar.gz", "imported"].map(path);
    for arguments in [
        vec!["play", "--size", "7", "--games", "60k", "--shard-games", "25k", "--out", &data],
        vec!["play", "--size", "7", "--games", "20k", "--seed", "2", "--out", &other],
        vec!["export", &data, "--to", "sgf", "--games-per-file", "700", "--capped", "include", "--out", &sgf],
    ] {
        assert!(run(&mut jigo(&arguments)).status.success(), "{arguments:?}");
    }
    fs::write(Path::new(&sgf).join("games-000003a.sgf"), "(;SZ[9];B[cc];W[cc])".repeat(2000)).unwrap();
    let few = format!("{sgf}/games-000000.sgf");
    assert!(run(Command::new("tar").args(["-czf", &archive, "-C", &sgf, "."])).status.success());
    assert!(run(&mut jigo(&["import", &few, "--out", &imported])).status.success());
    for (paths, after) in [
        (vec![&*sgf], 300),
        (vec![&*archive, &*imported], 300),
        (vec![&*data, &*other], 150),
        (vec![&*few, &*other], 100),
    ] {
        let scratch = tempfile::tempdir().unwrap();
        let reports = analyze_in_parts(&paths, scratch.path(), Duration::from_millis(after));
        println!("{reports} partial reports of {paths:?}");
    }
}

/// What was measured is not mixed with other files, another program's measurements or other options.
#[test]
fn an_analysis_of_other_games_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [data, sgf, out, whole] = ["data", "sgf", "out", "whole"].map(path);
    for arguments in [
        vec!["play", "--size", "9", "--games", "30k", "--out", &data],
        vec!["export", &data, "--to", "sgf", "--games-per-file", "100", "--out", &sgf],
    ] {
        assert!(run(&mut jigo(&arguments)).status.success(), "{arguments:?}");
    }
    let analyze = |out: &str, more: &[&str]| {
        let arguments = [&["analyze", &sgf, "--out", out], more].concat();
        run(&mut jigo(&arguments))
    };
    let first = Path::new(&sgf).join("games-000000.sgf");
    let sound = fs::read(&first).unwrap();
    for (more, changed) in [(&[][..], &sound[..sound.len() / 2]), (&["--raw"], &sound)] {
        fs::write(&first, &sound).unwrap();
        interrupted(&["analyze", &sgf, "--out", &out], "-INT", Duration::from_millis(250));
        assert!(fs::read_to_string(Path::new(&out).join("records.json")).unwrap().contains("interrupted"));
        fs::write(&first, changed).unwrap();
        let again = analyze(&out, more);
        assert!(again.status.success() && text(&again.stderr).contains("anew"), "{}", text(&again.stderr));
        assert!(analyze(&whole, more).status.success());
        assert!(without_page(Path::new(&out)) == without_page(Path::new(&whole)));
    }
}

#[test]
fn datasets_of_several_handicaps_grow() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, grown] = ["whole", "grown"].map(|name| folder.path().join(name));
    let play = |games: &str, out: &Path| {
        let run_of = ["play", "--size", "9", "--handicap", "0,2", "--shard-games", "300", "--games", games];
        run(Command::new(JIGO).args(run_of).arg("--out").arg(out))
    };
    for (games, out) in [("2500", &whole), ("1000", &grown), ("2500", &grown)] {
        let output = play(games, out);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_same(&whole, &grown);
    let fewer = play("1000", &grown);
    assert_eq!(fewer.status.code(), Some(1));
    assert!(text(&fewer.stderr).contains("Ask for at least 2500"), "{}", text(&fewer.stderr));
    assert_same(&whole, &grown);
}

#[test]
fn a_study_grows() {
    let folder = tempfile::tempdir().unwrap();
    let study = |name: &str, games: &str| {
        let out = folder.path().join(name);
        let output =
            run(Command::new(JIGO).args(["study", "--size", "5", "--games", games, "--out"]).arg(&out));
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read(out.join("report.json")).unwrap()
    };
    let [few, many] = ["1000", "5000"].map(|games| study(games, games));
    for (games, expected) in [("1000", &few), ("5000", &many), ("1000", &few)] {
        assert!(study("grown", games) == *expected, "{games}");
    }
}

/// Commands that write reports do not replace each other's.
#[test]
fn every_command_has_a_folder_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let jigo = |arguments: &[&str]| run(Command::new(JIGO).args(arguments).current_dir(folder.path()));
    fs::write(folder.path().join("game.sgf"), "(;SZ[9];B[ee])").unwrap();
    for arguments in [
        &["study", "--size", "3", "--games", "100"][..],
        &["study", "--size", "3", "--games", "100", "--seed", "2", "--out", "second"],
        &["analyze", "game.sgf"],
        &["merge", "jigo-study", "second"],
        &["compare", "jigo-study", "second"],
    ] {
        let output = jigo(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    }
    for name in ["jigo-study", "jigo-analyze", "jigo-merge", "jigo-compare"] {
        let output = jigo(&["verify", name]);
        assert!(text(&output.stdout).starts_with("ok: "), "{name}: {}", text(&output.stdout));
    }
    let before = files(&folder.path().join("jigo-study"));
    let refused = jigo(&["analyze", "game.sgf", "--out", "jigo-study"]);
    let said = text(&refused.stderr);
    assert!(!refused.status.success() && said.contains("holds a report of `jigo study`"), "{said}");
    assert!(files(&folder.path().join("jigo-study")) == before);
    assert!(jigo(&["analyze", "game.sgf", "--out", "jigo-study", "--force"]).status.success());
    assert!(!folder.path().join("jigo-study/summary.csv").exists());
}

#[test]
fn perft_prints_the_depths_that_are_complete() {
    let complete = run(&mut jigo(&["perft", "2", "--size", "5"]));
    let output = interrupted(&["perft", "30", "--size", "5"], "-INT", Duration::from_millis(800));
    let [complete, printed] = [&complete, &output].map(|output| text(&output.stdout));
    assert!(printed.starts_with(&complete), "{printed}");
    let depths = printed.lines().count() - 1;
    assert!((2..30).contains(&depths), "{printed}");
    let said = text(&output.stderr);
    assert!(said.contains(&format!("the count is complete to depth {depths}")), "{said}");
}

/// Each depth is on standard output before the next one is counted.
#[test]
fn perft_prints_a_depth_when_it_is_complete() {
    let mut child = jigo(&["perft", "30", "--size", "5"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let depths = lines.by_ref().skip(1).take(2).map(|line| line.unwrap().trim().chars().next());
    assert_eq!(depths.collect::<Vec<_>>(), [Some('1'), Some('2')]);
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn perft_prints_the_first_moves_that_are_counted() {
    let output = interrupted(&["perft", "6", "--size", "6", "--divide"], "-INT", Duration::from_millis(3000));
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    let moves = printed.lines().count();
    assert!((1..37).contains(&moves) && !printed.contains("total"), "{printed}");
    assert!(said.contains(&format!("{moves} of 37 first moves are counted")), "{said}");
}

#[test]
fn solve_prints_the_bounds_that_are_known() {
    let rules = "tromp-taylor,japanese";
    let output = interrupted(&["solve", "4x5", "--rules", rules], "-INT", Duration::from_millis(800));
    let printed = text(&output.stdout);
    assert!(printed.contains("4x5 area+positional-superko+suicide: Black from "), "{printed}");
    assert!(printed.contains(", not solved\n"), "{printed}");
    assert!(text(&output.stderr).contains("is not solved"), "{}", text(&output.stderr));
}

#[test]
fn too_many_shards_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    for games in ["1e12", "9007199254740992"] {
        let start = Instant::now();
        let output = run(jigo(&["play", "--games", games, "--shard-games", "1", "--out"]).arg(&out));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("at most 1000000") && said.contains("put at least"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(3) && !out.exists());
    }
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
