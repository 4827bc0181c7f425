//! Records with more text than anybody writes: what is stored of them stays within the bounds that reading them keeps.

use std::{fs, path::Path};

use jigo_analysis::records::{ImportOptions, ReadProgress, import};
use jigo_selfplay::{
    Progress,
    dataset::{ImportManifest, ImportedDataset, Provenance, ReplayMode, verify},
};

/// Imports the files of a folder and verifies what was written.
fn imported(records: &Path, out: &Path) -> ImportManifest {
    let options = ImportOptions::new(Provenance { version: "1".to_owned(), commit: "unknown".to_owned() });
    let manifest = import(&[records.into()], &options, out, &ReadProgress::new()).unwrap();
    let report = verify(out, ReplayMode::No, &Progress::new()).unwrap();
    assert!(report.is_ok(), "{:?}", report.problems);
    manifest
}

/// Games that are encoded together, and decoded together, may have no more than two gigabytes of text in a column.
#[test]
#[cfg(unix)]
fn long_texts_are_written_and_read_in_pieces() {
    const GAMES: u64 = 140;
    let dir = tempfile::tempdir().unwrap();
    let (records, out) = (dir.path().join("records"), dir.path().join("out"));
    let text = "abcdefgh".repeat(2_000_000);
    assert!(GAMES * text.len() as u64 > 1 << 31, "all in one piece they are too much");
    // As large as a file may be, and the same again under many names.
    let file = dir.path().join("game.sgf");
    fs::write(&file, format!("(;SZ[5]GC[{text}];B[cc])")).unwrap();
    fs::create_dir(&records).unwrap();
    for number in 0..GAMES {
        std::os::unix::fs::symlink(&file, records.join(format!("{number:03}.sgf"))).unwrap();
    }
    assert_eq!(imported(&records, &out).games, GAMES);
    let last = ImportedDataset::open_complete(&out).unwrap().games().last().unwrap().unwrap();
    assert!(last.record.game.info.get("GC") == Some(&text));
}

#[test]
fn a_long_name_with_many_values_is_no_bomb() {
    let dir = tempfile::tempdir().unwrap();
    let (records, out) = (dir.path().join("records"), dir.path().join("out"));
    fs::create_dir(&records).unwrap();
    // A megabyte, which would fill fifty gigabytes: the name stands beside each value.
    let bomb = format!("(;SZ[5]{}{};B[cc])", "A".repeat(1 << 20), "[]".repeat(50_000));
    fs::write(records.join("bomb.sgf"), bomb).unwrap();
    fs::write(records.join("game.sgf"), "(;SZ[5];B[cc])").unwrap();
    let manifest = imported(&records, &out);
    assert_eq!((manifest.games, manifest.faults.faults), (1, 1));
    let faults = fs::read_to_string(out.join("faults.csv")).unwrap();
    assert!(faults.contains("bomb.sgf,0,,record,too large") && faults.contains("bytes of texts"), "{faults}");
}
