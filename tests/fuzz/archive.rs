//! Archives of game records, through the analysis: members are measured or reported, and nothing is written.

use std::{fs, path::PathBuf};

use jigo_analysis::records::{AnalyzeOptions, Input, ReadProgress, analyze};

use crate::harness::Target;

const TOKENS: &[&str] = &[
    "../",
    "/",
    ".sgf",
    ".tar",
    "\0",
    "(;SZ[5];B[aa])",
    "PK\u{1}\u{2}",
    "PK\u{5}\u{6}",
    "PK\u{3}\u{4}",
    "ustar",
    "././@LongLink",
];

#[test]
fn archive() {
    let target = Target { name: "archive", made: Vec::new(), tokens: TOKENS, memory: 64 << 20 };
    let folder = Target::folder("archive");
    // The same file by four names, since the name says what it is.
    let input = folder.join("input");
    fs::write(&input, "").unwrap();
    let path = |kind: &str| -> PathBuf {
        let path = folder.join(format!("input.{kind}"));
        _ = fs::remove_file(&path);
        fs::hard_link(&input, &path).unwrap();
        path
    };
    let paths = ["tar", "tar.gz", "tar.xz", "zip"].map(path);
    let before = fs::read_dir(&folder).unwrap().count();
    target.run(|bytes, _| {
        let kind = match bytes {
            [0x1f, 0x8b, ..] => 1,
            [0xfd, b'7', ..] => 2,
            [b'P', b'K', ..] => 3,
            _ => 0,
        };
        let mut faults = 0;
        let progress = ReadProgress::new();
        let options = AnalyzeOptions::default();
        let analysis = analyze(&paths[kind..=kind], &options, <_>::default(), &progress, &mut |fault| {
            faults += 1;
            assert!(fault.file.starts_with(paths[kind].to_str().unwrap()), "{fault:?}");
            Ok(())
        });
        let records = analysis.unwrap().records;
        assert_eq!(records.faults.count(), faults);
        assert!(
            records.games() + faults + records.other_files + records.files > 0
                || Input::new(&paths[kind]) == Input::Records(paths[kind].clone())
        );
    });
    let left = fs::read_dir(&folder).unwrap().count();
    assert!(left <= before, "something was written beside the archives");
}
