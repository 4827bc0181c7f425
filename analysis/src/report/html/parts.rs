//! What sections are made of.

use super::viewer::Viewer;
use crate::{
    FairKomi,
    report::{
        data_table::DataTable,
        format::{DASH, fixed, grouped, in_per_cent, with_interval},
        summary::Rate,
    },
};

/// A picture with the numbers behind it.
pub(crate) struct Figure {
    pub(crate) title: String,
    /// What there is to see.
    pub(crate) text: String,
    /// As it stands in the page: the only text that is not escaped there.
    pub(crate) svg: String,
    /// The numbers; without columns where they stand beside the picture anyway.
    pub(crate) table: DataTable,
}

/// A table with a title.
pub(crate) struct Titled {
    pub(crate) title: String,
    pub(crate) table: DataTable,
    /// What must be known to read it; may be empty.
    pub(crate) note: String,
}

/// Figures and tables that answer one question.
pub(crate) struct Group {
    pub(crate) heading: &'static str,
    /// May be empty.
    pub(crate) text: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) tables: Vec<Titled>,
    /// Games to step through.
    pub(crate) viewer: Option<Viewer>,
}

impl Group {
    pub(crate) const fn new(heading: &'static str) -> Self {
        Self { heading, text: String::new(), figures: Vec::new(), tables: Vec::new(), viewer: None }
    }
}

/// Count, share in per cent and its interval.
pub(crate) fn rate_cells(rate: Rate) -> [String; 3] {
    let (share, interval) = match rate.share {
        Some(share) => with_interval(100.0 * share, in_per_cent(rate.interval)),
        None => (DASH.to_owned(), DASH.to_owned()),
    };
    [grouped(rate.count), share, interval]
}

/// A share in per cent with two decimals.
pub(crate) fn per_cent(share: Option<f64>) -> String {
    share.map_or_else(|| DASH.to_owned(), |share| fixed(100.0 * share, 2))
}

/// The fair komi and its interval in points, or dashes where there is none.
pub(crate) fn komi_cells(fair: Option<&FairKomi>) -> [String; 2] {
    match fair {
        Some(fair) => with_interval(fair.estimate.estimate, fair.estimate.interval).into(),
        None => [DASH.to_owned(), DASH.to_owned()],
    }
}
