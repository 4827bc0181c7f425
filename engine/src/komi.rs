//! Compensation for moving second.

use std::{fmt, str::FromStr};

/// Points added to White's score, held exactly as a whole number of half points.
///
/// ```
/// use jigo_engine::Komi;
/// let komi: Komi = "7.5".parse().unwrap();
/// assert_eq!(komi.half_points(), 15);
/// assert_eq!(komi.to_string(), "7.5");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Komi(i32);

/// Text that is not a komi.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a komi: write whole or half points between -1000 and 1000, as in 7 or 7.5")]
pub struct InvalidKomi(String);

impl Komi {
    /// No compensation.
    pub const ZERO: Self = Self(0);
    /// The largest size a parsed komi may have, in half points.
    const LIMIT: i32 = 2000;

    /// A komi of so many half points: 15 is 7.5 points.
    #[must_use]
    pub const fn from_half_points(half_points: i32) -> Self {
        Self(half_points)
    }

    /// A komi of whole points.
    #[must_use]
    pub const fn from_points(points: i32) -> Self {
        Self(2 * points)
    }

    /// The komi in half points.
    #[must_use]
    pub const fn half_points(self) -> i32 {
        self.0
    }

    /// The komi in points, for arithmetic with estimates.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// Whether this komi lets a game with whole points end in jigo.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.0 % 2 == 0
    }

    /// Black's result in half points for a margin (Black minus White, in whole points) before komi: positive when Black wins,
    /// zero for jigo.
    #[must_use]
    pub const fn apply(self, margin: i32) -> i32 {
        2 * margin - self.0
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.is_whole() { "" } else { ".5" };
        f.pad(&format!("{sign}{}{half}", self.0.unsigned_abs() / 2))
    }
}

impl FromStr for Komi {
    type Err = InvalidKomi;

    fn from_str(text: &str) -> Result<Self, InvalidKomi> {
        let invalid = || InvalidKomi(text.to_owned());
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let half = match fraction.trim_end_matches('0') {
            "" if !fraction.is_empty() => 0,
            "5" => 1,
            _ => return Err(invalid()),
        };
        if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(invalid());
        }
        let points: i32 = whole.parse().map_err(|_| invalid())?;
        let half_points = points.checked_mul(2).and_then(|half_points| half_points.checked_add(half));
        half_points.filter(|&value| value <= Self::LIMIT).map(|value| Self(sign * value)).ok_or_else(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for half_points in -40..=40 {
            let komi = Komi(half_points);
            assert_eq!(komi.to_string().parse(), Ok(komi));
        }
        assert_eq!("-0.5".parse(), Ok(Komi(-1)));
        assert_eq!("6.50".parse(), Ok(Komi(13)));
    }

    #[test]
    fn refuses_what_is_no_half_point() {
        for text in ["", "x", "7.25", "7.", ".5", "1e3", "--1", "99999999999", "1001", "NaN"] {
            assert!(text.parse::<Komi>().is_err(), "{text}");
        }
    }

    #[test]
    fn equality_after_komi_is_jigo() {
        assert_eq!(Komi::from_points(7).apply(7), 0);
        assert!(Komi::from_half_points(15).apply(7) < 0);
        assert!(Komi::from_half_points(15).apply(8) > 0);
    }
}
