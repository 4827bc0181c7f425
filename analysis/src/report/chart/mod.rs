//! Charts as inline SVG: few kinds, drawn with classes so that the page's style sheet decides on colours, in light and in dark.
//!
//! Nothing here knows what is measured. A chart takes numbers and words and gives text that can stand in HTML as it is; all words are
//! escaped on the way.

mod bars;
mod curves;
mod dots;
mod frame;
mod points;
mod rows;
mod scale;
mod stacks;
mod svg;

pub(crate) use bars::{Bar, Bars};
pub(crate) use curves::{Curve, Curves};
pub(crate) use dots::{Dot, Dots};
pub(crate) use points::{Points, Series};
use scale::{Linear, Log, Scale};
pub(crate) use stacks::{Stack, Stacks};
pub(crate) use svg::{Anchor, Svg};

use crate::Interval;

/// What a chart is called, for readers who see it and for those who do not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caption<'a> {
    /// Unique on the page, of letters, digits and hyphens.
    pub(crate) id: &'a str,
    /// The heading.
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
