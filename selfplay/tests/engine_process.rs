//! Programs that answer, refuse, end, hang or talk nonsense.
#![cfg(unix)]

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use jigo_selfplay::{
    Progress,
    gtp::{GtpClient, GtpClientError, GtpFailure},
};

const LIMIT: Duration = Duration::from_secs(10);

fn start(script: &str) -> GtpClient {
    assert!(!script.contains('\''), "{script}");
    GtpClient::start(&format!("sh -c '{script}'")).unwrap()
}

fn ask(engine: &mut GtpClient, command: &str) -> Result<String, GtpClientError> {
    engine.ask(command, LIMIT, &Progress::new())
}

#[test]
fn answers_are_read_whole_and_refusals_are_no_end() {
    let mut engine = start(
        r#"while read -r command; do case $command in
             name) printf "= sh\r\n\r\n";;
             list) printf "=\tone\ntwo\n\n\n";;
             nothing) printf "=\n\n";;
             *) printf "? unknown command\n\n";;
           esac; done"#,
    );
    assert_eq!(ask(&mut engine, "name").unwrap(), "sh");
    assert_eq!(ask(&mut engine, "list").unwrap(), "one\ntwo");
    let refused = ask(&mut engine, "fly").unwrap_err();
    assert!(refused.to_string().ends_with("refused `fly`: unknown command"), "{refused}");
    assert!(engine.is_usable());
    assert_eq!(ask(&mut engine, "nothing").unwrap(), "");
}

#[test]
fn a_program_that_ends_is_quoted() {
    let mut engine = start("read -r command; echo first >&2; echo last words >&2; exit 3");
    let error = ask(&mut engine, "genmove b").unwrap_err();
    let text = error.to_string();
    assert!(matches!(error.failure, GtpFailure::Ended(_)), "{text}");
    for part in ["sh -c", "`genmove b`", "exit status: 3", "first / last words"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!engine.is_usable());
    assert!(matches!(ask(&mut engine, "name").unwrap_err().failure, GtpFailure::Ended(_)));
}

#[test]
fn a_program_that_closes_its_output_has_ended() {
    let mut engine = start("exec >&-; exec sleep 1000");
    let text = ask(&mut engine, "name").unwrap_err().to_string();
    assert!(text.contains("it closed its output"), "{text}");
    assert_is_gone(engine.process_id());
}

#[test]
fn a_program_that_hangs_is_killed_in_time() {
    let mut engine = start("exec sleep 1000");
    let begin = Instant::now();
    let error = engine.ask("genmove w", Duration::from_millis(200), &Progress::new()).unwrap_err();
    assert!(matches!(error.failure, GtpFailure::TimedOut(_)), "{error}");
    assert!(error.to_string().contains("in 0.2 s and was killed"), "{error}");
    assert!((200..5000).contains(&begin.elapsed().as_millis()), "{:?}", begin.elapsed());
    assert_is_gone(engine.process_id());
}

#[test]
fn half_an_answer_is_none() {
    let mut engine = start(r#"read -r command; printf "= D4\n"; exec sleep 1000"#);
    let error = engine.ask("genmove w", Duration::from_millis(200), &Progress::new()).unwrap_err();
    assert!(matches!(error.failure, GtpFailure::TimedOut(_)), "{error}");
}

#[test]
fn nonsense_is_told_apart() {
    for script in [
        r#"read -r command; echo hello; exec sleep 1000"#,
        // Without end: neither memory nor time run away.
        r#"read -r command; printf "= "; exec yes"#,
        r#"read -r command; exec tr "\0" x </dev/zero"#,
    ] {
        let mut engine = start(script);
        let error = ask(&mut engine, "name").unwrap_err();
        assert!(matches!(error.failure, GtpFailure::Garbage(_)), "{script}: {error}");
        assert!(error.to_string().len() < 1000, "{error}");
        assert_is_gone(engine.process_id());
    }
}

#[test]
fn endless_blank_lines_are_no_answer() {
    let mut engine = start(r#"read -r command; exec yes "" "#);
    let error = engine.ask("name", Duration::from_millis(300), &Progress::new()).unwrap_err();
    assert!(matches!(error.failure, GtpFailure::TimedOut(_)), "{error}");
}

#[test]
fn what_was_not_asked_for_is_nonsense() {
    let mut engine = start(r#"read -r command; printf "= one\n\n= two\n\n"; exec sleep 1000"#);
    assert_eq!(ask(&mut engine, "name").unwrap(), "one");
    thread::sleep(Duration::from_millis(200));
    let error = ask(&mut engine, "version").unwrap_err();
    assert!(matches!(error.failure, GtpFailure::Garbage(_)), "{error}");
}

#[test]
fn a_wait_can_be_stopped() {
    let mut engine = start("exec sleep 1000");
    let progress = Progress::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            progress.stop();
        });
        let error = engine.ask("name", Duration::from_secs(600), &progress).unwrap_err();
        assert!(matches!(error.failure, GtpFailure::Stopped), "{error}");
    });
}

#[test]
fn dropped_programs_leave_nothing_behind() {
    let engine = start("exec sleep 1000");
    let id = engine.process_id();
    drop(engine);
    assert_is_gone(id);
}

#[test]
fn what_a_program_started_ends_with_it() {
    let mut engine = start(r#"sleep 1000 & echo "= $!"; echo; wait"#);
    let started = ask(&mut engine, "name").unwrap();
    drop(engine);
    // An ended process has no arguments until it is waited for, which is up to the system.
    let arguments = Path::new("/proc").join(started).join("cmdline");
    let begin = Instant::now();
    while fs::read(&arguments).is_ok_and(|arguments| !arguments.is_empty()) {
        assert!(begin.elapsed() < LIMIT, "{} is still there", arguments.display());
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_program_outlives_the_thread_that_started_it() {
    let script = r#"while read -r command; do printf "= %s\n\n" "$command"; done"#;
    let mut engine = thread::spawn(move || start(script)).join().unwrap();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(ask(&mut engine, "name").unwrap(), "name");
}

#[test]
fn what_cannot_be_started_is_named() {
    let text = |line: &str| GtpClient::start(line).unwrap_err().to_string();
    assert!(text("/no/such/engine --gtp").contains("cannot start `/no/such/engine --gtp`"));
    assert!(text("gnugo 'x").contains("is not a command line"));
}

/// Fails while the process runs or waits to be waited for.
#[track_caller]
fn assert_is_gone(process_id: u32) {
    let proc = Path::new("/proc");
    if proc.join("self/stat").exists() {
        let stat = fs::read_to_string(proc.join(process_id.to_string()).join("stat"));
        assert!(stat.is_err(), "{stat:?}");
    }
}
