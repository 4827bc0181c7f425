//! Charts with a row for each label: estimates with intervals, and parts of a whole.

use super::{
    Anchor, Caption, Svg,
    axes::{RIGHT, WIDTH},
    scale::{Linear, Log, Scale},
};
use crate::Interval;

const ROW: f64 = 22.0;
/// Room for the labels, unless these are longer.
const LEFT: f64 = 130.0;
/// Width of a letter, at most; on narrow screens letters are larger in proportion.
const LETTER: f64 = 7.8;
const TOP: f64 = 28.0;

/// Where the axis of rows with these labels begins.
fn left<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    LEFT.max(14.0 + LETTER * longest as f64).min(0.6 * WIDTH)
}

/// What charts with rows have in common: one axis, grid and labels.
struct Rows {
    svg: Svg,
    left: f64,
}

impl Rows {
    /// For so many rows, on an axis that begins at `left`.
    fn new(caption: Caption<'_>, x_label: &str, left: f64, count: usize, scale: &dyn Scale) -> Self {
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
    fn heading(&mut self, text: &str) {
        self.svg.text("label", (self.left - 10.0, 16.0), Anchor::End, text);
    }

    /// Writes a row's label and returns the height of its middle.
    fn label(&mut self, row: usize, text: &str) -> f64 {
        let height = TOP + ROW * (row as f64 + 0.5);
        self.svg.text("tick", (self.left - 10.0, height + 4.0), Anchor::End, text);
        height
    }

    /// A vertical line through all rows.
    fn level(&mut self, place: f64, count: usize) {
        self.svg.line("level", (place, TOP), (place, TOP + ROW * count as f64));
    }

    /// Names parts by colour above the rows.
    fn legend(&mut self, entries: &[(&str, &str)]) {
        let mut place = self.left;
        for (class, name) in entries {
            self.svg.rect(&format!("fill {class}"), (place, 7.0), (place + 10.0, 17.0));
            self.svg.text("legend", (place + 15.0, 16.0), Anchor::Start, name);
            place += 15.0 + LETTER * name.chars().count() as f64 + 12.0;
        }
    }
}

/// An estimate with its interval.
#[derive(Clone, Debug)]
pub(crate) struct Dot {
    pub(crate) label: String,
    pub(crate) estimate: f64,
    pub(crate) interval: Interval,
}

/// Estimates with intervals on one axis: logarithmic when they are positive and far apart.
pub(crate) struct Dots<'a> {
    pub(crate) caption: Caption<'a>,
    /// What the values are, with unit.
    pub(crate) x_label: &'a str,
    /// What tells the rows apart; may be empty.
    pub(crate) row_label: &'a str,
    pub(crate) dots: &'a [Dot],
}

impl Dots<'_> {
    pub(crate) fn draw(&self) -> String {
        let left = self.left();
        let scale = self.scale();
        let mut rows = Rows::new(self.caption, self.x_label, left, self.dots.len(), scale.as_ref());
        rows.heading(self.row_label);
        for (row, dot) in self.dots.iter().enumerate() {
            let height = rows.label(row, &dot.label);
            let place = |value: f64| scale.at(value).clamp(left, RIGHT);
            rows.svg.line(
                "whisker first",
                (place(dot.interval.lower), height),
                (place(dot.interval.upper), height),
            );
            rows.svg.circle("fill first", (place(dot.estimate), height), 4.0);
        }
        rows.svg.finish()
    }

    fn left(&self) -> f64 {
        left(self.dots.iter().map(|dot| dot.label.as_str()))
    }

    fn scale(&self) -> Box<dyn Scale> {
        /// From this ratio of the ends on, small values would vanish on a linear axis.
        const FAR: f64 = 20.0;
        /// Room beyond the largest end.
        const ROOM: f64 = 1.1;
        let low = self.dots.iter().map(|dot| dot.interval.lower).fold(f64::INFINITY, f64::min);
        let high = self.dots.iter().map(|dot| dot.interval.upper).fold(f64::NEG_INFINITY, f64::max);
        if low > 0.0 && high / low > FAR {
            Box::new(Log::new((low, ROOM * high), (self.left(), RIGHT)))
        } else {
            let (low, high) = if low < high { (low.min(0.0), high.max(0.0)) } else { (0.0, 1.0) };
            Box::new(Linear::new((low, ROOM * high), (self.left(), RIGHT), 5))
        }
    }
}

/// A whole of three parts, in per cent.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub(crate) label: String,
    pub(crate) parts: [f64; 3],
}

/// Wholes as bars from 0 to 100 %, with a line at one half.
pub(crate) struct Stacks<'a> {
    pub(crate) caption: Caption<'a>,
    pub(crate) x_label: &'a str,
    /// What the parts are.
    pub(crate) parts: [&'a str; 3],
    pub(crate) stacks: &'a [Stack],
}

const CLASSES: [&str; 3] = ["first", "fourth", "second"];

impl Stacks<'_> {
    pub(crate) fn draw(&self) -> String {
        /// Half of a bar's height.
        const HALF: f64 = 8.0;
        let left = left(self.stacks.iter().map(|stack| stack.label.as_str()));
        let scale = Linear::new((0.0, 100.0), (left, RIGHT), 5);
        let mut rows = Rows::new(self.caption, self.x_label, left, self.stacks.len(), &scale);
        let legend: Vec<(&str, &str)> = CLASSES.into_iter().zip(self.parts).collect();
        rows.legend(&legend);
        for (row, stack) in self.stacks.iter().enumerate() {
            let height = rows.label(row, &stack.label);
            let mut base = 0.0;
            for (class, part) in CLASSES.into_iter().zip(stack.parts).filter(|(_, part)| *part > 0.0) {
                let ends = [base, base + part].map(|value| scale.at(value));
                rows.svg.rect(&format!("fill {class}"), (ends[0], height - HALF), (ends[1], height + HALF));
                base += part;
            }
        }
        rows.level(scale.at(50.0), self.stacks.len());
        rows.svg.finish()
    }
}
