//! What the sections of a page are made of: tables, pictures with their numbers, and groups of both.

use super::viewer::Viewer;
use crate::{
    Histogram,
    report::{
        chart::{Bar, Bars, Caption, Chart, Mark},
        format::{DASH, estimate_cells, fixed, group, minus_signs, or_dash},
        quantities::{Rule, Section},
        summary::{Rate, RunSummary, Value},
    },
    stats::{Estimate, Spread},
};

/// A table as text, ready to be shown. Where a column holds digests, their first digits are shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataTable {
    pub(crate) headings: Vec<String>,
    /// So many columns hold words, those after them numbers.
    words: usize,
    pub(crate) digests: Option<usize>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Empty for the numbers of a picture.
    pub(crate) title: String,
    /// Explains the table; may be empty.
    pub(crate) note: String,
}

impl DataTable {
    /// A table whose first `words` columns hold words; the others hold numbers.
    pub(crate) fn new<S: Into<String>>(words: usize, headings: impl IntoIterator<Item = S>) -> Self {
        Self { headings: headings.into_iter().map(S::into).collect(), words, ..Self::default() }
    }

    /// The same table with a title, and a note that may be empty.
    #[must_use]
    pub(crate) fn titled(self, title: &str, note: impl Into<String>) -> Self {
        Self { title: title.to_owned(), note: note.into(), ..self }
    }

    /// Whether a column holds numbers.
    pub(crate) const fn is_number(&self, column: usize) -> bool {
        column >= self.words
    }

    /// Adds a row, which must be as long as the header. The page writes a hyphen in a number as a minus sign.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = String>) {
        let row: Vec<String> = row.into_iter().collect();
        assert_eq!(row.len(), self.headings.len(), "a row is as long as the header");
        self.rows.push(row);
    }
}

/// A picture with its numbers.
pub(crate) struct Figure {
    pub(crate) title: String,
    /// Says what there is to see.
    pub(crate) text: String,
    /// The picture, which the page does not escape.
    pub(crate) svg: String,
    /// The numbers; without columns where a table beside the picture has them.
    pub(crate) table: DataTable,
}

impl Figure {
    /// Draws a chart; `id` is unique on the page.
    pub(crate) fn new(
        id: &str,
        title: impl Into<String>,
        text: impl Into<String>,
        chart: &dyn Chart,
        table: DataTable,
    ) -> Self {
        let (title, text) = (title.into(), text.into());
        let svg = chart.draw(Caption { id, title: &title, description: &text });
        Self { title, text, svg, table }
    }
}

/// A number with its meaning, and where the page says more.
pub(crate) struct Fact {
    pub(crate) value: String,
    pub(crate) meaning: String,
    pub(crate) href: String,
}

impl Fact {
    /// Writes the hyphens of numbers as minus signs.
    pub(crate) fn new(value: &str, meaning: &str, href: &str) -> Self {
        Self { value: minus_signs(value), meaning: minus_signs(meaning), href: href.to_owned() }
    }
}

/// Pictures and tables about one subject.
pub(crate) struct Group {
    pub(crate) heading: &'static str,
    pub(crate) text: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) tables: Vec<DataTable>,
    pub(crate) viewers: Vec<Viewer>,
}

impl Group {
    pub(crate) const fn new(heading: &'static str) -> Self {
        Self { heading, text: String::new(), figures: Vec::new(), tables: Vec::new(), viewers: Vec::new() }
    }

    /// Returns the name of the group in links.
    pub(crate) fn id(&self) -> String {
        self.heading.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
    }
}

/// Writes count, share in per cent and its interval.
pub(crate) fn rate_cells(rate: Rate) -> [String; 3] {
    let [share, interval] = estimate_cells(rate.estimate().map(Estimate::in_per_cent));
    [group(rate.count), share, interval]
}

/// Writes a share in per cent with two decimals.
pub(crate) fn per_cent(share: Option<f64>) -> String {
    or_dash(share.map(|share| fixed(100.0 * share, 2)))
}

/// Writes the numbers of a mean, or dashes where there is none.
pub(crate) fn spread_cells(spread: Option<Spread>) -> [String; 6] {
    let error = spread.and_then(|spread| spread.standard_error);
    let deviation = spread.and_then(|spread| spread.standard_deviation);
    [
        or_dash(spread.map(|spread| fixed(spread.mean, 2))),
        or_dash(error.map(|error| fixed(error, 4))),
        or_dash(deviation.map(|deviation| fixed(deviation, 2))),
        or_dash(spread.map(|spread| spread.minimum)),
        or_dash(spread.map(|spread| fixed(spread.median, 1))),
        or_dash(spread.map(|spread| spread.maximum)),
    ]
}

/// Shows all quantities of a section, those of finished games first.
pub(super) fn quantity_tables(run: &RunSummary<'_>, section: Section) -> Vec<DataTable> {
    let headings =
        ["what", "of games", "mean", "± standard error", "standard deviation", "least", "median", "most"];
    let mut shares = DataTable::new(2, ["what", "of games", "count", "%", "95 % interval"]);
    let mut means = DataTable::new(2, headings);
    let mut totals = DataTable::new(2, ["what", "of games", "value"]);
    let mut reasons = Vec::new();
    for (kind, figures) in run.parts_with_games() {
        for (quantity, value) in figures.iter().filter(|(found, _)| found.section == section) {
            let impossible = (quantity.impossible)(&run.config, run.komi).filter(|_| value.is_none());
            if value.is_none() && impossible.is_none() {
                continue;
            }
            reasons.extend(impossible.filter(|reason| !reasons.contains(reason)));
            let (table, cells) = match &quantity.rule {
                Rule::FairKomi(_) => continue,
                Rule::Share(_) => {
                    let cells = match value {
                        Some(Value::Share(rate)) => rate_cells(*rate),
                        _ => [DASH; 3].map(str::to_owned),
                    };
                    (&mut shares, cells.to_vec())
                }
                Rule::Mean(_) | Rule::MeanOfChains(_) => {
                    let spread = if let Some(Value::Mean(spread)) = value { *spread } else { None };
                    (&mut means, spread_cells(spread).to_vec())
                }
                Rule::Ratio(_) | Rule::Count(_) => {
                    let cell = match value {
                        Some(Value::Ratio(ratio)) if quantity.unit.starts_with("share") => per_cent(*ratio),
                        Some(Value::Ratio(ratio)) => or_dash(ratio.map(|ratio| fixed(ratio, 2))),
                        Some(Value::Count(count)) => group(*count),
                        _ => DASH.to_owned(),
                    };
                    (&mut totals, vec![cell])
                }
            };
            let is_share = matches!(quantity.rule, Rule::Share(_));
            let name = if is_share { quantity.title.clone() } else { quantity.label() };
            table.push([name, kind.to_owned()].into_iter().chain(cells));
        }
    }
    let reasons: Vec<String> = reasons.iter().map(|reason| format!("{DASH}: {reason}.")).collect();
    let mut tables = vec![
        shares.titled("Shares of games", reasons.join(" ")),
        means.titled("Means", ""),
        totals.titled("Totals", ""),
    ];
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// Draws how often whole numbers occurred as bars. The words after the numbers are the label of their axis, what has them, such as games, and their
/// unit.
pub(super) fn distribution(
    [id, title, text]: [&str; 3],
    values: &Histogram,
    [x_label, counted, unit]: [&str; 3],
    mark: Option<Mark>,
) -> Figure {
    let bins = Bins::new(values);
    let y_label = &bins.share_label(counted, unit);
    let chart = Bars { x_label, y_label, bars: &bins.bars(None), parts: None, mark };
    let mut table = DataTable::new(0, [unit, counted, &format!("% of {counted}")]);
    for bin in &bins.bins {
        let count = bin.counts[0] + bin.counts[1];
        table.push([bin.label(), group(count), fixed(bins.per_cent(count), 2)]);
    }
    Figure::new(id, title, text, &chart, table)
}

/// The occurrences of a range of values.
pub(super) struct Bin {
    pub(super) first: i64,
    pub(super) last: i64,
    /// Occurrences of even and of odd values.
    pub(super) counts: [u64; 2],
}

pub(super) struct Bins {
    pub(super) width: i64,
    pub(super) bins: Vec<Bin>,
    total: u64,
}

impl Bins {
    /// Bins of one value each, or of the least round and even number of values that gives few enough bars. An even width puts equally
    /// many even and odd values into each bin, so that parity does not make a comb of the bars.
    pub(super) fn new(histogram: &Histogram) -> Self {
        const MAX: i64 = 90;
        let (low, high) = (i64::from(histogram.min().unwrap_or(0)), i64::from(histogram.max().unwrap_or(0)));
        let bars = |width: i64| high.div_euclid(width) - low.div_euclid(width) + 1;
        let even = (0..10).flat_map(|power| [2, 4, 10].map(|factor| factor * 10_i64.pow(power)));
        let widths = std::iter::once(1).chain(even);
        let width = widths.clone().find(|&width| bars(width) <= MAX).or(widths.last()).unwrap_or(1);
        let range = low.div_euclid(width)..=high.div_euclid(width);
        let mut bins: Vec<Bin> = range
            .clone()
            .map(|index| Bin { first: index * width, last: index * width + width - 1, counts: [0; 2] })
            .collect();
        for (value, count) in histogram.iter() {
            let bin = (i64::from(value).div_euclid(width) - range.start()) as usize;
            bins[bin].counts[value.rem_euclid(2) as usize] += count;
        }
        Self { width, bins, total: histogram.count() }
    }

    fn per_cent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.total.max(1) as f64
    }

    /// Bars in per cent; of two parts, that of `parity` (0 even, 1 odd) first, or of one.
    pub(super) fn bars(&self, parity: Option<usize>) -> Vec<Bar> {
        let bar = |bin: &Bin| Bar {
            from: bin.first as f64 - 0.5,
            to: bin.last as f64 + 0.5,
            parts: match parity {
                Some(parity) => [self.per_cent(bin.counts[parity]), self.per_cent(bin.counts[1 - parity])],
                None => [self.per_cent(bin.counts[0] + bin.counts[1]), 0.0],
            },
        };
        self.bins.iter().map(bar).collect()
    }

    /// The label of an axis on which bars stand for shares.
    pub(super) fn share_label(&self, counted: &str, unit: &str) -> String {
        match self.width {
            1 => format!("% of {counted}"),
            width => format!("% of {counted} per {width} {unit}"),
        }
    }
}

impl Bin {
    pub(super) fn label(&self) -> String {
        if self.first == self.last {
            self.first.to_string()
        } else {
            format!("{} to {}", self.first, self.last)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_its_bin() {
        let narrow = Bins::new(&Histogram::from_iter([-3, 5, 5]));
        assert_eq!((narrow.width, narrow.bins.len(), narrow.bins[8].counts), (1, 9, [0, 2]));
        let wide = Bins::new(&Histogram::from_iter([-361, -2, -1, 0, 361]));
        assert_eq!(wide.width, 10);
        assert!(wide.bins.iter().all(|bin| bin.last - bin.first == 9));
        let minus = wide.bins.iter().find(|bin| bin.first == -10).unwrap();
        assert_eq!((minus.label(), minus.counts), ("-10 to -1".to_owned(), [1, 1]));
        assert_eq!(Bins::new(&Histogram::new()).bins.len(), 1);
        let extreme = Bins::new(&Histogram::from_iter([i32::MIN, i32::MAX]));
        assert!(extreme.bins.len() <= 90);
    }
}
