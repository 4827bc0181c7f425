//! Shards of a dataset whose digests were made to fit, so that the reader behind the digests is reached.
//!
//! The first byte of an input says which of the datasets its shard belongs to.

use std::{cell::RefCell, fs, path::Path};

use jigo_analysis::RunStats;
use jigo_selfplay::{
    Progress, Run,
    dataset::{Dataset, DatasetSpec, MovesColumn, Part, Provenance, ReplayMode, verify, write_dataset},
};

use crate::{forged::Forged, harness::Target};

/// A run of 30 games, which store whose area each point was where moves are binary.
fn written(dir: &Path, moves: MovesColumn, count_forbidden: bool) -> Forged {
    _ = fs::remove_dir_all(dir);
    let [size, rules, policy] = ["3x4", "aga", "uniform"];
    let run = Run::new(size, rules, policy).unwrap();
    let run = if count_forbidden { run.count_forbidden() } else { run };
    let provenance = Provenance { version: "0".to_owned(), commit: "0".to_owned() };
    let ownership = moves == MovesColumn::Binary;
    let spec = DatasetSpec { moves, ownership, ..DatasetSpec::new(run, 30, provenance) };
    write_dataset(dir, &spec, Part::WHOLE, &Progress::new()).unwrap();
    Forged::new(dir)
}

#[test]
fn dataset() {
    let folder = Target::folder("dataset");
    let kinds = [(MovesColumn::List, true), (MovesColumn::Binary, false), (MovesColumn::None, false)];
    let dirs = kinds.map(|(moves, _)| folder.join(moves.name()));
    let forged = [0, 1, 2].map(|kind| RefCell::new(written(&dirs[kind], kinds[kind].0, kinds[kind].1)));
    let sound = |kind: usize| [&[kind as u8][..], &forged[kind].borrow().sound].concat();
    let made: Vec<Vec<u8>> = (0..3).map(sound).collect();
    let target = Target { name: "dataset", made: made.clone(), tokens: &["PAR1"], memory: 256 << 20 };
    target.run(|bytes, _| {
        let Some((&kind, shard)) = bytes.split_first() else { return };
        let kind = usize::from(kind) % 3;
        forged[kind].borrow_mut().put(shard);
        let is_sound = made.iter().any(|sound| sound == bytes);
        let report = verify(&dirs[kind], ReplayMode::Fast, &Progress::new()).unwrap();
        assert!(report.problems.iter().all(|problem| problem.to_string().contains("shard-000000")));
        assert!(report.is_ok() || !is_sound, "{:?}", report.problems);
        let dataset = Dataset::open(&dirs[kind]).unwrap();
        match RunStats::from_dataset(&dataset, &Progress::new()) {
            Ok(cell) => assert_eq!(cell.games(), 30),
            Err(error) => {
                assert!(!is_sound && error.to_string().contains("shard"), "{error}");
                assert!(!report.is_ok(), "only measuring found: {error}");
            }
        }
        assert!(dataset.games().last().is_some());
    });
}
