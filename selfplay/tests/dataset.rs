//! Writing and reading datasets: the same bytes however they come about, and the games that were played.

use std::{
    fs::{self, File},
    path::Path,
    thread,
};

use crate::datasets::{Random, complete, files, small, spec, with_forbidden, write};
use jigo_engine::Color;
use jigo_selfplay::{
    Backend, End, GameRecord, Progress,
    dataset::{
        Dataset, DatasetError, DatasetSpec, MovesColumn, Part, Provenance, ReplayMode, WriteStatus,
        write_dataset, write_dataset_by,
    },
};

fn fresh() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// What an undisturbed run on one thread writes.
fn undisturbed(spec: &DatasetSpec) -> std::collections::BTreeMap<String, Vec<u8>> {
    let dir = fresh();
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(|| complete(dir.path(), spec));
    files(dir.path())
}

#[test]
fn only_the_promised_files_are_there() {
    let names: Vec<String> = undisturbed(&small()).into_keys().collect();
    let shards = |folder, end| (0..5).map(move |shard| format!("{folder}/shard-00000{shard}.{end}"));
    let mut expected: Vec<String> = shards("data", "parquet").chain(shards("digests", "json")).collect();
    expected.extend(["data/", "digests/", "manifest.json"].map(str::to_owned));
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn threads_change_nothing() {
    for (spec, games, shard_games) in
        [(spec("7x4", "aga", "guarded:k=3"), 4000, 1500), (spec("4x3", "aga", "uct:playouts=20"), 400, 150)]
    {
        let spec = DatasetSpec { shard_games, games, ..spec };
        let expected = undisturbed(&spec);
        for threads in [2, 5] {
            let dir = fresh();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| complete(dir.path(), &spec));
            assert_eq!(files(dir.path()), expected);
        }
    }
}

/// Batches hand games in out of order, the board in order; a shard here has two row groups, so that several threads work at one shard.
#[test]
fn means_and_threads_change_nothing() {
    let spec = DatasetSpec { shard_games: 68_000, games: 70_000, ..spec("4x3", "tromp-taylor", "eye-safe") };
    let expected = undisturbed(&spec);
    for means in Backend::available() {
        for threads in [1, 2, 3] {
            let dir = fresh();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let write = || write_dataset_by(means, dir.path(), &spec, Part::WHOLE, &Progress::new());
            assert_eq!(pool.install(write).unwrap().status, WriteStatus::Complete);
            assert!(files(dir.path()) == expected, "{means} {threads}");
        }
    }
}

#[test]
fn parts_in_any_order_make_the_same_dataset() {
    let expected = undisturbed(&small());
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let dir = fresh();
        let statuses = order.map(|index| {
            let part = Part::new(index, 3).unwrap();
            write_dataset(dir.path(), &small(), part, &Progress::new()).unwrap().status
        });
        assert_eq!(statuses, [WriteStatus::PartDone, WriteStatus::PartDone, WriteStatus::Complete]);
        assert_eq!(files(dir.path()), expected);
    }
}

#[test]
fn parts_at_the_same_time_make_the_same_dataset() {
    let expected = undisturbed(&small());
    for _ in 0..5 {
        let dir = fresh();
        thread::scope(|scope| {
            // Two writers for each part, so that they also get in each other's way.
            for index in [0, 0, 1, 1] {
                let path = dir.path();
                scope.spawn(move || {
                    write_dataset(path, &small(), Part::new(index, 2).unwrap(), &Progress::new()).unwrap()
                });
            }
        });
        complete(dir.path(), &small());
        assert_eq!(files(dir.path()), expected);
    }
}

#[test]
fn a_stopped_run_goes_on_to_the_same_bytes() {
    let spec = DatasetSpec { games: 3000, shard_games: 250, ..small() };
    let expected = undisturbed(&spec);
    let dir = fresh();
    let mut stops = 0;
    for stop_at in [0, 1, 600, 1000, 1700, 2600] {
        let progress = Progress::new();
        let summary = thread::scope(|scope| {
            let run = scope.spawn(|| write_dataset(dir.path(), &spec, Part::WHOLE, &progress).unwrap());
            while progress.games() < stop_at && !run.is_finished() {
                std::hint::spin_loop();
            }
            progress.stop();
            run.join().unwrap()
        });
        if summary.status == WriteStatus::Stopped {
            stops += 1;
            assert!(summary.shards_missing > 0);
        }
        assert!(files(dir.path()).keys().all(|name| !name.ends_with(".partial")));
    }
    assert!(stops > 0);
    complete(dir.path(), &spec);
    assert_eq!(files(dir.path()), expected);
}

#[test]
fn lost_files_are_made_again() {
    let expected = undisturbed(&small());
    let dir = fresh();
    complete(dir.path(), &small());
    let mut random = Random(1);
    for _ in 0..20 {
        for name in expected.keys().filter(|name| name.contains("shard")) {
            if random.below(4) == 0 {
                fs::remove_file(dir.path().join(name)).unwrap();
            }
        }
        complete(dir.path(), &small());
        assert_eq!(files(dir.path()), expected);
    }
}

#[test]
fn damage_that_shows_without_reading_the_shard_is_repaired() {
    let expected = undisturbed(&small());
    let dir = fresh();
    let damage = |name: &str, change: fn(&mut Vec<u8>)| {
        let mut bytes = expected[name].clone();
        change(&mut bytes);
        fs::write(dir.path().join(name), bytes).unwrap();
        let summary = write(dir.path(), &small()).unwrap();
        assert_eq!((summary.shards_written, summary.shards_kept), (1, 4), "{name}");
        assert_eq!(files(dir.path()), expected);
    };
    complete(dir.path(), &small());
    damage("data/shard-000001.parquet", |bytes| bytes.truncate(1000));
    damage("data/shard-000001.parquet", Vec::clear);
    damage("digests/shard-000002.json", |bytes| bytes.truncate(40));
    damage("digests/shard-000002.json", |bytes| bytes[140] ^= 1);
    fs::copy(dir.path().join("digests/shard-000000.json"), dir.path().join("digests/shard-000003.json"))
        .unwrap();
    complete(dir.path(), &small());
    assert_eq!(files(dir.path()), expected);
}

#[test]
fn a_finished_dataset_is_left_alone() {
    let dir = fresh();
    complete(dir.path(), &small());
    let progress = Progress::new();
    let summary = write_dataset(dir.path(), &small(), Part::WHOLE, &progress).unwrap();
    assert_eq!((summary.status, summary.shards_written, summary.shards_kept), (WriteStatus::Complete, 0, 5));
    assert_eq!((progress.games(), progress.skipped_games()), (300, 300));
}

#[test]
fn leftovers_of_dead_writers_go_and_those_of_living_ones_stay() {
    let expected = undisturbed(&small());
    let dir = fresh();
    let partial = dir.path().join("partial");
    fs::create_dir(&partial).unwrap();
    fs::write(partial.join("manifest.json.1-a-0.partial"), "half").unwrap();
    fs::write(partial.join("shard-000001.parquet.1-a-1.partial"), "PAR1").unwrap();
    let living = File::create(partial.join("shard-000002.parquet.2-b-0.partial")).unwrap();
    living.lock().unwrap();
    complete(dir.path(), &small());
    let left: Vec<_> = fs::read_dir(&partial).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["shard-000002.parquet.2-b-0.partial"]);
    drop(living);
    complete(dir.path(), &small());
    assert_eq!(files(dir.path()), expected);
}

#[test]
fn another_run_is_refused_with_the_difference() {
    let dir = fresh();
    complete(dir.path(), &small());
    let expected = files(dir.path());
    let other_commit = Provenance { commit: "other".to_owned(), ..small().provenance };
    let specs = [
        (DatasetSpec { shard_games: 65, ..small() }, "shard_games is 64 there, not 65"),
        (DatasetSpec { moves: MovesColumn::None, ..small() }, "moves is \"list\" there, not \"none\""),
        (DatasetSpec { run: small().run.count_forbidden(), ..small() }, "census is"),
        (DatasetSpec { ownership: true, ..small() }, "ownership is null there, not true"),
        (DatasetSpec { provenance: other_commit, ..small() }, "git_commit is \"none\" there, not \"other\""),
        (DatasetSpec { run: small().run.seed(7), ..small() }, "run_seed is \"20261121\" there, not \"7\""),
        (spec("5", "chinese", "eye-safe"), "rules is"),
        (spec("5", "tromp-taylor", "uniform"), "policy is \"eye-safe\" there, not \"uniform\""),
    ];
    for (spec, text) in specs {
        let error = write(dir.path(), &spec).unwrap_err();
        assert!(matches!(error, DatasetError::OtherRun { .. }));
        assert!(error.to_string().contains(text), "{error}");
        assert!(error.to_string().contains("manifest.json"), "{error}");
    }
    assert_eq!(files(dir.path()), expected);

    let dir = fresh();
    complete(dir.path(), &DatasetSpec { ownership: true, ..small() });
    let error = write(dir.path(), &small()).unwrap_err().to_string();
    assert!(error.contains("ownership is true there, not false"), "{error}");
}

/// The smaller dataset ends with a full shard, with a shorter one, or within the first.
#[test]
fn more_games_continue_a_dataset() {
    let expected = undisturbed(&small());
    for (games, kept) in [(256, 4), (150, 2), (299, 4), (1, 0)] {
        let dir = fresh();
        complete(dir.path(), &DatasetSpec { games, ..small() });
        let summary = write(dir.path(), &small()).unwrap();
        assert_eq!((summary.shards_kept, summary.shards_written), (kept, 5 - kept));
        assert!(files(dir.path()) == expected, "{games}");
    }
}

#[test]
fn a_dataset_grows_part_by_part_and_again_before_it_is_complete() {
    let expected = undisturbed(&small());
    let dir = fresh();
    let part = |index, games| {
        let spec = DatasetSpec { games, ..small() };
        write_dataset(dir.path(), &spec, Part::new(index, 2).unwrap(), &Progress::new())
    };
    assert_eq!(part(1, 100).unwrap().shards_missing, 1);
    assert_eq!(part(0, 200).unwrap().shards_missing, 2);
    let error = part(0, 100).unwrap_err();
    assert!(matches!(error, DatasetError::FewerGames { there: 200, requested: 100, .. }), "{error}");
    assert_eq!(part(1, 300).unwrap().shards_missing, 1);
    assert_eq!(part(0, 300).unwrap().status, WriteStatus::Complete);
    assert_eq!(files(dir.path()), expected);
}

#[test]
fn fewer_games_are_refused_and_nothing_is_lost() {
    let dir = fresh();
    complete(dir.path(), &small());
    let expected = files(dir.path());
    let error = write(dir.path(), &DatasetSpec { games: 299, ..small() }).unwrap_err().to_string();
    assert!(error.contains("has 300 games") && error.contains("at least 300"), "{error}");
    assert_eq!(files(dir.path()), expected);
}

/// A copy of the manifest from before the dataset grew does not pass for one of the files that are there.
#[test]
fn an_old_manifest_does_not_complete_a_grown_dataset() {
    let dir = fresh();
    let manifest = dir.path().join("manifest.json");
    complete(dir.path(), &DatasetSpec { games: 150, ..small() });
    let old = fs::read(&manifest).unwrap();
    complete(dir.path(), &small());
    let expected = files(dir.path());
    fs::write(&manifest, old).unwrap();
    assert!(Dataset::open(dir.path()).unwrap().games().last().unwrap().is_err());
    let problems = crate::datasets::check(dir.path(), ReplayMode::No).problems;
    for file in ["data/shard-000002.parquet", "digests/shard-000002.json", "data/shard-000004.parquet"] {
        assert!(problems.iter().any(|problem| problem.file == file), "{file}: {problems:?}");
    }
    complete(dir.path(), &small());
    assert_eq!(files(dir.path()), expected);
}

#[test]
fn other_directories_and_broken_manifests_are_refused() {
    let dir = fresh();
    assert!(matches!(Dataset::open(dir.path()), Err(DatasetError::NotADataset { .. })));
    fs::write(dir.path().join("letter.txt"), "dear").unwrap();
    let error = write(dir.path(), &small()).unwrap_err();
    assert!(
        matches!(error, DatasetError::NotEmpty { .. }) && error.to_string().contains("letter.txt"),
        "{error}"
    );

    let dir = fresh();
    complete(dir.path(), &small());
    let manifest = dir.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let changes = [
        (text[..100].to_owned(), "manifest"),
        (text.replace("\"format_version\": 3", "\"format_version\": 5"), "version 5"),
        (text.replace("\"format_version\": 3", "\"format_version\": 4"), "ownership is stored in version 4"),
        (text.replace("\"format_version\": 3", "\"format_version\": 2"), "fingerprint"),
        (text.replace("\"games\": 300", "\"games\": 299"), "not that of 299 games"),
        (text.replace("    \"games\": 300,\n    \"ply", "    \"ply"), "number of games is missing"),
        (text.replace("  \"complete\"", " \"complete\""), "changed"),
    ];
    for (changed, text) in changes {
        fs::write(&manifest, changed).unwrap();
        let error = write(dir.path(), &small()).unwrap_err();
        assert!(matches!(error, DatasetError::InvalidManifest { .. }));
        assert!(error.to_string().contains(text), "{error}");
    }
    fs::remove_file(&manifest).unwrap();
    assert!(matches!(write(dir.path(), &small()), Err(DatasetError::NotEmpty { .. })));
}

/// Plays all games of a run without a dataset.
fn played(spec: &DatasetSpec) -> Vec<GameRecord> {
    spec.run.games(0..spec.games).collect()
}

#[track_caller]
fn check_read_back(dir: &Path, spec: &DatasetSpec) {
    let dataset = Dataset::open(dir).unwrap();
    assert_eq!(dataset.spec(), spec);
    assert!(dataset.manifest().complete);
    let records: Vec<GameRecord> = dataset.games().map(Result::unwrap).collect();
    assert!(records == played(spec));
}

#[test]
fn what_is_read_is_what_was_played() {
    for moves in [MovesColumn::List, MovesColumn::Binary, MovesColumn::None] {
        for (size, rules, policy) in [
            ("5", "tromp-taylor", "eye-safe"),
            ("9x4", "new-zealand", "guarded"),
            ("3x7", "japanese", "uniform"),
            ("2", "area+situational-superko+no-suicide", "uniform"),
            ("1", "tromp-taylor", "uniform"),
            ("2", "makrai-area", "uniform"),
            ("3x4", "japanese", "uct:playouts=20"),
        ] {
            for count_forbidden in [false, true] {
                let spec =
                    with_forbidden(DatasetSpec { moves, ..spec(size, rules, policy) }, count_forbidden);
                let dir = fresh();
                complete(dir.path(), &spec);
                check_read_back(dir.path(), &spec);
            }
        }
    }
}

/// Ownership is that of the last position, and missing where there is no count, whether the moves are stored or not.
#[test]
fn ownership_is_that_of_the_last_position() {
    let mut missing_everywhere = 0;
    for moves in [MovesColumn::List, MovesColumn::None] {
        for (size, rules, policy, ply_cap) in [
            ("5", "tromp-taylor", "eye-safe", 50),
            ("9x4", "japanese", "guarded", 80),
            ("3x2", "simple-ko+no-suicide+finite-stones", "uniform", 30),
            ("8x1", "tromp-taylor", "uniform", 24),
            ("3x4", "chinese", "uct:playouts=5", 24),
        ] {
            let spec = spec(size, rules, policy);
            let spec = DatasetSpec { moves, ownership: true, run: spec.run.ply_cap(ply_cap), ..spec };
            let dir = fresh();
            complete(dir.path(), &spec);
            assert_eq!(Dataset::open(dir.path()).unwrap().spec(), &spec);
            let mut missing = 0;
            let stored: Vec<_> = Dataset::open(dir.path()).unwrap().games().map(Result::unwrap).collect();
            let played = spec.run.finished_games(0..spec.games);
            for (game, (record, position)) in stored.into_iter().zip(played) {
                let owners: Vec<_> = position.ownership().map(|(_, owner)| owner).collect();
                let bits = |color| {
                    let mut bytes = vec![0; owners.len().div_ceil(8)];
                    for (index, _) in owners.iter().enumerate().filter(|(_, owner)| **owner == Some(color)) {
                        bytes[index / 8] |= 128 >> (index % 8);
                    }
                    bytes
                };
                let expected = record.is_finished().then(|| Color::BOTH.map(bits).concat());
                missing += usize::from(expected.is_none());
                assert_eq!(game.ownership.as_ref().map(|ownership| ownership.as_bytes().to_vec()), expected);
                assert_eq!(GameRecord { ownership: None, ..game }, record);
            }
            assert!(missing < spec.games as usize, "{size} {rules}");
            missing_everywhere += missing;
        }
    }
    assert!(missing_everywhere > 100, "{missing_everywhere}");
}

#[test]
fn every_kind_of_event_and_end_occurs() {
    let games = |rules, count_forbidden| {
        let dir = fresh();
        let spec = spec("3x2", rules, "uniform");
        let spec = with_forbidden(DatasetSpec { run: spec.run.ply_cap(30), ..spec }, count_forbidden);
        complete(dir.path(), &spec);
        check_read_back(dir.path(), &spec);
        Dataset::open(dir.path()).unwrap().games().map(Result::unwrap).collect::<Vec<_>>()
    };
    let superko = games("tromp-taylor", true);
    assert!(superko.iter().any(|game| !game.refused.is_empty()));
    assert!(superko.iter().any(|game| game.forbidden.len() > game.refused.len()));
    assert!(superko.iter().any(GameRecord::is_capped) && !superko.iter().all(GameRecord::is_capped));
    let simple = games("chinese", false);
    assert!(simple.iter().any(|game| !game.repeated.is_empty()));
    let finite = games("simple-ko+no-suicide+finite-stones", false);
    assert!(finite.iter().any(|game| game.end == End::Cycle));
    assert!(finite.iter().any(|game| game.forced_passes > 0));
}

/// A shard with more games than a row group holds.
#[test]
fn several_row_groups() {
    for (policy, games) in [("eye-safe", 70_000), ("uct:playouts=2", 5000)] {
        let spec = DatasetSpec { games, shard_games: games, ..spec("2", "chinese", policy) };
        let dir = fresh();
        complete(dir.path(), &spec);
        check_read_back(dir.path(), &spec);
    }
}

#[test]
fn reading_names_what_is_missing_or_damaged() {
    let dir = fresh();
    let part = Part::new(0, 2).unwrap();
    write_dataset(dir.path(), &small(), part, &Progress::new()).unwrap();
    let games = |dir: &Path| Dataset::open(dir).unwrap().games().collect::<Vec<_>>();
    let found = games(dir.path());
    assert_eq!(found.len(), 65);
    let error = found[64].as_ref().unwrap_err().to_string();
    assert!(error.contains("shard-000001.parquet") && error.contains("not finished"), "{error}");

    complete(dir.path(), &small());
    let path = dir.path().join("data/shard-000003.parquet");
    let mut bytes = fs::read(&path).unwrap();
    bytes[2000] ^= 4;
    fs::write(&path, bytes).unwrap();
    let found = games(dir.path());
    assert_eq!(found.len(), 193);
    let error = found[192].as_ref().unwrap_err().to_string();
    assert!(error.contains("shard-000003.parquet") && error.contains("damaged"), "{error}");
}

/// The bytes are promised. If they change on purpose, because the format or a library that writes it changed, run
/// `JIGO_BLESS=1 cargo test -p jigo-selfplay dataset::golden` and read the difference.
#[test]
fn golden_digests() {
    let mut lines =
        vec!["# BLAKE3 of all files of small datasets. Regenerate: see the test golden_digests.".to_owned()];
    for moves in [MovesColumn::List, MovesColumn::Binary, MovesColumn::None] {
        for (size, rules, policy, count_forbidden, ownership) in [
            ("5", "tromp-taylor", "eye-safe", false, false),
            ("9x4", "area+situational-superko+no-suicide+fixed-handicap", "guarded:k=3", true, false),
            ("5", "tromp-taylor", "eye-safe", false, true),
        ] {
            let spec = DatasetSpec { moves, ownership, ..spec(size, rules, policy) };
            let spec = with_forbidden(spec, count_forbidden);
            let mut hasher = blake3::Hasher::new();
            for (name, bytes) in undisturbed(&spec) {
                hasher.update(name.as_bytes()).update(&(bytes.len() as u64).to_le_bytes()).update(&bytes);
            }
            let census = if count_forbidden { "Candidates" } else { "Draws" };
            let more = if ownership { " ownership" } else { "" };
            lines.push(format!(
                "{size} {rules} {policy} {census} {moves}{more} {}",
                hasher.finalize().to_hex()
            ));
        }
    }
    let text = lines.join("\n") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dataset.blake3");
    if std::env::var_os("JIGO_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}
