//! First moves and ownership on the board.

use jigo_engine::{Color, Point, Symmetry};

use super::{Figure, Group, View, parts::DataTable, results::few_note};
use crate::{
    fair_komi,
    report::{
        board::{Heat, HeatMap},
        format::{cells, counted, estimate_cells, fixed, grouped},
    },
    stats::{Estimate, MIN_GAMES},
    study::FirstMoveClass,
};

pub(super) fn group(view: &View<'_>) -> Group {
    let mut group = Group::new("On the board");
    group.figures = vec![first_moves(view), ownership(view)];
    group
}

/// A signed number; zero has no sign.
fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value > 0.0 && !is_zero { format!("+{text}") } else { text.replace('-', "−") }
}

fn first_moves(view: &View<'_>) -> Figure {
    let size = view.run.config.size;
    let classes = view.run.finished.first_moves.classes.iter();
    let classes: Vec<(&FirstMoveClass, Option<Estimate>)> =
        classes.map(|class| (class, fair_komi(&class.margins).ok().map(|fair| fair.estimate))).collect();
    // The fair komi of all games, and the largest distance from it.
    let all = view.summary.finished.fair_komi().map_or(0.0, |fair| fair.estimate.estimate);
    let komi = classes.iter().filter_map(|(_, fair)| Some(fair.as_ref()?.estimate));
    let reach = komi.map(|komi| (komi - all).abs()).fold(0.0, f64::max);
    let reach = if reach > 0.0 { reach } else { 1.0 };
    let heat = |point: Point| {
        let first = Symmetry::representative(point, size).index(size);
        let mut classes = classes.iter();
        let (class, fair) = classes.find(|(class, _)| usize::from(class.representative) == first)?;
        let ([komi, interval], games) = (estimate_cells(*fair), class.margins.games());
        let tip =
            format!("{}: fair komi {komi} ({interval}), {}", point.to_gtp(size), counted(games, "game"));
        let shown = fair.map_or(komi, |fair| signed(fair.estimate, 1).replace('+', ""));
        Some(Heat {
            value: fair.map(|fair| (fair.estimate - all) / reach),
            lines: [shown, grouped(games)],
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
    let map = HeatMap { size, heats: &heats, scale };
    let mut table = DataTable::new(1, ["first move", "games", "fair komi, points", "95 % interval"]);
    for (class, fair) in classes.iter().filter(|(class, _)| class.margins.games() > 0) {
        let name = Point::from_index(class.representative.into(), size)
            .map_or_else(|| "pass".to_owned(), |point| format!("{} and equivalents", point.to_gtp(size)));
        table.push(cells![name, grouped(class.margins.games())].into_iter().chain(estimate_cells(*fair)));
    }
    Figure::new(&format!("{}-first", view.id), "Fair komi by first move", text, &map, table)
}

fn ownership(view: &View<'_>) -> Figure {
    let (size, games) = (view.run.config.size, view.run.finished.games as f64);
    let [black, white] = Color::BOTH.map(|color| view.run.finished.ownership.counts(color));
    let share = |index: usize| (black[index] as f64 - white[index] as f64) / games;
    let reach = (0..size.point_count()).map(|index| share(index).abs()).fold(0.0, f64::max).max(1e-9);
    let heat = |point: Point| {
        let index = point.index(size);
        let of_games = |count: u64| fixed(100.0 * count as f64 / games, 2);
        let (black, white) = (of_games(black[index]), of_games(white[index]));
        Heat {
            value: Some(share(index) / reach),
            lines: [signed(100.0 * share(index), 1), String::new()],
            tip: format!("{}: Black {black} %, White {white} %", point.to_gtp(size)),
        }
    };
    let heats: Vec<Heat> = size.points().map(heat).collect();
    // The difference of two shares of the same games has at most the variance of a fair coin that pays plus or minus one.
    let chance = fixed(200.0 / games.sqrt(), 1);
    let text = format!(
        "The share of final positions in which a point is Black's area minus the share in which it is White's, in per cent points. Up to \
         {chance} may be chance (two standard errors)."
    );
    let end = |sign: f64| signed(100.0 * sign * reach, 1);
    let scale = [&*format!("White {}", end(-1.0)), "0", &format!("Black {}", end(1.0))];
    let map = HeatMap { size, heats: &heats, scale };
    let columns: Vec<String> =
        (0..size.width()).map(|x| Point::new(x as u8, 0).to_gtp(size)[..1].to_owned()).collect();
    let mut table = DataTable::new(0, std::iter::once("row").chain(columns.iter().map(String::as_str)));
    for y in 0..size.height() {
        let shares = (0..size.width()).map(|x| signed(100.0 * share(y * size.width() + x), 1));
        table.push(cells![size.height() - y].into_iter().chain(shares));
    }
    Figure::new(&format!("{}-ownership", view.id), "Ownership", text, &map, table)
}
