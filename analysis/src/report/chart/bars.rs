//! Distributions.

use super::{
    Caption, Mark, Scale,
    frame::{Axis, Frame},
};

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
