//! Proofs that hold after some histories of the game and not after others.
//!
//! A proof is a strategy of the winner from a state: one move wherever she is to play, and all legal moves where the loser is. A superko rule makes legal
//! moves depend on the history, so that a proof found after one history need not hold after another. It does if
//! - every board whose repetition the proof counted on has stood: else the loser has a move that the proof does not answer;
//! - no board that the proof counted on to be new has stood: else the winner has a move less (or, where repetition is a draw, play ends early).
//!
//! Conditions that each history fulfils which leads to the state, through the state itself or through the moves of the proof, need not be kept. Few boards
//! remain of the first kind, and they are stored. Of the second kind there are as many as the strategy has states, so that a proof stores those of its
//! own moves, refers to the proofs that it is made of, and sums up what lies below it: stones that stand on all of these boards, stones that stand on any,
//! and a Bloom filter. All three may only err on the safe side: they say which boards of the history to look for in the parts.

use std::{cell::Cell, rc::Rc};

use super::small_board::Stones;
use crate::{Color, zobrist::MixMap};

/// A board of the history, under the number by which the ko rule knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) slot: u64,
    pub(super) stones: Stones,
}

/// A strategy of the winner from a state, and the histories after which it holds.
#[derive(Debug)]
pub(super) struct ConditionalProof {
    pub(super) winner: Color,
    /// Black has at least this margin, or White keeps him below it.
    pub(super) goal: i32,
    /// The move of the winner where she is to play.
    pub(super) mv: u8,
    /// The key of the state.
    pub(super) key: u64,
    /// States that were searched for it, about.
    pub(super) work: u32,
    /// The slots that must have been visited, in order.
    pub(super) needs: Box<[u64]>,
    /// The slots of the proof's first moves that must not have been visited.
    avoids: Box<[u64]>,
    /// The proofs of the states after these moves, as far as there are any.
    pub(super) parts: Box<[Rc<ConditionalProof>]>,
    avoided: Summary,
    /// The last question for which [`meets`](Self::meets) looked here and found nothing.
    seen: Cell<u64>,
    /// The bytes of all proofs.
    live: Rc<Cell<usize>>,
}

/// What a set of boards has in common.
#[derive(Clone, Copy, Debug)]
struct Summary {
    on_all: Stones,
    on_any: Stones,
    filter: [u64; 4],
}

impl Summary {
    const EMPTY: Self = Self { on_all: [u64::MAX; 2], on_any: [0; 2], filter: [0; 4] };

    fn of(visit: &Visit) -> Self {
        let mut filter = [0; 4];
        filter[visit.slot as usize & 3] = 1 << (visit.slot >> 2 & 63);
        Self { on_all: visit.stones, on_any: visit.stones, filter }
    }

    fn add(&mut self, other: &Self) {
        for side in 0..2 {
            self.on_all[side] &= other.on_all[side];
            self.on_any[side] |= other.on_any[side];
        }
        self.filter.iter_mut().zip(other.filter).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Returns whether a board can be one of the set.
    fn may_have(&self, visit: &Visit) -> bool {
        let is_between = |side: usize| {
            let stones = visit.stones[side];
            self.on_all[side] & !stones == 0 && stones & !self.on_any[side] == 0
        };
        self.filter[visit.slot as usize & 3] >> (visit.slot >> 2 & 63) & 1 != 0
            && is_between(0)
            && is_between(1)
    }
}

/// What a proof is made of, move by move.
pub(super) struct Draft {
    needs: Vec<u64>,
    avoids: Vec<u64>,
    parts: Vec<Rc<ConditionalProof>>,
    avoided: Summary,
}

impl Draft {
    pub(super) const EMPTY: Self =
        Self { needs: Vec::new(), avoids: Vec::new(), parts: Vec::new(), avoided: Summary::EMPTY };

    /// Requires that a slot has been visited.
    pub(super) fn need(&mut self, slot: u64) {
        self.needs.push(slot);
    }

    /// Requires that a board is new.
    pub(super) fn avoid(&mut self, visit: &Visit) {
        self.avoids.push(visit.slot);
        self.avoided.add(&Summary::of(visit));
    }

    /// Requires what the proof of the state after a move requires.
    pub(super) fn include(&mut self, part: &Rc<ConditionalProof>) {
        self.needs.extend(&part.needs);
        self.avoided.add(&part.avoided);
        self.parts.push(Rc::clone(part));
    }
}

impl ConditionalProof {
    fn bytes(&self) -> usize {
        /// For an entry of the table, and what the allocator adds.
        const OVERHEAD: usize = 128;
        size_of::<Self>() + OVERHEAD + 8 * (self.needs.len() + self.avoids.len() + self.parts.len())
    }

    /// Returns whether the proof says who reaches this goal.
    fn settles(&self, goal: i32) -> bool {
        match self.winner {
            Color::Black => self.goal >= goal,
            Color::White => self.goal <= goal,
        }
    }

    /// Returns whether one of these boards is one that must be new; also when that takes more than some steps to find out.
    fn meets(&self, history: &[Visit], question: u64, steps: &mut u32) -> bool {
        if self.seen.replace(question) == question {
            return false;
        }
        let possible: Vec<Visit> =
            history.iter().copied().filter(|visit| self.avoided.may_have(visit)).collect();
        if possible.is_empty() {
            return false;
        }
        *steps = steps.saturating_sub(1);
        *steps == 0
            || possible.iter().any(|visit| self.avoids.contains(&visit.slot))
            || self.parts.iter().any(|part| part.meets(&possible, question, steps))
    }
}

impl Drop for ConditionalProof {
    fn drop(&mut self) {
        self.live.set(self.live.get() - self.bytes());
    }
}

/// The proofs that were found, by state.
pub(super) struct Proofs {
    known: MixMap<u64, Vec<Rc<ConditionalProof>>>,
    live: Rc<Cell<usize>>,
    most_bytes: usize,
    questions: u64,
}

impl Proofs {
    /// The most proofs of a state, the oldest replaced first.
    const PER_STATE: usize = 8;
    /// The most proofs that are looked into to find out whether one holds.
    const STEPS: u32 = 4096;

    pub(super) fn new(most_bytes: usize) -> Self {
        Self { known: MixMap::default(), live: Rc::default(), most_bytes, questions: 0 }
    }

    /// Keeps a proof of the state with this key and slot, which is part of every history that leads to it.
    pub(super) fn put(
        &mut self,
        (key, slot): (u64, u64),
        (winner, goal, mv): (Color, i32, u8),
        draft: Draft,
        states: u64,
    ) -> Rc<ConditionalProof> {
        let Draft { mut needs, avoids, parts, avoided } = draft;
        needs.retain(|&need| need != slot);
        needs.sort_unstable();
        needs.dedup();
        let proof = Rc::new(ConditionalProof {
            winner,
            goal,
            mv,
            key,
            work: u32::try_from(states).unwrap_or(u32::MAX),
            needs: needs.into(),
            avoids: avoids.into(),
            parts: parts.into(),
            avoided,
            seen: Cell::new(0),
            live: Rc::clone(&self.live),
        });
        self.live.set(self.live.get() + proof.bytes());
        let known = self.known.entry(key).or_default();
        if known.len() == Self::PER_STATE {
            known.remove(0);
        }
        known.push(Rc::clone(&proof));
        if self.live.get() > self.most_bytes {
            self.forget();
        }
        proof
    }

    /// Drops proofs, those of little work first, until half of the memory is free.
    fn forget(&mut self) {
        let mut work = 1;
        while self.live.get() > self.most_bytes / 2 && !self.known.is_empty() {
            work = u32::saturating_mul(work, 4);
            self.known.retain(|_, known| {
                known.retain(|proof| proof.work > work);
                !known.is_empty()
            });
        }
    }

    /// Returns a proof that says who reaches the goal from the state with this key after this history; `visited` says whether a slot is in it.
    pub(super) fn get(
        &mut self,
        key: u64,
        goal: i32,
        history: &[Visit],
        visited: impl Fn(u64) -> bool,
    ) -> Option<Rc<ConditionalProof>> {
        let Self { known, questions, .. } = self;
        let holds = |proof: &&Rc<ConditionalProof>| {
            *questions += 1;
            proof.settles(goal)
                && proof.needs.iter().all(|&slot| visited(slot))
                && !proof.meets(history, *questions, &mut { Self::STEPS })
        };
        known.get(&key)?.iter().rev().find(holds).cloned()
    }
}

/// Proof numbers of states that are not decided: how many must still be proved for the player to move to win, and to lose, at least.
///
/// They only guide the search, so that those of one state may be overwritten by those of another.
pub(super) struct ProofNumbers {
    entries: Vec<[u64; 2]>,
}

impl ProofNumbers {
    /// Where the numbers of a state may be: this many places, one after the other.
    const PLACES: usize = 4;

    /// Makes a table that takes at most so many bytes; at least one entry.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<[u64; 2]>()).max(Self::PLACES);
        Self { entries: vec![[0; 2]; 1 << most.ilog2()] }
    }

    fn places(&mut self, key: u64) -> &mut [[u64; 2]] {
        let first = key as usize & (self.entries.len() - 1) & !(Self::PLACES - 1);
        &mut self.entries[first..first + Self::PLACES]
    }

    pub(super) fn get(&mut self, key: u64) -> Option<[u32; 2]> {
        let found = self.places(key).iter().find(|entry| entry[0] == key)?;
        Some([found[1] as u32, (found[1] >> 32) as u32])
    }

    /// Keeps the numbers of a state, instead of those that took the least work.
    pub(super) fn put(&mut self, key: u64, [proof, disproof]: [u32; 2]) {
        let work = |entry: &[u64; 2]| {
            if entry[0] == key { 0 } else { 1 + (entry[1] as u32).max((entry[1] >> 32) as u32) }
        };
        if let Some(place) = self.places(key).iter_mut().min_by_key(|entry| work(entry)) {
            *place = [key, u64::from(proof) | u64::from(disproof) << 32];
        }
    }
}
