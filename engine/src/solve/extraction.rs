//! Makes a strategy of what a search has proved.

use std::sync::{RwLock, RwLockReadGuard};

use super::{
    prover::{Outcome, Prover},
    small_board::{NO_PLACE, State},
    strategy::{Reply, StateCode, Strategy},
};
use crate::zobrist::MixMap;

/// What the prover must not play: boards, by the state before.
pub(super) type Avoided = MixMap<StateCode, Vec<u64>>;

/// What threads that make a strategy together share.
pub(super) struct Shared<'a> {
    pub(super) avoided: &'a Avoided,
    /// A strategy whose moves are tried first.
    pub(super) earlier: Option<&'a Strategy>,
    pub(super) strategy: RwLock<Strategy>,
    pub(super) threads: usize,
    /// The most states of the strategy.
    pub(super) max_states: usize,
}

impl Shared<'_> {
    pub(super) fn into_strategy(self) -> Strategy {
        self.strategy.into_inner().expect("no thread panics")
    }
}

/// The work of one thread.
pub(super) struct Extraction<'p, 'a> {
    prover: Prover<'a>,
    shared: &'p Shared<'a>,
    /// The number of the thread.
    thread: usize,
    /// States in which all that wins within so many plies is to be avoided, or leads to such a state.
    dead_ends: MixMap<StateCode, u8>,
}

/// A strategy has more states than are allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge;

impl<'p, 'a> Extraction<'p, 'a> {
    pub(super) fn new(prover: Prover<'a>, shared: &'p Shared<'a>, thread: usize) -> Self {
        Self { prover, shared, thread, dead_ends: MixMap::default() }
    }

    /// Completes the strategy, so that by it the prover wins from a state within so many plies. Returns false if there is none, and nothing if the
    /// search was told to stop.
    pub(super) fn run(mut self, start: &State, depth: u8) -> Option<Result<bool, TooLarge>> {
        let is_won = if start.to_play == self.prover.claim.prover {
            self.reply(start, depth)
        } else {
            self.answer(start, depth)
        };
        self.prover.report();
        (!self.prover.is_stopped()).then_some(is_won)
    }

    fn strategy(&self) -> RwLockReadGuard<'p, Strategy> {
        self.shared.strategy.read().expect("no thread panics")
    }

    /// Finds replies to all that the opponent can do.
    fn answer(&mut self, state: &State, depth: u8) -> Result<bool, TooLarge> {
        let safe = self.prover.safe_sets(state);
        if self.prover.decide(safe) == Outcome::Won {
            return Ok(true);
        }
        let mut replies: Vec<State> = self.prover.replies(state, safe).collect();
        // Each thread begins with others.
        let first = replies.len() * self.thread / self.shared.threads;
        replies.rotate_left(first);
        for after in &replies {
            if depth == 0 || !self.reply(after, depth - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds a move of the prover, and replies to all that can follow.
    fn reply(&mut self, state: &State, depth: u8) -> Result<bool, TooLarge> {
        let (code, symmetry) = StateCode::new(self.prover.board, state);
        if self.strategy().get(code).is_some_and(|reply| reply.rank <= depth) {
            return Ok(true);
        }
        if self.dead_ends.get(&code).is_some_and(|&dead| dead >= depth) {
            return Ok(false);
        }
        if self.prover.decide(self.prover.safe_sets(state)) == Outcome::Won {
            return self.note(code, Reply { place: NO_PLACE, rank: 0 });
        }
        let mut tried = 0_u128;
        let mut earlier = self.earlier_reply(code, symmetry, depth);
        while let Some((mv, rank)) = earlier.take().or_else(|| self.winning_move(state, depth, tried)) {
            tried |= 1 << mv;
            let Some(after) = self.prover.after(state, mv) else { continue };
            let is_avoided = self
                .shared
                .avoided
                .get(&code)
                .is_some_and(|boards| boards.contains(&StateCode::board(self.prover.board, &after)));
            if !is_avoided && self.answer(&after, rank - 1)? {
                // The state itself may have come up on the way, where a faster reply was found.
                return self.note(code, Reply { place: self.prover.board.place(mv, symmetry), rank });
            }
        }
        self.dead_ends.insert(code, depth);
        Ok(false)
    }

    /// Returns the move of the earlier strategy, and within how many plies it wins, if they are not more than this.
    fn earlier_reply(&self, code: StateCode, symmetry: usize, depth: u8) -> Option<(u8, u8)> {
        let Reply { place, rank } = self.shared.earlier?.get(code)?;
        (rank <= depth).then(|| (self.prover.board.origin(place, symmetry), rank))
    }

    /// Returns a move that was not tried by which the prover wins within so many plies, and within how many she then does.
    ///
    /// Of moves that are known to win it is the one after which the strategy lacks the fewest replies, so that it stays small. What follows such a move
    /// is known as well, and need not be searched for.
    fn winning_move(&mut self, state: &State, depth: u8, tried: u128) -> Option<(u8, u8)> {
        let strategy = self.strategy();
        let mut least: Option<(usize, u8, u8)> = None;
        for (mv, rank, after) in self.prover.known_wins(state, depth, tried) {
            let safe = self.prover.safe_sets(&after);
            let mut codes = Vec::new();
            if self.prover.decide(safe) != Outcome::Won {
                codes.extend(self.prover.replies(&after, safe).map(|reply| {
                    let (code, _) = StateCode::new(self.prover.board, &reply);
                    strategy.prefetch(code);
                    code
                }));
            }
            let count = codes.iter().filter(|&&code| strategy.get(code).is_none()).count();
            least = least.into_iter().chain([(count, rank, mv)]).min();
        }
        drop(strategy);
        match least {
            Some((_, rank, mv)) => Some((mv, rank)),
            None => self.prover.winning_move(state, depth, tried),
        }
    }

    /// Notes a reply.
    fn note(&self, code: StateCode, reply: Reply) -> Result<bool, TooLarge> {
        if self.strategy().is_full() {
            let mut strategy = self.shared.strategy.write().expect("no thread panics");
            if strategy.is_full() {
                strategy.grow();
            }
        }
        let strategy = self.strategy();
        strategy.note(code, reply);
        if strategy.len() > self.shared.max_states { Err(TooLarge) } else { Ok(true) }
    }
}
