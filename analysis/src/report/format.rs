//! Numbers as text, with as many digits as they deserve.

use super::quantity::in_threes;
use crate::Interval;
pub(crate) use crate::stats::{decimals_for, fixed, with_interval};

/// What stands where there is no number.
pub(crate) const DASH: &str = "–";

/// The interval in per cent.
pub(crate) fn in_per_cent(interval: Interval) -> Interval {
    Interval { lower: 100.0 * interval.lower, upper: 100.0 * interval.upper }
}

/// A whole number in groups of three digits, with narrow spaces that do not break.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    if digits.len() > 4 { in_threes(&digits, '\u{202f}') } else { digits }
}

/// `1 game`, `2 games`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_interval() {
        let shown = |estimate, lower, upper| with_interval(estimate, Interval { lower, upper });
        assert_eq!(shown(2.0321, 1.86, 2.2114), ("2.03".to_owned(), "1.86 to 2.21".to_owned()));
        assert_eq!(shown(0.0, 0.0, 0.000_18), ("0.00000".to_owned(), "0.00000 to 0.00018".to_owned()));
        assert_eq!(shown(-3.2, -13.2, 51.0), ("-3".to_owned(), "-13 to 51".to_owned()));
        assert_eq!(shown(7.0, 7.0, 7.0), ("7.0".to_owned(), "7.0 to 7.0".to_owned()));
        assert_eq!(fixed(-0.001, 1), "0.0");
    }

    #[test]
    fn long_counts_are_grouped() {
        assert_eq!(grouped(1234), "1234");
        assert_eq!(grouped(1_234_567).replace('\u{202f}', "_"), "1_234_567");
    }
}
