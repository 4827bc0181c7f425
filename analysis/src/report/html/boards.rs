//! Real games on boards of one size: where they open, and who wins by komi and year.

use jigo_engine::{Komi, Point, Symmetry};

use super::{
    Figure,
    parts::{DataTable, rate_cells},
};
use crate::{
    records::BoardMeasures,
    report::{
        board::{Heat, HeatMap, Palette, folded},
        chart::{Dot, Dots, Points},
        examples::plies,
        format::{cells, fixed, group, quantity},
        summary::Rate,
    },
    stats::{Estimate, Shares},
};

/// Draws where the stones of the openings are; nothing for boards on which no game began without stones.
fn openings(board: &BoardMeasures) -> Option<Figure> {
    let (size, games) = (board.size, board.openings);
    if games == 0 {
        return None;
    }
    let shares: Vec<f64> =
        folded(size, &board.opening_stones).into_iter().map(|stones| 100.0 * stones / games as f64).collect();
    let share = |point: Point| shares[point.index(size)];
    let most = shares.iter().copied().fold(1e-9, f64::max);
    let heat = |point: Point| {
        let share = share(point);
        let tip =
            format!("{} and its images: {} stones in 100 games each", point.to_gtp(size), fixed(share, 2));
        Heat { value: Some(share / most), lines: [fixed(share, 1), String::new()], tip }
    };
    let heats: Vec<Heat> = size.points().map(heat).collect();
    let scale = ["", "0", &format!("{} in 100 games", fixed(most, 1))];
    let map = HeatMap { size, palette: Palette::Amount, heats: &heats, scale };
    let is_first = |point: &Point| Symmetry::representative(*point, size) == *point && share(*point) > 0.0;
    let mut ranking: Vec<Point> = size.points().filter(is_first).collect();
    ranking.sort_by(|one, other| share(*other).total_cmp(&share(*one)));
    let mut table = DataTable::new(1, ["point and its images", "stones on each in 100 games"]);
    for point in ranking {
        table.push(cells![point.to_gtp(size), fixed(share(point), 2)]);
    }
    let text = format!(
        "Stones of both players in the first {} of {} that began on the empty board. Points that are images of each other show their mean.",
        plies(BoardMeasures::opening_plies(size) as u32),
        quantity(games, "game")
    );
    Some(Figure::new(&format!("opening-{size}"), format!("Openings on {size}"), text, &map, table))
}

/// Draws where games open, and how often Black wins even games by komi and over the years.
pub(super) fn figures(board: &BoardMeasures) -> Vec<Figure> {
    [openings(board), by_year(board), by_komi(board)].into_iter().flatten().collect()
}

fn komi_name(half_points: Option<i32>) -> String {
    half_points
        .map_or_else(|| "not known".to_owned(), |half_points| Komi::from_half_points(half_points).to_string())
}

fn estimate(results: &Shares) -> Option<Estimate> {
    Rate::from(results.black_wins()).estimate().map(Estimate::in_per_cent)
}

fn result_cells(results: &Shares) -> Vec<String> {
    let mut cells = vec![group(results.games())];
    cells.extend(rate_cells(results.black_wins().into()));
    cells.extend([group(results.white), group(results.jigo)]);
    cells
}

const RESULTS: [&str; 6] = ["games", "Black wins", "%", "95 % interval", "White wins", "draws"];

fn by_komi(board: &BoardMeasures) -> Option<Figure> {
    let all = board.even_games_by(|key| Some(key.komi_half_points));
    // The komi that is not known comes last.
    let rows = || all.iter().filter(|row| row.0.is_some()).chain(all.iter().filter(|row| row.0.is_none()));
    let dots: Vec<Dot> =
        rows().filter_map(|(&komi, results)| Some((komi_name(komi), estimate(results)?))).collect();
    let mut table = DataTable::new(1, ["komi, points"].into_iter().chain(RESULTS));
    for (&komi, results) in rows() {
        table.push(std::iter::once(komi_name(komi)).chain(result_cells(results)));
    }
    let chart = Dots { x_label: "Black wins, %", row_label: "komi, points", dots: &dots };
    let text = "Even games with a winner or a draw; exact 95 % interval. Komi is in points, whatever the units of the record; one that is not stated, or \
                stated as 0, is not known.";
    let title = format!("Black’s wins by komi, {}", board.size);
    (!dots.is_empty()).then(|| Figure::new(&format!("komi-{}", board.size), title, text, &chart, table))
}

/// The most places on the axis of years.
const MAX_PERIODS: u16 = 25;
/// Intervals of fewer games are wider than the picture.
const MIN_DRAWN: u64 = 10;

fn by_year(board: &BoardMeasures) -> Option<Figure> {
    let years = board.even_games_by(|key| key.year);
    let (first, last) = (*years.keys().next()?, *years.keys().next_back()?);
    let width =
        [1, 5, 10, 25, 50, 100, 1000].into_iter().find(|width| (last - first) / width < MAX_PERIODS)?;
    let period = |year: u16| year - year % width;
    let all = board.even_games_by(|key| Some((key.komi_half_points, period(key.year?))));
    // The most frequent komi first.
    let by_komi = board.even_games_by(|key| key.year.and(Some(key.komi_half_points)));
    let mut komis: Vec<(Option<i32>, u64)> =
        by_komi.into_iter().map(|(komi, results)| (komi, results.games())).collect();
    komis.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
    let points = |komi| {
        let is_drawn = move |found, results: &Shares| found == komi && results.games() >= MIN_DRAWN;
        let own = all.iter().filter(|((found, _), results)| is_drawn(*found, results));
        own.filter_map(|((_, period), results)| Some((f64::from(*period), estimate(results)?))).collect()
    };
    let series = komis.iter().map(|&(komi, _)| (format!("komi {}", komi_name(komi)), points(komi)));
    let series = series.filter(|(_, points): &(String, Vec<_>)| !points.is_empty()).take(Points::MAX);
    let series: Vec<(String, Vec<(f64, Estimate)>)> = series.collect();
    let periods: Vec<u16> = (period(first)..=last).step_by(width.into()).collect();
    let labelled = periods.iter().step_by(periods.len().div_ceil(8));
    let places: Vec<(f64, String)> =
        labelled.map(|&period| (f64::from(period), period.to_string())).collect();
    let chart = Points {
        x_label: if width == 1 { "year" } else { "first year of the period" },
        y_label: "Black wins, %",
        places: &places,
        series: &series,
        level: 50.0,
        known: &[],
    };
    let mut table = DataTable::new(2, ["years", "komi, points"].into_iter().chain(RESULTS));
    let mut rows: Vec<_> = all.iter().collect();
    rows.sort_by_key(|((komi, period), _)| (*period, komi.is_none(), *komi));
    for ((komi, period), results) in rows {
        let years =
            if width == 1 { period.to_string() } else { format!("{period} to {}", period + width - 1) };
        table.push([years, komi_name(*komi)].into_iter().chain(result_cells(results)));
    }
    let text = format!(
        "Even games whose date is recorded, by their {}komi; exact 95 % interval. The line is 50 %. Years with fewer than {MIN_DRAWN} games are in the table only.",
        if komis.len() > Points::MAX { "most frequent " } else { "" }
    );
    let title = format!("Black’s wins over the years, {}", board.size);
    (!series.is_empty() && periods.len() > 1)
        .then(|| Figure::new(&format!("years-{}", board.size), title, text, &chart, table))
}
