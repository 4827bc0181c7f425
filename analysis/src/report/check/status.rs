//! Whether the counts of life and death belong together.

use jigo_engine::life::{Proof, Shape, Status};

use super::{
    Checked, at_most, check_histogram, equal, require,
    rules::{Direction, check_moved},
    sum,
};
use crate::study::{ShapeCounts, ShiftCounts, SideStatus, StatusCounts};

pub(super) fn check_status(status: &StatusCounts, games: u64, points: i64) -> Checked {
    equal("final positions", status.positions, games)?;
    check_side("black status", &status.black, games, points)?;
    check_side("white status", &status.white, games, points)?;
    let both = status.both();
    let unknown = &status.unknown_stones;
    check_histogram("stones of unknown status per position", unknown, games, Some((0, points)))?;
    equal("stones of unknown status", unknown.sum(), both.table.of_status(Status::Unknown).stones)?;
    equal("decided positions", status.decided_positions, unknown.count_of(0))?;
    at_most("positions decided by unconditional life", status.benson_positions, status.decided_positions)?;
    for (found, with) in Status::ALL.into_iter().zip(status.positions_with) {
        let chains = both.table.of_status(found).chains;
        at_most(&format!("positions with a chain that is {found}"), with, chains.min(games))?;
    }
    for (found, sizes) in [(Status::Dead, &status.dead_sizes), (Status::Seki, &status.seki_sizes)] {
        let counts = both.table.of_status(found);
        let what = format!("stones per chain that is {found}");
        check_histogram(&what, sizes, counts.chains, Some((1, points)))?;
        equal(&what, sizes.sum(), counts.stones)?;
    }
    let in_seki = both.table.of_status(Status::Seki).chains;
    at_most("sekis", sum(status.sekis.into_iter()), in_seki)?;
    check_shift("margins without dead chains", &status.dead, games)?;
    check_shift("margins without points in seki", &status.seki, games)?;
    let dead = both.table.of_status(Status::Dead).chains;
    check_shapes(&status.shapes, i128::from(in_seki) + i128::from(dead))
}

fn check_side(what: &str, side: &SideStatus, games: u64, points: i64) -> Checked {
    let most = i128::from(games) * i128::from(points);
    at_most(what, side.territory, most)?;
    // Before adding, which would overflow.
    at_most(what, sum(side.table.iter().map(|(.., counts)| counts.stones)), most)?;
    for (status, proof, counts) in side.table.iter() {
        at_most(&format!("{what}: chains that are {status} by {proof}"), counts.chains, counts.stones)?;
        let is_known = (status == Status::Unknown) == (proof == Proof::None);
        require(is_known, || format!("{what}: {status} by {proof}"))?;
    }
    Ok(())
}

fn check_shift(what: &str, shift: &ShiftCounts, games: u64) -> Checked {
    at_most(what, shift.changes.count(), games)?;
    equal(what, shift.changes.count_of(0), 0)?;
    check_moved(&shift.fallen, &shift.changes, Direction::Down)?;
    check_moved(&shift.risen, &shift.changes, Direction::Up)
}

fn check_shapes(shapes: &ShapeCounts, chains: i128) -> Checked {
    let parts = sum(shapes.shapes.values().map(|count| count.parts)) + i128::from(shapes.larger);
    at_most("parts with seki or dead chains", parts, chains)?;
    for (text, count) in &shapes.shapes {
        let shape: Shape = text.parse().map_err(|error| format!("shapes: {error}"))?;
        let is_small = (1..=ShapeCounts::MAX_POINTS).contains(&shape.point_count());
        require(is_small && count.parts > 0, || format!("shapes: `{text}` cannot have been counted"))?;
    }
    Ok(())
}
