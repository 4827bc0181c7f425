//! Searches on a local board: a few points whose surroundings never change.
//!
//! Two kinds of local boards are made from the real one. A [part](super::parts) is bordered by stones that are never captured, so that all its
//! chains are decided here, by [`chain_statuses`]: first by [proof-number search](proof_number), then, where repetition matters, on the
//! [graph of all states](graph); [sekis](seki) are told from life and death last. In a [zone](super::zones) one player must reach a goal without
//! losing a stone: by a [search for safety](safety), which ends where [static rules](static_safety) and [eye values](eyes) show that all
//! stones are safe, or by proof-number search for a capture. [Lines of play](line) show what was proved.

pub(super) mod line;
pub(super) mod local_board;
pub(super) mod safety;

mod eyes;
#[cfg(test)]
mod eyes_tests;
mod goal;
mod graph;
mod proof_number;
mod seki;
mod static_safety;

use crate::{
    Color, Ko,
    life::{Question, Status},
};
use goal::{Goal, GoalKind, Value};
use graph::{KoBan, StateGraph, TooManyStates};
use line::{LocalLine, MoveFilter};
use local_board::{LocalBoard, Points, Stones};
use proof_number::ProofNumberSearch;

/// Visits of a first search, before all states are listed: they answer most questions.
const FIRST_VISITS: usize = 1_000;
/// How many limits may be spent on a part of at most 16 points. Larger parts get less, since each visit takes longer.
const LIMITS: usize = 16;

/// The states that may still be visited.
struct Budget {
    per_question: usize,
    left: usize,
}

impl Budget {
    fn new(limit: usize, points: usize) -> Self {
        Self { per_question: limit, left: LIMITS * limit * 16 / points.max(16) }
    }

    /// Returns how many visits the next step of a question may make, of at most `most`.
    fn visits(&self, most: usize) -> usize {
        most.min(self.per_question).min(self.left)
    }

    fn spend(&mut self, visits: usize) {
        self.left -= visits.min(self.left);
    }
}

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

/// Returns the chains of a part with their statuses. Searches of one question visit at most `limit` states.
pub(super) fn chain_statuses(board: &LocalBoard, stones: Stones, ko: Ko, limit: usize) -> Vec<LocalChain> {
    let mut budget = Budget::new(limit, board.near.len());
    let mut chains = Vec::new();
    for color in Color::BOTH {
        for chain in board.parts(stones[color.index()]) {
            let status = status_but_seki(board, stones, color, chain, ko, &mut budget);
            chains.push(LocalChain { color, stones: chain, status: status.unwrap_or(Status::Unknown) });
        }
    }
    seki::find(board, stones, &mut budget, &mut chains);
    chains
}

/// Returns the line of play that answers a question about the chain on a point, if at most `limit` visits find the answer.
pub(super) fn line(
    board: &LocalBoard,
    stones: Stones,
    (color, point): (Color, usize),
    question: Question,
    first: Color,
    limit: usize,
) -> Option<LocalLine> {
    let kind = match question {
        Question::Capture => GoalKind::Capture,
        Question::Life => GoalKind::Life,
    };
    let goal = Goal { kind, color, point };
    ProofNumberSearch::new(board, goal).line(stones, first, limit, &|_, _| true)
}

/// Returns whether the chain of `color` on a point is captured although its owner moves first and the attacker may lose no stone.
pub(super) fn is_captured_without_losses(
    board: &LocalBoard,
    stones: Stones,
    (color, point): (Color, usize),
    visits: usize,
) -> bool {
    let goal = Goal { kind: GoalKind::Capture, color, point };
    let (value, _) = ProofNumberSearch::without_losses(board, goal).search(stones, color, visits);
    value == Some(Value::Proven)
}

/// Returns the line by which the chain of `color` on a point is captured, the attacker losing no stone.
pub(super) fn capture_without_losses(
    board: &LocalBoard,
    stones: Stones,
    (color, point): (Color, usize),
    first: Color,
    visits: usize,
    allowed: MoveFilter<'_>,
) -> Option<LocalLine> {
    let goal = Goal { kind: GoalKind::Capture, color, point };
    ProofNumberSearch::without_losses(board, goal).line(stones, first, visits, allowed)
}

/// Returns the status of a chain, without regard to seki.
fn status_but_seki(
    board: &LocalBoard,
    stones: Stones,
    color: Color,
    chain: Points,
    ko: Ko,
    budget: &mut Budget,
) -> Result<Status, TooManyStates> {
    if board.are_unconditionally_alive(stones, color, chain) {
        return Ok(Status::Alive);
    }
    let goal = Goal { kind: GoalKind::Capture, color, point: chain.trailing_zeros() as usize };
    Ok(match fates(board, stones, goal, ko, budget)? {
        [Fate::Saved, _] => Status::Alive,
        [Fate::Captured, Fate::Captured] => Status::Dead,
        [Fate::Captured, Fate::Saved] => Status::Unsettled,
        _ => Status::Ko,
    })
}

/// Returns what becomes of a chain when the attacker moves first, and when its owner does.
fn fates(
    board: &LocalBoard,
    stones: Stones,
    goal: Goal,
    ko: Ko,
    budget: &mut Budget,
) -> Result<[Fate; 2], TooManyStates> {
    let players = [goal.attacker(), goal.color];
    let mut search = ProofNumberSearch::new(board, goal);
    let mut searched = |most, budget: &mut Budget| {
        let values = players.map(|first| {
            let (value, visits) = search.search(stones, first, budget.visits(most));
            budget.spend(visits);
            value
        });
        let [Some(attacked), Some(defended)] = values else { return None };
        Some([attacked, defended].map(|value| match value {
            Value::Proven => Fate::Captured,
            Value::Disproven => Fate::Saved,
        }))
    };
    if let Some(fates) = searched(FIRST_VISITS, budget) {
        return Ok(fates);
    }
    let order = [goal.color, goal.attacker()];
    let Ok(graph) = graph(board, goal, KoBan::Nobody, stones, &order, budget) else {
        return searched(usize::MAX, budget).ok_or(TooManyStates);
    };
    let wins = graph.attacker_wins();
    let at_roots = |graph: &StateGraph, holds: &[bool]| players.map(|first| holds[graph.root(stones, first)]);
    let captured = at_roots(&graph, &wins);
    let saved = match ko {
        Ko::Simple if !graph.has_ko() => captured.map(|captured| !captured),
        Ko::Simple => {
            let graph = self::graph(board, goal, KoBan::Defender, stones, &order, budget)?;
            at_roots(&graph, &graph.attacker_wins()).map(|captured| !captured)
        }
        Ko::PositionalSuperko | Ko::SituationalSuperko => at_roots(&graph, &graph.defender_avoids(&wins)),
    };
    Ok([0, 1].map(|first| match (captured[first], saved[first]) {
        (true, _) => Fate::Captured,
        (false, true) => Fate::Saved,
        (false, false) => Fate::Ko,
    }))
}

/// Returns whether the attacker, moving first, reaches a goal, where both players may retake any ko at once.
///
/// Where the goal can be undone later (in exchanges) the defender may play only finitely many stones.
fn is_reached(
    board: &LocalBoard,
    stones: Stones,
    goal: Goal,
    budget: &mut Budget,
) -> Result<bool, TooManyStates> {
    let attacker = goal.attacker();
    let mut search = ProofNumberSearch::new(board, goal);
    let mut searched = |most, budget: &mut Budget| {
        let (value, visits) = search.search(stones, attacker, budget.visits(most));
        budget.spend(visits);
        value.map(|value| value == Value::Proven)
    };
    if let Some(is_reached) = searched(FIRST_VISITS, budget) {
        return Ok(is_reached);
    }
    match graph(board, goal, KoBan::Nobody, stones, &[attacker], budget) {
        // The first state is that of the position.
        Ok(graph) => Ok(match goal.kind {
            GoalKind::Capture | GoalKind::Life => graph.attacker_wins()[0],
            GoalKind::Exchange(_) => !graph.defender_avoids(&graph.proven())[0],
        }),
        Err(TooManyStates) => searched(usize::MAX, budget).ok_or(TooManyStates),
    }
}

/// Lists all states with each of these players to move first, within the budget.
fn graph(
    board: &LocalBoard,
    goal: Goal,
    ko_ban: KoBan,
    stones: Stones,
    first: &[Color],
    budget: &mut Budget,
) -> Result<StateGraph, TooManyStates> {
    let limit = budget.visits(usize::MAX);
    let graph = StateGraph::new(board, goal, ko_ban, stones, first, limit);
    budget.spend(graph.as_ref().map_or(limit, StateGraph::len));
    graph
}
