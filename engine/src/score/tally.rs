//! Whose area each point was, over many positions.

use crate::{BoardSize, Color, Position, bitboard::Bitboard};

/// In how many of up to [`CAPACITY`](Self::CAPACITY) positions of one size each point was whose area.
///
/// Counts all points at once: bit *i* of every count lies in one bitboard, and a position is added to these as one binary number is added to another. Keep
/// totals elsewhere and add the tally to them when it is full.
///
/// ```
/// use jigo_engine::{score::AreaTally, Board, Color, Suicide};
/// let board: Board = Board::from_diagram(".XO.", Suicide::Forbidden).unwrap();
/// let mut tally = AreaTally::new(board.size());
/// tally.add(&board.position());
/// let mut totals = [10; 4];
/// tally.add_to(Color::Black, &mut totals);
/// assert_eq!(totals, [11, 11, 10, 10]);
/// ```
#[derive(Clone, Debug)]
pub struct AreaTally {
    size: BoardSize,
    positions: u32,
    /// Of the counts of both colours (Black, White) first the lowest bits, then the next.
    digits: [[[u64; WORDS]; 2]; DIGITS],
}

const DIGITS: usize = 8;

/// Words of a bitboard for the largest size.
const WORDS: usize = 11;

impl AreaTally {
    /// The most positions that a tally holds.
    pub const CAPACITY: u32 = (1 << DIGITS) - 1;

    /// No positions.
    #[must_use]
    pub const fn new(size: BoardSize) -> Self {
        Self { size, positions: 0, digits: [[[0; WORDS]; 2]; DIGITS] }
    }

    /// Number of positions added.
    #[must_use]
    pub const fn positions(&self) -> u32 {
        self.positions
    }

    /// Whether no further position may be added.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.positions == Self::CAPACITY
    }

    /// Adds the area of one position.
    ///
    /// # Panics
    /// When the tally is full or the position has another size.
    #[inline]
    pub fn add<const W: usize>(&mut self, position: &Position<W>) {
        assert!(!self.is_full(), "a tally holds at most {} positions", Self::CAPACITY);
        assert_eq!(self.size, position.size(), "the tally is of another size");
        self.positions += 1;
        let mut carried = position.owned();
        for digit in &mut self.digits {
            for (words, carried) in digit.iter_mut().zip(&mut carried) {
                let words: &mut [u64; W] = words.first_chunk_mut().expect("no size needs more words");
                let sum = Bitboard::from_words(*words);
                *words = *(sum ^ *carried).words();
                *carried = sum & *carried;
            }
        }
    }

    /// Adds to `totals`, in row-major order, how often each point was this colour's area.
    ///
    /// # Panics
    /// When there are fewer totals than points.
    pub fn add_to(&self, color: Color, totals: &mut [u64]) {
        let stride = self.size.width() + 1;
        for point in self.size.points() {
            let bit = usize::from(point.y) * stride + usize::from(point.x);
            let digits = self.digits.iter().map(|digit| digit[color.index()][bit / 64] >> (bit % 64) & 1);
            totals[point.index(self.size)] += digits.rev().fold(0, |count, digit| 2 * count + digit);
        }
    }

    /// Starts again with no positions.
    pub fn clear(&mut self) {
        *self = Self::new(self.size);
    }
}
