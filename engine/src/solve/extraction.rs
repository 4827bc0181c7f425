//! Makes a strategy of what a search has proved.

use super::{
    check::Return,
    prover::{Outcome, Prover},
    small_board::{NO_PLACE, State},
    strategy::{Reply, StateCode, Strategy},
};
use crate::zobrist::MixMap;

/// Makes a strategy of what a search has proved.
pub(super) struct Extraction<'p, 'a> {
    prover: &'p mut Prover<'a>,
    /// What the prover must not play: boards, by the state before.
    avoided: MixMap<StateCode, Vec<u64>>,
    strategy: Strategy,
    /// States in which all that wins within so many plies is to be avoided, or leads to such a state.
    dead_ends: MixMap<StateCode, u8>,
    max_states: usize,
}

/// A strategy has more states than are allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge;

impl<'p, 'a> Extraction<'p, 'a> {
    /// Begins a strategy of so many states at most, in which these moves are not made.
    pub(super) fn new(prover: &'p mut Prover<'a>, avoided: &[Return], max_states: usize) -> Self {
        let mut boards: MixMap<StateCode, Vec<u64>> = MixMap::default();
        for found in avoided {
            boards.entry(found.state).or_default().push(found.board);
        }
        let (strategy, dead_ends) = (Strategy::new(), MixMap::default());
        Self { prover, avoided: boards, strategy, dead_ends, max_states }
    }

    /// Returns a strategy by which the prover wins from a state within so many plies; nothing if there is none.
    pub(super) fn strategy(mut self, start: &State, depth: u8) -> Result<Option<Strategy>, TooLarge> {
        let is_won = if start.to_play == self.prover.claim.prover {
            self.reply(start, depth)?
        } else {
            self.answer(start, depth)?
        };
        Ok(is_won.then_some(self.strategy))
    }

    /// Finds replies to all that the opponent can do.
    fn answer(&mut self, state: &State, depth: u8) -> Result<bool, TooLarge> {
        let safe = self.prover.safe_sets(state);
        if self.prover.decide(safe) == Outcome::Won {
            return Ok(true);
        }
        let replies: Vec<State> = self.prover.replies(state, safe).collect();
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
        if self.strategy.get(code).is_some_and(|reply| reply.rank <= depth) {
            return Ok(true);
        }
        if self.dead_ends.get(&code).is_some_and(|&dead| dead >= depth) {
            return Ok(false);
        }
        if self.prover.decide(self.prover.safe_sets(state)) == Outcome::Won {
            self.strategy.insert(code, Reply { place: NO_PLACE, rank: 0 });
            return Ok(true);
        }
        if self.strategy.len() + self.dead_ends.len() >= self.max_states {
            return Err(TooLarge);
        }
        let mut tried = 0_u128;
        while let Some((mv, rank)) = self.prover.winning_move(state, depth, tried) {
            tried |= 1 << mv;
            let Some(after) = self.prover.after(state, mv) else { continue };
            let is_avoided = self
                .avoided
                .get(&code)
                .is_some_and(|boards| boards.contains(&StateCode::board(self.prover.board, &after)));
            if !is_avoided && self.answer(&after, rank - 1)? {
                // The state itself may have come up on the way, where a faster reply was found.
                if self.strategy.get(code).is_none_or(|known| rank < known.rank) {
                    let place = self.prover.board.place(mv, symmetry);
                    self.strategy.insert(code, Reply { place, rank });
                }
                return Ok(true);
            }
        }
        self.dead_ends.insert(code, depth);
        Ok(false)
    }
}
