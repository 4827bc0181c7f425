//! First moves and ownership on the board.

use jigo_engine::{Color, Point, Symmetry};

use super::{
    Figure, Group, View,
    parts::{DataTable, komi_cells},
    results::few_note,
};
use crate::{
    fair_komi,
    report::{
        board::{Heat, HeatMap},
        chart::Caption,
        format::{counted, fixed, grouped},
    },
    stats::MIN_GAMES,
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

/// The estimates of the classes of first moves that have enough games.
struct Estimates<'a> {
    classes: &'a [FirstMoveClass],
    komi: Vec<Option<f64>>,
    /// The fair komi of all games.
    all: f64,
    /// The largest distance from it.
    reach: f64,
}

impl<'a> Estimates<'a> {
    fn of(view: &'a View<'_>) -> Self {
        let classes = &view.finished().first_moves.classes;
        let estimate =
            |class: &FirstMoveClass| fair_komi(&class.margins).ok().map(|fair| fair.estimate.estimate);
        let komi: Vec<Option<f64>> = classes.iter().map(estimate).collect();
        let all = view.numbers().fair_komi().map_or(0.0, |fair| fair.estimate.estimate);
        let reach = komi.iter().flatten().map(|komi| (komi - all).abs()).fold(0.0, f64::max);
        Self { classes, komi, all, reach: if reach > 0.0 { reach } else { 1.0 } }
    }

    /// Shows the estimate of the class of a point.
    fn heat(&self, view: &View<'_>, point: Point) -> Heat {
        let size = view.run.config.size;
        let first = Symmetry::representative(point, size).index(size);
        let found = self.classes.iter().position(|class| usize::from(class.representative) == first);
        let Some(index) = found else { return Heat::default() };
        let margins = &self.classes[index].margins;
        let [komi, interval] = komi_cells(fair_komi(margins).ok().as_ref());
        let games = margins.games();
        let tip =
            format!("{}: fair komi {komi} ({interval}), {}", point.to_gtp(size), counted(games, "game"));
        Heat {
            value: self.komi[index].map(|komi| (komi - self.all) / self.reach),
            lines: [
                self.komi[index].map_or_else(|| komi, |komi| signed(komi, 1).replace('+', "")),
                grouped(games),
            ],
            tip: tip.replace('-', "−"),
        }
    }
}

fn first_moves(view: &View<'_>) -> Figure {
    let size = view.run.config.size;
    let estimates = Estimates::of(view);
    let heats: Vec<Heat> = size.points().map(|point| estimates.heat(view, point)).collect();
    let title = "Fair komi by first move";
    let has_dashes = estimates.classes.iter().any(|class| (1..MIN_GAMES).contains(&class.margins.games()));
    let text = format!(
        "The fair komi of the games that began on a point or one equivalent to it by symmetry, and how many these are. Few games \
         give wide intervals, which are in the table. {}",
        few_note(has_dashes)
    );
    let end = |sign: f64| signed(estimates.all + sign * estimates.reach, 1).replace('+', "");
    let map = HeatMap {
        caption: Caption { id: &format!("{}-first", view.id), title, description: &text },
        size,
        heats: &heats,
        scale: [&end(-1.0), &format!("{} (all games)", end(0.0)), &end(1.0)],
    };
    let mut table = DataTable::new(1, ["first move", "games", "fair komi, points", "95 % interval"]);
    for class in estimates.classes.iter().filter(|class| class.margins.games() > 0) {
        let name = Point::from_index(class.representative.into(), size)
            .map_or_else(|| "pass".to_owned(), |point| format!("{} and equivalents", point.to_gtp(size)));
        let [komi, interval] = komi_cells(fair_komi(&class.margins).ok().as_ref());
        table.push([name, grouped(class.margins.games()), komi, interval]);
    }
    Figure { title: title.to_owned(), svg: map.draw(), text, table }
}

fn ownership(view: &View<'_>) -> Figure {
    let (size, games) = (view.run.config.size, view.finished().games as f64);
    let [black, white] = Color::BOTH.map(|color| view.finished().ownership.counts(color));
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
    let title = "Ownership";
    // The difference of two shares of the same games has at most the variance of a fair coin that pays plus or minus one.
    let chance = fixed(200.0 / games.sqrt(), 1);
    let text = format!(
        "The share of final positions in which a point is Black's area minus the share in which it is White's, in per cent points. Up to \
         {chance} may be chance (two standard errors)."
    );
    let end = |sign: f64| signed(100.0 * sign * reach, 1);
    let map = HeatMap {
        caption: Caption { id: &format!("{}-ownership", view.id), title, description: &text },
        size,
        heats: &heats,
        scale: [&format!("White {}", end(-1.0)), "0", &format!("Black {}", end(1.0))],
    };
    let columns: Vec<String> =
        (0..size.width()).map(|x| Point::new(x as u8, 0).to_gtp(size)[..1].to_owned()).collect();
    let mut table = DataTable::new(0, std::iter::once("row").chain(columns.iter().map(String::as_str)));
    for y in 0..size.height() {
        let shares = (0..size.width()).map(|x| signed(100.0 * share(y * size.width() + x), 1));
        table.push(std::iter::once((size.height() - y).to_string()).chain(shares));
    }
    Figure { title: title.to_owned(), svg: map.draw(), text, table }
}
