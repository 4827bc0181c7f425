//! One value for each bit of a bitboard.

use std::ops::{Index, IndexMut};

/// An array with as many entries as a [`Bitboard`](crate::bitboard::Bitboard) of `W` words has bits, aligned so that entries of 16 bytes lie in
/// one cache line each.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Table<T, const W: usize>([[T; 64]; W]);

impl<T: Copy, const W: usize> Table<T, W> {
    pub(crate) const fn filled(value: T) -> Self {
        Self([[value; 64]; W])
    }
}

impl<T, const W: usize> Index<usize> for Table<T, W> {
    type Output = T;

    #[inline(always)]
    fn index(&self, bit: usize) -> &T {
        &self.0.as_flattened()[bit]
    }
}

impl<T, const W: usize> IndexMut<usize> for Table<T, W> {
    #[inline(always)]
    fn index_mut(&mut self, bit: usize) -> &mut T {
        &mut self.0.as_flattened_mut()[bit]
    }
}

/// Entries before the first bit's: enough for a row and one point.
const MARGIN: usize = 32;
/// Enough for the largest board and its margins.
const ENTRIES: usize = 768;

/// One value for each point, and for the bits up to a row before the first and after the last.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Padded<T>([T; ENTRIES]);

impl<T: Copy> Padded<T> {
    pub(crate) const fn filled(value: T) -> Self {
        Self([value; ENTRIES])
    }

    /// Takes over the entries that bitboards of `W` words need; those after them are never written.
    #[inline(always)]
    pub(crate) fn copy_from<const W: usize>(&mut self, other: &Self) {
        let used = (64 * W + 2 * MARGIN).min(ENTRIES);
        self.0[..used].copy_from_slice(&other.0[..used]);
    }

    /// The entries on the left, above, on the right, and below.
    #[inline(always)]
    pub(crate) fn beside(&self, bit: usize, stride: usize) -> [T; 4] {
        // Strides are less than the margin; said in this way, one test of the bounds is enough.
        let stride = stride % MARGIN;
        let near: &[T; 2 * MARGIN] = self.0[bit..bit + 2 * MARGIN].try_into().expect("this many entries");
        [near[MARGIN - 1], near[MARGIN - stride], near[MARGIN + 1], near[MARGIN + stride]]
    }
}

impl<T> Index<usize> for Padded<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, bit: usize) -> &T {
        &self.0[bit.wrapping_add(MARGIN)]
    }
}

impl<T> IndexMut<usize> for Padded<T> {
    #[inline(always)]
    fn index_mut(&mut self, bit: usize) -> &mut T {
        &mut self.0[bit.wrapping_add(MARGIN)]
    }
}
