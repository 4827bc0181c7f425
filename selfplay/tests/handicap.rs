//! Games with handicap stones: the same on every backend, by the rules of the reference, and in files.

use std::collections::BTreeMap;

use jigo_engine::{AnyPosition, BoardSize, Color, Move, RuleSet, reference::ReferenceGame};
use jigo_selfplay::{
    GameRecord, Needs, Progress, RunConfig, Sink,
    backend::Backend,
    sgf::{self, SgfGame, read_collection, replay, rules_of},
};

fn config(size: &str, rules: &str, stones: u32) -> RunConfig {
    let rules: RuleSet = rules.parse().unwrap();
    RunConfig::new(size.parse().unwrap(), rules, "eye-safe".parse().unwrap()).with_handicap(stones).unwrap()
}

/// Keeps all records with their final positions.
#[derive(Default)]
struct All(BTreeMap<u64, (GameRecord, Vec<Option<Color>>)>);

impl Sink for All {
    const NEEDS: Needs = Needs::All;

    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        let stones = position.size().points().map(|point| position.stone(point)).collect();
        self.0.insert(record.game_index, (record.clone(), stones));
    }

    fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

const SETTINGS: [(&str, &str, u32); 9] = [
    ("9", "japanese", 2),
    ("9", "czech", 3),
    ("13", "czech", 11),
    ("7x9", "aga", 4),
    ("9x7", "japanese", 3),
    ("19", "korean", 9),
    ("9", "tromp-taylor", 4),
    ("5x7", "brainking", 3),
    ("3", "chinese", 5),
];

/// Every backend that plays the games, and the reference move by move.
#[test]
fn games_are_those_of_the_reference_on_every_backend() {
    let mut backends = 0;
    for (size, rules, stones) in SETTINGS {
        let config = config(size, rules, stones);
        let run = config.seed(5);
        let games = if config.size.point_count() > 200 { 40 } else { 100 };
        let by_reference = |record: GameRecord| {
            let mut reference = ReferenceGame::with_handicap(config.size, *config.rules, &config.start());
            for (color, mv) in config.turns(&record.moves) {
                assert_eq!(color, reference.to_play());
                reference.play(mv).unwrap();
            }
            assert_eq!(record.prisoners, reference.prisoners);
            (record.game_index, (record, reference.colouring().clone()))
        };
        let expected: BTreeMap<_, _> = run.games(0..games).map(by_reference).collect();
        for backend in Backend::available().filter(|backend| backend.can_play(&run)) {
            let All(played) = run.play_on(backend, 0..games, All::default, &Progress::new()).unwrap();
            backends += 1;
            assert!(played == expected, "{size} {rules} {backend}");
        }
    }
    assert!(backends > 2 * SETTINGS.len(), "{backends}");
}

#[test]
fn white_moves_first_after_fixed_stones_and_black_several_times_without() {
    for (size, rules, stones) in SETTINGS {
        let config = config(size, rules, stones);
        let record = config.seed(1).game(0);
        let first: Vec<Color> = config.turns(&record.moves).map(|(color, _)| color).take(6).collect();
        let black = first.iter().take_while(|&&color| color == Color::Black).count() as u32;
        assert_eq!(black, config.start().free.min(6), "{rules}");
        assert_eq!(config.black_begins(), black > 0);
    }
}

/// What White receives, and what Black does: prisoners for each class beyond nine under the traditional rules alone.
#[test]
fn margins_have_the_compensation() {
    for (size, rules, stones, points) in [
        ("9", "chinese", 3, -3),
        ("9", "aga", 3, -2),
        ("9", "japanese", 3, 0),
        ("9", "tromp-taylor", 3, 0),
        ("13", "czech", 12, 15),
    ] {
        let config = config(size, rules, stones);
        let record = config.seed(2).game(7);
        assert_eq!(config.margin(&record), record.margin_by(config.rules.counting) + points, "{rules}");
    }
}

/// Records state the handicap and are replayed to the same end.
#[test]
fn records_are_read_back() {
    for (size, rules, stones) in SETTINGS {
        let config = config(size, rules, stones);
        for (record, position) in config.seed(9).finished_games(0..5) {
            let mut game = SgfGame::new(config.size);
            game.set_rule_set(config.rules);
            game.play_from_start(&config.start(), &record.moves);
            let text = sgf::write(&game);
            let read = read_collection(text.as_bytes()).remove(0).unwrap();
            assert!(read.warnings.is_empty(), "{:?}\n{text}", read.warnings);
            assert_eq!(read.game.handicap(), Some(stones));
            assert_eq!(rules_of(&read.game), config.rules);
            let replayed = replay(&read, *config.rules).unwrap();
            assert_eq!(replayed.area, position.area(), "{text}");
            let moves: Vec<Move> = read.game.moves().map(|(_, mv)| mv).collect();
            assert_eq!(moves, record.moves);
        }
    }
}

#[test]
fn even_games_are_as_before() {
    let size = BoardSize::square(9).unwrap();
    let even = RunConfig::new(size, jigo_engine::Rules::TROMP_TAYLOR, "eye-safe".parse().unwrap());
    assert_eq!(even.with_handicap(0), Ok(even));
    assert!(even.with_handicap(1).unwrap_err().to_string().contains("first move"));
    assert!(even.with_handicap(81).unwrap_err().to_string().contains("80 at most"));
}

/// With the same random numbers the players would exchange their points, and margins would correlate by -0.4. The bound is five standard deviations of
/// independent margins: one seed in 1.7 million is over it.
#[test]
fn handicaps_have_random_numbers_of_their_own() {
    const GAMES: u64 = 4000;
    let margins = |stones| {
        let margins: Vec<f64> = config("7", "tromp-taylor", stones)
            .seed(3)
            .games(0..GAMES)
            .map(|record| f64::from(record.margin()))
            .collect();
        let mean = margins.iter().sum::<f64>() / GAMES as f64;
        margins.into_iter().map(|margin| margin - mean).collect::<Vec<f64>>()
    };
    let (even, two) = (margins(0), margins(2));
    let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
    let correlation = product(&even, &two) / (product(&even, &even) * product(&two, &two)).sqrt();
    assert!(correlation.abs() < 5.0 / (GAMES as f64).sqrt(), "{correlation}");
}
