//! Who wins at which komi, how long games are, and what happens where on the board.

use jigo_engine::{Color, Counting, Komi, Point, Symmetry};

use super::{
    Figure, Group,
    parts::{Bins, DataTable, distribution, per_cent, quantity_tables, rate_cells},
};
use crate::{
    Histogram, Proportion, fair_komi,
    report::{
        board::{Heat, HeatMap, Palette, folded},
        chart::{Bars, Curves, Mark},
        format::{DASH, cells, estimate_cells, fixed, group, quantity},
        quantities::{FAIR_KOMI, FAIR_KOMI_ALL_ALIVE, Section},
        summary::{Rate, RunSummary, SupplyRates, Value},
    },
    stats::{ESTIMATE_METHOD, Estimate, KomiShares, MEDIAN_METHOD, MIN_GAMES, Shares},
    study::FirstMoveClass,
};

pub(super) fn for_run(id: &str, run: &RunSummary<'_>) -> Group {
    let mut group = Group::new("Result and komi");
    group.figures = vec![margins(id, run), winning_chances(id, run)];
    group.tables = vec![fair_komi_table(run)];
    group.tables.extend(quantity_tables(run, Section::Results));
    group.tables.push(by_length(run));
    if let Err(reason) = run.finished.value_or_reason(FAIR_KOMI) {
        group.text = format!("No fair komi: {reason}.");
    }
    group
}

/// The fair komi of finished games for marking in charts.
fn mark(run: &RunSummary<'_>) -> Option<Mark> {
    let fair = run.finished.fair_komi()?.estimate;
    let [estimate, interval] = fair.texts();
    let label = format!("fair komi {estimate} ({interval})").replace('-', "−");
    Some(Mark { at: fair.estimate, interval: Some(fair.interval), label })
}

fn margins(id: &str, run: &RunSummary<'_>) -> Figure {
    let bins = Bins::new(run.finished.counts.margins.histogram());
    let parity = run.config.size.point_count() % 2;
    let names = ["even margin", "odd margin"];
    let text = match run.config.rules.counting {
        Counting::Area => format!(
            "Black's area minus White's, in points; positive when Black is ahead. Stones that are proved dead are removed first. A margin \
             is {} like the number of points, unless an odd number of points is neutral.",
            if parity == 1 { "odd" } else { "even" }
        ),
        Counting::Territory => "Black's territory and prisoners minus White's, in points; positive when Black is ahead. Stones that \
                                are proved dead are removed first."
            .to_owned(),
    };
    let chart = Bars {
        x_label: "margin before komi, points",
        y_label: &bins.share_label("games", "points"),
        bars: &bins.bars(Some(parity)),
        parts: Some([names[parity], names[1 - parity]]),
        mark: mark(run),
    };
    let mut table = DataTable::new(0, ["margin, points", "games", "even margins", "odd margins"]);
    for bin in &bins.bins {
        let [even, odd] = bin.counts;
        table.push([bin.label(), group(even + odd), group(even), group(odd)]);
    }
    Figure::new(&format!("{id}-margins"), "Margins before komi", text, &chart, table)
}

fn winning_chances(id: &str, run: &RunSummary<'_>) -> Figure {
    let margins = &run.finished.counts.margins;
    // The komi between which all but the outer margins lie, and the one the report is about.
    let rank = |part: u64| (margins.games() * part).div_ceil(40).max(1);
    let quantile = |part| margins.histogram().order_statistic(rank(part)).unwrap_or(0);
    let asked = run.komi.half_points() / 2;
    let (first, last) = ((quantile(1) - 2).min(asked).min(0), (quantile(39) + 2).max(asked + 1));
    let per_cent = |share: Proportion| 100.0 * share.estimate().unwrap_or(0.0);
    let curve = |name, part: fn(&Shares) -> Proportion| {
        let point = |below: i32| {
            let komi = Komi::from_half_points(2 * below + 1);
            let rate = Rate::from(part(&margins.shares(komi)));
            Some((komi.to_f64(), rate.estimate()?.in_per_cent()))
        };
        (name, (first..last).filter_map(point).collect())
    };
    let whole = (first + 1..last).map(Komi::from_points);
    let jigo = whole.map(|komi| (komi.to_f64(), per_cent(margins.shares(komi).draws())));
    let text = "The same games counted at every komi: the share won by each side at half-integer komi with exact 95 % interval, and the share of jigo at \
                whole komi. Players who know the komi might choose other moves.";
    let chart = Curves {
        x_label: "komi, points",
        y_label: "% of games",
        y_domain: (0.0, 100.0),
        curves: [curve("Black", Shares::black_wins), curve("White", Shares::white_wins)],
        sticks: ("jigo (whole komi)", jigo.collect()),
        level: 50.0,
        mark: mark(run),
    };
    let table = chances_table(run, first, last);
    Figure::new(&format!("{id}-komi"), "Winning chances by komi", text, &chart, table)
}

/// The shares that Black wins, that White wins, and of jigo, in per cent; at a half-integer komi nothing for jigo.
fn share_cells(KomiShares { komi, shares }: KomiShares) -> [String; 3] {
    let draws = komi.is_whole().then(|| shares.draws());
    [Some(shares.black_wins()), Some(shares.white_wins()), draws]
        .map(|part| per_cent(part.and_then(Proportion::estimate)))
}

/// Every komi of the chart if these are few, else those around the fair one.
fn chances_table(run: &RunSummary<'_>, first: i32, last: i32) -> DataTable {
    /// Half of the whole komi shown, where not all are.
    const REACH: i32 = 12;
    let margins = &run.finished.counts.margins;
    let middle = margins.histogram().median().map_or(0, |median| median.midpoint() as i32);
    let (first, last) = (first.max(middle - REACH), last.min(middle + REACH));
    let mut table = DataTable::new(0, ["komi, points", "Black wins, %", "White wins, %", "jigo, %"]);
    for komi in (2 * first + 1..2 * last).map(Komi::from_half_points) {
        let shares = KomiShares { komi, shares: margins.shares(komi) };
        table.push(cells![komi].into_iter().chain(share_cells(shares)));
    }
    table
}

fn fair_komi_table(run: &RunSummary<'_>) -> DataTable {
    let headings =
        ["fair komi", "method", "points", "95 % interval", "Black wins, %", "White wins, %", "jigo, %"];
    let mut table = DataTable::new(2, headings);
    if let Some(fair) = run.finished.fair_komi() {
        let [estimate, interval] = fair.estimate.texts();
        let median = fixed(fair.median.midpoint(), 1);
        let ends = format!("{} to {}", fair.median_interval.lower, fair.median_interval.upper);
        let [half, whole] = [fair.half, fair.whole].map(share_cells);
        let is_whole = "jigo balances: neither side wins more than half";
        table.push(cells!["fractional", ESTIMATE_METHOD, estimate, interval, DASH, DASH, DASH]);
        table.push(cells!["median margin", MEDIAN_METHOD, median, ends, DASH, DASH, DASH]);
        table.push(cells!["half-integer", "wins differ least", fair.half.komi, DASH].into_iter().chain(half));
        table.push(cells!["whole", is_whole, fair.whole.komi, DASH].into_iter().chain(whole));
    }
    let all_alive = run.finished.value(FAIR_KOMI_ALL_ALIVE).and_then(Value::shown);
    if let Some([estimate, interval]) = all_alive.map(Estimate::texts) {
        let name = "with all stones counted as alive";
        table.push(cells![name, ESTIMATE_METHOD, estimate, interval, DASH, DASH, DASH]);
    }
    let dead = if all_alive.is_some() {
        "Stones that are proved dead are removed before the games are counted."
    } else {
        ""
    };
    let reason = run.finished.value_or_reason(FAIR_KOMI).err();
    table.titled(
        "Fair komi, several answers",
        reason.map_or_else(|| dead.to_owned(), |reason| format!("{DASH}: {reason}.")),
    )
}

fn by_length(run: &RunSummary<'_>) -> DataTable {
    let headings = ["length, plies per point", "games", "fair komi, points", "95 % interval"];
    let mut table = DataTable::new(1, headings);
    let classes = &run.finished.counts.margins_by_length;
    for (class, margins) in classes.iter().filter(|(_, margins)| margins.games() > 0) {
        let fair = estimate_cells(fair_komi(margins).ok().map(|fair| fair.estimate));
        table.push(cells![class, group(margins.games())].into_iter().chain(fair));
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

pub(super) fn lengths(id: &str, run: &RunSummary<'_>) -> Group {
    let games = &run.finished.counts;
    let mut group = Group::new("Length, captures and ends");
    let [lengths_id, passes_id] = ["lengths", "passes"].map(|name| format!("{id}-{name}"));
    let about_passes = "Both players together, the last two included.";
    group.figures = vec![
        length_figure(&lengths_id, "Plies of finished games, passes included.", &games.plies),
        distribution(
            [&passes_id, "Passes per game", about_passes],
            &games.passes,
            ["passes", "games", "passes"],
            None,
        ),
    ];
    group.tables = vec![ends(run)];
    group.tables.extend(quantity_tables(run, Section::Length));
    group
}

/// Draws the lengths of games, with the mean marked.
pub(super) fn length_figure(id: &str, text: &str, plies: &Histogram) -> Figure {
    let mark = plies.spread().map(|plies| Mark {
        at: plies.mean,
        interval: None,
        label: format!("mean {}", fixed(plies.mean, 1)),
    });
    distribution([id, "Length of games", text], plies, ["length, plies", "games", "plies"], mark)
}

pub(super) fn ends(run: &RunSummary<'_>) -> DataTable {
    let mut table = DataTable::new(1, ["end", "games", "% of games", "95 % interval"]);
    let finished = Rate::new(run.finished.counts.games, run.games);
    let mut rows = vec![("two passes", finished), ("stopped at the move limit", run.stopped_games)];
    let mut text = String::new();
    if let Some(SupplyRates { cycle_draws, out_of_stones }) = run.supply {
        rows.push(("a draw, because everything was as before", cycle_draws));
        let share = per_cent(out_of_stones.share);
        text = format!("In {share} % of the games a player had to pass for lack of stones.");
    }
    for (name, rate) in rows {
        table.push(cells![name].into_iter().chain(rate_cells(rate)));
    }
    table.titled("Why games ended", text)
}

pub(super) fn maps(id: &str, run: &RunSummary<'_>) -> Group {
    Group { figures: vec![first_moves(id, run), ownership(id, run)], ..Group::new("On the board") }
}

/// A signed number; zero has no sign.
fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value > 0.0 && !is_zero { format!("+{text}") } else { text.replace('-', "−") }
}

pub(super) fn first_moves(id: &str, run: &RunSummary<'_>) -> Figure {
    let size = run.config.size;
    let classes = run.finished.counts.first_moves.classes.iter();
    let classes: Vec<(&FirstMoveClass, Option<Estimate>)> =
        classes.map(|class| (class, fair_komi(&class.margins).ok().map(|fair| fair.estimate))).collect();
    // The fair komi of all games, and the largest distance from it.
    let all = run.finished.fair_komi().map_or(0.0, |fair| fair.estimate.estimate);
    // At least half the width of a usual interval, so that chance looks pale.
    let fairs = || classes.iter().filter_map(|(_, fair)| fair.as_ref());
    let reach = fairs().map(|fair| (fair.estimate - all).abs()).fold(0.0, f64::max);
    let mut widths: Vec<f64> =
        fairs().map(|fair| (fair.interval.upper - fair.interval.lower) / 2.0).collect();
    widths.sort_by(f64::total_cmp);
    let reach = reach.max(widths.get(widths.len() / 2).copied().unwrap_or(1.0)).max(0.1);
    let heat = |point: Point| {
        let first = Symmetry::representative(point, size).index(size);
        let mut classes = classes.iter();
        let (class, fair) = classes.find(|(class, _)| usize::from(class.representative) == first)?;
        let ([komi, interval], games) = (estimate_cells(*fair), class.margins.games());
        let tip =
            format!("{}: fair komi {komi} ({interval}), {}", point.to_gtp(size), quantity(games, "game"));
        let shown = fair.map_or(komi, |fair| signed(fair.estimate, 1).replace('+', ""));
        Some(Heat {
            value: fair.map(|fair| (fair.estimate - all) / reach),
            lines: [shown, group(games)],
            tip: tip.replace('-', "−"),
        })
    };
    let heats: Vec<Heat> = size.points().map(|point| heat(point).unwrap_or_default()).collect();
    let has_dashes = classes.iter().any(|(class, _)| (1..MIN_GAMES).contains(&class.margins.games()));
    let text = format!(
        "The fair komi of the games that began on a point or one equivalent to it by symmetry, and how many these are. Few games \
         give wide intervals, which are in the table. {}",
        few_note(has_dashes)
    );
    let end = |sign: f64| signed(all + sign * reach, 1).replace('+', "");
    let scale = [&*end(-1.0), &format!("{} (all games)", end(0.0)), &end(1.0)];
    let map = HeatMap { size, palette: Palette::LessMore, heats: &heats, scale };
    let mut table = DataTable::new(1, ["first move", "games", "fair komi, points", "95 % interval"]);
    for (class, fair) in classes.iter().filter(|(class, _)| class.margins.games() > 0) {
        let name = Point::from_index(class.representative.into(), size)
            .map_or_else(|| "pass".to_owned(), |point| format!("{} and equivalents", point.to_gtp(size)));
        table.push(cells![name, group(class.margins.games())].into_iter().chain(estimate_cells(*fair)));
    }
    Figure::new(&format!("{id}-first"), "Fair komi by first move", text, &map, table)
}

fn ownership(id: &str, run: &RunSummary<'_>) -> Figure {
    let (size, games) = (run.config.size, run.finished.counts.games as f64);
    let [black, white] = Color::BOTH.map(|color| run.finished.counts.ownership.counts(color));
    // Without stones on the board at the start, points that are images of each other are alike.
    let is_symmetric = run.config.handicap == 0;
    let mean = |counts: &[u64]| -> Vec<f64> {
        let counts = match is_symmetric {
            true => folded(size, counts),
            false => counts.iter().map(|&count| count as f64).collect(),
        };
        counts.into_iter().map(|count| count / games).collect()
    };
    let [black, white] = [mean(&black), mean(&white)];
    let share = |index: usize| black[index] - white[index];
    // The difference of two shares of the same games has at most the variance of a fair coin that pays plus or minus one.
    let chance = 2.0 / games.sqrt();
    let reach = (0..size.point_count()).map(|index| share(index).abs()).fold(chance, f64::max).max(1e-9);
    let heat = |point: Point| {
        let index = point.index(size);
        let (black, white) = (fixed(100.0 * black[index], 2), fixed(100.0 * white[index], 2));
        Heat {
            value: Some(share(index) / reach),
            lines: [signed(100.0 * share(index), 1), String::new()],
            tip: format!("{}: Black {black} %, White {white} %", point.to_gtp(size)),
        }
    };
    let heats: Vec<Heat> = size.points().map(heat).collect();
    let chance = fixed(100.0 * chance, 1);
    let folded =
        if is_symmetric { "Each point shows the mean of all points that are its images. " } else { "" };
    let text = format!(
        "The share of final positions in which a point is Black's area minus the share in which it is White's, in percentage points. {folded}Up to \
         {chance} may be chance (two standard errors)."
    );
    let end = |sign: f64| signed(100.0 * sign * reach, 1);
    let scale = [&*format!("White {}", end(-1.0)), "0", &format!("Black {}", end(1.0))];
    let map = HeatMap { size, palette: Palette::Players, heats: &heats, scale };
    let columns = (0..size.width()).map(|x| Point::new(x as u8, 0).to_gtp(size)[..1].to_owned());
    let mut table = DataTable::new(0, std::iter::once("row".to_owned()).chain(columns));
    for y in 0..size.height() {
        let shares = (0..size.width()).map(|x| signed(100.0 * share(y * size.width() + x), 1));
        table.push(cells![size.height() - y].into_iter().chain(shares));
    }
    Figure::new(&format!("{id}-ownership"), "Ownership", text, &map, table)
}
