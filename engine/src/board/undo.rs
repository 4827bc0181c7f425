//! Taking moves back, at the cost of what they changed.

use super::{
    Board, MoveOutcome,
    chain::{Liberties, Link},
    legality::Spoils,
};
use crate::{Color, bitboard::Bitboard};

/// Is told about each entry of the board's tables before it changes.
pub(super) trait Journal<const W: usize> {
    /// Notes which chain a point belongs to.
    #[inline(always)]
    fn note_link(&mut self, _bit: usize, _old: Link) {}

    /// Notes the liberties of a chain or of an empty point.
    #[inline(always)]
    fn note_liberties(&mut self, _bit: usize, _old: Liberties) {}

    /// Notes the stones of a chain.
    #[inline(always)]
    fn note_chain(&mut self, _bit: usize, _old: &Bitboard<W>) {}
}

/// Notes nothing: playouts never take moves back.
pub(super) struct NoJournal;

impl<const W: usize> Journal<W> for NoJournal {}

/// What the last plies changed on a board: a stack, the last ply on top.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes<const W: usize> {
    plies: Vec<Before<W>>,
    links: Vec<(u16, Link)>,
    liberties: Vec<(u16, Liberties)>,
    chains: Vec<(u16, Bitboard<W>)>,
}

/// Everything except the tables as it was before a ply, and how many changes of the tables had been noted.
#[derive(Clone, Debug)]
struct Before<const W: usize> {
    stones: [Bitboard<W>; 2],
    to_play: Color,
    ko: Option<u16>,
    hash: u64,
    atari: [Bitboard<W>; 2],
    spoils: [Spoils<W>; 2],
    removed: Bitboard<W>,
    link_count: usize,
    liberties_count: usize,
    chain_count: usize,
}

impl<const W: usize> Journal<W> for Changes<W> {
    #[inline]
    fn note_link(&mut self, bit: usize, old: Link) {
        self.links.push((bit as u16, old));
    }

    #[inline]
    fn note_liberties(&mut self, bit: usize, old: Liberties) {
        self.liberties.push((bit as u16, old));
    }

    #[inline]
    fn note_chain(&mut self, bit: usize, old: &Bitboard<W>) {
        self.chains.push((bit as u16, *old));
    }
}

impl<const W: usize> Changes<W> {
    /// Forgets all plies.
    pub(crate) fn clear(&mut self) {
        self.plies.clear();
        self.links.clear();
        self.liberties.clear();
        self.chains.clear();
    }

    fn begin_ply(&mut self, board: &Board<W>) {
        self.plies.push(Before {
            stones: board.stones,
            to_play: board.to_play,
            ko: board.ko,
            hash: board.hash,
            atari: board.atari,
            spoils: board.spoils,
            removed: board.removed,
            link_count: self.links.len(),
            liberties_count: self.liberties.len(),
            chain_count: self.chains.len(),
        });
    }
}

impl<const W: usize> Board<W> {
    /// Plays on an empty point without checking that it is legal, and notes the changes.
    pub(crate) fn play_recorded(&mut self, bit: usize, changes: &mut Changes<W>) -> MoveOutcome {
        changes.begin_ply(self);
        self.play_bit(bit, changes)
    }

    /// Passes and notes the changes.
    pub(crate) fn pass_recorded(&mut self, changes: &mut Changes<W>) {
        changes.begin_ply(self);
        self.pass();
    }

    /// Takes the last ply of `changes` back, which must be the last ply on this board. Does nothing when there is none.
    pub(crate) fn take_back(&mut self, changes: &mut Changes<W>) {
        let Some(before) = changes.plies.pop() else { return };
        // The latest first: an entry may have changed several times.
        for (bit, old) in changes.links.drain(before.link_count..).rev() {
            self.links[bit.into()] = old;
        }
        for (bit, old) in changes.liberties.drain(before.liberties_count..).rev() {
            self.liberties[bit.into()] = old;
        }
        for (bit, old) in changes.chains.drain(before.chain_count..).rev() {
            self.chains[bit.into()] = old;
        }
        self.stones = before.stones;
        self.empty = self.geometry.on_board.without(before.stones[0] | before.stones[1]);
        self.to_play = before.to_play;
        self.ko = before.ko;
        self.hash = before.hash;
        self.atari = before.atari;
        self.spoils = before.spoils;
        self.removed = before.removed;
    }
}
