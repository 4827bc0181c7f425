//! What superko leaves, by the definition that knows the whole history.

use std::collections::HashMap;

use jigo_engine::{BoardSize, Color, Ko};

use super::SUICIDES;
use crate::definitions::ReferenceStatus;

/// Whether a stone survives under superko by the definition itself: its owner may not bring back any position seen since the question was
/// asked, the opponent may do whatever he likes. `None` beyond a number of histories.
fn survives(all: &ReferenceStatus, number: usize, point: usize, first: Color, limit: usize) -> Option<bool> {
    let positions = all.positions();
    let owner = positions[number][point].unwrap();
    assert!(positions.len() <= 64, "histories are words");
    // States: position, mover, positions seen.
    let start = (number, first, 1_u64 << number);
    let mut index = HashMap::from([(start, 0)]);
    let mut states = vec![start];
    let mut after: Vec<Vec<usize>> = Vec::new();
    while after.len() < states.len() {
        let (number, mover, seen) = states[after.len()];
        let mut successors = Vec::new();
        if positions[number][point] == Some(owner) {
            let moves = all.next(number, mover).iter().copied();
            let allowed = moves.filter(|&next| mover != owner || seen >> next & 1 == 0);
            for next in allowed.chain([number]) {
                let state = (next, mover.opponent(), seen | 1 << next);
                let fresh = index.len();
                let entry = *index.entry(state).or_insert(fresh);
                if entry == states.len() {
                    states.push(state);
                }
                successors.push(entry);
            }
        }
        after.push(successors);
        if states.len() > limit {
            return None;
        }
    }
    let mut lost: Vec<bool> =
        states.iter().map(|&(number, ..)| positions[number][point] != Some(owner)).collect();
    loop {
        let mut changed = false;
        for state in (0..states.len()).rev().filter(|&state| !after[state].is_empty()) {
            let mut each = after[state].iter().map(|&next| lost[next]);
            let is_lost =
                if states[state].1 == owner { each.all(|lost| lost) } else { each.any(|lost| lost) };
            changed |= is_lost && !lost[state];
            lost[state] |= is_lost;
        }
        if !changed {
            return Some(!lost[0]);
        }
    }
}

/// Finitely many moves are what superko leaves: the tables agree with the definition that knows the whole history.
#[test]
fn histories() {
    for (width, height) in [(1, 1), (2, 1), (3, 1), (4, 1), (2, 2)] {
        let size = BoardSize::new(width, height).unwrap();
        for suicide in SUICIDES {
            let all = ReferenceStatus::of_board(size, suicide);
            let (mut compared, mut skipped) = (0, 0);
            for (place, point) in size.points().enumerate() {
                for owner in Color::BOTH {
                    let tables = all.saved(point, owner, Ko::PositionalSuperko);
                    for (number, expected) in tables.iter().enumerate() {
                        if all.positions()[number][place] != Some(owner) {
                            continue;
                        }
                        for first in Color::BOTH {
                            match survives(&all, number, place, first, 200_000) {
                                Some(survives) => {
                                    assert_eq!(survives, expected[first.index()]);
                                    compared += 1;
                                }
                                None => skipped += 1,
                            }
                        }
                    }
                }
            }
            println!("{size} {suicide:?}: {compared} compared, {skipped} with too many histories");
            assert!(compared >= 10 * skipped, "too few histories are short");
        }
    }
}
