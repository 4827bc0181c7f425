//! Points, colours and moves.

use std::fmt;

use crate::BoardSize;

/// An intersection: column `x` from the left and row `y` from the top, both from 0.
///
/// The same value may lie on one board and outside another: [`BoardSize::contains`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
// A move then has four bytes, and is copied by one instruction.
#[repr(align(2))]
pub struct Point {
    /// Column, 0 at the left.
    pub x: u8,
    /// Row, 0 at the top.
    pub y: u8,
}

/// GTP's column letters: the alphabet without I.
const GTP_COLUMNS: &[u8; BoardSize::MAX_SIDE] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// Text that names no point of the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a point of a {size} board (points are written as in C4, without the letter I)")]
pub struct InvalidPoint {
    text: String,
    size: BoardSize,
}

impl Point {
    /// The point in column `x` and row `y`, both from 0 at the top left.
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// The point with this row-major index, 0 at the top left: the inverse of [`index`](Self::index).
    ///
    /// `None` when the board has no such point.
    #[must_use]
    pub const fn from_index(index: usize, size: BoardSize) -> Option<Self> {
        if index >= size.point_count() {
            return None;
        }
        Some(Self { x: (index % size.width()) as u8, y: (index / size.width()) as u8 })
    }

    /// Row-major index from the top left: `y * width + x`. Meaningful for points on the board only.
    #[must_use]
    pub const fn index(self, size: BoardSize) -> usize {
        self.y as usize * size.width() + self.x as usize
    }

    /// The point with column and row exchanged: where it lies on the [transposed](BoardSize::transposed) board.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { x: self.y, y: self.x }
    }

    /// GTP's name of the point, as in `C4`: columns without I, rows from 1 at the bottom.
    #[must_use]
    pub fn to_gtp(self, size: BoardSize) -> String {
        format!("{}{}", GTP_COLUMNS[self.x as usize] as char, size.height() - self.y as usize)
    }

    /// Reads GTP's name of a point on the board, in capitals or small letters.
    ///
    /// # Errors
    /// [`InvalidPoint`] when the text is not of that form or the point not on the board.
    pub fn from_gtp(text: &str, size: BoardSize) -> Result<Self, InvalidPoint> {
        let invalid = || InvalidPoint { text: text.to_owned(), size };
        let (letter, digits) = text.split_at_checked(1).ok_or_else(invalid)?;
        let letter = letter.as_bytes()[0].to_ascii_uppercase();
        let x = GTP_COLUMNS.iter().position(|&column| column == letter).ok_or_else(invalid)?;
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(invalid());
        }
        let row: usize = digits.parse().map_err(|_| invalid())?;
        let y = size.height().checked_sub(row).ok_or_else(invalid)?;
        let point = Self { x: x as u8, y: y as u8 };
        if size.contains(point) { Ok(point) } else { Err(invalid()) }
    }

    /// SGF's name of the point: two letters, column then row, both from the top left.
    #[must_use]
    pub fn to_sgf(self) -> String {
        [self.x, self.y].map(|line| (b'a' + line) as char).iter().collect()
    }

    /// Reads SGF's name of a point on the board: two small letters.
    ///
    /// # Errors
    /// [`InvalidPoint`] when the text is not of that form or the point not on the board.
    pub fn from_sgf(text: &[u8], size: BoardSize) -> Result<Self, InvalidPoint> {
        if let [x @ b'a'..=b'z', y @ b'a'..=b'z'] = *text {
            let point = Self { x: x - b'a', y: y - b'a' };
            if size.contains(point) {
                return Ok(point);
            }
        }
        Err(InvalidPoint { text: String::from_utf8_lossy(text).into_owned(), size })
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// One of the two players, and the colour of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Plays first.
    Black,
    /// Receives the komi.
    White,
}

impl Color {
    /// Black, then White: for loops over both players.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// The position of this colour in arrays that hold one value per player: Black 0, White 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The name in small letters, as GTP, JSON and tables write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }

    /// The sign of this colour's points in a margin (Black minus White): +1 for Black, −1 for White.
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Self::Black => 1,
            Self::White => -1,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

/// One ply: a stone on a point, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Put a stone on this point.
    Play(Point),
    /// Put no stone.
    Pass,
}

impl Move {
    /// The point played on; `None` for a pass.
    #[must_use]
    pub const fn point(self) -> Option<Point> {
        match self {
            Self::Play(point) => Some(point),
            Self::Pass => None,
        }
    }

    /// The number that stands for this move in datasets: the row-major index of the point, or the number of
    /// points for a pass.
    #[must_use]
    pub const fn code(self, size: BoardSize) -> u16 {
        match self {
            Self::Play(point) => point.index(size) as u16,
            Self::Pass => size.point_count() as u16,
        }
    }

    /// The move with this [`code`](Self::code); `None` when there is no such move.
    #[must_use]
    pub const fn from_code(code: u16, size: BoardSize) -> Option<Self> {
        match Point::from_index(code as usize, size) {
            Some(point) => Some(Self::Play(point)),
            None if code as usize == size.point_count() => Some(Self::Pass),
            None => None,
        }
    }

    /// Reads GTP's name of a point on the board or `pass`, in capitals or small letters.
    ///
    /// # Errors
    /// [`InvalidPoint`] when the text is not of that form or the point not on the board.
    pub fn from_gtp(text: &str, size: BoardSize) -> Result<Self, InvalidPoint> {
        if text.eq_ignore_ascii_case("pass") {
            Ok(Self::Pass)
        } else {
            Point::from_gtp(text, size).map(Self::Play)
        }
    }

    /// GTP's name: the [point's](Point::to_gtp) or `pass`.
    #[must_use]
    pub fn to_gtp(self, size: BoardSize) -> String {
        match self {
            Self::Play(point) => point.to_gtp(size),
            Self::Pass => "pass".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_round_trip_on_every_size() {
        for width in [1, 2, 8, 9, 19, 25] {
            for height in [1, 5, 19, 25] {
                let size = BoardSize::new(width, height).unwrap();
                for point in size.points() {
                    assert_eq!(Point::from_gtp(&point.to_gtp(size), size), Ok(point));
                    assert_eq!(Point::from_sgf(point.to_sgf().as_bytes(), size), Ok(point));
                    assert_eq!(Point::from_index(point.index(size), size), Some(point));
                }
                assert_eq!(Point::from_index(size.point_count(), size), None);
            }
        }
    }

    #[test]
    fn names_of_the_corners() {
        let size = BoardSize::square(19).unwrap();
        assert_eq!(Point::new(0, 18).to_gtp(size), "A1");
        assert_eq!(Point::new(18, 0).to_gtp(size), "T19");
        assert_eq!(Point::from_gtp("j9", size), Ok(Point::new(8, 10)));
        for text in ["", "I5", "A0", "A20", "U1", "A", "5", "A+1", "é4", "A1 "] {
            assert!(Point::from_gtp(text, size).is_err(), "{text}");
        }
        for text in ["", "a", "aaa", "at", "AA", "a1"] {
            assert!(Point::from_sgf(text.as_bytes(), size).is_err(), "{text}");
        }
    }

    #[test]
    fn codes_round_trip() {
        let size = BoardSize::new(3, 4).unwrap();
        for code in 0..=12 {
            assert_eq!(Move::from_code(code, size).unwrap().code(size), code);
        }
        assert_eq!(Move::from_code(12, size), Some(Move::Pass));
        assert_eq!(Move::from_code(13, size), None);
    }
}
