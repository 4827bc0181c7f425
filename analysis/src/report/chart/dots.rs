//! Rates with intervals, one below the other.

use super::{
    Anchor, Caption, Linear, Log, Scale, Svg,
    frame::{RIGHT, WIDTH},
};
use crate::Interval;

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
    /// What tells the rows apart.
    pub(crate) row_label: &'a str,
    pub(crate) dots: &'a [Dot],
}

const ROW: f64 = 22.0;
/// Room for the names of the rows, unless these are longer.
const LEFT: f64 = 130.0;
/// Width of a letter, about.
const LETTER: f64 = 6.9;
const TOP: f64 = 28.0;

impl Dots<'_> {
    pub(crate) fn draw(&self) -> String {
        let (left, bottom) = (self.left(), TOP + ROW * self.dots.len() as f64);
        let mut svg = Svg::new(self.caption, WIDTH, bottom + 48.0);
        let scale = self.scale();
        for (value, label) in scale.ticks() {
            let place = scale.at(value);
            svg.line("grid", (place, TOP), (place, bottom));
            svg.text("tick", (place, bottom + 18.0), Anchor::Middle, &label);
        }
        svg.line("axis", (left, bottom), (RIGHT, bottom));
        svg.text("label", ((left + RIGHT) / 2.0, bottom + 40.0), Anchor::Middle, self.x_label);
        svg.text("label", (left - 10.0, 16.0), Anchor::End, self.row_label);
        for (row, dot) in self.dots.iter().enumerate() {
            let height = TOP + ROW * (row as f64 + 0.5);
            let place = |value: f64| scale.at(value).clamp(left, RIGHT);
            svg.text("tick", (left - 10.0, height + 4.0), Anchor::End, &dot.label);
            svg.line(
                "whisker first",
                (place(dot.interval.lower), height),
                (place(dot.interval.upper), height),
            );
            svg.circle("fill first", (place(dot.estimate), height), 4.0);
        }
        svg.finish()
    }

    /// Where the axis begins.
    fn left(&self) -> f64 {
        let longest = self.dots.iter().map(|dot| dot.label.chars().count()).max().unwrap_or(0);
        LEFT.max(14.0 + LETTER * longest as f64)
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
