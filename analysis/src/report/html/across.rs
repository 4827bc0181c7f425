//! What several cells show together.

use super::parts::Figure;
use crate::report::{
    chart::{Caption, Points, Series},
    data_table::DataTable,
    format::{grouped, with_interval},
    naming::{Naming, size_name},
    summary::CellSummary,
};

/// The fair komi against the board's size, if there are several sizes.
pub(super) fn fair_komi_by_size(summaries: &[CellSummary], naming: &Naming) -> Option<Figure> {
    let estimated: Vec<&CellSummary> =
        summaries.iter().filter(|cell| cell.finished.fair_komi.is_some()).collect();
    let mut places: Vec<(f64, String)> =
        estimated.iter().map(|cell| (side(cell), size_name(&cell.setting))).collect();
    places.dedup();
    places.sort_by(|one, other| one.0.total_cmp(&other.0));
    places.dedup();
    let names = series_names(&estimated, naming);
    if places.len() < 2 || names.len() > Points::MOST {
        return None;
    }
    let series: Vec<Series<'_>> =
        names.iter().map(|name| Series { name, points: points(&estimated, naming, name) }).collect();
    let title = "Fair komi by board size";
    let text = "Interpolated median with 95 % interval. The horizontal axis is the side of the board; for a rectangle that of a square with \
                as many points.";
    let caption = Caption { id: "by-size", title, description: text };
    let chart =
        Points { caption, x_label: "board", y_label: "fair komi, points", places: &places, series: &series };
    let mut table = DataTable::new(1, ["cell", "games", "fair komi, points", "95 % interval"]);
    for cell in &estimated {
        if let Some(fair) = &cell.finished.fair_komi {
            let (komi, interval) = with_interval(fair.estimate.estimate, fair.estimate.interval);
            table.push([naming.short(&cell.setting), grouped(fair.games), komi, interval]);
        }
    }
    Some(Figure { title: title.to_owned(), text: text.to_owned(), svg: chart.draw(), table })
}

fn side(cell: &CellSummary) -> f64 {
    (cell.setting.size.point_count() as f64).sqrt()
}

/// What varies beside the size.
fn series_name(cell: &CellSummary, naming: &Naming) -> String {
    let varying = naming.axes().into_iter().filter(|axis| axis.varies()).map(|axis| axis.of(&cell.setting));
    varying.collect::<Vec<_>>().join(", ")
}

fn series_names(cells: &[&CellSummary], naming: &Naming) -> Vec<String> {
    let mut names = Vec::new();
    for name in cells.iter().map(|cell| series_name(cell, naming)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn points(cells: &[&CellSummary], naming: &Naming, name: &str) -> Vec<(f64, f64, crate::Interval)> {
    let of_series = cells.iter().filter(|cell| series_name(cell, naming) == name);
    let mut points: Vec<_> = of_series
        .filter_map(|cell| {
            let fair = cell.finished.fair_komi.as_ref()?;
            Some((side(cell), fair.estimate.estimate, fair.estimate.interval))
        })
        .collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    points
}
