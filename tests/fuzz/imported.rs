//! Shards of imported games whose digests were made to fit.

use std::{cell::RefCell, fs, path::Path};

use jigo_analysis::records::{ImportOptions, ReadProgress, import};
use jigo_selfplay::{
    Progress,
    dataset::{ImportedDataset, Provenance, ReplayMode, verify},
};

use crate::{forged::Forged, harness::Target};

#[test]
fn imported() {
    let dir = Target::folder("imported").join("games");
    _ = fs::remove_dir_all(&dir);
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus/sgf");
    let options = ImportOptions::new(Provenance { version: "0".to_owned(), commit: "0".to_owned() });
    let games = import(&[records], &options, &dir, &ReadProgress::new()).unwrap().games;
    assert!(games > 3, "only {games} games to begin with");
    let forged = RefCell::new(Forged::new(&dir));
    let made = vec![forged.borrow().sound.clone()];
    let target = Target { name: "imported", made: made.clone(), tokens: &["PAR1"], memory: 1 << 30 };
    target.run(|bytes, _| {
        forged.borrow_mut().put(bytes);
        let is_sound = made[0] == bytes;
        let report = verify(&dir, ReplayMode::Fast, &Progress::new()).unwrap();
        assert!(report.problems.iter().all(|problem| problem.to_string().contains("shard-000000")));
        assert!(report.is_ok() || !is_sound, "{:?}", report.problems);
        let read: Result<Vec<_>, _> = ImportedDataset::open_complete(&dir).unwrap().games().collect();
        match read {
            Ok(read) => assert_eq!(read.len() as u64, games),
            Err(error) => assert!(!is_sound && !report.is_ok(), "only reading found: {error}"),
        }
    });
}
