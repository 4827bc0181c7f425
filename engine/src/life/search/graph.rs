//! The graph of all states that a local position leads to, solved as a whole.
//!
//! Where the answer depends on repetition a search of lines is not enough. The states form a finite graph with cycles; what endless
//! play means is decided by least and greatest fixed points on it.

use super::{
    goal::{Goal, Value},
    local_board::{LocalBoard, State, Stones, Table},
};
use crate::Color;

/// Whom ko forbids to retake at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KoBan {
    Nobody,
    Defender,
}

/// The states reachable from a position, each with the states one ply later.
pub(super) struct StateGraph {
    attacker: Color,
    index: Table<State, u32>,
    to_move: Vec<Color>,
    values: Vec<Option<Value>>,
    /// Where the successors of each state begin in `successors`.
    starts: Vec<u32>,
    /// States one ply later. Where the player to move may pass, the state after a pass comes first.
    successors: Vec<u32>,
    can_pass: Vec<bool>,
    has_ko: bool,
}

/// The limit of states is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyStates;

impl StateGraph {
    /// Lists the states that arise from the position with each of these players to move first.
    pub(super) fn new(
        board: &LocalBoard,
        goal: Goal,
        ko_ban: KoBan,
        stones: Stones,
        first: &[Color],
        limit: usize,
    ) -> Result<Self, TooManyStates> {
        let mut graph = Self {
            attacker: goal.attacker(),
            index: Table::default(),
            to_move: Vec::new(),
            values: Vec::new(),
            starts: vec![0],
            successors: Vec::new(),
            can_pass: Vec::new(),
            has_ko: false,
        };
        let mut states: Vec<State> = first.iter().map(|&to_move| State::new(stones, to_move)).collect();
        states.iter().for_each(|&state| graph.add(board, goal, state));
        let mut next = 0;
        while next < states.len() {
            if graph.values[next].is_none() {
                graph.expand(board, goal, ko_ban, &mut states, next);
            }
            graph.starts.push(graph.successors.len() as u32);
            if states.len() > limit {
                return Err(TooManyStates);
            }
            next += 1;
        }
        Ok(graph)
    }

    /// Returns the number of states.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether a move of the attacker begins a ko in any state.
    pub(super) fn has_ko(&self) -> bool {
        self.has_ko
    }

    /// Returns the index of the first position with one of the first players to move.
    pub(super) fn root(&self, stones: Stones, to_move: Color) -> usize {
        self.index[&State::new(stones, to_move)] as usize
    }

    /// Adds a new state.
    fn add(&mut self, board: &LocalBoard, goal: Goal, state: State) {
        self.index.insert(state, self.values.len() as u32);
        self.to_move.push(state.to_move);
        self.can_pass.push(state.to_move == goal.passer(state.gone));
        self.values.push(goal.evaluate(board, state.stones, state.to_move, state.gone));
    }

    fn expand(
        &mut self,
        board: &LocalBoard,
        goal: Goal,
        ko_ban: KoBan,
        states: &mut Vec<State>,
        number: usize,
    ) {
        let State { stones, to_move, ko_ban: banned, gone } = states[number];
        let mut link = |graph: &mut Self, state: State| {
            let found = graph.index.get(&state).copied();
            let successor = found.unwrap_or_else(|| {
                states.push(state);
                graph.add(board, goal, state);
                states.len() as u32 - 1
            });
            graph.successors.push(successor);
        };
        let other = to_move.opponent();
        if self.can_pass[number] {
            link(self, State { gone, ..State::new(stones, other) });
        }
        for point in LocalBoard::points(board.empty(stones)) {
            if banned == Some(point as u8) {
                continue;
            }
            if let Some(played) = board.play(stones, to_move, point) {
                let ko = played.ko.filter(|_| to_move == self.attacker);
                self.has_ko |= ko.is_some();
                let ko_ban = ko.filter(|_| ko_ban == KoBan::Defender).map(|point| point as u8);
                let gone = goal.gone(gone, played.stones);
                link(self, State { stones: played.stones, to_move: other, ko_ban, gone });
            }
        }
    }

    fn successors(&self, state: usize) -> &[u32] {
        &self.successors[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// Returns in which states the goal is reached.
    pub(super) fn proven(&self) -> Vec<bool> {
        self.values.iter().map(|&value| value == Some(Value::Proven)).collect()
    }

    /// Returns from which states the attacker reaches the goal in a finite number of moves.
    pub(super) fn attacker_wins(&self) -> Vec<bool> {
        let mut wins = self.proven();
        let mut open: Vec<u32> = (0..self.len()).map(|state| self.successors(state).len() as u32).collect();
        let predecessors = Predecessors::new(self);
        let mut fresh: Vec<u32> = (0..self.len() as u32).filter(|&state| wins[state as usize]).collect();
        while let Some(state) = fresh.pop() {
            for &before in predecessors.of_state(state as usize) {
                let number = before as usize;
                open[number] -= 1;
                if !wins[number] && (self.to_move[number] == self.attacker || open[number] == 0) {
                    wins[number] = true;
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
                for state in (0..self.len()).rev().filter(|&state| self.values[state].is_none()) {
                    if !holds[state] {
                        continue;
                    }
                    let successors = self.successors(state);
                    let stays = if self.to_move[state] == self.attacker {
                        successors.iter().all(|&after| holds[after as usize])
                    } else {
                        let (passes, moves) = successors.split_at(usize::from(self.can_pass[state]));
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

/// For each state those one ply earlier.
struct Predecessors {
    starts: Vec<u32>,
    states: Vec<u32>,
}

impl Predecessors {
    fn new(graph: &StateGraph) -> Self {
        let mut starts = vec![0_u32; graph.len() + 1];
        for &after in &graph.successors {
            starts[after as usize + 1] += 1;
        }
        for state in 0..graph.len() {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let mut states = vec![0; graph.successors.len()];
        for state in 0..graph.len() {
            for &after in graph.successors(state) {
                states[next[after as usize] as usize] = state as u32;
                next[after as usize] += 1;
            }
        }
        Self { starts, states }
    }

    fn of_state(&self, state: usize) -> &[u32] {
        &self.states[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}
