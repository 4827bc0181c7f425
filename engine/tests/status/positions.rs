//! Positions with known statuses, each in a file of its own: comments, a diagram, and a line for each chain asked about: `D7 alive`, or `D7 ko superko` where the
//! rule about ko decides, or `D7 seki no-suicide` where only this rule leaves few enough lines of play. Where books use another word, a comment says which, and why.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use jigo_engine::{
    Board, Ko, Point, Suicide,
    life::{Status, StatusSolver},
};

/// What a search may look at in these positions.
const LIMIT: usize = 3_000_000;

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

/// The rules that matter, and what files call them.
const RULES: [(Suicide, Ko, [&str; 2]); 4] = [
    (Suicide::Forbidden, Ko::Simple, ["simple-ko", "no-suicide"]),
    (Suicide::Allowed, Ko::Simple, ["simple-ko", "suicide"]),
    (Suicide::Forbidden, Ko::PositionalSuperko, ["superko", "no-suicide"]),
    (Suicide::Allowed, Ko::PositionalSuperko, ["superko", "suicide"]),
];

/// Compares a file under all rules that matter, and says how many statuses were found; `unknown` passes where the limit is smaller than that of these files.
fn check(file: &Path, limit: usize) -> usize {
    let name = file.file_stem().unwrap().to_string_lossy();
    let (diagram, expected) = parsed(&fs::read_to_string(file).unwrap());
    let mut checked = 0;
    for (suicide, ko, names) in RULES {
        let board: Board = Board::from_diagram(&diagram, suicide).unwrap();
        let position = board.position();
        let chains = StatusSolver::with_limit(suicide, ko, limit).chains(&position);
        for (point, status, only) in &expected {
            if only.as_ref().is_some_and(|only| !names.contains(&only.as_str())) {
                continue;
            }
            let point = Point::from_gtp(point, position.size()).unwrap();
            let chain = chains.iter().find(|chain| chain.stones.contains(&point));
            let found = chain.unwrap_or_else(|| panic!("{name}: no stone on {point:?}")).status;
            if limit < LIMIT && found == Status::Unknown {
                continue;
            }
            assert_eq!(found.name(), status, "{name} {names:?} {limit}\n{position:#}");
            checked += 1;
        }
    }
    checked
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn positions_with_known_statuses() {
    let files = files();
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let statuses = check(file, LIMIT);
                    assert!(statuses > 0, "{file:?}");
                    checked.fetch_add(statuses, Ordering::Relaxed);
                }
            });
        }
    });
    println!("{} positions, {} statuses", files.len(), checked.into_inner());
    assert!(files.len() >= 107);
}

/// A search that may look at little says less, and nothing else.
#[test]
fn small_limits_leave_statuses_unknown() {
    let files = files();
    let limits: Vec<usize> = StatusSolver::LIMITS.into_iter().filter(|&limit| limit < 100_000).collect();
    let known_by = |&limit: &usize| files.iter().map(|file| check(file, limit)).sum::<usize>();
    let known: Vec<usize> = limits.iter().map(known_by).collect();
    println!("limits {limits:?}: {known:?} statuses known");
    assert!(known.is_sorted() && known.first() < known.last(), "{known:?}");
}
