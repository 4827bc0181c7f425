//! Area: own stones and the empty points that only they reach.

use crate::{
    AnyPosition, Board, BoardSize, Color, Counting, Komi, Point, Position, any::with_position,
    bitboard::Bitboard, geometry::Geometry,
};

/// The points of a position as area counting sees them. Every point is in exactly one of the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AreaCount {
    /// Stones on the board (Black, White).
    pub stones: [u32; 2],
    /// Empty points that reach only stones of this colour (Black, White).
    pub surrounded: [u32; 2],
    /// Empty points that reach both colours, or none.
    pub neutral: u32,
}

impl AreaCount {
    /// One player's area.
    #[must_use]
    pub const fn of(&self, color: Color) -> u32 {
        self.stones[color.index()] + self.surrounded[color.index()]
    }

    /// Black's area minus White's, before komi.
    #[must_use]
    pub const fn margin(&self) -> i32 {
        self.of(Color::Black) as i32 - self.of(Color::White) as i32
    }

    /// Black's points minus White's before komi, under either counting; so many stones of each colour (Black, White) were removed.
    #[must_use]
    pub const fn margin_by(&self, counting: Counting, prisoners: [u32; 2]) -> i32 {
        match counting {
            Counting::Area => self.margin(),
            Counting::Territory => {
                let [black, white] = self.surrounded;
                (black + prisoners[1]) as i32 - (white + prisoners[0]) as i32
            }
        }
    }

    /// Black's result after komi in half points: positive when Black wins, zero for jigo.
    #[must_use]
    pub const fn result(&self, komi: Komi) -> i32 {
        komi.apply(self.margin())
    }
}

impl<const W: usize> Position<W> {
    /// Counts area as the position stands: all stones are taken to be alive.
    ///
    /// # Source
    /// John Tromp and Bill Taylor, *The logical rules of Go*: points of one's colour, and empty points that reach only one's colour.
    #[must_use]
    #[inline(always)]
    pub fn area(&self) -> AreaCount {
        let stones = self.stone_sets();
        let [black, white] = surrounded(self.geometry(), stones).map(|points| points.count());
        let stones = stones.map(|stones| stones.count());
        let points = self.size().point_count() as u32;
        let neutral = points - stones[0] - stones[1] - black - white;
        AreaCount { stones, surrounded: [black, white], neutral }
    }

    /// Whose area each point is, in row-major order; `None` for neutral points.
    pub fn ownership(&self) -> impl Iterator<Item = (Point, Option<Color>)> {
        let (geometry, owned) = (self.geometry(), self.owned());
        geometry.on_board.iter().map(move |bit| {
            let owner = Color::BOTH.into_iter().find(|color| owned[color.index()].contains(bit));
            (geometry.point(bit), owner)
        })
    }

    /// The area of both (Black, White).
    #[inline]
    pub(crate) fn owned(&self) -> [Bitboard<W>; 2] {
        let stones = self.stone_sets();
        let [black, white] = surrounded(self.geometry(), stones);
        [stones[0] | black, stones[1] | white]
    }
}

impl<const W: usize> Board<W> {
    /// The [area](Position::area) of the position.
    #[must_use]
    pub fn area(&self) -> AreaCount {
        self.position().area()
    }
}

/// The points without any of these stones that reach only the one colour of them (Black, White).
#[inline(always)]
pub(super) fn surrounded<const W: usize>(
    geometry: &Geometry<W>,
    stones: [Bitboard<W>; 2],
) -> [Bitboard<W>; 2] {
    let empty = geometry.on_board.without(stones[0] | stones[1]);
    let mut reach = stones.map(|stones| geometry.adjacent(stones) & empty);
    if geometry.adjacent(empty).intersects(empty) {
        reach = reach.map(|seen| geometry.flood(seen, empty));
    }
    [reach[0].without(reach[1]), reach[1].without(reach[0])]
}

/// In how many of up to [`CAPACITY`](Self::CAPACITY) positions of one size each point was whose area.
///
/// Counts all points at once: bit *i* of every count lies in one bitboard, and a position is added to these as one binary number is added to another. Keep
/// totals elsewhere and add the tally to them when it is full.
///
/// ```
/// use jigo_engine::{score::AreaTally, AnyPosition, Board, Color, Suicide};
/// let board: Board = Board::from_diagram(".XO.", Suicide::Forbidden).unwrap();
/// let mut tally = AreaTally::new(board.size());
/// tally.add(AnyPosition::new(&board.position()));
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

    /// Whether no further position may be added.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.positions == Self::CAPACITY
    }

    /// Adds the area of one position.
    ///
    /// # Panics
    /// When the tally is full or the position has another size.
    pub fn add(&mut self, position: AnyPosition<'_>) {
        assert!(!self.is_full(), "a tally holds at most {} positions", Self::CAPACITY);
        assert_eq!(self.size, position.size(), "the tally is of another size");
        self.positions += 1;
        with_position!(position, position => self.add_sets(position.owned()));
    }

    fn add_sets<const W: usize>(&mut self, mut carried: [Bitboard<W>; 2]) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suicide;

    #[test]
    fn counts_stones_surrounded_and_neutral_points() {
        let board: Board = Board::from_diagram(
            ". X . O .
         X X . O O
         . X . O .",
            Suicide::Forbidden,
        )
        .unwrap();
        let area = board.area();
        assert_eq!(area, AreaCount { stones: [4, 4], surrounded: [2, 2], neutral: 3 });
        assert_eq!(area.margin(), 0);
        assert_eq!(area.result(Komi::from_half_points(15)), -15);
    }

    #[test]
    fn an_empty_board_is_neutral() {
        let board: Board = Board::from_diagram("...\n...", Suicide::Forbidden).unwrap();
        assert_eq!(board.area(), AreaCount { stones: [0, 0], surrounded: [0, 0], neutral: 6 });
        let lone: Board = Board::from_diagram("...\n.X.", Suicide::Forbidden).unwrap();
        assert_eq!(lone.area().margin(), 6);
    }
}
