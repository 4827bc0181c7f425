//! Which bit is which point, and what lies next to it.

use crate::{
    BoardSize, Color, Point,
    bitboard::{Bitboard, Table},
    zobrist,
};

/// The layout of one board size in bitboards of `W` words.
///
/// Rows follow each other with one unused bit between them, so that a step to the left or right from the edge falls on an unused bit.
/// Bits ascend in row-major order.
#[derive(Debug)]
pub(crate) struct Geometry<const W: usize> {
    pub(crate) size: BoardSize,
    pub(crate) grid: Grid,
    /// The distance from a point to the one on its right: 1, but not known to the compiler, which would choose slow instructions.
    step: u32,
    pub(crate) on_board: Bitboard<W>,
    /// The points with fewer than four neighbours.
    pub(crate) edge: Bitboard<W>,
    neighbours: Table<Bitboard<W>, W>,
    diagonals: Table<Bitboard<W>, W>,
    keys: Table<[u64; 2], W>,
}

/// Returns how many words a bitboard for this size needs. Every row has its unused bit, the last one too: tables with one entry for each bit
/// thus have an entry that belongs to no point.
pub(crate) const fn words(size: BoardSize) -> usize {
    ((size.width() + 1) * size.height()).div_ceil(64)
}

impl<const W: usize> Geometry<W> {
    /// Panics when `W` words are too few for the size.
    pub(crate) fn new(size: BoardSize) -> Self {
        assert!(words(size) <= W, "a {size} board needs bitboards of {} words, not {W}", words(size));
        let mut geometry = Self {
            size,
            grid: Grid::new(size),
            step: 1,
            on_board: Bitboard::EMPTY,
            edge: Bitboard::EMPTY,
            neighbours: Table::filled(Bitboard::EMPTY),
            diagonals: Table::filled(Bitboard::EMPTY),
            keys: Table::filled([0; 2]),
        };
        geometry.on_board = size.points().map(|point| geometry.bit(point)).collect();
        for point in size.points() {
            let bit = geometry.bit(point);
            geometry.neighbours[bit] = geometry.adjacent(Bitboard::single(bit));
            let row = geometry.left(Bitboard::single(bit)) | geometry.right(Bitboard::single(bit));
            geometry.diagonals[bit] = (geometry.row_up(row) | geometry.row_down(row)) & geometry.on_board;
            if geometry.neighbours[bit].count() < 4 {
                geometry.edge.insert(bit);
            }
            geometry.keys[bit] = Color::BOTH.map(|color| zobrist::key(color, point));
        }
        geometry
    }

    #[inline(always)]
    pub(crate) fn bit(&self, point: Point) -> usize {
        self.grid.bit(point)
    }

    #[inline(always)]
    pub(crate) fn point(&self, bit: usize) -> Point {
        self.grid.point(bit)
    }

    #[inline(always)]
    pub(crate) fn key(&self, color: Color, bit: usize) -> u64 {
        self.keys[bit][color.index()]
    }

    /// The neighbours of one point.
    #[inline(always)]
    pub(crate) fn neighbours(&self, bit: usize) -> &Bitboard<W> {
        &self.neighbours[bit]
    }

    /// The diagonal neighbours of one point.
    #[inline(always)]
    pub(crate) fn diagonals(&self, bit: usize) -> &Bitboard<W> {
        &self.diagonals[bit]
    }

    /// The bits of the four points beside the one on `bit`; outside the board those of no point, at most a row and one bit below the first
    /// or above the last (wrapping around below 0).
    #[inline(always)]
    pub(crate) fn beside(&self, bit: usize) -> [usize; 4] {
        let stride = self.stride();
        [bit.wrapping_sub(1), bit.wrapping_sub(stride), bit + 1, bit + stride]
    }

    /// The distance from a point to the one below it.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.grid.stride as usize
    }

    /// All points with a neighbour in `set`.
    #[inline(always)]
    pub(crate) fn adjacent(&self, set: Bitboard<W>) -> Bitboard<W> {
        self.adjacent_or_outside(set) & self.on_board
    }

    /// The same, and unused bits beside the board.
    #[inline(always)]
    pub(crate) fn adjacent_or_outside(&self, set: Bitboard<W>) -> Bitboard<W> {
        self.left(set) | self.right(set) | self.row_down(set) | self.row_up(set)
    }

    /// Every point moved one to the left.
    #[inline(always)]
    pub(crate) fn left(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.down(self.step)
    }

    /// Every point moved one to the right.
    #[inline(always)]
    pub(crate) fn right(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.up(self.step)
    }

    /// Every point moved to the next row.
    #[inline(always)]
    pub(crate) fn row_down(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.up(self.grid.stride)
    }

    /// Every point moved to the row before.
    #[inline(always)]
    pub(crate) fn row_up(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.down(self.grid.stride)
    }

    /// The points of `set`, in row-major order.
    pub(crate) fn points_of(&self, set: Bitboard<W>) -> impl Iterator<Item = Point> {
        set.iter().map(|bit| self.point(bit))
    }

    /// The set of these points, which must be on the board.
    pub(crate) fn set_of<'p>(&self, points: impl IntoIterator<Item = &'p Point>) -> Bitboard<W> {
        points.into_iter().map(|&point| self.bit(point)).collect()
    }

    /// The set whose points are given row by row: bit *c* of row *r* is the point in column *c* of row *r*. What lies beside the board is
    /// passed over.
    #[inline(always)]
    pub(crate) fn set_of_rows(&self, rows: impl IntoIterator<Item = u32>) -> Bitboard<W> {
        let mut words = [0_u64; W];
        let full = u64::MAX >> (64 - (self.grid.stride - 1));
        // The word that is being filled, in a register until it is full.
        let (mut index, mut word, mut filled) = (0, 0, 0);
        for row in rows.into_iter().take(self.size.height()) {
            let row = u64::from(row) & full;
            word |= row << filled;
            filled += self.grid.stride;
            if filled >= 64 {
                words[index] = word;
                index += 1;
                filled -= 64;
                word = row >> (self.grid.stride - filled);
            }
        }
        if filled > 0 {
            words[index] = word;
        }
        Bitboard::from_words(words)
    }

    /// The points of a set in row-major order: point *n* is bit *n*.
    #[inline(always)]
    pub(crate) fn bits_of(&self, set: Bitboard<W>) -> [u64; W] {
        *set.packed(self.on_board).words()
    }

    /// The points of a set row by row: the inverse of [`set_of_rows`](Self::set_of_rows).
    #[inline(always)]
    pub(crate) fn rows_of(&self, set: Bitboard<W>) -> [u32; BoardSize::MAX_SIDE] {
        let (stride, words) = (self.stride(), set.words());
        let mut rows = [0; BoardSize::MAX_SIDE];
        for (row, bits) in rows.iter_mut().take(self.size.height()).enumerate() {
            let (index, shift) = (row * stride / 64, row * stride % 64);
            let next = words.get(index + 1).copied().unwrap_or(0);
            let word = u128::from(words[index]) | u128::from(next) << 64;
            *bits = (word >> shift) as u32 & ((1 << (stride - 1)) - 1);
        }
        rows
    }
}

/// How bits of one board width turn into points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    stride: u32,
    /// 2¹⁶ / stride, rounded up.
    reciprocal: u32,
}

impl Grid {
    #[inline(always)]
    pub(crate) const fn new(size: BoardSize) -> Self {
        let stride = size.width() as u32 + 1;
        Self { stride, reciprocal: (1_u32 << 16).div_ceil(stride) }
    }

    #[inline(always)]
    pub(crate) const fn bit(self, point: Point) -> usize {
        (point.y as u32 * self.stride + point.x as u32) as usize
    }

    /// Divides by multiplication: exact because bit × stride < 2¹⁶.
    #[inline(always)]
    pub(crate) const fn point(self, bit: usize) -> Point {
        let rows = bit as u32 * self.reciprocal;
        Point::new((((rows & 0xffff) * self.stride) >> 16) as u8, (rows >> 16) as u8)
    }
}

impl<const W: usize> Geometry<W> {
    /// The points reached from `set` through points of `within`, in any number of steps (`set` itself included where it lies within).
    ///
    /// Each round goes along rows to the right to the end, by the carry of an addition, which the unused bit after each row stops; then up to
    /// three points to the left, and up to three rows up and down. So the number of rounds grows with the turns of the way, not with its
    /// points.
    #[inline]
    pub(crate) fn flood(&self, set: Bitboard<W>, within: Bitboard<W>) -> Bitboard<W> {
        let mut reached = set & within;
        // The points that are reached from two points to the right, from two rows above and from two rows below.
        let (right, above, below) =
            (within & within.down(1), within & self.row_down(within), within & self.row_up(within));
        loop {
            let mut grown = reached | within.without(within.plus(reached));
            grown |= grown.down(1) & within;
            grown |= grown.down(2) & right;
            grown |= (self.row_down(grown) | self.row_up(grown)) & within;
            grown |= grown.up(2 * self.grid.stride) & above | grown.down(2 * self.grid.stride) & below;
            // Not `==`, for which the compiler moves all words between kinds of registers in every round.
            if (grown ^ reached).is_empty() {
                return reached;
            }
            reached = grown;
        }
    }

    /// The connected parts of `set`, each found from its lowest bit.
    #[inline]
    pub(crate) fn parts(&self, set: Bitboard<W>) -> impl Iterator<Item = Bitboard<W>> {
        let mut rest = set;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let part = self.flood(rest.lowest(), rest);
            rest = rest.without(part);
            Some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_match_coordinates_on_all_sizes() {
        for width in 1..=25 {
            for height in 1..=25 {
                let size = BoardSize::new(width, height).unwrap();
                let geometry = Geometry::<11>::new(size);
                assert_eq!(geometry.on_board.count() as usize, size.point_count());
                for point in size.points() {
                    let bit = geometry.bit(point);
                    assert_eq!(geometry.point(bit), point);
                    let is_near = |other: &Point| point.x.abs_diff(other.x) + point.y.abs_diff(other.y) == 1;
                    let expected: Bitboard<11> =
                        size.points().filter(is_near).map(|other| geometry.bit(other)).collect();
                    assert_eq!(geometry.adjacent(Bitboard::single(bit)), expected);
                    let is_point = |bit: &usize| *bit < 704 && geometry.on_board.contains(*bit);
                    let found: Bitboard<11> = geometry.beside(bit).into_iter().filter(is_point).collect();
                    assert_eq!(found, expected);
                }
            }
        }
    }
}
