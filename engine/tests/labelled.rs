//! Certified statuses against labelled collections, which are absent from the repository: what is proved must not contradict what others say.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use crate::shared::{labelled, rows};
use jigo_engine::{
    Board, Color, Ko, Point, Position, Suicide,
    life::{ChainStatus, Proof, Status, StatusSolver},
};
use serde_json::Value;

const SUICIDES: [Suicide; 2] = [Suicide::Forbidden, Suicide::Allowed];

/// What a search of these positions may look at.
const LIMIT: usize = 20_000;

/// Chains and stones, and those with a proof among them.
#[derive(Debug, Default)]
struct Coverage {
    chains: [usize; 2],
    stones: [usize; 2],
}

impl Coverage {
    fn add(&mut self, chain: &ChainStatus) {
        let is_proved = usize::from(chain.proof != Proof::None);
        for (counts, count) in [(&mut self.chains, 1), (&mut self.stones, chain.stones.len())] {
            counts[0] += count;
            counts[1] += count * is_proved;
        }
    }

    fn print(&self, name: &str) {
        let share = |[all, proved]: [usize; 2]| 100.0 * proved as f64 / all as f64;
        println!(
            "{name}: proved {} of {} chains ({:.1} %), {} of {} stones ({:.1} %)",
            self.chains[1],
            self.chains[0],
            share(self.chains),
            self.stones[1],
            self.stones[0],
            share(self.stones),
        );
    }
}

fn position(record: &Value, suicide: Suicide) -> Position {
    let board: Board = Board::from_diagram(&rows(&record["rows"]).join("\n"), suicide).unwrap();
    board.position()
}

fn point(value: &Value) -> Point {
    Point::new(value[0].as_u64().unwrap() as u8, value[1].as_u64().unwrap() as u8)
}

/// How long finals of 19×19 take at the default limit, each with a new judge, and how much is proved of them: a measurement, nothing is asserted.
#[test]
#[ignore = "a measurement: run with --release --ignored --nocapture"]
fn finals_of_people_take_some_time() {
    let Some(records) = labelled("ogs_score_estimator.jsonl") else { return };
    let (mut coverage, mut times) = (Coverage::default(), Vec::<Duration>::new());
    for position in records.iter().map(|record| position(record, Suicide::Forbidden)) {
        if position.size().width() == 19 {
            let begin = Instant::now();
            let chains = StatusSolver::new(Suicide::Forbidden, Ko::Simple).chains(&position);
            times.push(begin.elapsed());
            chains.iter().for_each(|chain| coverage.add(chain));
        }
    }
    times.sort();
    coverage.print("19x19");
    println!("{:?} each, {:?} the longest", times[times.len() / 2], times.last());
}

/// Final positions whose dead stones people agreed on: nobody took off what certainly lives, or left what is certainly dead.
#[test]
fn people_agree() {
    let Some(records) = labelled("ogs_score_estimator.jsonl") else { return };
    let mut coverage = Coverage::default();
    let (mut alive, mut dead, mut wrong) = (0, 0, Vec::new());
    for record in &records {
        let position = position(record, Suicide::Forbidden);
        let agreed: BTreeSet<Point> =
            record["expected"]["dead"].as_array().unwrap().iter().map(point).collect();
        let chains = StatusSolver::with_limit(Suicide::Forbidden, Ko::Simple, LIMIT).chains(&position);
        let taken_off: BTreeSet<Point> =
            position.taken_off(&chains).flat_map(|chain| chain.stones.iter().copied()).collect();
        for chain in &chains {
            coverage.add(chain);
            let is_wrong = match chain.status {
                Status::Alive | Status::Seki => {
                    alive += 1;
                    chain.stones.iter().any(|stone| agreed.contains(stone))
                }
                Status::Dead if taken_off.contains(&chain.stones[0]) => {
                    dead += 1;
                    chain.stones.iter().any(|stone| !agreed.contains(stone))
                }
                _ => false,
            };
            if is_wrong {
                let first = chain.stones[0].to_gtp(position.size());
                wrong.push(format!("{} {first} {}\n{position:#}", record["id"], chain.status));
            }
        }
    }
    coverage.print("people");
    println!("{alive} chains certainly alive, {dead} dead");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(alive > 300 && dead > 10);
}

/// What is unconditionally alive for KataGo, or in territory that is, is so here.
#[test]
fn katago_is_not_contradicted() {
    let Some(records) = labelled("katago_boardarea.jsonl") else { return };
    let mut coverage = Coverage::default();
    let mut compared = 0;
    for record in &records {
        for (suicide, key) in SUICIDES.into_iter().zip(["pass_alive", "pass_alive_suicide"]) {
            let position = position(record, suicide);
            let area = rows(&record["expected"][key]);
            for chain in StatusSolver::with_limit(suicide, Ko::Simple, LIMIT).chains(&position) {
                coverage.add(&chain);
                let Point { x, y } = chain.stones[0];
                let expected = match (area[y as usize].as_bytes()[x as usize], chain.color) {
                    (b'X', Color::Black) | (b'O', Color::White) => Status::Alive,
                    (b'X' | b'O', _) => Status::Dead,
                    _ => continue,
                };
                compared += 1;
                assert_eq!(chain.status, expected, "{} {key} {chain:?}\n{position:#}", record["id"]);
            }
        }
    }
    coverage.print("KataGo");
    assert!(compared > 50);
}

/// Stones that GNU Go calls alive although White can capture them, with their status. White's stones beside them are dead all the same, so that the
/// area remains Black's: that is what GNU Go asks.
///
/// `unconditional:405`, A18: White plays A15 and then A19, which captures three stones. Black at A14 is too late.
const OTHER_QUESTION: (&str, Status) = ("unconditional:405", Status::Unsettled);

/// What GNU Go calls unconditionally alive or dead has no proof of the contrary.
#[test]
fn gnu_go_is_not_contradicted() {
    let Some(records) = labelled("gnugo_unconditional.jsonl") else { return };
    let mut coverage = Coverage::default();
    let mut known: Option<(&Value, Vec<ChainStatus>)> = None;
    let mut compared = [0; 2];
    for record in &records {
        let position = position(record, Suicide::Forbidden);
        if known.as_ref().is_none_or(|(rows, _)| **rows != record["rows"]) {
            let chains = StatusSolver::with_limit(Suicide::Forbidden, Ko::Simple, LIMIT).chains(&position);
            chains.iter().for_each(|chain| coverage.add(chain));
            known = Some((&record["rows"], chains));
        }
        let (_, chains) = known.as_ref().expect("just made");
        let stone = point(&record["expected"]["args_xy"][0]);
        let Some(chain) = chains.iter().find(|chain| chain.stones.contains(&stone)) else { continue };
        let (kind, possible) = match record["expected"]["answer"].as_str().unwrap() {
            "alive" => (0, [Status::Alive, Status::Unknown]),
            "dead" => (1, [Status::Dead, Status::Unknown]),
            _ => continue,
        };
        let (id, status) = OTHER_QUESTION;
        if record["id"] == id {
            assert_eq!(chain.status, status, "{id}");
            continue;
        }
        compared[kind] += usize::from(chain.proof != Proof::None);
        assert!(possible.contains(&chain.status), "{} {chain:?}\n{position:#}", record["id"]);
    }
    coverage.print("GNU Go");
    println!("{compared:?} answers on chains with a proof, alive and dead");
    assert!(compared[0] > 80 && compared[1] > 60);
}
