//! The games of a match as a dataset's columns.
#![cfg(unix)]

use std::{collections::HashMap, fs, path::Path, time::Duration};

use jigo_engine::{BoardSize, Color, Komi, Move, RuleSet, reference::ReferenceGame};
use jigo_selfplay::{
    Policy, Progress, RunConfig,
    dataset::{DatasetSpec, Part, Provenance, write_dataset},
    matches::{
        Adjudication, Contestant, MatchEnding, MatchError, MatchResult, MatchSpec, Openings, play_match,
    },
    sealed::{is_sealed, seal},
    sgf::{SgfGame, read_collection},
};
use parquet::{
    basic::Repetition,
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
    schema::types::TypePtr,
};

fn spec(first: &str, second: &str, rules: &str, games: u64) -> MatchSpec {
    MatchSpec {
        players: [first, second].map(|player| player.parse().unwrap()),
        size: BoardSize::square(5).unwrap(),
        rules: rules.parse().unwrap(),
        komi: Komi::from_half_points(15),
        handicap: 0,
        games,
        seed: 7,
        ply_cap: 60,
        time_limit: Duration::from_secs(20),
        clock: None,
        time_margin: Duration::ZERO,
        stop_rule: None,
        openings: Openings::Random(2),
        adjudication: Adjudication::AllAlive,
        threads: 1,
    }
}

fn play(dir: &Path, spec: &MatchSpec) -> Vec<MatchResult> {
    play_match(dir, spec, &Progress::new()).unwrap()
}

/// A Parquet file as a whole.
struct Table {
    fields: Vec<TypePtr>,
    columns: HashMap<String, Vec<Field>>,
    metadata: HashMap<String, String>,
    rows: usize,
}

impl Table {
    fn read(path: &Path) -> Self {
        let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
        let about = reader.metadata().file_metadata();
        let pairs = about.key_value_metadata().unwrap().clone();
        let metadata = pairs.into_iter().map(|pair| (pair.key, pair.value.unwrap())).collect();
        let fields = about.schema().get_fields().to_vec();
        let (mut columns, mut rows) = (HashMap::<String, Vec<Field>>::new(), 0);
        for row in reader.get_row_iter(None).unwrap() {
            rows += 1;
            for (name, value) in row.unwrap().get_column_iter() {
                columns.entry(name.clone()).or_default().push(value.clone());
            }
        }
        Self { fields, columns, metadata, rows }
    }

    fn names(&self) -> Vec<&str> {
        self.fields.iter().map(|field| field.name()).collect()
    }

    fn column(&self, name: &str) -> &[Field] {
        &self.columns[name]
    }

    fn text(&self, name: &str) -> Vec<&str> {
        fn text(value: &Field) -> &str {
            match value {
                Field::Str(text) => text,
                other => panic!("{other}"),
            }
        }
        self.column(name).iter().map(text).collect()
    }

    fn counts(&self, name: &str) -> Vec<u32> {
        self.column(name).iter().map(count).collect()
    }
}

fn count(value: &Field) -> u32 {
    match value {
        Field::UShort(count) => u32::from(*count),
        other => panic!("{other}"),
    }
}

fn list(value: &Field) -> &[Field] {
    match value {
        Field::ListInternal(list) => list.elements(),
        other => panic!("{other}"),
    }
}

/// A player that plays this answer when it is asked for its third move in a game, and passes before.
fn third_answer(answer: &str) -> String {
    format!(
        r#"sh -c 'n=0; while read -r command rest; do case $command in
             clear_board) n=0; printf "=\n\n";;
             genmove) n=$((n+1)); if [ $n = 3 ]; then {answer}; else printf "= pass\n\n"; fi;;
             *) printf "=\n\n";;
           esac; done'"#
    )
}

#[test]
fn games_that_are_also_playouts_have_the_columns_of_a_dataset() {
    let folder = tempfile::tempdir().unwrap();
    for rules in ["chinese", "situational-superko", "tromp-taylor"] {
        let playouts = RunConfig::new(
            BoardSize::new(3, 4).unwrap(),
            rules.parse::<RuleSet>().unwrap(),
            Policy::EYE_SAFE,
        )
        .seed(3);
        let provenance = Provenance { version: "0.0.0".to_owned(), commit: "none".to_owned() };
        let [dataset, match_dir] = ["dataset", "match"].map(|name| folder.path().join(rules).join(name));
        write_dataset(&dataset, &DatasetSpec::new(playouts, 200, provenance), Part::WHOLE, &Progress::new())
            .unwrap();
        let expected = Table::read(&dataset.join("data/shard-000000.parquet"));
        // What the policy did from the empty board; the last pass it plays again, and with it ends the game.
        let (rows, openings): (Vec<usize>, Vec<Vec<Move>>) = (0..200)
            .map(|row| (row, playouts.game(row as u64)))
            .filter(|(_, record)| !record.is_capped())
            .map(|(row, record)| (row, record.moves[..record.moves.len() - 1].to_vec()))
            .unzip();
        assert!(rows.len() > 150, "{rules}: {}", rows.len());
        let spec = MatchSpec {
            size: playouts.config.size,
            ply_cap: playouts.config.ply_cap + 1,
            openings: Openings::Listed(openings),
            ..spec("policy:eye-safe", "policy:eye-safe", rules, 2 * rows.len() as u64)
        };
        play(&match_dir, &spec);
        let table = Table::read(&match_dir.join("games.parquet"));
        let count = expected.names().len();
        assert_eq!(table.fields[..count], expected.fields[..]);
        for name in expected.names() {
            match name {
                "game_index" => {
                    assert!(table.column(name).iter().cloned().eq((0..spec.games).map(Field::ULong)));
                }
                // What was drawn in vain does not follow from the moves.
                "refused" => {
                    let is_empty =
                        |table: &Table| table.column(name).iter().all(|games| list(games).is_empty());
                    assert!(is_empty(&table));
                    assert_eq!(is_empty(&expected), rules == "chinese");
                }
                _ => {
                    let [played, stored] = [table.column(name), expected.column(name)];
                    let is_stored = |game: usize| played[game] == stored[rows[game / 2]];
                    assert!((0..played.len()).all(is_stored), "{rules}: {name}");
                }
            }
        }
        let repeated = table.column("repeated").iter().map(|games| list(games).len()).sum::<usize>();
        assert_eq!(repeated > 0, rules != "tromp-taylor", "{rules}: {repeated}");
    }
}

/// A row as the naive reference gives it, all stones alive: plies, passes, areas, stones, prisoners.
fn by_reference(game: &SgfGame, spec: &MatchSpec) -> [u32; 8] {
    let mut reference = ReferenceGame::with_handicap(game.size, *spec.rules, &spec.start());
    let mut passes = 0;
    for (color, mv) in game.moves() {
        assert_eq!(reference.to_play(), color);
        reference.play(mv).unwrap();
        passes += u32::from(mv == Move::Pass);
    }
    let stones = Color::BOTH
        .map(|color| reference.colouring().iter().filter(|&&stone| stone == Some(color)).count() as u32);
    let ([black, white], [black_prisoners, white_prisoners]) = (reference.area(), reference.prisoners);
    [
        game.moves().count() as u32,
        passes,
        black,
        white,
        stones[0],
        stones[1],
        black_prisoners,
        white_prisoners,
    ]
}

const COUNTS: [&str; 8] = [
    "plies",
    "passes",
    "black_area",
    "white_area",
    "black_stones",
    "white_stones",
    "black_prisoners",
    "white_prisoners",
];

/// Plays a match and compares every column with the records in SGF, the results and the reference.
fn check(spec: &MatchSpec) -> Vec<MatchResult> {
    let folder = tempfile::tempdir().unwrap();
    let results = play(folder.path(), spec);
    let table = Table::read(&folder.path().join("games.parquet"));
    let sgf = fs::read(folder.path().join("games.sgf")).unwrap();
    let games: Vec<SgfGame> = read_collection(&sgf).into_iter().map(|record| record.unwrap().game).collect();
    assert_eq!((table.rows, games.len()), (results.len(), results.len()));
    let counts = COUNTS.map(|name| table.counts(name));
    let moves = table.column("moves");
    let margin = table.column("margin");
    let half_points = table.column("half_points");
    for (row, (game, result)) in games.iter().zip(&results).enumerate() {
        let codes: Vec<u32> = game.moves().map(|(_, mv)| mv.code(spec.size).into()).collect();
        assert_eq!(list(&moves[row]).iter().map(count).collect::<Vec<u32>>(), codes);
        let expected = by_reference(game, spec);
        assert_eq!(counts.each_ref().map(|column| column[row]), expected, "game {row}");
        assert_eq!(margin[row], Field::Short((expected[2] as i32 - expected[3] as i32) as i16));
        assert_eq!(table.column("capped")[row], Field::Bool(result.ending == MatchEnding::PlyCap));
        assert_eq!(half_points[row], result.half_points.map_or(Field::Null, Field::Int));
        let winner = result.winning_color().map_or("none", |color| ["black", "white"][color.index()]);
        let expected = [
            ("black", result.black.name()),
            ("white", result.black.opponent().name()),
            ("winner", winner),
            ("ending", result.ending.name()),
            ("dead", result.dead.name()),
        ];
        for (name, value) in expected {
            assert_eq!(table.text(name)[row], value, "game {row}: {name}");
        }
    }
    results
}

#[test]
fn columns_are_what_the_records_give() {
    // Half of the games end at the cap; the komi of a whole point gives drawn ones.
    let rules = "area+simple-ko+suicide";
    let spec = spec("policy:eye-safe", "policy:eye-safe", rules, 300);
    let results = check(&MatchSpec { ply_cap: 45, komi: Komi::from_points(1), ..spec });
    for ending in [MatchEnding::TwoPasses, MatchEnding::PlyCap] {
        assert!(results.iter().any(|result| result.ending == ending), "{ending}");
    }
    assert!(results.iter().any(|result| result.winner.is_none()));
}

#[test]
fn games_with_handicap_have_the_columns_of_their_moves() {
    for (size, rules, handicap) in
        [("5", "chinese", 3), ("7x9", "japanese", 4), ("9", "czech", 11), ("5", "brainking", 2)]
    {
        let spec = spec("policy:eye-safe", "policy:guarded", rules, 20);
        let size: BoardSize = size.parse().unwrap();
        let spec = MatchSpec { size, handicap, ply_cap: RunConfig::default_ply_cap(size), ..spec };
        let results = check(&spec);
        assert!(results.iter().any(|result| result.ending == MatchEnding::TwoPasses), "{rules}");
        let folder = tempfile::tempdir().unwrap();
        play(folder.path(), &MatchSpec { games: 2, ..spec.clone() });
        let other = MatchSpec { games: 2, handicap: 0, ..spec };
        let error = play_match(folder.path(), &other, &Progress::new()).unwrap_err().to_string();
        assert!(
            error.contains(&format!("another match: handicap is {handicap} there, not 0. Use")),
            "{error}"
        );
    }
}

#[test]
fn lost_games_have_the_columns_of_what_was_played() {
    for (answer, ending) in [
        (r#"printf "= resign\n\n""#, MatchEnding::Resignation),
        (r#"printf "= A0\n\n""#, MatchEnding::Garbage),
        ("exit 3", MatchEnding::Crash),
    ] {
        let results = check(&spec(&third_answer(answer), "policy:eye-safe", "japanese", 4));
        for result in results {
            let expected = (ending, Some(Contestant::Second), None);
            assert_eq!((result.ending, result.winner, result.half_points), expected);
        }
    }
}

#[test]
fn the_file_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec("policy:eye-safe", "policy:uniform", "japanese", 2);
    play(folder.path(), &spec);
    let table = Table::read(&folder.path().join("games.parquet"));
    let names = table.names();
    assert_eq!(names[..3], ["game_index", "moves", "plies"]);
    assert_eq!(
        names[names.len() - 7..],
        ["repeated", "black", "white", "winner", "ending", "half_points", "dead"]
    );
    for field in &table.fields {
        let is_optional = field.get_basic_info().repetition() == Repetition::OPTIONAL;
        assert_eq!(is_optional, field.name() == "half_points", "{field:?}");
    }
    let recorded: serde_json::Value = serde_json::from_str(&table.metadata["jigo.match"]).unwrap();
    let manifest = fs::read(folder.path().join("manifest.json")).unwrap();
    let mut arguments: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    assert!(is_sealed(&manifest) && arguments.as_object_mut().unwrap().remove("blake3").is_some());
    assert_eq!(recorded, arguments);
    let rules = spec.rules.canonical();
    assert_eq!(table.metadata["jigo.format_version"], "1");
    assert_eq!(table.metadata["jigo.rules_fingerprint"], blake3::hash(rules.as_bytes()).to_hex().to_string());
    assert_eq!(table.metadata["jigo.rules"], rules);
}

#[test]
fn interrupted_or_not_the_bytes_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path().join(name));
    // More games than are encoded together, and by players so slow that the interruption comes before the end on a busy machine too.
    let spec = spec("policy:uct:playouts=30", "policy:uct:playouts=20", "chinese", 1_100);
    let results = play(&whole, &spec);
    let read = |dir: &Path| fs::read(dir.join("games.parquet")).unwrap();
    let stopped = Progress::new();
    stopped.stop();
    assert_eq!(play_match(&broken, &spec, &stopped).unwrap(), []);
    assert_eq!(Table::read(&broken.join("games.parquet")).rows, 0);
    // On a busy machine the match may end before the interruption: then it is interrupted anew.
    let finished = (0..100).find_map(|_| {
        let progress = Progress::new();
        let finished = std::thread::scope(|scope| {
            scope.spawn(|| {
                while progress.games() < 100 {
                    std::thread::yield_now();
                }
                progress.stop();
            });
            play_match(&broken, &spec, &progress).unwrap().len()
        });
        assert_eq!(Table::read(&broken.join("games.parquet")).rows, finished);
        if finished == 1_100 {
            fs::remove_dir_all(&broken).unwrap();
        }
        (finished < 1_100).then_some(finished)
    });
    assert!(finished.unwrap() >= 100);
    assert_eq!(play(&broken, &spec), results);
    assert!(read(&whole) == read(&broken));
    // Nothing but the records and the results is needed.
    fs::remove_file(broken.join("games.parquet")).unwrap();
    fs::write(broken.join("games.parquet.1-a-0.partial"), "half of it").unwrap();
    play(&broken, &spec);
    assert!(read(&whole) == read(&broken));
    assert_eq!(fs::read_dir(&broken).unwrap().count(), 4);
}

/// Writes records, and the digests that fit them into the results.
fn forge(folder: &Path, text: &str) {
    let path = folder.join("games.jsonl");
    let mut begin = 0;
    let rows = fs::read_to_string(&path).unwrap();
    let forged = rows.lines().map(|line| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        let end = row["sgf_end"].as_u64().unwrap() as usize;
        let object = row.as_object_mut().unwrap();
        object.remove("blake3");
        let digest = blake3::hash(&text.as_bytes()[begin..end]).to_hex().to_string();
        object.insert("sgf_blake3".to_owned(), digest.into());
        begin = end;
        seal(&row.to_string())
    });
    fs::write(&path, forged.collect::<String>()).unwrap();
    fs::write(folder.join("games.sgf"), text).unwrap();
}

#[test]
fn records_that_are_not_those_of_the_results_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec("policy:eye-safe", "policy:eye-safe", "chinese", 6);
    play(folder.path(), &spec);
    let path = folder.path().join("games.sgf");
    let text = fs::read_to_string(&path).unwrap();
    let games = fs::read(folder.path().join("games.parquet")).unwrap();
    // Each change leaves the file as long as it was.
    let changed = |at: usize, new: &str| [&text[..at], new, &text[at + new.len()..]].concat();
    let [first, second] = [";B[", ";W["].map(|play| text.find(play).unwrap());
    let (last, end) = (text.rfind(';').unwrap(), text.rfind(']').unwrap());
    for (change, reason) in [
        (changed(first, ";W["), "game 0: move 1 is White's, out of turn"),
        (
            changed(second + 2, &text[first + 2..first + 6]),
            "game 0: move 2 is illegal: the point is occupied",
        ),
        (changed(text.find("SZ[5]").unwrap(), "SZ[6]"), "game 0: its board is 6x6, that of the match 5x5"),
        (changed(last, &" ".repeat(end + 1 - last)), "game 5: its moves are not those"),
    ] {
        fs::write(&path, &change).unwrap();
        let error = play_match(folder.path(), &spec, &Progress::new()).unwrap_err();
        assert!(error.to_string().contains("its record was changed"), "{error}");
        forge(folder.path(), &change);
        let error = play_match(folder.path(), &spec, &Progress::new()).unwrap_err();
        assert!(matches!(error, MatchError::Damaged { .. }) && error.to_string().contains(reason), "{error}");
        assert!(fs::read(folder.path().join("games.parquet")).unwrap() == games);
    }
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".partial")));
}

#[test]
fn matches_with_clocks_have_columns_of_times() {
    let folder = tempfile::tempdir().unwrap();
    let passes = r#"sh -c 'while read -r command rest; do case $command in
        genmove) printf "= pass\n\n";;
        *) printf "=\n\n";;
      esac; done'"#;
    let with_clock = |dir: &Path, clock: Option<&str>| {
        let clock = clock.map(|clock| clock.parse().unwrap());
        play(dir, &MatchSpec { clock, ..spec(passes, "policy:eye-safe", "chinese", 2) });
        Table::read(&dir.join("games.parquet"))
    };
    let table = with_clock(&folder.path().join("clock"), Some("60+10/2"));
    // The program has Black in the first game and White in the second; a policy has no clock.
    let is_time = |column: &str| {
        let fields = table.columns[column].iter();
        fields.map(|field| matches!(field, Field::Long(0..60_000))).collect::<Vec<_>>()
    };
    assert_eq!((is_time("black_ms"), is_time("white_ms")), (vec![true, false], vec![false, true]));
    assert!(table.columns["white_ms"][0] == Field::Null);
    let table = with_clock(&folder.path().join("none"), None);
    assert!(!table.columns.contains_key("black_ms"));
}
