//! All backends play the same games, record by record and stone by stone: each of this processor's backends against the board that
//! plays one game at a time, which `specification.rs` compares with the specification.

use std::ops::Range;

use crate::kept::Games;
use jigo_engine::{Ko, Rules, Suicide};
use jigo_selfplay::{AnyPosition, Backend, GameRecord, Needs, Policy, Progress, Run, RunConfig, Sink};

/// Keeps what is known of games where less is needed, whether everything was asked for or only that.
#[derive(Default, Debug, PartialEq)]
struct Less<const NEEDS: usize, const ASKS_ALL: bool>(Games);

/// What such sinks need.
const LESS: [Needs; 3] = [Needs::End, Needs::Moves, Needs::Repetitions];

impl<const NEEDS: usize, const ASKS_ALL: bool> Sink for Less<NEEDS, ASKS_ALL> {
    const NEEDS: Needs = if ASKS_ALL { Needs::All } else { LESS[NEEDS] };

    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        let mut known = record.clone();
        if LESS[NEEDS] != Needs::Moves {
            known.moves.clear();
        }
        if LESS[NEEDS] != Needs::Repetitions {
            known.refused.clear();
            known.repeated.clear();
        }
        if LESS[NEEDS] == Needs::End {
            known.first_move = None;
        }
        self.0.add(&known, position);
    }

    fn merge(&mut self, other: Self) {
        self.0.merge(other.0);
    }
}

fn play<S: Sink + Default>(means: Backend, spec: &Run, games: Range<u64>) -> S {
    spec.play_on(means, games, S::default, &Progress::new()).unwrap()
}

const POLICIES: [&str; 6] = [
    "uniform",
    "eye-safe",
    "eye-safe:suicide=rules",
    "guarded:k=1",
    "guarded:k=2",
    "guarded:k=4,suicide=rules",
];

fn rules() -> impl Iterator<Item = Rules> {
    let kos = [Ko::Simple, Ko::PositionalSuperko, Ko::SituationalSuperko];
    kos.into_iter().flat_map(|ko| {
        [Suicide::Forbidden, Suicide::Allowed].map(|suicide| Rules { ko, suicide, ..Rules::TROMP_TAYLOR })
    })
}

fn batches() -> impl Iterator<Item = Backend> {
    Backend::available().filter(|&means| means != Backend::Board)
}

/// Compares all means on one size under all rules and policies; returns games, draws refused by superko, repetitions, and capped games.
fn compare(size: &str, games: u64) -> [usize; 4] {
    let mut seen = [0; 4];
    for rules in rules() {
        for policy in POLICIES {
            let policy: Policy = policy.parse().unwrap();
            let spec = RunConfig::new(size.parse().unwrap(), rules, policy).seed(2026);
            let expected: Games = play(Backend::Board, &spec, 0..games);
            for (record, _) in expected.0.values() {
                seen[0] += 1;
                seen[1] += record.refused.len();
                seen[2] += record.repeated.len();
                seen[3] += usize::from(record.is_capped());
            }
            for means in batches() {
                let found: Games = play(means, &spec, 0..games);
                for (index, game) in &expected.0 {
                    assert_eq!(found.0.get(index), Some(game), "{size} {rules} {policy} {means}");
                }
                assert_eq!(found.0.len(), expected.0.len());
            }
        }
    }
    seen
}

#[test]
fn small_boards() {
    let mut seen = [0; 4];
    for size in ["2", "3", "4", "5", "2x3", "3x2", "2x5", "5x3"] {
        let more = compare(size, 2000);
        seen.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    println!("games, refused, repetitions, capped: {seen:?}");
    assert!(seen.iter().all(|&count| count > 10_000), "{seen:?}");
}

#[test]
fn middle_boards() {
    for size in ["6", "7", "8", "9", "4x7", "7x4", "9x6"] {
        compare(size, 150);
    }
}

#[test]
fn large_boards() {
    for side in 10..=25 {
        compare(&side.to_string(), 20);
    }
    for size in ["2x25", "25x2", "3x16", "9x13", "13x9", "13x19", "15x16", "16x15", "15x25", "25x20"] {
        compare(size, 20);
    }
}

fn compare_less<const NEEDS: usize>(spec: &Run) {
    let expected: Less<NEEDS, true> = play(Backend::Board, spec, 0..300);
    for means in Backend::available() {
        let found: Less<NEEDS, false> = play(means, spec, 0..300);
        assert_eq!(
            found.0, expected.0,
            "{:?} {} {} {means}",
            LESS[NEEDS], spec.config.rules, spec.config.policy
        );
    }
}

#[test]
fn what_is_not_needed_changes_nothing() {
    for rules in rules() {
        for policy in POLICIES {
            let spec = RunConfig::new("5".parse().unwrap(), rules, policy.parse().unwrap()).seed(4);
            compare_less::<0>(&spec);
            compare_less::<1>(&spec);
            compare_less::<2>(&spec);
        }
    }
}

/// Any range of games, on any number of threads, by any means: the games with these indices.
#[test]
fn ranges_and_threads_do_not_matter() {
    let spec = RunConfig::new("6x5".parse().unwrap(), Rules::TROMP_TAYLOR, Policy::EYE_SAFE).seed(11);
    let whole: Games = play(Backend::Board, &spec, 0..1000);
    for means in Backend::available() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for range in [0..1, 0..31, 5..38, 63..65, 100..100, 17..1000] {
                let part: Games = pool.install(|| play(means, &spec, range.clone()));
                let expected: Vec<_> = whole.0.range(range.clone()).collect();
                assert_eq!(part.0.iter().collect::<Vec<_>>(), expected, "{means} {threads} {range:?}");
            }
        }
    }
}

/// A short ply cap cuts games off at the same ply, passes included.
#[test]
fn ply_caps_do_not_matter() {
    for ply_cap in [1, 2, 3, 7, 40] {
        let spec = Run::new("4", "tromp-taylor", "uniform").unwrap().seed(3).ply_cap(ply_cap);
        let expected: Games = play(Backend::Board, &spec, 0..300);
        for means in batches() {
            assert_eq!(play::<Games>(means, &spec, 0..300), expected, "{means} {ply_cap}");
        }
    }
}
