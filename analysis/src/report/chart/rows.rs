//! Charts with a row for each label: estimates with intervals, and parts of a whole.

use super::{
    Caption, Chart, Scale, Svg,
    axes::{RIGHT, WIDTH, span},
};
use crate::stats::Estimate;

const ROW: f64 = 22.0;
/// Room for the labels, unless these are longer.
const LEFT: f64 = 130.0;
/// Width of a letter, at most; on narrow screens letters are larger in proportion.
const LETTER: f64 = 7.8;
const TOP: f64 = 28.0;

/// Returns where the axis of rows with these labels begins.
fn left<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    LEFT.max(14.0 + LETTER * longest as f64).min(0.6 * WIDTH)
}

/// Draws what charts with rows have in common: the axis, which begins at `left`, and the grid.
fn axis(caption: Caption<'_>, x_label: &str, left: f64, rows: usize, scale: &Scale) -> Svg {
    let bottom = TOP + ROW * rows as f64;
    let mut svg = Svg::new(caption, WIDTH, bottom + 48.0);
    for (value, label) in scale.ticks() {
        let place = scale.at(value);
        svg.line("grid", (place, TOP), (place, bottom));
        svg.text("tick", (place, bottom + 18.0), "middle", &label);
    }
    svg.line("axis", (left, bottom), (RIGHT, bottom));
    svg.text("label", ((left + RIGHT) / 2.0, bottom + 40.0), "middle", x_label);
    svg
}

/// Writes a row's label and returns the height of its middle.
fn label(svg: &mut Svg, left: f64, row: usize, text: &str) -> f64 {
    let height = TOP + ROW * (row as f64 + 0.5);
    svg.text("tick", (left - 10.0, height + 4.0), "end", text);
    height
}

/// An estimate with a name.
pub(crate) type Dot = (String, Estimate);

/// Estimates with intervals on one axis: logarithmic when they are positive and far apart.
pub(crate) struct Dots<'a> {
    pub(crate) x_label: &'a str,
    /// What tells the rows apart; may be empty.
    pub(crate) row_label: &'a str,
    pub(crate) dots: &'a [Dot],
}

impl Chart for Dots<'_> {
    fn draw(&self, caption: Caption<'_>) -> String {
        let left = left(self.dots.iter().map(|(name, _)| name.as_str()));
        let scale = self.scale(left);
        let mut svg = axis(caption, self.x_label, left, self.dots.len(), &scale);
        svg.text("label", (left - 10.0, 16.0), "end", self.row_label);
        for (row, (name, Estimate { estimate, interval })) in self.dots.iter().enumerate() {
            let height = label(&mut svg, left, row, name);
            let place = |value: f64| (scale.at(value).clamp(left, RIGHT), height);
            svg.line("whisker first", place(interval.lower), place(interval.upper));
            svg.circle("fill first", place(*estimate), 4.0);
        }
        svg.finish()
    }
}

impl Dots<'_> {
    fn scale(&self, left: f64) -> Scale {
        /// From this ratio of the ends on, small values would vanish on a linear axis.
        const FAR: f64 = 20.0;
        /// Room beyond the largest end.
        const ROOM: f64 = 1.1;
        let intervals = self.dots.iter().map(|(_, dot)| dot.interval);
        let (low, high) = span(intervals.flat_map(|interval| [interval.lower, interval.upper]));
        if low > 0.0 && high / low > FAR {
            Scale::logarithmic((low, ROOM * high), (left, RIGHT))
        } else {
            Scale::new((low.min(0.0), ROOM * high.max(0.0)), (left, RIGHT), 5)
        }
    }
}

/// A whole of three parts in per cent, with a name.
pub(crate) type Stack = (String, [f64; 3]);

/// Wholes as bars from 0 to 100 %, with a line at one half.
pub(crate) struct Stacks<'a> {
    pub(crate) x_label: &'a str,
    /// What the parts are.
    pub(crate) parts: [&'a str; 3],
    pub(crate) stacks: &'a [Stack],
}

const CLASSES: [&str; 3] = ["fill first", "fill fourth", "fill second"];

impl Chart for Stacks<'_> {
    fn draw(&self, caption: Caption<'_>) -> String {
        /// Half of a bar's height.
        const HALF: f64 = 8.0;
        let left = left(self.stacks.iter().map(|(name, _)| name.as_str()));
        let scale = Scale::new((0.0, 100.0), (left, RIGHT), 5);
        let mut svg = axis(caption, self.x_label, left, self.stacks.len(), &scale);
        let mut place = left;
        for (class, name) in CLASSES.into_iter().zip(self.parts) {
            svg.rect(class, [(place, 7.0), (place + 10.0, 17.0)]);
            svg.text("legend", (place + 15.0, 16.0), "start", name);
            place += 15.0 + LETTER * name.chars().count() as f64 + 12.0;
        }
        for (row, (name, parts)) in self.stacks.iter().enumerate() {
            let height = label(&mut svg, left, row, name);
            let mut base = 0.0;
            for (class, &part) in CLASSES.into_iter().zip(parts).filter(|(_, part)| **part > 0.0) {
                let [start, end] = [base, base + part].map(|value| scale.at(value));
                svg.rect(class, [(start, height - HALF), (end, height + HALF)]);
                base += part;
            }
        }
        let middle = scale.at(50.0);
        svg.line("level", (middle, TOP), (middle, TOP + ROW * self.stacks.len() as f64));
        svg.finish()
    }
}
