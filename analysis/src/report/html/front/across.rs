//! A number of every cell in one picture: against the size of the board where sizes vary, else one below the other.

use super::{super::Figure, Cells};
use crate::{
    Interval,
    report::{
        chart::{Caption, Dot, Dots, Points, Series},
        data_table::DataTable,
        format::in_per_cent,
        naming::size_name,
        summary::{CellSummary, Rate},
    },
};

/// The most rows of a picture; the table below it has all.
pub(super) const MAX_ROWS: usize = 24;

/// What is shown of the cells.
pub(super) struct Shown<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    /// What there is to see.
    pub(super) text: &'a str,
    /// The number, with its unit.
    pub(super) label: &'a str,
    /// Estimate and interval, where a cell has them.
    pub(super) of: &'a dyn Fn(&CellSummary) -> Option<(f64, Interval)>,
}

/// A rate of the finished games of every cell, where a cell has one.
pub(super) fn rate_figure(
    cells: Cells<'_>,
    (id, title): (&str, &str),
    rate: impl Fn(&CellSummary) -> Option<Rate>,
) -> Option<Figure> {
    let of = |cell: &CellSummary| {
        let rate = rate(cell)?;
        Some((100.0 * rate.share?, in_per_cent(rate.interval)))
    };
    let text = "Of 100 finished games, with exact 95 % interval.";
    Shown { id, title, text, label: "% of finished games", of: &of }.figure(cells)
}

impl Shown<'_> {
    /// Nothing for fewer than two numbers, which need no picture.
    pub(super) fn figure(&self, cells: Cells<'_>) -> Option<Figure> {
        let text = and_the_rest(self.text, cells);
        let svg = self.draw(Caption { id: self.id, title: self.title, description: &text }, cells)?;
        Some(Figure { title: self.title.to_owned(), text, svg, table: DataTable::default() })
    }

    fn draw(&self, caption: Caption<'_>, cells: Cells<'_>) -> Option<String> {
        let shown: Vec<&CellSummary> = cells.all.iter().filter(|cell| (self.of)(cell).is_some()).collect();
        let mut places: Vec<(f64, String)> =
            shown.iter().map(|cell| (side(cell), size_name(&cell.config))).collect();
        places.sort_by(|one, other| one.0.total_cmp(&other.0));
        // A board and the same one turned have one place.
        places.dedup_by(|next, last| next.0 == last.0);
        let names = variants(cells, &shown);
        if shown.len() < 2 {
            None
        } else if places.len() > 1 && names.len() <= Points::MOST {
            Some(self.by_size(caption, cells, &places, &names))
        } else {
            Some(self.by_row(caption, cells, &shown))
        }
    }

    fn by_size(
        &self,
        caption: Caption<'_>,
        cells: Cells<'_>,
        places: &[(f64, String)],
        names: &[String],
    ) -> String {
        let series: Vec<Series<'_>> =
            names.iter().map(|name| Series { name, points: self.points(cells, name) }).collect();
        let chart = Points {
            caption,
            x_label: "board; for a rectangle the square with as many points",
            y_label: self.label,
            places,
            series: &series,
        };
        chart.draw()
    }

    fn points(&self, cells: Cells<'_>, name: &str) -> Vec<(f64, f64, Interval)> {
        let of_series = cells.all.iter().filter(|cell| cells.variant(cell).join(", ") == name);
        let point = |cell| {
            let (estimate, interval) = (self.of)(cell)?;
            Some((side(cell), estimate, interval))
        };
        let mut points: Vec<_> = of_series.filter_map(point).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        points
    }

    fn by_row(&self, caption: Caption<'_>, cells: Cells<'_>, shown: &[&CellSummary]) -> String {
        let dot = |cell: &&CellSummary| {
            let (estimate, interval) = (self.of)(cell)?;
            Some(Dot { label: cells.naming.short(&cell.config), estimate, interval })
        };
        let dots: Vec<Dot> = shown.iter().take(MAX_ROWS).filter_map(dot).collect();
        Dots { caption, x_label: self.label, row_label: "", dots: &dots }.draw()
    }
}

/// Says which cells only the table has, where a picture has a row for each.
pub(super) fn and_the_rest(text: &str, cells: Cells<'_>) -> String {
    match cells.all.len().saturating_sub(MAX_ROWS) {
        0 => text.to_owned(),
        more => format!("{text} Where each cell has a row, {more} more are in the table only."),
    }
}

fn side(cell: &CellSummary) -> f64 {
    (cell.config.size.point_count() as f64).sqrt()
}

/// What varies beside the size, each once.
fn variants(cells: Cells<'_>, shown: &[&CellSummary]) -> Vec<String> {
    let mut names = Vec::new();
    for name in shown.iter().map(|cell| cells.variant(cell).join(", ")) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
