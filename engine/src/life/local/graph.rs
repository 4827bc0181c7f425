//! All states that a local game can reach, and who gets what he wants in them.
//!
//! Cycles are no accident here: the states form a finite graph, and what infinite play means is decided on the graph as a whole.

use super::{
    Stones, Terrain,
    quest::{End, Quest},
    state::{State, StateTable},
};
use crate::Color;

/// Whether ko forbids anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bans {
    /// Everybody may retake at once.
    None,
    /// The opponent of the hunter may not retake at once.
    OnOpponent,
}

/// The states reachable from one position, each with the states one ply later.
pub(super) struct Graph {
    hunter: Color,
    index: StateTable,
    to_move: Vec<Color>,
    ends: Vec<Option<End>>,
    /// Where the successors of each state begin in `successors`.
    starts: Vec<u32>,
    /// States one ply later; where the player to move may pass, the one after a pass comes first.
    successors: Vec<u32>,
    /// Whether the player to move may pass.
    can_wait: Vec<bool>,
    /// Whether a move of the hunter began a ko anywhere.
    has_ko: bool,
}

/// There are more states than wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl Graph {
    /// All states from the position with each of these players to move.
    pub(super) fn new(
        terrain: &Terrain,
        quest: Quest,
        bans: Bans,
        stones: Stones,
        first: &[Color],
        limit: usize,
    ) -> Result<Self, TooLarge> {
        let mut graph = Self {
            hunter: quest.hunter(),
            index: StateTable::default(),
            to_move: Vec::new(),
            ends: Vec::new(),
            starts: vec![0],
            successors: Vec::new(),
            can_wait: Vec::new(),
            has_ko: false,
        };
        let mut states: Vec<State> =
            first.iter().map(|&to_move| State { stones, to_move, ban: None, gone: 0 }).collect();
        states.iter().for_each(|&state| graph.enter(terrain, quest, state));
        let mut next = 0;
        while next < states.len() {
            if graph.ends[next].is_none() {
                graph.expand(terrain, quest, bans, &mut states, next);
            }
            graph.starts.push(graph.successors.len() as u32);
            if states.len() > limit {
                return Err(TooLarge);
            }
            next += 1;
        }
        Ok(graph)
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn has_ko(&self) -> bool {
        self.has_ko
    }

    /// The state of the position with this player to move, one of those that it was made with.
    pub(super) fn state(&self, stones: Stones, to_move: Color) -> usize {
        self.index[&State { stones, to_move, ban: None, gone: 0 }] as usize
    }

    /// Numbers a state that was not seen before.
    fn enter(&mut self, terrain: &Terrain, quest: Quest, state: State) {
        self.index.insert(state, self.ends.len() as u32);
        self.to_move.push(state.to_move);
        self.can_wait.push(state.to_move == quest.waiting(state.gone));
        self.ends.push(quest.end(terrain, state.stones, state.to_move, state.gone));
    }

    fn expand(
        &mut self,
        terrain: &Terrain,
        quest: Quest,
        bans: Bans,
        states: &mut Vec<State>,
        number: usize,
    ) {
        let State { stones, to_move, ban, gone } = states[number];
        let mut add = |graph: &mut Self, state: State| {
            let known = graph.index.get(&state).copied();
            let successor = known.unwrap_or_else(|| {
                states.push(state);
                graph.enter(terrain, quest, state);
                states.len() as u32 - 1
            });
            graph.successors.push(successor);
        };
        let other = to_move.opponent();
        if self.can_wait[number] {
            add(self, State { stones, to_move: other, ban: None, gone });
        }
        for point in Terrain::points(terrain.empty(stones)) {
            if ban == Some(point as u8) {
                continue;
            }
            if let Some(after) = terrain.play(stones, to_move, point) {
                let begins_ko = after.ko.filter(|_| to_move == self.hunter);
                self.has_ko |= begins_ko.is_some();
                let ban = begins_ko.filter(|_| bans == Bans::OnOpponent).map(|forbidden| forbidden as u8);
                let gone = quest.gone(gone, after.stones);
                add(self, State { stones: after.stones, to_move: other, ban, gone });
            }
        }
    }

    fn successors(&self, state: usize) -> &[u32] {
        &self.successors[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    /// The states in which the hunter reaches his goal in a finite number of moves.
    pub(super) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut open: Vec<u32> = (0..self.len()).map(|state| self.successors(state).len() as u32).collect();
        let predecessors = Predecessors::of(self);
        let mut fresh: Vec<u32> =
            (0..self.len() as u32).filter(|&state| self.ends[state as usize] == Some(End::Reached)).collect();
        fresh.iter().for_each(|&state| reached[state as usize] = true);
        while let Some(state) = fresh.pop() {
            for &before in predecessors.of_state(state as usize) {
                let number = before as usize;
                open[number] -= 1;
                if !reached[number] && (self.to_move[number] == self.hunter || open[number] == 0) {
                    reached[number] = true;
                    fresh.push(before);
                }
            }
        }
        reached
    }

    /// The states in which the hunter has reached his goal.
    pub(super) fn ended(&self) -> Vec<bool> {
        self.ends.iter().map(|&end| end == Some(End::Reached)).collect()
    }

    /// The states in which the hunter's opponent prevents it by a finite number of moves: from some ply on he only passes, where he may wait.
    ///
    /// A least fixed point (one more move is needed) around a greatest one (none is needed for now).
    pub(super) fn prevented_finitely(&self, reached: &[bool]) -> Vec<bool> {
        let mut prevented = vec![false; self.len()];
        loop {
            let mut holds: Vec<bool> = reached.iter().map(|reached| !reached).collect();
            let mut changed = true;
            while changed {
                changed = false;
                // Later states are nearer the ends.
                for state in (0..self.len()).rev().filter(|&state| self.ends[state].is_none()) {
                    if !holds[state] {
                        continue;
                    }
                    let successors = self.successors(state);
                    let stays = if self.to_move[state] == self.hunter {
                        successors.iter().all(|&after| holds[after as usize])
                    } else {
                        let (passes, moves) = successors.split_at(usize::from(self.can_wait[state]));
                        passes.iter().any(|&after| holds[after as usize])
                            || moves.iter().any(|&after| prevented[after as usize])
                    };
                    if !stays {
                        holds[state] = false;
                        changed = true;
                    }
                }
            }
            if holds == prevented {
                return prevented;
            }
            prevented = holds;
        }
    }
}

/// For each state those one ply earlier.
struct Predecessors {
    starts: Vec<u32>,
    states: Vec<u32>,
}

impl Predecessors {
    fn of(graph: &Graph) -> Self {
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
