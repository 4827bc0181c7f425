//! What komi is fair.

use super::{
    super::{
        Figure, Group, Titled,
        parts::{komi_cells, per_cent},
    },
    Cells,
    across::Shown,
};
use crate::{
    report::{
        format::{DASH, fixed, grouped},
        summary::CellSummary,
    },
    stats::{ESTIMATE_METHOD, MIN_GAMES},
};

pub(super) fn group(cells: Cells<'_>) -> Group {
    Group {
        text: "The fair komi is the one at which the policy, playing both sides, wins as often with Black as with White. It describes the \
               policy that played, not the game of Go: stronger players get more out of the first move, so their fair komi is another. \
               What can be compared is how sizes, rules and policies differ."
            .to_owned(),
        figures: figure(cells).into_iter().collect(),
        tables: vec![table(cells)],
        ..Group::new("What komi is fair?")
    }
}

fn figure(cells: Cells<'_>) -> Option<Figure> {
    let of = |cell: &CellSummary| {
        let fair = cell.finished.fair_komi.as_ref()?;
        Some((fair.estimate.estimate, fair.estimate.interval))
    };
    let text = "In points, with 95 % interval.";
    Shown { id: "front-komi", title: "Fair komi", text, label: "fair komi, points", of: &of }.figure(cells)
}

fn table(cells: Cells<'_>) -> Titled {
    let headings = [
        "games",
        "capped, %",
        "fair komi, points",
        "95 % interval",
        "nearest half-integer",
        "mean length, plies",
    ];
    let titled = cells.table(headings, |cell| {
        let finished = &cell.finished;
        let fair = finished.fair_komi.as_ref();
        let half = fair.map_or_else(|| DASH.to_owned(), |fair| fair.half.komi.to_string());
        let plies = finished.plies.filter(|_| finished.has_enough_games());
        let plies = plies.map_or_else(|| DASH.to_owned(), |plies| fixed(plies.mean, 1));
        let games = [grouped(cell.games), per_cent(cell.capped_games.share)];
        games.into_iter().chain(komi_cells(fair)).chain([half, plies]).collect()
    });
    let note = format!(
        "Finished games only, but for the first two columns. Fair komi: {ESTIMATE_METHOD}, 95 %. {DASH}: fewer than {MIN_GAMES} games."
    );
    Titled { note, ..titled }
}
