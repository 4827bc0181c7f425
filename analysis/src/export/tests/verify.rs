//! Exports that were changed.

use std::fs;

use jigo_selfplay::dataset::Problem;

use super::{CSV, all, dataset, run_export, spec};
use crate::export::{
    EXPORT_FORMAT_VERSION, ExportError,
    folder::{Manifest, Origin},
    verify_export,
};

#[test]
fn every_change_of_an_export_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3", "tromp-taylor", "eye-safe", 60);
    let out = folder.path().join("out");
    let summary = run_export(&dataset, &spec(CSV, all()), &out);
    let report = verify_export(&out).unwrap();
    assert_eq!(
        (report.files, report.problems.len()),
        (summary.files.len() as u64, 0),
        "{:?}",
        report.problems
    );
    let found = |file: &str, words: &str| {
        let problems = verify_export(&out).unwrap().problems;
        let named = |problem: &Problem| problem.file == file && problem.kind.to_string().contains(words);
        assert!(problems.iter().any(named), "{file}: {words}: {problems:?}");
    };
    let manifest = fs::read(out.join("export.json")).unwrap();
    for place in 0..manifest.len() {
        let mut flipped = manifest.clone();
        flipped[place] ^= 1 << (place % 8);
        fs::write(out.join("export.json"), flipped).unwrap();
        found("export.json", "");
    }
    let text = String::from_utf8(manifest.clone()).unwrap();
    let version = |number: u32| format!("\"format_version\": {number}");
    let other = text.replace(&version(EXPORT_FORMAT_VERSION), &version(EXPORT_FORMAT_VERSION + 1));
    assert_ne!(other, text);
    fs::write(out.join("export.json"), other).unwrap();
    found("export.json", "use the jigo that wrote it");
    fs::write(out.join("export.json"), &manifest).unwrap();

    let table = fs::read(out.join("games.csv")).unwrap();
    fs::write(out.join("games.csv"), &table[1..]).unwrap();
    found("games.csv", "bytes long");
    fs::write(out.join("games.csv"), [&b"G"[..], &table[1..]].concat()).unwrap();
    found("games.csv", "damaged");
    fs::remove_file(out.join("games.csv")).unwrap();
    found("games.csv", "missing");
    fs::write(out.join("games.csv"), table).unwrap();
    fs::write(out.join("notes.txt"), "").unwrap();
    found("notes.txt", "does not belong");
    fs::remove_file(out.join("notes.txt")).unwrap();
    assert!(verify_export(&out).unwrap().problems.is_empty());
    assert!(matches!(verify_export(folder.path()), Err(ExportError::File(_))));
}

/// A list made to deceive names files elsewhere; nothing outside the folder is read.
#[test]
fn an_export_has_files_in_its_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3", "tromp-taylor", "eye-safe", 60);
    let out = folder.path().join("out");
    let mut summary = run_export(&dataset, &spec(CSV, all()), &out);
    summary.files[0].file = "../dataset/manifest.json".to_owned();
    let about = dataset.manifest();
    let origin = Origin::Run(Box::new(about.run.clone()));
    let forged = Manifest::new(origin, &about.run_fingerprint, &spec(CSV, all()));
    let forged = forged.completed(summary.counts, summary.files).to_json();
    fs::write(out.join("export.json"), forged).unwrap();
    let problems = verify_export(&out).unwrap().problems;
    assert!(problems[0].kind.to_string().contains("no name of a file in this folder"), "{problems:?}");
}
