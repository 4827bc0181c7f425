//! Where fixed handicap stones go.

use crate::{BoardSize, Point};

/// Which star points the stones of a fixed handicap take. The orders differ only for three stones: which corner stays empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StarOrder {
    /// The third stone goes to the lower right.
    ///
    /// # Source
    /// The traditional rules as published by the Czech Go Association.
    Traditional,
    /// The third stone goes to the upper left.
    ///
    /// # Source
    /// Gunnar Farnebäck, *Specification of the Go Text Protocol, version 2*, `fixed_handicap`.
    Gtp,
}

/// A number of handicap stones for which the board has no star points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidHandicap {
    /// The board has no star points.
    #[error("a {0} board has no fixed handicap points: both sides must be 7 or more")]
    NoStars(BoardSize),
    /// Fewer than two stones, or more than the board has points for.
    #[error("{stones} is not a fixed handicap for a {size} board: it takes 2 to {max} stones")]
    Stones {
        /// The number asked for.
        stones: u32,
        /// The board.
        size: BoardSize,
        /// The most stones.
        max: u32,
    },
}

/// The most stones of a fixed handicap; 0 where the board has no star points.
///
/// Nine where both sides are odd and 9 or more, four on other boards with sides of 7 or more.
#[must_use]
pub const fn max_fixed_handicap(size: BoardSize) -> u32 {
    let (width, height) = (size.width(), size.height());
    let least = if width < height { width } else { height };
    match least {
        0..7 => 0,
        9.. if width % 2 == 1 && height % 2 == 1 => 9,
        _ => 4,
    }
}

/// The star points of a fixed handicap, in the order in which the stones are put, as Black sees the board.
///
/// Upper right, lower left, lower right, upper left; with five, seven and nine the centre; from six on the left and right sides, from
/// eight on the upper and lower sides. Stars are on the fourth line from 13 lines on, else on the third.
///
/// ```
/// use jigo_engine::{game::{fixed_handicap, StarOrder}, BoardSize};
/// let size = BoardSize::square(19).unwrap();
/// let points = fixed_handicap(size, 3, StarOrder::Gtp)?;
/// assert_eq!(points.map(|point| point.to_gtp(size)).collect::<Vec<_>>(), ["Q16", "D4", "D16"]);
/// # Ok::<(), jigo_engine::game::InvalidHandicap>(())
/// ```
///
/// # Errors
/// [`InvalidHandicap`] when the board has not so many star points, or for fewer than two stones.
pub fn fixed_handicap(
    size: BoardSize,
    stones: u32,
    order: StarOrder,
) -> Result<impl Iterator<Item = Point>, InvalidHandicap> {
    let max = max_fixed_handicap(size);
    if max == 0 {
        return Err(InvalidHandicap::NoStars(size));
    }
    if !(2..=max).contains(&stones) {
        return Err(InvalidHandicap::Stones { stones, size, max });
    }
    // Low, middle and high line of columns and rows.
    let lines = |side: usize| {
        let edge = if side >= 13 { 3 } else { 2 };
        [edge, side / 2, side - 1 - edge]
    };
    let (columns, rows) = (lines(size.width()), lines(size.height()));
    let corners = match order {
        StarOrder::Traditional => [(2, 0), (0, 2), (2, 2), (0, 0)],
        StarOrder::Gtp => [(2, 0), (0, 2), (0, 0), (2, 2)],
    };
    let sides = [(0, 1), (2, 1), (1, 0), (1, 2)];
    let has_centre = stones > 4 && stones % 2 == 1;
    let around = stones - u32::from(has_centre);
    let places = corners.into_iter().chain(sides).take(around as usize).chain(has_centre.then_some((1, 1)));
    Ok(places.map(move |(column, row)| Point::new(columns[column] as u8, rows[row] as u8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(size: &str, stones: u32, order: StarOrder) -> Result<String, InvalidHandicap> {
        let size = size.parse().unwrap();
        let points = fixed_handicap(size, stones, order)?.map(|point| point.to_gtp(size));
        Ok(points.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn stars_of_the_large_board() {
        for (stones, expected) in [
            (2, "Q16 D4"),
            (3, "Q16 D4 Q4"),
            (4, "Q16 D4 Q4 D16"),
            (5, "Q16 D4 Q4 D16 K10"),
            (6, "Q16 D4 Q4 D16 D10 Q10"),
            (7, "Q16 D4 Q4 D16 D10 Q10 K10"),
            (8, "Q16 D4 Q4 D16 D10 Q10 K16 K4"),
            (9, "Q16 D4 Q4 D16 D10 Q10 K16 K4 K10"),
        ] {
            assert_eq!(names("19", stones, StarOrder::Traditional).unwrap(), expected);
        }
        assert_eq!(names("19", 3, StarOrder::Gtp).unwrap(), "Q16 D4 D16");
        assert_eq!(names("9", 5, StarOrder::Gtp).unwrap(), "G7 C3 C7 G3 E5");
        assert_eq!(names("9x13", 4, StarOrder::Gtp).unwrap(), "G10 C4 C10 G4");
    }

    #[test]
    fn every_board_has_its_maximum() {
        for (size, max) in [
            ("1", 0),
            ("6", 0),
            ("6x19", 0),
            ("7", 4),
            ("7x19", 4),
            ("8", 4),
            ("9", 9),
            ("9x10", 4),
            ("25", 9),
        ] {
            assert_eq!(max_fixed_handicap(size.parse().unwrap()), max, "{size}");
            for stones in 0..=11 {
                let points = names(size, stones, StarOrder::Gtp);
                assert_eq!(points.is_ok(), (2..=max).contains(&stones), "{size} {stones}");
                let Ok(points) = points else { continue };
                let distinct: std::collections::BTreeSet<&str> = points.split(' ').collect();
                assert_eq!(distinct.len(), stones as usize, "{points}");
            }
        }
        let error = names("8", 5, StarOrder::Gtp).unwrap_err().to_string();
        assert_eq!(error, "5 is not a fixed handicap for a 8x8 board: it takes 2 to 4 stones");
    }
}
