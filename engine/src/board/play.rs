//! Putting a stone on the board, and what follows.

use super::{Board, Chain, IllegalMove};
use crate::{Color, Move, Point, bitboard::Bitboard};

/// What a move removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Opposing stones removed.
    pub captured: u16,
    /// Own stones removed (suicide), the one just played included. Only one of the two counts can be positive.
    pub given_up: u16,
}

impl<const W: usize> Board<W> {
    /// Plays `mv` for the player to move, who then is the opponent.
    ///
    /// Order of effects: place the stone, remove opposing chains without liberties, then the mover's own chain if it has none. Checks
    /// simple ko only: superko needs history and lives in [`Game`](crate::Game).
    ///
    /// Cost: a few operations on bitboards for each neighbouring chain, more for stones removed or merged. Allocates nothing.
    ///
    /// # Errors
    /// The first [`IllegalMove`] that applies, in the order of [`check`](Self::check). The board is unchanged on error.
    pub fn play(&mut self, mv: Move) -> Result<Outcome, IllegalMove> {
        match mv {
            Move::Play(point) => {
                self.check(point)?;
                Ok(self.play_unchecked(point))
            }
            Move::Pass => {
                self.pass();
                Ok(Outcome::default())
            }
        }
    }

    /// Passes: the opponent is to move and no ko ban is left.
    #[inline]
    pub fn pass(&mut self) {
        self.to_play = self.to_play.opponent();
        self.ko = Bitboard::EMPTY;
    }

    /// Plays on `point` without asking whether that is legal.
    ///
    /// For points known to be empty and on the board; otherwise the board's state becomes meaningless, and it may panic.
    #[inline]
    pub fn play_unchecked(&mut self, point: Point) -> Outcome {
        self.play_bit(self.geometry.bit(point))
    }

    #[inline]
    pub(crate) fn play_bit(&mut self, bit: usize) -> Outcome {
        let (color, opponent) = (self.to_play, self.to_play.opponent());
        self.place(color, bit);
        let captured = self.take_last_liberty(opponent, bit);
        let chain = self.chain(bit);
        let mut outcome = Outcome { captured: captured.count() as u16, given_up: 0 };
        let mut ko = Bitboard::EMPTY;
        if chain.liberties.is_empty() {
            let stones = chain.stones;
            self.remove(color, stones);
            outcome.given_up = stones.count() as u16;
        } else if outcome.captured == 1 && chain.stones.is_single() && chain.liberties.is_single() {
            ko = captured;
        }
        self.ko = ko;
        self.to_play = opponent;
        outcome
    }

    /// Puts a stone on an empty point and joins it with its neighbours of the same colour. Captures nothing.
    fn place(&mut self, color: Color, bit: usize) {
        let neighbours = self.geometry.neighbours(bit);
        let stone = Bitboard::single(bit);
        let mut chain = Chain { stones: stone, liberties: neighbours & self.empty() };
        let mut joined = neighbours & self.stones[color.index()];
        let mut name = bit as u16;
        self.stones[color.index()].insert(bit);
        self.hash ^= self.geometry.key(color, bit);
        if !joined.is_empty() {
            // The first neighbouring chain lends its name; the stones of the others are renamed.
            let first = joined.first();
            name = self.chain_of[first / 64][first % 64];
            loop {
                let other = *self.chain(joined.first());
                if !other.stones.contains(first) {
                    other.stones.iter().for_each(|stone| self.chain_of[stone / 64][stone % 64] = name);
                }
                chain.stones |= other.stones;
                chain.liberties |= other.liberties;
                joined = joined.without(other.stones);
                if joined.is_empty() {
                    break;
                }
            }
            chain.liberties = chain.liberties.without(stone);
        }
        self.chain_of[bit / 64][bit % 64] = name;
        *self.chain_mut(bit) = chain;
    }

    /// Takes the liberty `bit` from the neighbouring chains of `color` and removes those left without any. Returns the removed stones.
    fn take_last_liberty(&mut self, color: Color, bit: usize) -> Bitboard<W> {
        let mut touched = self.geometry.neighbours(bit) & self.stones[color.index()];
        let mut removed = Bitboard::EMPTY;
        while !touched.is_empty() {
            let chain = self.chain_mut(touched.first());
            chain.liberties.remove(bit);
            let Chain { stones, liberties } = *chain;
            touched = touched.without(stones);
            if liberties.is_empty() {
                removed |= stones;
                self.remove(color, stones);
            }
        }
        removed
    }

    /// Takes a whole chain of `color` off the board; the opposing chains around it gain its points as liberties.
    fn remove(&mut self, color: Color, stones: Bitboard<W>) {
        self.stones[color.index()] ^= stones;
        for stone in stones.iter() {
            self.hash ^= self.geometry.key(color, stone);
        }
        let mut touched = self.geometry.adjacent(stones) & self.stones[color.opponent().index()];
        while !touched.is_empty() {
            let bit = touched.first();
            let around = self.chain(bit).stones;
            let gained = self.geometry.adjacent(around) & stones;
            self.chain_mut(bit).liberties |= gained;
            touched = touched.without(around);
        }
    }

    /// Sets up a position from scratch: these stones, this player to move, no ko ban.
    ///
    /// # Errors
    /// The first stone, in row-major order, of a chain without liberties: such a position cannot stand. The board is empty then.
    pub fn set_position(
        &mut self,
        stones: impl IntoIterator<Item = (Point, Color)>,
        to_play: Color,
    ) -> Result<(), NoLiberty> {
        self.clear();
        for (point, color) in stones {
            let bit = self.geometry.bit(point);
            if self.empty().contains(bit) {
                self.place(color, bit);
                let mut touched = self.geometry.neighbours(bit) & self.stones[color.opponent().index()];
                while !touched.is_empty() {
                    let chain = self.chain_mut(touched.first());
                    chain.liberties.remove(bit);
                    touched = touched.without(chain.stones);
                }
            }
        }
        self.to_play = to_play;
        let stones = self.stones[0] | self.stones[1];
        let strangled = stones.iter().find(|&bit| self.chain(bit).liberties.is_empty());
        match strangled {
            Some(bit) => {
                let point = self.geometry.point(bit);
                self.clear();
                Err(NoLiberty { point })
            }
            None => Ok(()),
        }
    }
}

/// A position in which a chain has no liberty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the chain at column {}, row {} (from the top left) has no liberty", point.x + 1, point.y + 1)]
pub struct NoLiberty {
    /// A stone of the chain.
    pub point: Point,
}
