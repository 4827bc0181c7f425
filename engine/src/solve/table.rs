//! The results of a search, shared by threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

use super::prover::Outcome;
use crate::simd::prefetch;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The least depth within which the prover is known to win, or [`NEVER`].
    pub(super) won: u8,
    /// The greatest depth within which she is known not to win.
    pub(super) open: u8,
    /// The logarithm of the work that the result took: results of little work are replaced first.
    work: u8,
}

/// The depth of a win that is not known.
pub(super) const NEVER: u8 = u8::MAX;
/// The depth of a state that the prover cannot win at any depth.
pub(super) const LOST: u8 = u8::MAX - 1;

impl Known {
    const NOTHING: Self = Self { won: NEVER, open: 0, work: 0 };

    /// What is known of a state that is not won within the depth `open`.
    pub(super) fn when_not_won(self) -> Outcome {
        if self.open == LOST { Outcome::Lost } else { Outcome::Open }
    }

    const fn word(self) -> u64 {
        u32::from_le_bytes([self.won, self.open, self.work, 0]) as u64
    }

    const fn from_word(word: u64) -> Self {
        let [won, open, work, ..] = word.to_le_bytes();
        Self { won, open, work }
    }
}

/// A table of a fixed size. Two threads may write one entry at a time: what they leave then is not taken for an entry.
#[derive(Debug)]
pub(super) struct Table {
    groups: Box<[Group]>,
}

/// The entries of the states whose keys have the same last bits, in one line of the processor's cache: of each the key, combined with the content by
/// exclusive or, and the content.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Group([[AtomicU64; 2]; 4]);

impl Table {
    /// Makes a table that takes at most so many bytes; at least one group.
    pub(super) fn new(bytes: usize) -> Self {
        Self::with_groups(1 << (bytes / size_of::<Group>()).max(1).ilog2())
    }

    fn with_groups(count: usize) -> Self {
        Self { groups: (0..count).map(|_| Group::default()).collect() }
    }

    /// Returns the bytes that the table takes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.groups)
    }

    /// Returns the number of entries, empty or not.
    pub(super) fn len(&self) -> usize {
        4 * self.groups.len()
    }

    /// Returns whether hardly any entry is empty.
    pub(super) fn is_full(&self) -> bool {
        /// Groups that stand for all: keys are hashes, so that any are as good as others.
        const SAMPLE: usize = 1 << 10;
        let sample = &self.groups[..SAMPLE.min(self.groups.len())];
        let entries = sample.iter().flat_map(|group| &group.0);
        let used = entries.clone().filter(|[_, word]| word.load(Ordering::Relaxed) != 0).count();
        used > entries.count() * 3 / 4
    }

    /// Returns a table of twice the size that knows the same.
    pub(super) fn doubled(&self) -> Self {
        let doubled = Self::with_groups(2 * self.groups.len());
        for [tag, word] in self.groups.iter().flat_map(|group| &group.0) {
            let (tag, word) = (tag.load(Ordering::Relaxed), word.load(Ordering::Relaxed));
            // Each group becomes two: there is room.
            let mut places = doubled.group(tag ^ word).iter();
            if word != 0
                && let Some(place) = places.find(|[_, word]| word.load(Ordering::Relaxed) == 0)
            {
                place[1].store(word, Ordering::Relaxed);
                place[0].store(tag, Ordering::Relaxed);
            }
        }
        doubled
    }

    #[inline(always)]
    fn group(&self, key: u64) -> &[[AtomicU64; 2]; 4] {
        &self.groups[key as usize & (self.groups.len() - 1)].0
    }

    /// Announces that a state will be asked for soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.group(key));
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let content = |[tag, word]: &[AtomicU64; 2]| {
            let word = word.load(Ordering::Relaxed);
            // An empty entry has work 0.
            (word != 0 && tag.load(Ordering::Relaxed) ^ word == key).then(|| Known::from_word(word))
        };
        self.group(key).iter().find_map(content)
    }

    /// Notes what was found within this depth, and how many states it took to find out.
    #[inline]
    pub(super) fn put(&self, key: u64, depth: u8, outcome: Outcome, states: u64) {
        let (mut place, mut known) = (&self.group(key)[0], Known::NOTHING);
        let mut least = u8::MAX;
        for entry in self.group(key) {
            let word = entry[1].load(Ordering::Relaxed);
            let found = if word == 0 { Known::NOTHING } else { Known::from_word(word) };
            if entry[0].load(Ordering::Relaxed) ^ word == key {
                (place, known) = (entry, found);
                break;
            }
            if found.work < least {
                (place, least) = (entry, found.work);
            }
        }
        match outcome {
            Outcome::Won => known.won = known.won.min(depth),
            Outcome::Open => known.open = known.open.max(depth),
            Outcome::Lost => known.open = LOST,
        }
        known.work = known.work.max((u64::BITS - states.leading_zeros()) as u8);
        let word = known.word();
        place[1].store(word, Ordering::Relaxed);
        place[0].store(key ^ word, Ordering::Relaxed);
    }
}
