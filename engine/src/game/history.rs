//! The positions that a game went through, and the search for repetitions.

use std::{iter, mem};

use crate::{Board, Color, Position, bitboard::Bitboard, board::Colouring, simd::prefetch};

/// A position that a move would recreate (or has recreated), and the cycle in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repetition {
    /// After how many plies the position stood last; 0 is the start.
    pub earlier_ply: u32,
    /// Length of the cycle: plies from then to the recreating move, both passes and stones, that move included.
    pub cycle_plies: u32,
    /// Passes among these.
    pub cycle_passes: u32,
    /// Stones of each colour (Black, White) removed in the cycle, by the recreating move as well.
    pub cycle_removed: [u32; 2],
    /// Whether the same player is to move as then.
    pub same_player: bool,
}

impl Repetition {
    /// Whether both players lost equally many stones in the cycle, as in a triple ko; otherwise the cycle sends *n* and returns *m*.
    #[must_use]
    pub const fn is_balanced(&self) -> bool {
        self.cycle_removed[0] == self.cycle_removed[1]
    }
}

/// All positions of a game so far, the start included.
///
/// Kept as hashes and the moves between them, in a hash table. One that has the hash looked for is confirmed by taking moves back up to there
/// and comparing the stones.
#[derive(Clone, Debug)]
pub(crate) struct History<const W: usize> {
    hash_mask: u64,
    entries: Vec<Entry>,
    /// The number of the last entry of each [slot](slot), counted from 1; 0 where there is none.
    last: Box<[u32; SLOTS]>,
    /// Which [marks](mark) the entries of each slot have. Most positions looked up are new, and these bits tell it without a look at entries.
    marks: Box<[u16; SLOTS]>,
    removals: Vec<Removal<W>>,
}

/// A position and the ply that led to it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    to_play: Color,
    /// The point that the other player played on; [`NO_POINT`] after a pass and at the start.
    bit: u16,
    /// The point that simple ko forbids; [`NO_POINT`] where there is none.
    ko: u16,
    /// The number of the entry before in the same slot, counted from 1; 0 where there is none.
    before: u32,
}

const SLOTS: usize = 256;

/// The slot of the hash table that a hash belongs to.
#[inline(always)]
const fn slot(hash: u64) -> usize {
    hash as usize % SLOTS
}

/// One of sixteen bits, by which hashes in a slot differ.
#[inline(always)]
const fn mark(hash: u64) -> u16 {
    1 << (hash >> 8 & 15)
}

const NO_POINT: u16 = u16::MAX;

/// Stones that one ply removed, all of the same colour.
#[derive(Clone, Copy, Debug)]
struct Removal<const W: usize> {
    ply: u32,
    color: Color,
    stones: Bitboard<W>,
}

impl<const W: usize> History<W> {
    pub(crate) fn with_hash_bits(bits: u32) -> Self {
        let hash_mask = u64::MAX.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0);
        let (last, marks) = (Box::new([0; SLOTS]), Box::new([0; SLOTS]));
        Self { hash_mask, entries: Vec::new(), last, marks, removals: Vec::new() }
    }

    /// Begins with this position.
    pub(crate) fn begin(&mut self, board: &Board<W>) {
        self.entries.clear();
        self.last.fill(0);
        self.marks.fill(0);
        self.removals.clear();
        self.push_pass(board);
    }

    /// Asks for the memory that a ply to a position with this hash looks at.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        self.entries.last().into_iter().for_each(prefetch);
        prefetch(&self.last[slot(hash & self.hash_mask)]);
        self.marks.chunks(32).for_each(|line| prefetch(&line[0]));
    }

    /// Forgets the last ply and returns the bit of its point; none for a pass. There must be one.
    pub(crate) fn pop(&mut self) -> Option<usize> {
        let ply = self.ply_count();
        while self.removals.pop_if(|removal| removal.ply == ply).is_some() {}
        let entry = self.entries.pop().expect("a ply to forget");
        let slot = slot(entry.hash);
        self.last[slot] = entry.before;
        self.marks[slot] = self.in_slot(entry.before).fold(0, |marks, (_, entry)| marks | mark(entry.hash));
        (entry.bit != NO_POINT).then_some(entry.bit.into())
    }

    #[inline(always)]
    pub(crate) fn ply_count(&self) -> u32 {
        self.entries.len() as u32 - 1
    }

    /// The player whose turn it was after the last ply.
    pub(crate) fn to_play(&self) -> Color {
        self.entries.last().map_or(Color::Black, |entry| entry.to_play)
    }

    pub(crate) fn hash_bits(&self) -> u32 {
        self.hash_mask.count_ones()
    }

    /// The player to move at the start.
    pub(crate) fn first_to_play(&self) -> Color {
        self.entries[0].to_play
    }

    /// The stones at the start of the game that now stands at `board`.
    pub(crate) fn first_stones(&self, board: &Board<W>) -> [Bitboard<W>; 2] {
        let mut past =
            Past { colouring: board.colouring(), entries: &self.entries, removals: &self.removals };
        past.go_back_to(0);
        past.colouring.stones
    }

    /// The player and the bit of the point of each ply; none for a pass.
    pub(crate) fn plies(&self) -> impl Iterator<Item = (Color, Option<usize>)> {
        let point = |bit| (bit != NO_POINT).then_some(usize::from(bit));
        self.entries[1..].iter().map(move |entry| (entry.to_play.opponent(), point(entry.bit)))
    }

    /// Appends the position after a pass.
    #[inline(always)]
    pub(crate) fn push_pass(&mut self, board: &Board<W>) {
        self.push(board, NO_POINT);
    }

    /// Appends the position after a stone on `bit`, before [`remove`](Self::remove).
    #[inline(always)]
    pub(crate) fn push_stone(&mut self, board: &Board<W>, bit: usize) {
        self.push(board, bit as u16);
    }

    #[inline(always)]
    fn push(&mut self, board: &Board<W>, bit: u16) {
        let hash = board.hash() & self.hash_mask;
        let before = mem::replace(&mut self.last[slot(hash)], self.entries.len() as u32 + 1);
        self.marks[slot(hash)] |= mark(hash);
        let ko = board.ko_bit().unwrap_or(NO_POINT);
        self.entries.push(Entry { hash, to_play: board.to_play(), bit, ko, before });
    }

    /// Notes the stones that the last ply removed.
    pub(crate) fn remove(&mut self, color: Color, stones: Bitboard<W>) {
        self.removals.push(Removal { ply: self.ply_count(), color, stones });
    }

    /// Finds the last position that a move on `bit` recreates, or the last with the same player to move.
    pub(crate) fn find(&self, board: &Board<W>, bit: usize, same_player_only: bool) -> Option<Repetition> {
        self.find_next(board.colouring(), &Next::new(board, bit), board.to_play(), same_player_only)
    }

    /// As [`find`](Self::find), for the `stones` that a later move of `mover` leads to and that removes so many; `now` is the last position of
    /// this history.
    pub(crate) fn find_stones(
        &self,
        now: &Position<W>,
        stones: [Bitboard<W>; 2],
        mover: Color,
        removed: [u32; 2],
        same_player_only: bool,
    ) -> Option<Repetition> {
        let keys = Color::BOTH
            .into_iter()
            .flat_map(|color| stones[color.index()].iter().map(move |bit| now.geometry().key(color, bit)));
        let hash = keys.fold(0, |hash, key| hash ^ key);
        let next = Next { colouring: Colouring { stones }, hash, removed };
        let colouring = Colouring { stones: now.stone_sets() };
        self.find_next(colouring, &next, mover, same_player_only)
    }

    /// Whether the position of these stones with this player to move, or with any, was there before; `now` is the last position of this history.
    pub(crate) fn has_stood(
        &self,
        now: &Board<W>,
        hash: u64,
        stones: [Bitboard<W>; 2],
        to_play: Color,
        same_player_only: bool,
    ) -> bool {
        let next = Next { colouring: Colouring { stones }, hash, removed: [0; 2] };
        self.find_next(now.colouring(), &next, to_play.opponent(), same_player_only).is_some()
    }

    #[inline(always)]
    fn find_next(
        &self,
        now: Colouring<W>,
        next: &Next<W>,
        mover: Color,
        same_player_only: bool,
    ) -> Option<Repetition> {
        let hash = next.hash & self.hash_mask;
        if self.marks[slot(hash)] & mark(hash) == 0 {
            return None;
        }
        let mut past = Past { colouring: now, entries: &self.entries, removals: &self.removals };
        let equal = self.in_slot(self.last[slot(hash)]).filter(|(_, entry)| entry.hash == hash);
        for (ply, entry) in equal {
            past.go_back_to(ply);
            let same_player = entry.to_play != mover;
            if past.colouring == next.colouring && (same_player || !same_player_only) {
                return Some(self.repetition(ply, next.removed, same_player));
            }
        }
        None
    }

    /// The plies of the entries of a slot, the last first, from the entry with this number.
    #[inline(always)]
    fn in_slot(&self, mut number: u32) -> impl Iterator<Item = (usize, &Entry)> {
        iter::from_fn(move || {
            let ply = number.checked_sub(1)? as usize;
            number = self.entries[ply].before;
            Some((ply, &self.entries[ply]))
        })
    }

    /// The repetition of the position after `ply` by a move that removes so many stones.
    fn repetition(&self, ply: usize, removed: [u32; 2], same_player: bool) -> Repetition {
        let cycle = &self.entries[ply + 1..];
        let before = self.removed_after(ply);
        Repetition {
            earlier_ply: ply as u32,
            cycle_plies: cycle.len() as u32 + 1,
            cycle_passes: cycle.iter().filter(|entry| entry.bit == NO_POINT).count() as u32,
            cycle_removed: [removed[0] + before[0], removed[1] + before[1]],
            same_player,
        }
    }

    /// The stones of Black and of White that were removed after `ply`.
    fn removed_after(&self, ply: usize) -> [u32; 2] {
        let mut removed = [0; 2];
        for removal in self.removals.iter().rev().take_while(|removal| removal.ply as usize > ply) {
            removed[removal.color.index()] += removal.stones.count();
        }
        removed
    }

    /// The plies, the last first, after which everything was as it is now on `board`: the stones, the player to move, the ko ban, and how many more stones
    /// Black had lost than White.
    pub(crate) fn same_states(&self, board: &Board<W>) -> impl Iterator<Item = u32> {
        let (colouring, last) = (board.colouring(), self.entries.last().expect("the start"));
        let state = (board.to_play(), board.ko_bit().unwrap_or(NO_POINT));
        let mut past = Past { colouring, entries: &self.entries, removals: &self.removals };
        let similar = self
            .in_slot(last.before)
            .filter(move |(_, then)| then.hash == last.hash && (then.to_play, then.ko) == state);
        similar.filter_map(move |(ply, _)| {
            past.go_back_to(ply);
            let [black, white] = self.removed_after(ply);
            (past.colouring == colouring && black == white).then_some(ply as u32)
        })
    }
}

/// An earlier position, found by taking moves back.
struct Past<'a, const W: usize> {
    colouring: Colouring<W>,
    /// Up to this position.
    entries: &'a [Entry],
    removals: &'a [Removal<W>],
}

impl<const W: usize> Past<'_, W> {
    fn go_back_to(&mut self, ply: usize) {
        while let [earlier @ .., last] = self.entries
            && earlier.len() > ply
        {
            while let [before @ .., removal] = self.removals
                && removal.ply as usize == earlier.len()
            {
                self.colouring.stones[removal.color.index()] |= removal.stones;
                self.removals = before;
            }
            if last.bit != NO_POINT {
                self.colouring.stones[last.to_play.opponent().index()].remove(usize::from(last.bit));
            }
            self.entries = earlier;
        }
    }
}

/// The position that a move would lead to.
struct Next<const W: usize> {
    colouring: Colouring<W>,
    hash: u64,
    removed: [u32; 2],
}

impl<const W: usize> Next<W> {
    fn new(board: &Board<W>, bit: usize) -> Self {
        let (mover, opponent) = (board.to_play(), board.to_play().opponent());
        let captured = board.captured_by(mover, bit);
        let given_up = if captured.is_empty() { board.given_up_by(mover, bit) } else { Bitboard::EMPTY };
        let mut stones = board.colouring().stones;
        stones[mover.index()].insert(bit);
        stones[mover.index()] ^= given_up;
        stones[opponent.index()] ^= captured;
        let geometry = board.geometry();
        let removed_keys = captured
            .iter()
            .map(|stone| geometry.key(opponent, stone))
            .chain(given_up.iter().map(|stone| geometry.key(mover, stone)));
        let hash = removed_keys.fold(board.hash() ^ geometry.key(mover, bit), |hash, key| hash ^ key);
        let mut removed = [0; 2];
        removed[opponent.index()] = captured.count();
        removed[mover.index()] = given_up.count();
        Self { colouring: Colouring { stones }, hash, removed }
    }
}

/// Where and when stones were removed, and where stones stand that no earlier position had.
///
/// A stone is *fresh* when it is put where none of its colour was removed before: no earlier position has it, and none comes back while it stands. So a
/// move recreates nothing if
///
/// - its stone is fresh, or
/// - its player has lost no stones since putting down a fresh stone: an equal position has the move's stone too, so that it was removed in between; or
/// - it captures nothing, and the opponent has lost no stones since putting down a fresh stone: between equal positions each player loses as many
///   stones as it puts on the board.
///
/// In the last case the opponent may have put none on the board, but then the mover's stones were lost by suicide. A suicide therefore counts as a
/// loss of both players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recurrence<const W: usize> {
    /// The points where a stone of each colour was ever removed.
    emptied: [Bitboard<W>; 2],
    /// The last plies, from 1, in which each colour lost stones.
    last_loss: [u32; 2],
    /// The last plies in which each colour put a fresh stone.
    last_fresh: [u32; 2],
}

impl<const W: usize> Recurrence<W> {
    pub(crate) const START: Self =
        Self { emptied: [Bitboard::EMPTY; 2], last_loss: [0; 2], last_fresh: [0; 2] };

    /// Notes a stone put on the board.
    #[inline(always)]
    pub(crate) fn place(&mut self, color: Color, bit: usize, ply: u32) {
        if !self.emptied[color.index()].contains(bit) {
            self.last_fresh[color.index()] = ply;
        }
    }

    /// Notes stones taken off by a move of `mover`.
    pub(crate) fn remove(&mut self, mover: Color, loser: Color, stones: Bitboard<W>, ply: u32) {
        self.emptied[loser.index()] |= stones;
        self.last_loss[loser.index()] = ply;
        self.last_loss[mover.opponent().index()] = ply;
    }

    /// Whether a move on `bit` by `color` that is no suicide may recreate an earlier position.
    #[inline(always)]
    pub(crate) fn is_possible(&self, color: Color, bit: usize, captures: impl Fn() -> bool) -> bool {
        if !self.emptied[color.index()].contains(bit) {
            return false;
        }
        !self.has_fresh(color) && (!self.has_fresh(color.opponent()) || captures())
    }

    /// Whether `color` put down a fresh stone after it last lost stones.
    #[inline(always)]
    pub(crate) fn has_fresh(&self, color: Color) -> bool {
        self.last_fresh[color.index()] > self.last_loss[color.index()]
    }

    /// The points where a stone of each colour was ever removed.
    pub(crate) fn emptied(&self) -> [Bitboard<W>; 2] {
        self.emptied
    }
}
