//! Estimates with intervals over numbers.

use super::{
    Caption, Scale,
    frame::{Axis, Frame},
};
use crate::Interval;

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
    /// At most [`Points::MOST`].
    pub(crate) series: &'a [Series<'a>],
}

const CLASSES: [&str; Points::MOST] = ["first", "second", "third", "fourth", "fifth", "sixth"];

impl Points<'_> {
    /// More series than this cannot be told apart.
    pub(crate) const MOST: usize = 6;

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
