//! Board sizes and their symmetries.

use std::{fmt, str::FromStr};

use crate::{Point, geometry};

/// The number of columns and rows of a board: any rectangle from 1×1 to 25×25.
///
/// ```
/// use jigo_engine::BoardSize;
/// let size: BoardSize = "9x13".parse().unwrap();
/// assert_eq!((size.width(), size.height(), size.point_count()), (9, 13, 117));
/// assert_eq!("19".parse(), BoardSize::new(19, 19));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

/// A board size that is not supported or not written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a board size: write one side (9) or columns x rows (9x13), each from 1 to 25")]
pub struct InvalidSize(String);

impl BoardSize {
    /// The most columns or rows a board may have: the limit of GTP coordinates.
    pub const MAX_SIDE: usize = 25;
    /// The most points a board may have.
    pub const MAX_POINTS: usize = Self::MAX_SIDE * Self::MAX_SIDE;

    /// A board of `width` columns and `height` rows, each from 1 to [`MAX_SIDE`](Self::MAX_SIDE).
    ///
    /// # Errors
    /// [`InvalidSize`] when a side is 0 or greater than [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn new(width: usize, height: usize) -> Result<Self, InvalidSize> {
        let fits = |side| (1..=Self::MAX_SIDE).contains(&side);
        if !fits(width) || !fits(height) {
            return Err(InvalidSize(format!("{width}x{height}")));
        }
        Ok(Self { width: width as u8, height: height as u8 })
    }

    /// A board with equally many columns and rows, from 1 to [`MAX_SIDE`](Self::MAX_SIDE).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn square(side: usize) -> Result<Self, InvalidSize> {
        Self::new(side, side)
    }

    /// Number of columns.
    #[must_use]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[must_use]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    #[must_use]
    pub const fn point_count(self) -> usize {
        self.width() * self.height()
    }

    /// Whether columns and rows are equally many.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// The same board turned so that columns become rows.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { width: self.height, height: self.width }
    }

    /// This board or its [transpose](Self::transposed), whichever playouts use: the one whose rows, as machine words with a guard bit (16
    /// bits up to 15 columns, 32 beyond), take less room; on equality the one with the shorter rows.
    ///
    /// Both boards have the same orientation, so playouts on them are transposes of each other.
    ///
    /// # Stability
    /// Part of the specification of playouts: it decides in which order points are numbered.
    #[must_use]
    pub const fn playing_orientation(self) -> Self {
        let other = self.transposed();
        let (bits, other_bits) = (self.row_bits(), other.row_bits());
        if bits < other_bits || bits == other_bits && self.width <= other.width { self } else { other }
    }

    /// The number of 64-bit words that a bitboard needs for this size and for its [transpose](Self::transposed): the least `W` of its
    /// [`Board`](crate::Board), whichever way round it is played.
    #[must_use]
    pub const fn bitboard_words(self) -> usize {
        let (words, other) = (geometry::words(self), geometry::words(self.transposed()));
        if words < other { other } else { words }
    }

    const fn row_bits(self) -> usize {
        self.height() * if self.width <= 15 { 16 } else { 32 }
    }

    /// Whether `point` lies on the board.
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        point.x < self.width && point.y < self.height
    }

    /// All points in row-major order, from the top left.
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point { x, y }))
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for BoardSize {
    type Err = InvalidSize;

    fn from_str(text: &str) -> Result<Self, InvalidSize> {
        let invalid = || InvalidSize(text.to_owned());
        let side = |part: &str| part.trim().parse::<usize>().map_err(|_| invalid());
        let (width, height) = match text.split_once(['x', 'X', '×', ':']) {
            Some((width, height)) => (side(width)?, side(height)?),
            None => (side(text)?, side(text)?),
        };
        Self::new(width, height).map_err(|_| invalid())
    }
}

/// One of the eight ways to turn and reflect a board onto a grid; four of them keep the sides of a rectangle in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The eight symmetries, identity first; the last four exchange columns and rows.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetries that map a board of this size onto itself: eight for squares, four for rectangles.
    pub fn for_size(size: BoardSize) -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().take(if size.is_square() { 8 } else { 4 })
    }

    /// Where `point` of a board of this size lies on its image: reflected left to right, then top to bottom, then transposed, each if the
    /// symmetry says so.
    #[must_use]
    pub const fn apply(self, point: Point, size: BoardSize) -> Point {
        let x = if self.0 & 1 != 0 { size.width() as u8 - 1 - point.x } else { point.x };
        let y = if self.0 & 2 != 0 { size.height() as u8 - 1 - point.y } else { point.y };
        if self.0 & 4 != 0 { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// Returns the symmetry that undoes this one on its image.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // Reflections come before the transposition, which exchanges them.
        if self.0 & 4 == 0 { self } else { Self(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) }
    }

    /// Returns the size of the image of a board.
    #[must_use]
    pub const fn image_size(self, size: BoardSize) -> BoardSize {
        if self.0 & 4 == 0 { size } else { size.transposed() }
    }

    /// The point that stands for all points equivalent to this one: the image with the least row-major index under the symmetries of the
    /// board.
    #[must_use]
    pub fn representative(point: Point, size: BoardSize) -> Point {
        let images = Self::for_size(size).map(|symmetry| symmetry.apply(point, size));
        images.min_by_key(|image| image.index(size)).unwrap_or(point)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn parses_both_forms_and_refuses_the_rest() {
        assert_eq!("7".parse(), BoardSize::square(7));
        assert_eq!("7x7".parse(), BoardSize::square(7));
        assert_eq!("25X1".parse(), BoardSize::new(25, 1));
        for text in ["", "0", "26", "9x", "x9", "9x0", "9x9x9", "-1", "nine"] {
            let error = text.parse::<BoardSize>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }

    #[test]
    fn both_transposes_play_in_one_orientation() {
        let size = |width, height| BoardSize::new(width, height).unwrap();
        for width in 1..=25 {
            for height in 1..=25 {
                let board = size(width, height);
                assert_eq!(board.playing_orientation(), board.transposed().playing_orientation());
            }
        }
        assert_eq!(size(9, 13).playing_orientation(), size(13, 9));
        assert_eq!(size(19, 13).playing_orientation(), size(13, 19));
        assert_eq!(size(5, 25).playing_orientation(), size(25, 5));
        assert_eq!(size(16, 8).playing_orientation(), size(8, 16));
    }

    #[test]
    fn points_are_row_major() {
        let size = BoardSize::new(3, 2).unwrap();
        let indices: Vec<usize> = size.points().map(|point| point.index(size)).collect();
        assert_eq!(indices, [0, 1, 2, 3, 4, 5]);
        assert!(size.points().all(|point| size.contains(point)));
    }

    #[test]
    fn symmetries_are_distinct_bijections() {
        let size = BoardSize::new(3, 4).unwrap();
        let images: HashSet<Vec<Point>> = Symmetry::ALL
            .into_iter()
            .map(|symmetry| size.points().map(|point| symmetry.apply(point, size)).collect())
            .collect();
        assert_eq!(images.len(), 8);
        assert!(images.iter().all(|image| image.iter().collect::<HashSet<_>>().len() == 12));
    }

    #[test]
    fn inverses_undo_symmetries() {
        let size = BoardSize::new(3, 4).unwrap();
        for symmetry in Symmetry::ALL {
            let image_size = symmetry.image_size(size);
            for point in size.points() {
                let image = symmetry.apply(point, size);
                assert!(image_size.contains(image));
                assert_eq!(symmetry.inverse().apply(image, image_size), point);
            }
        }
    }

    #[test]
    fn classes_of_first_moves() {
        let classes = |width, height| {
            let size = BoardSize::new(width, height).unwrap();
            size.points().map(|point| Symmetry::representative(point, size)).collect::<HashSet<_>>().len()
        };
        assert_eq!(classes(9, 9), 15);
        assert_eq!(classes(19, 19), 55);
        assert_eq!(classes(2, 2), 1);
        assert_eq!(classes(3, 2), 2);
        assert_eq!(classes(1, 5), 3);
    }
}
