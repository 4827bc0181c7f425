//! What a proof takes for granted about the positions visited before.

/// A set of small numbers of a fixed range, as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slots(Box<[u64]>);

impl Slots {
    /// The empty set of numbers below `range`.
    pub(super) fn new(range: usize) -> Self {
        Self(vec![0; range.div_ceil(64)].into())
    }

    pub(super) fn contains(&self, slot: usize) -> bool {
        self.0[slot / 64] >> (slot % 64) & 1 != 0
    }

    /// Returns whether the number is new.
    pub(super) fn insert(&mut self, slot: usize) -> bool {
        let is_new = !self.contains(slot);
        self.0[slot / 64] |= 1 << (slot % 64);
        is_new
    }

    pub(super) fn remove(&mut self, slot: usize) {
        self.0[slot / 64] &= !(1 << (slot % 64));
    }

    pub(super) fn unite(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & theirs == 0)
    }

    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Memory taken, in words of 64 bits.
    pub(super) fn word_count(&self) -> usize {
        self.0.len()
    }
}

/// The conditions under which a proof holds after another history than the one it was found in.
///
/// A proof is the winner's strategy from a situation: one ply wherever the winner is to move, all plies where the loser is. After another
/// history it still works if the loser has no ply that the proof did not see, and if no repetition bars the winner's plies.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// Must have been visited: the proof counts on moves there being refused (or drawn).
    pub(super) needs: Slots,
    /// Must not have been visited: the proof counts on moves there being allowed (or not drawn).
    pub(super) avoids: Slots,
}

impl Facts {
    pub(super) fn none(range: usize) -> Self {
        Self { needs: Slots::new(range), avoids: Slots::new(range) }
    }

    pub(super) fn unite(&mut self, other: &Self) {
        self.needs.unite(&other.needs);
        self.avoids.unite(&other.avoids);
    }

    /// Drops what holds after every history that leads to the situation: that it is itself part of it.
    pub(super) fn settle(&mut self, slot: usize) {
        self.needs.remove(slot);
        self.avoids.remove(slot);
    }

    pub(super) fn hold_after(&self, visited: &Slots, slot: usize) -> bool {
        debug_assert!(!self.avoids.contains(slot));
        self.needs.is_subset(visited) && self.avoids.is_disjoint(visited)
    }
}
