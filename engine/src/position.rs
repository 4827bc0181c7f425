//! The stones of a position and nothing else.

use std::{fmt, hash, sync::Arc};

use crate::{Board, BoardSize, Color, Point, Symmetry, bitboard::Bitboard, geometry::Geometry};

/// The stones on a board of some size: no player to move, no ko, no chain tables. It is what counting and unconditional life need, and small
/// enough to be filled thousands of times a millisecond.
///
/// Legality is not checked: chains may be without liberties. A clone shares the size's tables.
///
/// ```
/// use jigo_engine::{BoardSize, Color, Position};
/// let mut position: Position = Position::new(BoardSize::new(4, 2).unwrap());
/// position.set_rows(Color::Black, [0b0010, 0b0011]);
/// position.set_rows(Color::White, [0b0100, 0b0100]);
/// assert_eq!(position.to_string(), ". X O .\nX X O .\n");
/// assert_eq!(position.area().margin(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct Position<const W: usize = 11> {
    geometry: Arc<Geometry<W>>,
    stones: [Bitboard<W>; 2],
}

/// A way to turn a position, and to exchange its colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    pub(crate) symmetry: Symmetry,
    exchanges_colors: bool,
}

impl Image {
    /// The position as it is.
    pub(crate) const IDENTITY: Self = Self { symmetry: Symmetry::ALL[0], exchanges_colors: false };

    /// Returns the colour of a player in the image, or back.
    pub(crate) const fn color(self, color: Color) -> Color {
        if self.exchanges_colors { color.opponent() } else { color }
    }
}

impl<const W: usize> Position<W> {
    /// An empty board.
    ///
    /// # Panics
    /// When `W` words are too few for the size. The default width fits every size.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        Self::from_sets(&Arc::new(Geometry::new(size)), [Bitboard::EMPTY; 2])
    }

    pub(crate) fn from_sets(geometry: &Arc<Geometry<W>>, stones: [Bitboard<W>; 2]) -> Self {
        Self { geometry: Arc::clone(geometry), stones }
    }

    /// Other stones on a board of the same size.
    pub(crate) fn with_sets(&self, stones: [Bitboard<W>; 2]) -> Self {
        Self::from_sets(&self.geometry, stones)
    }

    /// Returns the position after these stones are removed.
    ///
    /// # Panics
    /// When a point is not on the board.
    #[must_use]
    pub fn without<'p>(&self, stones: impl IntoIterator<Item = &'p Point>) -> Self {
        let removed = self.geometry.set_of(stones);
        self.with_sets(self.stones.map(|stones| stones.without(removed)))
    }

    /// The board's size.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.geometry.size
    }

    /// Returns the canonical image of this position, the same for all rotations and reflections and with exchanged colours, and the ways that
    /// lead to it: several if the position is symmetric itself.
    pub(crate) fn canonical(&self) -> (Self, Vec<Image>) {
        let size = self.size();
        // Boards that are wider than high take no more words than the others.
        let wide = if size.width() < size.height() { size.transposed() } else { size };
        let blank = if wide == size { self.with_sets([Bitboard::EMPTY; 2]) } else { Self::new(wide) };
        let symmetries = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.image_size(size) == wide);
        let images = symmetries.flat_map(|symmetry| {
            let mut stones = [Bitboard::EMPTY; 2];
            for (point, color) in self.colored_stones() {
                stones[color.index()].insert(blank.geometry.bit(symmetry.apply(point, size)));
            }
            let [black, white] = stones;
            [(stones, false), ([white, black], true)]
                .map(|(stones, exchanges_colors)| (stones, Image { symmetry, exchanges_colors }))
        });
        let images: Vec<_> = images.collect();
        let least = images.iter().map(|&(stones, _)| stones).min().expect("a way to turn the board");
        let images = images.into_iter().filter(|&(stones, _)| stones == least).map(|(_, image)| image);
        (blank.with_sets(least), images.collect())
    }

    /// The same position in bitboards of `V` words.
    ///
    /// # Panics
    /// When `V` words are too few for the size.
    #[must_use]
    pub fn with_width<const V: usize>(&self) -> Position<V> {
        let mut position = Position::new(self.size());
        self.colored_stones().for_each(|(point, color)| position.set_stone(point, Some(color)));
        position
    }

    /// The stone on `point`, if there is one.
    ///
    /// # Panics
    /// May panic when the point is not on the board.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Color> {
        let bit = self.geometry.bit(point);
        Color::BOTH.into_iter().find(|color| self.stones[color.index()].contains(bit))
    }

    /// The points of this colour's stones, in row-major order.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> {
        self.geometry.points_of(self.stone_set(color))
    }

    /// The stones with their colours, Black's first.
    pub fn colored_stones(&self) -> impl Iterator<Item = (Point, Color)> {
        let of_color = |color| self.stones(color).map(move |point| (point, color));
        Color::BOTH.into_iter().flat_map(of_color)
    }

    /// Number of stones of this colour.
    #[must_use]
    #[inline]
    pub fn stone_count(&self, color: Color) -> usize {
        self.stone_set(color).count() as usize
    }

    /// Number of chains of this colour. Cost: a flood fill of its stones.
    #[must_use]
    pub fn chain_count(&self, color: Color) -> usize {
        self.geometry.parts(self.stone_set(color)).count()
    }

    /// The empty points, in row-major order.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.geometry.points_of(self.empty())
    }

    /// Puts a stone on `point`, in place of what was there, or takes it off.
    ///
    /// # Panics
    /// When the point is not on the board.
    pub fn set_stone(&mut self, point: Point, stone: Option<Color>) {
        assert!(self.size().contains(point), "{point:?} is not on a {} board", self.size());
        let bit = self.geometry.bit(point);
        for color in Color::BOTH {
            self.stones[color.index()].remove(bit);
        }
        if let Some(color) = stone {
            self.stones[color.index()].insert(bit);
        }
    }

    /// Sets all stones of one colour, given row by row from the top: bit *c* of row *r* is the point in column *c* of row *r*. Rows that are
    /// not given are empty, bits and rows beside the board are passed over. The other colour's stones stay; the caller sees to it that no
    /// point has two.
    #[inline]
    pub fn set_rows(&mut self, color: Color, rows: impl IntoIterator<Item = u32>) {
        self.stones[color.index()] = self.geometry.set_of_rows(rows);
    }

    /// The stones of one colour as bits in row-major order: point *n* is bit *n* mod 64 of word *n* / 64.
    #[inline(always)]
    #[must_use]
    pub fn stone_bits(&self, color: Color) -> [u64; W] {
        self.geometry.bits_of(self.stones[color.index()])
    }

    /// As [`set_rows`](Self::set_rows), for rows of the transposed board: bit *r* of row *c* is the point in column *c* of row *r*.
    #[inline]
    pub fn set_rows_transposed(&mut self, color: Color, rows: impl IntoIterator<Item = u32>) {
        let size = self.size();
        let mut lines = [0; 32];
        lines.iter_mut().zip(rows).take(size.width()).for_each(|(line, row)| *line = row);
        self.set_rows(color, transposed(&lines, size.height()));
    }

    /// Takes over the stones of a board of the same size.
    ///
    /// # Panics
    /// When the sizes differ.
    #[inline]
    pub fn set_from(&mut self, board: &Board<W>) {
        assert_eq!(self.size(), board.size(), "the board has another size");
        self.stones = Color::BOTH.map(|color| board.stone_set(color));
    }

    /// Takes over the stones of a board of the [transposed](BoardSize::transposed) size.
    ///
    /// # Panics
    /// When the board's size is not the transposed one.
    pub fn set_from_transposed(&mut self, board: &Board<W>) {
        assert_eq!(self.size(), board.size().transposed(), "the board has another size");
        for color in Color::BOTH {
            let bits = board.stones(color).map(|point| self.geometry.bit(point.transposed()));
            self.stones[color.index()] = bits.collect();
        }
    }

    #[inline]
    pub(crate) fn geometry(&self) -> &Geometry<W> {
        &self.geometry
    }

    #[inline]
    pub(crate) fn stone_set(&self, color: Color) -> Bitboard<W> {
        self.stones[color.index()]
    }

    #[inline]
    pub(crate) fn stone_sets(&self) -> [Bitboard<W>; 2] {
        self.stones
    }

    #[inline]
    pub(crate) fn empty(&self) -> Bitboard<W> {
        self.geometry.on_board.without(self.stones[0] | self.stones[1])
    }
}

/// Exchanges rows and columns: bit *c* of row *r* becomes bit *r* of row *c*, for the first `columns` columns at least. Eight rows and columns at
/// a time.
#[inline]
fn transposed(rows: &[u32; 32], columns: usize) -> [u32; 32] {
    let mut turned = [0; 32];
    for (first_row, rows) in (0..).step_by(8).zip(rows.as_chunks::<8>().0) {
        if rows.iter().all(|&row| row == 0) {
            continue;
        }
        for first_column in (0..columns).step_by(8) {
            let bytes = rows.map(|row| (row >> first_column) as u8);
            let columns = transposed_eight(u64::from_le_bytes(bytes)).to_le_bytes();
            for (turned, column) in turned[first_column..].iter_mut().zip(columns) {
                *turned |= u32::from(column) << first_row;
            }
        }
    }
    turned
}

/// Exchanges rows and columns of eight bytes. Swaps the off-diagonal quarters of ever larger squares.
///
/// # Source
/// Henry S. Warren, *Hacker's Delight*, section 7-3.
const fn transposed_eight(bytes: u64) -> u64 {
    const fn swapped(bytes: u64, distance: u32, upper: u64) -> u64 {
        let differs = (bytes ^ bytes >> distance) & upper;
        bytes ^ differs ^ differs << distance
    }
    let pairs = swapped(bytes, 7, 0x00aa_00aa_00aa_00aa);
    let fours = swapped(pairs, 14, 0x0000_cccc_0000_cccc);
    swapped(fours, 28, 0x0000_0000_f0f0_f0f0)
}

/// Equal when size and stones are.
impl<const W: usize> PartialEq for Position<W> {
    fn eq(&self, other: &Self) -> bool {
        self.size() == other.size() && self.stones == other.stones
    }
}

impl<const W: usize> Eq for Position<W> {}

/// The stones only. The value depends on `W` and may differ between versions.
impl<const W: usize> hash::Hash for Position<W> {
    #[inline]
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.stones.hash(state);
    }
}

/// The diagram alone, one line per row from the top: `X` Black, `O` White, `.` empty. With `{:#}` it has coordinates.
impl<const W: usize> fmt::Display for Position<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        let name = |x| Point::new(x as u8, 0).to_gtp(size)[..1].to_owned();
        let columns = if f.alternate() {
            format!("   {}\n", (0..size.width()).map(name).collect::<Vec<_>>().join(" "))
        } else {
            String::new()
        };
        f.write_str(&columns)?;
        for y in 0..size.height() {
            let sign = |x| match self.stone(Point::new(x as u8, y as u8)) {
                Some(Color::Black) => "X",
                Some(Color::White) => "O",
                None => ".",
            };
            let signs = (0..size.width()).map(sign).collect::<Vec<_>>().join(" ");
            let number = size.height() - y;
            if f.alternate() {
                writeln!(f, "{number:2} {signs} {number}")?;
            } else {
                writeln!(f, "{signs}")?;
            }
        }
        f.write_str(&columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suicide;

    #[test]
    fn rows_are_the_stones_on_every_size() {
        let mut seed = 1_u64;
        let mut row = || {
            seed = crate::zobrist::mix64(seed);
            seed as u32
        };
        for width in 1..=25 {
            for height in 1..=25 {
                let size = BoardSize::new(width, height).unwrap();
                let (mut position, mut turned) =
                    (Position::<11>::new(size), Position::<11>::new(size.transposed()));
                let black: Vec<u32> = (0..height).map(|_| row()).collect();
                let white: Vec<u32> = black.iter().map(|black| row() & !black).collect();
                for (color, rows) in Color::BOTH.into_iter().zip([&black, &white]) {
                    // One row too many, and bits beside the board.
                    position.set_rows(color, rows.iter().copied().chain([u32::MAX]));
                    turned.set_rows_transposed(color, rows.iter().copied());
                    let bits = position.stone_bits(color);
                    for (index, point) in size.points().enumerate() {
                        let expected = rows[point.y as usize] >> point.x & 1 != 0;
                        assert_eq!(bits[index / 64] >> (index % 64) & 1 != 0, expected);
                        assert_eq!(position.stone(point) == Some(color), expected);
                        assert_eq!(turned.stone(point.transposed()) == Some(color), expected);
                    }
                    assert!(
                        position.stone_set(color).without(position.geometry().on_board).is_empty(),
                        "{size}"
                    );
                }
            }
        }
    }

    #[test]
    fn positions_of_boards() {
        let board: Board = Board::from_diagram("X O . .\n. X O .\n. . X .", Suicide::Forbidden).unwrap();
        let position = board.position();
        assert_eq!(position.to_string(), board.to_string());
        assert_eq!(position.chain_count(Color::Black), 3);
        assert!(position.empty_points().eq(board.empty_points()));
        let mut turned: Position = Position::new(board.size().transposed());
        turned.set_from_transposed(&board);
        for point in board.size().points() {
            assert_eq!(turned.stone(point.transposed()), board.stone(point));
        }
        let mut copy: Position = Position::new(board.size());
        assert_ne!(copy, position);
        for color in Color::BOTH {
            position.stones(color).for_each(|point| copy.set_stone(point, Some(color)));
        }
        assert_eq!(copy, position);
        let mut copy: Position = Position::new(board.size());
        copy.set_from(&board);
        assert_eq!(copy, position);
    }
}
