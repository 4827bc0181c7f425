//! Which bit is which point, and what lies next to it.

use crate::{BoardSize, Color, Point, bitboard::Bitboard, zobrist};

/// The layout of one board size in bitboards of `W` words.
///
/// Rows follow each other with one unused bit between them, so that a step to the left or right from the edge falls on an unused bit.
/// Bits ascend in row-major order.
#[derive(Debug)]
pub(crate) struct Geometry<const W: usize> {
    pub(crate) size: BoardSize,
    stride: u32,
    pub(crate) on_board: Bitboard<W>,
    /// Points with fewer than four neighbours.
    pub(crate) edge: Bitboard<W>,
    neighbours: Box<[Bitboard<W>]>,
    points: Box<[Point]>,
    keys: [Box<[u64]>; 2],
}

/// Words that a bitboard for this size needs.
pub(crate) const fn words(size: BoardSize) -> usize {
    ((size.width() + 1) * size.height() - 1).div_ceil(64)
}

impl<const W: usize> Geometry<W> {
    /// # Panics
    /// When `W` words are too few for the size.
    pub(crate) fn new(size: BoardSize) -> Self {
        assert!(words(size) <= W, "a {size} board needs bitboards of {} words, not {W}", words(size));
        let stride = size.width() + 1;
        let bits = stride * size.height();
        let points: Box<[Point]> =
            (0..bits).map(|bit| Point::new((bit % stride) as u8, (bit / stride) as u8)).collect();
        let bit = |point: Point| point.y as usize * stride + point.x as usize;
        let on_edge = |point: &Point| {
            point.x == 0
                || point.y == 0
                || point.x as usize + 1 == size.width()
                || point.y as usize + 1 == size.height()
        };
        let on_board: Bitboard<W> = size.points().map(bit).collect();
        let keys = Color::BOTH.map(|color| {
            let key = |&point| if size.contains(point) { zobrist::key(color, point) } else { 0 };
            points.iter().map(key).collect()
        });
        let mut geometry = Self {
            size,
            stride: stride as u32,
            on_board,
            edge: size.points().filter(on_edge).map(bit).collect(),
            neighbours: Box::default(),
            points,
            keys,
        };
        let neighbours = |bit| {
            if on_board.contains(bit) { geometry.adjacent(Bitboard::single(bit)) } else { Bitboard::EMPTY }
        };
        geometry.neighbours = (0..bits - 1).map(neighbours).collect();
        geometry
    }

    #[inline]
    pub(crate) fn bit(&self, point: Point) -> usize {
        point.y as usize * self.stride as usize + point.x as usize
    }

    #[inline]
    pub(crate) fn point(&self, bit: usize) -> Point {
        self.points[bit]
    }

    #[inline]
    pub(crate) fn key(&self, color: Color, bit: usize) -> u64 {
        self.keys[color.index()][bit]
    }

    /// The neighbours of one point.
    #[inline]
    pub(crate) fn neighbours(&self, bit: usize) -> Bitboard<W> {
        self.neighbours[bit]
    }

    /// All points with a neighbour in `set`.
    #[inline]
    pub(crate) fn adjacent(&self, set: Bitboard<W>) -> Bitboard<W> {
        (set.up(1) | set.down(1) | set.up(self.stride) | set.down(self.stride)) & self.on_board
    }

    /// For each point the number of its diagonal neighbours in `set`, as two sets: at least one, at least two.
    #[inline]
    pub(crate) fn diagonal_counts(&self, set: Bitboard<W>) -> (Bitboard<W>, Bitboard<W>) {
        let (below, above) = (set.up(self.stride), set.down(self.stride));
        let (a, b, c, d) = (below.up(1), below.down(1), above.up(1), above.down(1));
        let (ab, cd) = (a | b, c | d);
        (ab | cd, a & b | c & d | ab & cd)
    }

    /// Every point moved to the next row.
    #[inline]
    pub(crate) fn row_down(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.up(self.stride)
    }

    /// Every point moved to the row before.
    #[inline]
    pub(crate) fn row_up(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.down(self.stride)
    }

    /// Every point moved to the next row but one.
    #[inline]
    pub(crate) fn two_rows_down(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.up(2 * self.stride)
    }

    /// Every point moved to the row before the one before.
    #[inline]
    pub(crate) fn two_rows_up(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.down(2 * self.stride)
    }

    /// The points of `set`, in row-major order.
    pub(crate) fn points_of(&self, set: Bitboard<W>) -> impl Iterator<Item = Point> {
        set.iter().map(|bit| self.point(bit))
    }

    /// The set whose points are given row by row: bit *c* of row *r* is the point in column *c* of row *r*. What lies beside the board is
    /// passed over.
    #[inline]
    pub(crate) fn set_of_rows(&self, rows: impl IntoIterator<Item = u32>) -> Bitboard<W> {
        let mut words = [0_u64; W];
        let full = u64::MAX >> (64 - (self.stride - 1));
        let mut bit = 0;
        for row in rows.into_iter().take(self.size.height()) {
            let row = u64::from(row) & full;
            words[bit / 64] |= row << (bit % 64);
            let carried = row >> 1 >> (63 - bit % 64);
            if carried != 0 {
                words[bit / 64 + 1] |= carried;
            }
            bit += self.stride as usize;
        }
        Bitboard::from_words(words)
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
                    let near = |other: &Point| point.x.abs_diff(other.x) + point.y.abs_diff(other.y) == 1;
                    let expected: Bitboard<11> =
                        size.points().filter(near).map(|other| geometry.bit(other)).collect();
                    assert_eq!(geometry.neighbours(geometry.bit(point)), expected);
                    assert_eq!(geometry.edge.contains(geometry.bit(point)), expected.count() < 4);
                }
            }
        }
    }
}
