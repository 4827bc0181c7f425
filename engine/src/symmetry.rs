//! The symmetries of a board.

use crate::{BoardSize, Point};

/// One of the eight ways to turn and reflect a board onto a grid; four of them keep the sides of a rectangle in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The eight symmetries, identity first; the last four exchange columns and rows.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The symmetries that map a board of this size onto itself: eight for squares, four for rectangles.
    pub fn of(size: BoardSize) -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().take(if size.is_square() { 8 } else { 4 })
    }

    /// Whether columns and rows are exchanged.
    #[must_use]
    pub const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The size of the image of a board.
    #[must_use]
    pub const fn image_size(self, size: BoardSize) -> BoardSize {
        if self.transposes() { size.transposed() } else { size }
    }

    /// Where `point` of a board of this size lies on the [image](Self::image_size): reflected left to right, then top to bottom, then
    /// transposed, each if the symmetry says so.
    #[must_use]
    pub const fn apply(self, point: Point, size: BoardSize) -> Point {
        let x = if self.0 & 1 != 0 { size.width() as u8 - 1 - point.x } else { point.x };
        let y = if self.0 & 2 != 0 { size.height() as u8 - 1 - point.y } else { point.y };
        if self.transposes() { Point::new(y, x) } else { Point::new(x, y) }
    }

    /// The point that stands for all points equivalent to this one: the image with the least row-major index under the symmetries of the
    /// board.
    #[must_use]
    pub fn representative(point: Point, size: BoardSize) -> Point {
        let images = Self::of(size).map(|symmetry| symmetry.apply(point, size));
        images.min_by_key(|image| image.index(size)).unwrap_or(point)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

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
