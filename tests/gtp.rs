//! `jigo gtp` as a referee starts it: standard input and output, ends, exit status.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_jigo"))
        .arg("gtp")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// Sends all input, closes it, and returns what was answered by a successful program.
fn converse(arguments: &[&str], input: &[u8]) -> String {
    let mut child = start(arguments);
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_end_of_input_and_quit_are_success() {
    assert_eq!(converse(&[], b""), "");
    assert_eq!(converse(&[], b"1 name\n2 quit\n"), "=1 jigo\n\n=2 \n\n");
    assert_eq!(converse(&[], b"name"), "= jigo\n\n");
}

#[test]
fn arguments_are_where_the_conversation_starts() {
    let asked = b"query_boardsize\nget_komi\nkata-get-rules\n";
    let answers = converse(&["--size", "5x7", "--rules", "japanese"], asked);
    assert!(answers.starts_with("= 5 7\n\n= 6.5\n\n= {"), "{answers}");
    assert!(answers.contains(r#""scoring":"TERRITORY""#), "{answers}");
    let json = r#"{"ko":"SITUATIONAL","whiteHandicapBonus":"N"}"#;
    let answers = converse(&["--rules", json, "--komi", "-3.5"], asked);
    assert!(answers.starts_with("= 19\n\n= -3.5\n\n= {") && answers.contains("SITUATIONAL"), "{answers}");
    let moves = b"genmove b\ngenmove w\ngenmove b\n";
    let play = |seed| converse(&["--policy", "uniform", "--seed", seed], moves);
    assert_eq!(play("3"), play("3"));
    assert_ne!(play("3"), play("4"));
}

#[test]
fn replies_come_at_once_and_a_closed_pipe_is_no_error() {
    let mut child = start(&["--size", "9"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        input.write_all(b"protocol_version\n").unwrap();
        let mut lines = [String::new(), String::new()];
        for line in &mut lines {
            output.read_line(line).unwrap();
        }
        assert_eq!(lines, ["= 2\n", "\n"]);
    }
    drop(output);
    // A process that another test starts at this moment may hold the pipe open until it runs, so that a reply is still taken.
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "the program ends when nobody reads its replies"
        );
        let _ = input.write_all(b"name\n");
        thread::sleep(Duration::from_millis(1));
    }
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(message, "");
}

#[test]
fn the_first_game_may_begin_with_handicap() {
    let stones = |arguments: &[&str], input: &[u8]| {
        let answers = converse(&[&["--size", "9"], arguments].concat(), input);
        answers.split("\n\n").map(|answer| answer.trim_start_matches("= ").to_owned()).collect::<Vec<_>>()
    };
    let czech = ["--rules", "czech", "--handicap", "3"];
    // Cleared, the board is empty, so that the commands for handicap are those of any other game.
    let asked = b"list_stones b\nclear_board\nlist_stones b\nfixed_handicap 2\nboardsize 9\nlist_stones b\n";
    assert_eq!(stones(&czech, asked), ["G7 C3 G3", "", "", "G7 C3", "", "", ""]);
    assert_eq!(stones(&["--rules", "japanese", "--handicap", "3"], b"list_stones b"), ["C7 G7 C3", ""]);
    let asked = b"list_stones b\nclear_board\nset_free_handicap A1 B2\nlist_stones b\n";
    let answers = stones(&["--rules", "chinese", "--handicap", "10"], asked);
    assert_eq!((answers[0].split(' ').count(), &*answers[3]), (10, "B2 A1"));
    // White's bonus, whose turn it is, and what a record states.
    let answers =
        converse(&["--size", "9", "--rules", "chinese", "--handicap", "4"], b"final_score\nprintsgf\n");
    assert!(answers.starts_with("= B+69.5\n\n"), "{answers}");
    assert!(answers.contains("HA[4]") && answers.contains("AB[cc][cg][gc][gg]PL[W]"), "{answers}");
    let whole =
        converse(&[&["--size", "9"], &czech[..]].concat(), b"jigo-begin czech\njigo-conduct\njigo-phase\n");
    assert!(whole.contains("handicap=3\n\n= playing white"), "{whole}");
}

/// What a GUI sends to an engine that analyses, up to its end.
#[test]
fn analyses_go_on_until_the_next_line() {
    let mut child = start(&["--size", "5", "--policy", "uct:playouts=50", "--resign", "5"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    input.write_all(b"lz-analyze 1\n").unwrap();
    assert_eq!(output.next().unwrap(), "= ");
    for _ in 0..2 {
        assert!(output.next().unwrap().starts_with("info move "));
    }
    input.write_all(b"time_settings 0 1 1\n").unwrap();
    assert!(output.by_ref().skip_while(|line| line.starts_with("info move ")).take(1).eq([""]));
    input.write_all(b"lz-genmove_analyze b 100\nkata-analyze w 1\n").unwrap();
    assert_eq!([output.next().unwrap(), output.next().unwrap()], ["= ", ""]);
    let mut lines = output.by_ref().skip_while(|line| !line.starts_with("play "));
    assert_eq!([lines.next().unwrap().len(), lines.next().unwrap().len()], ["play C3".len(), 0]);
    assert_eq!(output.next().unwrap(), "= ");
    drop(input);
    assert_eq!(output.last().unwrap(), "");
    assert!(child.wait().unwrap().success());
}

/// A pipe would be waited for, and a device has no end. Files are read and written all the same.
#[cfg(unix)]
#[test]
fn commands_read_and_write_regular_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [pipe, link, file] = ["pipe.sgf", "link.sgf", "file.sgf"].map(path);
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let paths = [&pipe, "/dev/zero", "/dev/null", "/dev/stdin", "/dev/stdout", &path("")];
    let commands = |name: &str| paths.map(|path| format!("{name} {path}\n")).concat();
    let good = format!("printsgf {file}\nprintsgf {link}\nloadsgf {file}\nloadsgf {link}\n");
    let mut child = start(&[]);
    let input = [commands("loadsgf"), commands("printsgf"), good].concat();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("a command does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let error =
        |what: &str| paths.map(|path| format!("? cannot {what} file: {path}: not a regular file\n\n"));
    let expected = [error("load").concat(), error("write").concat(), "= \n\n".repeat(4)].concat();
    assert_eq!(output, expected);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn wrong_arguments_are_said() {
    for (arguments, word) in [
        (["--size", "26"], "1 to 25"),
        (["--rules", "aga-button"], "hasButton"),
        (["--policy", "x"], "uniform"),
        (["--handicap", "1"], "give 0, or 2 and more"),
        (["--handicap", "361"], "360 at most"),
        (["--resign", "51"], "1 to 50"),
        (["--resign", "5"], "--policy uct:playouts="),
    ] {
        let output = start(&arguments).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(word), "{message}");
    }
}
