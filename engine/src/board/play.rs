//! Putting a stone on the board, and what follows.

use super::{
    Board, Candidate, IllegalMove,
    chain::{LaneSet, Lanes, Liberties, Link},
    legality::Spoils,
    undo::{Journal, NoJournal},
};
use crate::{Color, Move, Point, bitboard::Bitboard};

/// What a move removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveOutcome {
    /// Opposing stones removed.
    pub captured: u16,
    /// Own stones removed (suicide), the one just played included. Only one of the two counts can be positive.
    pub given_up: u16,
}

/// What [`Board::place`] found out.
struct Placed<const W: usize> {
    /// The link of the new stone's chain.
    link: Link,
    /// The chain's stones: writing them and reading them back at once would make the processor wait.
    chain: Bitboard<W>,
    /// Whether it is alone in it.
    is_single: bool,
    /// What was beside it.
    lanes: Lanes,
    /// Where other chains of its colour are.
    others: LaneSet,
    /// Where opposing chains have at most one liberty left.
    threatened: LaneSet,
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
    pub fn play(&mut self, mv: Move) -> Result<MoveOutcome, IllegalMove> {
        match mv {
            Move::Play(point) => {
                self.check(point)?;
                Ok(self.play_unchecked(point))
            }
            Move::Pass => {
                self.pass();
                Ok(MoveOutcome::default())
            }
        }
    }

    /// Passes: the opponent is to move and no ko ban is left.
    #[inline(always)]
    pub fn pass(&mut self) {
        self.to_play = self.to_play.opponent();
        self.ko = None;
    }

    /// Plays on `point` without checking that it is legal.
    ///
    /// For points known to be empty and on the board; otherwise the board's state becomes meaningless, and it may panic.
    #[inline(always)]
    pub fn play_unchecked(&mut self, point: Point) -> MoveOutcome {
        self.play_bit(self.geometry.bit(point), &mut NoJournal)
    }

    /// As [`play_unchecked`](Self::play_unchecked), on a point picked from the candidates of this position or of a board of this size.
    #[inline(always)]
    pub fn play_candidate(&mut self, candidate: Candidate) -> MoveOutcome {
        self.play_bit(candidate.bit(), &mut NoJournal)
    }

    #[inline(always)]
    pub(super) fn play_bit(&mut self, bit: usize, journal: &mut impl Journal<W>) -> MoveOutcome {
        let (color, opponent) = (self.to_play, self.to_play.opponent());
        let Placed { mut link, mut chain, is_single, lanes, others, threatened } =
            self.place(color, bit, journal);
        if !others.is_empty() {
            (link, chain) = self.join_all(link, chain, lanes, others, journal);
        }
        let root = link.root();
        let mut outcome = MoveOutcome::default();
        self.ko = None;
        if !threatened.is_empty() {
            outcome.captured = self.threaten(opponent, lanes, threatened, journal);
            if outcome.captured == 1 && is_single && self.liberties[root].is_at_most_one() {
                self.ko = Some(self.removed.first() as u16);
            }
        }
        let liberties = self.liberties[root];
        if liberties.is_none() {
            outcome.given_up = self.give_up(color, root, journal);
        } else {
            self.note_atari(color, liberties, chain);
        }
        self.to_play = opponent;
        outcome
    }

    /// Notes whether a chain with these liberties, which are not none, and stones is in atari.
    #[inline(always)]
    fn note_atari(&mut self, color: Color, liberties: Liberties, stones: Bitboard<W>) {
        let in_atari = liberties.is_at_most_one();
        let atari = &mut self.atari[color.index()];
        if Bitboard::<W>::IS_SHORT {
            // Without a branch, which would be hard to guess.
            *atari = atari.without(stones) | stones.only_if(in_atari);
        } else if in_atari {
            *atari |= stones;
        } else if atari.intersects(stones) {
            *atari = atari.without(stones);
        }
    }

    /// Puts a stone on an empty point and adds it to one chain of its colour beside it, if there is one. Captures nothing.
    #[inline(always)]
    fn place(&mut self, color: Color, bit: usize, journal: &mut impl Journal<W>) -> Placed<W> {
        let Self { geometry, stones, empty, hash, spoils, links, liberties, chains, .. } = self;
        // The addresses of tables are read once: a compiler cannot know that writing to a table leaves them alone.
        let (geometry, liberties, chains) = (&**geometry, &mut **liberties, &mut **chains);
        stones[color.index()].insert(bit);
        empty.remove(bit);
        spoils[color.index()].place(bit, geometry);
        *hash ^= geometry.key(color, bit);
        let beside = links.beside(bit, geometry.stride());
        let taken = Liberties::single(bit);
        // No branches here: random play would mislead the processor's guesses.
        for link in beside {
            journal.note_liberties(link.root(), liberties[link.root()]);
            liberties[link.root()].lose(taken);
        }
        let alone = Link::stone(bit, color);
        let at_most_one = Liberties::are_at_most_one(beside.map(|near| liberties[near.root()]));
        let lanes = Lanes::new(beside);
        let threatened = lanes.stones_in(color.opponent(), at_most_one);
        let link = beside.into_iter().fold(alone, |link, near| if near.is_of(color) { near } else { link });
        let others = lanes.others(color, link);
        let is_single = link == alone;
        let root = link.root();
        journal.note_link(bit, links[bit]);
        journal.note_liberties(bit, liberties[bit]);
        journal.note_liberties(root, liberties[root]);
        journal.note_chain(root, &chains[root]);
        links[bit] = link;
        let gained = std::mem::take(&mut liberties[bit]);
        liberties[root].gain(gained);
        let chain = chains[root] | Bitboard::single_in_registers(bit);
        chains[root] = chain;
        Placed { link, chain, is_single, lanes, others, threatened }
    }

    /// Joins the other chains of its colour beside a new stone to the one that the stone is in. Returns their common link and stones.
    #[inline(always)]
    fn join_all(
        &mut self,
        mut link: Link,
        mut chain: Bitboard<W>,
        lanes: Lanes,
        mut others: LaneSet,
        journal: &mut impl Journal<W>,
    ) -> (Link, Bitboard<W>) {
        while let Some(other) = lanes.pop(&mut others) {
            let is_larger = self.liberties[link.root()].count() >= self.liberties[other.root()].count();
            let joined = self.chains[other.root()];
            let (kept, old, mut renamed) =
                if is_larger { (link, other, joined) } else { (other, link, chain) };
            while let Some(bit) = renamed.pop() {
                journal.note_link(bit, self.links[bit]);
                self.links[bit] = kept;
            }
            journal.note_liberties(kept.root(), self.liberties[kept.root()]);
            journal.note_chain(old.root(), &self.chains[old.root()]);
            journal.note_chain(kept.root(), &self.chains[kept.root()]);
            let gained = self.liberties[old.root()];
            self.liberties[kept.root()].gain(gained);
            link = kept;
            chain |= joined;
            self.chains[old.root()] = Bitboard::EMPTY;
            self.chains[kept.root()] = chain;
        }
        (link, chain)
    }

    /// Looks at the chains of `color` beside a new stone that have at most one liberty left: removes those without, and notes the others as
    /// being in atari. Returns the number of stones removed.
    #[inline(always)]
    fn threaten(
        &mut self,
        color: Color,
        lanes: Lanes,
        mut threatened: LaneSet,
        journal: &mut impl Journal<W>,
    ) -> u16 {
        let mut count = 0;
        while let Some(link) = lanes.pop(&mut threatened) {
            if self.liberties[link.root()].is_none() {
                if count == 0 {
                    self.removed = Bitboard::EMPTY;
                }
                count += self.remove(color, link.root(), journal);
            } else {
                self.atari[color.index()] |= self.chains[link.root()];
            }
        }
        count
    }

    /// Removes the mover's own chain and returns its size.
    #[cold]
    fn give_up(&mut self, color: Color, root: usize, journal: &mut impl Journal<W>) -> u16 {
        self.removed = Bitboard::EMPTY;
        self.remove(color, root, journal)
    }

    /// Takes a chain off the board and returns its size; what is around it gains its points as liberties.
    #[inline(always)]
    fn remove(&mut self, color: Color, root: usize, journal: &mut impl Journal<W>) -> u16 {
        let opponent = color.opponent();
        let Self { geometry, stones, empty, hash, atari, links, liberties, chains, .. } = self;
        let (geometry, liberties) = (&**geometry, &mut **liberties);
        journal.note_chain(root, &chains[root]);
        let removed = std::mem::replace(&mut chains[root], Bitboard::EMPTY);
        stones[color.index()] = stones[color.index()].without(removed);
        atari[color.index()] = atari[color.index()].without(removed);
        *empty |= removed;
        self.removed |= removed;
        let (mut count, stride) = (0, geometry.stride());
        let mut rest = removed;
        while let Some(bit) = rest.pop() {
            count += 1;
            *hash ^= geometry.key(color, bit);
            journal.note_link(bit, links[bit]);
            links[bit] = Link::empty(bit);
            let beside = links.beside(bit, stride);
            for link in beside {
                journal.note_liberties(link.root(), liberties[link.root()]);
                liberties[link.root()].gain(Liberties::single(bit).only_if(!link.is_of(color)));
            }
            // Of the removed stones, those above and on the left are empty points already.
            let mut gained = Liberties::NONE;
            for (link, near) in beside.into_iter().zip([bit.wrapping_sub(1), bit.wrapping_sub(stride)]) {
                gained.gain(Liberties::single(near).only_if(link == Link::empty(near)));
            }
            journal.note_liberties(bit, liberties[bit]);
            liberties[bit] = gained;
        }
        let mut freed = self.atari[opponent.index()] & self.geometry.adjacent_or_outside(removed);
        while !freed.is_empty() {
            let root = self.links[freed.first()].root();
            freed = freed.without(self.chains[root]);
            self.note_atari(opponent, self.liberties[root], self.chains[root]);
        }
        self.spoils[color.index()] = Spoils::new(self.stones[color.index()], &self.geometry);
        count
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
                let Placed { link, chain, lanes, others, .. } = self.place(color, bit, &mut NoJournal);
                self.join_all(link, chain, lanes, others, &mut NoJournal);
            }
        }
        self.to_play = to_play;
        let stones = self.stones[0] | self.stones[1];
        let strangled = stones.iter().find(|&bit| self.liberties_of(bit).is_none());
        match strangled {
            Some(bit) => {
                let point = self.geometry.point(bit);
                self.clear();
                Err(NoLiberty { point })
            }
            None => {
                self.atari = Color::BOTH.map(|color| {
                    let in_atari = |&chain: &Bitboard<W>| self.liberties_of(chain.first()).is_at_most_one();
                    self.chain_sets(color)
                        .filter(in_atari)
                        .fold(Bitboard::EMPTY, |atari, chain| atari | chain)
                });
                Ok(())
            }
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
