//! What stands around each point, counted.

use crate::{BoardSize, Color, Point, geometry::Grid};

/// What is known around one point, in 16 bits: from the lowest, three bits each, how many of its neighbours are empty, black, white, and
/// how many of its diagonal neighbours black, white; then whether the point itself is occupied.
///
/// Neighbours outside the board count as both black and white, and being on the edge as one diagonal stone of each colour: so the test for
/// [eye-like](super::Board::is_eye_like) points is the same everywhere. What lies outside is occupied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Around(u16);

const EMPTY: u16 = 1;
const BESIDE: [u16; 2] = [1 << 3, 1 << 6];
const DIAGONAL: [u16; 2] = [1 << 9, 1 << 12];
const OCCUPIED: u16 = 1 << 15;
const OUTSIDE: u16 = OCCUPIED | (4 * EMPTY);

impl Around {
    /// A point of the empty board.
    fn at_start(point: Point, size: BoardSize) -> Self {
        let is_inside = |&(x, y): &(u8, u8)| size.contains(Point::new(x, y));
        let Point { x, y } = point;
        let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let empty = beside.iter().filter(|near| is_inside(near)).count() as u16;
        let outside = 4 - empty;
        let edge = u16::from(outside > 0);
        Self(empty * EMPTY + outside * (BESIDE[0] + BESIDE[1]) + edge * (DIAGONAL[0] + DIAGONAL[1]))
    }

    /// Whether a neighbour is empty.
    #[inline(always)]
    pub(super) fn has_empty(self) -> bool {
        self.0 & (7 * EMPTY) != 0
    }

    /// Whether a stone stands on the point.
    #[inline(always)]
    pub(super) fn is_occupied(self) -> bool {
        self.0 & OCCUPIED != 0
    }

    /// Whether the point is empty and eye-like for `color`: four neighbours of that colour, at most one opposing diagonal one.
    #[inline(always)]
    pub(super) fn is_eye_like(self, color: Color) -> bool {
        Four(u64::from(self.0)).eye_like(color).0 & u64::from(OCCUPIED) != 0
    }
}

/// Four points at once: a lane of 16 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Four(u64);

impl Four {
    #[inline(always)]
    const fn all(lane: u16) -> u64 {
        lane as u64 * 0x0001_0001_0001_0001
    }

    const fn lanes(lanes: [u16; 4]) -> u64 {
        lanes[0] as u64 | (lanes[1] as u64) << 16 | (lanes[2] as u64) << 32 | (lanes[3] as u64) << 48
    }

    /// The high bit of each lane that is eye-like for `color`.
    #[inline(always)]
    fn eye_like(self, color: Color) -> Self {
        let (own, opposing) = (BESIDE[color.index()], DIAGONAL[color.opponent().index()]);
        // Zero in the lanes in question; elsewhere the addition or the lane itself sets the high bit.
        let differs = self.0 & Self::all((7 * own) | (6 * opposing) | OCCUPIED) ^ Self::all(4 * own);
        let low = Self::all(!OCCUPIED);
        Self(!(((differs & low) + low) | differs) & Self::all(OCCUPIED))
    }
}

/// The neighbours of a point, or the diagonal ones, that became eye-like or ceased to be so: the high bit of a lane each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changed {
    pub(super) beside: u64,
    pub(super) diagonal: u64,
}

impl Changed {
    #[inline(always)]
    pub(super) fn is_none(self) -> bool {
        self.beside | self.diagonal == 0
    }
}

/// Entries before the first point: enough for a row and one point.
const MARGIN: usize = 32;
/// Enough for the largest board, its margins, and reading four entries at once.
const ENTRIES: usize = 768;

/// [`Around`] for every bit, in little-endian bytes, with a margin on both sides. Three points in a row are updated as one word.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    bytes: [u8; 2 * ENTRIES],
}

/// What a stone adds in its row and in the rows above and below.
const SAME_ROW: [u64; 2] = [same_row(0), same_row(1)];
const NEXT_ROW: [u64; 2] = [next_row(0), next_row(1)];

const fn same_row(color: usize) -> u64 {
    let beside = BESIDE[color] - EMPTY;
    Four::lanes([beside, OCCUPIED, beside, 0])
}

const fn next_row(color: usize) -> u64 {
    Four::lanes([DIAGONAL[color], BESIDE[color] - EMPTY, DIAGONAL[color], 0])
}

impl Surroundings {
    /// The empty board.
    pub(super) fn at_start(size: BoardSize) -> Self {
        let mut bytes = [0; 2 * ENTRIES];
        bytes.chunks_exact_mut(2).for_each(|entry| entry.copy_from_slice(&OUTSIDE.to_le_bytes()));
        for point in size.points() {
            let at = 2 * (MARGIN + Grid::new(size).bit(point));
            bytes[at..at + 2].copy_from_slice(&Around::at_start(point, size).0.to_le_bytes());
        }
        Self { bytes }
    }

    #[inline(always)]
    pub(super) fn get(&self, bit: usize) -> Around {
        let at = 2 * (MARGIN + bit);
        Around(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]))
    }

    /// The entries of a point's row, from the one before it.
    #[inline(always)]
    fn row(&mut self, first: usize) -> &mut [u8; 8] {
        let at = 2 * first;
        (&mut self.bytes[at..at + 8]).try_into().expect("eight bytes")
    }

    /// Notes a stone of `color` put on `bit`. Returns the points beside it that are eye-like for its colour now, and the diagonal ones that no
    /// longer are for the other.
    #[inline(always)]
    pub(super) fn place(&mut self, bit: usize, color: Color, stride: usize) -> Changed {
        let (before, after) = self.update(bit, stride, |row, change| row.wrapping_add(change[color.index()]));
        let opponent = color.opponent();
        let lost = before.diagonal().eye_like(opponent).0 & !after.diagonal().eye_like(opponent).0;
        Changed { beside: after.beside().eye_like(color).0, diagonal: lost }
    }

    /// Notes a stone of `color` taken off `bit`. Returns the points beside it that were eye-like for its colour, and the diagonal ones that
    /// are now for the other.
    #[inline(always)]
    pub(super) fn remove(&mut self, bit: usize, color: Color, stride: usize) -> Changed {
        let (before, after) = self.update(bit, stride, |row, change| row.wrapping_sub(change[color.index()]));
        Changed {
            beside: before.beside().eye_like(color).0,
            diagonal: after.diagonal().eye_like(color.opponent()).0,
        }
    }

    #[inline(always)]
    fn update(
        &mut self,
        bit: usize,
        stride: usize,
        change: impl Fn(u64, &[u64; 2]) -> u64,
    ) -> (Block, Block) {
        let middle = MARGIN + bit - 1;
        let mut rows = [(0, 0); 3];
        for (at, row) in rows.iter_mut().enumerate() {
            let bytes = self.row(middle + at * stride - stride);
            let before = u64::from_le_bytes(*bytes);
            let after = change(before, if at == 1 { &SAME_ROW } else { &NEXT_ROW });
            *bytes = after.to_le_bytes();
            *row = (before, after);
        }
        (Block(rows.map(|row| row.0)), Block(rows.map(|row| row.1)))
    }

    /// The bits of the points that these lanes stand for.
    #[inline(always)]
    pub(super) fn beside(lanes: u64, bit: usize, stride: usize) -> impl Iterator<Item = usize> {
        Self::marked(lanes, [bit.wrapping_sub(1), bit.wrapping_sub(stride), bit + 1, bit + stride])
    }

    /// The same for diagonal neighbours.
    #[inline(always)]
    pub(super) fn diagonal(lanes: u64, bit: usize, stride: usize) -> impl Iterator<Item = usize> {
        let (above, below) = (bit.wrapping_sub(stride), bit + stride);
        Self::marked(lanes, [above.wrapping_sub(1), below - 1, above + 1, below + 1])
    }

    #[inline(always)]
    fn marked(lanes: u64, bits: [usize; 4]) -> impl Iterator<Item = usize> {
        (0..4).filter(move |lane| lanes >> (16 * lane + 15) & 1 != 0).map(move |lane| bits[lane])
    }
}

/// The entries of a point and the eight around it, in three rows from the top; the fourth lane of each is another point's.
#[derive(Clone, Copy)]
struct Block([u64; 3]);

impl Block {
    /// The points beside the middle: left, above, right, below.
    #[inline(always)]
    fn beside(self) -> Four {
        let [above, same, below] = self.0;
        let middle = Four::lanes([0, !0, 0, 0]);
        Four(same & Four::lanes([!0, 0, !0, 0]) | above & middle | (below & middle) << 32)
    }

    /// The diagonal ones: above left, below left, above right, below right.
    #[inline(always)]
    fn diagonal(self) -> Four {
        let [above, _, below] = self.0;
        let outer = Four::lanes([!0, 0, !0, 0]);
        Four(above & outer | (below & outer) << 16)
    }
}
