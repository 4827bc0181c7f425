//! Real games as a dataset: nothing that the records say is lost, and whatever is measured of them stays the same.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use jigo_analysis::records::{
    Analysis, AnalyzeOptions, Fault, ImportOptions, ReadProgress, RecordStudy, RecordsError, analyze, import,
};
use jigo_selfplay::{
    Progress,
    dataset::{
        DatasetError, GameSource, Import, ImportManifest, ImportWriter, ImportedDataset, ImportedGame,
        ProblemKind, Provenance, ReplayMode, SourceCounts, verify,
    },
    sgf::{self, SgfGame, read_collection},
};
use tempfile::TempDir;

const ARCHIVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/games/fox-pro-3000.tar.xz");

/// Files of many sorts, some of them faulty.
const FILES: [&str; 16] = [
    "(;SZ[5]RU[Japanese]KM[6.5]RE[B+3.5]PB[a, \"b\"]BR[9p]PW[]DT[2020-01-01]EV[x];B[cc];W[dd];B[];W[])",
    "(;SZ[5]RU[Japanese]KM[6.5]RE[W+0.5];B[cc];W[dd])(;SZ[9:5]PB[second];B[ia];W[ae])",
    "(;SZ[5]KM[0]RE[0]AP[other:1];B[cc];W[dd];B[];W[];B[ee])",
    "(;SZ[5]KM[375]HA[2]AB[aa][bb]RE[W+R]C[two\nlines];W[cc])",
    "(;SZ[9:5]RE[B+T];B[cc];AE[cc]AW[dd];B[cc])",
    "(;SZ[5];AB[aa]PL[W];W[bb];PL[W];W[cc];AE[aa]AB[ee];AB[ad];B[ea];W[eb];PL[B])",
    "(;SZ[5]RE[Void];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb];W[];B[];W[bb])",
    "(;SZ[5]RE[hm]KM[six]HA[x];W[cc];W[dd];B[aa])(;SZ[5];B[aa])",
    "(;SZ[3]RU[NZ]RE[W+2.5];W[];B[];B[];W[])",
    "(;SZ[5]PB[one][two]GN[n]US[u];B[cc](;W[dd])(;W[ee]))",
    "(;SZ[5])",
    "(;SZ[25];B[yy];W[aa])",
    "(;SZ[5];B[cc];W[cc])",
    "(;SZ[5];B[cc];W[zz])",
    "no game",
    "(;SZ[5];B[cc]",
];

fn options() -> ImportOptions {
    ImportOptions { shard_games: 7, ..ImportOptions::new(provenance()) }
}

fn provenance() -> Provenance {
    Provenance { version: "1".to_owned(), commit: "unknown".to_owned() }
}

/// The files, more than once each, in a folder; and room for more beside it.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("games")).unwrap();
    for (number, text) in FILES.iter().cycle().take(40).enumerate() {
        fs::write(folder.path().join(format!("games/{number:02}.sgf")), text).unwrap();
    }
    fs::write(folder.path().join("games/readme.txt"), "other").unwrap();
    folder
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn import_to(paths: &[PathBuf], out: &Path, threads: usize) -> ImportManifest {
    let progress = ReadProgress::new();
    let manifest = on_threads(threads, || import(paths, &options(), out, &progress)).unwrap();
    assert_eq!((progress.games(), progress.faults()), (manifest.games, manifest.faults.faults));
    manifest
}

fn measure(path: &Path) -> (RecordStudy, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut on_fault = |fault: &Fault| {
        faults.push(fault.clone());
        Ok(())
    };
    let (options, progress) = (AnalyzeOptions::default(), ReadProgress::new());
    let analysis = analyze(&[path.into()], &options, <_>::default(), &progress, &mut on_fault);
    let Analysis { records, datasets, .. } = analysis.unwrap();
    assert_eq!(datasets, Vec::<PathBuf>::new());
    (records, faults)
}

/// All files of a folder by their paths in it.
fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(contents(&path).into_iter().map(|(file, bytes)| (name.join(file), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

fn check(dir: &Path) -> Vec<ProblemKind> {
    let report = verify(dir, ReplayMode::Fast, &Progress::new()).unwrap();
    report.problems.into_iter().map(|problem| problem.kind).collect()
}

#[test]
fn nothing_that_records_say_is_lost() {
    let folder = files();
    let (games, out) = (folder.path().join("games"), folder.path().join("out"));
    let manifest = import_to(std::slice::from_ref(&games), &out, 2);
    assert_eq!((manifest.sources.files, manifest.sources.other_files), (40, 1));
    let dataset = ImportedDataset::open_complete(&out).unwrap();
    let imported: Vec<ImportedGame> = dataset.games().map(Result::unwrap).collect();
    assert_eq!(imported.len() as u64, manifest.games);
    let mut read = Vec::new();
    for number in 0..40 {
        let bytes = fs::read(games.join(format!("{number:02}.sgf"))).unwrap();
        for (place, record) in (0..).zip(read_collection(&bytes)) {
            let Ok(record) = record else { continue };
            if sgf::replay(&record, *sgf::rules_of(&record.game)).is_ok() {
                read.push((format!("{number:02}.sgf"), place, record));
            }
        }
    }
    assert_eq!(imported.len(), read.len());
    for (index, (game, (file, place, record))) in (0..).zip(imported.iter().zip(&read)) {
        let ImportedGame { source, played, .. } = game;
        assert!(source.file.ends_with(file), "{source:?}");
        assert_eq!((source.place, source.byte), (*place, record.byte as u64));
        assert_eq!(game.record.game, record.game, "{file}");
        assert_eq!(game.record.application, record.application);
        let kinds = |record: &sgf::Record| record.warnings.iter().map(|note| note.kind).collect::<Vec<_>>();
        assert_eq!(kinds(&game.record), kinds(record));
        let replay = sgf::replay(record, *sgf::rules_of(&record.game)).unwrap();
        assert_eq!((played.game_index, played.plies, played.passes), (index, replay.plies, replay.passes));
        assert_eq!((played.area, played.prisoners), (replay.area, replay.prisoners));
        assert_eq!(played.repeated, replay.repetitions);
    }
    assert_eq!(check(&out), []);
}

#[test]
fn imported_games_measure_like_their_records() {
    let folder = files();
    let (games, out) = (folder.path().join("games"), folder.path().join("out"));
    let manifest = import_to(std::slice::from_ref(&games), &out, 2);
    let (records, faults) = measure(&games);
    assert_eq!((records.games(), faults.len() as u64), (manifest.games, manifest.faults.faults));
    assert!(records.games() > 20 && faults.len() > 7);
    assert_eq!(measure(&out), (records, faults));
}

#[test]
fn real_games_measure_like_their_records() {
    if !Path::new(ARCHIVE).is_file() {
        println!("skipped: {ARCHIVE} is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let manifest = import_to(&[ARCHIVE.into()], folder.path(), 2);
    assert_eq!((manifest.games + manifest.faults.faults, manifest.sources.files), (3000, 3000));
    assert_eq!(measure(folder.path()), measure(Path::new(ARCHIVE)));
    assert_eq!(check(folder.path()), []);
}

#[test]
fn bytes_follow_from_the_files_alone() {
    let folder = files();
    let paths = ["00.sgf", "05.sgf", "13.sgf"].map(|name| folder.path().join("games").join(name));
    let mut turned = paths.clone();
    turned.reverse();
    let out = |name: &str| folder.path().join(name);
    import_to(&paths, &out("one"), 1);
    import_to(&turned, &out("two"), 3);
    let one = contents(&out("one"));
    assert!(
        one.contains_key(Path::new("faults.csv")) && one.contains_key(Path::new("data/shard-000000.parquet"))
    );
    assert_eq!(contents(&out("two")), one);
    // Once more over what is there, and over what an interruption leaves.
    import_to(&paths, &out("two"), 2);
    assert_eq!(contents(&out("two")), one);
    let stopped = ReadProgress::new();
    stopped.stop();
    let stop = |name: &str| {
        let error = import(&paths, &options(), &out(name), &stopped).unwrap_err();
        assert!(matches!(error, RecordsError::Stopped), "{error}");
    };
    stop("two");
    assert_eq!(contents(&out("two")), one);
    stop("three");
    assert_eq!(check(&out("three")), [ProblemKind::Interrupted]);
    let error = ImportedDataset::open_complete(&out("three")).unwrap_err().to_string();
    assert!(error.contains("interrupted"), "{error}");
    import_to(&paths, &out("three"), 2);
    assert_eq!(contents(&out("three")), one);
}

#[test]
fn other_folders_are_refused() {
    let folder = files();
    let games = folder.path().join("games");
    let out = folder.path().join("out");
    import_to(&[games.join("00.sgf")], &out, 1);
    let refused =
        |paths: &[PathBuf], out: &Path| import(paths, &options(), out, &ReadProgress::new()).unwrap_err();
    let before = contents(&out);
    let error = refused(&[games.join("01.sgf")], &out);
    assert!(matches!(error, RecordsError::Dataset(DatasetError::OtherRun { .. })), "{error}");
    assert!(error.to_string().contains("paths"), "{error}");
    let error = refused(&[games.join("01.sgf")], &games);
    assert!(matches!(error, RecordsError::Dataset(DatasetError::NotEmpty { .. })), "{error}");
    let error = refused(std::slice::from_ref(&out), &folder.path().join("again"));
    assert!(matches!(error, RecordsError::IsDataset(_)), "{error}");
    assert_eq!(contents(&out), before);
    assert!(!folder.path().join("again").exists());
}

#[test]
fn damage_is_found() {
    let folder = files();
    let out = folder.path().join("out");
    import_to(&[folder.path().join("games")], &out, 2);
    let shard = out.join("data/shard-000001.parquet");
    let bytes = fs::read(&shard).unwrap();
    let mut flipped = bytes.clone();
    flipped[100] ^= 1;
    fs::write(&shard, &flipped).unwrap();
    assert!(matches!(check(&out)[..], [ProblemKind::Digest { .. }]));
    assert!(ImportedDataset::open(&out).unwrap().games().any(|game| game.is_err()));
    fs::remove_file(&shard).unwrap();
    assert_eq!(check(&out), [ProblemKind::Missing]);
    fs::write(&shard, &bytes).unwrap();
    fs::write(out.join("data/more.parquet"), "x").unwrap();
    fs::write(out.join("faults.csv"), "x").unwrap();
    let problems = check(&out);
    assert!(matches!(problems[..], [ProblemKind::Unexpected, ProblemKind::Length { .. }]), "{problems:?}");
}

#[test]
fn moves_that_break_the_rules_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let game = |text: &str| -> SgfGame { read_collection(text.as_bytes()).remove(0).unwrap().game };
    let record = |text: &str| read_collection(text.as_bytes()).remove(0).unwrap();
    let good = record("(;SZ[5];B[aa];W[bb];B[cc])");
    let replay = sgf::replay(&good, *sgf::rules_of(&good.game)).unwrap();
    let write = |name: &str, change: &dyn Fn(&mut ImportedGame)| {
        let import = Import::new(Vec::new(), 10, provenance());
        let dir = folder.path().join(name);
        let mut writer = ImportWriter::create(&dir, import).unwrap();
        let source = GameSource { file: "x.sgf".to_owned(), byte: 0, place: 0 };
        let mut imported = ImportedGame::new(good.clone(), &replay, source).unwrap();
        change(&mut imported);
        writer.add(imported).unwrap();
        let faults = writer.faults_file().unwrap();
        writer.finish(SourceCounts::default(), (0, faults)).unwrap();
        let fast = check(&dir);
        let files_only = verify(&dir, ReplayMode::No, &Progress::new()).unwrap();
        assert!(files_only.is_ok(), "{:?}", files_only.problems);
        fast
    };
    assert_eq!(write("good", &|_| ()), []);
    let occupied = game("(;SZ[5];B[aa];W[bb];B[bb])");
    let problems = write("occupied", &|imported| {
        imported.played.moves = occupied.moves().map(|(_, mv)| mv).collect();
    });
    assert!(
        matches!(&problems[..], [ProblemKind::Row(reason)] if reason.contains("occupied")),
        "{problems:?}"
    );
    let problems = write("prisoners", &|imported| imported.played.prisoners = [1, 0]);
    assert!(
        matches!(&problems[..], [ProblemKind::Row(reason)] if reason.contains("prisoners")),
        "{problems:?}"
    );
}

#[test]
fn an_import_may_lie_in_what_it_reads() {
    let folder = files();
    let games = folder.path().join("games");
    let [first, again] = [1, 2].map(|threads| {
        let manifest = import_to(std::slice::from_ref(&games), &games.join("imported"), threads);
        assert_eq!((manifest.sources.files, manifest.sources.other_files), (40, 1));
        contents(&games.join("imported"))
    });
    assert!(first == again, "importing again gives other bytes");
}

#[test]
fn an_import_that_is_given_up_leaves_the_one_before() {
    let folder = files();
    let (games, out) = (folder.path().join("games"), folder.path().join("out"));
    import_to(std::slice::from_ref(&games), &out, 2);
    let before = contents(&out);
    let paths = vec![games.to_str().unwrap().to_owned()];
    let game = ImportedDataset::open_complete(&out).unwrap().games().next().unwrap().unwrap();
    let mut writer = ImportWriter::create(&out, Import::new(paths, 7, provenance())).unwrap();
    let faults = writer.faults_file().unwrap();
    (0..20).for_each(|_| writer.add(game.clone()).unwrap());
    assert_ne!(contents(&out), before, "two shards and the list of faults stand aside");
    drop((writer, faults));
    assert_eq!(contents(&out), before);
    assert_eq!(check(&out), []);
}
