//! Charts with two axes: distributions as bars, curves, and estimates with intervals over numbers.

use super::{
    Anchor, Caption, Mark, Svg,
    scale::{Linear, Scale},
};
use crate::Interval;

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
struct Axis<'a> {
    label: &'a str,
    domain: (f64, f64),
}

/// What charts with two axes have in common: plot area, grid, ticks, labels, legend and marks.
struct Frame {
    svg: Svg,
    x: Linear,
    y: Linear,
}

impl Frame {
    fn new(caption: Caption<'_>, x: Axis<'_>, y: Axis<'_>) -> Self {
        let mut frame = Self::without_x_ticks(caption, x, y, 0);
        for (value, label) in frame.x.ticks() {
            frame.x_tick(value, &label);
        }
        frame
    }

    /// For axes whose ticks are not round numbers; with room for so many rows of a legend below.
    fn without_x_ticks(caption: Caption<'_>, x: Axis<'_>, y: Axis<'_>, rows: usize) -> Self {
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

    fn x_tick(&mut self, value: f64, label: &str) {
        let place = self.x.at(value);
        self.svg.line("axis", (place, BOTTOM), (place, BOTTOM + 5.0));
        self.svg.text("tick", (place, BOTTOM + 20.0), Anchor::Middle, label);
    }

    /// A horizontal line to compare with.
    fn level(&mut self, value: f64) {
        let height = self.y.at(value);
        self.svg.line("level", (LEFT, height), (RIGHT, height));
    }

    /// Names the series in the upper right corner, the last one outermost.
    fn legend(&mut self, entries: &[(&str, &str)]) {
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
    fn legend_below(&mut self, entries: impl IntoIterator<Item = (&'static str, String)>) {
        for (row, (class, name)) in entries.into_iter().enumerate() {
            let base = HEIGHT + LEGEND_ROW * (row as f64 + 0.5);
            self.svg.rect(&format!("fill {class}"), (LEFT, base - 9.0), (LEFT + 10.0, base + 1.0));
            self.svg.text("legend", (LEFT + 18.0, base), Anchor::Start, &name);
        }
    }

    /// A vertical line at a value, and a band for its interval.
    fn mark(&mut self, mark: &Mark) {
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

/// A bar from one value to another, of two parts that stand on each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bar {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) parts: [f64; 2],
}

/// A bar chart over numbers.
pub(crate) struct Bars<'a> {
    pub(crate) caption: Caption<'a>,
    /// What the values are, with unit.
    pub(crate) x_label: &'a str,
    /// What the heights are, with unit.
    pub(crate) y_label: &'a str,
    pub(crate) bars: &'a [Bar],
    /// What the two parts are; nothing if there is only one.
    pub(crate) parts: Option<[&'a str; 2]>,
    pub(crate) mark: Option<Mark>,
}

impl Bars<'_> {
    pub(crate) fn draw(&self) -> String {
        let low = self.bars.iter().map(|bar| bar.from).fold(f64::INFINITY, f64::min);
        let high = self.bars.iter().map(|bar| bar.to).fold(f64::NEG_INFINITY, f64::max);
        let domain = if low < high { (low, high) } else { (0.0, 1.0) };
        let tallest = self.bars.iter().map(|bar| bar.parts[0] + bar.parts[1]).fold(0.0, f64::max);
        let x = Axis { label: self.x_label, domain };
        let y = Axis { label: self.y_label, domain: (0.0, if tallest > 0.0 { 1.05 * tallest } else { 1.0 }) };
        let mut frame = Frame::new(self.caption, x, y);
        for bar in self.bars {
            draw_bar(&mut frame, bar);
        }
        if let Some([first, second]) = self.parts {
            frame.legend(&[("first", first), ("second", second)]);
        }
        if let Some(mark) = &self.mark {
            frame.mark(mark);
        }
        frame.svg.finish()
    }
}

fn draw_bar(frame: &mut Frame, bar: &Bar) {
    /// The part of a bar's width that stays free, at most one unit.
    const GAP: f64 = 0.15;
    let (left, right) = (frame.x.at(bar.from), frame.x.at(bar.to));
    let gap = (GAP * (right - left)).min(1.0) / 2.0;
    let mut base = 0.0;
    for (class, part) in [("fill first", bar.parts[0]), ("fill second", bar.parts[1])] {
        if part > 0.0 {
            let corners = [(left + gap, frame.y.at(base)), (right - gap, frame.y.at(base + part))];
            frame.svg.rect(class, corners[0], corners[1]);
            base += part;
        }
    }
}

/// A line with a name.
pub(crate) struct Curve<'a> {
    pub(crate) name: &'a str,
    /// Ascending by the first coordinate.
    pub(crate) points: Vec<(f64, f64)>,
    /// The interval of each point, drawn as a band; may be empty.
    pub(crate) intervals: Vec<Interval>,
}

/// Two curves, and sticks of a third kind at single places.
pub(crate) struct Curves<'a> {
    pub(crate) caption: Caption<'a>,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) y_domain: (f64, f64),
    pub(crate) curves: [Curve<'a>; 2],
    pub(crate) sticks: Curve<'a>,
    /// A height to compare with.
    pub(crate) level: f64,
    pub(crate) mark: Option<Mark>,
}

impl Curves<'_> {
    pub(crate) fn draw(&self) -> String {
        let places = self.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
        let low = places.clone().fold(f64::INFINITY, f64::min);
        let high = places.fold(f64::NEG_INFINITY, f64::max);
        let domain = if low < high { (low, high) } else { (0.0, 1.0) };
        let x = Axis { label: self.x_label, domain };
        let y = Axis { label: self.y_label, domain: self.y_domain };
        let mut frame = Frame::new(self.caption, x, y);
        frame.level(self.level);
        let base = frame.y.at(self.y_domain.0);
        for &(place, height) in self.sticks.points.iter().filter(|stick| stick.1 > 0.0) {
            let (place, height) = (frame.x.at(place), frame.y.at(height));
            frame.svg.line("stick third", (place, base), (place, height));
        }
        for (name, curve) in ["first", "second"].into_iter().zip(&self.curves) {
            let at = |x: f64, y: f64| (frame.x.at(x), frame.y.at(y));
            let points: Vec<(f64, f64)> = curve.points.iter().map(|&(x, y)| at(x, y)).collect();
            let places = || curve.points.iter().map(|point| point.0).zip(&curve.intervals);
            let above: Vec<_> = places().map(|(x, interval)| at(x, interval.upper)).collect();
            let below: Vec<_> = places().map(|(x, interval)| at(x, interval.lower)).collect();
            if !above.is_empty() {
                frame.svg.polygon(
                    &format!("fill spread {name}"),
                    above.into_iter().chain(below.into_iter().rev()),
                );
            }
            frame.svg.polyline(&format!("curve {name}"), points);
        }
        frame.legend(&[
            ("first", self.curves[0].name),
            ("second", self.curves[1].name),
            ("third", self.sticks.name),
        ]);
        if let Some(mark) = &self.mark {
            frame.mark(mark);
        }
        frame.svg.finish()
    }
}

/// Estimates that belong together: place, estimate, interval, ascending by place.
pub(crate) struct Series<'a> {
    pub(crate) name: &'a str,
    pub(crate) points: Vec<(f64, f64, Interval)>,
}

/// Series of estimates, told apart by colour and shifted sideways a little.
pub(crate) struct Points<'a> {
    pub(crate) caption: Caption<'a>,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    /// The places to label.
    pub(crate) places: &'a [(f64, String)],
    /// At most [`Points::MAX`].
    pub(crate) series: &'a [Series<'a>],
}

const CLASSES: [&str; Points::MAX] = ["first", "second", "third", "fourth", "fifth", "sixth"];

impl Points<'_> {
    /// More series than this cannot be told apart.
    pub(crate) const MAX: usize = 6;

    pub(crate) fn draw(&self) -> String {
        let ends = || self.series.iter().flat_map(|series| series.points.iter().map(|point| point.2));
        let low = ends().map(|interval| interval.lower).fold(0.0, f64::min);
        let high = ends().map(|interval| interval.upper).fold(0.0, f64::max);
        let room = 0.06 * (high - low).max(1.0);
        let first = self.places.iter().map(|place| place.0).fold(f64::INFINITY, f64::min);
        let last = self.places.iter().map(|place| place.0).fold(f64::NEG_INFINITY, f64::max);
        let rows = if self.series.len() > 1 { self.series.len() } else { 0 };
        let x = Axis { label: self.x_label, domain: (first - 1.0, last + 1.0) };
        let y = Axis { label: self.y_label, domain: (low - room, high + room) };
        let mut frame = Frame::without_x_ticks(self.caption, x, y, rows);
        for (place, label) in self.places {
            frame.x_tick(*place, label);
        }
        frame.level(0.0);
        for (index, (series, class)) in self.series.iter().zip(CLASSES).enumerate() {
            let shift = 7.0 * (index as f64 - (self.series.len() - 1) as f64 / 2.0);
            draw_series(&mut frame, series, class, shift);
        }
        let names = self.series.iter().map(|series| series.name.to_owned());
        frame.legend_below(CLASSES.into_iter().zip(names).take(rows));
        frame.svg.finish()
    }
}

fn draw_series(frame: &mut Frame, series: &Series<'_>, class: &str, shift: f64) {
    let centers: Vec<(f64, f64)> = series
        .points
        .iter()
        .map(|&(place, estimate, _)| (frame.x.at(place) + shift, frame.y.at(estimate)))
        .collect();
    frame.svg.polyline(&format!("thin {class}"), centers.iter().copied());
    for (&(x, y), (_, _, interval)) in centers.iter().zip(&series.points) {
        let ends = [interval.lower, interval.upper].map(|value| frame.y.at(value));
        frame.svg.line(&format!("whisker {class}"), (x, ends[0]), (x, ends[1]));
        frame.svg.circle(&format!("fill {class}"), (x, y), 4.0);
    }
}
