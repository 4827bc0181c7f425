//! Statistics of life and death against a plain count, chain by chain.

use std::collections::BTreeMap;

use jigo_analysis::{RunStats, Study};
use jigo_engine::{
    AnyPosition, Board, Color, Counting, Position, Rules,
    life::{Proof, SekiKind, Status, StatusSolver},
    score::{ScoringContext, SekiBy},
};
use jigo_selfplay::{GameRecord, Progress, Run, policy::PlayoutPolicy};

fn spec(size: &str, rules: &str, policy: &str) -> Run {
    Run::new(size, rules, policy).unwrap().seed(7)
}

fn play(spec: &Run, first: u64, end: u64) -> RunStats {
    RunStats::play(spec, first..end, &Progress::new()).unwrap()
}

fn each_final(spec: &Run, games: u64, mut visit: impl FnMut(&GameRecord, &Position)) {
    for (record, position) in spec.finished_games(0..games) {
        if !record.is_capped() {
            visit(&record, &position);
        }
    }
}

/// Chains and stones by colour, status and proof.
type Table = BTreeMap<(usize, Status, Proof), (u64, u64)>;

/// A new solver for each position: what the study's solvers remember makes no difference.
#[test]
fn counts_are_those_of_all_chains() {
    for (size, rules, policy, games) in [
        ("5", "tromp-taylor", "guarded:k=3", 3000),
        ("4x6", "japanese", "guarded:k=2", 1500),
        ("3", "new-zealand", "uniform", 300),
    ] {
        let spec = spec(size, rules, policy);
        let Rules { suicide, ko, counting, .. } = *spec.config.rules;
        let counts = play(&spec, 0, games).finished.status;
        let (mut table, mut sekis, mut with) = (Table::new(), BTreeMap::new(), BTreeMap::new());
        let (mut parts, mut dead_change, mut seki_change) = (0, 0, 0);
        each_final(&spec, games, |record, position| {
            let chains = StatusSolver::new(suicide, ko).chains(position);
            for chain in &chains {
                let entry = table.entry((chain.color.index(), chain.status, chain.proof)).or_default();
                *entry = (entry.0 + 1, entry.1 + chain.stones.len() as u64);
            }
            for status in Status::ALL {
                let has_one = chains.iter().any(|chain| chain.status == status);
                *with.entry(status).or_insert(0) += u64::from(has_one);
            }
            for seki in position.sekis(&chains) {
                *sekis.entry(seki.kind).or_insert(0) += 1;
            }
            let is_counted = |part: &Vec<_>| {
                chains.iter().any(|chain| {
                    let is_known = chain.status == Status::Seki
                        || chain.status == Status::Dead && chain.proof != Proof::Benson;
                    is_known && part.contains(&chain.stones[0])
                })
            };
            parts += position.open_parts(&chains).iter().filter(|part| is_counted(part)).count() as u64;
            // By the margins of the boards themselves.
            let mut board = Board::<11>::new(spec.config.size, suicide);
            let living = chains.iter().filter(|chain| chain.status != Status::Dead);
            let stones = living.flat_map(|chain| chain.stones.iter().map(|&stone| (stone, chain.color)));
            board.set_position(stones, Color::Black).unwrap();
            dead_change += i128::from(board.area().margin() - record.margin());
            let in_seki = chains.iter().filter(|chain| chain.status == Status::Seki);
            let named: Vec<_> = in_seki.map(|chain| chain.stones[0]).collect();
            let rules = Rules { counting: Counting::Territory, ..Rules::TROMP_TAYLOR };
            let [all, without] = [&[][..], &named].map(|seki| {
                let context = ScoringContext { seki: SekiBy::Agreed(seki), ..ScoringContext::default() };
                board.position().score(rules, &context).margin()
            });
            seki_change += i128::from(without - all);
        });
        for status in Status::ALL {
            assert_eq!(counts.positions_with(status), with[&status], "{size} {policy} {status}");
            for proof in Proof::ALL {
                for (color, side) in [&counts.black, &counts.white].into_iter().enumerate() {
                    let found = side.table.counts(status, proof);
                    let expected = table.get(&(color, status, proof)).copied().unwrap_or_default();
                    assert_eq!((found.chains, found.stones), expected, "{size} {policy} {status} {proof}");
                }
            }
        }
        for (kind, count) in SekiKind::ALL.into_iter().zip(counts.sekis) {
            assert_eq!(count, sekis.get(&kind).copied().unwrap_or(0), "{size} {policy} {kind}");
        }
        let kept: u64 = counts.shapes.shapes.values().map(|count| count.parts).sum();
        assert_eq!(counts.shapes.larger + kept, parts);
        assert_eq!(counts.dead.changes.sum(), dead_change, "{size} {policy} {counting:?}");
        assert_eq!(counts.seki.changes.sum(), seki_change);
        println!(
            "{size} {rules} {policy}: {with:?} {sekis:?}, {parts} parts, dead {dead_change}, seki {seki_change}"
        );
        let has = |status| counts.positions_with(status) > 0;
        assert!(policy == "uniform" || (has(Status::Seki) && has(Status::Dead)), "nothing was tested");
    }
}

#[test]
fn threads_and_parts_change_nothing() {
    let spec = spec("6", "tromp-taylor", "guarded:k=3");
    let under = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| play(&spec, 0, 2500))
    };
    let one = under(1);
    assert!(one == under(3));
    let json = |cell: &RunStats| serde_json::to_string(cell).unwrap();
    let mut merged = play(&spec, 900, 2500);
    merged.merge(&play(&spec, 0, 900)).unwrap();
    assert!(json(&merged) == json(&one));
    let ranking = one.finished.status.shapes.ranking();
    assert!(ranking.is_sorted_by_key(|(_, count)| std::cmp::Reverse(count.parts)));
    assert!(ranking.iter().all(|(_, count)| count.first.source == "seed 7" && count.first.index < 2500));
}

/// Counting is by each rule set's own, life by its suicide and ko.
#[test]
fn compared_rule_sets_have_their_own_counts() {
    let sets = ["tromp-taylor", "territory", "simple-ko", "no-suicide"];
    let settings = sets.map(|rules| spec("5", rules, "guarded:k=3").config);
    let study = Study::play(&settings, 7, 0..1500, &Progress::new()).unwrap();
    for cell in &study.runs {
        let alone = RunStats::play(&cell.config.seed(7), 0..1500, &Progress::new()).unwrap();
        assert!(*cell == alone, "{}", cell.config.rules);
    }
}

/// Where no move was withheld by ko, eye-safe finals have neither seki nor dead stones (see `selfplay/tests/theorem.rs`).
#[test]
fn eye_safe_finals_are_all_alive() {
    let mut settled = 0;
    for (size, rules) in [("5", "tromp-taylor"), ("9", "chinese"), ("9", "new-zealand")] {
        let spec = spec(size, rules, "eye-safe");
        let Rules { suicide, ko, .. } = *spec.config.rules;
        let mut solver = StatusSolver::new(suicide, ko);
        each_final(&spec, 2000, |_, position| {
            let stones = Color::BOTH.into_iter();
            let stones = stones.flat_map(|color| position.stones(color).map(move |point| (point, color)));
            let mut board = Board::<11>::new(spec.config.size, spec.config.rules.suicide);
            board.set_position(stones, Color::Black).unwrap();
            let is_withheld = Color::BOTH.into_iter().any(|color| {
                board.set_to_play(color);
                let candidates = board.candidates(PlayoutPolicy::EYE_SAFE.among());
                candidates
                    .iter()
                    .any(|point| board.is_legal(point) && !PlayoutPolicy::EYE_SAFE.rejects(&board, point))
            });
            if !is_withheld {
                settled += 1;
                assert_eq!(solver.final_status(AnyPosition::new(position), true).open, None, "{position:#}");
            }
        });
    }
    assert!(settled > 4000, "{settled}");
}
