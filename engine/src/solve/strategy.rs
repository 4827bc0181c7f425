//! A strategy as a table: in every state that can come up, the prover's move.

use super::{
    check::Return,
    prover::{Outcome, Prover},
    small_board::{NO_POINT, SmallBoard, State},
};
use crate::{Color, Move, zobrist::MixMap};

/// A state with the prover to move, the same for all its images: the least of them as a number.
///
/// Bit *i* is Black's stone on open point *i* in row-major order, bit 25 + *i* White's; from bit 50 on is the number of the point that simple ko
/// forbids, or 31.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StateCode(pub(super) u64);

/// What the prover plays in a state, and within how many plies from then on she has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) mv: Move,
    pub(super) rank: u8,
}

/// The replies to all that the opponent can do.
pub(super) type Strategy = MixMap<StateCode, Reply>;

impl StateCode {
    const COLOR_BITS: u32 = 25;
    const NO_BAN: u64 = 31;

    /// Returns the code of a state, and by which of the board's symmetries its image has it: the first of several.
    pub(super) fn new(board: &SmallBoard, state: &State) -> (Self, usize) {
        let codes = (0..board.symmetries().len()).map(|symmetry| {
            let [black, white] = state.stones.map(|set| u64::from(board.places(set, symmetry)));
            let ban = match state.ban {
                NO_POINT => Self::NO_BAN,
                ban => board.places(1 << ban, symmetry).trailing_zeros().into(),
            };
            (Self(black | white << Self::COLOR_BITS | ban << (2 * Self::COLOR_BITS)), symmetry)
        });
        codes.min().expect("the identity")
    }

    /// Returns a number for the stones alone, the same for all images.
    pub(super) fn board(board: &SmallBoard, state: &State) -> u64 {
        let mut stones = *state;
        stones.ban = NO_POINT;
        Self::new(board, &stones).0.0
    }

    /// Returns the state of this code with this player to move.
    pub(super) fn state(self, board: &SmallBoard, to_play: Color) -> State {
        let set = |code: u64| board.points(code as u32 & ((1 << Self::COLOR_BITS) - 1));
        let mut state = board.state([set(self.0), set(self.0 >> Self::COLOR_BITS)], to_play);
        let ban = board.open.get((self.0 >> (2 * Self::COLOR_BITS)) as usize);
        state.ban = ban.map_or(NO_POINT, |&point| board.bit(point));
        state
    }
}

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
        let (strategy, dead_ends) = (Strategy::default(), MixMap::default());
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
        if self.strategy.get(&code).is_some_and(|reply| reply.rank <= depth) {
            return Ok(true);
        }
        if self.dead_ends.get(&code).is_some_and(|&dead| dead >= depth) {
            return Ok(false);
        }
        if self.prover.decide(self.prover.safe_sets(state)) == Outcome::Won {
            self.strategy.insert(code, Reply { mv: Move::Pass, rank: 0 });
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
                let reply = Reply { mv: self.prover.board.move_image(mv, symmetry), rank };
                // The state itself may have come up on the way, where a faster reply was found.
                let known = self.strategy.entry(code).or_insert(reply);
                if rank < known.rank {
                    *known = reply;
                }
                return Ok(true);
            }
        }
        self.dead_ends.insert(code, depth);
        Ok(false)
    }
}
