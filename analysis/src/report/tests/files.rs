//! Files that appear whole or not at all.

use std::fs;

use super::*;

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_a_killed_writer_left_is_removed_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    for name in ["report.html.1-a-0.partial", "notes.partial"] {
        fs::write(dir.join(name), "x").unwrap();
    }
    let files = [("report.html", b"new".to_vec()), ("summary.json", b"{}".to_vec())];
    let paths = write_all(dir, &files).unwrap();
    assert_eq!(paths, ["report.html", "summary.json"].map(|name| dir.join(name)));
    assert_eq!(names(dir), ["notes.partial", "report.html", "summary.json"]);
}

#[test]
fn when_one_file_cannot_be_written_none_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("report.html"), "old").unwrap();
    let files = [("report.html", b"new".to_vec()), ("no/such/folder.csv", Vec::new())];
    let error = write_all(folder.path(), &files).unwrap_err();
    assert!(error.to_string().contains("folder.csv"), "{error}");
    assert_eq!(names(folder.path()), ["report.html"]);
    assert_eq!(fs::read(folder.path().join("report.html")).unwrap(), b"old");
}
