//! Who wins at which komi, and how long games are.

use jigo_engine::{Counting, Komi};

use super::{
    Figure, Group, View,
    parts::{Bins, DataTable, Distribution, per_cent, quantity_tables, rate_cells},
};
use crate::{
    FairKomi, Histogram, Proportion, fair_komi,
    report::{
        chart::{Bars, Curves, Mark, Series},
        format::{DASH, cells, estimate_cells, fixed, grouped},
        quantities::Section,
        summary::Rate,
    },
    stats::{ESTIMATE_METHOD, MEDIAN_METHOD, MIN_GAMES, Shares},
};

pub(super) fn group(view: &View<'_>) -> Group {
    let mut group = Group::new("Result and komi");
    group.figures = vec![margins(view), winning_chances(view)];
    group.tables = vec![fair_komi_table(view)];
    group.tables.extend(quantity_tables(view, Section::Results));
    group.tables.push(by_length(view));
    if let Some(reason) = &view.summary.finished.no_fair_komi {
        group.text = format!("No fair komi: {reason}.");
    }
    group
}

/// The fair komi of finished games for marking in charts.
fn mark(view: &View<'_>) -> Option<Mark> {
    let fair = view.summary.finished.fair_komi()?.estimate;
    let [estimate, interval] = fair.texts();
    let label = format!("fair komi {estimate} ({interval})").replace('-', "−");
    Some(Mark { at: fair.estimate, interval: Some(fair.interval), label })
}

fn margins(view: &View<'_>) -> Figure {
    let bins = Bins::new(view.run.finished.margins.histogram());
    let parity = view.run.config.size.point_count() % 2;
    let names = ["even margin", "odd margin"];
    let text = match view.run.config.rules.counting {
        Counting::Area => format!(
            "Black's area minus White's, in points; positive when Black is ahead. A margin is {} like the number of points, unless an \
             odd number of points is neutral.",
            if parity == 1 { "odd" } else { "even" }
        ),
        Counting::Territory => "Black's territory and prisoners minus White's, in points; positive when Black is ahead. All stones \
                                of the final position are taken to be alive."
            .to_owned(),
    };
    let chart = Bars {
        x_label: "margin before komi, points",
        y_label: &bins.share_label("games", "points"),
        bars: &bins.bars(Some(parity)),
        parts: Some([names[parity], names[1 - parity]]),
        mark: mark(view),
    };
    let mut table = DataTable::new(0, ["margin, points", "games", "even margins", "odd margins"]);
    for bin in &bins.bins {
        let [even, odd] = bin.counts;
        table.push([bin.label(), grouped(even + odd), grouped(even), grouped(odd)]);
    }
    Figure::new(&format!("{}-margins", view.id), "Margins before komi", text, &chart, table)
}

fn winning_chances(view: &View<'_>) -> Figure {
    let margins = &view.run.finished.margins;
    // The komi between which all but the outer margins lie, and the one the report is about.
    let quantile = |part| margins.histogram().quantile(part, 40).unwrap_or(0);
    let asked = view.summary.komi.half_points() / 2;
    let (first, last) = ((quantile(1) - 2).min(asked).min(0), (quantile(39) + 2).max(asked + 1));
    let per_cent = |share: Proportion| 100.0 * share.estimate().unwrap_or(0.0);
    let curve = |name, part: fn(&Shares) -> Proportion| {
        let point = |below: i32| {
            let komi = Komi::from_half_points(2 * below + 1);
            let rate = Rate::from(part(&margins.shares(komi)));
            let shown = rate.estimate().map(|rate| rate.in_per_cent());
            shown.map(|shown| (komi.to_f64(), shown.estimate, Some(shown.interval)))
        };
        Series { name, points: (first..last).filter_map(point).collect() }
    };
    let whole = (first + 1..last).map(Komi::from_points);
    let jigo = whole.map(|komi| (komi.to_f64(), per_cent(margins.shares(komi).draws()), None));
    let text = "The same games counted at every komi: the share won by each side at half-integer komi with exact 95 % interval, and the share of jigo at \
                whole komi. Players who know the komi might choose other moves.";
    let chart = Curves {
        x_label: "komi, points",
        y_label: "% of games",
        y_domain: (0.0, 100.0),
        curves: [curve("Black", Shares::black_wins), curve("White", Shares::white_wins)],
        sticks: Series { name: "jigo (whole komi)", points: jigo.collect() },
        level: 50.0,
        mark: mark(view),
    };
    let table = chances_table(view, first, last);
    Figure::new(&format!("{}-komi", view.id), "Winning chances by komi", text, &chart, table)
}

/// The shares that Black wins, that White wins, and of jigo, in per cent.
fn share_cells(shares: Shares) -> [String; 3] {
    [shares.black_wins(), shares.white_wins(), shares.draws()].map(|part| per_cent(part.estimate()))
}

/// Every komi of the chart if these are few, else those around the fair one.
fn chances_table(view: &View<'_>, first: i32, last: i32) -> DataTable {
    /// Half of the whole komi shown, where not all are.
    const REACH: i32 = 12;
    let margins = &view.run.finished.margins;
    let middle = margins.histogram().median().map_or(0, |median| median.midpoint() as i32);
    let (first, last) = (first.max(middle - REACH), last.min(middle + REACH));
    let mut table = DataTable::new(0, ["komi, points", "Black wins, %", "White wins, %", "jigo, %"]);
    for komi in (2 * first + 1..2 * last).map(Komi::from_half_points) {
        table.push(cells![komi].into_iter().chain(share_cells(margins.shares(komi))));
    }
    table
}

fn fair_komi_table(view: &View<'_>) -> DataTable {
    let headings =
        ["fair komi", "method", "points", "95 % interval", "Black wins, %", "White wins, %", "jigo, %"];
    let mut table = DataTable::new(2, headings);
    if let Some(fair) = view.summary.finished.fair_komi() {
        fair_komi_rows(fair).into_iter().for_each(|row| table.push(row));
    }
    let reason = &view.summary.finished.no_fair_komi;
    let note = reason.as_ref().map_or_else(String::new, |reason| format!("{DASH}: {reason}."));
    table.titled("Fair komi, four answers", note)
}

fn fair_komi_rows(fair: &FairKomi) -> [Vec<String>; 4] {
    let [estimate, interval] = fair.estimate.texts();
    let median = fixed(fair.median.midpoint(), 1);
    let ends = format!("{} to {}", fair.median_interval.lower, fair.median_interval.upper);
    let [half, whole] = [fair.half, fair.whole].map(|at| share_cells(at.shares).to_vec());
    let is_whole = "jigo balances: neither side wins more than half";
    [
        cells!["fractional", ESTIMATE_METHOD, estimate, interval, DASH, DASH, DASH],
        cells!["median margin", MEDIAN_METHOD, median, ends, DASH, DASH, DASH],
        [cells!["half-integer", "wins differ least", fair.half.komi, DASH], half].concat(),
        [cells!["whole", is_whole, fair.whole.komi, DASH], whole].concat(),
    ]
}

fn by_length(view: &View<'_>) -> DataTable {
    let headings = ["length, plies per point", "games", "fair komi, points", "95 % interval"];
    let mut table = DataTable::new(1, headings);
    let classes = &view.run.finished.margins_by_length;
    for (class, margins) in classes.iter().filter(|(_, margins)| margins.games() > 0) {
        let fair = estimate_cells(fair_komi(margins).ok().map(|fair| fair.estimate));
        table.push(cells![class, grouped(margins.games())].into_iter().chain(fair));
    }
    let few = classes.iter().any(|(_, margins)| (1..MIN_GAMES).contains(&margins.games()));
    table.titled("Fair komi by length of the game", few_note(few))
}

pub(super) fn few_note(has_dashes: bool) -> String {
    if has_dashes {
        format!("{DASH}: fewer than {MIN_GAMES} games, too few for an estimate.")
    } else {
        String::new()
    }
}

pub(super) fn lengths(view: &View<'_>) -> Group {
    let games = &view.run.finished;
    let mut group = Group::new("Length, captures and ends");
    let text = "Plies of finished games, passes included.";
    let passes = Distribution {
        values: &games.passes,
        x_label: "passes",
        counted: "games",
        unit: "passes",
        mark: None,
    };
    let (id, about) = (format!("{}-passes", view.id), "Both players together, the last two included.");
    group.figures = vec![
        length_figure(&format!("{}-lengths", view.id), text, &games.plies),
        passes.figure(&id, "Passes per game", about),
    ];
    group.tables = vec![ends(view)];
    group.tables.extend(quantity_tables(view, Section::Length));
    group
}

/// Draws the lengths of games, with the mean marked.
pub(super) fn length_figure(id: &str, text: &str, plies: &Histogram) -> Figure {
    let mark = plies.spread().map(|plies| Mark {
        at: plies.mean,
        interval: None,
        label: format!("mean {}", fixed(plies.mean, 1)),
    });
    let lengths =
        Distribution { values: plies, x_label: "length, plies", counted: "games", unit: "plies", mark };
    lengths.figure(id, "Length of games", text)
}

pub(super) fn ends(view: &View<'_>) -> DataTable {
    let mut table = DataTable::new(1, ["end", "games", "% of games", "95 % interval"]);
    let all = view.run.games();
    let (finished, stopped) = (&view.run.finished, &view.run.stopped);
    for (name, games) in [("two passes", finished), ("stopped at the move limit", stopped)] {
        let rate = Rate::new(games.games, all);
        table.push(cells![name].into_iter().chain(rate_cells(rate)));
    }
    table.titled("Why games ended", "")
}
