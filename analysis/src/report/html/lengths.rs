//! How long games are and how they end.

use super::{Figure, Group, Titled, View, bins::Bins, parts::rate_cells};
use crate::report::{
    chart::{Bars, Caption, Mark},
    data_table::DataTable,
    format::{DASH, fixed},
    summary::{GameKind, Rate, Spread},
};

pub(super) fn group(view: &View<'_>) -> Group {
    let mut group = Group::new("Length, captures and ends");
    group.figures = vec![lengths(view), passes(view)];
    group.tables = vec![ends(view), spreads(view)];
    group
}

fn lengths(view: &View<'_>) -> Figure {
    let bins = Bins::of(&view.finished().plies);
    let title = "Length of games";
    let text = "Plies of finished games, passes included.";
    let mark = view.numbers().plies.map(|plies| Mark {
        at: plies.mean,
        interval: None,
        label: format!("mean {}", fixed(plies.mean, 1)),
    });
    let chart = Bars {
        caption: Caption { id: &format!("{}-lengths", view.id), title, description: text },
        x_label: "length, plies",
        y_label: &bins.share_label("games", "plies"),
        bars: &bins.bars(None),
        parts: None,
        mark,
    };
    let table = bins.table("plies", "games");
    Figure { title: title.to_owned(), text: text.to_owned(), svg: chart.draw(), table }
}

fn passes(view: &View<'_>) -> Figure {
    let bins = Bins::of(&view.finished().passes);
    let title = "Passes per game";
    let text = "Both players together, the last two included.";
    let chart = Bars {
        caption: Caption { id: &format!("{}-passes", view.id), title, description: text },
        x_label: "passes",
        y_label: &bins.share_label("games", "passes"),
        bars: &bins.bars(None),
        parts: None,
        mark: None,
    };
    let table = bins.table("passes", "games");
    Figure { title: title.to_owned(), text: text.to_owned(), svg: chart.draw(), table }
}

/// Why games ended.
pub(super) fn ends(view: &View<'_>) -> Titled {
    let mut table = DataTable::new(1, ["end", "games", "% of games", "95 % interval"]);
    let all = view.cell.games();
    for (name, kind) in [("two passes", GameKind::Finished), ("ply cap", GameKind::Capped)] {
        let rate = Rate::new(kind.measures(view.cell).games, all);
        table.push(std::iter::once(name.to_owned()).chain(rate_cells(rate)));
    }
    Titled::new("Why games ended", table)
}

pub(super) fn spreads(view: &View<'_>) -> Titled {
    let headings =
        ["per game", "games", "mean", "± standard error", "standard deviation", "least", "median", "most"];
    let mut table = DataTable::new(2, headings);
    for kind in view.kinds() {
        let numbers = view.summary.of(kind);
        for (name, spread) in [
            ("plies", numbers.plies),
            ("passes", numbers.passes),
            ("margin before komi, points", numbers.margin),
            ("neutral points", numbers.neutral_points),
            ("black stones removed", numbers.black_stones_removed),
            ("white stones removed", numbers.white_stones_removed),
        ] {
            table.push([name.to_owned(), kind.name().to_owned()].into_iter().chain(spread_cells(spread)));
        }
    }
    Titled::new("Counts per game", table)
}

pub(super) fn spread_cells(spread: Option<Spread>) -> [String; 6] {
    let Some(spread) = spread else { return [const { String::new() }; 6].map(|_| DASH.to_owned()) };
    let or_dash =
        |value: Option<f64>, decimals| value.map_or_else(|| DASH.to_owned(), |value| fixed(value, decimals));
    [
        fixed(spread.mean, 2),
        or_dash(spread.standard_error, 3),
        or_dash(spread.standard_deviation, 2),
        spread.minimum.to_string(),
        fixed(spread.median, 1),
        spread.maximum.to_string(),
    ]
}
