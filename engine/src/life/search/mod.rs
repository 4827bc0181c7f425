//! Searches on a local board: a few points whose surroundings never change.
//!
//! Two kinds of local boards are made from the real one. A [part](super::parts) is bordered by stones that are never captured, so that all its
//! chains are decided here, by [`chain_statuses`]: first by [proof-number search](proof_number), then, where repetition matters, on the
//! [graph of all states](graph); [sekis](seki) are told from life and death last. In a [zone](super::zones) one player must reach a goal without
//! losing a stone: by a [search for safety](safety), which ends where [static rules](static_safety) and [eye values](eyes) show that all
//! stones are safe, or by proof-number search for a capture. [Lines of play](line) show what was proved.
//!
//! Proof-number search and the graph keep the [states] that they visit, whole and for ever: a proof is exact and can be shown. So they share no
//! table with the solver of small boards, which keeps hashes, replaces them when its table is full, and checks its proofs afterwards.

pub(super) mod goal;
pub(super) mod line;
pub(super) mod local_board;
pub(super) mod proof_number;
pub(super) mod safety;

mod eyes;
#[cfg(test)]
mod eyes_tests;
mod graph;
mod seki;
mod states;
mod static_safety;

use std::collections::HashMap;

use crate::{Color, Ko, life::Status};
use goal::{Goal, GoalKind, Value};
use graph::{KoBan, StateGraph};
use local_board::{LocalBoard, Points, Stones, WordBoard};
use proof_number::ProofNumberSearch;

/// Visits of a first search, before all states are listed: they answer most questions.
const FIRST_VISITS: usize = 1_000;
/// How many limits may be spent on a part of at most 16 points. Larger parts get less, since each visit takes longer.
const LIMITS: usize = 16;

/// A chain with what has been found about it.
pub(super) struct LocalChain {
    pub(super) color: Color,
    pub(super) stones: Points,
    pub(super) status: Status,
}

/// What becomes of a chain once a player has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Saved,
    Ko,
    Captured,
}

/// The questions about a part that searches have left open.
pub(super) type OpenQuestions = HashMap<Goal, OpenQuestion>;

/// The visits that a question took which a search with this limit has left open.
///
/// A lower limit of at least [`FIRST_VISITS`] leaves it open too: the first searches are the same, the states are still too many to list, and the
/// last search only ends sooner. So its visits are known without a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenQuestion {
    limit: usize,
    /// Those of the first searches.
    first: usize,
    /// Those of the last search.
    last: usize,
}

/// Returns the chains of a part with their statuses. Searches of one question visit at most `limit` states. Questions that are known to stay open
/// are not searched again; those that this search leaves open are added to them.
pub(super) fn chain_statuses(
    board: &LocalBoard,
    stones: Stones,
    ko: Ko,
    limit: usize,
    open: &mut OpenQuestions,
) -> Vec<LocalChain> {
    let left = LIMITS * limit * 16 / (board.all.count_ones() as usize).max(16);
    let mut part = PartSearch { board, stones, visits_per_question: limit, visits_left: left, open };
    let mut chains = Vec::new();
    for color in Color::BOTH {
        for chain in board.parts(stones[color.index()]) {
            let status = part.status_but_seki(color, chain, ko).unwrap_or(Status::Unknown);
            chains.push(LocalChain { color, stones: chain, status });
        }
    }
    seki::find(&mut part, &mut chains);
    chains
}

/// The questions about a position of a part, and the states that they may still visit.
struct PartSearch<'a> {
    board: &'a LocalBoard,
    stones: Stones,
    visits_per_question: usize,
    visits_left: usize,
    open: &'a mut OpenQuestions,
}

impl<'a> PartSearch<'a> {
    /// Returns how many visits the next step of a question may make, of at most `most`.
    fn visits(&self, most: usize) -> usize {
        most.min(self.visits_per_question).min(self.visits_left)
    }

    fn spend(&mut self, visits: usize) {
        self.visits_left -= visits.min(self.visits_left);
    }

    /// Returns the status of a chain, without regard to seki, if the visits suffice.
    fn status_but_seki(&mut self, color: Color, chain: Points, ko: Ko) -> Option<Status> {
        if self.board.is_unconditionally_alive(self.stones, color, self.board.with_near(chain)) {
            return Some(Status::Alive);
        }
        let goal = Goal { kind: GoalKind::Capture, color, point: chain.trailing_zeros() as usize };
        Some(match self.fates(goal, ko)? {
            [Fate::Saved, _] => Status::Alive,
            [Fate::Captured, Fate::Captured] => Status::Dead,
            [Fate::Captured, Fate::Saved] => Status::Unsettled,
            _ => Status::Ko,
        })
    }

    /// Searches for the value of a goal with this player to move first, by at most so many visits.
    fn value(&mut self, search: &mut ProofNumberSearch<'_>, first: Color, most: usize) -> Option<Value> {
        let (value, visits) = search.search(self.stones, first, self.visits(most));
        self.spend(visits);
        value
    }

    /// Returns whether so many visits suffice for all that is done before a question is left open.
    fn are_enough(&self, visits: usize) -> bool {
        visits >= 2 * (FIRST_VISITS + self.visits_per_question)
    }

    /// Begins a question and returns how many visits are left. If it is known to stay open, returns `None` and spends the visits that a search would
    /// make.
    fn begin(&mut self, goal: Goal) -> Option<usize> {
        let limit = self.visits_per_question;
        match self.open.get(&goal) {
            Some(open)
                if (FIRST_VISITS..=open.limit).contains(&limit) && self.are_enough(self.visits_left) =>
            {
                self.spend(open.first + limit + open.last.min(limit));
                None
            }
            _ => Some(self.visits_left),
        }
    }

    /// Searches for the value of a goal with the attacker to move first, where the first searches have not found it and the states are too many to
    /// list. `start` visits were left when the question began.
    fn last_value(&mut self, search: &mut ProofNumberSearch<'_>, goal: Goal, start: usize) -> Option<Value> {
        let (limit, before) = (self.visits_per_question, self.visits_left);
        let value = self.value(search, goal.attacker(), usize::MAX);
        if value.is_none() && self.are_enough(start) {
            let (first, last) = (start - before - limit, before - self.visits_left);
            self.open.insert(goal, OpenQuestion { limit, first, last });
        }
        value
    }

    /// Returns what becomes of a chain when the attacker moves first, and when its owner does, if the visits suffice.
    fn fates(&mut self, goal: Goal, ko: Ko) -> Option<[Fate; 2]> {
        let start = self.begin(goal)?;
        let players = [goal.attacker(), goal.color];
        let mut search = ProofNumberSearch::new(self.board, goal);
        let fates = |values: [Value; 2]| {
            values.map(|value| if value == Value::Proven { Fate::Captured } else { Fate::Saved })
        };
        if let [Some(one), Some(other)] = players.map(|first| self.value(&mut search, first, FIRST_VISITS)) {
            return Some(fates([one, other]));
        }
        let order = [goal.color, goal.attacker()];
        let Some(graph) = self.graph(goal, KoBan::Nobody, &order) else {
            let one = self.last_value(&mut search, goal, start)?;
            return Some(fates([one, self.value(&mut search, goal.color, usize::MAX)?]));
        };
        let wins = graph.attacker_wins();
        let stones = self.stones;
        let at_roots =
            |graph: &StateGraph<'_>, holds: &[bool]| players.map(|first| holds[graph.root(stones, first)]);
        let captured = at_roots(&graph, &wins);
        let saved = match ko {
            Ko::Simple if !graph.has_ko => captured.map(|captured| !captured),
            Ko::Simple => {
                drop(graph);
                let graph = self.graph(goal, KoBan::Defender, &order)?;
                at_roots(&graph, &graph.attacker_wins()).map(|captured| !captured)
            }
            Ko::PositionalSuperko | Ko::SituationalSuperko => at_roots(&graph, &graph.defender_avoids(&wins)),
        };
        Some([0, 1].map(|first| match (captured[first], saved[first]) {
            (true, _) => Fate::Captured,
            (false, true) => Fate::Saved,
            (false, false) => Fate::Ko,
        }))
    }

    /// Returns whether the attacker, moving first, reaches a goal, where both players may retake any ko at once, if the visits suffice.
    ///
    /// Where the goal can be undone later (in exchanges) the defender may play only finitely many stones.
    fn is_reached(&mut self, goal: Goal) -> Option<bool> {
        let start = self.begin(goal)?;
        let (attacker, mut search) = (goal.attacker(), ProofNumberSearch::new(self.board, goal));
        if let Some(value) = self.value(&mut search, attacker, FIRST_VISITS) {
            return Some(value == Value::Proven);
        }
        let Some(graph) = self.graph(goal, KoBan::Nobody, &[attacker]) else {
            return self.last_value(&mut search, goal, start).map(|value| value == Value::Proven);
        };
        // The first state is that of the position.
        Some(match goal.kind {
            GoalKind::Capture | GoalKind::Life => graph.attacker_wins()[0],
            GoalKind::Exchange(_) => !graph.defender_avoids(&graph.proven())[0],
        })
    }

    /// Lists all states with each of these players to move first, if the visits suffice.
    fn graph(&mut self, goal: Goal, ko_ban: KoBan, first: &[Color]) -> Option<StateGraph<'a>> {
        let limit = self.visits(usize::MAX);
        let graph = StateGraph::new(self.board, goal, ko_ban, self.stones, first, limit);
        self.spend(graph.as_ref().map_or(limit, StateGraph::len));
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Suicide, zobrist::mix64};

    /// A board of 5×4 points, some of which are beside safe stones of Black's.
    fn board() -> LocalBoard {
        let near = |point: usize| {
            let (x, y) = (point % 5, point / 5);
            let beside = |other: &usize| (other % 5).abs_diff(x) + (other / 5).abs_diff(y) == 1;
            (0..20).filter(beside).fold(0, |near, other| near | 1 << other)
        };
        LocalBoard::new(Suicide::Forbidden, &(0..20).map(near).collect::<Vec<_>>(), [0b10001, 0])
    }

    /// What a search with this limit finds about a goal, and the visits that it leaves.
    fn ask(stones: Stones, goal: Goal, limit: usize, open: &mut OpenQuestions) -> (Option<Vec<Fate>>, usize) {
        let (board, visits_left) = (&board(), LIMITS * limit);
        let mut part = PartSearch { board, stones, visits_per_question: limit, visits_left, open };
        let found = match goal.kind {
            GoalKind::Capture => part.fates(goal, Ko::PositionalSuperko).map(Vec::from),
            _ => part
                .is_reached(goal)
                .map(|is_reached| vec![if is_reached { Fate::Saved } else { Fate::Captured }]),
        };
        (found, part.visits_left)
    }

    #[test]
    fn questions_that_stay_open_take_the_same_visits() {
        let mut left_open = 0;
        for seed in 0..40 {
            let (board, random) = (board(), mix64(seed));
            let stones = [random & (random >> 20) & board.all, !random & (random >> 40) & board.all];
            for (color, kind) in Color::BOTH
                .into_iter()
                .flat_map(|color| [(color, GoalKind::Capture), (color, GoalKind::Life)])
            {
                for chain in board.chains(stones, color) {
                    let goal = Goal { kind, color, point: chain.stones.trailing_zeros() as usize };
                    let mut open = OpenQuestions::new();
                    ask(stones, goal, 3_000, &mut open);
                    left_open += open.len();
                    for limit in [200, 1_000, 2_000] {
                        let again = ask(stones, goal, limit, &mut open.clone());
                        let alone = ask(stones, goal, limit, &mut OpenQuestions::new());
                        assert_eq!(again, alone, "{goal:?} of {stones:?}, {limit}");
                    }
                }
            }
        }
        assert!(left_open > 20, "{left_open}");
    }
}
