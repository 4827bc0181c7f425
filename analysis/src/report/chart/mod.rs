//! Charts as inline SVG: few kinds, drawn with classes so that the page's style sheet decides on colours, in light and in dark.
//!
//! Nothing here knows what is measured. A chart takes numbers and words and gives text that can stand in HTML as it is; all words are escaped on
//! the way.

mod axes;
mod rows;

use std::fmt::Write as _;

use crate::Interval;

pub(crate) use axes::{Bar, Bars, Curves, Points};
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

    /// Writes lines of text, of which the first is at the point as by [`text`](Self::text).
    fn lines(&mut self, class: &str, (x, y): (f64, f64), anchor: &str, lines: &[&str]) {
        for (line, text) in lines.iter().enumerate() {
            self.text(class, (x, y + LINE * line as f64), anchor, text);
        }
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

/// The width of a letter, at most: on narrow screens letters are larger in proportion.
const LETTER: f64 = 8.0;
/// The distance of lines of a text.
const LINE: f64 = 15.0;

/// Breaks a text into lines no wider than this: between words in its second half, or else after another sign.
fn lines(text: &str, width: f64) -> Vec<&str> {
    let most = ((width / LETTER) as usize).max(1);
    let (mut lines, mut rest) = (Vec::new(), text);
    while let Some((end, _)) = rest.char_indices().nth(most) {
        let between_words = rest[..end].rfind([' ', ',']).filter(|at| 2 * at > end);
        let after = between_words.or(rest[..end].rfind(['+', ':', '-'])).map_or(end, |at| at + 1);
        lines.push(rest[..after].trim_end());
        rest = rest[after..].trim_start();
    }
    lines.push(rest);
    lines
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

/// Where numbers lie on an axis: equal steps for equal differences, or on a logarithmic axis for equal ratios.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// The ends; of a logarithmic axis the logarithms.
    domain: (f64, f64),
    range: (f64, f64),
    /// About so many round values are labelled; nothing on a logarithmic axis.
    tick_count: Option<u32>,
}

impl Scale {
    /// Maps the ends of `domain` to the ends of `range`, with about so many ticks. An empty domain is widened.
    pub(crate) fn new((low, high): (f64, f64), range: (f64, f64), tick_count: u32) -> Self {
        let domain = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Self { domain, range, tick_count: Some(tick_count) }
    }

    /// As [`new`](Self::new), for a positive domain on a logarithmic axis.
    pub(crate) fn logarithmic((low, high): (f64, f64), range: (f64, f64)) -> Self {
        Self { tick_count: None, ..Self::new((low.log10(), high.log10()), range, 0) }
    }

    /// Returns whether a value lies between the ends of a linear axis.
    pub(crate) fn has(&self, value: f64) -> bool {
        self.tick_count.is_some() && (self.domain.0..=self.domain.1).contains(&value)
    }

    pub(crate) fn at(&self, value: f64) -> f64 {
        let value = if self.tick_count.is_some() { value } else { value.log10() };
        let part = (value - self.domain.0) / (self.domain.1 - self.domain.0);
        self.range.0 + part * (self.range.1 - self.range.0)
    }

    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        match self.tick_count {
            Some(count) => ticks(self.domain.0, self.domain.1, count),
            None => powers(self.domain.0, self.domain.1),
        }
    }
}

/// Returns the powers of ten between two logarithms, and numbers between the powers where these are few.
fn powers(low: f64, high: f64) -> Vec<(f64, String)> {
    /// More decades than this are labelled at every other power.
    const MANY: i32 = 6;
    let (first, last) = (low.ceil() as i32, high.floor() as i32);
    let between: &[f64] = if last - first < 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let step = if last - first > MANY { 2 } else { 1 };
    (low.floor() as i32..=last)
        .step_by(step)
        .flat_map(|power| between.iter().map(move |factor| (factor * 10_f64.powi(power), power)))
        .filter(|&(value, _)| (low - 1e-9..=high + 1e-9).contains(&value.log10()))
        .map(|(value, power)| (value, format!("{value:.*}", (-power).max(0) as usize)))
        .collect()
}

/// Returns the round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, about `count` of them, with labels of equally
/// many decimals.
fn ticks(low: f64, high: f64, count: u32) -> Vec<(f64, String)> {
    let rough = (high - low) / f64::from(count.max(1));
    if rough <= 0.0 || !rough.is_finite() {
        return Vec::new();
    }
    let power = rough.log10().floor();
    let unit = 10_f64.powf(power);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * unit >= 0.7 * rough).unwrap_or(10.0);
    let step = factor * unit;
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    // Rounded inwards, but a bound that is itself a tick stays one.
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last)
        .map(|index| index as f64 * step)
        .map(|value| (value, format!("{value:.decimals$}").replace('-', "−")))
        .collect()
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
    fn long_texts_are_broken_between_words() {
        assert_eq!(lines("9×9, eye-safe", 13.0 * LETTER), ["9×9, eye-safe"]);
        assert_eq!(
            lines("area+simple-ko, uct:playouts=30", 16.0 * LETTER),
            ["area+simple-ko,", "uct:playouts=30"]
        );
        assert_eq!(lines("simple-ko+no-suicide", 12.0 * LETTER), ["simple-ko+", "no-suicide"]);
        assert_eq!(lines("×××××", 2.0 * LETTER), ["××", "××", "×"]);
        assert_eq!(lines("", 0.0), [""]);
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([1.0, 0.126, -0.001, 120.0].map(number), ["1", "0.13", "0", "120"]);
    }

    fn labels(ticks: Vec<(f64, String)>) -> Vec<String> {
        ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(ticks(-81.0, 81.0, 8)), ["−80", "−60", "−40", "−20", "0", "20", "40", "60", "80"]);
        assert_eq!(labels(ticks(0.0, 0.31, 4)), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(ticks(3.0, 3.0, 4)), [""; 0]);
        assert_eq!(labels(Scale::logarithmic((0.004, 3.0), (0.0, 1.0)).ticks()), ["0.01", "0.1", "1"]);
        assert_eq!(
            labels(Scale::logarithmic((0.1, 3.0), (0.0, 1.0)).ticks()),
            ["0.1", "0.2", "0.5", "1", "2"]
        );
    }

    #[test]
    fn ends_map_to_ends() {
        let scale = Scale::new((2.0, 6.0), (100.0, 0.0), 4);
        assert_eq!([2.0, 4.0, 6.0].map(|value| scale.at(value)), [100.0, 50.0, 0.0]);
        let scale = Scale::logarithmic((0.01, 100.0), (0.0, 4.0));
        assert!((scale.at(1.0) - 2.0).abs() < 1e-12);
    }
}
