//! The files about life and death.

use jigo_engine::{SekiKind, Status};

use super::{RATE, Sheet, parts, rate_fields};
use crate::{
    Study,
    report::summary::{Rate, status_proofs},
};

/// Chains and stones of each side by status and proof.
pub(super) fn chains(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "side", "status", "proof", "chains", "stones"]);
    for (cell, kind) in parts(study) {
        let status = &kind.measures(cell).status;
        for (side, counts) in [("black", &status.black), ("white", &status.white)] {
            for (status, proof) in status_proofs() {
                let found = counts.table.of(status, proof);
                let names = [kind.name(), side, status.name(), proof.name()].map(str::to_owned);
                let numbers = [found.chains, found.stones].map(|number| number.to_string());
                sheet.cell_row(&cell.setting, names.into_iter().chain(numbers));
            }
        }
    }
    sheet.bytes()
}

/// Games whose final positions have a chain of each status, and those in which all chains are decided.
pub(super) fn games(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&[&["kind", "with"][..], &RATE].concat());
    for (cell, kind) in parts(study) {
        let status = &kind.measures(cell).status;
        let with = Status::ALL.map(|found| (found.name(), status.positions_with(found)));
        let decided =
            [("all decided", status.decided_positions), ("all decided by benson", status.benson_positions)];
        for (name, games) in with.into_iter().chain(decided) {
            let names = [kind.name(), name].map(str::to_owned);
            let rate = rate_fields(Rate::new(games, status.positions));
            sheet.cell_row(&cell.setting, names.into_iter().chain(rate));
        }
    }
    sheet.bytes()
}

/// Dead chains and chains in seki by their size.
pub(super) fn sizes(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "status", "stones", "chains"]);
    for (cell, kind) in parts(study) {
        let status = &kind.measures(cell).status;
        for (found, sizes) in [(Status::Dead, &status.dead_sizes), (Status::Seki, &status.seki_sizes)] {
            for (stones, chains) in sizes {
                let names = [kind.name(), found.name()].map(str::to_owned);
                sheet.cell_row(
                    &cell.setting,
                    names.into_iter().chain([stones.to_string(), chains.to_string()]),
                );
            }
        }
    }
    sheet.bytes()
}

pub(super) fn sekis(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "seki", "sekis"]);
    for (cell, kind) in parts(study) {
        for (seki, count) in SekiKind::ALL.into_iter().zip(kind.measures(cell).status.sekis) {
            let fields = [kind.name().to_owned(), seki.name().to_owned(), count.to_string()];
            sheet.cell_row(&cell.setting, fields);
        }
    }
    sheet.bytes()
}

/// By how many points the margin changes where dead chains are taken off, and then where points in seki do not count.
pub(super) fn margins(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "without", "change", "games"]);
    for (cell, kind) in parts(study) {
        let status = &kind.measures(cell).status;
        for (without, shift) in [("dead chains", &status.dead), ("points in seki", &status.seki)] {
            for (change, games) in &shift.changes {
                let names = [kind.name(), without].map(str::to_owned);
                sheet.cell_row(
                    &cell.setting,
                    names.into_iter().chain([change.to_string(), games.to_string()]),
                );
            }
        }
    }
    sheet.bytes()
}

pub(super) fn shapes(study: &Study) -> Vec<u8> {
    let mut sheet = Sheet::new(&["kind", "holds", "shape", "parts", "first_source", "first_index"]);
    for (cell, kind) in parts(study) {
        for (shape, count) in kind.measures(cell).status.shapes.ranking() {
            let names = [kind.name(), count.kind.name(), shape].map(str::to_owned);
            let numbers =
                [count.parts.to_string(), count.first.source.clone(), count.first.index.to_string()];
            sheet.cell_row(&cell.setting, names.into_iter().chain(numbers));
        }
    }
    sheet.bytes()
}
