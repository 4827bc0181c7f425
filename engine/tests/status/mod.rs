//! Statuses against brute force on all positions of tiny boards.

mod histories;
mod images;
mod lines;
mod parts;
mod positions;
mod zones;

use std::{ops::ControlFlow, thread};

use jigo_engine::{
    BoardSize, Ko, Position, Suicide,
    count::seki_census,
    life::{Proof, Status, StatusSolver},
};

use crate::definitions::ReferenceStatus;

const SUICIDES: [Suicide; 2] = [Suicide::Forbidden, Suicide::Allowed];

fn compare(width: usize, height: usize) {
    let size = BoardSize::new(width, height).unwrap();
    thread::scope(|scope| {
        for suicide in SUICIDES {
            scope.spawn(move || compare_all(size, suicide));
        }
    });
}

/// Every chain of every legal position, under two ko rules.
fn compare_all(size: BoardSize, suicide: Suicide) {
    let truth = ReferenceStatus::of_board(size, suicide);
    for ko in [Ko::Simple, Ko::PositionalSuperko] {
        let statuses = truth.statuses(ko);
        let mut solver = StatusSolver::with_limit(suicide, ko, 100_000);
        let mut counts = [0_u64; Status::ALL.len()];
        for (colouring, expected) in truth.positions().iter().zip(&statuses) {
            let mut position: Position<1> = Position::new(size);
            for point in size.points() {
                position.set_stone(point, colouring[point.index(size)]);
            }
            for chain in solver.chains(&position) {
                for &stone in &chain.stones {
                    assert_eq!(
                        Some(chain.status),
                        expected[stone.index(size)],
                        "{:?} {ko:?} {suicide:?} by {:?}\n{position:#}",
                        stone.to_gtp(size),
                        chain.proof
                    );
                }
                assert_ne!(chain.proof, Proof::None);
                counts[chain.status as usize] += 1;
            }
        }
        println!("{size} {ko:?} {suicide:?}: {counts:?}");
    }
}

#[test]
fn rows() {
    for width in 1..=6 {
        compare(width, 1);
    }
}

#[test]
fn rectangles() {
    compare(2, 2);
    compare(3, 2);
}

#[test]
fn three_by_three() {
    compare(3, 3);
}

/// The census of sekis lists the positions in which the tables have one.
#[test]
fn census() {
    for (width, height) in [(3, 1), (6, 1), (2, 2), (3, 2), (3, 3)] {
        let size = BoardSize::new(width, height).unwrap();
        for suicide in SUICIDES {
            let truth = ReferenceStatus::of_board(size, suicide);
            for ko in [Ko::Simple, Ko::PositionalSuperko] {
                let statuses = truth.statuses(ko);
                let has_seki = |found: &&Vec<Option<Status>>| found.contains(&Some(Status::Seki));
                let expected = statuses.iter().filter(has_seki).count() as u64;
                let census = seki_census(size, suicide, ko, &mut |_| ControlFlow::Continue(())).unwrap();
                assert_eq!(census.positions, truth.position_count() as u64);
                assert_eq!((census.with_seki, census.unknown), (expected, 0), "{size} {suicide:?} {ko:?}");
                println!("{size} {suicide:?} {ko:?}: {expected}");
                for form in census.forms {
                    println!("  {:4} {} {}", form.positions, form.kind, form.shape);
                }
            }
        }
    }
}

#[test]
fn long_rows() {
    compare(7, 1);
    compare(8, 1);
}

#[test]
fn two_by_four() {
    compare(4, 2);
}

/// Suicide matters on smaller boards as well.
#[test]
fn two_by_five() {
    compare_all(BoardSize::new(5, 2).unwrap(), Suicide::Forbidden);
}
