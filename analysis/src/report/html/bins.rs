//! Histograms as bars.

use crate::{
    Histogram,
    report::{
        chart::Bar,
        data_table::DataTable,
        format::{fixed, grouped},
    },
};

/// The occurrences of a range of values.
pub(super) struct Bin {
    /// The first value.
    pub(super) first: i64,
    /// The last value.
    pub(super) last: i64,
    /// Occurrences of even and of odd values.
    pub(super) counts: [u64; 2],
}

/// Bins of equal width.
pub(super) struct Bins {
    pub(super) width: i64,
    pub(super) bins: Vec<Bin>,
    total: u64,
}

impl Bins {
    /// Bins of one value each, or of the least round and even number of values that gives few enough bars. An even width puts equally
    /// many even and odd values into each bin, so that parity does not make a comb of the bars.
    pub(super) fn of(histogram: &Histogram) -> Self {
        const MOST: i64 = 90;
        let (low, high) = (i64::from(histogram.min().unwrap_or(0)), i64::from(histogram.max().unwrap_or(0)));
        let bars = |width: i64| high.div_euclid(width) - low.div_euclid(width) + 1;
        let even = (0..10).flat_map(|power| [2, 4, 10].map(|factor| factor * 10_i64.pow(power)));
        let widths = std::iter::once(1).chain(even);
        let width = widths.clone().find(|&width| bars(width) <= MOST).or(widths.last()).unwrap_or(1);
        let range = low.div_euclid(width)..=high.div_euclid(width);
        let mut bins: Vec<Bin> = range
            .clone()
            .map(|index| Bin { first: index * width, last: index * width + width - 1, counts: [0; 2] })
            .collect();
        for (value, count) in histogram {
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

    /// What the bars show as `value, games, share`.
    pub(super) fn table(&self, value: &str, counted: &str) -> DataTable {
        let share = format!("% of {counted}");
        let mut table = DataTable::new(0, [value, counted, &share]);
        for bin in &self.bins {
            let count = bin.counts[0] + bin.counts[1];
            table.push([bin.label(), grouped(count), fixed(self.per_cent(count), 2)]);
        }
        table
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
        let narrow = Bins::of(&Histogram::from_iter([-3, 5, 5]));
        assert_eq!((narrow.width, narrow.bins.len(), narrow.bins[8].counts), (1, 9, [0, 2]));
        let wide = Bins::of(&Histogram::from_iter([-361, -2, -1, 0, 361]));
        assert_eq!(wide.width, 10);
        assert!(wide.bins.iter().all(|bin| bin.last - bin.first == 9));
        let minus = wide.bins.iter().find(|bin| bin.first == -10).unwrap();
        assert_eq!((minus.label(), minus.counts), ("-10 to -1".to_owned(), [1, 1]));
        assert_eq!(Bins::of(&Histogram::new()).bins.len(), 1);
        let extreme = Bins::of(&Histogram::from_iter([i32::MIN, i32::MAX]));
        assert!(extreme.bins.len() <= 90);
    }
}
