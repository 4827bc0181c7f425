//! Exports against plain filtering and a naive look at positions.

mod positions;
mod verify;

use std::{collections::BTreeMap, fs, path::Path};

use jigo_engine::{
    AnyGame, Board, Komi,
    life::{Status, StatusSolver},
};
use jigo_selfplay::{
    End, GameRecord, Progress, Run,
    dataset::{Dataset, DatasetSpec, MovesColumn, Part, Provenance, write_dataset},
    sgf,
};
use tempfile::TempDir;

use super::*;

fn provenance() -> Provenance {
    Provenance { version: "1".to_owned(), commit: "unknown".to_owned() }
}

/// A dataset with events, games that are cut off, and several shards.
fn dataset(folder: &TempDir, size: &str, rules: &str, policy: &str, games: u64) -> Dataset {
    let run = Run::new(size, rules, policy).unwrap().seed(3).count_forbidden();
    let run = run.ply_cap(2 * run.config.size.point_count() as u32);
    let spec = DatasetSpec {
        shard_games: 300,
        moves: MovesColumn::Binary,
        ..DatasetSpec::new(run, games, provenance())
    };
    let dir = folder.path().join("dataset");
    write_dataset(&dir, &spec, Part::WHOLE, &Progress::new()).unwrap();
    Dataset::open(&dir).unwrap()
}

fn spec(format: ExportFormat, filter: GameFilter) -> ExportSpec {
    ExportSpec { format, filter, komi: Komi::from_points(1), provenance: provenance() }
}

const CSV: ExportFormat = ExportFormat::Csv { events: true, cells: Cells::Marked };

fn all() -> GameFilter {
    GameFilter { capped: CappedGames::Include, ..GameFilter::default() }
}

fn run_export(dataset: &Dataset, spec: &ExportSpec, out: &Path) -> ExportSummary {
    let summary = export(dataset, spec, out, &Progress::new()).unwrap();
    let listed: Vec<String> = summary.files.iter().map(|file| file.file.clone()).collect();
    for file in &summary.files {
        let bytes = fs::read(out.join(&file.file)).unwrap();
        assert_eq!(bytes.len() as u64, file.bytes);
        assert_eq!(blake3::hash(&bytes).to_hex().to_string(), file.blake3);
    }
    let mut names: Vec<String> = fs::read_dir(out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "export.json")
        .collect();
    names.sort();
    let mut expected = listed.clone();
    expected.sort();
    assert_eq!(names, expected);
    summary
}

fn games(dataset: &Dataset) -> Vec<GameRecord> {
    dataset.games().map(Result::unwrap).collect()
}

/// The indices of the games in `games.csv`.
fn exported_games(out: &Path) -> Vec<u64> {
    let text = fs::read_to_string(out.join("games.csv")).unwrap();
    text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
}

/// Draws by a cycle have a result and no count.
#[test]
fn cycles_are_draws() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3x2", "makrai-area", "uniform", 400);
    let played = games(&dataset);
    let is_cycle = |game: &GameRecord| game.end == End::Cycle;
    let cycles = played.iter().filter(|game| is_cycle(game)).count();
    assert!((20..390).contains(&cycles), "{cycles}");
    let tables = folder.path().join("csv");
    run_export(&dataset, &spec(CSV, all()), &tables);
    let text = fs::read_to_string(tables.join("games.csv")).unwrap();
    assert!(text.lines().next().unwrap().ends_with(",forbidden,cycle,forced_passes"), "{text}");
    for (game, row) in played.iter().zip(text.lines().skip(1)) {
        assert!(row.ends_with(&format!(",{},{}", is_cycle(game), game.forced_passes)), "{row}");
    }
    let records = folder.path().join("sgf");
    run_export(&dataset, &spec(ExportFormat::Sgf { games_per_file: Some(1000) }, all()), &records);
    let collection = sgf::read_collection(&fs::read(records.join("games-000000.sgf")).unwrap());
    for (game, record) in played.iter().zip(collection) {
        let record = record.unwrap();
        let replayed = sgf::replay(&record, *sgf::rules_of(&record.game)).unwrap();
        assert_eq!((replayed.plies, replayed.prisoners), (game.plies, game.prisoners));
        if is_cycle(game) {
            assert_eq!(record.game.result().unwrap().to_string(), "0");
        }
    }
    let rows = |game: &GameRecord| {
        let config = dataset.spec().run.config;
        let mut board = AnyGame::new(config.size, *config.rules);
        rows::rows(&config, game, &[0], Komi::ZERO, &mut board).unwrap().remove(0)
    };
    let drawn = rows(played.iter().find(|game| is_cycle(game)).unwrap());
    assert!(drawn.ownership.iter().all(|&owner| owner == 0));
    assert_eq!(drawn.global_targets[..4], [0.5, 0.5, 0.0, 0.0]);
    assert_eq!(drawn.global_targets[27], 0.0);
}

type Test = fn(&GameRecord) -> bool;

#[test]
fn filters_are_those_of_a_plain_loop() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3x4", "new-zealand", "eye-safe", 1000);
    let played = games(&dataset);
    let capped = played.iter().filter(|game| game.is_capped()).count();
    assert!((10..990).contains(&capped), "{capped}");
    let parsed = |change: &dyn Fn(&mut GameFilter)| {
        let mut filter = all();
        change(&mut filter);
        filter
    };
    let cases: [(GameFilter, Test); 12] = [
        (all(), |_| true),
        (GameFilter::default(), |game| !game.is_capped()),
        (parsed(&|filter| filter.capped = CappedGames::Only), GameRecord::is_capped),
        (parsed(&|filter| filter.margin = "-3..3".parse().ok()), |game| (-3..=3).contains(&game.margin())),
        (parsed(&|filter| filter.margin = "12".parse().ok()), |game| game.margin() == 12),
        (parsed(&|filter| filter.plies = "..18".parse().ok()), |game| game.plies <= 18),
        (parsed(&|filter| filter.plies = "19..".parse().ok()), |game| game.plies >= 19),
        (parsed(&|filter| filter.result = "black".parse().ok()), |game| {
            !game.is_capped() && game.margin() > 0
        }),
        (parsed(&|filter| filter.result = "white".parse().ok()), |game| {
            !game.is_capped() && game.margin() < 0
        }),
        (parsed(&|filter| filter.result = "jigo".parse().ok()), |game| {
            !game.is_capped() && game.margin() == 0
        }),
        (parsed(&|filter| filter.superko = "any".parse().ok()), |game| {
            game.refused.len() + game.repeated.len() + game.forbidden.len() > 0
        }),
        (parsed(&|filter| filter.superko = "6".parse().ok()), |game| {
            let lists = [&game.refused, &game.repeated, &game.forbidden];
            lists.iter().any(|list| list.iter().any(|event| event.repetition.cycle_plies == 6))
        }),
    ];
    for (number, (filter, test)) in cases.into_iter().enumerate() {
        let out = folder.path().join(number.to_string());
        let without_komi = ExportSpec { komi: Komi::ZERO, ..spec(CSV, filter) };
        let summary = run_export(&dataset, &without_komi, &out);
        let expected: Vec<u64> =
            played.iter().filter(|game| test(game)).map(|game| game.game_index).collect();
        assert!(!expected.is_empty(), "{filter:?}");
        assert_eq!(exported_games(&out), expected, "{filter:?}");
        let counts = ExportCounts { games_read: 1000, games_kept: expected.len() as u64 };
        assert_eq!(summary.counts, counts);
    }
}

#[test]
fn statuses_are_those_of_the_solver() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "4x5", "tromp-taylor", "guarded:k=3", 600);
    let rules = dataset.spec().run.config.rules;
    let mut found = BTreeMap::<Status, Vec<u64>>::new();
    for game in games(&dataset).iter().filter(|game| !game.is_capped()) {
        let mut board: Board = Board::new(dataset.spec().run.config.size, rules.suicide);
        for &mv in &game.moves {
            board.play(mv).unwrap();
        }
        let chains = StatusSolver::new(rules.suicide, rules.ko).chains(&board.position());
        for status in Status::ALL {
            if chains.iter().any(|chain| chain.status == status) {
                found.entry(status).or_default().push(game.game_index);
            }
        }
    }
    assert!(found.contains_key(&Status::Alive) && found.contains_key(&Status::Seki), "{:?}", found.keys());
    for status in Status::ALL {
        let out = folder.path().join(status.name());
        let filter = GameFilter { status: Some(status), ..GameFilter::default() };
        run_export(&dataset, &spec(CSV, filter), &out);
        assert_eq!(exported_games(&out), found.remove(&status).unwrap_or_default(), "{status}");
    }
}

#[test]
fn samples_and_limits_are_nested() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3", "tromp-taylor", "eye-safe", 1000);
    let sample = |rate: &str, limit| {
        let out = folder.path().join(format!("{rate}-{limit:?}"));
        let filter = GameFilter { sample: rate.parse().ok(), limit, ..all() };
        let summary = run_export(&dataset, &spec(CSV, filter), &out);
        (exported_games(&out), summary.counts)
    };
    let (half, counts) = sample("0.5", None);
    let (tenth, _) = sample("0.1", None);
    assert_eq!((counts.games_read, counts.games_kept), (1000, half.len() as u64));
    assert!((400..600).contains(&half.len()) && (60..140).contains(&tenth.len()));
    assert!(tenth.iter().all(|game| half.contains(game)));
    let (few, counts) = sample("0.5", Some(7));
    assert_eq!(few, half[..7]);
    assert_eq!((counts.games_read, counts.games_kept), (half[6] + 1, 7));
}

#[test]
fn records_hold_the_games_and_say_which() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3x4", "japanese", "uniform", 650);
    let (played, out) = (games(&dataset), folder.path().join("sgf"));
    let summary = run_export(&dataset, &spec(ExportFormat::Sgf { games_per_file: Some(300) }, all()), &out);
    let rows: Vec<_> = summary.files.iter().map(|file| (file.file.as_str(), file.rows)).collect();
    assert_eq!(rows, [("games-000000.sgf", 300), ("games-000001.sgf", 300), ("games-000002.sgf", 50)]);
    let mut played = played.iter();
    for file in &summary.files {
        let collection = sgf::read_collection(&fs::read(out.join(&file.file)).unwrap());
        for (number, record) in collection.into_iter().enumerate() {
            let (record, game) = (record.unwrap(), played.next().unwrap());
            assert_eq!(record.warnings, []);
            let found = record.game;
            assert!(found.moves().map(|(_, mv)| mv).eq(game.moves.iter().copied()));
            assert_eq!(found.check_rules_fingerprint(), Ok(()));
            assert!(found.rules_fingerprint().is_some());
            assert_eq!(found.info.get("GN"), Some(format!("game {}", game.game_index).as_str()));
            assert!(found.info.get("GC").unwrap().contains("policy uniform, seed 3"));
            let margin = game.margin_by(dataset.spec().run.config.rules.counting);
            let expected = match 2 * margin - 2 {
                _ if game.is_capped() => "Void".to_owned(),
                0 => "0".to_owned(),
                half @ 1.. => format!("B+{}", half / 2),
                half => format!("W+{}", -half / 2),
            };
            assert_eq!(found.result().unwrap().to_string(), expected);
            let about =
                found.info.get("C").map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
            assert_eq!(about.is_some(), number == 0);
            if let Some(about) = about {
                assert_eq!(about["run_fingerprint"], dataset.manifest().run_fingerprint);
                assert!(about["command"].as_str().unwrap().contains("--games-per-file=300 --komi=1"));
            }
        }
    }
    assert_eq!(played.next(), None);
    let one = folder.path().join("one");
    let summary = run_export(&dataset, &spec(ExportFormat::Sgf { games_per_file: None }, all()), &one);
    assert_eq!(summary.files[0].file, "games.sgf");
}

#[test]
fn bytes_depend_on_the_export_alone() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "4", "tromp-taylor", "eye-safe", 700);
    let formats = [
        CSV,
        ExportFormat::Sgf { games_per_file: Some(100) },
        ExportFormat::Npz { plies: PlySample::Count(3), rows_per_file: 500 },
    ];
    for (number, format) in formats.into_iter().enumerate() {
        let summaries = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let out = folder.path().join(format!("{number}-{threads}"));
            pool.install(|| run_export(&dataset, &spec(format, all()), &out))
        });
        assert_eq!(summaries[0], summaries[1]);
        assert!(summaries[0].files.len() >= 2);
    }
}

#[test]
fn folders_of_others_are_refused_and_its_own_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3", "tromp-taylor", "eye-safe", 50);
    let out = folder.path().join("out");
    let first = run_export(&dataset, &spec(CSV, all()), &out);
    fs::write(out.join("events.csv.1-a-0.partial"), "left by a process that died").unwrap();
    fs::write(out.join("games.csv"), "damaged").unwrap();
    assert_eq!(run_export(&dataset, &spec(CSV, all()), &out), first);
    let other = export(&dataset, &spec(CSV, GameFilter::default()), &out, &Progress::new());
    assert!(matches!(other, Err(ExportError::OtherExport { .. })), "{other:?}");
    assert_eq!(exported_games(&out).len(), 50);
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    for text in ["", "{}", "[1]", "\u{0}", "{\"format\": \"jigo-export\"}"] {
        fs::write(foreign.join("export.json"), text).unwrap();
        let other = export(&dataset, &spec(CSV, all()), &foreign, &Progress::new());
        assert!(matches!(other, Err(ExportError::OtherExport { .. })), "{other:?}");
        assert_eq!(fs::read_to_string(foreign.join("export.json")).unwrap(), text);
    }
    let full = folder.path().join("dataset");
    let refused = export(&dataset, &spec(CSV, all()), &full, &Progress::new());
    assert!(matches!(refused, Err(ExportError::NotEmpty { .. })), "{refused:?}");
    let stopped = Progress::new();
    stopped.stop();
    let begun = folder.path().join("begun");
    let result = export(&dataset, &spec(CSV, all()), &begun, &stopped);
    assert!(matches!(result, Err(ExportError::Stopped)), "{result:?}");
    let names: Vec<_> = fs::read_dir(&begun).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["export.json"]);
    assert!(fs::read_to_string(begun.join("export.json")).unwrap().contains("\"complete\": false"));
    assert_eq!(run_export(&dataset, &spec(CSV, all()), &begun), first);
}

#[test]
fn limits_and_damage_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3", "tromp-taylor", "eye-safe", 400);
    let out = folder.path().join("out");
    for (format, text) in [
        (ExportFormat::Sgf { games_per_file: Some(0) }, "at least 1"),
        (ExportFormat::Npz { plies: PlySample::Count(1), rows_per_file: 65_537 }, "1 to 65536"),
        (ExportFormat::Npz { plies: PlySample::Count(0), rows_per_file: 1 }, "at least 1"),
    ] {
        let error = export(&dataset, &spec(format, all()), &out, &Progress::new()).unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
        assert!(!out.exists());
    }
    let none = spec(CSV, GameFilter { limit: Some(0), ..all() });
    assert!(matches!(export(&dataset, &none, &out, &Progress::new()), Err(ExportError::InvalidSpec { .. })));
    let shard = folder.path().join("dataset/data/shard-000001.parquet");
    let mut bytes = fs::read(&shard).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&shard, bytes).unwrap();
    let format = ExportFormat::Sgf { games_per_file: Some(100) };
    let error = export(&dataset, &spec(format, all()), &out, &Progress::new()).unwrap_err();
    assert!(error.to_string().contains("shard-000001.parquet: damaged"), "{error}");
    let names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.len() < 5 && names.iter().all(|name| !name.ends_with(".partial")), "{names:?}");
}

#[test]
fn filters_are_written_as_they_are_read() {
    for text in ["-3..3", "10..", "..-1", "0", "-7"] {
        assert_eq!(text.parse::<Bounds>().unwrap().to_string(), text);
    }
    for text in ["", "..", "3..1", "a..b", "1...2", "1.5", "99999999999"] {
        assert!(text.parse::<Bounds>().unwrap_err().to_string().contains(&format!("`{text}`")), "{text}");
    }
    for text in ["any", "2", "6"] {
        assert_eq!(text.parse::<EventFilter>().unwrap().to_string(), text);
    }
    for text in ["", "0", "-1", "all"] {
        assert!(text.parse::<EventFilter>().is_err(), "{text}");
    }
    for text in ["exclude", "include", "only"] {
        assert_eq!(text.parse::<CappedGames>().unwrap().to_string(), text);
    }
    assert!("draw".parse::<Winner>().unwrap_err().to_string().contains("black, white, jigo"));
}
