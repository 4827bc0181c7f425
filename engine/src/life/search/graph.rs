//! The graph of all states that a local position leads to, solved as a whole.
//!
//! Where the answer depends on repetition a search of lines is not enough. The states form a finite graph with cycles; what endless
//! play means is decided by least and greatest fixed points on it.

use std::ops::Range;

use super::{
    goal::{Goal, Value},
    local_board::{LocalBoard, State, Stones},
};
use crate::{Color, zobrist::MixMap};

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
    index: MixMap<State, u32>,
    nodes: Vec<Node>,
    /// States one ply later, those of one state side by side.
    successors: Vec<u32>,
    /// Whether a move of the attacker begins a ko in any state.
    pub(super) has_ko: bool,
}

struct Node {
    state: State,
    value: Option<Value>,
    /// Whether the player to move may pass. The state after the pass is then the first successor.
    can_pass: bool,
    /// Where its successors are among those of all states.
    successors: Range<usize>,
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
        let (index, nodes, successors) = (MixMap::default(), Vec::new(), Vec::new());
        let mut graph = Self { board, goal, ko_ban, index, nodes, successors, has_ko: false };
        for &to_move in first {
            graph.number(State::new(stones, to_move));
        }
        let mut next = 0;
        while next < graph.len() {
            if graph.nodes[next].value.is_none() {
                graph.expand(next);
            }
            if graph.len() > limit {
                return None;
            }
            next += 1;
        }
        Some(graph)
    }

    /// Returns the number of states.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the index of the first position with one of the first players to move.
    pub(super) fn root(&self, stones: Stones, to_move: Color) -> usize {
        self.index[&State::new(stones, to_move)] as usize
    }

    /// Returns the index of a state, which it adds if it is new.
    fn number(&mut self, state: State) -> u32 {
        let State { stones, to_move, gone, .. } = state;
        *self.index.entry(state).or_insert_with(|| {
            let value = self.goal.evaluate(self.board, stones, to_move, gone);
            let can_pass = to_move == self.goal.passer(gone);
            self.nodes.push(Node { state, value, can_pass, successors: 0..0 });
            self.nodes.len() as u32 - 1
        })
    }

    /// Lists the successors of a state.
    fn expand(&mut self, number: usize) {
        let State { stones, to_move, ko_ban: banned, gone } = self.nodes[number].state;
        let other = to_move.opponent();
        let start = self.successors.len();
        if self.nodes[number].can_pass {
            let successor = self.number(State { gone, ..State::new(stones, other) });
            self.successors.push(successor);
        }
        let moves = self.board.moves(stones, to_move);
        for (_, played) in moves.filter(|&(point, _)| banned != Some(point as u8)) {
            let ko = played.ko.filter(|_| to_move == self.goal.attacker());
            self.has_ko |= ko.is_some();
            let ko_ban = ko.filter(|_| self.ko_ban == KoBan::Defender).map(|point| point as u8);
            let gone = self.goal.gone(gone, played.stones);
            let successor = self.number(State { stones: played.stones, to_move: other, ko_ban, gone });
            self.successors.push(successor);
        }
        self.nodes[number].successors = start..self.successors.len();
    }

    fn successors(&self, node: &Node) -> &[u32] {
        &self.successors[node.successors.clone()]
    }

    fn is_attackers(&self, state: usize) -> bool {
        self.nodes[state].state.to_move == self.goal.attacker()
    }

    /// Returns in which states the goal is reached.
    pub(super) fn proven(&self) -> Vec<bool> {
        self.nodes.iter().map(|node| node.value == Some(Value::Proven)).collect()
    }

    /// Returns from which states the attacker reaches the goal in a finite number of moves.
    pub(super) fn attacker_wins(&self) -> Vec<bool> {
        let mut wins = self.proven();
        let mut open: Vec<usize> = self.nodes.iter().map(|node| node.successors.len()).collect();
        let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for (state, node) in self.nodes.iter().enumerate() {
            for &after in self.successors(node) {
                predecessors[after as usize].push(state as u32);
            }
        }
        let mut fresh: Vec<usize> = (0..self.len()).filter(|&state| wins[state]).collect();
        while let Some(state) = fresh.pop() {
            for before in predecessors[state].iter().map(|&before| before as usize) {
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
                for (state, node) in self.nodes.iter().enumerate().rev() {
                    if node.value.is_some() || !holds[state] {
                        continue;
                    }
                    let successors = self.successors(node);
                    let stays = if self.is_attackers(state) {
                        successors.iter().all(|&after| holds[after as usize])
                    } else {
                        let (passes, moves) = successors.split_at(usize::from(node.can_pass));
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
