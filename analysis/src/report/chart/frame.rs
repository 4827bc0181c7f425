//! The common ground of charts with two axes: plot area, grid, ticks, labels, legend, marks.

use super::{Anchor, Caption, Linear, Mark, Scale, Svg};

/// The size of a chart. Narrow, so that its text is still readable on a phone.
pub(super) const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 56.0;
pub(super) const RIGHT: f64 = 504.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 252.0;
/// The height of a row of a legend below the chart.
const LEGEND_ROW: f64 = 18.0;

/// One axis: what it shows, with its unit, and from where to where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<'a> {
    pub(crate) label: &'a str,
    pub(crate) domain: (f64, f64),
}

/// A chart whose axes are drawn.
pub(super) struct Frame {
    pub(super) svg: Svg,
    pub(super) x: Linear,
    pub(super) y: Linear,
}

impl Frame {
    pub(super) fn new(caption: Caption<'_>, x: Axis<'_>, y: Axis<'_>) -> Self {
        let mut frame = Self::without_x_ticks(caption, x, y, 0);
        for (value, label) in frame.x.ticks() {
            frame.x_tick(value, &label);
        }
        frame
    }

    /// For axes whose ticks are not round numbers; with room for so many rows of a legend below.
    pub(super) fn without_x_ticks(caption: Caption<'_>, x: Axis<'_>, y: Axis<'_>, rows: usize) -> Self {
        let mut svg = Svg::new(caption, WIDTH, HEIGHT + LEGEND_ROW * rows as f64);
        let x_scale = Linear::new(x.domain, (LEFT, RIGHT), 8);
        let y_scale = Linear::new(y.domain, (BOTTOM, TOP), 5);
        for (value, label) in y_scale.ticks() {
            let height = y_scale.at(value);
            svg.line("grid", (LEFT, height), (RIGHT, height));
            svg.text("tick", (LEFT - 8.0, height + 4.0), Anchor::End, &label);
        }
        svg.line("axis", (LEFT, BOTTOM), (RIGHT, BOTTOM));
        svg.text("label", ((LEFT + RIGHT) / 2.0, HEIGHT - 8.0), Anchor::Middle, x.label);
        svg.text("label", (4.0, 14.0), Anchor::Start, y.label);
        Self { svg, x: x_scale, y: y_scale }
    }

    pub(super) fn x_tick(&mut self, value: f64, label: &str) {
        let place = self.x.at(value);
        self.svg.line("axis", (place, BOTTOM), (place, BOTTOM + 5.0));
        self.svg.text("tick", (place, BOTTOM + 20.0), Anchor::Middle, label);
    }

    /// A horizontal line to compare with.
    pub(super) fn level(&mut self, value: f64) {
        let height = self.y.at(value);
        self.svg.line("level", (LEFT, height), (RIGHT, height));
    }

    /// Names the series in the upper right corner, the last one outermost.
    pub(super) fn legend(&mut self, entries: &[(&str, &str)]) {
        /// About the width of a letter.
        const LETTER: f64 = 6.7;
        let mut end = RIGHT;
        for (class, name) in entries.iter().rev() {
            self.svg.text("legend", (end, 14.0), Anchor::End, name);
            end -= LETTER * name.chars().count() as f64 + 16.0;
            self.svg.rect(&format!("fill {class}"), (end, 5.0), (end + 10.0, 15.0));
            end -= 14.0;
        }
    }

    /// Names the series below the chart, where there is room for long names.
    pub(super) fn legend_below(&mut self, entries: impl IntoIterator<Item = (&'static str, String)>) {
        for (row, (class, name)) in entries.into_iter().enumerate() {
            let base = HEIGHT + LEGEND_ROW * (row as f64 + 0.5);
            self.svg.rect(&format!("fill {class}"), (LEFT, base - 9.0), (LEFT + 10.0, base + 1.0));
            self.svg.text("legend", (LEFT + 18.0, base), Anchor::Start, &name);
        }
    }

    /// A vertical line at a value, and a band for its interval.
    pub(super) fn mark(&mut self, mark: &Mark) {
        if let Some(interval) = mark.interval {
            let edges = [interval.lower, interval.upper].map(|value| self.x.at(value).clamp(LEFT, RIGHT));
            self.svg.rect("band", (edges[0], TOP), (edges[1], BOTTOM));
        }
        let place = self.x.at(mark.at);
        self.svg.line("mark", (place, TOP - 6.0), (place, BOTTOM));
        let anchor = if place > (LEFT + RIGHT) / 2.0 { Anchor::End } else { Anchor::Start };
        self.svg.text("mark-label", (place, TOP - 10.0), anchor, &mark.label);
    }
}
