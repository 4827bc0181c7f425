//! Every board from 1×1 to 25×25 can be played in every way: by each back end, whatever is asked about a game, with all candidates that superko
//! forbids, and with the statuses of the final position.

use std::collections::BTreeMap;

use jigo_engine::{BoardSize, Color, Rules, life::StatusSolver};
use jigo_selfplay::{AnyPosition, Backend, GameRecord, Needs, Policy, Progress, Run, RunConfig, Sink};
use rayon::prelude::*;

fn sizes() -> impl ParallelIterator<Item = BoardSize> {
    let sides = 1..=BoardSize::MAX_SIDE;
    let sizes: Vec<_> =
        sides.clone().flat_map(|width| sides.clone().map(move |height| (width, height))).collect();
    sizes.into_par_iter().map(|(width, height)| BoardSize::new(width, height).unwrap())
}

/// What the sinks of this test need.
const NEEDS: [Needs; 4] = [Needs::End, Needs::Moves, Needs::Repetitions, Needs::All];

/// Keeps the parts of a record that every back end knows, whatever is needed, and the final position.
#[derive(Default, Debug, PartialEq)]
struct Ends<const NEEDS_INDEX: usize>(BTreeMap<u64, (GameRecord, String)>);

impl<const NEEDS_INDEX: usize> Sink for Ends<NEEDS_INDEX> {
    const NEEDS: Needs = NEEDS[NEEDS_INDEX];

    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        let mut end = GameRecord { first_move: None, ..record.clone() };
        end.moves.clear();
        end.refused.clear();
        end.repeated.clear();
        end.forbidden.clear();
        self.0.insert(record.game_index, (end, position.to_position().to_string()));
    }

    fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

fn play<const NEEDS_INDEX: usize>(
    backend: Backend,
    run: &Run,
    games: u64,
) -> BTreeMap<u64, (GameRecord, String)> {
    let sink = Ends::<NEEDS_INDEX>::default;
    run.play_on(backend, 0..games, sink, &Progress::new()).unwrap().0
}

#[test]
fn every_size_plays_on_every_back_end() {
    sizes().for_each(|size| {
        for rules in ["chinese", "tromp-taylor", "new-zealand"] {
            for policy in ["eye-safe", "guarded:k=2"] {
                let config = RunConfig::new(
                    size,
                    rules.parse::<jigo_engine::RuleSet>().unwrap(),
                    policy.parse().unwrap(),
                );
                let run = config.seed(7);
                let expected = play::<0>(Backend::Board, &run, 3);
                assert_eq!(expected.len(), 3);
                for backend in Backend::available().filter(|backend| backend.can_play(&run)) {
                    let found =
                        [play::<0>, play::<1>, play::<2>, play::<3>].map(|play| play(backend, &run, 3));
                    assert!(
                        found.iter().all(|found| *found == expected),
                        "{size} {rules} {policy} {backend}"
                    );
                }
            }
        }
    });
}

#[test]
fn every_size_plays_with_all_forbidden_candidates() {
    sizes().for_each(|size| {
        let run = RunConfig::new(size, Rules::TROMP_TAYLOR, Policy::EYE_SAFE).seed(7);
        let expected = play::<0>(Backend::Board, &run, 1);
        assert_eq!(play::<3>(Backend::Board, &run.count_forbidden(), 1), expected, "{size}");
    });
}

#[test]
fn every_size_has_statuses() {
    sizes().for_each(|size| {
        let run = RunConfig::new(size, Rules::TROMP_TAYLOR, "guarded:k=3".parse().unwrap()).seed(7);
        let (_, position) = run.finished_games(0..1).next().unwrap();
        let rules = run.config.rules;
        let chains = StatusSolver::with_limit(rules.suicide, rules.ko, 200).chains(&position);
        let stones = chains.iter().map(|chain| chain.stones.len()).sum::<usize>();
        assert_eq!(
            stones,
            Color::BOTH.map(|color| position.stone_count(color)).iter().sum::<usize>(),
            "{size}"
        );
    });
}
