//! `docs/playouts.md`, written a second time on the naive reference board and compared with the product game by game; and the golden
//! signatures that pin the games for good.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use crate::naive::{Draws, Naive};
use jigo_engine::{BoardSize, Color, Move, Rules, Suicide, reference::ReferenceGame, zobrist::mix64};
use jigo_selfplay::{
    End, GameRecord, Policy, Progress, Run, RunConfig, Signature, SuperkoEvent, stream::GAMES_VERSION,
};

/// Game `index` of a run by the letter of the specification.
fn naive_game(run: Run, index: u64) -> NaiveRecord {
    let size = run.config.size.playing_orientation();
    let start = ReferenceGame::new(size, *run.config.rules);
    let draws = Draws::new(run.seed, index);
    let mut naive = Naive::at(run.config.policy.playout(), run.config.rules.suicide, size, start, draws);
    let (mut moves, mut forced_passes) = (Vec::new(), 0);
    while !naive.game.is_over() && moves.len() < run.config.ply_cap as usize {
        forced_passes += u32::from(naive.game.is_out_of_stones());
        let mv = naive.choose();
        naive.game.play(mv).unwrap();
        moves.push(match mv {
            Move::Play(point) if size != run.config.size => Move::Play(point.transposed()),
            other => other,
        });
    }
    let end = match naive.game.is_over() {
        true if naive.game.has_cycled() => End::Cycle,
        true => End::TwoPasses,
        false => End::PlyCap,
    };
    NaiveRecord { moves, refused: naive.refused, area: naive.game.area(), end, forced_passes }
}

struct NaiveRecord {
    moves: Vec<Move>,
    refused: usize,
    area: [u32; 2],
    end: End,
    forced_passes: u32,
}

impl NaiveRecord {
    #[track_caller]
    fn compare(&self, record: &GameRecord) {
        assert_eq!(record.moves, self.moves, "game {}", record.game_index);
        assert_eq!(record.refused.len(), self.refused);
        assert_eq!(Color::BOTH.map(|color| record.area.of(color)), self.area);
        assert_eq!((record.end, record.forced_passes), (self.end, self.forced_passes));
    }
}

#[test]
fn the_product_follows_the_specification() {
    let policies = [
        "uniform",
        "eye-safe",
        "eye-safe:suicide=rules",
        "guarded:k=1",
        "guarded:k=3,suicide=rules",
        "settled:k=2,suicide=rules",
        "settled:k=3",
    ];
    let sizes = [
        ("1x1", 3),
        ("1x4", 6),
        ("4x1", 6),
        ("2x2", 8),
        ("3x3", 6),
        ("2x5", 4),
        ("5x4", 4),
        ("7x7", 2),
        ("9x6", 1),
    ];
    let (mut games, mut refused, mut capped) = (0, 0, 0);
    for (size, count) in sizes {
        for rules in Rules::lattice() {
            for policy in policies {
                let spec = RunConfig::new(size.parse().unwrap(), rules, policy.parse().unwrap()).seed(42);
                for index in 0..count {
                    let record = spec.game(index);
                    naive_game(spec, index).compare(&record);
                    games += 1;
                    refused += record.refused.len();
                    capped += u32::from(record.is_capped());
                }
            }
        }
    }
    assert!(
        games >= 4000 && refused > 500 && capped > 100,
        "{games} games, {refused} refused, {capped} capped"
    );
}

#[test]
fn a_finite_supply_of_stones_follows_the_specification() {
    let (mut cycles, mut out_of_stones, mut single_suicides) = (0, 0, 0);
    for rules in ["makrai-area", "no-suicide+finite-stones", "simple-ko+finite-stones"] {
        for (size, ply_cap, games) in [("1x3", 60, 20), ("2x2", 200, 20), ("3x3", 400, 10), ("4x3", 600, 3)] {
            for policy in ["uniform", "eye-safe", "guarded:k=2,suicide=rules"] {
                let run = Run::new(size, rules, policy).unwrap().seed(7).ply_cap(ply_cap);
                for index in 0..games {
                    let record = run.game(index);
                    naive_game(run, index).compare(&record);
                    cycles += u32::from(record.end == End::Cycle);
                    out_of_stones += u32::from(record.forced_passes > 0);
                    let removed = |event: &SuperkoEvent| event.repetition.cycle_plies == 1;
                    single_suicides += u32::from(record.repeated.iter().any(removed));
                }
            }
        }
    }
    let seen = [cycles, out_of_stones, single_suicides];
    assert!(seen.iter().all(|&games| games >= 20), "{seen:?}");
}

/// The settings whose games are pinned.
fn pinned() -> Vec<(Run, u64)> {
    let mut pinned = Vec::new();
    let sizes = [
        ("2x2", 2000),
        ("5", 1000),
        ("7x7", 1000),
        ("9", 1000),
        ("9x13", 200),
        ("13", 200),
        ("19", 100),
        ("25x20", 20),
    ];
    for (size, games) in sizes {
        for policy in ["eye-safe", "uniform", "guarded:k=2", "eye-safe:suicide=rules", "settled:k=3"] {
            for rules in ["tromp-taylor", "new-zealand", "chinese"] {
                let spec = Run::new(size, rules, policy).unwrap().seed(1);
                pinned.push((spec, games));
            }
        }
    }
    pinned
}

/// What to do when games change.
const CHANGED: &str = "the games of a seed change, or rows are missing. If that is not meant, find out why. If it is: raise GAMES_VERSION (selfplay/src/stream.rs), say what changes \
    in docs/playouts.md and in CHANGELOG.md under Signatures, write the new folder with `JIGO_BLESS=1 cargo test --release -p jigo-selfplay --test \
    specification`, and point the other readers of the old one to it. docs/stability.md has the whole list";

/// Compares with `tests/data/games-v1/signatures.csv`, whose folder is that of [`GAMES_VERSION`]. Rows that are there are never written again;
/// those of a new policy are added with `JIGO_BLESS=1`.
#[test]
fn games_are_pinned() {
    let heading = "# Signatures of the first games of seed 1: see docs/playouts.md and specification.rs\nsize,rules,policy,games,signature\n";
    let rows = pinned().into_iter().map(|(spec, games)| {
        let signature = spec.play(0..games, Signature::default, &Progress::new()).unwrap();
        let RunConfig { size, rules, policy, .. } = spec.config;
        (format!("{size},{rules},{policy},{games},"), signature.to_string())
    });
    let rows: Vec<(String, String)> = rows.collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/games-v{GAMES_VERSION}"));
    let path = folder.join("signatures.csv");
    let mut golden = fs::read_to_string(&path).unwrap_or_else(|_| heading.to_owned());
    if std::env::var_os("JIGO_BLESS").is_some() {
        for (run, signature) in &rows {
            if !golden.lines().any(|line| line.starts_with(run)) {
                writeln!(golden, "{run}{signature}").unwrap();
            }
        }
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, &golden).unwrap();
    }
    let lines = rows.iter().map(|(run, signature)| format!("{run}{signature}\n"));
    let table = lines.fold(heading.to_owned(), |table, line| table + &line);
    let total = table.bytes().fold(0, |hash, byte| mix64(hash ^ u64::from(byte)));
    println!("Signature: {total:016x}");
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&table), sorted(&golden), "{CHANGED}");
}

#[test]
fn threads_and_ranges_do_not_matter() {
    let size = BoardSize::new(6, 5).unwrap();
    for policy in [Policy::EYE_SAFE, "settled:k=3".parse().unwrap()] {
        let spec = RunConfig::new(size, Rules::TROMP_TAYLOR, policy).seed(9);
        let play = |threads, range: std::ops::Range<u64>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| spec.play(range, Signature::default, &Progress::new()).unwrap())
        };
        let whole = play(1, 0..3000);
        assert_eq!(whole, play(2, 0..3000));
        assert_eq!(whole, play(3, 0..3000));
        let mut parts = play(2, 1234..3000);
        jigo_selfplay::Sink::merge(&mut parts, play(1, 0..1234));
        assert_eq!(whole, parts);
        assert_ne!(whole, play(1, 1..3001));
    }
}

#[test]
fn suicide_is_played_only_where_rules_and_policy_allow_it() {
    let size = BoardSize::square(5).unwrap();
    let given_up = |suicide: Suicide, policy: &str| {
        let rules = Rules { suicide, ..Rules::TROMP_TAYLOR };
        let spec = RunConfig::new(size, rules, policy.parse().unwrap()).seed(3);
        let mut stones = 0;
        for index in 0..200 {
            let record = spec.game(index);
            let mut game: jigo_engine::Game = jigo_engine::Game::new(size, rules);
            stones += record.moves.iter().map(|&mv| game.play(mv).unwrap().outcome.given_up).sum::<u16>();
        }
        stones
    };
    assert_eq!(given_up(Suicide::Forbidden, "eye-safe:suicide=rules"), 0);
    assert_eq!(given_up(Suicide::Allowed, "eye-safe"), 0);
    assert!(given_up(Suicide::Allowed, "eye-safe:suicide=rules") > 0);
    assert!(given_up(Suicide::Allowed, "uniform") > 0);
}
