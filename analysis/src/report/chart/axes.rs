//! Charts with two axes: distributions as bars, curves, and estimates with intervals over numbers.

use super::{Caption, Chart, LETTER, LINE, Mark, Scale, Svg, lines};
use crate::stats::Estimate;

/// The size of a chart. Narrow, so that its text is still readable on a phone.
pub(super) const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 290.0;
const LEFT: f64 = 48.0;
pub(super) const RIGHT: f64 = 426.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 242.0;

/// Returns the least and the largest value; 0 and 1 where there is nothing between them.
pub(super) fn span(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    if low < high { (low, high) } else { (0.0, 1.0) }
}

/// What an axis shows, with its unit, and from where to where.
type Axis<'a> = (&'a str, (f64, f64));

/// What charts with two axes have in common: plot area, grid, ticks, labels, legend and marks.
struct Frame {
    svg: Svg,
    x: Scale,
    y: Scale,
}

impl Frame {
    /// Draws all but the ticks of the horizontal axis, which ends at `right`, with so much room for a legend below.
    fn new(caption: Caption<'_>, x: Axis<'_>, y: Axis<'_>, below: f64, right: f64) -> Self {
        let mut svg = Svg::new(caption, WIDTH, HEIGHT + below);
        let x_scale = Scale::new(x.1, (LEFT, right), 7);
        let y_scale = Scale::new(y.1, (BOTTOM, TOP), 5);
        for (value, label) in y_scale.ticks() {
            let height = y_scale.at(value);
            svg.line("grid", (LEFT, height), (right, height));
            svg.text("tick", (LEFT - 8.0, height + 4.0), "end", &label);
        }
        svg.line("axis", (LEFT, BOTTOM), (right, BOTTOM));
        svg.text("label", ((LEFT + right) / 2.0, HEIGHT - 8.0), "middle", x.0);
        svg.lines("label", (4.0, 14.0), "start", &lines(y.0, WIDTH));
        Self { svg, x: x_scale, y: y_scale }
    }

    fn x_ticks(&mut self, ticks: &[(f64, String)]) {
        for (value, label) in ticks {
            let place = self.x.at(*value);
            self.svg.line("axis", (place, BOTTOM), (place, BOTTOM + 5.0));
            self.svg.text("tick", (place, BOTTOM + 20.0), "middle", label);
        }
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.at(x), self.y.at(y))
    }

    fn level(&mut self, value: f64) {
        let height = self.y.at(value);
        self.svg.line("level", (LEFT, height), (RIGHT, height));
    }

    /// Names the series in the upper right corner.
    fn legend<'a>(&mut self, names: impl Iterator<Item = (&'a str, &'a str)> + Clone) {
        const GAP: f64 = 10.0;
        let width = |name: &str| KEY + LETTER * name.chars().count() as f64;
        let mut left = RIGHT + GAP - names.clone().map(|(name, _)| width(name) + GAP).sum::<f64>();
        for (name, class) in names {
            self.svg.rect(&format!("fill {class}"), [(left, 5.0), (left + 10.0, 15.0)]);
            self.svg.text("legend", (left + KEY, 14.0), "start", name);
            left += width(name) + GAP;
        }
    }

    fn mark(&mut self, mark: &Mark) {
        if let Some(interval) = mark.interval {
            let [lower, upper] =
                [interval.lower, interval.upper].map(|value| self.x.at(value).clamp(LEFT, RIGHT));
            self.svg.rect("band", [(lower, TOP), (upper, BOTTOM)]);
        }
        let place = self.x.at(mark.at);
        self.svg.line("mark", (place, TOP - 6.0), (place, BOTTOM));
        let anchor = if place > (LEFT + RIGHT) / 2.0 { "end" } else { "start" };
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
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) bars: &'a [Bar],
    /// What the two parts are; nothing if there is only one.
    pub(crate) parts: Option<[&'a str; 2]>,
    pub(crate) mark: Option<Mark>,
}

impl Chart for Bars<'_> {
    fn draw(&self, caption: Caption<'_>) -> String {
        let tallest = self.bars.iter().map(|bar| bar.parts[0] + bar.parts[1]).fold(0.0, f64::max);
        let domain = span(self.bars.iter().flat_map(|bar| [bar.from, bar.to]));
        let heights = (0.0, if tallest > 0.0 { 1.05 * tallest } else { 1.0 });
        let mut frame = Frame::new(caption, (self.x_label, domain), (self.y_label, heights), 0.0, RIGHT);
        // Bars stand for whole numbers.
        let mut ticks = frame.x.ticks();
        ticks.retain(|(value, _)| (value - value.round()).abs() < 1e-9);
        ticks.iter_mut().for_each(|(value, label)| *label = format!("{value:.0}").replace('-', "−"));
        frame.x_ticks(&ticks);
        for bar in self.bars {
            draw_bar(&mut frame, bar);
        }
        if let Some(parts) = self.parts {
            frame.legend(parts.into_iter().zip(CLASSES));
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
            let (bottom, top) = (frame.y.at(base), frame.y.at(base + part));
            frame.svg.rect(class, [(left + gap, bottom), (right - gap, top)]);
            base += part;
        }
    }
}

/// The curves of Black and White with their intervals as bands, and sticks of a third kind at single places. Each is a name with its points by ascending place.
pub(crate) struct Curves<'a> {
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    pub(crate) y_domain: (f64, f64),
    pub(crate) curves: [(&'a str, Vec<(f64, Estimate)>); 2],
    pub(crate) sticks: (&'a str, Vec<(f64, f64)>),
    /// A height to compare with.
    pub(crate) level: f64,
    pub(crate) mark: Option<Mark>,
}

impl Chart for Curves<'_> {
    fn draw(&self, caption: Caption<'_>) -> String {
        let domain = span(self.curves.iter().flat_map(|(_, points)| points.iter().map(|point| point.0)));
        let mut frame =
            Frame::new(caption, (self.x_label, domain), (self.y_label, self.y_domain), 0.0, RIGHT);
        frame.x_ticks(&frame.x.ticks());
        frame.level(self.level);
        for &(place, height) in self.sticks.1.iter().filter(|stick| stick.1 > 0.0) {
            frame.svg.line("stick third", frame.at(place, self.y_domain.0), frame.at(place, height));
        }
        for ((_, points), class) in self.curves.iter().zip(SIDES) {
            let at = |height: fn(&Estimate) -> f64| -> Vec<_> {
                points.iter().map(|(place, point)| frame.at(*place, height(point))).collect()
            };
            let [above, below] = [at(|point| point.interval.upper), at(|point| point.interval.lower)];
            let middle = at(|point| point.estimate);
            if !above.is_empty() {
                let edge = above.into_iter().chain(below.into_iter().rev());
                frame.svg.through("polygon", &format!("fill spread {class}"), edge);
            }
            frame.svg.through("polyline", &format!("curve {class}"), middle);
        }
        let names = [self.curves[0].0, self.curves[1].0, self.sticks.0];
        frame.legend(names.into_iter().zip([SIDES[0], SIDES[1], "third"]));
        if let Some(mark) = &self.mark {
            frame.mark(mark);
        }
        frame.svg.finish()
    }
}

/// Series of estimates, told apart by colour and shifted sideways a little.
pub(crate) struct Points<'a> {
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
    /// The places to label.
    pub(crate) places: &'a [(f64, String)],
    /// At most [`Points::MAX`] names, each with estimates at ascending places.
    pub(crate) series: &'a [(String, Vec<(f64, Estimate)>)],
    /// A height to compare with.
    pub(crate) level: f64,
    /// A height for each series that is marked at the right edge; may be empty.
    pub(crate) known: &'a [Option<f64>],
}

/// The colours of Black and White.
const SIDES: [&str; 2] = ["black", "white"];
const CLASSES: [&str; Points::MAX] = ["first", "second", "third", "fourth", "fifth", "sixth"];

impl Points<'_> {
    /// More series than this cannot be told apart.
    pub(crate) const MAX: usize = 6;
}

impl Chart for Points<'_> {
    fn draw(&self, caption: Caption<'_>) -> String {
        let ends =
            || self.series.iter().flat_map(|(_, points)| points.iter().map(|(_, point)| point.interval));
        let known = || self.known.iter().flatten().copied();
        let low = ends().map(|interval| interval.lower).chain(known()).fold(self.level, f64::min);
        let high = ends().map(|interval| interval.upper).chain(known()).fold(self.level, f64::max);
        let room = 0.06 * (high - low).max(1.0);
        let (first, last) = span(self.places.iter().map(|place| place.0));
        let legend = if self.series.len() > 1 { self.legend() } else { Vec::new() };
        let below = legend.last().map_or(0.0, |last| last.top + last.height() + 4.0);
        let (x, y) = ((first - 1.0, last + 1.0), (low - room, high + room));
        let right = if self.known.iter().any(Option::is_some) { RIGHT - KNOWN_WIDTH } else { RIGHT };
        let mut frame = Frame::new(caption, (self.x_label, x), (self.y_label, y), below, right);
        frame.x_ticks(self.places);
        let level = frame.y.at(self.level);
        frame.svg.line("level", (LEFT, level), (right, level));
        for (index, ((_, points), class)) in self.series.iter().zip(CLASSES).enumerate() {
            let shift = 7.0 * (index as f64 - (self.series.len() - 1) as f64 / 2.0);
            draw_points(&mut frame, points, class, shift);
        }
        self.draw_known(&mut frame, right);
        for (Entry { left, top, lines }, class) in legend.into_iter().zip(CLASSES) {
            let base = HEIGHT + top + 13.0;
            frame.svg.rect(&format!("fill {class}"), [(left, base - 9.0), (left + 10.0, base + 1.0)]);
            frame.svg.lines("legend", (left + KEY, base), "start", &lines);
        }
        frame.svg.finish()
    }
}

/// The room for known values at the right edge.
const KNOWN_WIDTH: f64 = 64.0;
/// The room for the square before a name of a legend, with the gap behind it.
const KEY: f64 = 16.0;

/// A name of the legend below a chart, and where it stands.
struct Entry<'a> {
    left: f64,
    /// From the foot of the chart.
    top: f64,
    lines: Vec<&'a str>,
}

impl Entry<'_> {
    fn height(&self) -> f64 {
        LINE * self.lines.len() as f64 + 3.0
    }
}

impl Points<'_> {
    /// Returns the legend: names side by side where there is room, and in several lines where they are long.
    fn legend(&self) -> Vec<Entry<'_>> {
        const GAP: f64 = 14.0;
        let (mut end, mut below) = (LEFT, 0.0);
        let mut legend: Vec<Entry<'_>> = Vec::new();
        for (name, _) in self.series {
            let width = KEY + LETTER * name.chars().count() as f64;
            let last = legend.last().filter(|_| end + GAP + width <= WIDTH);
            let (left, top) = last.map_or((LEFT, below), |last| (end + GAP, last.top));
            let entry = Entry { left, top, lines: lines(name, WIDTH - left - KEY) };
            (end, below) = (left + width, top + entry.height());
            legend.push(entry);
        }
        legend
    }

    /// Draws the known values beside the plot, as far apart as their texts are high.
    fn draw_known(&self, frame: &mut Frame, right: f64) {
        const TEXT: f64 = 14.0;
        let known = self.known.iter().zip(CLASSES).filter_map(|(height, class)| Some(((*height)?, class)));
        let mut known: Vec<(f64, &str)> = known.collect();
        known.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut free = f64::NEG_INFINITY;
        for (value, class) in known {
            let height = frame.y.at(value);
            let text = (height + 4.0).max(free);
            free = text + TEXT;
            frame.svg.line(&format!("whisker {class}"), (right - 10.0, height), (right + 4.0, height));
            frame.svg.text("legend", (right + 10.0, text), "start", &format!("{value}"));
        }
        if free.is_finite() {
            frame.svg.text("tick", (WIDTH, 14.0), "end", "perfect play");
        }
    }
}

fn draw_points(frame: &mut Frame, points: &[(f64, Estimate)], class: &str, shift: f64) {
    let center = |place: f64, height: f64| (frame.x.at(place) + shift, frame.y.at(height));
    let centers: Vec<_> = points.iter().map(|(place, point)| center(*place, point.estimate)).collect();
    frame.svg.through("polyline", &format!("thin {class}"), centers.iter().copied());
    for (&(x, y), (_, Estimate { interval, .. })) in centers.iter().zip(points) {
        let [lower, upper] = [interval.lower, interval.upper].map(|value| frame.y.at(value));
        frame.svg.line(&format!("whisker {class}"), (x, lower), (x, upper));
        frame.svg.circle(&format!("fill {class}"), (x, y), 4.0);
    }
}
