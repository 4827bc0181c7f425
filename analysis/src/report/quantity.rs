//! Counts in texts for a terminal.

use std::fmt::Display;

/// The number with commas between groups of three digits: `2,000`.
#[must_use]
pub fn group(number: impl Display) -> String {
    in_threes(&number.to_string(), ',')
}

/// The number with its noun: `1 game`, `2,000 games`.
#[must_use]
pub fn quantity(number: impl Display, noun: &str) -> String {
    let number = group(number);
    format!("{number} {noun}{}", if number == "1" { "" } else { "s" })
}

/// Digits in groups of three.
pub(crate) fn in_threes(digits: &str, separator: char) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        assert_eq!([1_u64, 12, 123, 1234].map(group), ["1", "12", "123", "1,234"]);
        assert_eq!(
            [0_u128, 1, 1_000_000].map(|count| quantity(count, "game")),
            ["0 games", "1 game", "1,000,000 games"]
        );
    }
}
