//! The graph of all states that a local position leads to, solved as a whole.
//!
//! Where the answer depends on repetition a search of lines is not enough. The states form a finite graph with cycles; what endless
//! play means is decided by least and greatest fixed points on it.

use super::{
    goal::{Goal, Value},
    local_board::{LocalBoard, Stones},
    states::{State, States},
};
use crate::Color;

/// Whom ko forbids to retake at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KoBan {
    Nobody,
    Defender,
}

/// The states reachable from a position, each with the states one ply later.
pub(super) struct StateGraph<'a> {
    board: &'a LocalBoard,
    goal: Goal,
    ko_ban: KoBan,
    states: States,
    /// The values of the states that need no search.
    values: Vec<Option<Value>>,
    /// The states one ply later. A pass comes first.
    successors: Lists,
    /// Whether a move of the attacker begins a ko in any state.
    pub(super) has_ko: bool,
}

impl<'a> StateGraph<'a> {
    /// Lists the states that arise from the position with each of these players to move first. Returns `None` if there are more than `limit`.
    pub(super) fn new(
        board: &'a LocalBoard,
        goal: Goal,
        ko_ban: KoBan,
        stones: Stones,
        first: &[Color],
        limit: usize,
    ) -> Option<Self> {
        let (states, values, successors) = (States::default(), Vec::new(), Lists::default());
        let mut graph = Self { board, goal, ko_ban, states, values, successors, has_ko: false };
        for &to_move in first {
            graph.states.add(State::new(stones, to_move));
        }
        while graph.values.len() < graph.len() {
            let state = graph.states[graph.values.len()];
            let value = goal.evaluate(board, &state);
            graph.values.push(value);
            if value.is_none() {
                graph.expand(&state);
            }
            graph.successors.end_list();
            if graph.len() > limit {
                return None;
            }
        }
        Some(graph)
    }

    /// Returns the number of states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the number of the first position with one of the first players to move.
    pub(super) fn root(&self, stones: Stones, to_move: Color) -> usize {
        self.states.find(&State::new(stones, to_move)).expect("a first state")
    }

    fn can_pass(&self, state: &State) -> bool {
        state.to_move == self.goal.passer(state.gone)
    }

    /// Lists the successors of a state.
    fn expand(&mut self, state: &State) {
        let State { stones, to_move, ko_ban: banned, gone } = *state;
        let other = to_move.opponent();
        if self.can_pass(state) {
            let successor = self.states.add(State { gone, ..State::new(stones, other) });
            self.successors.push(successor);
        }
        let moves = self.board.moves(stones, to_move);
        for (_, played) in moves.filter(|&(point, _)| banned != Some(point as u8)) {
            let ko = played.ko.filter(|_| to_move == self.goal.attacker());
            self.has_ko |= ko.is_some();
            let ko_ban = ko.filter(|_| self.ko_ban == KoBan::Defender).map(|point| point as u8);
            let gone = self.goal.gone(gone, played.stones);
            let successor = self.states.add(State { stones: played.stones, to_move: other, ko_ban, gone });
            self.successors.push(successor);
        }
    }

    fn is_attackers(&self, state: usize) -> bool {
        self.states[state].to_move == self.goal.attacker()
    }

    /// Returns in which states the goal is reached.
    pub(super) fn proven(&self) -> Vec<bool> {
        self.values.iter().map(|&value| value == Some(Value::Proven)).collect()
    }

    /// Returns from which states the attacker reaches the goal in a finite number of moves.
    pub(super) fn attacker_wins(&self) -> Vec<bool> {
        let mut wins = self.proven();
        let mut open: Vec<u8> =
            (0..self.len()).map(|state| self.successors.list(state).len() as u8).collect();
        let predecessors = self.successors.inverse();
        let mut fresh: Vec<usize> = (0..self.len()).filter(|&state| wins[state]).collect();
        while let Some(state) = fresh.pop() {
            for before in predecessors.list(state).iter().map(|&before| before as usize) {
                open[before] -= 1;
                if !wins[before] && (self.is_attackers(before) || open[before] == 0) {
                    wins[before] = true;
                    fresh.push(before);
                }
            }
        }
        wins
    }

    /// Returns from which states the defender avoids the `lost` ones by playing finitely many stones: from some ply on only passing.
    ///
    /// A least fixed point (one more stone is needed) around a greatest one (none is needed for now).
    pub(super) fn defender_avoids(&self, lost: &[bool]) -> Vec<bool> {
        let mut avoids = vec![false; self.len()];
        loop {
            let mut holds: Vec<bool> = lost.iter().map(|lost| !lost).collect();
            let mut changed = true;
            while changed {
                changed = false;
                // Later states are nearer to the ends.
                for state in (0..self.len()).rev() {
                    if self.values[state].is_some() || !holds[state] {
                        continue;
                    }
                    let successors = self.successors.list(state);
                    let stays = if self.is_attackers(state) {
                        successors.iter().all(|&after| holds[after as usize])
                    } else {
                        let (passes, moves) =
                            successors.split_at(usize::from(self.can_pass(&self.states[state])));
                        passes.iter().any(|&after| holds[after as usize])
                            || moves.iter().any(|&after| avoids[after as usize])
                    };
                    if !stays {
                        holds[state] = false;
                        changed = true;
                    }
                }
            }
            if holds == avoids {
                return avoids;
            }
            avoids = holds;
        }
    }
}

/// A list of states for each state, all side by side.
#[derive(Debug, Default)]
struct Lists {
    entries: Vec<u32>,
    /// Where the list of each state ends.
    ends: Vec<usize>,
}

impl Lists {
    /// Appends a state to the last list, which has not ended.
    fn push(&mut self, state: usize) {
        self.entries.push(state as u32);
    }

    fn end_list(&mut self) {
        self.ends.push(self.entries.len());
    }

    fn list(&self, state: usize) -> &[u32] {
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[state]]
    }

    /// Lists for each state those in whose lists it is.
    fn inverse(&self) -> Self {
        let mut ends = vec![0; self.ends.len()];
        self.entries.iter().for_each(|&entry| ends[entry as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        // Each list is filled from its end, which moves down to its start: where the list before it ends.
        let mut entries = vec![0; self.entries.len()];
        for state in 0..self.ends.len() {
            for &entry in self.list(state) {
                let place = &mut ends[entry as usize];
                *place -= 1;
                entries[*place] = state as u32;
            }
        }
        ends.rotate_left(1);
        if let Some(end) = ends.last_mut() {
            *end = sum;
        }
        Self { entries, ends }
    }
}
