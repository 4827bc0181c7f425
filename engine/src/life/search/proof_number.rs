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

use std::{mem, ops::Range};

use super::{
    goal::{Goal, Value},
    line::LocalMove,
    local_board::{Chain, LocalBoard, Stones},
    states::{State, States},
};
use crate::Color;

/// A search for one goal. What it finds for one position it uses for the next.
///
/// It stores only the states that it visits. Of the states after them, which are many times as many, it keeps a [`Note`] of one byte.
pub(in crate::life) struct ProofNumberSearch<'a> {
    pub(super) board: &'a LocalBoard,
    pub(super) goal: Goal,
    /// Whether the attacker may lose stones on the way.
    may_lose: bool,
    visits_left: usize,
    /// The states visited.
    states: States,
    /// What has been found about the states visited, by their numbers.
    nodes: Vec<Node>,
    /// What is known of the moves in the states visited, those of one state side by side in the order of [`moves`](Self::moves).
    notes: Vec<Note>,
    /// The notes that decide a move.
    decided_notes: usize,
    /// The states after the moves that have been visited.
    links: Vec<Link>,
}

/// A state that has been visited.
#[derive(Debug)]
struct Node {
    /// [`ProofNumbers::REPETITION`] while the state is in the current line of play.
    numbers: ProofNumbers,
    /// The place of the first note about its moves.
    first_note: usize,
    /// The first of the links to states one ply later, which are in the order of the moves.
    first_link: u32,
    /// How many states had been visited when the links were last complete.
    linked: u32,
}

/// A link to a state that has been visited, and the place of the next one from the same state.
#[derive(Clone, Copy, Debug)]
struct Link {
    child: u32,
    next: u32,
}

/// The place of no link.
const NO_LINK: u32 = u32::MAX;

/// What is known of a move, in one byte: one of the constants, or about how many moves the attacker needs from the state after it, which had not
/// been visited when the note was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Note(u8);

impl Note {
    /// The most moves that the attacker may need: a chain has fewer liberties than a board has points.
    const MAX_DISTANCE: u8 = LocalBoard::MAX_POINTS as u8;
    const ILLEGAL: Self = Self(u8::MAX);
    /// The state after the move has been visited: there is a link to it.
    const VISITED: Self = Self(u8::MAX - 1);
    /// The move decides for the attacker.
    const PROVEN: Self = Self(u8::MAX - 2);
    /// The move decides against the attacker.
    const DISPROVEN: Self = Self(u8::MAX - 3);
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
/// New states that are compared with a state, to find those after its moves.
const MAX_COMPARED: usize = 256;
/// Plies of a line of play.
const MAX_PLIES: u32 = 400;

impl ProofNumbers {
    const PROVEN: Self = Self { proof: 0, disproof: INFINITE };
    const DISPROVEN: Self = Self { proof: INFINITE, disproof: 0 };
    const REPETITION: Self = Self { proof: REPETITION, disproof: REPETITION };
    const ONE: Self = Self { proof: 1, disproof: 1 };

    fn value(self) -> Option<Value> {
        match self {
            Self::PROVEN => Some(Value::Proven),
            Self::DISPROVEN => Some(Value::Disproven),
            _ => None,
        }
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
        let (states, nodes, notes, links) = (States::default(), Vec::new(), Vec::new(), Vec::new());
        Self { board, goal, may_lose: true, visits_left: 0, states, nodes, notes, decided_notes: 0, links }
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
        let root = State::new(stones, first);
        if let Some(value) = self.goal.evaluate(self.board, &root) {
            return (Some(value), 0);
        }
        self.visits_left = visits;
        let root = self.states.find(&root).unwrap_or_else(|| self.add(root));
        let mut decided = None;
        while self.visits_left > 0 && self.decided_count(root) > decided {
            decided = self.decided_count(root);
            self.reset_undecided();
            self.prove(root, [REPETITION; 2], 0);
        }
        (self.nodes[root].numbers.value(), visits - self.visits_left)
    }

    /// Counts the decided states, unless the root is one of them.
    fn decided_count(&self, root: usize) -> Option<usize> {
        let decided = self.nodes.iter().filter(|node| node.numbers.value().is_some()).count();
        self.nodes[root].numbers.value().is_none().then_some(decided + self.decided_notes)
    }

    /// Resets the proof numbers that may depend on a line of play that returned to an earlier state.
    fn reset_undecided(&mut self) {
        let open = self.nodes.iter_mut().filter(|node| node.numbers.value().is_none());
        open.for_each(|node| node.numbers = ProofNumbers::ONE);
    }

    /// Adds a state, which it visits for the first time, and returns its number.
    fn add(&mut self, state: State) -> usize {
        let number = self.states.add(state);
        let (first_note, first_link, linked) = (self.notes.len(), NO_LINK, self.states.len() as u32);
        self.nodes.push(Node { numbers: ProofNumbers::ONE, first_note, first_link, linked });
        let chain = self.goal.chain(self.board, state.stones, Chain::default());
        let mut last_link = NO_LINK;
        for mv in self.moves(&state) {
            let note = match self.after(&state, mv) {
                None => Note::ILLEGAL,
                Some(after) if self.fails_by_loss(&state, &after) => Note::DISPROVEN,
                Some(after) => match self.states.find(&after) {
                    Some(child) => {
                        last_link = self.link(number, last_link, child);
                        Note::VISITED
                    }
                    None => self.first_note(&after, chain),
                },
            };
            self.decided_notes += usize::from([Note::PROVEN, Note::DISPROVEN].contains(&note));
            self.notes.push(note);
            let is_attacker = state.to_move == self.goal.attacker();
            if note == if is_attacker { Note::PROVEN } else { Note::DISPROVEN } {
                break;
            }
        }
        number
    }

    /// Returns the places of the notes about the moves in a state: all moves up to one that decides for the player to move.
    fn notes_of(&self, number: usize) -> Range<usize> {
        let end = self.nodes.get(number + 1).map_or(self.notes.len(), |next| next.first_note);
        self.nodes[number].first_note..end
    }

    /// Returns the place of a state's link after the one in the place `before`, or of its first link.
    fn next_link(&self, number: usize, before: u32) -> u32 {
        self.links.get(before as usize).map_or(self.nodes[number].first_link, |link| link.next)
    }

    /// Adds a link from a state to another, after the one in the place `before`, and returns its place.
    fn link(&mut self, number: usize, before: u32, child: usize) -> u32 {
        let place = self.links.len() as u32;
        let next = match self.links.get_mut(before as usize) {
            Some(before) => &mut before.next,
            None => &mut self.nodes[number].first_link,
        };
        let link = Link { child: child as u32, next: mem::replace(next, place) };
        self.links.push(link);
        place
    }

    /// Lists all empty points, on some of which a stone may be illegal, and a pass where it is allowed.
    pub(super) fn moves(&self, state: &State) -> impl Iterator<Item = LocalMove> + use<> {
        let passes = state.to_move == self.goal.passer(state.gone);
        LocalBoard::points(self.board.empty(state.stones)).map(Some).chain(passes.then_some(None))
    }

    /// Returns the state after a move, or `None` if it is illegal.
    pub(super) fn after(&self, state: &State, mv: LocalMove) -> Option<State> {
        let stones = match mv {
            Some(point) => self.board.play(state.stones, state.to_move, point)?.stones,
            None => state.stones,
        };
        let gone = self.goal.gone(state.gone, stones);
        Some(State { gone, ..State::new(stones, state.to_move.opponent()) })
    }

    /// Returns whether the attacker fails by the stones that he loses from one state to the next.
    fn fails_by_loss(&self, before: &State, after: &State) -> bool {
        let [before, after] = [before, after].map(|state| state.stones[self.goal.attacker().index()]);
        !self.may_lose && before & !after != 0
    }

    /// Returns the value of a state one ply after another, if it is known.
    pub(super) fn value_after(&self, before: &State, after: &State) -> Option<Value> {
        if self.fails_by_loss(before, after) {
            return Some(Value::Disproven);
        }
        let value = self.goal.evaluate(self.board, after);
        value.or_else(|| self.nodes[self.states.find(after)?].numbers.value())
    }

    /// Returns what is known of a move to a state that has not been visited, given the chain in question before the move.
    fn first_note(&self, after: &State, chain: Chain) -> Note {
        match self.goal.assess(self.board, after, chain) {
            Ok(Value::Proven) => Note::PROVEN,
            Ok(Value::Disproven) => Note::DISPROVEN,
            Err(distance) => Note(distance),
        }
    }

    /// Visits states below this one until the number of its mover reaches `bounds[0]`, or that of the opponent `bounds[1]`.
    fn prove(&mut self, number: usize, bounds: [u32; 2], ply: u32) {
        if self.nodes[number].numbers.value().is_some() {
            return;
        }
        if ply > MAX_PLIES {
            self.nodes[number].numbers = ProofNumbers::REPETITION;
            return;
        }
        let is_attacker = self.states[number].to_move == self.goal.attacker();
        self.nodes[number].numbers = ProofNumbers::REPETITION;
        let numbers = loop {
            let Summary { numbers, best, second_best } = self.summary(number, is_attacker);
            if numbers[0] >= bounds[0] || numbers[1] >= bounds[1] || self.visits_left == 0 {
                break numbers;
            }
            let Some(Candidate { note, child, link, other }) = best else { break numbers };
            let child = child.unwrap_or_else(|| {
                let state = self.states[number];
                let mv =
                    self.moves(&state).nth(note - self.nodes[number].first_note).expect("a note for a move");
                let child = self.add(self.after(&state, mv).expect("a legal move"));
                self.notes[note] = Note::VISITED;
                self.link(number, link, child);
                self.nodes[number].linked = self.states.len() as u32;
                child
            });
            self.visits_left -= 1;
            // From the view of the child's mover, who is the other player.
            let child_bounds = [bounds[1] - numbers[1] + other, bounds[0].min(second_best + 1)];
            self.prove(child, child_bounds, ply + 1);
        };
        self.nodes[number].numbers = ProofNumbers::from_mover(numbers, is_attacker);
    }

    /// Completes the links of a state: those to states that have been visited after other moves since the notes were made.
    fn complete_links(&mut self, number: usize) {
        let state = self.states[number];
        let linked = mem::replace(&mut self.nodes[number].linked, self.states.len() as u32);
        let fresh = self.states.since(linked as usize);
        // Many states take longer to compare than all moves take to play.
        if fresh.len() <= MAX_COMPARED && !fresh.iter().any(|fresh| state.may_lead_to(fresh)) {
            return;
        }
        let mut link = NO_LINK;
        for (note, mv) in self.notes_of(number).zip(self.moves(&state)) {
            link = match self.notes[note] {
                Note::VISITED => self.next_link(number, link),
                Note(1..=Note::MAX_DISTANCE) => {
                    let after = self.after(&state, mv).expect("a legal move");
                    let Some(child) = self.states.find(&after) else { continue };
                    self.notes[note] = Note::VISITED;
                    self.link(number, link, child)
                }
                _ => continue,
            };
        }
    }

    fn summary(&mut self, number: usize, is_attacker: bool) -> Summary {
        self.complete_links(number);
        let mut summary = Summary { numbers: [INFINITE, 0], best: None, second_best: INFINITE };
        let mut link = NO_LINK;
        for note in self.notes_of(number) {
            let mut child = None;
            let numbers = match self.notes[note] {
                Note::ILLEGAL => continue,
                Note::PROVEN => ProofNumbers::PROVEN,
                Note::DISPROVEN => ProofNumbers::DISPROVEN,
                Note::VISITED => {
                    link = self.next_link(number, link);
                    let visited = self.links[link as usize].child as usize;
                    child = Some(visited);
                    self.nodes[visited].numbers
                }
                Note(distance) => ProofNumbers { proof: distance.into(), disproof: 1 },
            };
            let [own, other] = numbers.by_mover(is_attacker);
            if own < summary.numbers[0] {
                summary.second_best = summary.numbers[0];
                summary.numbers[0] = own;
                summary.best = Some(Candidate { note, child, link, other });
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
}

/// The numbers of a state (the mover's, then the other player's), its best move, and the mover's number of the second best move.
struct Summary {
    numbers: [u32; 2],
    best: Option<Candidate>,
    second_best: u32,
}

/// What is known of a move.
struct Candidate {
    /// The place of the note about it.
    note: usize,
    /// The number of the state after it, if there is a link to it.
    child: Option<usize>,
    /// The last link to the states after this move and those before it, or [`NO_LINK`].
    link: u32,
    /// The other player's number of the state after it.
    other: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Suicide, life::search::goal::GoalKind};

    /// A board of 8×8 points whose edge Black's safe stones surround.
    fn open_board() -> LocalBoard {
        let near = |point: usize| {
            let (x, y) = (point % 8, point / 8);
            let sides = [
                (x > 0, point.wrapping_sub(1)),
                (x < 7, point + 1),
                (y > 0, point.wrapping_sub(8)),
                (y < 7, point + 8),
            ];
            sides.iter().filter(|(is_inside, _)| *is_inside).fold(0, |near, (_, side)| near | 1 << side)
        };
        let near: Vec<u64> = (0..64).map(near).collect();
        let edge =
            (0..64).filter(|&point| near[point].count_ones() < 4).fold(0, |edge, point| edge | 1 << point);
        LocalBoard::new(Suicide::Forbidden, &near, [edge, 0])
    }

    /// The limit bounds the memory: a state takes few bytes, even on the largest board, where it has the most moves.
    #[test]
    fn a_visit_takes_few_bytes() {
        let board = open_board();
        let goal = Goal { kind: GoalKind::Capture, color: Color::White, point: 27 };
        let mut search = ProofNumberSearch::new(&board, goal);
        let visits = 50_000;
        let (value, made) = search.search([0, 1 << 27], Color::Black, visits);
        assert_eq!((value, made), (None, visits));
        let bytes = search.states.bytes()
            + size_of_val(&search.nodes[..])
            + size_of_val(&search.notes[..])
            + size_of_val(&search.links[..]);
        assert!(bytes <= 130 * visits, "{bytes}");
    }
}
