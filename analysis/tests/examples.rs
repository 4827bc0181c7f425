//! Which games are kept as examples, against a plain sort of all.

use std::{cmp::Reverse, collections::BTreeMap};

use jigo_analysis::{
    RunStats, Study,
    study::{CycleExamples, LeastGames, ShapeKind},
};
use jigo_engine::{
    Position,
    life::{Status, StatusSolver},
};
use jigo_selfplay::{GameRecord, Progress, Run, SuperkoEvent};

fn spec(size: &str, rules: &str, policy: &str) -> Run {
    Run::new(size, rules, policy).unwrap().seed(7)
}

fn play(spec: &Run, first: u64, end: u64) -> RunStats {
    RunStats::play(spec, first..end, &Progress::new()).unwrap()
}

/// Keys and indices, as kept and as found.
fn assert_least<K: Copy + Ord + std::fmt::Debug>(kept: &LeastGames<K>, mut all: Vec<(K, u64)>, what: &str) {
    all.sort_unstable();
    all.truncate(LeastGames::<K>::MAX);
    let kept: Vec<_> = kept.iter().map(|(key, game)| (*key, game.index)).collect();
    assert_eq!(kept, all, "{what}");
}

fn assert_cycles(kept: &CycleExamples, games: &[(u64, Vec<SuperkoEvent>)], what: &str) {
    let with = |is_meant: &dyn Fn(&SuperkoEvent) -> bool| -> Vec<(Vec<u32>, u64)> {
        let plies = |events: &[SuperkoEvent]| -> Vec<u32> {
            events.iter().filter(|event| is_meant(event)).map(|event| event.repetition.cycle_plies).collect()
        };
        games
            .iter()
            .map(|(index, events)| (plies(events), *index))
            .filter(|(plies, _)| !plies.is_empty())
            .collect()
    };
    let least = |games: Vec<(Vec<u32>, u64)>| {
        games.iter().map(|(plies, index)| (*plies.iter().min().unwrap(), *index)).collect()
    };
    let (all, balanced) = (with(&|_| true), with(&|event| event.repetition.is_balanced()));
    let most = all.iter().map(|(plies, index)| (Reverse(*plies.iter().max().unwrap()), *index)).collect();
    assert_least(&kept.longest, most, what);
    assert_least(&kept.shortest, least(all), what);
    assert_least(&kept.balanced, least(balanced), what);
}

#[derive(Default)]
struct Found {
    refused: Vec<(u64, Vec<SuperkoEvent>)>,
    repeated: Vec<(u64, Vec<SuperkoEvent>)>,
    sekis: BTreeMap<ShapeKind, Vec<((), u64)>>,
    dead: Vec<(Reverse<u32>, u64)>,
}

impl Found {
    fn add<const W: usize>(&mut self, record: &GameRecord, position: &Position<W>, judge: &mut StatusSolver) {
        let index = record.game_index;
        self.refused.push((index, record.refused.clone()));
        self.repeated.push((index, record.repeated.clone()));
        let chains = judge.chains(position);
        for seki in position.sekis(&chains) {
            let games = self.sekis.entry(ShapeKind::Seki(seki.kind)).or_default();
            if games.last() != Some(&((), index)) {
                games.push(((), index));
            }
        }
        let dead = chains.iter().filter(|chain| chain.status == Status::Dead);
        self.dead
            .extend(dead.map(|chain| chain.stones.len() as u32).max().map(|stones| (Reverse(stones), index)));
    }
}

#[test]
fn examples_are_the_first_of_their_kind() {
    for (size, rules, policy, games) in [
        ("5", "tromp-taylor", "guarded:k=3", 1500),
        ("4x6", "japanese", "guarded:k=2", 800),
        ("5", "situational-superko", "eye-safe", 1500),
        ("3", "new-zealand", "uniform", 300),
    ] {
        let spec = spec(size, rules, policy);
        let measures = play(&spec, 0, games).finished;
        let mut found = Found::default();
        let mut solver = StatusSolver::new(spec.config.rules.suicide, spec.config.rules.ko);
        for (record, position) in spec.finished_games(0..games) {
            if !record.is_capped() {
                found.add(&record, &position, &mut solver);
            }
        }
        let what = format!("{size} {rules} {policy}");
        assert_cycles(&measures.examples.rejected, &found.refused, &what);
        assert_cycles(&measures.examples.repeated, &found.repeated, &what);
        let life = &measures.status.examples;
        assert_least(&life.dead, found.dead, &what);
        assert!(life.sekis.keys().eq(found.sekis.keys()), "{what}");
        for (kind, games) in found.sekis {
            assert_least(&life.sekis[&kind], games, &what);
        }
        let (superko, sekis) = (&measures.examples, life.sekis.len());
        println!(
            "{what}: {sekis} kinds of seki, refused {:?}, repeated {:?}",
            superko.rejected.longest, superko.repeated.longest
        );
        let has_any = *superko != Default::default() || *life != Default::default();
        assert!(has_any, "{what}: nothing was tested");
    }
}

#[test]
fn threads_and_parts_change_nothing() {
    let spec = spec("5", "situational-superko", "guarded:k=3");
    let under = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| play(&spec, 0, 1500))
    };
    let one = under(1);
    assert!(one.finished.examples != Default::default());
    assert!(one.finished.status.examples != Default::default());
    assert!(one == under(3));
    for mut bounds in [vec![0, 400, 401, 1500], vec![0, 1, 900, 1500]] {
        bounds.dedup();
        let mut parts: Vec<RunStats> = bounds.windows(2).map(|part| play(&spec, part[0], part[1])).collect();
        for _ in 0..parts.len() {
            parts.rotate_left(1);
            let mut merged = parts[0].clone();
            parts[1..].iter().for_each(|part| merged.merge(part).unwrap());
            assert!(merged == one);
        }
    }
}

/// Examples of rule sets that share their games are those of each set alone.
#[test]
fn compared_rule_sets_have_their_own_examples() {
    let sets = ["tromp-taylor", "territory", "simple-ko", "situational-superko"];
    let settings = sets.map(|rules| spec("5", rules, "guarded:k=3").config);
    let study = Study::play(&settings, 7, 0..800, &Progress::new()).unwrap();
    for cell in &study.runs {
        let alone = RunStats::play(&cell.config.seed(7), 0..800, &Progress::new()).unwrap().finished;
        assert_eq!(cell.finished.examples, alone.examples);
        assert_eq!(cell.finished.status.examples, alone.status.examples);
    }
}

/// Searches take long, so the moves of their games are kept; random games are played again.
#[test]
fn moves_are_kept_of_games_that_take_long() {
    for (policy, searches) in [("uct:playouts=10", true), ("guarded:k=2", false)] {
        let run = spec("4", "tromp-taylor", policy);
        let parts = [play(&run, 0, 60), play(&run, 60, 150)]
            .map(|stats| Study { runs: vec![stats], ..Study::default() });
        let [mut study, other] = parts;
        study.merge(other).unwrap();
        let finished = &study.runs[0].finished;
        let rejected = finished.examples.rejected.shortest.iter().map(|(_, game)| game);
        let dead = finished.status.examples.dead.iter().map(|(_, game)| game);
        let mut count = 0;
        for game in rejected.chain(dead) {
            let record = run.game(game.index);
            let codes: Vec<u16> = record.moves.iter().map(|mv| mv.code(run.config.size)).collect();
            assert_eq!(game.moves, if searches { codes } else { Vec::new() });
            count += 1;
        }
        assert!(count > 1, "{policy}: {count}");
    }
}
