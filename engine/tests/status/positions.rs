//! Positions with known statuses, each in a file of its own: comments, a diagram, and a line for each chain asked about: `D7 alive`, or `D7 ko superko` where the
//! rule about ko decides, or `D7 seki no-suicide` where only this rule leaves few enough lines of play.

use std::{fs, path::PathBuf};

use jigo_engine::{Board, Judge, Ko, Point, Suicide};

/// What a search may look at in these positions.
const LIMIT: usize = 200_000;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/positions"))
}

/// The diagram and the expected statuses of a file.
fn parsed(text: &str) -> (String, Vec<(String, String, Option<String>)>) {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let text = lines.join("\n");
    let (diagram, expected) = text.trim().split_once("\n\n").expect("a diagram, an empty line, statuses");
    let expected = expected.lines().map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        (words.next().expect("a point"), words.next().expect("a status"), words.next())
    });
    (diagram.to_owned(), expected.collect())
}

#[test]
fn positions_with_known_statuses() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut checked = 0;
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy();
        let (diagram, expected) = parsed(&fs::read_to_string(file).unwrap());
        for (suicide, ko, names) in [
            (Suicide::Forbidden, Ko::Simple, ["simple-ko", "no-suicide"]),
            (Suicide::Allowed, Ko::Simple, ["simple-ko", "suicide"]),
            (Suicide::Forbidden, Ko::PositionalSuperko, ["superko", "no-suicide"]),
            (Suicide::Allowed, Ko::PositionalSuperko, ["superko", "suicide"]),
        ] {
            let board: Board = Board::from_diagram(&diagram, suicide).unwrap();
            let position = board.position();
            let chains = Judge::with_limit(suicide, ko, LIMIT).chains(&position);
            for (point, status, only) in &expected {
                if only.as_ref().is_some_and(|only| !names.contains(&only.as_str())) {
                    continue;
                }
                let point = Point::from_gtp(point, position.size()).unwrap();
                let chain = chains.iter().find(|chain| chain.stones.contains(&point));
                let found = chain.unwrap_or_else(|| panic!("{name}: no stone on {point:?}")).status;
                assert_eq!(found.name(), status, "{name} {names:?}\n{position:#}");
                checked += 1;
            }
        }
    }
    println!("{} positions, {checked} statuses", files.len());
    assert!(files.len() >= 34);
}
