//! Charts with a row for each label: estimates with intervals, and parts of a whole.

use super::{
    Caption, Chart, LETTER, LINE, Scale, Svg,
    axes::{RIGHT, WIDTH, span},
    lines,
};
use crate::stats::Estimate;

/// The height of a row without a label above it.
const ROW: f64 = 22.0;
/// Room for the labels, unless these are longer.
const LEFT: f64 = 90.0;
/// Where the axis begins if labels stand above the rows.
const EDGE: f64 = 12.0;
const TOP: f64 = 28.0;

/// Where the rows of a chart are.
struct Rows {
    /// Where each row ends, after the top of the first.
    ends: Vec<f64>,
    /// Where the axis begins.
    left: f64,
    /// Whether labels stand above the rows, where there is no room beside them.
    are_above: bool,
}

impl Rows {
    fn new<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> Self {
        let longest = labels.clone().map(|label| label.chars().count()).max().unwrap_or(0);
        let left = LEFT.max(14.0 + LETTER * longest as f64);
        let are_above = left > 0.45 * WIDTH;
        let left = if are_above { EDGE } else { left };
        let mut end = TOP;
        let row = |label| {
            let line_count = if are_above { lines(label, RIGHT - left).len() } else { 0 };
            end += ROW + LINE * line_count as f64;
            end
        };
        Self { ends: labels.map(row).collect(), left, are_above }
    }

    fn bottom(&self) -> f64 {
        self.ends.last().copied().unwrap_or(TOP)
    }

    /// Returns the height of the middle of what a row shows.
    fn middle(&self, row: usize) -> f64 {
        self.ends[row] - 0.5 * ROW
    }

    /// Writes a row's label, over all lines that are drawn before.
    fn label(&self, svg: &mut Svg, row: usize, text: &str) {
        let middle = self.middle(row);
        if self.are_above {
            // The last line stands close to what it names.
            let lines = lines(text, RIGHT - self.left);
            let first = middle - 13.0 - LINE * (lines.len() - 1) as f64;
            svg.lines("tick row", (self.left, first), "start", &lines);
        } else {
            svg.text("tick row", (self.left - 10.0, middle + 4.0), "end", text);
        }
    }
}

/// Draws what charts with rows have in common: the axis and the grid.
fn axis(caption: Caption<'_>, x_label: &str, rows: &Rows, scale: &Scale) -> Svg {
    let (left, bottom) = (rows.left, rows.bottom());
    let label = lines(x_label, WIDTH);
    let middle = if label.len() > 1 { WIDTH / 2.0 } else { (left + RIGHT) / 2.0 };
    let mut svg = Svg::new(caption, WIDTH, bottom + 33.0 + LINE * label.len() as f64);
    for (value, label) in scale.ticks() {
        let place = scale.at(value);
        svg.line("grid", (place, TOP), (place, bottom));
        svg.text("tick", (place, bottom + 18.0), "middle", &label);
    }
    svg.line("axis", (left, bottom), (RIGHT, bottom));
    svg.lines("label", (middle, bottom + 40.0), "middle", &label);
    svg
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
        let rows = Rows::new(self.dots.iter().map(|(name, _)| name.as_str()));
        let left = rows.left;
        let scale = self.scale(left);
        let mut svg = axis(caption, self.x_label, &rows, &scale);
        svg.text("label", (4.0, 16.0), "start", self.row_label);
        if scale.has(0.0) {
            svg.line("level", (scale.at(0.0), TOP), (scale.at(0.0), rows.bottom()));
        }
        for (row, (name, Estimate { estimate, interval })) in self.dots.iter().enumerate() {
            rows.label(&mut svg, row, name);
            let height = rows.middle(row);
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
        /// Room beyond the outermost ends.
        const ROOM: f64 = 1.1;
        let intervals = self.dots.iter().map(|(_, dot)| dot.interval);
        let (low, high) = span(intervals.flat_map(|interval| [interval.lower, interval.upper]));
        if low > 0.0 && high / low > FAR {
            Scale::logarithmic((low, ROOM * high), (left, RIGHT))
        } else {
            Scale::new((ROOM * low.min(0.0), ROOM * high.max(0.0)), (left, RIGHT), 5)
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

const CLASSES: [&str; 3] = ["part black", "part jigo", "part white"];

impl Chart for Stacks<'_> {
    fn draw(&self, caption: Caption<'_>) -> String {
        /// Half of a bar's height.
        const HALF: f64 = 8.0;
        let rows = Rows::new(self.stacks.iter().map(|(name, _)| name.as_str()));
        let scale = Scale::new((0.0, 100.0), (rows.left, RIGHT), 5);
        let mut svg = axis(caption, self.x_label, &rows, &scale);
        let mut place = rows.left;
        for (class, name) in CLASSES.into_iter().zip(self.parts) {
            svg.rect(class, [(place, 7.0), (place + 10.0, 17.0)]);
            svg.text("legend", (place + 15.0, 16.0), "start", name);
            place += 15.0 + LETTER * name.chars().count() as f64 + 12.0;
        }
        for (row, (_, parts)) in self.stacks.iter().enumerate() {
            let height = rows.middle(row);
            let mut base = 0.0;
            for (class, &part) in CLASSES.into_iter().zip(parts).filter(|(_, part)| **part > 0.0) {
                let [start, end] = [base, base + part].map(|value| scale.at(value));
                svg.rect(class, [(start, height - HALF), (end, height + HALF)]);
                base += part;
            }
        }
        let middle = scale.at(50.0);
        svg.line("level", (middle, TOP), (middle, rows.bottom()));
        for (row, (name, _)) in self.stacks.iter().enumerate() {
            rows.label(&mut svg, row, name);
        }
        svg.finish()
    }
}
