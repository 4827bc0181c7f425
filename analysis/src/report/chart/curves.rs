//! Numbers that depend on a number.

use super::{
    Caption, Mark, Scale,
    frame::{Axis, Frame},
};
use crate::Interval;

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
