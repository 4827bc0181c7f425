//! Matches with players that behave and players that do not.
#![cfg(unix)]

use std::{fs, ops::ControlFlow, path::Path, time::Duration};

use jigo_engine::{BoardSize, Color, Game, Komi, Move};
use jigo_selfplay::{
    Policy, Progress,
    fingerprint::rules_fingerprint,
    matches::{
        Adjudication, Contestant, DeadStones, MatchEnding, MatchError, MatchResult, MatchSpec, Openings,
        PlayerSpec, play_match, play_match_until, verify_match,
    },
    search::UctPlayer,
    sgf::{Event, GameResult, SgfGame, WinBy, read_collection},
};

fn spec(first: &str, second: &str, games: u64) -> MatchSpec {
    MatchSpec {
        players: [first, second].map(|player| player.parse().unwrap()),
        size: BoardSize::square(5).unwrap(),
        rules: "chinese".parse().unwrap(),
        komi: Komi::from_half_points(15),
        handicap: 0,
        games,
        seed: 1,
        ply_cap: 75,
        time_limit: Duration::from_secs(20),
        clock: None,
        time_margin: Duration::ZERO,
        stop_rule: None,
        openings: Openings::Empty,
        adjudication: Adjudication::AllAlive,
        threads: 1,
    }
}

/// A program that does this when asked for a move, with `$n` the number of moves asked for so far in this process, and passes otherwise.
fn engine(genmove: &str) -> String {
    engine_with("", genmove)
}

/// The same with other cases before.
fn engine_with(cases: &str, genmove: &str) -> String {
    let script = format!(
        r#"n=0; while read -r command rest; do case $command in
             {cases}
             genmove) n=$((n+1)); {genmove}; printf "= pass\n\n";;
             *) printf "=\n\n";;
           esac; done"#
    );
    assert!(!script.contains('\''), "{script}");
    format!("sh -c '{script}'")
}

fn play(dir: &Path, spec: &MatchSpec) -> Vec<MatchResult> {
    play_match(dir, spec, &Progress::new()).unwrap()
}

fn play_anywhere(spec: &MatchSpec) -> Vec<MatchResult> {
    play(tempfile::tempdir().unwrap().path(), spec)
}

/// Players that search share batches with those of other games, and play what they play alone.
#[test]
fn searches_play_the_same_on_any_number_of_threads() {
    let [first, second] = ["uct:playouts=30,playout=eye-safe", "uct:playouts=20,reward=win,opening=3"];
    let players = [first, second].map(|policy| format!("policy:{policy}"));
    let spec = spec(&players[0], &players[1], 40);
    let folder = tempfile::tempdir().unwrap();
    let played = [1, 3].map(|threads| {
        let dir = folder.path().join(threads.to_string());
        (play(&dir, &MatchSpec { threads, ..spec.clone() }), fs::read(dir.join("games.sgf")).unwrap())
    });
    assert_eq!(played[0], played[1]);
    let alone = [first, second].map(|policy: &str| {
        let policy: Policy = policy.parse().unwrap();
        let Policy::Uct(uct) = policy else { panic!("a search") };
        PlayerSpec::custom(&uct.to_string(), move || UctPlayer::new(uct))
    });
    assert_eq!(play_anywhere(&MatchSpec { players: alone, ..spec }), played[0].0);
}

/// Games that end out of order are kept in order.
#[test]
fn several_programs_play_at_once() {
    // Each process plays its first game slowly.
    let slow = engine_with("clear_board) test $n -gt 0 || sleep 0.5; printf \"=\\n\\n\"; continue;;", "true");
    let threads = MatchSpec { threads: 3, ..spec(&slow, "policy:eye-safe", 9) };
    let games: Vec<u64> = play_anywhere(&threads).iter().map(|result| result.game).collect();
    assert_eq!(games, (0..9).collect::<Vec<_>>());
}

fn games(dir: &Path) -> Vec<SgfGame> {
    let bytes = fs::read(dir.join("games.sgf")).unwrap();
    read_collection(&bytes).into_iter().map(|record| record.unwrap().game).collect()
}

/// Plays four games against a policy and checks that each is lost in this way, with these words in the reason.
#[track_caller]
fn expect_fault(player: &str, ending: MatchEnding, words: &[&str]) -> Vec<MatchResult> {
    let spec = MatchSpec { time_limit: Duration::from_secs(1), ..spec(player, "policy:eye-safe", 4) };
    let folder = tempfile::tempdir().unwrap();
    let results = play(folder.path(), &spec);
    assert_eq!(results.len(), 4);
    for (result, game) in results.iter().zip(games(folder.path())) {
        assert_eq!((result.ending, result.winner), (ending, Some(Contestant::Second)), "{result:?}");
        for word in words {
            assert!(result.detail.contains(word), "{word}: {result:?}");
        }
        let winner = result.winning_color().unwrap();
        let by = if ending == MatchEnding::Timeout { WinBy::Time } else { WinBy::Forfeit };
        assert_eq!(game.result(), Some(GameResult::Win { winner, by }));
        assert_eq!(game.moves().count(), result.plies as usize);
        assert!(game.info.get("GC").unwrap().starts_with(ending.name()));
    }
    results
}

#[test]
fn illegal_moves_lose() {
    // The second time the point is occupied.
    let results = expect_fault(
        &engine(r#"printf "= C3\n\n"; continue"#),
        MatchEnding::IllegalMove,
        &["played C3: the point is occupied"],
    );
    assert!(results.iter().all(|result| result.plies > 1));
}

#[test]
fn ending_in_mid_game_loses_and_the_next_game_has_a_new_process() {
    let results = expect_fault(
        &engine(r#"if [ $n = 3 ]; then echo out of memory >&2; exit 9; fi"#),
        MatchEnding::Crash,
        &["ended before it had answered `genmove", "exit status: 9", "out of memory"],
    );
    // Black's third move is ply 4 from 0, White's ply 5.
    assert_eq!(results.iter().map(|result| result.plies).collect::<Vec<_>>(), [4, 5, 4, 5]);
}

#[test]
fn being_killed_loses() {
    expect_fault(&engine("if [ $n = 2 ]; then kill -9 $$; fi"), MatchEnding::Crash, &["signal: 9"]);
}

#[test]
fn hanging_loses() {
    expect_fault(&engine("exec sleep 1000"), MatchEnding::Timeout, &["did not answer `genmove", "in 1 s"]);
}

#[test]
fn garbage_loses() {
    expect_fault(&engine(r#"echo "how are you""#), MatchEnding::Garbage, &["`how are you`"]);
    expect_fault(&engine(r#"printf "= Z99\n\n"; continue"#), MatchEnding::Garbage, &["answered `Z99`"]);
}

#[test]
fn refusing_a_legal_move_loses() {
    let player = engine_with(r#"play) printf "? illegal move\n\n";;"#, "true");
    expect_fault(&player, MatchEnding::Refused, &["refused `play", "illegal move"]);
}

#[test]
fn resignation_is_a_result() {
    let player = engine(r#"printf "= resign\n\n"; continue"#);
    for result in play_anywhere(&spec("policy:uniform", &player, 2)) {
        assert_eq!((result.ending, result.winner), (MatchEnding::Resignation, Some(Contestant::First)));
        assert!(!result.ending.is_fault());
    }
}

#[test]
fn a_program_that_cannot_play_at_all_ends_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let small = engine_with(r#"boardsize) printf "? unacceptable size\n\n";;"#, "true");
    for (player, words) in [("/no/such/program", "cannot start"), (small.as_str(), "unacceptable size")] {
        let error = play_match(folder.path(), &spec(player, "policy:uniform", 2), &Progress::new());
        assert!(error.unwrap_err().to_string().contains(words));
        fs::remove_dir_all(folder.path()).unwrap();
    }
    let oblong = MatchSpec { size: BoardSize::new(5, 6).unwrap(), ..spec(&small, "policy:uniform", 2) };
    let error = play_match(folder.path(), &oblong, &Progress::new()).unwrap_err();
    assert!(error.to_string().contains("square boards only"), "{error}");
}

#[test]
fn colours_alternate_and_pairs_share_openings() {
    let folder = tempfile::tempdir().unwrap();
    let spec = MatchSpec { openings: Openings::Random(3), ..spec("policy:eye-safe", "policy:uniform", 8) };
    let results = play(folder.path(), &spec);
    let games = games(folder.path());
    let opening = |game: &SgfGame| game.events[..3].to_vec();
    for pair in 0..4 {
        let [one, other] = [2 * pair, 2 * pair + 1];
        assert_eq!(opening(&games[one]), opening(&games[other]));
        assert_ne!(games[one].events, games[other].events);
        assert_eq!([&results[one], &results[other]].map(|result| result.black), Contestant::ALL);
        assert_eq!(games[one].player(Color::Black), games[other].player(Color::White));
    }
    assert_ne!(opening(&games[0]), opening(&games[2]));
    for (game, result) in games.iter().zip(&results) {
        let half_points = result.half_points.unwrap();
        let winner = result.winning_color().unwrap();
        let by = WinBy::HalfPoints(half_points.unsigned_abs());
        assert_eq!(half_points > 0, winner == Color::Black);
        assert_eq!(game.result(), Some(GameResult::Win { winner, by }));
        assert!(matches!(game.events.last(), Some(Event::Play { .. })));
    }
}

#[test]
fn games_are_cut_off_at_the_cap_and_marked() {
    let spec = MatchSpec { ply_cap: 6, ..spec("policy:eye-safe", "policy:eye-safe", 2) };
    for result in play_anywhere(&spec) {
        assert_eq!((result.ending, result.plies), (MatchEnding::PlyCap, 6));
        assert!(result.half_points.is_some());
    }
}

#[test]
fn manifest_and_records_state_the_fingerprint_of_the_rules() {
    let spec = spec("policy:eye-safe", "policy:eye-safe", 2);
    let fingerprint = rules_fingerprint(*spec.rules);
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), &spec);
    let manifest = fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    assert!(manifest.contains(&format!("\"rules_fingerprint\": \"{fingerprint}\"")), "{manifest}");
    for game in games(folder.path()) {
        assert_eq!((game.rules(), game.rules_fingerprint()), (Some("chinese"), Some(fingerprint.as_str())));
        assert_eq!(game.check_rules_fingerprint(), Ok(()));
    }
}

#[test]
fn dead_stones_are_removed_only_if_both_name_them() {
    let openings = |moves: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings");
        fs::write(&path, moves).unwrap();
        Openings::read(&path, &Game::new(BoardSize::square(5).unwrap(), "chinese".parse().unwrap())).unwrap()
    };
    // A black wall, and one white stone behind it; then both pass.
    let openings = openings("C1 pass C2 pass C3 pass C4 pass C5 A1");
    let names =
        |stones: &str| engine_with(&format!(r#"final_status_list) printf "= {stones}\n\n";;"#), "true");
    let result = |first: &str, second: &str| {
        let spec = MatchSpec {
            openings: openings.clone(),
            adjudication: Adjudication::Engines,
            ..spec(first, second, 1)
        };
        play_anywhere(&spec).remove(0)
    };
    let agreed = result(&names("A1"), &names("A1"));
    assert_eq!((agreed.dead, agreed.half_points), (DeadStones::Agreed, Some(2 * 25 - 15)));
    assert_eq!(agreed.detail, "1 dead stone removed");
    for other in [names(""), names("C1 A1"), names("B1"), names("Z0")] {
        let disputed = result(&names("A1"), &other);
        // Fifteen points of Black's, one of White's.
        assert_eq!((disputed.dead, disputed.half_points), (DeadStones::Disputed, Some(2 * 14 - 15)));
        assert!(!disputed.detail.is_empty());
    }
    // One that ends when it is asked loses nothing: the game is over.
    let gone = result(&names("A1"), &engine_with("final_status_list) exit 1;;", "true"));
    assert_eq!((gone.dead, gone.ending), (DeadStones::Disputed, MatchEnding::TwoPasses));
}

#[test]
fn whatever_was_written_last_the_same_match_continues() {
    let folder = tempfile::tempdir().unwrap();
    let spec = MatchSpec { openings: Openings::Random(2), ..spec("policy:eye-safe", "policy:guarded", 12) };
    let whole = folder.path().join("whole");
    let results = play(&whole, &spec);
    let read = |dir: &Path, name: &str| fs::read(dir.join(name)).unwrap();
    let [records, rows] = ["games.sgf", "games.jsonl"].map(|name| read(&whole, name));
    let row_ends: Vec<usize> = (0..rows.len()).filter(|&at| rows[at] == b'\n').map(|at| at + 1).collect();
    let broken = folder.path().join("broken");
    // Cut off within and at the ends of lines; the records end anywhere behind the last game that counts.
    for (cut, extra) in [(0, 0), (1, 99), (row_ends[0], 0), (row_ends[3] - 1, 7), (row_ends[5] + 9, 200)] {
        let _ = fs::remove_dir_all(&broken);
        fs::create_dir(&broken).unwrap();
        fs::copy(whole.join("manifest.json"), broken.join("manifest.json")).unwrap();
        let done = row_ends.iter().take_while(|&&end| end <= cut).count();
        let end: usize = {
            let text = String::from_utf8(records.clone()).unwrap();
            text.match_indices("(;FF").nth(done).map_or(records.len(), |(at, _)| at)
        };
        fs::write(broken.join("games.jsonl"), &rows[..cut]).unwrap();
        fs::write(broken.join("games.sgf"), &records[..end + extra]).unwrap();
        assert_eq!(play(&broken, &spec), results);
        assert!(read(&broken, "games.sgf") == records && read(&broken, "games.jsonl") == rows, "{cut}");
    }
    fs::write(broken.join("games.sgf"), &records[..records.len() - 1]).unwrap();
    let error = play_match(&broken, &spec, &Progress::new()).unwrap_err();
    assert!(matches!(error, MatchError::Damaged { .. }), "{error}");
}

#[test]
fn other_arguments_and_other_directories_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("match");
    let first = spec("policy:eye-safe", "policy:uniform", 2);
    play(&dir, &first);
    let other = MatchSpec { seed: 2, komi: Komi::ZERO, ..first.clone() };
    let error = play_match(&dir, &other, &Progress::new()).unwrap_err().to_string();
    assert!(error.contains("seed is 1 there, not 2") && error.contains("komi is 7.5 there"), "{error}");
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("thesis.txt"), "").unwrap();
    let error = play_match(&full, &first, &Progress::new()).unwrap_err();
    assert!(matches!(error, MatchError::NotAMatch(_)), "{error}");
    assert!(!full.join("games.sgf").exists());
}

/// A program that writes down what it is told, does this with some commands, and plays on its first points, then passes.
fn scribe(log: &Path, cases: &str, points: &str) -> String {
    let note = format!(r#"echo "$command $rest" >> {};"#, log.display());
    engine_with(
        cases,
        &format!(r#"set -- {points}; shift $((n-1)) 2> /dev/null && printf "= $1\n\n"; continue"#),
    )
    .replace("case $command in", &format!("{note} case $command in"))
}

#[test]
fn programs_are_told_the_time() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (control, refused, told)) in (0..).zip([
        ("60", "", vec!["time_settings 60 0 0", "time_left black 60 0", "time_left black 59 0"]),
        ("0+9/2", "", vec!["time_settings 0 9 2", "time_left black 9 2", "time_left black 8 1"]),
        ("60+1.5", "", vec!["kata-time_settings fischer 60 1.5", "time_left black 60 0"]),
        ("60+1", "kata-time_settings", vec!["kata-time_settings fischer 60 1", "time_settings 60 0 0"]),
        ("60", "time_settings|time_left", vec!["time_settings 60 0 0", "time_left black 60 0"]),
    ]) {
        let [dir, log] = ["match", "log"].map(|name| folder.path().join(format!("{name}{number}")));
        let refuse = match refused {
            "" => String::new(),
            commands => format!(r#"{commands}) printf "? unknown command\n\n";;"#),
        };
        let player = scribe(&log, &refuse, "C3 C4");
        let clock = Some(control.parse().unwrap());
        let spec = MatchSpec { clock, ply_cap: 5, ..spec(&player, "policy:eye-safe", 1) };
        let results = play(&dir, &spec);
        let log = fs::read_to_string(log).unwrap();
        for line in told {
            assert!(log.lines().any(|said| said.trim() == line), "{control}: {line} is not in\n{log}");
        }
        let [Some(time), None] = results[0].time_ms else { panic!("{results:?}") };
        assert!(time < 10_000, "{time} ms");
        let record = fs::read_to_string(dir.join("games.sgf")).unwrap();
        assert!(record.contains("TM[") && record.contains("BL["), "{record}");
        assert_eq!(record.contains("OB["), control.contains('/'), "{record}");
        assert!(!record.contains("WL["), "a policy has no clock: {record}");
        let (games, problems) = verify_match(&dir).unwrap();
        assert!(games == 1 && problems.is_empty(), "{problems:?}");
    }
}

#[test]
fn a_flag_that_falls_loses() {
    let slow = engine(r#"[ $n = 2 ] && sleep 1.4"#);
    let play = |margin| {
        let spec = spec(&slow, "policy:eye-safe", 1);
        play_anywhere(&MatchSpec {
            clock: Some("1".parse().unwrap()),
            time_margin: Duration::from_millis(margin),
            ply_cap: 9,
            ..spec
        })
    };
    let lost = &play(100)[0];
    assert_eq!((lost.ending, lost.winner), (MatchEnding::Timeout, Some(Contestant::Second)), "{lost:?}");
    assert!(lost.time_ms[0].is_some_and(|time| (1000..5000).contains(&time)), "{lost:?}");
    // Sleep is what the margin allows for; then nothing is left but the margin of each move.
    assert_eq!(play(60_000)[0].ending, MatchEnding::PlyCap);
    let policies = spec("policy:eye-safe", "policy:uniform", 1);
    let refused = MatchSpec { clock: Some("1".parse().unwrap()), ..policies };
    let folder = tempfile::tempdir().unwrap();
    let error = play_match(folder.path(), &refused, &Progress::new()).unwrap_err();
    assert!(error.to_string().contains("leave out --clock"), "{error}");
}

/// The games after the decision are not kept, however many were played at once.
#[test]
fn a_match_that_is_broken_off_ends_at_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let resigns = engine(r#"printf "= resign\n\n"; continue"#);
    let base = MatchSpec { stop_rule: Some("wins".to_owned()), ..spec(&resigns, "policy:eye-safe", 40) };
    let play = |name: &str, threads, limit: u64| {
        let dir = folder.path().join(name);
        let mut seen = Vec::new();
        let follow = |result: &MatchResult| {
            seen.push(result.game);
            if result.game == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let results =
            play_match_until(&dir, &MatchSpec { threads, ..base.clone() }, &Progress::new(), follow);
        let results = results.unwrap();
        assert!(seen.iter().copied().eq(0..results.len() as u64), "{seen:?}");
        let (games, problems) = verify_match(&dir).unwrap();
        assert!(games == results.len() as u64 && problems.is_empty(), "{problems:?}");
        let files = ["manifest.json", "games.jsonl", "games.sgf", "games.parquet"];
        (results.len(), files.map(|file| fs::read(dir.join(file)).unwrap()))
    };
    let alone = play("alone", 1, 6);
    assert_eq!(alone.0, 7);
    assert!(play("together", 4, 6) == alone);
    // The same command again plays nothing.
    assert!(play("together", 4, 6) == alone);
}

#[test]
fn programs_are_told_the_handicap_and_who_has_black_puts_free_stones() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let refuse = r#"set_free_handicap) printf "? unknown command\n\n";;"#;
    let pass = "pass pass pass pass";
    for (name, rules, size, cases, points, told) in [
        ("fixed", "czech", 7, "", pass, [&["set_free_handicap E5 C3 E3"][..]; 2]),
        (
            "refused",
            "japanese",
            7,
            refuse,
            pass,
            [&["set_free_handicap C5 E5 C3", "play black C5", "play black E5", "play black C3"][..]; 2],
        ),
        (
            "free",
            "chinese",
            5,
            "",
            "A1 B2 C3 pass pass",
            [
                &["genmove black", "genmove black", "genmove black", "play white pass", "genmove black"],
                &["set_free_handicap C3 B2 A1", "genmove white"],
            ],
        ),
    ] {
        let (dir, log) = (path(name), path(&format!("{name}.log")));
        let first = scribe(&log, cases, points);
        let second = scribe(&path("other"), "", if name == "free" { "pass A1 B2 C3 pass" } else { pass });
        let size = BoardSize::square(size).unwrap();
        let rules = rules.parse().unwrap();
        let spec =
            MatchSpec { size, rules, handicap: 3, komi: Komi::ZERO, ply_cap: 9, ..spec(&first, &second, 2) };
        let results = play(&dir, &spec);
        assert!(results.iter().all(|result| result.ending == MatchEnding::TwoPasses), "{results:?}");
        let log = fs::read_to_string(log).unwrap();
        let games: Vec<&str> = log.split("clear_board \nkomi 0\n").skip(1).collect();
        assert_eq!(games.len(), 2, "{log}");
        for (game, told) in games.iter().zip(told) {
            assert!(game.starts_with(&told.join("\n")), "{name}: {game}");
        }
        for game in self::games(&dir) {
            assert_eq!(game.handicap(), Some(3));
            let puts = game.moves().take_while(|&(color, _)| color == Color::Black).count();
            let set_up = game.setup.points().count();
            assert_eq!((puts, set_up), if name == "free" { (3, 0) } else { (0, 3) });
        }
    }
}

/// White's bonus and the prisoners beyond nine stones count.
#[test]
fn the_compensation_is_counted() {
    let size = BoardSize::square(9).unwrap();
    let stones = ["A1", "B1", "C1"].map(|name| Move::from_gtp(name, size).unwrap());
    let stones = Openings::Listed(vec![stones.to_vec()]);
    let margin = |rules: &str, handicap, openings: Openings| {
        let rules = rules.parse().unwrap();
        let players = engine(r#"printf "= pass\n\n"; continue"#);
        let komi = Komi::ZERO;
        let spec = MatchSpec { size, rules, handicap, komi, openings, ..spec(&players, &players, 1) };
        play_anywhere(&spec)[0].half_points.unwrap() / 2
    };
    for (rules, handicap, expected) in
        [("japanese", 2, 79), ("aga", 2, 80), ("czech", 2, 79), ("czech", 9, 72), ("czech", 12, 87)]
    {
        assert_eq!(margin(rules, handicap, Openings::Empty), expected, "{rules} {handicap}");
    }
    for (rules, expected) in [("tromp-taylor", 81), ("chinese", 78), ("brainking", 78)] {
        assert_eq!(margin(rules, 3, stones.clone()), expected, "{rules}");
    }
}

#[test]
fn a_handicap_that_there_is_not_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |handicap, ply_cap| {
        let spec = MatchSpec { handicap, ply_cap, ..spec("policy:eye-safe", "policy:eye-safe", 1) };
        play_match(folder.path(), &spec, &Progress::new()).unwrap_err().to_string()
    };
    assert!(refused(1, 75).contains("a handicap of 1 stone is the first move"));
    assert!(refused(25, 75).contains("24 at most"));
    assert!(refused(9, 9).contains("the ply cap is 9"));
}

#[test]
fn gnu_go_plays_with_handicap() {
    let Some(gnugo) = crate::outside::gnugo() else { return };
    for (rules, size) in [("chinese", 5), ("japanese", 9)] {
        let player = format!("{gnugo} --mode gtp --level 1 --{rules}-rules");
        let (size, rules) = (BoardSize::square(size).unwrap(), rules.parse().unwrap());
        let adjudication = Adjudication::Engines;
        let spec = MatchSpec {
            size,
            rules,
            handicap: 3,
            adjudication,
            ply_cap: 300,
            ..spec(&player, "policy:eye-safe", 2)
        };
        for result in play_anywhere(&spec) {
            assert!(!result.ending.is_fault(), "{result:?}");
        }
    }
}

#[test]
fn gnu_go_plays_against_a_policy() {
    let Some(gnugo) = crate::outside::gnugo() else { return };
    let player = format!("{gnugo} --mode gtp --level 1 --chinese-rules");
    let spec = MatchSpec { adjudication: Adjudication::Engines, ..spec(&player, "policy:eye-safe", 4) };
    let results = play_anywhere(&spec);
    assert_eq!(results.len(), 4);
    for result in &results {
        assert!(matches!(result.ending, MatchEnding::TwoPasses | MatchEnding::Resignation), "{result:?}");
        assert!(matches!(&spec.players[0], PlayerSpec::Program(line) if *line == player));
    }
    // Komi 7.5 is much on this board, but not against random moves.
    assert!(results.iter().any(|result| result.winner == Some(Contestant::First)), "{results:?}");
}
