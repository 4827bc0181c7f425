//! One vector for each row of the board.

use std::ops::{Index, IndexMut};

use crate::{BoardSize, simd::Vector};

/// How many rows a board has, known when compiling or not.
///
/// Loops over a number of rows that is known are unrolled: worth it for the sizes that are played most.
pub(super) trait Rows: Copy {
    /// Number of rows.
    fn count(self) -> usize;
}

/// A number of rows known when compiling.
#[derive(Clone, Copy)]
pub(super) struct Fixed<const ROWS: usize>;

impl<const ROWS: usize> Rows for Fixed<ROWS> {
    #[inline(always)]
    fn count(self) -> usize {
        ROWS
    }
}

/// Any number of rows.
#[derive(Clone, Copy)]
pub(super) struct Any(pub(super) usize);

impl Rows for Any {
    #[inline(always)]
    fn count(self) -> usize {
        self.0
    }
}

/// Rows of the largest board, one above and one below, and one more. Sixteen fields of 28 vectors side by side begin four vectors or more apart
/// within their pages; of 27, some had the same row at the same place in different pages, which processors take for the same address at first.
const PADDED: usize = BoardSize::MAX_SIDE + 3;

/// A set of points in every game: row *r* of the board is element *r* + 1; elements 0 and *rows* + 1 lie outside.
#[derive(Clone, Copy)]
pub(super) struct Field<V>([V; PADDED]);

impl<V: Vector> Field<V> {
    /// The same value in every row.
    pub(super) fn splat(value: V) -> Self {
        Self([value; PADDED])
    }

    /// The value that the function gives for each row.
    pub(super) fn from_fn(value: impl FnMut(usize) -> V) -> Self {
        Self(std::array::from_fn(value))
    }
}

impl<V> Index<usize> for Field<V> {
    type Output = V;

    #[inline(always)]
    fn index(&self, row: usize) -> &V {
        &self.0[row]
    }
}

impl<V> IndexMut<usize> for Field<V> {
    #[inline(always)]
    fn index_mut(&mut self, row: usize) -> &mut V {
        &mut self.0[row]
    }
}
