//! A strategy as a table: in every state that can come up, the prover's move.

use super::{
    prover::{Prover, Static},
    small_board::{NO_POINT, Points, SmallBoard, State, bits},
};
use crate::{Color, Move, Point, zobrist::MixMap};

/// A state with the prover to move, the same for all its images: the least of them as a number.
///
/// Bit *i* is Black's stone on the point with row-major index *i*, bit 25 + *i* White's; from bit 50 on is the index of the point that simple ko forbids,
/// or 31.
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
        let codes = (0..).zip(board.symmetries()).map(|(number, symmetry)| {
            let index = |bit: u8| symmetry.apply(board.point(bit), board.size).index(board.size);
            let set = |points: Points| bits(points).fold(0_u64, |set, bit| set | 1 << index(bit));
            let [black, white] = state.stones.map(set);
            let ban = if state.ban == NO_POINT { Self::NO_BAN } else { index(state.ban) as u64 };
            (Self(black | white << Self::COLOR_BITS | ban << (2 * Self::COLOR_BITS)), number)
        });
        codes.min().expect("the identity")
    }

    /// Returns the stones alone, as a number.
    pub(super) const fn board(self) -> u64 {
        self.0 & ((1 << (2 * Self::COLOR_BITS)) - 1)
    }

    /// Returns the state of this code with this player to move.
    pub(super) fn state(self, board: &SmallBoard, to_play: Color) -> State {
        let set = |code: u64| {
            let code = code & ((1 << Self::COLOR_BITS) - 1);
            bits(code)
                .filter_map(|index| Point::from_index(index.into(), board.size))
                .fold(0, |set, point| set | 1 << board.bit(point))
        };
        let stones = [set(self.0), set(self.0 >> Self::COLOR_BITS)];
        let ban = Point::from_index((self.0 >> (2 * Self::COLOR_BITS)) as usize, board.size);
        let mut state = board.start(stones, to_play);
        state.ban = ban.map_or(NO_POINT, |point| board.bit(point));
        state
    }
}

/// Makes a strategy of what a search has proved: that the prover wins from `start` within so many plies. Nothing if she does not.
pub(super) fn strategy(prover: &mut Prover<'_>, start: &State, depth: u8) -> Option<Strategy> {
    let (board, player) = (prover.board, prover.claim.prover);
    let mut strategy = Strategy::default();
    let mut open = vec![(*start, depth)];
    while let Some((state, depth)) = open.pop() {
        if state.to_play == player {
            let (code, symmetry) = StateCode::new(board, &state);
            if strategy.get(&code).is_some_and(|reply| reply.rank <= depth) {
                continue;
            }
            let (mv, rank) = prover.winning_move(&state, depth)?;
            let image = board.move_image(mv, symmetry);
            strategy.insert(code, Reply { mv: image, rank });
            open.push((prover.after(&state, mv)?, rank - 1));
        } else {
            let safe = prover.safe_sets(&state);
            if prover.decide(safe) != Some(Static::Won) {
                open.extend(prover.replies(&state, safe).map(|after| (after, depth - 1)));
            }
        }
    }
    Some(strategy)
}
