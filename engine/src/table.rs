//! One value for each bit of a bitboard.

use std::ops::{Index, IndexMut};

/// An array with as many entries as a [`Bitboard`](crate::bitboard::Bitboard) of `W` words has bits.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Table<T, const W: usize>([[T; 64]; W]);

impl<T: Copy, const W: usize> Table<T, W> {
    pub(crate) const fn filled(value: T) -> Self {
        Self([[value; 64]; W])
    }

    #[inline(always)]
    pub(crate) fn swap(&mut self, one: usize, two: usize) {
        (self[one], self[two]) = (self[two], self[one]);
    }

    /// The entries for the lowest bits, one after the other; the rest keeps its value.
    pub(crate) fn fill_with(&mut self, values: impl IntoIterator<Item = T>) {
        self.0.as_flattened_mut().iter_mut().zip(values).for_each(|(entry, value)| *entry = value);
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
pub(crate) struct Padded<T>([T; ENTRIES]);

impl<T: Copy> Padded<T> {
    pub(crate) const fn filled(value: T) -> Self {
        Self([value; ENTRIES])
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
