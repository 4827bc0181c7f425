//! Clocks that jump, and files whose times make no sense: neither decides anything.

use std::{
    fs::{self, File},
    process::Command,
    time::{Duration, SystemTime},
};

use super::{Draws, Scratch, assert_same, files, jigo, play_little, rounds, said, succeed};

const CLOCK: &str = r"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, __func__);
    int result = real(clock, time);
    CHANGE
    return result;
}
";

/// Every look at the clock is a jump: decades ahead, back, before 1970.
const JUMPS: &str = "
    static _Atomic long calls;
    static const long years[] = {0, 40, -20, -70, 5, -5, 100};
    if (clock == CLOCK_REALTIME) time->tv_sec += years[calls++ % 7] * 31556952L;";

/// A library that makes this of the time that the clock shows; `None`, said on the output, where that cannot be.
pub(super) fn clock(scratch: &Scratch, change: &str) -> Option<String> {
    let [source, library] = ["clock.c", "clock.so"].map(|name| scratch.path(name));
    fs::write(&source, CLOCK.replace("CHANGE", change)).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o", &library, &source, "-ldl"]).status();
    if !cfg!(target_os = "linux") || !built.is_ok_and(|status| status.success()) {
        println!("skipped: the clock can be turned on Linux with a C compiler only");
        return None;
    }
    Some(library)
}

#[test]
fn that_jumps_at_every_look() {
    let scratch = Scratch::new();
    let Some(library) = clock(&scratch, JUMPS) else { return };
    let commands = |out: &str| {
        let [data, csv, report] = ["data", "csv", "report"].map(|name| format!("{out}/{name}"));
        let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        [
            words(play_little(&data).join(" ")),
            words(format!("export {data} --to csv --out {csv}")),
            words(format!("study --size 3 --games 500 --out {report}")),
            words(format!("verify --replay {data}")),
            words(format!("verify {csv}")),
        ]
    };
    let [usual, jumping] = ["usual", "jumping"].map(|name| scratch.path(name));
    let run = |out: &str, preload: &str| {
        for command in commands(out) {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            let output = jigo(&words).env("LD_PRELOAD", preload).output().unwrap();
            assert!(output.status.success(), "{command:?}: {}", said(&output));
        }
        let mut all = files(out);
        // The page names the command, and with it the folder; the list has a digest of the page.
        all.remove("report/report.html").unwrap();
        all.remove("report/files.json").unwrap();
        all
    };
    let expected = run(&usual, "");
    for _ in 0..rounds() {
        assert_eq!(run(&jumping, &library), expected);
        fs::remove_dir_all(&jumping).unwrap();
    }
}

#[test]
fn files_from_the_future_and_the_past() {
    let scratch = Scratch::new();
    let [whole, broken] = ["whole", "broken"].map(|name| scratch.path(name));
    succeed(&play_little(&whole));
    let mut draws = Draws(6);
    for _ in 0..rounds() {
        succeed(&[&play_little(&broken)[..], &["--shard", "1/2"]].concat());
        // What a writer that died would have left.
        fs::create_dir_all(format!("{broken}/partial")).unwrap();
        fs::write(format!("{broken}/partial/shard-000000.parquet.1-1-1.partial"), "half").unwrap();
        for name in files(&broken).keys() {
            let distance = Duration::from_secs(draws.below(40 * 31_556_952) as u64);
            let now = SystemTime::now();
            let time = if draws.below(2) == 0 { now + distance } else { now - distance };
            File::options().write(true).open(format!("{broken}/{name}")).unwrap().set_modified(time).unwrap();
        }
        succeed(&play_little(&broken));
        assert_same(&whole, &broken);
        succeed(&["verify", &broken]);
        fs::remove_dir_all(&broken).unwrap();
    }
}
