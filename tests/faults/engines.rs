//! Engines that start processes of their own: none of these outlives jigo, however it ends.
#![cfg(target_os = "linux")]

use std::{
    fs,
    process::{Child, Command, Output},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{Scratch, jigo, said};

/// How every engine begins: it starts a process that never ends by itself and holds the engine's output and standard error open.
const BEGIN: &str = "sleep \"$1\" &\n";
/// Answers every command, and passes.
const PASSES: &str = "while read -r command rest; do
    case $command in genmove) echo '= pass';; *) echo =;; esac
    echo
done";
/// Answers every command but `genmove`, for which it waits for a process of its own.
const HANGS: &str = "while read -r command rest; do
    case $command in genmove) sleep \"$1\";; esac
    echo =; echo
done";

/// A library under which flushing a file to the disk takes long as soon as the file `SLOW` exists.
const SLOW_DISK: &str = r#"
#include <stdlib.h>
#include <unistd.h>
int fsync(int file) {
    (void)file;
    if (access(getenv("SLOW"), F_OK) == 0) sleep(20);
    return 0;
}
"#;

/// Engines whose processes all have an argument that no other process has.
struct Engines {
    scratch: Scratch,
    mark: String,
}

impl Engines {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { scratch: Scratch::new(), mark: format!("1000.{}{count:03}", std::process::id()) }
    }

    /// A match between two engines, which are shell scripts.
    fn play(&self, first: &str, second: &str) -> Command {
        let engine = |name: &str, script: &str| {
            let path = self.scratch.path(name);
            fs::write(&path, format!("{BEGIN}{script}")).unwrap();
            format!("sh {path} {}", self.mark)
        };
        let [first, second] = [engine("first", first), engine("second", second)];
        let out = self.scratch.path("match");
        jigo(&["match", &first, &second, "--size", "5", "--games", "2", "--out", &out])
    }

    /// Returns the processes of all engines.
    fn processes(&self) -> Vec<u32> {
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let process = entry.unwrap().file_name().to_str()?.parse::<u32>().ok()?;
            let arguments = fs::read(format!("/proc/{process}/cmdline")).ok()?;
            arguments.split(|&byte| byte == 0).any(|word| word == self.mark.as_bytes()).then_some(process)
        });
        processes.collect()
    }

    /// Waits until so many processes of engines are left: a killed process may take a moment to go.
    #[track_caller]
    fn wait_for_processes(&self, count: usize) {
        let start = Instant::now();
        while self.processes().len() != count {
            let found = self.processes();
            assert!(start.elapsed() < Duration::from_secs(10), "{found:?}, not {count} processes");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Kills what is left, so that a test that fails leaves nothing behind.
impl Drop for Engines {
    fn drop(&mut self) {
        for process in self.processes() {
            _ = Command::new("kill").args(["-KILL", &process.to_string()]).status();
        }
    }
}

#[track_caller]
fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Ends a process that was interrupted; fails unless it ended as interrupted commands do.
#[track_caller]
fn wait(child: Child) -> Output {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    output
}

#[test]
fn end_with_the_match() {
    let engines = Engines::new();
    let output = engines.play(PASSES, PASSES).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    engines.wait_for_processes(0);
}

#[test]
fn end_when_they_fail() {
    for (script, ending) in [
        ("read -r command; exit 3", "timeout"),
        ("exec >&-; read -r command; exit 3", "timeout"),
        ("read -r command; sleep \"$1\"", "timeout"),
        ("read -r command; kill -KILL $$", "timeout"),
        ("read -r command; echo hello; wait", "garbage"),
    ] {
        let engines = Engines::new();
        let output = engines.play(script, PASSES).args(["--time-limit", "0.2"]).output().unwrap();
        let text = said(&output);
        assert!(text.contains("played no legal move") && text.contains(ending), "{script}: {text}");
        engines.wait_for_processes(0);
    }
    // An engine that refuses the board size ends the match.
    let engines = Engines::new();
    let output = engines.play("read -r command; echo '? no'; echo; wait", PASSES).output().unwrap();
    assert!(said(&output).contains("refused `boardsize 5`"), "{}", said(&output));
    engines.wait_for_processes(0);
}

#[test]
fn end_by_a_signal() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let engines = Engines::new();
        let child = engines.play(PASSES, HANGS).spawn().unwrap();
        // Both shells with a process each, and the one that the second engine waits for.
        engines.wait_for_processes(5);
        send(signal, &child);
        wait(child);
        engines.wait_for_processes(0);
        // The game is nobody's loss.
        assert_eq!(fs::read(engines.scratch.path("match/games.jsonl")).unwrap(), b"", "{signal}");
    }
}

/// Engines end before the games are flushed to the disk, however long that takes.
#[test]
fn end_when_jigo_cannot_wait_for_its_work() {
    for signals in [1, 2] {
        let engines = Engines::new();
        let [source, library, slow] = ["slow.c", "slow.so", "slow"].map(|name| engines.scratch.path(name));
        fs::write(&source, SLOW_DISK).unwrap();
        let built = Command::new("cc").args(["-shared", "-fPIC", "-o", &library, &source]).status();
        if !built.is_ok_and(|status| status.success()) {
            println!("skipped: there is no C compiler");
            return;
        }
        let mut command = engines.play(PASSES, HANGS);
        let child = command.env("LD_PRELOAD", &library).env("SLOW", &slow).spawn().unwrap();
        engines.wait_for_processes(5);
        fs::write(&slow, "").unwrap();
        let start = Instant::now();
        send("-INT", &child);
        engines.wait_for_processes(0);
        if signals == 2 {
            send("-INT", &child);
        }
        wait(child);
        engines.wait_for_processes(0);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        assert_eq!(fs::read(engines.scratch.path("match/games.jsonl")).unwrap(), b"");
    }
}

/// The system then kills what jigo started itself. What that started reads the end of its input.
#[test]
fn end_when_jigo_is_killed() {
    let engines = Engines::new();
    let mut child = engines.play(PASSES, HANGS).spawn().unwrap();
    engines.wait_for_processes(5);
    child.kill().unwrap();
    child.wait().unwrap();
    let is_shell = |process: &u32| {
        fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|arguments| arguments.starts_with(b"sh\0"))
    };
    let start = Instant::now();
    while engines.processes().iter().any(is_shell) {
        assert!(start.elapsed() < Duration::from_secs(10), "an engine outlives jigo");
        thread::sleep(Duration::from_millis(5));
    }
}
