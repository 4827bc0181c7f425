//! What is alive at the end, and how much of it is known.

use jigo_engine::life::Status;

use super::{
    super::{
        Figure, Group, Titled,
        parts::{per_cent, rate_cells},
    },
    Cells,
    across::rate_figure,
};
use crate::report::{format::DASH, summary::RATE_METHOD};

/// The statuses that show how a game ended, with the name of their picture.
const SHOWN: [(Status, &str); 2] = [(Status::Seki, "front-seki"), (Status::Dead, "front-dead")];

pub(super) fn group(cells: Cells<'_>) -> Group {
    Group {
        text: "In final positions a chain is alive when it cannot be captured even if the opponent moves first, in seki when in addition \
               neither it nor an opposing chain beside it can be made safe for good, unsettled when it is captured or saved by whoever moves \
               first, dead when it is captured even if its owner moves first, and ko when that depends on ko threats. Each status has a \
               proof; what has none is unknown and never guessed, so every rate is one of what is known, and its coverage stands beside it. \
               How games end belongs to the policy: one that fills dead stones' liberties leaves none behind."
            .to_owned(),
        figures: SHOWN.iter().filter_map(|&(status, id)| figure(cells, status, id)).collect(),
        tables: vec![table(cells)],
        ..Group::new("What is alive at the end?")
    }
}

/// Nothing where no game of any cell has it.
fn figure(cells: Cells<'_>, status: Status, id: &str) -> Option<Figure> {
    if cells.all.iter().all(|cell| cell.finished.status.with(status).count == 0) {
        return None;
    }
    let title = format!("Games that end with a chain that is {}", status.name());
    rate_figure(cells, (id, &title), |cell| Some(cell.finished.status.with(status)))
}

fn table(cells: Cells<'_>) -> Titled {
    let headings = [
        "games with seki, %",
        "95 % interval",
        "games with dead chains, %",
        "95 % interval",
        "chains of known status, %",
        "positions wholly known, %",
        "95 % interval",
    ];
    let titled = cells.table(headings, |cell| {
        let status = &cell.finished.status;
        let rates =
            SHOWN.into_iter().flat_map(|(shown, _)| rate_cells(status.with(shown)).into_iter().skip(1));
        let known = std::iter::once(per_cent(status.both.decided_chain_share));
        rates.chain(known).chain(rate_cells(status.decided_positions).into_iter().skip(1)).collect()
    });
    let note = format!(
        "Proofs are Benson’s theorem, theorems about eyes and links, and searches of the lines of play that matter. Intervals: {RATE_METHOD}, \
         95 %. {DASH}: no finished games."
    );
    Titled { note, ..titled }
}
