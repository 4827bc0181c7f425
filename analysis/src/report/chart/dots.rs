//! Rates with intervals, one below the other.

use super::{
    Caption, Linear, Log, Scale,
    rows::{RIGHT, Rows, left},
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
