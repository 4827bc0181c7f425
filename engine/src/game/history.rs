//! The positions that a game went through, and the search for repetitions.

use crate::{Board, Color, bitboard::Bitboard, board::Colouring};

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
/// Looking one up compares hashes first; a hash that agrees is confirmed by comparing the stones.
#[derive(Clone, Debug)]
pub(crate) struct History<const W: usize> {
    hash_mask: u64,
    hashes: Vec<u64>,
    entries: Vec<Entry<W>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<const W: usize> {
    colouring: Colouring<W>,
    to_play: Color,
    passes: u32,
    prisoners: [u32; 2],
}

impl<const W: usize> History<W> {
    pub(crate) fn with_hash_bits(bits: u32) -> Self {
        let hash_mask = u64::MAX.checked_shr(u64::BITS.saturating_sub(bits)).unwrap_or(0);
        Self { hash_mask, hashes: Vec::new(), entries: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.entries.clear();
    }

    /// Forgets all plies after the first `ply_count`.
    pub(crate) fn truncate(&mut self, ply_count: u32) {
        self.hashes.truncate(ply_count as usize + 1);
        self.entries.truncate(ply_count as usize + 1);
    }

    pub(crate) fn ply_count(&self) -> u32 {
        self.entries.len() as u32 - 1
    }

    /// Appends the position after a ply; `prisoners` are the stones of each colour removed so far.
    #[inline]
    pub(crate) fn push(&mut self, board: &Board<W>, prisoners: [u32; 2], was_pass: bool) {
        let passes = self.entries.last().map_or(0, |last| last.passes) + u32::from(was_pass);
        self.hashes.push(board.hash() & self.hash_mask);
        let entry = Entry { colouring: board.colouring(), to_play: board.to_play(), passes, prisoners };
        self.entries.push(entry);
    }

    /// The last position, among those for which `counts(ply, same player to move)`, that a move on `bit` recreates.
    pub(crate) fn find(
        &self,
        board: &Board<W>,
        prisoners: [u32; 2],
        bit: usize,
        counts: impl Fn(u32, bool) -> bool,
    ) -> Option<Repetition> {
        let mover = board.to_play();
        let next = Next::of(board, bit);
        let hash = next.hash & self.hash_mask;
        let mut end = self.hashes.len();
        while let Some(ply) = self.hashes[..end].iter().rposition(|&earlier| earlier == hash) {
            let entry = &self.entries[ply];
            let same_player = entry.to_play != mover;
            if entry.colouring == next.colouring && counts(ply as u32, same_player) {
                let now = self.entries.last()?;
                let removed = |side: usize| prisoners[side] + next.removed[side] - entry.prisoners[side];
                return Some(Repetition {
                    earlier_ply: ply as u32,
                    cycle_plies: (self.entries.len() - ply) as u32,
                    cycle_passes: now.passes - entry.passes,
                    cycle_removed: [removed(0), removed(1)],
                    same_player,
                });
            }
            end = ply;
        }
        None
    }
}

/// The position that a move would lead to.
struct Next<const W: usize> {
    colouring: Colouring<W>,
    hash: u64,
    removed: [u32; 2],
}

impl<const W: usize> Next<W> {
    fn of(board: &Board<W>, bit: usize) -> Self {
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
