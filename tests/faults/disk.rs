//! A disk that is full, or may not be written to: one clear error, and nothing is lost that was there.

use std::{fs, process::Command};

use super::{JIGO, Scratch, assert_same, files, in_own_mounts, play, play_little, said, succeed};

/// Runs commands on a small disk of their own; what they leave there is copied to `kept`.
fn on_small_disk(scratch: &Scratch, size: &str, commands: &str) -> Option<String> {
    let [disk, kept] = ["disk", "kept"].map(|name| scratch.path(name));
    fs::create_dir_all(&disk).unwrap();
    let script = format!(
        "mount -t tmpfs -o size={size} tmpfs '{disk}' || exit 77
         cd '{disk}' || exit 78
         {commands}
         rm -f filler; cp -r '{disk}' '{kept}'"
    );
    let output = in_own_mounts(&script)?;
    assert!(output.status.success(), "{:?} {}", output.status, said(&output));
    Some(said(&output))
}

#[test]
fn play_on_a_full_disk_keeps_the_finished_shards() {
    // A disk may be full at any page of a shard, its last one too.
    for kib in (352..400).step_by(4) {
        let scratch = Scratch::new();
        let [whole, data] = ["whole", "kept/data"].map(|name| scratch.path(name));
        succeed(&play(&whole));
        let play_there = play("data").join(" ");
        let commands = format!("'{JIGO}' {play_there}; test $? -eq 1 || exit 79");
        let Some(text) = on_small_disk(&scratch, &format!("{kib}k"), &commands) else { return };
        assert!(text.contains("no space left") && text.contains("run the same command again"), "{text}");
        assert_eq!(text.matches("error:").count(), 1, "{text}");
        let names: Vec<String> = files(&data).into_keys().collect();
        let shards = names.iter().filter(|name| name.starts_with("data/")).count();
        assert!((1..16).contains(&shards), "{names:?}");
        assert!(names.iter().all(|name| !name.ends_with(".partial")), "{names:?}");
        succeed(&play(&data));
        assert_same(&whole, &data);
    }
}

/// The limit of file sizes makes one clear error, and no signal ends the process.
#[test]
fn files_above_the_limit_of_the_shell_are_refused() {
    let scratch = Scratch::new();
    let [data, games, report, whole] = ["data", "games", "report", "whole"].map(|name| scratch.path(name));
    succeed(&play(&whole));
    for arguments in [
        play(&data),
        vec!["export", &whole, "--to", "csv", "--out", &games],
        vec!["study", "--size", "5", "--games", "2000", "--out", &report],
    ] {
        // 4 or 8 KiB: shells count differently.
        let script = format!("ulimit -f 8; exec '{JIGO}' {}", arguments.join(" "));
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(
            text.contains("File too large") && text.matches("error:").count() == 1,
            "{arguments:?}: {text}"
        );
    }
    assert!(!files(&data).keys().any(|name| name.ends_with(".partial")));
    succeed(&play(&data));
    assert_same(&whole, &data);
}

#[test]
fn a_report_on_a_full_disk_leaves_the_old_one() {
    let scratch = Scratch::new();
    let study = |seed: u32| format!("'{JIGO}' study --size 5 --games 2000 --seed {seed} --out report");
    let commands = format!(
        "{}; cp -r report ../old
         cat /dev/zero > filler 2> /dev/null
         {}; test $? -eq 1 || exit 79",
        study(1),
        study(2)
    );
    let Some(text) = on_small_disk(&scratch, "8m", &commands) else { return };
    assert!(text.contains("error: no space left for report/") && text.contains("No space left"), "{text}");
    assert_same(&scratch.path("old"), &scratch.path("kept/report"));
}

#[test]
fn an_export_on_a_full_disk_keeps_whole_files() {
    let scratch = Scratch::new();
    let [data, whole, kept] = ["data", "whole", "kept/out"].map(|name| scratch.path(name));
    succeed(&["play", "--size", "7", "--games", "6000", "--shard-games", "1000", "--out", &data]);
    let export = |out: &str| format!("export {data} --to sgf --games-per-file 500 --out {out}");
    let words = export(&whole);
    succeed(&words.split(' ').collect::<Vec<_>>());
    let commands = format!("'{JIGO}' {}; test $? -eq 1 || exit 79", export("out"));
    let Some(text) = on_small_disk(&scratch, "1m", &commands) else { return };
    assert!(text.contains("no space left for") && text.contains("run the same command again"), "{text}");
    let (expected, found) = (files(&whole), files(&kept));
    assert!(found.len() > 1 && found.len() < expected.len(), "{:?}", found.keys());
    for (name, bytes) in found.iter().filter(|(name, _)| *name != "export.json") {
        assert!(expected[name] == *bytes, "{name} is not whole");
    }
}

/// Not by permission bits, which do not bind root: the folder is mounted for reading only.
#[test]
fn a_folder_that_may_only_be_read() {
    let scratch = Scratch::new();
    let [folder, data] = ["folder", "folder/data"].map(|name| scratch.path(name));
    succeed(&play_little(&data));
    succeed(&["study", "--size", "3", "--games", "500", "--out", &format!("{folder}/report")]);
    succeed(&["export", &data, "--to", "csv", "--out", &format!("{folder}/csv")]);
    let before = files(&folder);
    let writes = [
        play_little("data2").join(" "),
        format!("{} --seed 1", play_little("data").join(" ")),
        "study --size 3 --games 500 --seed 2 --out report".to_owned(),
        "study --size 3 --games 500 --out new/report".to_owned(),
        "export data --to csv --out csv".to_owned(),
        "export data --to sgf --out sgf".to_owned(),
        "analyze data --out measured".to_owned(),
        "match --size 5 --games 2 policy:eye-safe policy:uniform --out match".to_owned(),
    ];
    let reads =
        ["verify data", "verify csv", "analyze data --out ../measured", "merge report --out ../merged"];
    let refused = |command: &String| {
        format!(
            "echo 'command: {command}'; '{JIGO}' {command} > /dev/null 2> ../said; test $? -eq 1 || exit 79; cat ../said\n"
        )
    };
    let done = |command: &&str| format!("'{JIGO}' {command} > /dev/null 2>&1 || exit 80\n");
    let script = format!(
        "cd '{folder}/..' && mount --bind folder folder && mount -o remount,bind,ro folder || exit 77
         cd '{folder}' && ! touch probe 2> /dev/null || exit 77
         {}{}",
        writes.iter().map(refused).collect::<String>(),
        reads.iter().map(done).collect::<String>()
    );
    let Some(output) = in_own_mounts(&script) else { return };
    let text = said(&output);
    assert!(output.status.success(), "{:?} {text}", output.status);
    for part in text.split("command: ").skip(1) {
        assert_eq!(part.matches("error:").count(), 1, "{part}");
        assert!(part.contains("Read-only file system") && !part.contains("panicked"), "{part}");
    }
    assert_eq!(files(&folder), before);
}
