//! The files about life and death.

use jigo_engine::life::{SekiKind, Status};

use super::{RATE, Sheet, parts};
use crate::{
    Study,
    report::summary::{Rate, status_proofs},
};

/// Chains and stones of each side by status and proof.
pub(super) fn chains(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["side", "status", "proof", "chains", "stones"]);
    for part in parts(study) {
        let counts = &part.measures().status;
        for (side, counts) in [("black", &counts.black), ("white", &counts.white)] {
            for (status, proof) in status_proofs() {
                let found = counts.table.of(status, proof);
                sheet.part_row(part, &[&side, &status, &proof, &found.chains, &found.stones]);
            }
        }
    }
    sheet.bytes()
}

/// Games whose final positions have a chain of each status, and those in which all chains are decided.
pub(super) fn games(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&[&["with"][..], &RATE].concat());
    for part in parts(study) {
        let counts = &part.measures().status;
        let with = Status::ALL.map(|status| (status.name(), counts.positions_with(status)));
        let decided =
            [("all decided", counts.decided_positions), ("all decided by benson", counts.benson_positions)];
        for (name, games) in with.into_iter().chain(decided) {
            sheet.rate_row(part, &[&name], Rate::new(games, counts.positions));
        }
    }
    sheet.bytes()
}

/// Dead chains and chains in seki by their size.
pub(super) fn sizes(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["status", "stones", "chains"]);
    for part in parts(study) {
        let counts = &part.measures().status;
        for (status, sizes) in [(Status::Dead, &counts.dead_sizes), (Status::Seki, &counts.seki_sizes)] {
            for (stones, chains) in sizes {
                sheet.part_row(part, &[&status, &stones, &chains]);
            }
        }
    }
    sheet.bytes()
}

/// Sekis by kind.
pub(super) fn sekis(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["seki", "sekis"]);
    for part in parts(study) {
        for (kind, count) in SekiKind::ALL.into_iter().zip(part.measures().status.sekis) {
            sheet.part_row(part, &[&kind, &count]);
        }
    }
    sheet.bytes()
}

/// By how many points the margin changes where dead chains are taken off, and then where points in seki do not count.
pub(super) fn margins(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["without", "change", "games"]);
    for part in parts(study) {
        let counts = &part.measures().status;
        for (without, shift) in [("dead chains", &counts.dead), ("points in seki", &counts.seki)] {
            for (change, games) in &shift.changes {
                sheet.part_row(part, &[&without, &change, &games]);
            }
        }
    }
    sheet.bytes()
}

/// All shapes that are kept, the most frequent first.
pub(super) fn shapes(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::of_parts(&["holds", "shape", "parts", "first_source", "first_index"]);
    for part in parts(study) {
        for (shape, count) in part.measures().status.shapes.ranking() {
            let first = &count.first;
            sheet.part_row(part, &[&count.kind.name(), &shape, &count.parts, &first.source, &first.index]);
        }
    }
    sheet.bytes()
}
