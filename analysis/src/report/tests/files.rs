//! Reports are whole or absent, and nobody else's files are touched.

use std::{fs, path::Path};

use super::{meta, small_study, write_report};
use crate::{
    cells::Cells,
    report::{ReportFolder, ReportFolderError, is_report, verify_report},
};

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Publishes these files, whose contents are their names.
fn publish(dir: &Path, command: &str, force: bool, files: &[&str]) -> Result<(), ReportFolderError> {
    let mut folder = ReportFolder::open(dir, command, force)?;
    for name in files {
        folder.add(name, name.as_bytes())?;
    }
    folder.publish().map(drop)
}

fn problems(dir: &Path) -> Vec<String> {
    verify_report(dir).unwrap().problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_report_replaces_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    assert!(!is_report(dir));
    publish(dir, "analyze", false, &["records/report.html", "datasets/report.html"]).unwrap();
    assert!(is_report(dir) && problems(dir).is_empty());
    // What a killed writer left does not stand in the way.
    fs::write(dir.join("report.html.1-a-0.partial"), "x").unwrap();
    publish(dir, "analyze", false, &["report.html", "records/faults.csv"]).unwrap();
    assert_eq!(names(dir), ["files.json", "records", "report.html"]);
    assert_eq!(names(&dir.join("records")), ["faults.csv"]);
    assert_eq!(problems(dir), [""; 0]);
}

#[test]
fn what_another_wrote_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    fs::write(dir.join("summary.csv"), "mine").unwrap();
    let error = publish(dir, "study", false, &["summary.csv"]).unwrap_err().to_string();
    assert!(error.contains("summary.csv") && error.contains("--out") && error.contains("--force"), "{error}");
    assert_eq!(
        (names(dir), fs::read(dir.join("summary.csv")).unwrap()),
        (vec!["summary.csv".to_owned()], b"mine".to_vec())
    );
    publish(dir, "study", true, &["summary.csv", "rules.csv"]).unwrap();
    assert_eq!(names(dir), ["files.json", "rules.csv", "summary.csv"]);
    let error = publish(dir, "merge", false, &["summary.csv"]).unwrap_err().to_string();
    assert!(error.contains("`jigo study`") && error.contains("--force"), "{error}");
    publish(dir, "merge", true, &["summary.csv"]).unwrap();
    assert_eq!(names(dir), ["files.json", "summary.csv"]);
    // A file beside the report is nobody's but the user's.
    fs::write(dir.join("notes"), "mine").unwrap();
    assert!(
        matches!(publish(dir, "merge", false, &["summary.csv"]), Err(ReportFolderError::Foreign { found, .. }) if found == "notes")
    );
    publish(dir, "merge", true, &["summary.csv"]).unwrap();
    assert_eq!(names(dir), ["files.json", "notes", "summary.csv"]);
}

#[test]
fn the_second_writer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("new/report");
    let first = ReportFolder::open(&dir, "analyze", false).unwrap();
    for force in [false, true] {
        let error = ReportFolder::open(&dir, "analyze", force).unwrap_err().to_string();
        let process = format!("process {} writes", std::process::id());
        assert!(error.contains(&process) && error.contains("report"), "{error}");
    }
    // A report that is given up leaves nothing.
    drop(first);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn tables_of_runs_have_no_text_that_needs_a_mark() {
    let folder = tempfile::tempdir().unwrap();
    let paths = write_report(folder.path(), &small_study(300), &meta()).unwrap();
    let tables = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "csv"));
    let mut rows = 0;
    for path in tables {
        for row in ::csv::Reader::from_path(path).unwrap().records() {
            row.unwrap().iter().for_each(|cell| assert_eq!(Cells::Marked.cell(cell), cell));
            rows += 1;
        }
    }
    assert!(rows > 100, "{rows}");
}

#[test]
fn when_one_file_cannot_be_written_none_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    publish(dir, "study", false, &["report.html", "summary.csv"]).unwrap();
    let mut report = ReportFolder::open(dir, "study", false).unwrap();
    report.add("report.html", b"new").unwrap();
    let error = report.add(&"x".repeat(300), b"new").unwrap_err().to_string();
    assert!(error.contains("xxx") && error.contains("--out"), "{error}");
    drop(report);
    assert_eq!(names(dir), ["files.json", "report.html", "summary.csv"]);
    assert_eq!(problems(dir), [""; 0]);
}

#[test]
fn every_change_of_a_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let write = || publish(dir, "study", true, &["datasets/report.html", "summary.csv"]).unwrap();
    write();
    fs::write(dir.join("summary.csv"), "summary.csw").unwrap();
    fs::remove_file(dir.join("datasets/report.html")).unwrap();
    fs::write(dir.join("datasets/notes"), "").unwrap();
    let found = problems(dir);
    let starts = ["datasets/notes: does not belong", "datasets/report.html: missing", "summary.csv: damaged"];
    assert!(
        found.len() == 3 && found.iter().zip(starts).all(|(found, start)| found.starts_with(start)),
        "{found:?}"
    );
    write();
    let list = dir.join("files.json");
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replace("true", "false")).unwrap();
    assert!(problems(dir)[0].starts_with("files.json: damaged"), "{:?}", problems(dir));
    // A list that is no list is not believed.
    assert!(publish(dir, "study", false, &["summary.csv"]).is_err());
}

#[cfg(unix)]
#[test]
fn links_are_replaced_and_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let [dir, mine] = ["report", "mine"].map(|name| folder.path().join(name));
    fs::create_dir_all(&dir).unwrap();
    fs::create_dir_all(&mine).unwrap();
    fs::write(mine.join("report.html"), "mine").unwrap();
    symlink(mine.join("report.html"), dir.join("report.html")).unwrap();
    symlink(&mine, dir.join("records")).unwrap();
    assert!(publish(&dir, "analyze", false, &["report.html"]).is_err());
    publish(&dir, "analyze", true, &["report.html", "records/report.html"]).unwrap();
    assert_eq!(fs::read(mine.join("report.html")).unwrap(), b"mine");
    assert_eq!(fs::read(dir.join("records/report.html")).unwrap(), b"records/report.html");
}
