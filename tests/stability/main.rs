//! What docs/stability.md promises: files of every format's versions that must stay readable, and a changelog that names the versions in force.
//!
//! `tests/golden/<format>-v<version>` holds what the command wrote when that version began. For a new version `JIGO_BLESS=1 cargo test --test
//! stability` writes the folder; a folder that is there is never written again.

mod arrays;
mod contents;
mod formats;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use formats::FORMATS;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What to do when a golden file differs.
const CHANGED: &str = "a format changed. If that is not meant, find out why. If it is: raise the format's version, name it in CHANGELOG.md \
    under Formats, and write its folder with `JIGO_BLESS=1 cargo test --test stability`. Files of the old version stay readable, or the changelog says \
    that they are not and the old folder goes. docs/stability.md has the whole list";

/// What the command prints, which must succeed.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    printed_in(&golden(), arguments)
}

/// As [`printed`], from a folder: files that name others then name them as seen from there.
#[track_caller]
fn printed_in(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let output = command.output().expect("the command starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

fn golden() -> PathBuf {
    Path::new(ROOT).join("tests/golden")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

/// The versions that `jigo --version` states: of the games, then of each format.
fn versions() -> (u32, Vec<(String, u32)>) {
    let all = printed(&["--version"]);
    let line = |start: &str| {
        let found = all.lines().find_map(|line| line.strip_prefix(start));
        found.unwrap_or_else(|| panic!("`{start}` is missing in: {all}")).to_owned()
    };
    let format = |pair: &str| {
        let (name, version) = pair.split_once(' ').expect("a name and a version");
        (name.to_owned(), version.parse().expect("a number"))
    };
    (line("games ").parse().expect("a number"), line("formats: ").split(", ").map(format).collect())
}

fn folder(name: &str, version: u32) -> PathBuf {
    golden().join(format!("{name}-v{version}"))
}

#[test]
fn every_current_version_has_golden_files_and_is_still_written() {
    let (games, formats) = versions();
    let signatures = format!("selfplay/tests/data/games-v{games}/signatures.csv");
    assert!(Path::new(ROOT).join(&signatures).exists(), "{signatures} is missing");
    let names: Vec<&str> = formats.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, FORMATS.map(|format| format.name), "formats.rs lacks a format, or has one too many");
    let scratch = tempfile::tempdir().unwrap();
    for (format, (name, version)) in FORMATS.iter().zip(&formats) {
        let expected = folder(name, *version);
        if !expected.exists() && std::env::var_os("JIGO_BLESS").is_some() {
            fs::create_dir_all(&expected).unwrap();
            (format.write)(&expected);
        }
        assert!(expected.exists(), "{} is missing: {CHANGED}", expected.display());
        let written = scratch.path().join(name);
        fs::create_dir(&written).unwrap();
        (format.write)(&written);
        (format.compare)(&expected, &written);
    }
}

#[test]
fn files_of_all_versions_are_read() {
    let scratch = tempfile::tempdir().unwrap();
    let mut read = 0;
    for entry in fs::read_dir(golden()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let (format, version) = name.split_once("-v").unwrap_or_else(|| panic!("{name} names no version"));
        version.parse::<u32>().unwrap_or_else(|_| panic!("{name} names no version"));
        let format = FORMATS.iter().find(|known| known.name == format);
        let format = format.unwrap_or_else(|| panic!("{name} is of no format that formats.rs knows"));
        if let Some(check) = format.read {
            check(&path, &scratch.path().join(name));
            read += 1;
        }
    }
    assert!(read >= 4, "only {read} formats are read");
}

/// The newest section of the changelog.
fn newest_changes() -> String {
    let changelog = fs::read_to_string(Path::new(ROOT).join("CHANGELOG.md")).unwrap();
    changelog.split("\n## ").nth(1).expect("a section").to_owned()
}

#[test]
fn the_changelog_names_the_current_versions() {
    let newest = newest_changes();
    let version = env!("CARGO_PKG_VERSION");
    let heading = newest.lines().next().unwrap();
    assert!(heading.starts_with(version), "the first section is `{heading}`, not {version}");
    let section = |name: &str| {
        let found = newest.split("\n### ").find_map(|part| part.strip_prefix(name)).map(str::to_lowercase);
        found.unwrap_or_else(|| panic!("the section of {version} has no `### {name}`"))
    };
    let states = |text: &str, what: &str| {
        let ends = |rest: &str| !rest.starts_with(|next: char| next.is_ascii_digit());
        text.match_indices(what).any(|(place, _)| ends(&text[place + what.len()..]))
    };
    let (games, formats) = versions();
    let signatures = section("Signatures");
    assert!(states(&signatures, &format!("games version {games}")), "games version {games}: {signatures}");
    assert!(
        signatures.contains("games of a seed change:"),
        "say whether the games of a seed change: {signatures}"
    );
    let stated = section("Formats");
    for (name, version) in formats {
        let what = format!("{name} {version}");
        assert!(states(&stated, &what), "`{what}` is not in Formats: {stated}");
    }
}
