//! Chains and their liberties.

use super::{Board, Outcome};
use crate::{Color, Point, bitboard::Bitboard, table::Table};

/// What is known of one chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain<const W: usize> {
    pub(super) liberties: Bitboard<W>,
    pub(super) liberty_count: u16,
    pub(super) stone_count: u16,
    /// The colour's index; [`NOBODY`] where there is no chain.
    owner: u16,
}

const NOBODY: u16 = 2;

impl<const W: usize> Chain<W> {
    const NONE: Self = Self { liberties: Bitboard::EMPTY, liberty_count: 0, stone_count: 0, owner: NOBODY };

    #[inline(always)]
    pub(super) fn is_of(&self, color: Color) -> bool {
        self.owner == color as u16
    }

    /// Adds liberties; those that are known already do not count again.
    #[inline(always)]
    pub(super) fn gain_liberties(&mut self, liberties: Bitboard<W>) {
        self.liberties |= liberties;
        self.liberty_count = self.liberties.count() as u16;
    }

    /// Adds one liberty under a condition, without a branch.
    #[inline(always)]
    pub(super) fn gain_liberty_if(&mut self, condition: bool, bit: usize) {
        self.liberty_count += u16::from(condition & !self.liberties.contains(bit));
        self.liberties.insert_if(condition, bit);
    }

    /// Takes a liberty; nothing happens if it is none.
    #[inline(always)]
    pub(super) fn lose_liberty(&mut self, bit: usize) {
        self.liberty_count -= u16::from(self.liberties.contains(bit));
        self.liberties.remove(bit);
    }
}

/// The name of a chain: its entry in [`Chains`].
pub(super) type Name = u16;

/// The chains of a position by name. A free name is given to a new chain; the last one that became free comes first, so that few entries are
/// in use and all of them in the processor's cache.
#[derive(Clone, Debug)]
pub(super) struct Chains<const W: usize> {
    entries: Table<Chain<W>, W>,
    free: Table<Name, W>,
    free_count: usize,
}

impl<const W: usize> Chains<W> {
    /// What stands for a chain on empty points.
    pub(super) const EMPTY: Name = 0;
    /// What stands for a chain outside the board.
    pub(super) const OUTSIDE: Name = 1;

    pub(super) fn new() -> Self {
        let mut chains = Self { entries: Table::filled(Chain::NONE), free: Table::filled(0), free_count: 0 };
        chains.clear();
        chains
    }

    /// Frees all names. There are enough: a board has fewer points than its bitboards bits, by two at least.
    pub(super) fn clear(&mut self) {
        self.entries = Table::filled(Chain::NONE);
        self.free_count = 64 * W - 2;
        self.free.fill_with((2..64 * W as Name).rev());
    }

    /// Adds a stone of `color` to the chain with this name, or to a new one in place of [`EMPTY`](Self::EMPTY), without a branch. Returns the
    /// name.
    #[inline(always)]
    pub(super) fn extend(&mut self, name: Name, color: Color) -> Name {
        let is_new = name == Self::EMPTY;
        let free = self.free[self.free_count - 1];
        self.free_count -= usize::from(is_new);
        let name = if is_new { free } else { name };
        let chain = &mut self[name];
        chain.owner = color as u16;
        chain.stone_count += 1;
        name
    }

    /// Frees a name and returns what it stood for.
    #[inline(always)]
    pub(super) fn remove(&mut self, name: Name) -> Chain<W> {
        self.free[self.free_count] = name;
        self.free_count += 1;
        std::mem::replace(&mut self[name], Chain::NONE)
    }
}

impl<const W: usize> std::ops::Index<Name> for Chains<W> {
    type Output = Chain<W>;

    #[inline(always)]
    fn index(&self, name: Name) -> &Chain<W> {
        &self.entries[usize::from(name)]
    }
}

impl<const W: usize> std::ops::IndexMut<Name> for Chains<W> {
    #[inline(always)]
    fn index_mut(&mut self, name: Name) -> &mut Chain<W> {
        &mut self.entries[usize::from(name)]
    }
}

impl<const W: usize> Board<W> {
    /// Number of liberties of the chain on `point`; `None` on an empty point. O(1).
    #[must_use]
    pub fn liberty_count(&self, point: Point) -> Option<usize> {
        self.stone(point)?;
        Some(usize::from(self.chain(self.geometry.bit(point)).liberty_count))
    }

    /// The stones of the chain on `point`, in row-major order; nothing on an empty point.
    pub fn chain_stones(&self, point: Point) -> impl Iterator<Item = Point> {
        let stones = match self.stone(point) {
            Some(_) => self.chain_set(self.geometry.bit(point)),
            None => Bitboard::EMPTY,
        };
        self.points_of(stones)
    }

    /// The liberties of the chain on `point`, in row-major order; nothing on an empty point.
    pub fn chain_liberties(&self, point: Point) -> impl Iterator<Item = Point> {
        let liberties = match self.stone(point) {
            Some(_) => self.chain(self.geometry.bit(point)).liberties,
            None => Bitboard::EMPTY,
        };
        self.points_of(liberties)
    }

    /// The chain of the stone on `bit`. There must be one.
    #[inline]
    pub(super) fn chain(&self, bit: usize) -> &Chain<W> {
        &self.chains[self.chain_of[bit]]
    }

    /// The stones of the chain that has one on `bit`. There must be one.
    pub(super) fn chain_set(&self, bit: usize) -> Bitboard<W> {
        let mut stones = Bitboard::EMPTY;
        let mut next = bit;
        loop {
            stones.insert(next);
            next = usize::from(self.next[next]);
            if next == bit {
                return stones;
            }
        }
    }

    /// One stone each of the distinct chains of `color` beside the point on `bit`.
    #[inline(always)]
    fn chains_beside(&self, bit: usize, color: Color) -> impl Iterator<Item = usize> {
        let beside = self.geometry.beside(bit);
        let names = beside.map(|near| self.chain_of[near]);
        let is_first = move |&at: &usize| !names[..at].contains(&names[at]);
        (0..4).filter(is_first).map(move |at| beside[at]).filter(move |&near| self.chain(near).is_of(color))
    }

    /// Number of chains of this colour.
    #[must_use]
    pub fn chain_count(&self, color: Color) -> usize {
        self.chain_sets(color).count()
    }

    /// The stone sets of this colour's chains, ordered by their first stone.
    pub(crate) fn chain_sets(&self, color: Color) -> impl Iterator<Item = Bitboard<W>> {
        let mut rest = self.stones[color.index()];
        std::iter::from_fn(move || {
            let stones = (!rest.is_empty()).then(|| self.chain_set(rest.first()))?;
            rest = rest.without(stones);
            Some(stones)
        })
    }

    /// Whether a move of `color` on the empty point `bit` leaves its own chain a liberty, be it by capturing.
    #[inline(always)]
    pub(crate) fn is_safe(&self, color: Color, bit: usize) -> bool {
        self.around.get(bit).has_empty() || self.is_safe_among_stones(color, bit)
    }

    /// As [`is_safe`](Self::is_safe) for a point without empty neighbours: joins a chain with another liberty, or takes a chain's last one.
    #[inline(always)]
    fn is_safe_among_stones(&self, color: Color, bit: usize) -> bool {
        self.geometry.beside(bit).into_iter().fold(false, |is_safe, near| {
            let chain = self.chain(near);
            let is_in_atari = chain.liberty_count == 1;
            is_safe | chain.is_of(color) & !is_in_atari | chain.is_of(color.opponent()) & is_in_atari
        })
    }

    /// The opposing stones that a move of `color` on the empty point `bit` removes: all chains whose only liberty it is.
    pub(crate) fn captured_by(&self, color: Color, bit: usize) -> Bitboard<W> {
        self.chains_beside(bit, color.opponent())
            .filter(|&near| self.chain(near).liberty_count == 1)
            .fold(Bitboard::EMPTY, |captured, near| captured | self.chain_set(near))
    }

    /// The own stones that a move of `color` on the empty point `bit` removes, the new one included, if it captures nothing: empty when
    /// the move leaves a liberty.
    pub(crate) fn given_up_by(&self, color: Color, bit: usize) -> Bitboard<W> {
        let mut own = self.chains_beside(bit, color);
        if self.around.get(bit).has_empty() || own.any(|near| self.chain(near).liberty_count > 1) {
            return Bitboard::EMPTY;
        }
        let own = self.chains_beside(bit, color);
        own.fold(Bitboard::single(bit), |given_up, near| given_up | self.chain_set(near))
    }

    /// What a move of the player to move on the empty `point` would remove. Asks neither whether it is legal nor changes anything.
    #[must_use]
    pub fn outcome(&self, point: Point) -> Outcome {
        let bit = self.geometry.bit(point);
        let captured = self.captured_by(self.to_play, bit).count() as u16;
        let given_up = if captured > 0 { 0 } else { self.given_up_by(self.to_play, bit).count() as u16 };
        Outcome { captured, given_up }
    }

    /// Number of stones in the chain that a move of the player to move on the empty `point` would leave in atari, the new stone included;
    /// `None` when the move captures, is a suicide, or leaves two or more liberties.
    #[must_use]
    pub fn self_atari_size(&self, point: Point) -> Option<usize> {
        let bit = self.geometry.bit(point);
        let beside = self.geometry.beside(bit);
        let mut liberties: Bitboard<W> =
            beside.into_iter().filter(|&near| self.chain_of[near] == Chains::<W>::EMPTY).collect();
        let mut stone_count = 1;
        for own in self.chains_beside(bit, self.to_play) {
            liberties |= self.chain(own).liberties;
            stone_count += usize::from(self.chain(own).stone_count);
        }
        liberties.remove(bit);
        let captures = |near| self.chain(near).liberty_count == 1;
        let in_atari =
            liberties.is_single() && !self.chains_beside(bit, self.to_play.opponent()).any(captures);
        in_atari.then_some(stone_count)
    }
}
