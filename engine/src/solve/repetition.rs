//! Which of the prover's stones bring back a board that has stood before.

use std::collections::BTreeSet;

use super::{
    check::{Checker, Return},
    small_board::{State, Stones},
    strategy::{Reply, StateCode},
};
use crate::zobrist::MixMap;

/// The returns, by number, whose boards stood on a way to a state, perhaps as mirror images, and what stood.
type Seen = BTreeSet<(usize, Stones)>;

/// Follows the ways from where the board of a return stood to that return.
struct Tracker<'c, 'a, const W: usize> {
    checker: &'c mut Checker<'a, W>,
    by_board: MixMap<u64, Vec<usize>>,
    by_state: MixMap<StateCode, usize>,
    /// By rank, the states to follow, with what stood on the ways to them.
    open: Vec<MixMap<StateCode, Seen>>,
}

/// Returns those of the returns that a check has noted whose boards can have stood before.
pub(super) fn repetitions<const W: usize>(checker: &mut Checker<'_, W>) -> Vec<Return> {
    let mut by_board: MixMap<u64, Vec<usize>> = MixMap::default();
    let mut by_state = MixMap::default();
    for (number, (found, _)) in checker.returns.iter().enumerate() {
        by_board.entry(found.board).or_default().push(number);
        by_state.insert(found.state, number);
    }
    let open = vec![MixMap::default(); usize::from(u8::MAX) + 1];
    if by_board.is_empty() { Vec::new() } else { Tracker { checker, by_board, by_state, open }.repetitions() }
}

impl<const W: usize> Tracker<'_, '_, W> {
    fn repetitions(mut self) -> Vec<Return> {
        let prover = self.checker.claim.prover;
        let start = self.checker.start;
        if start.to_play != prover {
            let seen = self.seen(&start, u8::MAX).collect();
            self.answer(&start, &seen);
        }
        let is_seen_at = |(code, reply): &(StateCode, Reply)| {
            let state = code.state(self.checker.board, prover);
            let after = self.checker.after(&state, *reply).expect("a move that was checked");
            [state, after].iter().any(|state| self.seen(state, reply.rank).next().is_some())
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
                if let Some(&number) = self.by_state.get(&code)
                    && seen.contains(&(number, after.stones))
                {
                    repetitions.push(self.checker.returns[number].0);
                }
                seen.extend(self.seen(&after, rank));
                self.answer(&after, &seen);
            }
        }
        repetitions
    }

    fn reply(&self, code: StateCode) -> Reply {
        self.checker.strategy.get(code).expect("a state that was checked")
    }

    /// Returns the returns of lower ranks that bring back the board of a state.
    fn seen(&self, state: &State, rank: u8) -> impl Iterator<Item = (usize, Stones)> {
        let stones = state.stones;
        let numbers = self.by_board.get(&StateCode::board(self.checker.board, state)).into_iter().flatten();
        let is_lower = move |number: &usize| self.checker.returns[*number].1 < rank;
        numbers.copied().filter(is_lower).map(move |number| (number, stones))
    }

    /// Notes in all states that can follow what stood before.
    fn answer(&mut self, state: &State, seen: &Seen) {
        let safe = self.checker.safe_sets(state.stones);
        if seen.is_empty() || self.checker.is_won(&safe[0]) {
            return;
        }
        let board = self.checker.board;
        for (after, _) in self.checker.replies(*state, &safe) {
            let (code, symmetry) = StateCode::new(board, &after);
            let rank = self.reply(code).rank;
            let lower = seen.iter().filter(|(number, _)| self.checker.returns[*number].1 <= rank);
            let images =
                lower.map(|&(number, stones)| (number, stones.map(|set| board.image(set, symmetry))));
            let mut images = images.peekable();
            if images.peek().is_some() {
                self.open[usize::from(rank)].entry(code).or_default().extend(images);
            }
        }
    }
}
