//! What is certain about final positions.

use super::{
    Group, Titled, View,
    parts::{per_cent, rate_cells},
};
use crate::report::{
    data_table::DataTable,
    format::{DASH, fixed, grouped},
    summary::SideShares,
};

pub(super) fn group(view: &View<'_>) -> Group {
    let mut group = Group::new("Status of stones");
    group.tables = vec![sides(view), positions(view)];
    group
}

fn sides(view: &View<'_>) -> Titled {
    let headings = [
        "side",
        "games",
        "stones",
        "unconditionally alive, %",
        "inside unconditional territory, %",
        "undecided, %",
        "chains",
        "unconditionally alive, %",
        "unconditional territory, points per position",
    ];
    let mut table = DataTable::new(2, headings);
    for kind in view.kinds() {
        let status = &view.summary.of(kind).status;
        for (name, side) in [("Black", status.black), ("White", status.white), ("both", status.both)] {
            table.push([name.to_owned(), kind.name().to_owned()].into_iter().chain(side_cells(&side)));
        }
    }
    let note = "Shares of all stones, and of all chains, in final positions.".to_owned();
    Titled { note, ..Titled::new("Stones and chains", table) }
}

pub(super) fn side_cells(side: &SideShares) -> [String; 7] {
    [
        grouped(side.counts.stones),
        per_cent(side.alive_stone_share),
        per_cent(side.enclosed_stone_share),
        per_cent(side.undecided_stone_share),
        grouped(side.counts.chains),
        per_cent(side.alive_chain_share),
        side.territory_per_position.map_or_else(|| DASH.to_owned(), |points| fixed(points, 2)),
    ]
}

fn positions(view: &View<'_>) -> Titled {
    let mut table = DataTable::new(1, ["games", "wholly decided", "% of positions", "95 % interval"]);
    for kind in view.kinds() {
        let rate = view.summary.of(kind).status.decided_positions;
        table.push(std::iter::once(kind.name().to_owned()).chain(rate_cells(rate)));
    }
    Titled::new("Final positions in which every stone is decided", table)
}
