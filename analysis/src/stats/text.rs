//! How numbers are written, in every output.

use std::fmt::Display;

/// Writes a number with so many decimals, halves rounded away from zero; never a negative zero.
///
/// What is rounded is the number to 15 significant digits, which is what people read: 42.245 % is a half although the nearest floating-point
/// number is not.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    const DIGITS: i32 = 15;
    let scientific = format!("{:.*e}", DIGITS as usize - 1, value.abs());
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return value.to_string() };
    let digits: u128 = mantissa.replace('.', "").parse().unwrap_or_default();
    // The value in units of the last decimal.
    let shift = exponent.parse::<i32>().unwrap_or_default() - (DIGITS - 1) + decimals as i32;
    let power = |exponent: i32| 10_u128.checked_pow(exponent.unsigned_abs());
    let units = match power(shift) {
        None if shift < 0 => 0,
        Some(divisor) if shift < 0 => (2 * digits + divisor) / (2 * divisor),
        factor => match factor.and_then(|factor| digits.checked_mul(factor)) {
            Some(units) => units,
            None => return format!("{value:.decimals$}"),
        },
    };
    let text = format!("{units:0width$}", width = decimals + 1);
    let (whole, fraction) = text.split_at(text.len() - decimals);
    let sign = if value < 0.0 && units > 0 { "-" } else { "" };
    let point = if decimals > 0 { "." } else { "" };
    format!("{sign}{whole}{point}{fraction}")
}

/// Returns the decimals that show a width with two significant digits: what an estimate with an interval of this width is worth.
pub(crate) fn decimals_for(width: f64) -> usize {
    const MAX: f64 = 12.0;
    if width > 0.0 { (1.0 - width.log10().floor()).clamp(0.0, MAX) as usize } else { 1 }
}

/// Writes a number with commas between groups of three digits: `2,000`.
#[must_use]
pub fn group(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a number with its noun: `1 game`, `2,000 games`.
#[must_use]
pub fn quantity(number: impl Display, noun: &str) -> String {
    let number = group(number);
    format!("{number} {noun}{}", if number == "1" { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Proportion;

    #[test]
    fn halves_are_rounded_away_from_zero() {
        for (value, decimals, text) in [
            (42.245, 2, "42.25"),
            (100.0 * 0.42245, 2, "42.25"),
            (-42.245, 2, "-42.25"),
            (0.125, 2, "0.13"),
            (2.5, 0, "3"),
            (-0.5, 0, "-1"),
            (0.49, 0, "0"),
            (-0.001, 1, "0.0"),
            (999.995, 2, "1000.00"),
            (1e-9, 2, "0.00"),
            (0.0, 3, "0.000"),
            (1e18, 2, "1000000000000000000.00"),
            (1e40, 1, "10000000000000000303786028427003666890752.0"),
            (f64::INFINITY, 2, "inf"),
        ] {
            assert_eq!(fixed(value, decimals), text, "{value}");
        }
    }

    proptest! {
        /// A share in per cent is rounded as by integer arithmetic, whatever way it was computed.
        #[test]
        fn shares_are_rounded_exactly(of in 1..100_000_u64, part in 0.0..=1.0_f64) {
            let count = (part * of as f64) as u64;
            let hundredths = (20_000 * count + of) / (2 * of);
            let exact = format!("{}.{:02}", hundredths / 100, hundredths % 100);
            prop_assert_eq!(&fixed(100.0 * (count as f64 / of as f64), 2), &exact);
            prop_assert_eq!(&fixed(100.0 * count as f64 / of as f64, 2), &exact);
            prop_assert_eq!(Proportion::new(count, of).unwrap().to_string(), format!("{exact} %"));
        }
    }

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!([1_u64, 12, 123, 1234].map(group), ["1", "12", "123", "1,234"]);
        assert_eq!(
            [0_u128, 1, 1_000_000].map(|count| quantity(count, "game")),
            ["0 games", "1 game", "1,000,000 games"]
        );
    }
}
