//! Proof-number search for a goal.
//!
//! The search answers a question without looking at all states, where the answer depends on no repetition. A line that returns to an
//! earlier state proves nothing; proof numbers that may depend on such a line are reset and searched again as long as more states get
//! decided. So a proof holds under every ko rule: the winner can follow it with ever fewer plies to go, and never needs to repeat a
//! position or to retake at once.
//!
//! # Source
//! L. Victor Allis, Maarten van der Meulen, Jaap van den Herik, *Proof-number search*, Artificial Intelligence 66 (1994); the depth-first
//! form: Ayumu Nagai, *Df-pn algorithm for searching AND/OR trees and its applications* (2002).

use super::{
    goal::{Goal, Value},
    local_board::{LocalBoard, Points, State, Stones},
};
use crate::{Color, zobrist::MixMap};

/// A search for one goal. What it finds for one position it uses for the next.
pub(in crate::life) struct ProofNumberSearch<'a> {
    pub(super) board: &'a LocalBoard,
    pub(super) goal: Goal,
    /// Whether the attacker may lose stones on the way.
    may_lose: bool,
    visits_left: usize,
    pub(super) index: MixMap<State, u32>,
    pub(super) nodes: Vec<Node>,
}

/// A state, with the proof numbers that the search has found for it.
pub(super) struct Node {
    pub(super) stones: Stones,
    pub(super) to_move: Color,
    pub(super) gone: Points,
    /// The indices of the children, `None` before the first visit.
    pub(super) children: Option<Box<[u32]>>,
    numbers: ProofNumbers,
    on_path: bool,
}

/// How many states must at least be decided to prove the goal, and to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ProofNumbers {
    proof: u32,
    disproof: u32,
}

/// The number of what is decided the other way: more than any search can reach.
const INFINITE: u32 = 1 << 30;
/// The numbers of a state that leads back to the current line of play, where nothing is proved.
const REPETITION: u32 = 1 << 28;
/// Plies of a line of play.
const MAX_PLIES: u32 = 400;

impl ProofNumbers {
    const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };
    const REPETITION: Self = Self { proof: REPETITION, disproof: REPETITION };
    const ONE: Self = Self { proof: 1, disproof: 1 };

    fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Returns the number of the player to move, then that of the other player.
    fn by_mover(self, is_attacker: bool) -> [u32; 2] {
        if is_attacker { [self.proof, self.disproof] } else { [self.disproof, self.proof] }
    }

    fn from_mover([own, other]: [u32; 2], is_attacker: bool) -> Self {
        if is_attacker { Self { proof: own, disproof: other } } else { Self { proof: other, disproof: own } }
    }
}

impl<'a> ProofNumberSearch<'a> {
    pub(in crate::life) fn new(board: &'a LocalBoard, goal: Goal) -> Self {
        let (index, nodes) = (MixMap::default(), Vec::new());
        Self { board, goal, may_lose: true, visits_left: 0, index, nodes }
    }

    /// Makes a search in which the attacker fails by losing a stone.
    pub(in crate::life) fn without_losses(board: &'a LocalBoard, goal: Goal) -> Self {
        Self { may_lose: false, ..Self::new(board, goal) }
    }

    /// Searches a position with this player moving first. Returns its value, if at most so many visits of states decide it, and the
    /// visits made.
    pub(in crate::life) fn search(
        &mut self,
        stones: Stones,
        first: Color,
        visits: usize,
    ) -> (Option<Value>, usize) {
        self.visits_left = visits;
        let root = self.add(stones, first, 0);
        let mut decided = None;
        while self.visits_left > 0 && self.decided_count(root) > decided {
            decided = self.decided_count(root);
            self.reset_undecided();
            self.prove(root, [REPETITION; 2], 0);
        }
        let value = match self.nodes[root].numbers {
            ProofNumbers::PROVEN => Some(Value::Proven),
            ProofNumbers::DISPROVEN => Some(Value::Disproven),
            _ => None,
        };
        (value, visits - self.visits_left)
    }

    /// Counts the decided states, unless the root is one of them.
    fn decided_count(&self, root: usize) -> Option<usize> {
        let decided = self.nodes.iter().filter(|node| node.numbers.is_decided()).count();
        (!self.nodes[root].numbers.is_decided()).then_some(decided)
    }

    /// Resets the proof numbers that may depend on a line of play that returned to an earlier state.
    fn reset_undecided(&mut self) {
        let open = self.nodes.iter_mut().filter(|node| node.children.is_some() && !node.numbers.is_decided());
        open.for_each(|node| node.numbers = ProofNumbers::ONE);
    }

    /// Returns the index of a state, which it adds if it is new.
    fn add(&mut self, stones: Stones, to_move: Color, gone: Points) -> usize {
        let state = State { gone, ..State::new(stones, to_move) };
        if let Some(&number) = self.index.get(&state) {
            return number as usize;
        }
        let numbers = match self.goal.evaluate(self.board, stones, to_move, gone) {
            Some(Value::Proven) => ProofNumbers::PROVEN,
            Some(Value::Disproven) => ProofNumbers::DISPROVEN,
            None => ProofNumbers { proof: self.goal.distance(self.board, stones), disproof: 1 },
        };
        let number = self.nodes.len();
        self.index.insert(state, number as u32);
        self.nodes.push(Node { stones, to_move, gone, children: None, numbers, on_path: false });
        number
    }

    /// Visits states below this one until the number of its mover reaches `bounds[0]`, or that of the opponent `bounds[1]`.
    fn prove(&mut self, number: usize, bounds: [u32; 2], ply: u32) {
        if self.nodes[number].numbers.is_decided() {
            return;
        }
        if ply > MAX_PLIES {
            self.nodes[number].numbers = ProofNumbers::REPETITION;
            return;
        }
        let is_attacker = self.nodes[number].to_move == self.goal.attacker();
        let children = match self.nodes[number].children.take() {
            Some(children) => children,
            None => self.expand(number),
        };
        self.nodes[number].on_path = true;
        loop {
            let Summary { numbers, best, second_best } = self.summary(&children, is_attacker);
            self.nodes[number].numbers = ProofNumbers::from_mover(numbers, is_attacker);
            if numbers[0] >= bounds[0] || numbers[1] >= bounds[1] || self.visits_left == 0 {
                break;
            }
            self.visits_left -= 1;
            let child = children[best] as usize;
            let [_, other] = self.nodes[child].numbers.by_mover(is_attacker);
            // From the view of the child's mover, who is the other player.
            let child_bounds = [bounds[1] - numbers[1] + other, bounds[0].min(second_best + 1)];
            self.prove(child, child_bounds, ply + 1);
        }
        self.nodes[number].on_path = false;
        self.nodes[number].children = Some(children);
    }

    fn summary(&self, children: &[u32], is_attacker: bool) -> Summary {
        let mut summary = Summary { numbers: [INFINITE, 0], best: 0, second_best: INFINITE };
        for (place, &child) in children.iter().enumerate() {
            let child = &self.nodes[child as usize];
            let numbers = if child.on_path { ProofNumbers::REPETITION } else { child.numbers };
            let [own, other] = numbers.by_mover(is_attacker);
            if own < summary.numbers[0] {
                summary.second_best = summary.numbers[0];
                summary.numbers[0] = own;
                summary.best = place;
            } else {
                summary.second_best = summary.second_best.min(own);
            }
            summary.numbers[1] =
                if own == 0 { INFINITE } else { (summary.numbers[1] + other).min(INFINITE - 1) };
            if own == 0 {
                break;
            }
        }
        if summary.numbers[0] == INFINITE {
            summary.numbers[1] = 0;
        }
        summary
    }

    fn expand(&mut self, number: usize) -> Box<[u32]> {
        let Node { stones, to_move, gone, .. } = self.nodes[number];
        let attacker = self.goal.attacker().index();
        let mut children = Vec::new();
        for (_, played) in self.board.moves(stones, to_move) {
            let gone = self.goal.gone(gone, played.stones);
            let child = self.add(played.stones, to_move.opponent(), gone);
            let loses = stones[attacker] & !played.stones[attacker] != 0;
            if loses && !self.may_lose {
                self.nodes[child].numbers = ProofNumbers::DISPROVEN;
            }
            children.push(child as u32);
        }
        if to_move == self.goal.passer(gone) {
            children.push(self.add(stones, to_move.opponent(), gone) as u32);
        }
        children.into()
    }
}

/// The numbers of a state (the mover's, then the other player's), its best child, and the mover's number of the second best child.
struct Summary {
    numbers: [u32; 2],
    best: usize,
    second_best: u32,
}
