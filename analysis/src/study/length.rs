//! Classes of game length.

use std::fmt;

use jigo_engine::BoardSize;
use serde::{Deserialize, Serialize};

/// Games whose plies, as a multiple of the board's points, lie in one half-open range.
///
/// Displayed as in `1–1.25` (plies per point).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LengthClass {
    /// Lower end of the range in quarters of the number of points.
    quarters: u32,
}

impl LengthClass {
    /// Lower ends of the classes in quarters of the number of points, ascending.
    const STARTS: [u32; 7] = [0, 2, 4, 5, 6, 8, 10];

    /// All classes, shortest first.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::STARTS.into_iter().map(|quarters| Self { quarters })
    }

    /// The class of a game with so many plies.
    #[must_use]
    #[inline]
    pub fn of(plies: u32, size: BoardSize) -> Self {
        let points = size.point_count() as u32;
        let reached = Self::STARTS.iter().filter(|&start| start * points <= 4 * plies).count();
        Self { quarters: Self::STARTS[reached - 1] }
    }

    /// The place of the class among all, from 0.
    #[inline]
    pub(super) fn index(self) -> usize {
        Self::STARTS.iter().filter(|&&start| start < self.quarters).count()
    }
}

impl fmt::Display for LengthClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = |quarters: u32| f64::from(quarters) / 4.0;
        let next = Self::STARTS.into_iter().find(|&start| start > self.quarters);
        match next {
            Some(next) => write!(f, "{}–{}", points(self.quarters), points(next)),
            None => write!(f, "{} or more", points(self.quarters)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_has_one_class() {
        let size = BoardSize::square(9).unwrap();
        let class = |plies| LengthClass::of(plies, size).to_string();
        assert_eq!(class(0), "0–0.5");
        assert_eq!(class(80), "0.5–1");
        assert_eq!(class(81), "1–1.25");
        assert_eq!(class(243), "2.5 or more");
        assert!((0..400).all(|plies| LengthClass::all().any(|class| class == LengthClass::of(plies, size))));
        assert!(LengthClass::all().map(LengthClass::index).eq(0..7));
    }
}
