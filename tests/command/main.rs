//! The command as a new user meets it: right and wrong arguments, files, pipes.

mod exact;

use std::{
    fs,
    io::Read as _,
    path::Path,
    process::{Command, Output, Stdio},
};

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

fn jigo(arguments: &[&str]) -> Output {
    Command::new(JIGO).args(arguments).stdin(Stdio::null()).output().expect("the command starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Fails unless the command ends with this status, without a panic, and says all of these words on standard error.
#[track_caller]
fn expect_error(arguments: &[&str], status: i32, words: &[&str]) {
    let output = jigo(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
    assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments:?}: `{word}` is missing in: {message}");
    }
}

#[test]
fn wrong_arguments_get_one_clear_error() {
    expect_error(&["study", "--size", "26"], 2, &["26", "1 to 25"]);
    expect_error(&["study", "--rules", "area+territory"], 2, &["`area` and `territory` exclude each other"]);
    expect_error(&["play", "--rules", "area+area", "--out", "x"], 2, &["`area` stands there twice"]);
    expect_error(&["study", "--games", "1e30"], 2, &["`1e30` games are too many", "9,007,199,254,740,992"]);
    for (arguments, reason) in [
        (&["study", "--games", "-1"][..], "`-1` is not a number of games"),
        (&["play", "--seed", "-1", "--out", "x"], "`-1` is not a seed"),
        (&["study", "--threads", "-1"], "a whole number from 1 to 1024"),
        (&["perft", "-3"], "a whole number from 1 to 64"),
        (&["perft", "many"], "a whole number from 1 to 64"),
        (&["study", "--handicap", "-2"], "a whole number from 0 to 625"),
        (&["study", "--shard", "-1/3"], "`-1/3` is not a part of a run"),
        (&["study", "--policy", "guarded:k=3,k=4"], "k stands there twice: write it once"),
        (&["match", "", "uniform", "--out", "x"], "`` is not a command line"),
        (&["check", "a 'b"], "`a 'b` is not a command line"),
        (&["check", "a", "--positions", "0"], "`0` is not a number of positions"),
        (&["match", "a", "b", "--out", "x", "--ply-cap", "-1"], "a whole number from 1 to 65535"),
    ] {
        expect_error(arguments, 2, &["invalid value", reason]);
    }
    expect_error(&["study", "--rules", "chineese"], 2, &["chineese", "tromp-taylor", "brainking", "hups"]);
    expect_error(&["study", "--policy", "clever"], 2, &["clever", "eye-safe", "guarded"]);
    expect_error(&["study", "--games", "many"], 2, &["many", "10k"]);
    expect_error(&["study", "--games", "0"], 2, &["number of games"]);
    expect_error(&["study", "--komi", "7.25"], 2, &["7.25", "half points"]);
    expect_error(&["study", "--shard", "3/3"], 2, &["3/3", "I/N"]);
    expect_error(&["study", "--threads", "0"], 2, &["threads"]);
    expect_error(&["play"], 2, &["--out"]);
    expect_error(&["count"], 2, &["--legal"]);
    expect_error(&["frobnicate"], 2, &["frobnicate"]);
    expect_error(&["count", "--games", "2x2", "--rules", "chinese"], 2, &["superko"]);
    expect_error(&["count", "--legal", "25"], 2, &["25x25", "more than 8 points"]);
    expect_error(&["solve", "19"], 2, &["19x19", "too large"]);
    expect_error(&["study", "--seki-census", "4"], 2, &["4x4", "too large", "12 points"]);
    expect_error(&["study", "--handicap", "1"], 2, &["give 0, or 2 and more"]);
    expect_error(&["gtp", "--resign", "5"], 2, &["leave --resign out"]);
    expect_error(&["study", "--seki-census", "3", "--games", "10"], 2, &["--games", "--seki-census"]);
}

/// What an error says must help whoever made it: values of completions are not all values, and an option that is not known is no value.
#[test]
fn errors_suggest_nothing_that_is_wrong() {
    for arguments in [&["study", "--size"][..], &["study", "--policy"], &["score", "x", "--move", "3"]] {
        let message = stderr(&jigo(arguments));
        assert!(!message.contains("possible values") && !message.contains("as a value"), "{message}");
    }
    let message = stderr(&jigo(&["export", "x", "--out", "y", "--to"]));
    assert!(message.contains("possible values: sgf, csv, npz"), "{message}");
}

#[test]
fn missing_and_broken_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    expect_error(&["verify", nowhere], 1, &[nowhere]);
    expect_error(&["analyze", nowhere], 1, &[nowhere]);
    expect_error(&["merge", nowhere], 1, &[nowhere]);
    expect_error(&["perft", "2", "--diagram", nowhere], 1, &[nowhere]);
    let broken = folder.path().join("broken.txt");
    fs::write(&broken, "X O .\n. ?\n").unwrap();
    let broken = broken.to_str().unwrap();
    expect_error(&["perft", "2", "--diagram", broken], 1, &[broken, "row 2"]);
    expect_error(&["merge", broken], 1, &[broken]);
    expect_error(&["study", "--size", "3", "--games", "10", "--out", broken], 1, &[broken]);
    let no_folder = [broken, "no folder", "--out"];
    expect_error(&["play", "--size", "3", "--games", "10", "--out", broken], 1, &no_folder);
    expect_error(&["match", "uniform", "uniform", "--out", broken], 1, &no_folder);
    expect_error(&["import", broken, "--out", broken], 1, &no_folder);
    expect_error(&["export", nowhere, "--to", "csv", "--out", broken], 1, &no_folder);
    expect_error(&["verify", broken], 1, &[broken, "jigo proof 1", "--proof"]);
    expect_error(&["verify", nowhere], 1, &["no such folder"]);
    let empty = folder.path().to_str().unwrap();
    expect_error(&["merge", empty], 1, &["holds no report.json"]);
    expect_error(&["export", empty, "--to", "csv", "--out", nowhere], 1, &["it has no manifest.json"]);
    #[cfg(unix)]
    {
        let dangling = folder.path().join("dangling");
        std::os::unix::fs::symlink("nothing", &dangling).unwrap();
        expect_error(&["study", "--out", dangling.to_str().unwrap()], 1, &["dangling is no folder", "--out"]);
    }
}

/// Folders of one command as the input or the output of another.
#[test]
fn folders_of_other_kinds_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [data, played, out] = ["data", "match", "out"].map(path);
    assert!(jigo(&["play", "-s", "3", "-n", "10", "-o", &data]).status.success());
    assert!(jigo(&["match", "uniform", "uniform", "-s", "3", "-n", "2", "-o", &played]).status.success());
    expect_error(&["export", &played, "--to", "csv", "-o", &out], 1, &["holds a match, not a dataset"]);
    expect_error(&["play", "-s", "3", "-n", "10", "-o", &played], 1, &["holds a match, not a dataset"]);
    expect_error(&["import", &data, "-o", &out], 1, &["dataset of jigo's own"]);
    expect_error(&["match", "uniform", "uniform", "-o", &data], 1, &["not a match of jigo"]);
    let three = ["match", "uniform", "uniform", "uniform", "-s", "3", "-n", "2", "-o"];
    for other in [&data, &played] {
        expect_error(&[&three[..], &[other]].concat(), 1, &["something else than a tournament"]);
    }
}

#[test]
fn help_names_every_command_and_exit_status() {
    let output = jigo(&["--help"]);
    assert!(output.status.success());
    let help = stdout(&output);
    for word in [
        "study", "play", "export", "analyze", "import", "merge", "verify", "perft", "count", "solve", "gtp",
        "check", "bench", "130",
    ] {
        assert!(help.contains(word), "{word}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100));
    let without_arguments = jigo(&[]);
    assert!(without_arguments.status.success());
    assert_eq!(stdout(&without_arguments), help);
}

/// Returns the examples that a help shows.
fn examples(help: &str) -> Vec<&str> {
    let examples = help.lines().filter_map(|line| line.strip_prefix("  "));
    examples.filter(|line| line.starts_with("jigo ")).map(|line| line.split("  ").next().unwrap()).collect()
}

#[test]
#[cfg(unix)]
fn examples_of_the_help_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("game.sgf"), "(;GM[1]SZ[5];B[cc];W[cb];B[bb];W[db])").unwrap();
    fs::write(path("position.txt"), ". X . O .\n. X X O .\nX . X O .\n. O . O O\n. . O O .\n").unwrap();
    fs::create_dir(path("records")).unwrap();
    fs::write(path("records/1.sgf"), "(;GM[1]SZ[5]KM[6.5]RE[B+0.5];B[cc];W[cb];B[bb];W[db])").unwrap();
    let folders = Path::new(JIGO).parent().unwrap().to_owned();
    let rest = std::env::var_os("PATH").unwrap();
    let search_path =
        std::env::join_paths([folders].into_iter().chain(std::env::split_paths(&rest))).unwrap();
    let run = |line: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(folder.path()).env("PATH", &search_path).stdin(Stdio::null());
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        stdout(&output)
    };
    for line in [
        "jigo study -s 5 -n 1k --seed 1 -o before",
        "jigo study -s 5 -n 1k --seed 2 -o after",
        "jigo play -s 9 -n 1k -o games",
    ] {
        run(line);
    }
    let help = run("jigo");
    assert_eq!(examples(&help).len(), 3, "{help}");
    let commands = help.lines().skip_while(|line| *line != "Measure:").take_while(|line| *line != "Options:");
    let commands: Vec<&str> = commands
        .filter_map(|line| line.strip_prefix("  ").and_then(|line| line.split_whitespace().next()))
        .collect();
    let helps = commands.iter().map(|command| run(&format!("jigo {command} --help")));
    for help in helps.chain([help.clone()]) {
        for example in examples(&help) {
            run(example);
        }
    }
}

#[test]
fn spellings_of_earlier_versions_get_a_hint() {
    for (words, hint) in [
        ("report --compare a b", "jigo compare A B"),
        ("bench --json file", "--out FILE"),
        ("match --first eye-safe --second uniform --out m", "jigo match PLAYER PLAYER"),
        ("study --policy eye-safe uniform", "separate policies by commas"),
    ] {
        let output = jigo(&words.split(' ').collect::<Vec<_>>());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(hint), "{message}");
    }
    let other = jigo(&["study", "--policy", "eye-safe", "--nothing"]);
    assert!(!stderr(&other).contains("commas"), "{}", stderr(&other));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(JIGO)
        .args(["solve", "1x2", "--rules", "lattice"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(message, "");
}

/// As in `jigo study | head -1`.
#[test]
fn a_report_is_written_though_nobody_reads_the_summary() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(JIGO)
        .args(["study", "--size", "3", "--games", "2000", "--out"])
        .arg(folder.path().join("report"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert!(folder.path().join("report/report.html").exists());
}

fn study(out: &Path, more: &[&str]) -> Output {
    let out = out.to_str().unwrap();
    let mut arguments = vec!["study", "--size", "3,5,4x6", "--games", "2000", "--out", out];
    arguments.extend(more);
    jigo(&arguments)
}

#[test]
fn a_study_writes_its_report_and_a_table_that_fits() {
    let folder = tempfile::tempdir().unwrap();
    let output = study(
        &folder.path().join("report"),
        &["--rules", "tromp-taylor,chinese", "--policy", "eye-safe,guarded:k=2"],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let table = stdout(&output);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
    for size in ["3x3", "5x5", "4x6"] {
        assert!(table.contains(size), "{table}");
    }
    let html = fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(html.contains("<svg") && !html.contains("http://") && !html.contains("https://"));
    assert!(
        html.contains("What each rule changes") && table.contains("what each rule changes: 4x6, guarded:k=2")
    );
    for file in ["report.json", "summary.csv", "rules.csv"] {
        assert!(folder.path().join("report").join(file).exists(), "{file}");
    }
}

#[test]
fn threads_and_parts_give_the_same_study() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read(path(name).join("report.json")).unwrap();
    let rules = ["--rules", "tromp-taylor,chinese,japanese"];
    let study = |out: &Path, more: &[&str]| study(out, &[&rules, more].concat());
    assert!(study(&path("one"), &["--threads", "1"]).status.success());
    assert!(study(&path("two"), &["--threads", "2"]).status.success());
    assert_eq!(read("one"), read("two"));
    for part in ["0/3", "1/3", "2/3"] {
        assert!(study(&path(&part.replace('/', "-")), &["--shard", part]).status.success());
    }
    let changes = |name: &str| fs::read_to_string(path(name).join("rules.csv")).unwrap();
    let fingerprint = jigo_selfplay::fingerprint::rules_fingerprint(jigo_engine::Rules::TROMP_TAYLOR);
    let row = format!("5x5,tromp-taylor,eye-safe,75,false,0,{fingerprint},base,ko,");
    assert!(changes("one").contains(&row), "{}", changes("one"));
    let merge = |order: [&str; 3], out: &str| {
        let inputs = order.map(|part| path(part).join("report.json").to_str().unwrap().to_owned());
        let out = path(out).to_str().unwrap().to_owned();
        jigo(&["merge", &inputs[0], &inputs[1], &inputs[2], "--out", &out])
    };
    assert!(merge(["0-3", "1-3", "2-3"], "merged").status.success());
    assert!(merge(["2-3", "0-3", "1-3"], "turned").status.success());
    assert_eq!(read("one"), read("merged"));
    assert_eq!(read("one"), read("turned"));
    assert_eq!(changes("one"), changes("merged"));
    let twice = merge(["0-3", "0-3", "1-3"], "twice");
    assert_eq!(twice.status.code(), Some(1));
    assert!(stderr(&twice).contains("both"), "{}", stderr(&twice));
    assert!(!path("twice").exists());
}

#[test]
fn parts_of_a_search_give_the_same_study() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [whole, one, other, merged] = ["whole", "one", "other", "merged"].map(path);
    let study = |out: &str, more: &[&str]| {
        let policies = ["--policy", "uct:playouts=10,uct:playouts=30,opening=2"];
        jigo(&[&["study", "--size", "4,5", "--games", "101", "--out", out], &policies[..], more].concat())
    };
    for (out, more) in [(&whole, &[][..]), (&one, &["--shard", "0/2"]), (&other, &["--shard", "1/2"])] {
        let output = study(out, more);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert!(jigo(&["merge", &one, &other, "--out", &merged]).status.success());
    for name in ["report.json", "strength.csv", "summary.csv"] {
        let read = |folder: &str| fs::read(format!("{folder}/{name}")).unwrap();
        assert!(read(&whole) == read(&merged), "{name} differs");
    }
}

#[test]
fn searches_that_need_too_much_memory_are_refused() {
    let search = "uct:playouts=1000000,expand=1";
    for command in ["study --out x", "play --out x", "bench", "gtp"] {
        let words: Vec<&str> = command.split(' ').chain(["--size", "19", "--policy", search]).collect();
        expect_error(&words, 2, &[search, "on 19x19", "choose fewer playouts or a larger expand=N"]);
    }
}

#[test]
fn a_dataset_measures_like_the_study_of_the_same_games() {
    let even = ["--size", "4x6", "--games", "2000"];
    let finite = [&even[..], &["--rules", "makrai-area", "--policy", "uniform"]].concat();
    for (moves, games) in [("list", &even[..]), ("binary", &even[..]), ("none", &even[..]), ("list", &finite)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (data, report, direct) = (path(moves), path(&format!("{moves}-report")), path("direct"));
        let output =
            jigo(&[&["play", "--out", &data, "--moves", moves, "--shard-games", "700"], games].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let output = jigo(&["analyze", &data, "--out", &report]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(jigo(&[&["study", "--out", &direct], games].concat()).status.success());
        let read = |folder: &str| fs::read(Path::new(folder).join("report.json")).unwrap();
        assert_eq!(read(&report), read(&direct));
    }
}

#[test]
fn faulty_records_are_listed_and_the_others_measured() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("good.sgf", "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]RE[B+R];B[ee];W[cc])");
    write("occupied.sgf", "(;GM[1]FF[4]SZ[9];B[ee];W[ee])");
    write("broken.sgf", "(;GM[1]FF[4]SZ[9];B[ee];W[e");
    let out = folder.path().join("report");
    let output = jigo(&["analyze", folder.path().to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 game measured, from 3 files"), "{}", stdout(&output));
    let faults = fs::read_to_string(out.join("faults.csv")).unwrap();
    assert!(faults.contains("occupied.sgf,24,2,replay,occupied point"), "{faults}");
    assert!(faults.contains("broken.sgf"), "{faults}");
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("occupied.sgf"));
    assert!(!out.join("faults.csv.partial").exists());
    let (broken, none) = (folder.path().join("broken.sgf"), folder.path().join("none"));
    let [broken, none] = [broken, none].map(|path| path.to_str().unwrap().to_owned());
    expect_error(&["analyze", &broken, "--out", &none], 1, &["no game record could be used", "broken.sgf: "]);
    assert!(!Path::new(&none).exists(), "a report of no games");
    expect_error(
        &["analyze", out.to_str().unwrap(), "--out", out.to_str().unwrap()],
        1,
        &["no game was found"],
    );
}

#[test]
fn text_of_records_is_no_formula_in_csv() {
    let folder = tempfile::tempdir().unwrap();
    let jigo = |arguments: &[&str]| {
        let mut command = Command::new(JIGO);
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let game = "(;SZ[5]RU[+x]KM[-3.5]RE[B+2.5]PB[=HYPERLINK(1)]PW[-1+2]EV[@x]BR['=x]WR[-1];B[cc];W[])";
    fs::write(folder.path().join("=game.sgf"), game).unwrap();
    fs::write(folder.path().join("@broken.sgf"), "(;SZ[5];B[cc];W[cc])").unwrap();
    let files = ["=game.sgf", "@broken.sgf"];
    for (raw, mark) in [(&[][..], "'"), (&["--raw"], "")] {
        jigo(&[&["import"], &files[..], &["--out", "import"]].concat());
        // What is read back, and so always marked.
        assert!(read("import/faults.csv").contains("\n'@broken.sgf,"), "{}", read("import/faults.csv"));
        jigo(&[&["export", "import", "--to", "csv", "--out", "csv"], raw].concat());
        let games = read("csv/games.csv");
        for text in ["=game.sgf", "+x", "=HYPERLINK(1)", "-1+2", "@x", "'=x"] {
            assert!(games.contains(&format!(",{mark}{text},")), "{text}: {games}");
        }
        assert!(games.contains(",-3.5,") && games.contains(",-1,"), "{games}");
        for from in [&files[..], &["import"]] {
            jigo(&[&["analyze"], from, &["--out", "report"], raw].concat());
            let (faults, groups) = (read("report/faults.csv"), read("report/records.csv"));
            assert!(faults.contains(&format!("\n{mark}@broken.sgf,")), "{faults}");
            assert!(groups.contains(&format!("\n5x5,{mark}+x,-3.5,")), "{groups}");
            assert!(read("report/records.json").contains("\"@broken.sgf\""), "text is marked in CSV alone");
        }
        fs::remove_dir_all(folder.path().join("csv")).unwrap();
    }
    let mut command = Command::new(JIGO);
    command.args(["export", "import", "--to", "sgf", "--out", "sgf", "--raw"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert!(stderr(&output).contains("--raw belongs to --to csv"), "{}", stderr(&output));
}

#[test]
fn imported_records_are_a_dataset() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(path("games")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join("games").join(name), text).unwrap();
    write(
        "good.sgf",
        "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]RE[B+R]PB[Honinbo, \"Shusaku\"];B[ee];W[cc];AE[cc];W[dd])",
    );
    write("draw.sgf", "(;GM[1]FF[4]SZ[5]RE[0];B[];W[])");
    write("occupied.sgf", "(;GM[1]FF[4]SZ[9];B[ee];W[ee])");
    let (games, data) = (path("games"), path("data"));
    let output = jigo(&["import", &games, "--out", &data]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("imported 2 games from 3 files"), "{}", stderr(&output));
    assert!(
        fs::read_to_string(path("data/faults.csv"))
            .unwrap()
            .contains("occupied.sgf,24,2,replay,occupied point")
    );
    let output = jigo(&["verify", "--replay", &data]);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(0), "ok: 1 shard, 2 games read, 5 plies replayed\n")
    );
    let measured = |from: &str, out: &str| {
        let output = jigo(&["analyze", from, "--out", &path(out)]);
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read(folder.path().join(out).join("records.json")).unwrap()
    };
    assert_eq!(measured(&data, "report-data"), measured(&games, "report-games"));

    let export = |to: &[&str], out: &str| {
        let output = jigo(&[&["export", &data, "--out", &path(out), "--to"], to].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    };
    export(&["csv"], "csv");
    let table = fs::read_to_string(path("csv/games.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3, "{table}");
    assert!(lines[0].ends_with(",komi,handicap,winner,half_points,checked_rules,first_player"), "{table}");
    assert!(
        lines[1].contains(",0,,,none,0,") && lines[2].contains(",\"Honinbo, \"\"Shusaku\"\"\","),
        "{table}"
    );
    assert!(lines.iter().all(|line| !line.is_empty()));
    export(&["sgf", "--result", "black"], "sgf");
    let record = fs::read_to_string(path("sgf/games-000000.sgf")).unwrap();
    assert!(record.contains("PB[Honinbo, \"Shusaku\"]") && record.contains("W[cc];AE[cc]"), "{record}");
    assert!(!record.contains("SZ[5]"), "{record}");

    let out = path("refused");
    expect_error(&["export", &data, "--out", &out, "--to", "npz"], 1, &["sgf or csv"]);
    expect_error(&["export", &data, "--out", &out, "--to", "sgf", "--komi", "1"], 1, &["leave --komi out"]);
    expect_error(&["export", &data, "--out", &out, "--to", "csv", "--status", "seki"], 1, &["--status"]);
    expect_error(&["verify", "--reference", &data], 1, &["--replay"]);
    expect_error(&["import", &data, "--out", &out], 1, &["dataset of jigo's own"]);
    expect_error(&["import", &path("nowhere"), "--out", &out], 1, &["does not exist"]);
    expect_error(&["import", &path("games/occupied.sgf"), "--out", &out], 1, &["no game was found"]);
    expect_error(&["play", "--size", "3", "--games", "10", "--out", &data], 1, &["holds imported games"]);
}
