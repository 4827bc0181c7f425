//! Proof-number search: an answer without looking at all states, where none depends on a cycle.
//!
//! Lines of play that come back to an earlier state prove nothing here; what they made unclear is forgotten and looked at again as long as more
//! and more states are decided. So what is proved holds under every ko rule: the side that reaches
//! its end can do so by ever fewer plies, and never needs to bring a position back, nor to retake at once.
//!
//! # Source
//! L. Victor Allis, Maarten van der Meulen, Jaap van den Herik, *Proof-number search*, Artificial Intelligence 66 (1994); depth-first
//! form: Ayumu Nagai, *Df-pn algorithm for searching AND/OR trees and its applications* (2002).

mod line;

pub(super) use line::Allowed;

use super::{
    Points, Stones, Terrain,
    quest::{End, Quest},
    state::{State, StateTable},
};
use crate::Color;

/// A search for one goal. What it found for one position it uses for the next.
pub(super) struct Search<'a> {
    terrain: &'a Terrain,
    quest: Quest,
    /// Whether the hunter has failed as soon as he loses a stone.
    may_lose: MayLose,
    /// Visits that are left.
    left: usize,
    index: StateTable,
    nodes: Vec<Node>,
}

struct Node {
    stones: Stones,
    to_move: Color,
    gone: Points,
    /// Where its children are in the search; `None` before the first visit.
    children: Option<Box<[u32]>>,
    effort: Effort,
    on_path: bool,
}

/// How many states must be proved, at least, for the hunter to reach his goal, and to be prevented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    reach: u32,
    prevent: u32,
}

/// What the hunter may lose on his way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MayLose {
    Anything,
    Nothing,
}

/// More than any search can do: what is proved the other way.
const NEVER: u32 = 1 << 30;
/// As much as what leads back to the line of play: nothing is proved.
const UNCLEAR: u32 = 1 << 28;
/// Plies of a line of play.
const MAX_PLIES: u32 = 400;

impl Effort {
    const REACHED: Self = Self { reach: 0, prevent: NEVER };
    const PREVENTED: Self = Self { reach: NEVER, prevent: 0 };
    const UNCLEAR: Self = Self { reach: UNCLEAR, prevent: UNCLEAR };
    const ONE: Self = Self { reach: 1, prevent: 1 };

    fn is_decided(self) -> bool {
        self.reach == 0 || self.prevent == 0
    }

    /// The same seen by the player to move: what he must prove, and what his opponent must.
    fn of_mover(self, is_hunter: bool) -> [u32; 2] {
        if is_hunter { [self.reach, self.prevent] } else { [self.prevent, self.reach] }
    }

    fn from_mover([own, other]: [u32; 2], is_hunter: bool) -> Self {
        if is_hunter { Self { reach: own, prevent: other } } else { Self { reach: other, prevent: own } }
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(terrain: &'a Terrain, quest: Quest) -> Self {
        let may_lose = MayLose::Anything;
        Self { terrain, quest, may_lose, left: 0, index: StateTable::default(), nodes: Vec::new() }
    }

    /// A search in which the hunter must not lose a stone.
    pub(super) fn without_loss(terrain: &'a Terrain, quest: Quest) -> Self {
        Self { may_lose: MayLose::Nothing, ..Self::new(terrain, quest) }
    }

    pub(super) fn terrain(&self) -> &'a Terrain {
        self.terrain
    }

    pub(super) fn quest(&self) -> Quest {
        self.quest
    }

    /// How it ends when this player moves first, if that is proved by so many visits of states; and the visits made.
    pub(super) fn end(&mut self, stones: Stones, first: Color, visits: usize) -> (Option<End>, usize) {
        self.left = visits;
        let root = self.enter(stones, first, 0);
        let mut decided = None;
        while self.left > 0 && self.decided(root) > decided {
            decided = self.decided(root);
            self.forget_unclear();
            self.prove(root, [UNCLEAR; 2], 0);
        }
        let end = match self.nodes[root].effort {
            Effort::REACHED => Some(End::Reached),
            Effort::PREVENTED => Some(End::Prevented),
            _ => None,
        };
        (end, visits - self.left)
    }

    /// How many states are decided, if the first one is not yet.
    fn decided(&self, root: usize) -> Option<usize> {
        let decided = self.nodes.iter().filter(|node| node.effort.is_decided()).count();
        (!self.nodes[root].effort.is_decided()).then_some(decided)
    }

    /// Takes efforts back that may rest on a line of play that came back to an earlier state.
    fn forget_unclear(&mut self) {
        let open = self.nodes.iter_mut().filter(|node| node.children.is_some() && !node.effort.is_decided());
        open.for_each(|node| node.effort = Effort::ONE);
    }

    /// The number of a state.
    fn enter(&mut self, stones: Stones, to_move: Color, gone: Points) -> usize {
        let state = State { stones, to_move, ban: None, gone };
        if let Some(&number) = self.index.get(&state) {
            return number as usize;
        }
        let effort = match self.quest.end(self.terrain, stones, to_move, gone) {
            Some(End::Reached) => Effort::REACHED,
            Some(End::Prevented) => Effort::PREVENTED,
            None => Effort { reach: self.quest.distance(self.terrain, stones), prevent: 1 },
        };
        let number = self.nodes.len();
        self.index.insert(state, number as u32);
        self.nodes.push(Node { stones, to_move, gone, children: None, effort, on_path: false });
        number
    }

    /// Looks at states below this one until its mover needs more than `bounds[0]`, or his opponent more than `bounds[1]`.
    fn prove(&mut self, number: usize, bounds: [u32; 2], ply: u32) {
        if self.nodes[number].effort.is_decided() {
            return;
        }
        if ply > MAX_PLIES {
            self.nodes[number].effort = Effort::UNCLEAR;
            return;
        }
        let is_hunter = self.nodes[number].to_move == self.quest.hunter();
        let children = match self.nodes[number].children.take() {
            Some(children) => children,
            None => self.expand(number),
        };
        self.nodes[number].on_path = true;
        loop {
            let Summary { sum, best, next_best } = self.summary(&children, is_hunter);
            self.nodes[number].effort = Effort::from_mover(sum, is_hunter);
            if sum[0] >= bounds[0] || sum[1] >= bounds[1] || self.left == 0 {
                break;
            }
            self.left -= 1;
            let child = children[best] as usize;
            let [_, other] = self.nodes[child].effort.of_mover(is_hunter);
            // Seen by the child's mover, who is the other player.
            let child_bounds = [bounds[1] - sum[1] + other, bounds[0].min(next_best + 1)];
            self.prove(child, child_bounds, ply + 1);
        }
        self.nodes[number].on_path = false;
        self.nodes[number].children = Some(children);
    }

    fn summary(&self, children: &[u32], is_hunter: bool) -> Summary {
        let mut summary = Summary { sum: [NEVER, 0], best: 0, next_best: NEVER };
        for (place, &child) in children.iter().enumerate() {
            let child = &self.nodes[child as usize];
            let effort = if child.on_path { Effort::UNCLEAR } else { child.effort };
            let [own, other] = effort.of_mover(is_hunter);
            if own < summary.sum[0] {
                summary.next_best = summary.sum[0];
                summary.sum[0] = own;
                summary.best = place;
            } else {
                summary.next_best = summary.next_best.min(own);
            }
            summary.sum[1] = if own == 0 { NEVER } else { (summary.sum[1] + other).min(NEVER - 1) };
            if own == 0 {
                break;
            }
        }
        if summary.sum[0] == NEVER {
            summary.sum[1] = 0;
        }
        summary
    }

    fn expand(&mut self, number: usize) -> Box<[u32]> {
        let Node { stones, to_move, gone, .. } = self.nodes[number];
        let mut children = Vec::new();
        for point in Terrain::points(self.terrain.empty(stones)) {
            if let Some(after) = self.terrain.play(stones, to_move, point) {
                let gone = self.quest.gone(gone, after.stones);
                let child = self.enter(after.stones, to_move.opponent(), gone);
                let hunter = self.quest.hunter().index();
                if self.may_lose == MayLose::Nothing && stones[hunter] & !after.stones[hunter] != 0 {
                    self.nodes[child].effort = Effort::PREVENTED;
                }
                children.push(child as u32);
            }
        }
        if to_move == self.quest.waiting(gone) {
            children.push(self.enter(stones, to_move.opponent(), gone) as u32);
        }
        children.into()
    }
}

/// What the player to move must prove at least, and his opponent; the best move, and what the second best needs.
struct Summary {
    sum: [u32; 2],
    best: usize,
    next_best: u32,
}
