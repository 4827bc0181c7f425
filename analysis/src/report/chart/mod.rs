//! Charts as inline SVG: few kinds, drawn with classes so that the page's style sheet decides on colours, in light and in dark.
//!
//! Nothing here knows what is measured. A chart takes numbers and words and gives text that can stand in HTML as it is; all words are escaped on
//! the way.

mod axes;
mod rows;
mod scale;

use std::fmt::Write as _;

use crate::Interval;

pub(crate) use axes::{Bar, Bars, Curves, Points, Series};
pub(crate) use rows::{Dot, Dots, Stack, Stacks};

pub(crate) trait Chart {
    fn draw(&self, caption: Caption<'_>) -> String;
}

/// What a chart is called, for readers who see it and for those who do not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caption<'a> {
    /// Unique on the page, of letters, digits and hyphens.
    pub(crate) id: &'a str,
    pub(crate) title: &'a str,
    /// What there is to see, in a sentence.
    pub(crate) description: &'a str,
}

/// A value marked on the horizontal axis.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) at: f64,
    pub(crate) interval: Option<Interval>,
    pub(crate) label: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Svg(String);

impl Svg {
    /// Begins a picture of this size in units of about one screen pixel; it scales with the page.
    pub(crate) fn new(caption: Caption<'_>, width: f64, height: f64) -> Self {
        let (id, width, height) = (escaped(caption.id), number(width), number(height));
        let mut svg = Self(String::new());
        svg.push(format_args!(
            "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
             aria-labelledby=\"{id}-title {id}-desc\"><title id=\"{id}-title\">{}</title><desc id=\"{id}-desc\">{}</desc>",
            escaped(caption.title),
            escaped(caption.description)
        ));
        svg
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        self.0.write_fmt(text).expect("writing to a string does not fail");
    }

    /// Begins a part of the picture; what is drawn until its [end](Self::end_group) belongs to it.
    pub(crate) fn group(&mut self, class: &str) {
        self.push(format_args!("<g class=\"{class}\">"));
    }

    pub(crate) fn end_group(&mut self) {
        self.0 += "</g>";
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        self.push(format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
    }

    /// Draws a rectangle between two opposite corners, whichever they are.
    pub(crate) fn rect(&mut self, class: &str, corners: [(f64, f64); 2]) {
        self.push(format_args!("<rect class=\"{class}\" {}/>", sides(corners)));
    }

    /// As [`rect`](Self::rect), more or less opaque, with a text that appears when pointed at.
    pub(crate) fn shaded_rect(&mut self, class: &str, corners: [(f64, f64); 2], opacity: f64, tip: &str) {
        let (sides, opacity, tip) = (sides(corners), number(opacity), escaped(tip));
        self.push(format_args!(
            "<rect class=\"{class}\" {sides} fill-opacity=\"{opacity}\"><title>{tip}</title></rect>"
        ));
    }

    pub(crate) fn circle(&mut self, class: &str, center: (f64, f64), radius: f64) {
        let [x, y, r] = [center.0, center.1, radius].map(number);
        self.push(format_args!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
    }

    /// Draws a `polyline` or a `polygon` through all points.
    pub(crate) fn through(
        &mut self,
        element: &str,
        class: &str,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) {
        self.push(format_args!("<{element} class=\"{class}\" points=\""));
        for (x, y) in points {
            self.push(format_args!("{},{} ", number(x), number(y)));
        }
        self.0 += "\"/>";
    }

    /// Writes a text whose `start`, `middle` or `end` is at the point.
    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), anchor: &str, text: &str) {
        let ([x, y], text) = ([at.0, at.1].map(number), escaped(text));
        self.push(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// Writes a text of its own size with its middle at the point.
    pub(crate) fn sized_text(&mut self, class: &str, at: (f64, f64), size: f64, text: &str) {
        let ([x, y, size], text) = ([at.0, at.1, size].map(number), escaped(text));
        self.push(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" style=\"font-size:{size}px\">{text}</text>"
        ));
    }

    pub(crate) fn finish(self) -> String {
        self.0 + "</svg>"
    }
}

fn sides([corner, opposite]: [(f64, f64); 2]) -> String {
    let [x, y] = [corner.0.min(opposite.0), corner.1.min(opposite.1)].map(number);
    let [width, height] = [(corner.0 - opposite.0).abs(), (corner.1 - opposite.1).abs()].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// Writes a coordinate: hundredths are finer than any screen.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Writes text that means itself in HTML and in quoted attributes.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_leave_their_place() {
        let hostile = "\"><script>'&";
        let caption = Caption { id: hostile, title: hostile, description: hostile };
        let mut svg = Svg::new(caption, 1.0, 1.0);
        svg.text("label", (0.0, 0.0), "start", hostile);
        svg.shaded_rect("cell", [(0.0, 0.0), (1.0, 1.0)], 0.5, hostile);
        assert!(!svg.finish().contains("<script"));
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([1.0, 0.126, -0.001, 120.0].map(number), ["1", "0.13", "0", "120"]);
    }
}
