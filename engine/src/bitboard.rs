//! Sets of points as bits, `W` words of 64, and tables with one entry for each bit.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Index, IndexMut, Not};

use crate::simd::{extract_bits, nth_bit};

/// A set of bits, numbered from 0 in the lowest bit of the first word.
///
/// What a bit means is the [`Geometry`](crate::geometry::Geometry)'s business. Bits shifted out at either end are lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct Bitboard<const W: usize>([u64; W]);

impl<const W: usize> Bitboard<W> {
    /// Whether all words fit into a few registers, so that code without branches is the fastest.
    pub(crate) const IS_SHORT: bool = W <= 3;

    pub(crate) const EMPTY: Self = Self([0; W]);

    #[inline(always)]
    pub(crate) fn single(bit: usize) -> Self {
        let mut words = [0; W];
        words[bit / 64] = 1 << (bit % 64);
        Self(words)
    }

    /// As [`single`](Self::single) without an index, so that the words can stay in registers.
    #[inline(always)]
    pub(crate) fn single_in_registers(bit: usize) -> Self {
        let mut words = [0; W];
        for (index, word) in words.iter_mut().enumerate() {
            *word = u64::from(bit / 64 == index) << (bit % 64);
        }
        Self(words)
    }

    #[inline(always)]
    pub(crate) fn contains(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, bit: usize) {
        // Few words are written all at once: reading them so is faster then.
        if Self::IS_SHORT {
            *self |= Self::single_in_registers(bit);
        } else {
            self.0[bit / 64] |= 1 << (bit % 64);
        }
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, bit: usize) {
        if Self::IS_SHORT {
            self.remove_in_registers(bit);
        } else {
            self.0[bit / 64] &= !(1 << (bit % 64));
        }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub(crate) fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the set holds exactly one bit.
    #[inline(always)]
    pub(crate) fn is_single(&self) -> bool {
        let mut seen = 0;
        let mut several = 0;
        for &word in &self.0 {
            several |= word & word.wrapping_sub(1) | if seen != 0 { word } else { 0 };
            seen |= word;
        }
        seen != 0 && several == 0
    }

    /// The bits of `self` that are not in `other`.
    #[inline(always)]
    pub(crate) fn without(self, other: Self) -> Self {
        self.zip(other, |mine, theirs| mine & !theirs)
    }

    /// Takes the lowest bit out. Of few words it is found with no other branch than on whether there is one.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<usize> {
        if !Self::IS_SHORT {
            for (index, word) in self.0.iter_mut().enumerate() {
                if *word != 0 {
                    let bit = 64 * index + word.trailing_zeros() as usize;
                    *word &= *word - 1;
                    return Some(bit);
                }
            }
            return None;
        }
        if self.is_empty() {
            return None;
        }
        let first = self.first_in_registers();
        *self = self.without_first();
        Some(first)
    }

    /// As [`first`](Self::first) without branches; some bit of the last word if the set is empty.
    #[inline(always)]
    fn first_in_registers(&self) -> usize {
        let (mut start, mut found) = (0, 0);
        for (index, &word) in self.0.iter().enumerate().rev() {
            start = if word != 0 { 64 * index } else { start };
            found = if word != 0 { word } else { found };
        }
        start + (found.trailing_zeros() & 63) as usize
    }

    /// The set without its lowest bit.
    #[inline(always)]
    fn without_first(self) -> Self {
        let mut borrow = true;
        let mut words = self.0;
        for word in &mut words {
            let less;
            (less, borrow) = word.overflowing_sub(u64::from(borrow));
            *word &= less;
        }
        Self(words)
    }

    /// The set itself if `condition` holds, else the empty one, without a branch.
    #[inline(always)]
    pub(crate) fn only_if(self, condition: bool) -> Self {
        Self(self.0.map(|word| word & u64::from(condition).wrapping_neg()))
    }

    /// The lowest bit. The set must not be empty.
    #[inline(always)]
    pub(crate) fn first(&self) -> usize {
        for (index, &word) in self.0.iter().enumerate() {
            if word != 0 {
                return index * 64 + word.trailing_zeros() as usize;
            }
        }
        unreachable!("an empty set has no first bit")
    }

    /// The `rank`-th bit in ascending order, from 0. Which word it is in is found without branches, because a random rank would mislead the
    /// processor's guesses, and without an index, so that the words can stay in registers. Panics when the set has no more bits than `rank`.
    #[inline(always)]
    pub(crate) fn nth(&self, rank: u32) -> usize {
        let (mut start, mut found, mut before, mut sum) = (0, self.0[0], 0, 0);
        for (index, &word) in self.0.iter().enumerate() {
            let is_later = rank >= sum;
            start = if is_later { 64 * index } else { start };
            found = if is_later { word } else { found };
            before = if is_later { sum } else { before };
            sum += word.count_ones();
        }
        assert!(rank < sum, "the set has no more than {rank} bits");
        start + nth_bit(found, rank - before) as usize
    }

    /// The bits at the positions of the `mask`, packed from the lowest bit up: bit *n* is that at the mask's *n*-th position.
    #[inline(always)]
    pub(crate) fn packed(self, mask: Self) -> Self {
        let (mut words, mut filled) = ([0; W], 0);
        for (&word, &mask) in self.0.iter().zip(&mask.0) {
            let bits = extract_bits(word, mask);
            let (index, shift) = (filled / 64, filled % 64);
            if index < W {
                words[index] |= bits << shift;
            }
            if shift > 0 && index + 1 < W {
                words[index + 1] |= bits >> (64 - shift);
            }
            filled += mask.count_ones() as usize;
        }
        Self(words)
    }

    /// As [`remove`](Self::remove) without an index, so that the words can stay in registers. Bits beyond the set are passed over.
    #[inline(always)]
    pub(crate) fn remove_in_registers(&mut self, bit: usize) {
        for (index, word) in self.0.iter_mut().enumerate() {
            *word &= !(u64::from(bit / 64 == index) << (bit % 64));
        }
    }

    /// Every bit moved `distance` places up. `distance` must be between 1 and 63.
    #[inline(always)]
    pub(crate) fn up(self, distance: u32) -> Self {
        let mut words = [0; W];
        for (index, word) in words.iter_mut().enumerate() {
            let carried = if index > 0 { self.0[index - 1] >> (64 - distance) } else { 0 };
            *word = self.0[index] << distance | carried;
        }
        Self(words)
    }

    /// Every bit moved `distance` places down. `distance` must be between 1 and 63.
    #[inline(always)]
    pub(crate) fn down(self, distance: u32) -> Self {
        let mut words = [0; W];
        for (index, word) in words.iter_mut().enumerate() {
            let carried = if index + 1 < W { self.0[index + 1] << (64 - distance) } else { 0 };
            *word = self.0[index] >> distance | carried;
        }
        Self(words)
    }

    /// The bits in ascending order.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| index * 64 + rest.trailing_zeros() as usize)
        })
    }

    #[inline(always)]
    fn zip(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, &theirs) in words.iter_mut().zip(&other.0) {
            *word = combine(*word, theirs);
        }
        Self(words)
    }
}

/// The words themselves, lowest bits first.
impl<const W: usize> Bitboard<W> {
    #[inline]
    pub(crate) const fn from_words(words: [u64; W]) -> Self {
        Self(words)
    }

    #[inline]
    pub(crate) const fn words(&self) -> &[u64; W] {
        &self.0
    }

    /// Whether the set holds at least two bits.
    #[inline]
    pub(crate) fn has_several(self) -> bool {
        !self.without(self.lowest()).is_empty()
    }

    /// The sum of the two as numbers; what does not fit is lost.
    #[inline]
    pub(crate) fn plus(self, other: Self) -> Self {
        let mut carry = false;
        let mut words = self.0;
        for (word, &theirs) in words.iter_mut().zip(&other.0) {
            (*word, carry) = word.carrying_add(theirs, carry);
        }
        Self(words)
    }

    /// The lowest bit alone; nothing if there is none.
    #[inline]
    pub(crate) fn lowest(self) -> Self {
        let mut words = [0; W];
        for (lowest, word) in words.iter_mut().zip(self.0) {
            *lowest = word & word.wrapping_neg();
            if word != 0 {
                break;
            }
        }
        Self(words)
    }
}

impl<const W: usize> FromIterator<usize> for Bitboard<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(bits: I) -> Self {
        let mut set = Self::EMPTY;
        bits.into_iter().for_each(|bit| set.insert(bit));
        set
    }
}

macro_rules! bitwise {
    ($operator:ident $method:ident, $assigning:ident $assign:ident) => {
        impl<const W: usize> $operator for Bitboard<W> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, u64::$method)
            }
        }
        impl<const W: usize> $assigning for Bitboard<W> {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = (*self).$method(other);
            }
        }
    };
}
bitwise!(BitAnd bitand, BitAndAssign bitand_assign);
bitwise!(BitOr bitor, BitOrAssign bitor_assign);
bitwise!(BitXor bitxor, BitXorAssign bitxor_assign);

impl<const W: usize> Not for Bitboard<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(u64::not))
    }
}

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn behaves_like_a_set(bits: BTreeSet<usize>, other: BTreeSet<usize>, distance in 1u32..64) {
            let bits: BTreeSet<usize> = bits.into_iter().map(|bit| bit % 192).collect();
            let other: BTreeSet<usize> = other.into_iter().map(|bit| bit % 192).collect();
            let set: Bitboard<3> = bits.iter().copied().collect();
            let theirs: Bitboard<3> = other.iter().copied().collect();
            prop_assert!(set.iter().eq(bits.iter().copied()));
            prop_assert_eq!(set.count() as usize, bits.len());
            prop_assert_eq!(set.is_single(), bits.len() == 1);
            prop_assert_eq!(set.is_empty(), bits.is_empty());
            prop_assert!(set.without(theirs).iter().eq(bits.difference(&other).copied()));
            prop_assert!((set & theirs).iter().eq(bits.intersection(&other).copied()));
            prop_assert!((set | theirs).iter().eq(bits.union(&other).copied()));
            let mut rest = set;
            prop_assert!(std::iter::from_fn(|| rest.pop()).eq(bits.iter().copied()));
            for (rank, &bit) in bits.iter().enumerate() {
                prop_assert_eq!(set.nth(rank as u32), bit);
                prop_assert!(set.contains(bit));
            }
            let moved = |bits: &BTreeSet<usize>| bits.iter().map(|bit| bit + distance as usize).filter(|&bit| bit < 192).collect::<Vec<_>>();
            prop_assert_eq!(set.up(distance).iter().collect::<Vec<_>>(), moved(&bits));
            let back = bits.iter().filter_map(|bit| bit.checked_sub(distance as usize)).collect::<Vec<_>>();
            prop_assert_eq!(set.down(distance).iter().collect::<Vec<_>>(), back);
        }
    }
}
