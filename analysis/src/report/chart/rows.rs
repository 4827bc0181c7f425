//! The common ground of charts with a row for each label.

use super::{Anchor, Caption, Scale, Svg, frame::WIDTH};

pub(super) use super::frame::RIGHT;

const ROW: f64 = 22.0;
/// Room for the labels, unless these are longer.
const LEFT: f64 = 130.0;
/// Width of a letter, at most; on narrow screens letters are larger in proportion.
const LETTER: f64 = 7.8;
const TOP: f64 = 28.0;

/// Where the axis of rows with these labels begins.
pub(super) fn left<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    LEFT.max(14.0 + LETTER * longest as f64).min(0.6 * WIDTH)
}

/// A chart whose axis is drawn.
pub(super) struct Rows {
    pub(super) svg: Svg,
    left: f64,
}

impl Rows {
    /// For so many rows, on an axis that begins at `left`.
    pub(super) fn new(
        caption: Caption<'_>,
        x_label: &str,
        left: f64,
        count: usize,
        scale: &dyn Scale,
    ) -> Self {
        let bottom = TOP + ROW * count as f64;
        let mut svg = Svg::new(caption, WIDTH, bottom + 48.0);
        for (value, label) in scale.ticks() {
            let place = scale.at(value);
            svg.line("grid", (place, TOP), (place, bottom));
            svg.text("tick", (place, bottom + 18.0), Anchor::Middle, &label);
        }
        svg.line("axis", (left, bottom), (RIGHT, bottom));
        svg.text("label", ((left + RIGHT) / 2.0, bottom + 40.0), Anchor::Middle, x_label);
        Self { svg, left }
    }

    /// Says what the labels are.
    pub(super) fn heading(&mut self, text: &str) {
        self.svg.text("label", (self.left - 10.0, 16.0), Anchor::End, text);
    }

    /// Writes a row's label and returns the height of its middle.
    pub(super) fn label(&mut self, row: usize, text: &str) -> f64 {
        let height = TOP + ROW * (row as f64 + 0.5);
        self.svg.text("tick", (self.left - 10.0, height + 4.0), Anchor::End, text);
        height
    }

    /// A vertical line through all rows.
    pub(super) fn level(&mut self, place: f64, count: usize) {
        self.svg.line("level", (place, TOP), (place, TOP + ROW * count as f64));
    }

    /// Names parts by colour above the rows.
    pub(super) fn legend(&mut self, entries: &[(&str, &str)]) {
        let mut place = self.left;
        for (class, name) in entries {
            self.svg.rect(&format!("fill {class}"), (place, 7.0), (place + 10.0, 17.0));
            self.svg.text("legend", (place + 15.0, 16.0), Anchor::Start, name);
            place += 15.0 + LETTER * name.chars().count() as f64 + 12.0;
        }
    }
}
