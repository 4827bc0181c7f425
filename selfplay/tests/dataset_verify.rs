//! Checking datasets: every kind of damage is found and named.

use std::{fs, path::Path};

use crate::datasets::{Random, check, complete, files, forge_digest, small, spec, with_forbidden};
use jigo_selfplay::{
    Progress,
    dataset::{
        Dataset, DatasetError, DatasetSpec, MovesColumn, Part, ProblemKind, ReplayMode, VerifyReport, verify,
        write_dataset,
    },
};

fn written(spec: &DatasetSpec) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    complete(dir.path(), spec);
    dir
}

#[track_caller]
fn expect(report: &VerifyReport, file: &str, is_kind: impl Fn(&ProblemKind) -> bool) {
    let found = report.problems.iter().any(|problem| problem.file == file && is_kind(&problem.kind));
    assert!(found, "{file}: {:?}", report.problems);
    assert!(report.problems.iter().all(|problem| problem.to_string().starts_with(&problem.file)));
}

#[test]
fn sound_datasets_have_no_problems() {
    for moves in [MovesColumn::List, MovesColumn::Binary, MovesColumn::None] {
        for (size, rules, policy, count_forbidden) in [
            ("5", "tromp-taylor", "eye-safe", false),
            ("6x3", "new-zealand", "guarded", true),
            ("2x3", "chinese", "uniform", false),
            ("4x5", "aga", "settled:k=2", true),
            ("3", "aga", "uct:playouts=10", true),
        ] {
            let spec = DatasetSpec { moves, ownership: count_forbidden, ..spec(size, rules, policy) };
            let dir = written(&with_forbidden(spec, count_forbidden));
            for replay in [ReplayMode::No, ReplayMode::Fast, ReplayMode::Reference] {
                let report = check(dir.path(), replay);
                assert!(report.is_ok(), "{:?}", report.problems);
                assert_eq!((report.shards, report.games), (5, 300));
                assert_eq!(report.plies > 0, replay != ReplayMode::No);
            }
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let dir = written(&small());
    let all: Vec<_> = files(dir.path()).into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
    let mut random = Random(2);
    for _ in 0..200 {
        let (name, bytes) = &all[random.below(all.len())];
        let mut flipped = bytes.clone();
        flipped[random.below(bytes.len())] ^= 1 << random.below(8);
        fs::write(dir.path().join(name), flipped).unwrap();
        let report = check(dir.path(), ReplayMode::No);
        expect(&report, name, |_| true);
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    assert!(check(dir.path(), ReplayMode::No).is_ok());
}

#[test]
fn missing_cut_and_strange_files_are_found() {
    let dir = written(&small());
    let path = |name: &str| dir.path().join(name);
    let shard = path("data/shard-000001.parquet");
    let bytes = fs::read(&shard).unwrap();

    fs::remove_file(&shard).unwrap();
    let report = check(dir.path(), ReplayMode::Fast);
    expect(&report, "data/shard-000001.parquet", |kind| *kind == ProblemKind::Missing);
    assert_eq!((report.problems.len(), report.games), (1, 236));

    for length in [0, 3, 8, 1000, bytes.len() - 1] {
        fs::write(&shard, &bytes[..length]).unwrap();
        expect(
            &check(dir.path(), ReplayMode::No),
            "data/shard-000001.parquet",
            |kind| matches!(kind, ProblemKind::Length { found, .. } if *found == length as u64),
        );
    }
    fs::write(&shard, [&bytes[..], b"x"].concat()).unwrap();
    expect(&check(dir.path(), ReplayMode::No), "data/shard-000001.parquet", |kind| {
        matches!(kind, ProblemKind::Length { .. })
    });
    fs::write(&shard, &bytes).unwrap();

    for name in ["data/.hidden", "data/shard-000005.parquet", "digests/notes.txt"] {
        fs::write(path(name), "?").unwrap();
        expect(&check(dir.path(), ReplayMode::No), name, |kind| *kind == ProblemKind::Unexpected);
        fs::remove_file(path(name)).unwrap();
    }

    let side = path("digests/shard-000002.json");
    let text = fs::read(&side).unwrap();
    fs::remove_file(&side).unwrap();
    expect(&check(dir.path(), ReplayMode::No), "digests/shard-000002.json", |kind| {
        *kind == ProblemKind::Missing
    });
    fs::write(&side, "{}").unwrap();
    expect(&check(dir.path(), ReplayMode::No), "digests/shard-000002.json", |kind| {
        matches!(kind, ProblemKind::Damaged { .. })
    });
    fs::write(&side, text).unwrap();

    let manifest = path("manifest.json");
    fs::remove_file(&manifest).unwrap();
    expect(&check(dir.path(), ReplayMode::No), "manifest.json", |kind| *kind == ProblemKind::Missing);
}

/// Opening a pipe would wait for somebody who writes to it.
#[cfg(unix)]
#[test]
fn pipes_are_not_opened() {
    let dir = written(&small());
    let name = "data/shard-000001.parquet";
    let shard = dir.path().join(name);
    fs::remove_file(&shard).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&shard).status().unwrap().success());
    expect(&check(dir.path(), ReplayMode::No), name, |kind| matches!(kind, ProblemKind::Unreadable(_)));
}

#[test]
fn shards_of_other_runs_and_places_are_found() {
    let dir = written(&small());
    let other = written(&DatasetSpec { run: small().run.seed(5), ..small() });
    let is_other = |kind: &ProblemKind| matches!(kind, ProblemKind::OtherRun { .. });
    let copy = |from: &Path, name: &str, to: &str| fs::copy(from.join(name), dir.path().join(to)).unwrap();

    copy(other.path(), "data/shard-000002.parquet", "data/shard-000002.parquet");
    expect(&check(dir.path(), ReplayMode::No), "data/shard-000002.parquet", is_other);
    copy(other.path(), "digests/shard-000002.json", "digests/shard-000002.json");
    let report = check(dir.path(), ReplayMode::No);
    expect(&report, "data/shard-000002.parquet", is_other);
    expect(&report, "digests/shard-000002.json", is_other);
    complete(dir.path(), &small());
    assert!(check(dir.path(), ReplayMode::No).is_ok());

    copy(dir.path(), "data/shard-000000.parquet", "data/shard-000001.parquet");
    expect(&check(dir.path(), ReplayMode::No), "data/shard-000001.parquet", is_other);
}

#[test]
fn unfinished_datasets_say_so() {
    let dir = tempfile::tempdir().unwrap();
    write_dataset(dir.path(), &small(), Part::new(1, 2).unwrap(), &Progress::new()).unwrap();
    let report = check(dir.path(), ReplayMode::Fast);
    let incomplete = ProblemKind::Incomplete { missing: 3, shards: 5 };
    expect(&report, "manifest.json", |kind| *kind == incomplete);
    assert_eq!((report.problems.len(), report.games), (1, 128));
}

/// The shard that the larger dataset has with more games is one of those that are missing.
#[test]
fn datasets_that_grow_say_so() {
    let dir = written(&DatasetSpec { games: 150, ..small() });
    write_dataset(dir.path(), &small(), Part::new(1, 2).unwrap(), &Progress::new()).unwrap();
    let report = check(dir.path(), ReplayMode::Fast);
    let incomplete = ProblemKind::Incomplete { missing: 2, shards: 5 };
    expect(&report, "manifest.json", |kind| *kind == incomplete);
    assert_eq!((report.problems.len(), report.games), (1, 192));
    let error = Dataset::open(dir.path()).unwrap().games().last().unwrap().unwrap_err().to_string();
    assert!(error.contains("shard-000002.parquet: not finished yet"), "{error}");
}

/// Puts a shard of another run into this one's place, with everything forged that can be without playing.
fn forge(dir: &Path, other: &Path, shard: u64) {
    let name = format!("data/shard-{shard:06}.parquet");
    let fingerprint = |dir: &Path| {
        let text = fs::read_to_string(dir.join("manifest.json")).unwrap();
        let (_, rest) = text.split_once("\"run_fingerprint\": \"").unwrap();
        rest[..64].to_owned()
    };
    let (from, to) = (fingerprint(other), fingerprint(dir));
    let mut bytes = fs::read(other.join(&name)).unwrap();
    let place = bytes.windows(64).position(|window| window == from.as_bytes()).unwrap();
    bytes[place..place + 64].copy_from_slice(to.as_bytes());
    let old = fs::read(dir.join(&name)).unwrap();
    fs::write(dir.join(&name), bytes).unwrap();
    forge_digest(dir, shard, &old);
}

#[test]
fn replay_finds_games_of_another_seed() {
    for moves in [MovesColumn::List, MovesColumn::None] {
        let spec = DatasetSpec { moves, ..small() };
        let dir = written(&spec);
        let other = written(&DatasetSpec { run: spec.run.seed(5), ..spec });
        forge(dir.path(), other.path(), 1);
        assert!(check(dir.path(), ReplayMode::No).is_ok());
        let report = check(dir.path(), ReplayMode::Fast);
        expect(&report, "data/shard-000001.parquet", |kind| matches!(kind, ProblemKind::Row { .. }));
        expect(&report, "data/shard-000001.parquet", |kind| *kind == ProblemKind::MoreRows);
        assert_eq!(report.problems[1].game_index, Some(64));
    }
}

#[test]
fn replay_finds_illegal_moves() {
    let dir = written(&spec("2", "tromp-taylor", "uniform"));
    let other = written(&spec("2", "chinese", "uniform"));
    forge(dir.path(), other.path(), 3);
    for replay in [ReplayMode::Fast, ReplayMode::Reference] {
        let report = check(dir.path(), replay);
        let illegal = report.problems.iter().find(|problem| problem.to_string().contains(": ply ")).unwrap();
        assert!(illegal.to_string().starts_with("data/shard-000003.parquet: game "), "{illegal}");
    }
}

#[test]
fn searches_that_do_not_fit_their_policy_are_found() {
    let dir = written(&spec("3", "tromp-taylor", "uct:playouts=10"));
    let other = written(&spec("3", "tromp-taylor", "uct:playouts=15"));
    forge(dir.path(), other.path(), 1);
    expect(
        &check(dir.path(), ReplayMode::No),
        "data/shard-000001.parquet",
        |kind| matches!(kind, ProblemKind::Row(reason) if reason.contains("15 visits, but a search has 10 playouts")),
    );
}

/// The two runs have the same plies and areas in many games, but hardly the same points.
#[test]
fn ownership_of_other_games_is_found() {
    let stored = DatasetSpec { ownership: true, moves: MovesColumn::None, ..spec("3", "chinese", "uniform") };
    let dir = written(&stored);
    let other = written(&DatasetSpec { run: stored.run.seed(5), ..stored });
    forge(dir.path(), other.path(), 1);
    let report = check(dir.path(), ReplayMode::Fast);
    expect(&report, "data/shard-000001.parquet", |kind| matches!(kind, ProblemKind::Row { .. }));
}

/// Damage with a forged digest reaches the Parquet library, which may give up on it, but never takes the program down.
#[test]
fn damage_with_a_forged_digest_is_survived() {
    let dir = written(&DatasetSpec { games: 64, ownership: true, ..small() });
    let name = "data/shard-000000.parquet";
    let sound = files(dir.path());
    let mut random = Random(3);
    let mut found = 0;
    for _ in 0..150 {
        let mut bytes = sound[name].clone();
        let place = random.below(bytes.len());
        bytes[place] ^= 1 << random.below(8);
        fs::write(dir.path().join(name), bytes).unwrap();
        forge_digest(dir.path(), 0, &sound[name]);
        found += usize::from(!check(dir.path(), ReplayMode::Fast).is_ok());
        for (name, bytes) in sound.iter().filter(|(name, _)| !name.ends_with('/')) {
            fs::write(dir.path().join(name), bytes).unwrap();
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn checking_can_be_stopped() {
    let dir = written(&small());
    let progress = Progress::new();
    progress.stop();
    let result = verify(dir.path(), ReplayMode::No, &progress);
    assert!(matches!(result, Err(DatasetError::Stopped)));
    let progress = Progress::new();
    verify(dir.path(), ReplayMode::No, &progress).unwrap();
    assert_eq!(progress.games(), 300);
    let empty = tempfile::tempdir().unwrap();
    let result = verify(empty.path(), ReplayMode::No, &progress);
    assert!(matches!(result, Err(DatasetError::NotADataset { .. })));
}
