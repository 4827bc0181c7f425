//! Who wins at which komi, and how long games are.

use jigo_engine::{Counting, Komi};

use super::{
    Figure, Group, View,
    parts::{Bins, DataTable, Distribution, Titled, komi_cells, per_cent, quantity_tables, rate_cells},
};
use crate::{
    FairKomi, Histogram, Proportion, fair_komi,
    report::{
        chart::{Bars, Caption, Curve, Curves, Mark},
        format::{DASH, fixed, grouped, in_per_cent, with_interval},
        quantities::Section,
        summary::{GameKind, Rate},
    },
    stats::{ESTIMATE_METHOD, KomiShares, MEDIAN_METHOD, MIN_GAMES, Shares},
};

pub(super) fn group(view: &View<'_>) -> Group {
    let mut group = Group::new("Result and komi");
    group.figures = vec![margins(view), winning_chances(view)];
    group.tables = vec![fair_komi_table(view)];
    group.tables.extend(quantity_tables(view, Section::Results));
    group.tables.push(by_length(view));
    if let Some(reason) = &view.numbers().no_fair_komi {
        group.text = format!("No fair komi: {reason}.");
    }
    group
}

/// The fair komi of finished games for marking in charts.
pub(super) fn mark(view: &View<'_>) -> Option<Mark> {
    let fair = view.numbers().fair_komi()?;
    let (estimate, interval) = with_interval(fair.estimate.estimate, fair.estimate.interval);
    Some(Mark {
        at: fair.estimate.estimate,
        interval: Some(fair.estimate.interval),
        label: format!("fair komi {estimate} ({interval})").replace('-', "−"),
    })
}

fn margins(view: &View<'_>) -> Figure {
    let size = view.run.config.size;
    let bins = Bins::new(view.finished().margins.histogram());
    let parity = size.point_count() % 2;
    let names = ["even margin", "odd margin"];
    let title = "Margins before komi";
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
        caption: Caption { id: &format!("{}-margins", view.id), title, description: &text },
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
    Figure { title: title.to_owned(), svg: chart.draw(), text, table }
}

/// Half-integer komi from the first to the last whole number.
fn half_komi(first: i32, last: i32) -> impl Iterator<Item = Komi> {
    (first..last).map(|below| Komi::from_half_points(2 * below + 1))
}

fn winning_chances(view: &View<'_>) -> Figure {
    let margins = &view.finished().margins;
    // The komi between which all but the outer margins lie, and the one the report is about.
    let quantile = |part| margins.histogram().quantile(part, 40).unwrap_or(0);
    let asked = view.summary.komi.half_points() / 2;
    let (first, last) = ((quantile(1) - 2).min(asked).min(0), (quantile(39) + 2).max(asked + 1));
    let half: Vec<Komi> = half_komi(first, last).collect();
    let curve = |name, part: fn(&Shares) -> Proportion| {
        let rates: Vec<Rate> = half.iter().map(|&komi| part(&margins.shares(komi)).into()).collect();
        let share = |rate: &Rate| 100.0 * rate.share.unwrap_or(0.0);
        Curve {
            name,
            points: half.iter().zip(&rates).map(|(komi, rate)| (komi.to_f64(), share(rate))).collect(),
            intervals: rates.iter().map(|rate| in_per_cent(rate.interval)).collect(),
        }
    };
    let percent = |estimate: Option<f64>| 100.0 * estimate.unwrap_or(0.0);
    let jigo = (first + 1..last).map(Komi::from_points);
    let sticks = Curve {
        name: "jigo (whole komi)",
        points: jigo.map(|komi| (komi.to_f64(), percent(margins.shares(komi).draws().estimate()))).collect(),
        intervals: Vec::new(),
    };
    let title = "Winning chances by komi";
    let text = "The same games counted at every komi: the share won by each side at half-integer komi with exact 95 % interval, and the share of jigo at \
                whole komi. Players who know the komi might choose other moves.";
    let chart = Curves {
        caption: Caption { id: &format!("{}-komi", view.id), title, description: text },
        x_label: "komi, points",
        y_label: "% of games",
        y_domain: (0.0, 100.0),
        curves: [curve("Black", Shares::black_wins), curve("White", Shares::white_wins)],
        sticks,
        level: 50.0,
        mark: mark(view),
    };
    Figure {
        title: title.to_owned(),
        text: text.to_owned(),
        svg: chart.draw(),
        table: chances_table(view, first, last),
    }
}

/// Every komi of the chart if these are few, else those around the fair one.
fn chances_table(view: &View<'_>, first: i32, last: i32) -> DataTable {
    /// Half of the whole komi shown, where not all are.
    const REACH: i32 = 12;
    let margins = &view.finished().margins;
    let middle = margins.histogram().median().map_or(0, |median| median.midpoint() as i32);
    let (first, last) = (first.max(middle - REACH), last.min(middle + REACH));
    let mut table = DataTable::new(0, ["komi, points", "Black wins, %", "White wins, %", "jigo, %"]);
    for komi in (2 * first + 1..2 * last).map(Komi::from_half_points) {
        let shares = margins.shares(komi);
        let parts = [shares.black_wins(), shares.white_wins(), shares.draws()];
        table.push(std::iter::once(komi.to_string()).chain(parts.map(|part| per_cent(part.estimate()))));
    }
    table
}

fn fair_komi_table(view: &View<'_>) -> Titled {
    let headings =
        ["fair komi", "method", "points", "95 % interval", "Black wins, %", "White wins, %", "jigo, %"];
    let mut table = DataTable::new(2, headings);
    if let Some(fair) = view.numbers().fair_komi() {
        fair_komi_rows(fair).into_iter().for_each(|row| table.push(row));
    }
    let note = match &view.numbers().no_fair_komi {
        Some(reason) => format!("{DASH}: {reason}."),
        None => String::new(),
    };
    Titled { note, ..Titled::new("Fair komi, four answers", table) }
}

fn fair_komi_rows(fair: &FairKomi) -> [[String; 7]; 4] {
    let dash = || DASH.to_owned();
    let (estimate, interval) = with_interval(fair.estimate.estimate, fair.estimate.interval);
    let median = fixed(fair.median.midpoint(), 1);
    let ends = format!("{} to {}", fair.median_interval.lower, fair.median_interval.upper);
    let shares = |at: KomiShares| {
        [at.shares.black_wins(), at.shares.white_wins(), at.shares.draws()]
            .map(|part| per_cent(part.estimate()))
    };
    let [half_black, half_white, half_jigo] = shares(fair.half);
    let [whole_black, whole_white, whole_jigo] = shares(fair.whole);
    let word = str::to_owned;
    [
        [word("fractional"), word(ESTIMATE_METHOD), estimate, interval, dash(), dash(), dash()],
        [word("median margin"), word(MEDIAN_METHOD), median, ends, dash(), dash(), dash()],
        [
            word("half-integer"),
            word("wins differ least"),
            fair.half.komi.to_string(),
            dash(),
            half_black,
            half_white,
            half_jigo,
        ],
        [
            word("whole"),
            word("jigo balances: neither side wins more than half"),
            fair.whole.komi.to_string(),
            dash(),
            whole_black,
            whole_white,
            whole_jigo,
        ],
    ]
}

fn by_length(view: &View<'_>) -> Titled {
    let headings = ["length, plies per point", "games", "fair komi, points", "95 % interval"];
    let mut table = DataTable::new(1, headings);
    let classes = &view.finished().margins_by_length;
    for (class, margins) in classes.iter().filter(|(_, margins)| margins.games() > 0) {
        let [komi, interval] = komi_cells(fair_komi(margins).ok().as_ref());
        table.push([class.to_string(), grouped(margins.games()), komi, interval]);
    }
    let few = classes.iter().any(|(_, margins)| (1..MIN_GAMES).contains(&margins.games()));
    Titled { note: few_note(few), ..Titled::new("Fair komi by length of the game", table) }
}

/// Explains dashes, if there are any.
pub(super) fn few_note(has_dashes: bool) -> String {
    if has_dashes {
        format!("{DASH}: fewer than {MIN_GAMES} games, too few for an estimate.")
    } else {
        String::new()
    }
}

pub(super) fn lengths(view: &View<'_>) -> Group {
    let games = view.finished();
    let mut group = Group::new("Length, captures and ends");
    let text = "Plies of finished games, passes included.";
    let passes = Distribution {
        id: &format!("{}-passes", view.id),
        title: "Passes per game",
        text: "Both players together, the last two included.",
        values: &games.passes,
        x_label: "passes",
        counted: "games",
        unit: "passes",
        mark: None,
    };
    group.figures = vec![length_figure(&format!("{}-lengths", view.id), text, &games.plies), passes.figure()];
    group.tables = vec![ends(view)];
    group.tables.extend(quantity_tables(view, Section::Length));
    group
}

/// Draws the lengths of games, with the mean marked.
pub(super) fn length_figure(id: &str, text: &str, plies: &Histogram) -> Figure {
    let mark = plies.moments().map(|plies| Mark {
        at: plies.mean(),
        interval: None,
        label: format!("mean {}", fixed(plies.mean(), 1)),
    });
    let (title, x_label) = ("Length of games", "length, plies");
    Distribution { id, title, text, values: plies, x_label, counted: "games", unit: "plies", mark }.figure()
}

/// Shows why games ended.
pub(super) fn ends(view: &View<'_>) -> Titled {
    let mut table = DataTable::new(1, ["end", "games", "% of games", "95 % interval"]);
    let all = view.run.games();
    for (name, kind) in [("two passes", GameKind::Finished), ("stopped at the move limit", GameKind::Stopped)]
    {
        let rate = Rate::new(kind.measures(view.run).games, all);
        table.push(std::iter::once(name.to_owned()).chain(rate_cells(rate)));
    }
    Titled::new("Why games ended", table)
}
