//! Chains and their liberties.

use super::{Board, Chain, Outcome};
use crate::{Color, Point, bitboard::Bitboard};

impl<const W: usize> Board<W> {
    /// Number of liberties of the chain on `point`; `None` on an empty point. O(1).
    #[must_use]
    pub fn liberty_count(&self, point: Point) -> Option<usize> {
        self.stone(point)?;
        Some(self.chain(self.geometry.bit(point)).liberties.count() as usize)
    }

    /// The stones of the chain on `point`, in row-major order; nothing on an empty point.
    pub fn chain_stones(&self, point: Point) -> impl Iterator<Item = Point> {
        let stones = match self.stone(point) {
            Some(_) => self.chain(self.geometry.bit(point)).stones,
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
        let name = usize::from(self.chain_of[bit / 64][bit % 64]);
        &self.chains[name / 64][name % 64]
    }

    #[inline]
    pub(super) fn chain_mut(&mut self, bit: usize) -> &mut Chain<W> {
        let name = usize::from(self.chain_of[bit / 64][bit % 64]);
        &mut self.chains[name / 64][name % 64]
    }

    /// The distinct chains that have a stone in `touched`, a set of stones of one colour; each as the bit of one of its stones.
    #[inline]
    pub(super) fn chains_in(&self, touched: Bitboard<W>) -> impl Iterator<Item = usize> {
        let mut rest = touched;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let bit = rest.first();
            rest = rest.without(self.chain(bit).stones);
            Some(bit)
        })
    }

    /// Number of chains of this colour.
    #[must_use]
    pub fn chain_count(&self, color: Color) -> usize {
        self.chain_sets(color).count()
    }

    /// The stone sets of this colour's chains, ordered by their first stone.
    pub(crate) fn chain_sets(&self, color: Color) -> impl Iterator<Item = Bitboard<W>> {
        self.chains_in(self.stones[color.index()]).map(|bit| self.chain(bit).stones)
    }

    /// The opposing stones that a move of `color` on the empty point `bit` removes: all chains whose only liberty it is.
    #[inline]
    pub(crate) fn captured_by(&self, color: Color, bit: usize) -> Bitboard<W> {
        let touched = self.geometry.neighbours(bit) & self.stones[color.opponent().index()];
        self.chains_in(touched)
            .map(|bit| self.chain(bit))
            .filter(|chain| chain.liberties.is_single())
            .fold(Bitboard::EMPTY, |captured, chain| captured | chain.stones)
    }

    /// The own stones that a move of `color` on the empty point `bit` removes, the new one included, if it captures nothing: empty when
    /// the move leaves a liberty.
    #[inline]
    pub(crate) fn given_up_by(&self, color: Color, bit: usize) -> Bitboard<W> {
        let neighbours = self.geometry.neighbours(bit);
        if neighbours.intersects(self.empty()) {
            return Bitboard::EMPTY;
        }
        let mut given_up = Bitboard::single(bit);
        for own in self.chains_in(neighbours & self.stones[color.index()]) {
            let chain = self.chain(own);
            if !chain.liberties.is_single() {
                return Bitboard::EMPTY;
            }
            given_up |= chain.stones;
        }
        given_up
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
        let neighbours = self.geometry.neighbours(bit);
        let mut liberties = neighbours & self.empty();
        let mut stones = Bitboard::single(bit);
        for own in self.chains_in(neighbours & self.stones[self.to_play.index()]) {
            liberties |= self.chain(own).liberties;
            stones |= self.chain(own).stones;
        }
        liberties.remove(bit);
        let in_atari = liberties.is_single() && self.captured_by(self.to_play, bit).is_empty();
        in_atari.then(|| stones.count() as usize)
    }
}
