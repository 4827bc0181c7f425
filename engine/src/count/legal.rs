//! Legal positions, and the moves in them.

use super::{CountError, Pace, Report, positions::for_each_position};
use crate::{BoardSize, Color, Suicide, zobrist::MixMap};

/// The most points along the shorter side.
const MAX_SHORTER_SIDE: usize = 8;

/// Number of legal positions of an empty grid of this size: colourings in which every chain has a liberty.
///
/// Reads the board point by point. What matters of the points read is only the border, one point per column: its colour, and for a stone
/// whose chain has no liberty yet, which other border stones belong to the same chain. Chains that have a liberty need no names.
/// Colourings that differ by exchanging the colours are counted together.
///
/// A step of progress is one border state extended by one point. Cost: for a square board about a fifth of a second at 7×7 and some
/// seconds at 8×8, growing by a factor of about 8 per side; memory grows by a factor of about 6 per side.
///
/// # Errors
/// - [`CountError::TooLarge`] when the shorter side exceeds 8, for want of memory;
/// - [`CountError::Overflow`] from about 80 points on, where the number needs more than 128 bits;
/// - [`CountError::Stopped`].
///
/// # Source
/// John Tromp and Gunnar Farnebäck, *Combinatorics of Go* (2016), section on counting legal positions.
///
/// # Examples
/// ```
/// use jigo_engine::{BoardSize, count::legal_positions};
/// use std::ops::ControlFlow;
/// let size = BoardSize::square(5).unwrap();
/// assert_eq!(legal_positions(size, &mut |_| ControlFlow::Continue(())), Ok(414_295_148_741));
/// ```
pub fn legal_positions(size: BoardSize, report: Report<'_>) -> Result<u128, CountError> {
    let columns = size.width().min(size.height());
    if columns > MAX_SHORTER_SIDE {
        let limit = "the count needs gigabytes of memory where the shorter side has more than 8 points";
        return Err(CountError::TooLarge { size, limit });
    }
    let mut pace = Pace::new(report);
    let mut states: MixMap<u64, u128> = MixMap::default();
    states.insert(Border::beside_the_board(columns).key(), 1);
    for step in 0..size.point_count() {
        let mut next: MixMap<u64, u128> = MixMap::default();
        next.reserve(states.len());
        for (&key, &count) in &states {
            pace.step()?;
            for sign in [EMPTY, BLACK, WHITE] {
                if let Some(border) = Border::from_key(key, columns).read(step % columns, sign) {
                    let total = next.entry(border.key()).or_default();
                    *total = total.checked_add(count).ok_or(CountError::Overflow)?;
                }
            }
        }
        states = next;
    }
    let complete = states.iter().filter(|&(&key, _)| Border::from_key(key, columns).is_complete());
    complete
        .map(|(_, &count)| count)
        .try_fold(0, |total: u128, count| total.checked_add(count).ok_or(CountError::Overflow))
}

const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;
/// Above the first row.
const BESIDE: u8 = 3;

/// The last point read in each column.
#[derive(Clone, Copy)]
struct Border {
    columns: usize,
    signs: [u8; MAX_SHORTER_SIDE],
    /// The chain of a stone without a liberty so far, from 1; 0 for everything else.
    chains: [u8; MAX_SHORTER_SIDE],
}

impl Border {
    fn beside_the_board(columns: usize) -> Self {
        Self { columns, signs: [BESIDE; MAX_SHORTER_SIDE], chains: [0; MAX_SHORTER_SIDE] }
    }

    /// Puts the next point, in column `at`, in place of the one above it. `None` when that leaves a chain without liberties for good.
    fn read(mut self, at: usize, sign: u8) -> Option<Self> {
        let above = (self.signs[at], self.chains[at]);
        let beside = if at > 0 { (self.signs[at - 1], self.chains[at - 1]) } else { (BESIDE, 0) };
        let strangled = above.1 != 0 && (0..self.columns).all(|x| x == at || self.chains[x] != above.1);
        if strangled && sign != EMPTY && sign != above.0 {
            return None;
        }
        self.signs[at] = sign;
        if sign == EMPTY {
            self.rename([above.1, beside.1], 0);
            self.chains[at] = 0;
            return Some(self);
        }
        let breathes = |near: (u8, u8)| near.0 == EMPTY || near.0 == sign && near.1 == 0;
        let joined = [above, beside].map(|near| if near.0 == sign { near.1 } else { 0 });
        // A name that no chain of the border has; names are dense before this point is read.
        let fresh = self.columns as u8 + 1;
        let name = if breathes(above) || breathes(beside) { 0 } else { fresh };
        self.rename(joined, name);
        self.chains[at] = name;
        Some(self)
    }

    fn rename(&mut self, chains: [u8; 2], name: u8) {
        for chain in &mut self.chains[..self.columns] {
            if *chain != 0 && chains.contains(chain) {
                *chain = name;
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.chains == [0; MAX_SHORTER_SIDE]
    }

    /// Six bits per column, with chains named in the order of their first stones and the first stone black.
    fn key(&self) -> u64 {
        let mut names = [0_u8; MAX_SHORTER_SIDE + 2];
        let mut named = 0;
        let first = self.signs.iter().find(|&&sign| sign == BLACK || sign == WHITE);
        let swaps = first == Some(&WHITE);
        (0..self.columns).fold(0, |key, x| {
            let chain = usize::from(self.chains[x]);
            if chain != 0 && names[chain] == 0 {
                named += 1;
                names[chain] = named;
            }
            let sign = match self.signs[x] {
                BLACK if swaps => WHITE,
                WHITE if swaps => BLACK,
                sign => sign,
            };
            key << 6 | u64::from(names[chain]) << 2 | u64::from(sign)
        })
    }

    fn from_key(mut key: u64, columns: usize) -> Self {
        let mut border = Self::beside_the_board(columns);
        for x in (0..columns).rev() {
            border.signs[x] = (key & 3) as u8;
            border.chains[x] = (key >> 2 & 15) as u8;
            key >>= 6;
        }
        border
    }
}

/// The stones that could be played on the empty points of all legal positions, each position once with Black and once with White to move.
/// Ko is not considered: positions have no history here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveTotals {
    /// Moves that leave the new stone on the board.
    pub no_suicides: u64,
    /// Moves that would remove the mover's own chain of two or more stones.
    pub chain_suicides: u64,
    /// Moves that would remove just the stone played.
    pub stone_suicides: u64,
    /// Moves that remove opposing stones; all are among `no_suicides`.
    pub captures: u64,
}

/// Adds up the moves of both colours over all legal positions.
///
/// A step of progress is one colouring. Cost: 3^points set-ups of a board, and the moves of each legal position.
///
/// # Errors
/// [`CountError::TooLarge`] above 12 points, [`CountError::Stopped`].
///
/// # Examples
/// ```
/// use jigo_engine::{BoardSize, count::{MoveTotals, move_totals}};
/// use std::ops::ControlFlow;
/// let totals = move_totals(BoardSize::new(2, 1).unwrap(), &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!(totals, MoveTotals { no_suicides: 8, chain_suicides: 4, stone_suicides: 0, captures: 4 });
/// ```
pub fn move_totals(size: BoardSize, report: Report<'_>) -> Result<MoveTotals, CountError> {
    let mut totals = MoveTotals::default();
    for_each_position(size, Suicide::Allowed, &mut Pace::new(report), &mut |board| {
        for color in Color::BOTH {
            for bit in board.empty().iter() {
                let captures = !board.captured_by(color, bit).is_empty();
                match board.given_up_by(color, bit).count() {
                    _ if captures => totals.captures += 1,
                    0 => totals.no_suicides += 1,
                    1 => totals.stone_suicides += 1,
                    _ => totals.chain_suicides += 1,
                }
            }
        }
    })?;
    totals.no_suicides += totals.captures;
    Ok(totals)
}
