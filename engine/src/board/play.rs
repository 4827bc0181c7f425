//! Putting a stone on the board, and what follows.

use super::{
    Board, IllegalMove,
    chain::{Chains, Name},
    surroundings::Surroundings,
};
use crate::{Color, Move, Point, bitboard::Bitboard};

/// What a move removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Opposing stones removed.
    pub captured: u16,
    /// Own stones removed (suicide), the one just played included. Only one of the two counts can be positive.
    pub given_up: u16,
}

/// What [`Board::place`] found out.
struct Placed {
    /// The chain of the new stone.
    name: Name,
    /// Whether an opposing chain has no liberty left.
    strangles: bool,
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
    #[inline(always)]
    pub fn pass(&mut self) {
        self.to_play = self.to_play.opponent();
        self.ko = None;
    }

    /// Plays on `point` without asking whether that is legal.
    ///
    /// For points known to be empty and on the board; otherwise the board's state becomes meaningless, and it may panic.
    #[inline(always)]
    pub fn play_unchecked(&mut self, point: Point) -> Outcome {
        self.play_bit(self.geometry.bit(point))
    }

    #[inline(always)]
    pub(crate) fn play_bit(&mut self, bit: usize) -> Outcome {
        // Each branch is compiled for its colour.
        match self.to_play {
            Color::Black => self.play_as(Color::Black, bit),
            Color::White => self.play_as(Color::White, bit),
        }
    }

    #[inline(always)]
    fn play_as(&mut self, color: Color, bit: usize) -> Outcome {
        let opponent = color.opponent();
        let Placed { name, strangles } = self.place(color, bit);
        let mut outcome = Outcome::default();
        self.ko = None;
        if strangles {
            let (captured, last) = self.remove_strangled(opponent, bit);
            outcome.captured = captured;
            let chain = &self.chains[name];
            if captured == 1 && chain.stone_count == 1 && chain.liberty_count == 1 {
                self.ko = Some(last);
            }
        } else if self.chains[name].liberty_count == 0 {
            self.removed = Bitboard::EMPTY;
            outcome.given_up = self.remove(color, bit);
        }
        self.to_play = opponent;
        outcome
    }

    /// Puts a stone on an empty point and joins it with its neighbours of the same colour. Captures nothing.
    #[inline(always)]
    fn place(&mut self, color: Color, bit: usize) -> Placed {
        let gained = self.geometry.neighbours(bit).without(self.stones[0]).without(self.stones[1]);
        self.stones[color.index()].insert(bit);
        self.open[0].remove(bit);
        self.open[1].remove(bit);
        self.hash ^= self.geometry.key(color, bit);
        self.surround(color, bit);
        let beside = self.geometry.beside(bit);
        let [a, b, c, d] = beside;
        let names = [self.chain_of[a], self.chain_of[b], self.chain_of[c], self.chain_of[d]];
        // No branches here: random play would mislead the processor's guesses.
        let mut strangles = false;
        let (mut own, mut neighbour, mut joins_several) = (Chains::<W>::EMPTY, bit, false);
        for (near, name) in beside.into_iter().zip(names) {
            let chain = &mut self.chains[name];
            chain.lose_liberty(bit);
            strangles |= chain.is_of(color.opponent()) & (chain.liberty_count == 0);
            let is_own = chain.is_of(color);
            joins_several |= is_own & (own != Chains::<W>::EMPTY) & (own != name);
            own = if is_own { name } else { own };
            neighbour = if is_own { near } else { neighbour };
        }
        let mut name = self.chains.extend(own, color);
        self.chains[name].gain_liberties(gained);
        self.chain_of[bit] = name;
        self.next[bit] = bit as u16;
        self.next.swap(bit, neighbour);
        if joins_several {
            for near in beside {
                let other = self.chain_of[near];
                if other != name && self.chains[other].is_of(color) {
                    name = self.join(name, bit, other, near);
                }
            }
        }
        Placed { name, strangles }
    }

    /// Makes one chain of two, each given by its name and one of its stones. Returns its name, which is that of the larger one.
    fn join(&mut self, one: Name, stone: usize, two: Name, other: usize) -> Name {
        let is_larger = self.chains[one].stone_count >= self.chains[two].stone_count;
        let (name, old, renamed) = if is_larger { (one, two, other) } else { (two, one, stone) };
        let mut next = renamed;
        loop {
            self.chain_of[next] = name;
            next = usize::from(self.next[next]);
            if next == renamed {
                break;
            }
        }
        self.next.swap(stone, other);
        let joined = self.chains.remove(old);
        let chain = &mut self.chains[name];
        chain.stone_count += joined.stone_count;
        chain.liberties |= joined.liberties;
        chain.liberty_count = chain.liberties.count() as u16;
        name
    }

    /// Notes a new stone in its surroundings. Points beside it may become eye-like for its colour, diagonal ones cease to be so for the
    /// other.
    #[inline(always)]
    fn surround(&mut self, color: Color, bit: usize) {
        let stride = self.geometry.stride();
        let changed = self.around.place(bit, color, stride);
        if !changed.is_none() {
            for near in Surroundings::beside(changed.beside, bit, stride) {
                self.open[color.index()].remove(near);
            }
            for near in Surroundings::diagonal(changed.diagonal, bit, stride) {
                self.open[color.opponent().index()].insert(near);
            }
        }
    }

    /// The reverse of [`surround`](Self::surround), for a stone taken off.
    #[inline(always)]
    fn unsurround(&mut self, color: Color, bit: usize) {
        let stride = self.geometry.stride();
        let changed = self.around.remove(bit, color, stride);
        if !changed.is_none() {
            for near in Surroundings::beside(changed.beside, bit, stride) {
                self.open[color.index()].insert(near);
            }
            for near in Surroundings::diagonal(changed.diagonal, bit, stride) {
                self.open[color.opponent().index()].remove(near);
            }
        }
        for player in Color::BOTH {
            let is_open = !self.around.get(bit).is_eye_like(player);
            self.open[player.index()].insert_if(is_open, bit);
        }
    }

    /// Removes the chains of `color` beside this point that have no liberty. Returns the number of stones and the last one.
    fn remove_strangled(&mut self, color: Color, around: usize) -> (u16, u16) {
        self.removed = Bitboard::EMPTY;
        let (mut count, mut last) = (0, 0);
        for bit in self.geometry.beside(around) {
            let chain = self.chain(bit);
            if chain.is_of(color) && chain.liberty_count == 0 {
                count += self.remove(color, bit);
                last = bit as u16;
            }
        }
        (count, last)
    }

    /// Takes the chain with a stone on `start` off the board and returns its size; the opposing chains around it gain its points as
    /// liberties.
    fn remove(&mut self, color: Color, start: usize) -> u16 {
        let opponent = color.opponent();
        let name = self.chain_of[start];
        let mut bit = start;
        loop {
            self.stones[color.index()].remove(bit);
            self.removed.insert(bit);
            self.hash ^= self.geometry.key(color, bit);
            self.chain_of[bit] = Chains::<W>::EMPTY;
            self.unsurround(color, bit);
            for near in self.geometry.beside(bit) {
                let chain = &mut self.chains[self.chain_of[near]];
                chain.gain_liberty_if(chain.is_of(opponent), bit);
            }
            bit = usize::from(self.next[bit]);
            if bit == start {
                break;
            }
        }
        self.chains.remove(name).stone_count
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
            }
        }
        self.to_play = to_play;
        let stones = self.stones[0] | self.stones[1];
        let strangled = stones.iter().find(|&bit| self.chain(bit).liberty_count == 0);
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
