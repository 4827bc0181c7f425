//! Positions as text.

use std::fmt;

use super::{Board, NoLiberty};
use crate::{BoardSize, Color, Point, Suicide};

/// Text that shows no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidDiagram {
    /// No row at all.
    #[error("the diagram has no rows: write one line per row, X for Black, O for White, . for empty")]
    Empty,
    /// Rows of different lengths.
    #[error("row {row} of the diagram has {found} points, the rows before it {expected}")]
    Ragged {
        /// The row, from 1 at the top.
        row: usize,
        /// Points in this row.
        found: usize,
        /// Points in the rows before.
        expected: usize,
    },
    /// A sign that stands for nothing.
    #[error("row {row} of the diagram has `{}`: write X for Black, O for White, . for empty", .found.escape_debug())]
    UnknownSign {
        /// The row, from 1 at the top.
        row: usize,
        /// The sign.
        found: char,
    },
    /// More rows or columns than a board may have.
    #[error("the diagram is too large: {0}")]
    TooLarge(#[from] crate::InvalidSize),
    /// A chain without a liberty.
    #[error("the diagram shows no legal position: {0}")]
    NoLiberty(#[from] NoLiberty),
}

impl<const W: usize> Board<W> {
    /// Reads a position from a diagram: one line per row from the top, `X` or `#` for Black, `O` for White, `.` or `+` for empty; blanks
    /// and empty lines are passed over. Black is to move, nothing is forbidden by ko.
    ///
    /// ```
    /// use jigo_engine::{Board, Color, Suicide};
    /// let board: Board = Board::from_diagram("
    ///     . X O .
    ///     X X O .
    /// ", Suicide::Forbidden).unwrap();
    /// assert_eq!(board.size().to_string(), "4x2");
    /// assert_eq!(board.stone_count(Color::Black), 3);
    /// ```
    ///
    /// # Errors
    /// [`InvalidDiagram`] names the row and what is wrong with it.
    ///
    /// # Panics
    /// When `W` words are too few for the size. The default width fits every size.
    pub fn from_diagram(text: &str, suicide: Suicide) -> Result<Self, InvalidDiagram> {
        let (size, stones) = parse(text)?;
        let mut board = Self::new(size, suicide);
        board.set_position(stones, Color::Black)?;
        Ok(board)
    }
}

/// The size and stones that a diagram shows.
pub(crate) fn parse(text: &str) -> Result<(BoardSize, Vec<(Point, Color)>), InvalidDiagram> {
    let rows = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut stones = Vec::new();
    let (mut width, mut height) = (0, 0);
    for line in rows {
        height += 1;
        let signs = line.chars().filter(|sign| !sign.is_whitespace());
        let mut count = 0;
        for sign in signs {
            let color = match sign {
                'X' | 'x' | '#' => Some(Color::Black),
                'O' | 'o' => Some(Color::White),
                '.' | '+' => None,
                found => return Err(InvalidDiagram::UnknownSign { row: height, found }),
            };
            if let (Some(color), true) = (color, count.max(height - 1) < BoardSize::MAX_SIDE) {
                stones.push((Point::new(count as u8, (height - 1) as u8), color));
            }
            count += 1;
        }
        if height == 1 {
            width = count;
        } else if count != width {
            return Err(InvalidDiagram::Ragged { row: height, found: count, expected: width });
        }
    }
    if height == 0 {
        return Err(InvalidDiagram::Empty);
    }
    Ok((BoardSize::new(width, height)?, stones))
}

/// The diagram alone, one line per row from the top; [`from_diagram`](Board::from_diagram) reads it back. With `{:#}` it has coordinates.
impl<const W: usize> fmt::Display for Board<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.position().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_round_trip() {
        let text = "X O . .\n. X O .\n. . X .\n";
        let board: Board = Board::from_diagram(text, Suicide::Forbidden).unwrap();
        assert_eq!(board.to_string(), text);
        assert_eq!(
            format!("{board:#}"),
            "   A B C D\n 3 X O . . 3\n 2 . X O . 2\n 1 . . X . 1\n   A B C D\n"
        );
    }

    #[test]
    fn faults_are_named() {
        let read = |text: &str| Board::<11>::from_diagram(text, Suicide::Forbidden).unwrap_err();
        assert_eq!(read(" \n "), InvalidDiagram::Empty);
        assert_eq!(read("..\n..."), InvalidDiagram::Ragged { row: 2, found: 3, expected: 2 });
        assert_eq!(read("..\n.?"), InvalidDiagram::UnknownSign { row: 2, found: '?' });
        assert!(matches!(read(&".".repeat(26)), InvalidDiagram::TooLarge(_)));
        assert!(matches!(read(&"X".repeat(300)), InvalidDiagram::TooLarge(_)));
        assert!(matches!(read(&".\n".repeat(300)), InvalidDiagram::TooLarge(_)));
        assert!(matches!(read("XO\nOX"), InvalidDiagram::NoLiberty(_)));
    }
}
