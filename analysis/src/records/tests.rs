//! Files to measurements and reports.

mod many;

use std::{
    cell::RefCell,
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use jigo_engine::rules::Preset;
use jigo_selfplay::{dataset::Provenance, fingerprint::rules_fingerprint};
use proptest::prelude::*;
use tempfile::TempDir;

use super::{
    analyze::FileReader,
    batches::{Batch, Item},
    *,
};
use crate::{cells::Cells, stats::Shares};

thread_local! {
    /// One for many studies, so that the same positions are judged once.
    static READER: RefCell<FileReader> =
        RefCell::new(FileReader::new(&AnalyzeOptions { status: StatusMethod::Search, ..AnalyzeOptions::default() }));
}

/// The study of files with these names and contents.
fn study_of(files: &[(&str, &str)]) -> RecordStudy {
    let item = |(name, text): &(&str, &str)| {
        Item::File(SourceItem { name: (*name).to_owned(), content: Ok(text.as_bytes().to_vec()) })
    };
    let batch = Batch { items: files.iter().map(item).collect(), ..Batch::default() };
    READER.with_borrow_mut(|reader| reader.read(batch, &SourcesRead::default(), &ReadProgress::new()).study)
}

/// Files of many sorts, some of them faulty.
const FILES: [&str; 12] = [
    "(;SZ[5]RU[Japanese]KM[6.5]DT[1999-12-31]RE[B+3.5];B[cc];W[dd];B[];W[])",
    "(;SZ[5]RU[Japanese]KM[6.5]RE[W+0.5];B[cc];W[dd])",
    "(;SZ[5]RU[Japanese]KM[6.5]RE[W+1];B[cc])",
    "(;SZ[5]KM[0]RE[0];B[cc];W[dd];B[];W[];B[ee])",
    "(;SZ[5]KM[375]HA[2]AB[aa][bb]RE[W+R];W[cc])",
    "(;SZ[9:5]RE[B+T];B[cc];AE[cc]AW[dd];B[cc])",
    "(;SZ[5]RE[Void];B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb];W[];B[];W[bb])",
    "(;SZ[5]RE[hm];W[cc];W[dd])(;SZ[5];B[aa])",
    "(;SZ[5];B[cc];W[cc])",
    "(;SZ[5];B[cc];W[zz])",
    "no game",
    "(;SZ[5];B[cc]",
];

#[test]
fn groups_and_results() {
    let files: Vec<(String, &str)> =
        FILES.iter().enumerate().map(|(index, text)| (format!("{index}.sgf"), *text)).collect();
    let study = study_of(&files.iter().map(|(name, text)| (name.as_str(), *text)).collect::<Vec<_>>());
    assert_eq!((study.files, study.games(), study.faults.count()), (12, 9, 4));
    assert_eq!(study.groups.len(), 5);
    let total = study.total();
    assert_eq!((total.results.black.score, total.results.black.time), (1, 1));
    assert_eq!((total.results.white.score, total.results.white.resignation), (2, 1));
    let others = (total.results.void, total.results.other, total.results.not_recorded);
    assert_eq!((total.results.draw, others), (1, (1, 1, 1)));
    assert_eq!(total.scores.iter().collect::<Vec<_>>(), [(-2, 1), (-1, 1), (7, 1)]);
    assert_eq!(total.margins.histogram().iter().collect::<Vec<_>>(), [(6, 1), (10, 1)]);
    assert_eq!(total.contradicting_scores, 1);
    assert_eq!((total.plies_after_end.count(), total.plies_after_end.sum(), total.edited), (2, 2, 1));
    assert_eq!((total.repetitions.games, total.repetitions.balanced()), (1, 1));
    let same_color = WarningCounts { games: 1, warnings: 1 };
    assert_eq!(total.warnings.get("same colour twice"), Some(&same_color));
    let faults: Vec<String> = study.faults.first().map(Fault::to_string).collect();
    assert_eq!(
        faults[1],
        "11.sgf: byte 13: the file ends inside a game: its end is missing, or a closing `)`"
    );
    assert_eq!(faults[2], "8.sgf: byte 14, move 2: White plays on `cc`: the point is occupied");
}

#[test]
fn komi_that_is_not_plausible_gives_no_margin() {
    let margins =
        |header: &str| study_of(&[("a", &format!("(;SZ[5]{header};B[cc])"))]).total().margins.games();
    assert_eq!(margins("KM[6.5]RE[B+3.5]HA[0]"), 1);
    assert_eq!(margins("KM[-6.5]RE[W+3.5]"), 1);
    assert_eq!(margins("KM[6]RE[0]"), 1);
    // Hundredths, and stones of half counting.
    assert_eq!(["KM[650]RE[B+3.5]", "KM[375]RE[B+3.5]", "KM[3.75]RE[B+3.5]"].map(margins), [1; 3]);
    for header in
        ["KM[0]RE[B+3]", "KM[50]RE[B+3]", "KM[6.4]RE[B+3]", "KM[x]RE[B+3]", "RE[B+3]", "KM[6.5]RE[B+R]"]
    {
        assert_eq!(margins(header), 0, "{header}");
    }
    for header in ["KM[6.5]HA[2]RE[B+3.5]", "KM[6.5]HA[x]RE[B+3.5]", "KM[6.5]AB[aa]RE[B+3.5]"] {
        assert_eq!(margins(header), 0, "{header}");
    }
}

#[test]
fn boards_have_openings_and_even_games() {
    let study = study_of(&[
        ("a", "(;SZ[5]KM[650]DT[1999-12-31,2000-01-01]RE[B+R];B[cc];W[dd])"),
        ("b", "(;SZ[5]KM[6.5]DT[1999]RE[W+2];B[cc];W[dd])"),
        ("c", "(;SZ[5]KM[0]DT[19991231]RE[0];B[bb];W[cc])"),
        ("d", "(;SZ[5]HA[2]AB[aa][bb]KM[6.5]DT[1999]RE[B+1];W[cc])"),
        ("e", "(;SZ[5]KM[6.5]DT[1999]RE[?];B[];W[cc])"),
        ("f", "(;SZ[9];B[ee];W[cc];B[gg];W[gc];B[cg])"),
    ]);
    let small = &study.boards[&BoardSize::square(5).unwrap()];
    let stones: Vec<_> = (0..).zip(&small.opening_stones).filter(|(_, stones)| **stones > 0).collect();
    // One ply is an opening: 2 on C3, 1 on B4.
    assert_eq!((small.games, small.openings, stones), (5, 4, vec![(6, &1), (12, &2)]));
    let results = |black, jigo, white| Shares { black, jigo, white };
    let key = |year, komi_half_points| YearAndKomi { year, komi_half_points };
    let even: Vec<_> = small.even_games.clone().into_iter().collect();
    assert_eq!(even, [(key(None, None), results(0, 1, 0)), (key(Some(1999), Some(13)), results(1, 0, 1))]);
    let large = &study.boards[&BoardSize::square(9).unwrap()];
    assert_eq!((large.openings, large.opening_stones.iter().sum()), (1, 4_u64));
}

/// A seki, a cycle with its record, and games that cannot be shown.
#[test]
fn examples_have_their_records() {
    let cycle = "B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[ee];W[bb];B[cb];W[];B[];W[bb]";
    let study = study_of(&[
        ("a", &format!("(;SZ[5]PB[A]C[long];{cycle})")),
        ("b", "(;SZ[5];B[cc];W[dd])"),
        ("c", &format!("(;SZ[5]AW[ea];{cycle})")),
        ("d", &format!("(;SZ[5];B[aa];AE[aa];{cycle})")),
    ]);
    assert_eq!(study.total().repetitions.games, 3);
    let records: Vec<_> = study.examples.records.iter().collect();
    assert_eq!(records.len(), 1, "{records:?}");
    let (name, ExampleRecord { sgf, is_searched }) = records[0];
    assert_eq!((name, *is_searched), (&("a".to_owned(), 0), false));
    assert!(sgf.contains("PB[A]") && !sgf.contains("long"), "{sgf}");
    assert_eq!(study.examples.repeated.shortest.iter().count(), 1);
}

/// Two walls, and behind each a stone of the other player that nothing proves to be dead: White has 9 points more.
#[test]
fn estimates_are_compared_with_recorded_margins() {
    let moves = (b'a'..=b'i').map(|row| format!(";B[d{0}];W[e{0}]", char::from(row))).collect::<String>();
    let game = |result: &str| format!("(;SZ[9]RU[Chinese]KM[7.5]RE[{result}]{moves};B[gc];W[be];B[];W[])");
    let study = |status: StatusMethod| {
        let mut reader = FileReader::new(&AnalyzeOptions { status, ..AnalyzeOptions::default() });
        let files = ["W+16.5", "W+18.5", "W+R"].map(game);
        let item = |text: &String| {
            Item::File(SourceItem { name: "game".to_owned(), content: Ok(text.as_bytes().to_vec()) })
        };
        let batch = Batch { items: files.iter().map(item).collect(), ..Batch::default() };
        reader.read(batch, &SourcesRead::default(), &ReadProgress::new()).study.total()
    };
    let RecordMeasures { estimates, solved_differences, .. } = study(StatusMethod::Estimate);
    assert!(solved_differences.is_empty(), "the stones behind the walls are unknown");
    assert_eq!((estimates.positions, estimates.chains, estimates.dead_chains), (2, 8, 4));
    assert_eq!((estimates.dead_stones, estimates.equal()), (4, (1, 2)));
    assert_eq!(estimates.differences.iter().collect::<Vec<_>>(), [(0, 1), (2, 1)]);
    assert!(estimates.text().unwrap().ends_with("1 of 2 games have the recorded margin"));
    assert_eq!(study(StatusMethod::Search).estimates, EstimateCounts::default());
}

/// Black's walls make two eyes each: the whole board is Black's.
#[test]
fn solved_positions_are_compared_with_recorded_margins() {
    let moves: String = ["ba", "bb", "bc", "bd", "be", "da", "db", "dc", "dd", "de"]
        .map(|point| format!(";B[{point}];W[]"))
        .concat();
    let file = |komi: &str, result: &str| format!("(;SZ[5]RU[Chinese]KM[{komi}]RE[{result}]{moves})");
    let files = [file("750", "B+17.5"), file("6.5", "B+20.5"), file("6.5", "B+R"), file("0", "B+25")];
    let names = ["a", "b", "c", "d"];
    let files: Vec<(&str, &str)> = names.into_iter().zip(files.iter().map(String::as_str)).collect();
    let total = study_of(&files).total();
    assert_eq!(total.solved_differences.iter().collect::<Vec<_>>(), [(-2, 1), (0, 1)]);
}

#[test]
fn the_kept_faults_are_the_first_ones_in_any_order() {
    let fault = |number: usize| Fault {
        file: format!("{number:06}"),
        byte: 1,
        move_number: None,
        stage: FaultStage::Record,
        reason: "no game".to_owned(),
        text: String::new(),
    };
    let count = FaultList::MAX_KEPT + 500;
    let (mut forward, mut odd, mut even) = (FaultList::default(), FaultList::default(), FaultList::default());
    (0..count).for_each(|number| forward.add(fault(number)));
    (0..count).rev().for_each(|number| if number % 2 == 1 { &mut odd } else { &mut even }.add(fault(number)));
    odd.merge(even);
    assert_eq!(odd, forward);
    assert_eq!((odd.count(), odd.first().count()), (count as u64, FaultList::MAX_KEPT));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn parts_merge_in_any_order(
        files in prop::collection::vec((0..FILES.len(), 0..3_usize), 1..40),
        order in Just([0, 1, 2]).prop_shuffle(),
    ) {
        let named: Vec<(String, usize, usize)> =
            files.iter().enumerate().map(|(index, &(file, part))| (format!("{index}.sgf"), file, part)).collect();
        let study = |wanted: &dyn Fn(usize) -> bool| {
            let chosen = named.iter().filter(|(_, _, part)| wanted(*part));
            study_of(&chosen.map(|(name, file, _)| (name.as_str(), FILES[*file])).collect::<Vec<_>>())
        };
        let mut merged = RecordStudy::default();
        order.into_iter().for_each(|part| merged.merge(study(&|other| other == part)));
        let whole = study(&|_| true);
        prop_assert_eq!(&merged, &whole);
        let json = serde_json::to_string(&whole).unwrap();
        prop_assert_eq!(serde_json::from_str::<RecordStudy>(&json).unwrap(), whole);
    }
}

/// A directory with a dataset, files and a broken one, and what is found in it.
fn analyze_directory(threads: usize) -> (Analysis, Vec<String>) {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir_all(path("games")).unwrap();
    fs::create_dir_all(path("set")).unwrap();
    fs::write(path("set/manifest.json"), "{}").unwrap();
    for number in 0..600 {
        fs::write(path(&format!("games/{number:03}.sgf")), FILES[number % FILES.len()]).unwrap();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (progress, mut faults) = (ReadProgress::new(), Vec::new());
    let mut on_fault = |fault: &Fault| {
        faults.push(fault.file.rsplit('/').next().unwrap().to_owned());
        Ok(())
    };
    let paths = [path("set"), path("games")];
    let options = AnalyzeOptions::default();
    let mut analysis =
        pool.install(|| analyze(&paths, &options, <_>::default(), &progress, &mut on_fault)).unwrap();
    assert_eq!(analysis.datasets, [path("set")]);
    assert_eq!((progress.files(), progress.games(), progress.faults()), (600, 450, 200));
    analysis.datasets.clear();
    (analysis, faults)
}

#[test]
fn threads_change_neither_counts_nor_order() {
    let (one, faults) = analyze_directory(1);
    let (three, same_faults) = analyze_directory(3);
    assert!(faults.is_sorted() && faults.len() == 200);
    assert_eq!(faults, same_faults);
    assert_eq!((one.records.games(), one.records.groups), (three.records.games(), three.records.groups));
}

#[test]
fn stopping_and_failing() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("a.sgf");
    fs::write(&path, "no game").unwrap();
    let options = AnalyzeOptions::default();
    let progress = ReadProgress::new();
    let mut refuse = |_: &Fault| Err(io::Error::other("full"));
    let paths = [path];
    let error = analyze(&paths, &options, <_>::default(), &progress, &mut refuse).unwrap_err();
    assert_eq!(error.to_string(), "the list of faults cannot be written: full");
    let progress = ReadProgress::new();
    progress.stop();
    let stopped = analyze(&paths, &options, <_>::default(), &progress, &mut |_| Ok(())).unwrap();
    assert!(stopped.records == RecordStudy::default() && !stopped.read.is_complete);
}

/// Files of one game and of many, an archive, and an imported one.
fn many_files(folder: &Path) -> Vec<PathBuf> {
    let path = |name: &str| folder.join(name);
    for number in 0..300 {
        fs::create_dir_all(path("games")).unwrap();
        fs::write(path(&format!("games/{number:03}.sgf")), FILES[number % FILES.len()]).unwrap();
    }
    fs::write(path("games/many.sgf"), FILES[..10].concat().repeat(600)).unwrap();
    fs::write(path("games/notes.txt"), "").unwrap();
    let provenance = Provenance { version: "1".to_owned(), commit: "unknown".to_owned() };
    let paths = [path("games/many.sgf"), path("games/000.sgf")];
    import(&paths, &ImportOptions::new(provenance), &path("imported"), &ReadProgress::new()).unwrap();
    vec![path("games"), path("imported")]
}

/// Stops the analysis whenever it has measured so many games, and goes on; returns the result, all faults, and how often it was stopped.
fn analyze_in_parts(paths: &[PathBuf], games: u64, threads: usize) -> (RecordStudy, Vec<String>, usize) {
    let (mut records, mut read, mut faults) = (RecordStudy::default(), SourcesRead::default(), Vec::new());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for stops in 0.. {
        let progress = ReadProgress::new();
        let mut on_fault = |fault: &Fault| {
            faults.push(fault.to_string());
            Ok(())
        };
        let before = (records, read);
        let analysis = thread::scope(|scope| {
            let (pool, progress) = (&pool, &progress);
            let options = AnalyzeOptions::default();
            let analysis = scope.spawn(move || {
                pool.install(|| analyze(paths, &options, before, progress, &mut on_fault)).unwrap()
            });
            while progress.games() < games && !analysis.is_finished() {
                thread::sleep(Duration::from_millis(1));
            }
            if !analysis.is_finished() {
                progress.stop();
            }
            analysis.join().unwrap()
        });
        (records, read) = (analysis.records, analysis.read);
        if read.is_complete {
            return (records, faults, stops);
        }
    }
    unreachable!("it comes to an end")
}

#[test]
fn an_analysis_goes_on_where_it_was_stopped() {
    let folder = TempDir::new().unwrap();
    let paths = many_files(folder.path());
    let options = AnalyzeOptions::default();
    let mut faults = Vec::new();
    let mut on_fault = |fault: &Fault| {
        faults.push(fault.to_string());
        Ok(())
    };
    let whole = analyze(&paths, &options, <_>::default(), &ReadProgress::new(), &mut on_fault).unwrap();
    assert!(whole.read.is_complete && whole.records.other_files > 0);
    for (games, threads) in [(1, 1), (1000, 1), (1000, 3)] {
        let (records, found, stops) = analyze_in_parts(&paths, games, threads);
        assert!(records == whole.records && found == faults, "{threads} threads");
        assert!(stops > 2, "{stops}");
    }
}

#[test]
fn an_analysis_does_not_go_on_with_other_files() {
    let folder = TempDir::new().unwrap();
    let paths = many_files(folder.path());
    let analyze =
        |before| analyze(&paths, &AnalyzeOptions::default(), before, &ReadProgress::new(), &mut |_| Ok(()));
    let whole = analyze(<_>::default()).unwrap();
    let before = (whole.records.clone(), whole.read);
    assert_eq!(analyze(before.clone()).unwrap().records, whole.records);
    let path = |name: &str| folder.path().join("games").join(name);
    let text = fs::read(path("005.sgf")).unwrap();
    for change in [
        &|| fs::write(path("005.sgf"), "(;SZ[5];B[cc])").unwrap(),
        &|| fs::rename(path("005.sgf"), path("005a.sgf")).unwrap(),
        &|| fs::remove_file(path("299.sgf")).unwrap(),
        &|| fs::write(path("notes.sgf"), "(;SZ[5];B[cc])").unwrap(),
    ] as [&dyn Fn(); 4]
    {
        change();
        assert!(matches!(analyze(before.clone()), Err(RecordsError::OtherSources)));
        _ = fs::remove_file(path("005a.sgf"));
        _ = fs::remove_file(path("notes.sgf"));
        fs::write(path("005.sgf"), &text).unwrap();
        fs::write(path("299.sgf"), FILES[299 % FILES.len()]).unwrap();
        assert!(analyze(before.clone()).is_ok());
    }
}

#[test]
fn reports_have_a_line_for_everything() {
    let study = study_of(&FILES.map(|text| ("a,\"b\".sgf", text)));
    let summary = records_summary(&study);
    assert!(summary.lines().all(|line| line.chars().count() <= 100), "{summary}");
    for part in
        ["9 games measured, from 12 files", "rules `Japanese`", "rules not recorded", "occupied point"]
    {
        assert!(summary.contains(part), "{part} in {summary}");
    }
    let text = |write: fn(&RecordStudy, &mut Vec<u8>) -> io::Result<()>| {
        let mut bytes = Vec::new();
        write(&study, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let records = text(|study, bytes| write_records_csv(study, Cells::Marked, bytes));
    assert_eq!(records.lines().count(), 1 + study.groups.len());
    let japanese = rules_fingerprint(Preset::Japanese.rules());
    let mut rows = csv::Reader::from_reader(records.as_bytes());
    let fingerprint = rows.headers().unwrap().iter().position(|name| name == "rules_fingerprint").unwrap();
    assert!(rows.records().all(|row| row.unwrap()[fingerprint] == japanese), "{records}");
    let repetitions = text(|study, bytes| write_repetitions_csv(study, Cells::Marked, bytes));
    assert_eq!(repetitions.lines().nth(1), Some("5x5,,,,cycle,4,1,1,1,1,1"));
    let even_games = text(|study, bytes| write_even_games_csv(study, bytes));
    assert_eq!(even_games.lines().last(), Some("9x5,,,1,1,0,0"), "{even_games}");
    assert!(even_games.contains("\n5x5,1999,6.5,1,1,0,0\n"), "{even_games}");
    let openings = text(|study, bytes| write_openings_csv(study, bytes));
    assert!(openings.contains("\n5x5,7,1,C3,5\n"), "{openings}");
    let json = text(|study, bytes| write_records_json(study, bytes));
    assert_eq!(serde_json::from_str::<RecordStudy>(&json).unwrap(), study);
    assert!(
        serde_json::from_str::<RecordStudy>(
            &json.replace(&format!("jigo-records-{RECORDS_FORMAT_VERSION}"), "x")
        )
        .is_err()
    );
    let faults = text(|study, bytes| {
        let mut writer = FaultWriter::new(bytes, Cells::Marked)?;
        study.faults.first().try_for_each(|fault| writer.write(fault))?;
        writer.into_inner().map(drop)
    });
    assert!(
        faults.starts_with("file,byte,move,stage,reason,text\n\"a,\"\"b\"\".sgf\",0,,record,no game,"),
        "{faults}"
    );
}

/// Texts of which some would be formulas, and some look like marked ones.
const CELLS: [&str; 10] =
    ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''", "plain", "a\r\n=1,\"b\""];

#[test]
fn faults_come_back_from_csv_as_they_were() {
    let fault = |text: &str| Fault::new(FaultStage::File, text, 3, text, &text);
    let faults = CELLS.map(fault);
    let written = |cells| {
        let mut writer = FaultWriter::new(Vec::new(), cells).unwrap();
        faults.iter().for_each(|fault| writer.write(fault).unwrap());
        writer.into_inner().unwrap()
    };
    let marked = written(Cells::Marked);
    assert_eq!(super::report::read_faults(&marked[..]).unwrap(), faults);
    let rows = |bytes: &[u8]| -> Vec<csv::StringRecord> {
        csv::Reader::from_reader(bytes).records().collect::<Result<_, _>>().unwrap()
    };
    for (row, text) in rows(&marked).iter().zip(CELLS) {
        let expected =
            if text == "plain" || text.starts_with('a') { text.to_owned() } else { format!("'{text}") };
        assert_eq!([&row[0], &row[4], &row[5]], [expected.as_str(); 3]);
    }
    for (row, text) in rows(&written(Cells::Raw)).iter().zip(CELLS) {
        assert_eq!([&row[0], &row[4], &row[5]], [text; 3]);
    }
}

#[test]
fn groups_are_no_formulas_and_numbers_stay() {
    let record = |rules: &str, komi: &str| format!("(;SZ[5]RU[{rules}]KM[{komi}]HA[@2];B[cc];W[])");
    let files = [record("=1+1", "-3.5"), record("'x", "-3.5 points")];
    let study = study_of(&[("one", &files[0]), ("two", &files[1])]);
    let rows = |cells| {
        let mut bytes = Vec::new();
        write_records_csv(&study, cells, &mut bytes).unwrap();
        let rows = csv::Reader::from_reader(&bytes[..]).into_records();
        rows.map(|row| row.unwrap().iter().skip(1).take(3).collect::<Vec<_>>().join(" | "))
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        rows(Cells::Marked),
        ["'=1+1 | -3.5 | '@2", "''x | '-3.5 points | '@2"].map(str::to_owned).into()
    );
    assert_eq!(rows(Cells::Raw), ["=1+1 | -3.5 | @2", "'x | -3.5 points | @2"].map(str::to_owned).into());
}

#[test]
fn rules_that_changed_their_meaning_are_faults() {
    let fingerprint = |rules: Preset| rules_fingerprint(rules.rules());
    let record = |rules: Preset| format!("(;SZ[5]RU[Chinese]JF[{}];B[cc])", fingerprint(rules));
    let files = [Preset::Chinese, Preset::Aga].map(record);
    let study = study_of(&[("same", &files[0]), ("other", &files[1])]);
    assert_eq!((study.games(), study.faults.count_at(FaultStage::Record)), (1, 1));
    let fault = study.faults.first().next().unwrap();
    assert_eq!((fault.file.as_str(), fault.reason.as_str()), ("other", "changed rules"));
    assert!(fault.text.starts_with("the rules' meaning changed"), "{fault}");
    let total = study.total();
    let (rules, read) = total.checked_by.first_key_value().unwrap();
    assert_eq!(
        (rules, &read.fingerprint),
        (&Preset::Chinese.rules().canonical(), &fingerprint(Preset::Chinese))
    );
    assert_eq!((total.checked_by.len(), read.games), (1, 1));
}

#[test]
fn nothing_at_all_reads_well() {
    let summary = records_summary(&RecordStudy::default());
    assert!(summary.starts_with("0 games measured, from 0 files\n"), "{summary}");
}

#[test]
fn text_is_ordered_by_its_value() {
    let texts = [Some("-5.5"), Some("0"), Some("6.5"), Some("10"), Some("375"), Some("6,5"), Some("x"), None];
    let sorted: Vec<Written> = texts.into_iter().map(Written::new).collect();
    let mut again = sorted.clone();
    again.reverse();
    again.sort();
    assert_eq!(again, sorted);
    assert_ne!(Written::new(Some("6.5")).cmp(&Written::new(Some("6.50"))), Ordering::Equal);
}

#[test]
fn text_is_kept_as_written() {
    assert_eq!(Written::new(Some(" 6.50 ")).text(), Some("6.50"));
    assert_eq!(Written::new(Some(" ")).to_string(), "not recorded");
    assert_eq!(Written::new(Some("a\u{1b}[1mb")).text(), Some("a [1mb"));
    assert_eq!(Written::new(Some(&"é".repeat(1000))).text(), Some("é".repeat(60).as_str()));
}
