//! Which of the prover's stones bring back a board that has stood before.

use std::collections::BTreeMap;

use super::{
    check::Checker,
    small_board::{State, Stones},
    strategy::{Reply, StateCode},
};
use crate::zobrist::MixMap;

/// A stone of the prover that brings back a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Return {
    pub(super) state: StateCode,
    /// The stones after it: see [`StateCode::board`].
    pub(super) board: u64,
}

/// What stood on a way to a state and may be brought back, perhaps as a mirror image; and the lowest rank of a state in which that happens.
type Seen = BTreeMap<Stones, u8>;

/// Follows the ways from where a board stood that may be brought back.
struct Tracker<'c, 'a, const W: usize> {
    checker: &'c mut Checker<'a, W>,
    /// By rank, the states to follow, with what stood on the ways to them.
    open: Vec<MixMap<StateCode, Seen>>,
}

/// Returns the stones that bring back a board, of those that a check has noted.
pub(super) fn repetitions<const W: usize>(checker: &mut Checker<'_, W>) -> Vec<Return> {
    let open = vec![MixMap::default(); usize::from(u8::MAX) + 1];
    if checker.returned.is_empty() { Vec::new() } else { Tracker { checker, open }.repetitions() }
}

impl<const W: usize> Tracker<'_, '_, W> {
    fn repetitions(mut self) -> Vec<Return> {
        let prover = self.checker.claim.prover;
        let start = self.checker.start;
        if start.to_play != prover {
            self.answer(&start, self.seen(&start, u8::MAX).into_iter().collect());
        }
        let is_seen_at = |(code, reply): &(StateCode, Reply)| {
            let state = code.state(self.checker.board, prover);
            let after = self.checker.after(&state, *reply).expect("a move that was checked");
            self.seen(&state, reply.rank).or(self.seen(&after, reply.rank)).is_some()
        };
        let seen: Vec<(StateCode, Reply)> = self.checker.reached().filter(is_seen_at).collect();
        for (code, reply) in seen {
            self.open[usize::from(reply.rank)].entry(code).or_default();
        }
        let mut repetitions = Vec::new();
        for rank in (0..=u8::MAX).rev() {
            for (code, mut seen) in std::mem::take(&mut self.open[usize::from(rank)]) {
                let state = code.state(self.checker.board, prover);
                let after = self.checker.after(&state, self.reply(code)).expect("a move that was checked");
                seen.extend(self.seen(&state, rank));
                if !after.is_after_pass && seen.contains_key(&after.stones) {
                    let board = StateCode::board(self.checker.board, &after);
                    repetitions.push(Return { state: code, board });
                }
                seen.extend(self.seen(&after, rank));
                self.answer(&after, seen);
            }
        }
        repetitions
    }

    fn reply(&self, code: StateCode) -> Reply {
        self.checker.strategy.get(code).expect("a state that was checked")
    }

    /// Returns the stones of a state with this rank, if they may be brought back in one of a lower rank.
    fn seen(&self, state: &State, rank: u8) -> Option<(Stones, u8)> {
        let lowest = self.checker.returned.get(&StateCode::board(self.checker.board, state))?;
        (*lowest < rank).then_some((state.stones, *lowest))
    }

    /// Notes in all states that can follow what stood before.
    fn answer(&mut self, state: &State, mut seen: Seen) {
        let (board, prover) = (self.checker.board, self.checker.claim.prover.index());
        let safe = self.checker.safe_sets(state.stones);
        // Alive stones stay, and with them what differs.
        seen.retain(|stones, _| safe[0].alive & !stones[prover] == 0);
        if seen.is_empty() || self.checker.is_won(&safe[0]) {
            return;
        }
        for (after, _) in self.checker.replies(*state, &safe) {
            let (code, symmetry) = StateCode::new(board, &after);
            let rank = self.reply(code).rank;
            let lower = seen.iter().filter(|&(_, &lowest)| lowest <= rank);
            let images =
                lower.map(|(stones, &lowest)| (stones.map(|set| board.image(set, symmetry)), lowest));
            let mut images = images.peekable();
            if images.peek().is_some() {
                self.open[usize::from(rank)].entry(code).or_default().extend(images);
            }
        }
    }
}
