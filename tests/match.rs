//! `jigo match` as a user meets it: files, results, interruption.
#![cfg(unix)]

#[path = "../selfplay/tests/outside/mod.rs"]
mod outside;

use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

/// A match of policies that takes about a second.
fn policies(out: &Path) -> Command {
    let mut command = Command::new(JIGO);
    command.args(["match", "eye-safe", "guarded:k=3", "--size", "9", "--rules", "chinese"]);
    command.args(["--games", "400", "--openings", "random:4", "--seed", "5", "--out"]).arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A match of seconds, so that it can be interrupted on any machine.
fn searches(out: &Path) -> Command {
    let mut command = Command::new(JIGO);
    command.args(["match", "policy:uct:playouts=100", "policy:eye-safe", "--size", "9"]);
    command.args(["--games", "400", "--openings", "random:4", "--seed", "5", "--out"]).arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A match of a few short games.
fn small(out: &Path, games: &str) -> Command {
    let mut command = Command::new(JIGO);
    command.args(["match", "policy:eye-safe", "policy:uniform", "--size", "5"]);
    command.args(["--games", games, "--out"]).arg(out);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

/// Waits until so many games are on the disk.
fn wait_for_games(out: &Path, games: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let count = || fs::read_to_string(out.join("games.jsonl")).map_or(0, |text| text.lines().count());
    while count() < games {
        assert!(Instant::now() < deadline, "no {games} games in time");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Ctrl-C, as a terminal sends it.
fn interrupt(child: Child) -> Output {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    for name in ["manifest.json", "games.jsonl", "games.sgf", "games.parquet", "match.json"] {
        assert!(fs::read(one.join(name)).unwrap() == fs::read(other.join(name)).unwrap(), "{name} differs");
    }
    assert!(other.join("report.html").exists());
    assert_eq!(fs::read_dir(other).unwrap().count(), 6, "other files were left");
}

#[test]
fn a_match_is_played_and_can_be_measured() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let table = text(&succeed(&mut policies(&out)).stdout);
    for part in ["9x9 chinese, komi 7.5: 400 of 400 games", "first   policy:eye-safe", "95 % interval"] {
        assert!(table.contains(part), "{part} is missing in\n{table}");
    }
    // The same command again plays nothing and says the same.
    let again = succeed(policies(&out).arg("--json"));
    assert_eq!(text(&again.stdout), fs::read_to_string(out.join("match.json")).unwrap());
    let fingerprint = jigo_selfplay::fingerprint::rules_fingerprint("chinese".parse().unwrap());
    assert!(text(&again.stdout).contains(&format!("\"rules_fingerprint\": \"{fingerprint}\"")));
    let report = folder.path().join("report");
    let measured = succeed(
        Command::new(JIGO).arg("analyze").arg(out.join("games.sgf")).arg("--json").arg("--out").arg(&report),
    );
    let measured = text(&measured.stdout);
    assert!(fs::read_to_string(report.join("faults.csv")).unwrap().lines().count() == 1, "{measured}");
    assert!(
        measured.contains("\"games\":400") && measured.contains("\"contradicting_scores\":0"),
        "{measured}"
    );
}

#[test]
fn policies_with_certified_statuses_agree_on_dead_stones() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let play = |rules: &str, second: &str| {
        let mut command = Command::new(JIGO);
        command.args(["match", "policy:settled:k=3", second, "--size", "7"]);
        command.args(["--games", "30", "--rules", rules, "--adjudicate", "certified", "--json"]);
        command.arg("--out").arg(&out).output().unwrap()
    };
    let refused = play("czech", "gnugo");
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("--adjudicate engines"));
    let played = play("czech", "policy:settled:k=3");
    assert!(played.status.success(), "{}", text(&played.stderr));
    let results: serde_json::Value = serde_json::from_str(&text(&played.stdout)).unwrap();
    // The komi is that of the name, and so is how play would go on.
    assert_eq!(results["komi"], 5.5);
    assert!(fs::read_to_string(out.join("manifest.json")).unwrap().contains("\"end\": \"pass-stones\""));
    let results = results["results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["dead"] == "agreed"));
    assert!(results.iter().any(|result| result["detail"].as_str().unwrap().contains("removed")));
    let score = |game: &str, event: &str| {
        let mut command = Command::new(JIGO);
        let file = out.join("games.sgf");
        let shown = succeed(command.args(["score", "--events", "--game", game]).arg(file));
        assert!(text(&shown.stdout).contains(event), "{}", text(&shown.stdout));
    };
    score("1", "accept");
    score("30", "propose");
    let report = folder.path().join("report");
    let measured =
        succeed(Command::new(JIGO).arg("analyze").arg(&out).arg("--json").arg("--out").arg(&report));
    let measured = text(&measured.stdout);
    assert!(measured.contains("\"games\":30"), "{measured}");
}

#[test]
fn interrupted_or_killed_the_same_command_continues() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    succeed(&mut searches(&whole));
    let mut killed = searches(&broken).spawn().unwrap();
    wait_for_games(&broken, 20);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let child = searches(&broken).spawn().unwrap();
    wait_for_games(&broken, 60);
    let output = interrupt(child);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("of 400 games are finished; run the same command again"), "{message}");
    // The games so far can be looked at.
    let so_far = fs::metadata(broken.join("games.parquet")).unwrap().len();
    assert!((1..fs::metadata(whole.join("games.parquet")).unwrap().len()).contains(&so_far), "{so_far}");
    succeed(&mut searches(&broken));
    assert_same(&whole, &broken);
}

/// A test against a program that resigns after a moment, so that the first player wins every game.
fn tested(out: &Path, games: &str, concurrency: &str) -> Command {
    let script = r#"while read -r command rest; do case $command in
        genmove) sleep 0.1; printf "= resign\n\n";;
        *) printf "=\n\n";;
      esac; done"#;
    let mut command = Command::new(JIGO);
    command.args(["match", "eye-safe", &format!("sh -c '{script}'"), "--size", "5", "--games", games]);
    command.args(["--sprt", "0,100", "--concurrency", concurrency, "--json", "--out"]).arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Killed with two games at a time and resumed with three, a sequential test ends after the same game as without interruption.
#[test]
fn a_sequential_test_stops_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    let output = succeed(&mut tested(&whole, "400", "1"));
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let finished = results["finished"].as_u64().unwrap();
    assert_eq!(results["sprt"]["accepted"], "H1");
    assert_eq!(results["first"]["wins"]["count"], finished);
    assert!((10..100).contains(&finished) && finished.is_multiple_of(2), "{finished}");
    let mut killed = tested(&broken, "400", "2").spawn().unwrap();
    wait_for_games(&broken, 5);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let unfinished = text(&verified(&broken).stdout);
    assert!(unfinished.contains("of 400 games are finished"), "{unfinished}");
    succeed(&mut tested(&broken, "400", "3"));
    assert_same(&whole, &broken);
    assert!(verified(&broken).status.success());
    let manifest = fs::read_to_string(broken.join("manifest.json")).unwrap();
    assert!(manifest.contains(r#""stop_rule": "sprt 0,100,0.05,0.05""#), "{manifest}");
    assert!(manifest.contains(&format!(r#""stopped_after": {finished}"#)), "{manifest}");
    // More games are not played after the decision, and another test is another match.
    succeed(&mut tested(&broken, "500", "2"));
    assert_eq!(fs::read(whole.join("games.sgf")).unwrap(), fs::read(broken.join("games.sgf")).unwrap());
    let without = small(&broken, "500").output().unwrap();
    assert!(text(&without.stderr).contains("stop_rule is sprt 0,100"), "{}", text(&without.stderr));
}

#[test]
fn several_players_meet_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tournament");
    let command = |extra: &[&str]| {
        let mut command = Command::new(JIGO);
        command.args(["match", "eye-safe", "guarded:k=3", "uniform", "--size", "5", "--komi", "7"]);
        command.args(["--games", "6", "--openings", "random:2"]).args(extra).arg("--out").arg(&out);
        command
    };
    let table = text(&succeed(&mut command(&[])).stdout);
    assert!(table.contains("rank  player") && table.contains("policy:guarded:k=3"), "{table}");
    for matched in ["1-2", "1-3", "2-3"] {
        let folder = out.join(matched);
        assert_eq!(text(&verified(&folder).stdout), "ok: 6 games replayed and counted\n");
        assert!(folder.join("report.html").exists());
    }
    assert_eq!(text(&verified(&out).stdout), "ok: 18 games in 3 folders replayed and counted\n");
    let again = succeed(&mut command(&["--json"]));
    assert_eq!(text(&again.stdout), fs::read_to_string(out.join("tournament.json")).unwrap());
    let standings: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    let points = standings["standings"].as_array().unwrap().iter().map(|one| one["points"].as_f64().unwrap());
    let counted =
        standings["matches"].as_array().unwrap().iter().map(|one| 6 - one["capped"].as_u64().unwrap());
    assert_eq!(points.sum::<f64>(), counted.sum::<u64>() as f64, "{standings:#}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains(r#"<a href="2-3/report.html">"#));
    let refused = command(&["--sprt", "0,10"]).output().unwrap();
    assert!(text(&refused.stderr).contains("name two players"), "{}", text(&refused.stderr));
    let other = Command::new(JIGO).args(["match", "uniform", "uniform", "--out"]).arg(&out).output().unwrap();
    assert!(text(&other.stderr).contains("not empty and not a match"), "{}", text(&other.stderr));
    let inside = out.join("1-2");
    let mut command = Command::new(JIGO);
    let other =
        command.args(["match", "uniform", "uniform", "uniform", "--out"]).arg(&inside).output().unwrap();
    assert!(
        text(&other.stderr).contains("holds something else than a tournament"),
        "{}",
        text(&other.stderr)
    );
}

/// Each kind of damage that a tournament can have is named, and the same command mends what it can.
#[test]
fn damaged_tournaments_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tournament");
    let command = || {
        let mut command = Command::new(JIGO);
        command.args(["match", "eye-safe", "guarded:k=3", "uniform", "--size", "5", "--games", "4", "--out"]);
        command.arg(&out);
        command
    };
    succeed(&mut command());
    let standings = fs::read(out.join("tournament.json")).unwrap();
    let problem = |expected: &str| {
        let output = verified(&out);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).contains(expected), "`{expected}`: {}", text(&output.stdout));
        succeed(&mut command());
        assert!(verified(&out).status.success(), "{expected}");
    };
    fs::remove_file(out.join("tournament.json")).unwrap();
    problem("tournament.json: missing");
    fs::write(out.join("tournament.json"), text(&standings).replace("\"games\": 4", "\"games\": 6")).unwrap();
    problem("tournament.json: it does not have the digest that it states");
    fs::remove_dir_all(out.join("2-3")).unwrap();
    problem("2-3: missing");
    // The matches of others, whose digests are right.
    fs::rename(out.join("1-2"), folder.path().join("1-2")).unwrap();
    succeed(small(&out.join("1-2"), "4").arg("--seed=2"));
    let output = verified(&out);
    assert!(text(&output.stdout).contains("the standings are not those of the match 1-2"), "{output:?}");
    fs::remove_dir_all(out.join("1-2")).unwrap();
    fs::rename(folder.path().join("1-2"), out.join("1-2")).unwrap();
    succeed(small(&out.join("1-4"), "4").arg("--seed=3"));
    let output = verified(&out);
    assert!(text(&output.stdout).contains("the match 1-4 is not in the standings"), "{output:?}");
    fs::remove_dir_all(out.join("1-4")).unwrap();
    let rows = out.join("1-3/games.jsonl");
    fs::write(&rows, fs::read_to_string(&rows).unwrap().replacen("\"plies\":", "\"plies\":1", 1)).unwrap();
    fs::write(out.join("note"), "").unwrap();
    let output = verified(&out);
    let found = text(&output.stdout);
    assert!(found.contains("1-3/games.jsonl: line 1: it does not have the digest"), "{found}");
    assert!(found.contains("note: does not belong there"), "{found}");
}

/// What could not begin is not in the way of the right command.
#[test]
fn a_program_that_was_not_found_can_be_corrected() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let play = |player: &str| {
        let mut command = Command::new(JIGO);
        command.args(["match", player, "uniform", "--size", "3", "--games", "2", "--out"]).arg(&out);
        command
    };
    let failed = play("/no/engine").output().unwrap();
    assert_eq!(failed.status.code(), Some(1));
    assert!(text(&failed.stderr).contains("cannot start `/no/engine`"), "{}", text(&failed.stderr));
    succeed(&mut play("eye-safe"));
    assert!(verified(&out).status.success());
    let other = play("guarded").output().unwrap();
    assert!(text(&other.stderr).contains("holds another match"), "{}", text(&other.stderr));
}

#[test]
fn a_program_that_thinks_keeps_others_out_but_not_ctrl_c_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    // Does not answer the first command, and so does not come to the second.
    let thinker = "sh -c 'exec sleep 1000'";
    let mut command = Command::new(JIGO);
    command.args(["match", thinker, "policy:uniform", "--out"]).arg(&out);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !out.join("games.sgf").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let second = command.output().unwrap();
    let owner = format!("process {} writes to it", child.id());
    assert!(text(&second.stderr).contains(&owner), "{}", text(&second.stderr));
    let begin = Instant::now();
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    // The game that was stopped is nobody's loss.
    assert_eq!(fs::read(out.join("games.jsonl")).unwrap(), b"");
}

/// The players play the same games whether there are few or many.
#[test]
fn a_match_grows_and_does_not_shrink() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, grown] = ["whole", "grown"].map(|name| folder.path().join(name));
    let play = |out: &Path, games| small(out, games).output().unwrap();
    for (out, games) in [(&whole, "12"), (&grown, "4"), (&grown, "12")] {
        let output = play(out, games);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_same(&whole, &grown);
    let refused = play(&grown, "5");
    assert!(text(&refused.stderr).contains("holds 12 finished games"), "{}", text(&refused.stderr));
    assert_same(&whole, &grown);
}

/// Returns what `jigo verify` prints.
fn verified(folder: &Path) -> Output {
    Command::new(JIGO).arg("verify").arg(folder).output().unwrap()
}

#[test]
fn every_change_of_a_match_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let served = format!("{JIGO} gtp --policy settled:k=3 --rules japanese --seed 3");
    let play = || {
        let mut command = Command::new(JIGO);
        command.args(["match", &served, &served, "--size", "5", "--games", "2"]);
        command.args(["--rules", "japanese", "--adjudicate", "engines", "--out"]).arg(&out).output().unwrap()
    };
    let played = play();
    assert!(played.status.success(), "{}", text(&played.stderr));
    let output = verified(&out);
    assert_eq!(text(&output.stdout), "ok: 2 games replayed and counted\n");
    let files = ["manifest.json", "games.jsonl", "games.sgf", "games.parquet", "match.json"];
    for name in files {
        let path = out.join(name);
        let bytes = fs::read(&path).unwrap();
        // Without its line break, the last line of `games.jsonl` was not finished: that game is played again.
        for place in (0..bytes.len() - 1).step_by(bytes.len() / 40) {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 7);
            fs::write(&path, &changed).unwrap();
            let output = verified(&out);
            assert_eq!(output.status.code(), Some(1), "{name} {place}: {}", text(&output.stdout));
            if !matches!(name, "games.parquet" | "match.json") {
                let again = play();
                assert_eq!(again.status.code(), Some(1), "{name} {place}: {}", text(&again.stdout));
                assert!(fs::read(&path).unwrap() == changed, "{name} {place}");
            }
        }
        fs::write(&path, &bytes).unwrap();
    }
    assert!(verified(&out).status.success());
}

/// Digests do not make a wrong result right.
#[test]
fn results_are_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let play = || small(&out, "1").output().unwrap();
    assert!(play().status.success());
    let [rows, records] = ["games.jsonl", "games.sgf"].map(|name| out.join(name));
    let record = fs::read_to_string(&records).unwrap();
    let line = fs::read_to_string(&rows).unwrap();
    let mut row: serde_json::Value = serde_json::from_str(&line).unwrap();
    let half_points = row["half_points"].as_i64().unwrap();
    let result = jigo_selfplay::sgf::GameResult::from_half_points(half_points as i32);
    let other = jigo_selfplay::sgf::GameResult::from_half_points(half_points as i32 + 2);
    let forged = record.replace(&format!("RE[{result}]"), &format!("RE[{other}]"));
    assert!(forged != record);
    let object = row.as_object_mut().unwrap();
    object.remove("blake3");
    object.insert("half_points".to_owned(), (half_points + 2).into());
    object.insert("sgf_end".to_owned(), forged.len().into());
    object.insert("sgf_blake3".to_owned(), blake3::hash(forged.as_bytes()).to_hex().to_string().into());
    fs::write(&records, forged).unwrap();
    fs::write(&rows, jigo_selfplay::sealed::seal(&row.to_string())).unwrap();
    let expected = format!("its last position gives the result {result}, not {other}");
    for message in [text(&play().stderr), text(&verified(&out).stdout)] {
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn links_are_not_written_through() {
    use std::os::unix::fs::symlink;
    for name in ["games.sgf", "games.jsonl"] {
        let folder = tempfile::tempdir().unwrap();
        let [out, mine] = ["match", "mine"].map(|name| folder.path().join(name));
        succeed(&mut small(&out, "1"));
        fs::write(&mine, "mine").unwrap();
        fs::remove_file(out.join(name)).unwrap();
        symlink(&mine, out.join(name)).unwrap();
        let output = small(&out, "1").output().unwrap();
        assert!(text(&output.stderr).contains("not a regular file"), "{}", text(&output.stderr));
        assert_eq!(fs::read(&mine).unwrap(), b"mine");
    }
}

#[test]
fn openings_come_from_sgf() {
    let folder = tempfile::tempdir().unwrap();
    let [out, openings] = ["match", "openings.sgf"].map(|name| folder.path().join(name));
    fs::write(&openings, "(;SZ[9];B[ee];W[cc](;B[gg])(;B[aa]))\n(;SZ[9];B[dd];W[ff])\n").unwrap();
    let play = |rules: &str| {
        let mut command = Command::new(JIGO);
        command.args(["match", "policy:eye-safe", "policy:eye-safe", "--games", "4"]);
        command.args(["--rules", rules, "--openings"]).arg(&openings).arg("--out").arg(&out);
        command.output().unwrap()
    };
    assert!(play("japanese").status.success());
    let records = fs::read_to_string(out.join("games.sgf")).unwrap();
    let counts = [";B[ee];W[cc];B[gg]", ";B[dd];W[ff]"].map(|begin| records.matches(begin).count());
    assert_eq!(counts, [2, 2], "{records}");
    fs::write(&openings, "(;SZ[9];B[ee])(;SZ[9];B[dd];W[dd])").unwrap();
    let output = play("japanese");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("openings.sgf, game 2: move 2: White cannot play D6"), "{message}");
}

#[test]
fn another_match_in_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    succeed(policies(&out).args(["--ply-cap", "30"]));
    let output = policies(&out).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("ply_cap is 30 there, not 243"), "{message}");
}

/// Records state the handicap as `jigo score` and `jigo import` read it.
#[test]
fn games_with_handicap_are_recorded_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    for (size, rules, handicap, stones, adjudicate) in [
        ("9", "czech", "3", "AB[cg][gc][gg]PL[W]\n;W[", "as-it-stands"),
        ("9", "japanese", "3", "AB[cc][cg][gc]PL[W]\n;W[", "certified"),
        ("13", "czech", "11", "PL[W]\n;W[", "as-it-stands"),
        ("9", "aga", "4", "AB[cc][cg][gc][gg]PL[W]", "as-it-stands"),
        ("7", "tromp-taylor", "3", ";B[", "as-it-stands"),
        ("7", "brainking", "2", "JE[0 B handicap ", "certified"),
    ] {
        let [out, imported, report] =
            ["match", "imported", "report"].map(|name| folder.path().join(rules).join(name));
        let out = out.with_extension(handicap);
        let command = |handicap: &str| {
            let mut command = Command::new(JIGO);
            command.args(["match", "policy:settled:k=3", "policy:eye-safe", "--games", "4"]);
            command.args([
                "--size",
                size,
                "--rules",
                rules,
                "--handicap",
                handicap,
                "--adjudicate",
                adjudicate,
            ]);
            command.arg("--out").arg(&out);
            command
        };
        let table = text(&succeed(&mut command(handicap)).stdout);
        assert!(table.contains(&format!(", handicap {handicap}: 4 of 4 games")), "{table}");
        let file = out.join("games.sgf");
        let records = fs::read_to_string(&file).unwrap();
        let stated = [format!("HA[{handicap}]"), stones.to_owned()];
        for part in &stated {
            assert!(records.matches(part.as_str()).count() >= 4, "{part}: {records}");
        }
        for (number, game) in (1..).zip(jigo_selfplay::sgf::read_collection(records.as_bytes())) {
            let game = game.unwrap();
            assert!(game.warnings.is_empty(), "{:?}", game.warnings);
            let result = format!("result: {}\n", game.game.result().unwrap());
            let shown = succeed(Command::new(JIGO).args(["score", "--game", &number.to_string()]).arg(&file));
            assert!(text(&shown.stdout).contains(&result), "{rules} {result}{}", text(&shown.stdout));
        }
        let output = command("0").output().unwrap();
        let refused =
            format!("error: {} holds another match: handicap is {handicap} there, not 0. ", out.display());
        assert!(text(&output.stderr).contains(&refused), "{}", text(&output.stderr));
        let measured =
            succeed(Command::new(JIGO).arg("analyze").arg(&out).arg("--json").arg("--out").arg(&report));
        assert!(text(&measured.stdout).contains("\"games\":4"), "{}", text(&measured.stdout));
        assert_eq!(fs::read_to_string(report.join("faults.csv")).unwrap().lines().count(), 1);
        succeed(Command::new(JIGO).arg("import").arg(&out).arg("--out").arg(&imported));
        succeed(Command::new(JIGO).arg("verify").arg("--replay").arg(&imported));
        fs::remove_dir_all(&imported).unwrap();
    }
}

#[test]
fn a_program_that_never_plays_a_legal_move_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let run = |first: &str, second: &str| {
        let mut command = Command::new(JIGO);
        command.args(["match", first, second, "--size", "5", "--games", "4"]);
        let out = folder.path().join(first.replace(':', "-") + second);
        command.args(["--openings", "random:2", "--out"]).arg(out).output().unwrap()
    };
    for (first, second) in [("cat", "policy:eye-safe"), ("policy:eye-safe", "false")] {
        let output = run(first, second);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("played no legal move in the whole match"), "{message}");
        assert!(text(&output.stdout).contains("100.00 %"), "the table is missing");
    }
    assert!(run("policy:eye-safe", "policy:uniform").status.success());
}

#[test]
fn wrong_arguments_get_one_clear_error() {
    let error = |arguments: &[&str], status| {
        let output = Command::new(JIGO).arg("match").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        text(&output.stderr)
    };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match");
    let players = ["policy:uniform", "--out", out.to_str().unwrap()];
    let with = |arguments: &[&'static str]| [arguments, &players].concat();
    assert!(error(&with(&["policy:clever"]), 2).contains("eye-safe"));
    assert!(error(&with(&["x", "--time-limit", "0"]), 2).contains("seconds"));
    assert!(error(&with(&["x", "--clock", "5:00"]), 2).contains("300+30/5"));
    assert!(error(&with(&["x", "--sprt", "10,0"]), 2).contains("ELO0 below ELO1"));
    assert!(error(&with(&["eye-safe", "--clock", "60"]), 2).contains("leave out --clock"));
    assert!(error(&with(&["x", "--openings", "none.txt"]), 1).contains("the openings in none.txt"));
    assert!(error(&with(&["x", "--openings", "random:999"]), 2).contains("ply cap"));
    assert!(error(&with(&["x", "--handicap", "1"]), 2).contains("give 0, or 2 and more"));
    assert!(error(&with(&["/no/engine"]), 1).contains("cannot start `/no/engine`"));
}

/// Plays some games on 5×5 against a policy that `jigo gtp` serves, and returns the results.
fn against_served_policy(first: &str) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let served = format!("{JIGO} gtp --policy eye-safe --rules chinese --seed 3");
    let mut command = Command::new(JIGO);
    command.args(["match", first, &served, "--size", "5", "--games", "6", "--rules", "chinese", "--json"]);
    command.args(["--adjudicate", "engines", "--out"]).arg(folder.path().join("match"));
    serde_json::from_slice(&succeed(command.stdin(Stdio::null())).stdout).unwrap()
}

#[track_caller]
fn assert_no_faults(results: &serde_json::Value) {
    let games = results["results"].as_array().unwrap();
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|game| game["is_fault"] == false), "{results:#}");
}

#[test]
fn a_policy_served_over_gtp_plays_matches() {
    let results = against_served_policy("policy:uniform");
    assert_no_faults(&results);
}

#[test]
fn gnugo_plays_a_policy_served_over_gtp() {
    let Some(gnugo) = outside::gnugo() else { return };
    let results = against_served_policy(&format!("{gnugo} --mode gtp --level 1 --chinese-rules"));
    assert_no_faults(&results);
}
