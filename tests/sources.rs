//! The statements of the source documents, tried as `docs/sources.md` says.
#![cfg(unix)]

use std::{
    collections::BTreeSet,
    env, fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
};

const PAGE: &str = include_str!("../docs/sources.md");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A row of a table: statement, commands with what they print, remarks.
struct Row {
    line: usize,
    cells: [String; 3],
}

/// A command, and texts that it prints in this order.
struct Trial<'a> {
    command: &'a str,
    printed: Vec<&'a str>,
}

/// Returns the rows of all tables of the page, without their heads.
fn rows() -> Vec<Row> {
    let lines = PAGE.lines().enumerate().filter(|(_, line)| line.starts_with("| "));
    let rows = lines.map(|(index, text)| {
        let whole = text.replace("\\|", "\0");
        let cells: Vec<String> =
            whole.trim_matches('|').split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        let cells = cells.try_into().unwrap_or_else(|cells| panic!("line {}: {cells:?}", index + 1));
        Row { line: index + 1, cells }
    });
    rows.filter(|row| !["statement", "---"].contains(&row.cells[0].as_str())).collect()
}

impl Row {
    /// Reads `` `command` → `text`, `text`; `command` → `text` ``.
    fn trials(&self) -> Vec<Trial<'_>> {
        let mut trials: Vec<Trial<'_>> = Vec::new();
        let parts: Vec<&str> = self.cells[1].split('`').collect();
        for pair in parts.chunks_exact(2) {
            match (pair[0], trials.last_mut()) {
                ("", None) | ("; ", Some(_)) => trials.push(Trial { command: pair[1], printed: Vec::new() }),
                (" → ", Some(trial)) if trial.printed.is_empty() => trial.printed.push(pair[1]),
                (", ", Some(trial)) if !trial.printed.is_empty() => trial.printed.push(pair[1]),
                (other, _) => panic!("line {}: {other:?} before `{}`", self.line, pair[1]),
            }
        }
        assert_eq!(parts.last(), Some(&""), "line {}: {}", self.line, self.cells[1]);
        for trial in &trials {
            assert!(!trial.printed.is_empty(), "line {}: what does `{}` print?", self.line, trial.command);
        }
        trials
    }

    /// Returns the tests that the remarks name.
    fn tests(&self) -> impl Iterator<Item = &str> {
        let spans = self.cells[2].split('`').skip(1).step_by(2);
        spans.filter(|span| span.contains('_') && !span.contains(['/', ' ', '.']))
    }
}

/// Writes every run of blanks as one.
fn squeezed(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

/// Returns what follows the first place where `text` has `part` as whole words and numbers.
fn after<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    text.match_indices(part).find_map(|(start, _)| {
        let rest = &text[start + part.len()..];
        let follows = rest.strip_prefix('.').unwrap_or(rest);
        let is_cut =
            text[..start].ends_with(char::is_alphanumeric) || follows.starts_with(char::is_alphanumeric);
        (!is_cut).then_some(rest)
    })
}

impl Trial<'_> {
    /// Runs the command in `folder`, and says what is wrong with its output.
    fn fault(&self, folder: &Path) -> Option<String> {
        let jigo = Path::new(env!("CARGO_BIN_EXE_jigo")).parent().unwrap();
        let path =
            env::join_paths([jigo.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH")?)));
        let mut command = Command::new("sh");
        command.args(["-c", self.command]).current_dir(folder).env("PATH", path.unwrap());
        let output = command.stdin(Stdio::null()).output().expect("sh starts");
        let texts = [&output.stdout, &output.stderr].map(|text| squeezed(&String::from_utf8_lossy(text)));
        let all = texts.concat();
        let fault = |what| Some(format!("{}\n{what} in what it prints:\n{all}", self.command));
        let mut rest = all.as_str();
        for part in &self.printed {
            let Some(next) = after(rest, squeezed(part).trim_end()) else {
                return fault(format!("`{part}` is missing"));
            };
            rest = next;
        }
        let mut errors = all.lines().filter(|line| line.starts_with("error") || line.starts_with("? "));
        let is_told = |error: &str| self.printed.iter().any(|part| after(error, part).is_some());
        if let Some(error) = errors.find(|error| !is_told(error)) {
            return fault(format!("the row does not expect `{error}`, which is"));
        }
        if all.contains("panicked") { fault("a panic is".to_owned()) } else { None }
    }
}

#[test]
fn the_page_reads_rows_and_whole_words() {
    let cells = ["a rule", "`a | b` → `x`, `y`; `c` → `z`", "`some_test`; a `word`, `a/file_name.rs`"];
    let row = Row { line: 1, cells: cells.map(str::to_owned) };
    let trials: Vec<_> = row.trials().into_iter().map(|trial| (trial.command, trial.printed)).collect();
    assert_eq!(trials, [("a | b", vec!["x", "y"]), ("c", vec!["z"])]);
    assert_eq!(row.tests().collect::<Vec<_>>(), ["some_test"]);
    assert_eq!(after("result: B+25, B+2.5, B+2. End", "B+2"), Some(". End"));
    assert_eq!(after("B+25 B+2.5", "B+2"), None);
}

#[test]
fn every_statement_holds_when_it_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    symlink(Path::new(ROOT).join("docs/examples"), folder.path().join("examples")).unwrap();
    let mut faults = Vec::new();
    for row in rows() {
        let named = row.trials().into_iter().filter_map(|trial| trial.fault(folder.path()));
        faults.extend(named.map(|fault| format!("line {}, {}:\n{fault}", row.line, row.cells[0])));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Adds the names of all functions under a folder.
fn add_functions(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_functions(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(path).unwrap();
            names.extend(text.lines().filter_map(|line| {
                line.trim_start().strip_prefix("fn ")?.split('(').next().map(str::to_owned)
            }));
        }
    }
}

#[test]
fn every_statement_is_tried_or_tested() {
    let mut functions = BTreeSet::new();
    for folder in ["tests", "engine/tests", "selfplay/tests", "analysis/tests"] {
        add_functions(&Path::new(ROOT).join(folder), &mut functions);
    }
    let mut tried = BTreeSet::new();
    for row in rows() {
        let place = format!("line {}, {}", row.line, row.cells[0]);
        assert!(!row.trials().is_empty() || row.tests().next().is_some(), "{place}: nothing tries it");
        let unknown = row.tests().find(|&test| !functions.contains(test));
        assert_eq!(unknown, None, "{place}: no such test");
        let is_new = row.cells[1].is_empty() || tried.insert(row.cells[1].clone());
        assert!(is_new, "{place}: another row tries the same");
    }
}
