//! Statuses that searches prove in positions of playouts, against their definitions by moves of the naive reference.

use jigo_engine::{
    BoardSize, Ko, Point, Position, Rules, Suicide,
    life::{ChainStatus, Proof, Status, StatusSolver},
    reference::Colouring,
};
use jigo_selfplay::RunConfig;

use crate::definitions::ReferenceStatus;

/// Points of a part that is compared, at most.
const MAX_POINTS: usize = 8;

/// Chains by status, and how many were in parts too large to be compared.
#[derive(Debug, Default)]
struct Seen {
    positions: u32,
    statuses: [u32; Status::ALL.len()],
    too_large: u32,
}

fn compare(position: &Position, suicide: Suicide, ko: Ko, seen: &mut Seen) {
    let size = position.size();
    let colouring: Colouring = size.points().map(|point| position.stone(point)).collect();
    let report = StatusSolver::new(suicide, ko).solve(position);
    let mut known: Option<(Vec<Point>, ReferenceStatus)> = None;
    seen.positions += 1;
    let is_open = |chain: &&ChainStatus| [Proof::Static, Proof::Search].contains(&chain.proof);
    for chain in report.chains().filter(is_open) {
        let part = report.part(chain.stones[0]);
        if part.len() > MAX_POINTS {
            seen.too_large += 1;
            continue;
        }
        if known.as_ref().is_none_or(|(points, _)| *points != part) {
            let all = ReferenceStatus::new(size, suicide, colouring.clone(), &part, usize::MAX);
            known = Some((part, all.expect("there is no limit")));
        }
        let (_, reference) = known.as_ref().expect("just made");
        let expected = reference.status(chain.stones[0], ko);
        assert_eq!(chain.status, expected, "{chain:?} {ko:?} {suicide:?}\n{position:#}");
        seen.statuses[expected as usize] += 1;
    }
}

/// The end of games that keep sekis, and positions shortly before it.
#[test]
fn statuses_in_games_are_those_of_the_definitions() {
    let mut seen = Seen::default();
    for suicide in [Suicide::Forbidden, Suicide::Allowed] {
        for (side, games, caps) in [(7, 150, [48, 60, 75, 300]), (9, 60, [85, 100, 120, 400])] {
            let size = BoardSize::square(side).unwrap();
            let rules = Rules { suicide, ..Rules::TROMP_TAYLOR };
            for ply_cap in caps {
                let spec = RunConfig::new(size, rules, "guarded:k=3".parse().unwrap()).seed(20_261_121);
                for (record, position) in spec.ply_cap(ply_cap).finished_games(0..games) {
                    let ko = if record.game_index % 2 == 0 { Ko::Simple } else { Ko::PositionalSuperko };
                    compare(&position, suicide, ko, &mut seen);
                }
            }
        }
    }
    println!("{seen:?}");
    for status in [Status::Alive, Status::Unsettled, Status::Ko, Status::Dead] {
        assert!(seen.statuses[status as usize] >= 10, "{seen:?}");
    }
}
