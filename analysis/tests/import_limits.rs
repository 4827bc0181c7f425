//! Records with more text than anybody writes: what is stored of them stays within the bounds that reading them keeps.

use std::{fs, path::Path};

use jigo_analysis::{ImportOptions, ReadProgress, import};
use jigo_selfplay::{
    Progress,
    dataset::{ImportManifest, ImportedDataset, Provenance, VerifyOptions, verify},
};

/// Imports these files and verifies what was written.
fn imported(dir: &Path, files: &[String]) -> ImportManifest {
    let (records, out) = (dir.join("records"), dir.join("out"));
    fs::create_dir(&records).unwrap();
    for (number, text) in files.iter().enumerate() {
        fs::write(records.join(format!("{number:03}.sgf")), text).unwrap();
    }
    let options = ImportOptions::new(Provenance { version: "1".to_owned(), commit: "unknown".to_owned() });
    let manifest = import(&[records], &options, &out, &ReadProgress::new()).unwrap();
    let report = verify(&out, VerifyOptions::default(), &Progress::new()).unwrap();
    assert!(report.is_ok(), "{:?}", report.problems);
    manifest
}

#[test]
fn long_texts_end_a_page_early() {
    let dir = tempfile::tempdir().unwrap();
    // Together more than a page may hold, and no two equal.
    let text = |number: usize| format!("{number:08}").repeat(1 << 17);
    let files: Vec<String> = (0..100).map(|number| format!("(;SZ[5]GC[{}];B[cc])", text(number))).collect();
    assert_eq!(imported(dir.path(), &files).games, 100);
    let games = ImportedDataset::open_complete(&dir.path().join("out")).unwrap();
    for (number, game) in games.games().enumerate() {
        assert!(game.unwrap().record.game.info.get("GC") == Some(&text(number)), "game {number}");
    }
}

#[test]
fn a_long_name_with_many_values_is_no_bomb() {
    let dir = tempfile::tempdir().unwrap();
    // Two megabytes, which would fill a terabyte: the name stands beside each value.
    let bomb = format!("(;SZ[5]{}{};B[cc])", "A".repeat(1 << 20), "[]".repeat(1 << 19));
    let manifest = imported(dir.path(), &[bomb, "(;SZ[5];B[cc])".to_owned()]);
    assert_eq!((manifest.games, manifest.faults.faults), (1, 1));
    let faults = fs::read_to_string(dir.path().join("out/faults.csv")).unwrap();
    assert!(faults.contains("000.sgf,0,,record,too large"), "{faults}");
}
