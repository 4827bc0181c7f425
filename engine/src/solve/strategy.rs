//! A strategy as a table: in every state that can come up, the prover's move.

use std::{
    io::{self, BufRead, Write},
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
};

use super::{
    small_board::{NO_POINT, SmallBoard, State},
    text::{Lines, ReadProofError, ko_name, move_name, open_ko, open_move, open_stones, signs},
};
use crate::{Color, simd::prefetch, zobrist::mix64};

/// A state with the prover to move, the same for all its images: the least of their numbers.
///
/// The low 40 bits are the [number](SmallBoard::number) of the stones; in the next five is the place of the point that simple ko forbids, or
/// [`NO_PLACE`](super::small_board::NO_PLACE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StateCode(pub(super) u64);

/// What the prover plays in a state, and within how many plies from then on she has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    /// The place of the point where she plays, or [`NO_PLACE`](super::small_board::NO_PLACE) if she passes.
    pub(super) place: u8,
    pub(super) rank: u8,
}

/// The replies to all that the opponent can do: a hash table in which each takes eight bytes, because the proof of a board can have hundreds of
/// millions. Slots are numbered; a slot is empty, or has a state and its reply.
///
/// Threads may note replies in it at a time, but not while it grows.
#[derive(Debug)]
pub(super) struct Strategy {
    slots: Vec<AtomicU64>,
    len: AtomicUsize,
}

impl Clone for Strategy {
    fn clone(&self) -> Self {
        let slots = self.slots.iter().map(|slot| slot.load(Ordering::Relaxed).into());
        Self { slots: slots.collect(), len: self.len().into() }
    }
}

impl StateCode {
    const NUMBER_BITS: u32 = 8 * SmallBoard::NUMBER_BYTES as u32;

    /// Returns the code of a state, and by which of the board's symmetries its image has it: the first of several.
    pub(super) fn new(board: &SmallBoard, state: &State) -> (Self, usize) {
        let codes = (0..board.symmetries().len()).map(|symmetry| {
            let ban = u64::from(board.place(state.ban, symmetry));
            (Self(board.number(state.stones, symmetry) | ban << Self::NUMBER_BITS), symmetry)
        });
        codes.min().expect("the identity")
    }

    /// Returns a number for the stones alone, the same for all images.
    pub(super) fn board(board: &SmallBoard, state: &State) -> u64 {
        let mut stones = *state;
        stones.ban = NO_POINT;
        Self::new(board, &stones).0.0
    }

    /// Returns the state of this code with this player to move.
    pub(super) fn state(self, board: &SmallBoard, to_play: Color) -> State {
        let mut state = board.state(board.stones(self.0), to_play);
        state.ban = board.bit_of_place((self.0 >> Self::NUMBER_BITS) as u8);
        state
    }
}

/// As text.
impl Strategy {
    /// Writes each state and the prover's reply, in the order of states.
    pub(super) fn write(&self, out: &mut impl Write, board: &SmallBoard, prover: Color) -> io::Result<()> {
        let mut codes: Vec<StateCode> = self.iter().map(|(code, _)| code).collect();
        codes.sort_unstable();
        let mut line = String::new();
        for code in codes {
            let Reply { place, rank } = self.get(code).expect("a state of the strategy");
            let state = code.state(board, prover);
            line.clear();
            line.extend(signs(board, state.stones));
            let mv = move_name(board, board.bit_of_place(place));
            writeln!(out, "{line} {} {mv} {rank}", ko_name(board, state.ban))?;
        }
        Ok(())
    }

    /// Reads so many states. What they say is not checked.
    pub(super) fn read(
        input: &mut Lines<impl BufRead>,
        board: &SmallBoard,
        prover: Color,
        states: u64,
    ) -> Result<Self, ReadProofError> {
        let mut strategy = Self::new();
        for _ in 0..states {
            let expected = "a state: stones, ko, move and rank, separated by spaces";
            let (code, reply) = input.line(expected, |line| entry(line, board, prover))?;
            if strategy.get(code).is_some() {
                return Err(input.expected("a state that is not yet in the proof"));
            }
            if strategy.is_full() {
                strategy.grow();
            }
            strategy.note(code, reply);
        }
        Ok(strategy)
    }
}

/// Reads a line with a state and the prover's reply.
fn entry(line: &str, board: &SmallBoard, prover: Color) -> Option<(StateCode, Reply)> {
    let mut fields = line.split(' ');
    let mut state = board.state(open_stones(fields.next()?, board)?, prover);
    state.ban = open_ko(fields.next()?, board)?;
    let mv = open_move(fields.next()?, board)?;
    let rank = fields.next()?.parse().ok()?;
    let (code, symmetry) = StateCode::new(board, &state);
    fields.next().is_none().then(|| (code, Reply { place: board.place(mv, symmetry), rank }))
}

impl Strategy {
    /// The bytes for a state at most, and while the table grows or is checked.
    pub(super) const STATE_BYTES: usize = 13;
    pub(super) const GROWING_STATE_BYTES: usize = 25;

    /// The slots at first: more than enough of them are left when others would be needed, so that each thread can still note a reply.
    const FIRST_SLOTS: usize = 1 << 13;

    /// Makes a strategy without states.
    pub(super) fn new() -> Self {
        Self::with_slots(Self::FIRST_SLOTS)
    }

    fn with_slots(count: usize) -> Self {
        Self { slots: (0..count).map(|_| AtomicU64::new(0)).collect(), len: 0.into() }
    }

    /// Returns the number of states.
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// Returns the number of slots.
    pub(super) const fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Returns the state and the reply in a slot; nothing if it is empty.
    pub(super) fn slot(&self, slot: usize) -> Option<(StateCode, Reply)> {
        unpacked(self.slots[slot].load(Ordering::Relaxed))
    }

    /// Returns the slot in which a state is looked for first. Slots are in the order of the hashes, so that a larger table is filled from begin to end.
    fn first_slot(&self, code: StateCode) -> usize {
        ((u128::from(mix64(code.0)) * self.slots.len() as u128) >> u64::BITS) as usize
    }

    /// Announces that a state will be asked for soon.
    pub(super) fn prefetch(&self, code: StateCode) {
        prefetch(&self.slots[self.first_slot(code)]);
    }

    /// Returns the slot of a state, or the empty one for it.
    fn slot_for(&self, code: StateCode) -> usize {
        let first = self.first_slot(code);
        let is_for = |&slot: &usize| self.slot(slot).is_none_or(|(other, _)| other == code);
        (first..self.slots.len()).chain(0..first).find(is_for).expect("a table that is not full")
    }

    /// Returns the slot of a state.
    pub(super) fn find(&self, code: StateCode) -> Option<usize> {
        Some(self.slot_for(code)).filter(|&slot| self.slot(slot).is_some())
    }

    /// Returns the reply in a state.
    pub(super) fn get(&self, code: StateCode) -> Option<Reply> {
        self.slot(self.slot_for(code)).map(|(_, reply)| reply)
    }

    /// Returns whether it must grow before more is noted.
    pub(super) fn is_full(&self) -> bool {
        5 * self.len() >= 4 * self.slots.len()
    }

    /// Makes room for more states.
    pub(super) fn grow(&mut self) {
        let larger = Self::with_slots(self.slots.len() * 5 / 4);
        self.iter().for_each(|(code, reply)| larger.note(code, reply));
        *self = larger;
    }

    /// Notes the reply in a state, unless one is known that wins faster.
    pub(super) fn note(&self, code: StateCode, reply: Reply) {
        let entry = packed(code, reply);
        loop {
            let slot = &self.slots[self.slot_for(code)];
            let known = slot.load(Ordering::Relaxed);
            match unpacked(known) {
                // Another thread has just taken the slot.
                Some((other, _)) if other != code => continue,
                Some((_, other)) if other.rank < reply.rank => return,
                _ => {}
            }
            if slot.compare_exchange(known, entry, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                self.len.fetch_add(usize::from(known == 0), Ordering::Relaxed);
                return;
            }
        }
    }

    /// Iterates over the states and the replies, in the order of the slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (StateCode, Reply)> {
        (0..self.slots.len()).filter_map(|slot| self.slot(slot))
    }
}

/// The bits of a place, and of a code.
const PLACE_BITS: u32 = 5;
const CODE_BITS: u32 = StateCode::NUMBER_BITS + PLACE_BITS;
/// The bit of an entry that says that it is not empty.
const IS_USED: u64 = 1 << 63;

fn packed(code: StateCode, Reply { place, rank }: Reply) -> u64 {
    IS_USED | (u64::from(rank) << PLACE_BITS | u64::from(place)) << CODE_BITS | code.0
}

fn unpacked(entry: u64) -> Option<(StateCode, Reply)> {
    let field = |begin: u32, bits: u32| entry >> begin & ((1 << bits) - 1);
    let place = field(CODE_BITS, PLACE_BITS) as u8;
    let rank = field(CODE_BITS + PLACE_BITS, u8::BITS) as u8;
    (entry != 0).then(|| (StateCode(field(0, CODE_BITS)), Reply { place, rank }))
}
