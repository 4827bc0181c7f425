//! The search for best play under one ko rule, with the whole history of the game.
//!
//! The search asks whether Black reaches a margin, a goal, and halves the interval of margins until one is left. Two consecutive passes end the game, and
//! area counts.
//! - **Superko**: a stone must not bring back a board that stood before (positional), or one that stood with the same player to move (situational). Boards
//!   after passes count as well.
//! - **Simple ko**: longer cycles are possible. The stone that brings back an earlier board with the same player to move ends the game as a draw, margin 0.
//!
//! # Results and history
//!
//! The same state has different values after different games. What is found is therefore kept with the boards that must have stood, and those that must
//! not have stood: see [`history`](super::history). Where simple ko bans a point, no board need be kept: the move would bring back the board before the
//! last move.
//!
//! # Safe points
//!
//! A player has won when points that are hers in any case give her the goal. These are her unconditionally alive chains A, and the regions between them all
//! of whose points are beside A; what is alive depends on her stones alone, because the opponent may be thought to empty a region by suicide.
//!
//! *She keeps them.* When an opposing stone stands in a region, she plays on an empty point of it; else she passes. There is such a point, for the opposing
//! stone has a liberty. Her stone joins A, whose chains keep two eyes: if it takes the last empty point, it captures what is in the region, and at least
//! that becomes empty. Simple ko never bans it: a stone of hers there was part of A, which is never captured. A pass of hers can therefore end the game
//! only when her points are clean, and then they count for her.
//!
//! *Superko never forbids her stones.* Each of them adds to A, so that the boards after them differ from each other. Suppose one brought back an earlier
//! board of the game. Her stones on it were those that she has now, so that it held at least the same safe points, and she had won there already. But
//! the search does not go beyond a state in which a player has won (nor beyond the one before a pass of hers). The only exception is a first move from a
//! start that she has won: so the search does not rely on chains that were all alive at the start. Else it loses nothing by that: if they sufficed now,
//! they would have sufficed then.
//!
//! *With draws by repetition* the opponent may repeat boards elsewhere, so that she is sure of a draw at most, unless all points are hers. Then no stone
//! brings back a board: hers add to A, and his are each followed by one of hers.
//!
//! Under a tax the margin is that of [`Position::score`], and nothing is decided before the end.
//!
//! # Source
//! Ayumu Nagai, *Df-pn algorithm for searching AND/OR trees and its applications* (2002); Akihiro Kishimoto and Martin Müller, *A general solution to the
//! graph history interaction problem* (2004); for values of tiny boards John Tromp and Gunnar Farnebäck, *Combinatorics of Go* (2016).

use std::rc::Rc;

use super::{
    Problem,
    history::{ConditionalProof, Draft, ProofNumbers, Proofs, Visit},
    small_board::{NO_POINT, Points, SmallBoard, State, Stones, bits},
};
use crate::{
    Color, Counting, Ko, Position, Rules,
    count::{CountError, Pace, Report},
    rules::Tax,
    score::ScoringContext,
    zobrist::{MixMap, mix64},
};

/// A number that no search exceeds.
const INFINITE: u32 = u32::MAX / 4;

/// A state after a move, and what is known of it.
struct Child {
    mv: u8,
    state: State,
    visit: Visit,
    /// Proof and disproof number for the player to move there.
    numbers: [u32; 2],
    outcome: Option<Outcome>,
}

/// Who reaches the goal after a move, and why.
pub(super) struct Outcome {
    pub(super) winner: Color,
    reason: Reason,
}

pub(super) enum Reason {
    /// By the rules or by safe points, whatever the history.
    Any,
    /// The move brings back a board.
    Repetition,
    Proof(Rc<ConditionalProof>),
}

enum Found {
    Proof(Rc<ConditionalProof>),
    Numbers([u32; 2]),
}

/// A depth-first search by proof numbers that knows the history of each state it looks at.
pub(super) struct HistorySearch<'a> {
    pub(super) board: &'a SmallBoard,
    /// Of these, ko and tax.
    rules: Rules,
    /// The board, on which the stones are set anew for each count with a tax.
    position: Position,
    pub(super) start: State,
    /// What is unconditionally alive at the start.
    start_alive: Stones,
    pub(super) goal: i32,
    /// The boards from the start on, and how often each slot is among them.
    pub(super) history: Vec<Visit>,
    visited: MixMap<u64, u32>,
    proofs: Proofs,
    numbers: ProofNumbers,
    /// Counts the states looked at.
    pub(super) pace: Pace<'a>,
}

impl<'a> HistorySearch<'a> {
    /// The longest line of play followed.
    const MAX_DEPTH: usize = 1000;

    pub(super) fn new(problem: &'a Problem, rules: Rules, memory: usize, report: Report<'a>) -> Self {
        let Problem { board, start, position } = problem;
        let mut search = Self {
            board,
            rules: Rules { counting: Counting::Area, ..rules },
            position: position.clone(),
            start: *start,
            start_alive: Color::BOTH.map(|color| board.steadily_safe_points(start.stones, color).0),
            goal: 0,
            history: Vec::new(),
            visited: MixMap::default(),
            proofs: Proofs::new(memory / 4 * 3),
            numbers: ProofNumbers::new(memory / 4),
            pace: Pace::new(report),
        };
        search.start.is_after_pass = false;
        search.push(search.visit(start));
        search
    }

    /// Returns Black's margin when the game ends with this state.
    fn final_margin(&mut self, state: &State) -> i32 {
        if self.rules.tax == Tax::None {
            return self.board.margin(state.stones, [0; 2]);
        }
        for &point in &self.board.open {
            self.position.set_stone(point, self.board.stone(state.stones, point));
        }
        self.position.score(self.rules, &ScoringContext::default()).margin()
    }

    /// The winner when the game ends with this margin.
    fn winner_at(&self, margin: i32) -> Color {
        if margin >= self.goal { Color::Black } else { Color::White }
    }

    /// Finds out who reaches the goal from the last state of the history.
    pub(super) fn prove(&mut self, state: &State) -> Result<Rc<ConditionalProof>, CountError> {
        if let Some(proof) = self.look_up(state) {
            return Ok(proof);
        }
        loop {
            if let Found::Proof(proof) = self.search(state, [INFINITE; 2])? {
                return Ok(proof);
            }
        }
    }

    /// Searches until it is decided who reaches the goal, or the proof or disproof number reaches a limit.
    ///
    /// Where all of several states must be proved, the number is that of the hardest and one for each of the others: they often lead to the same states,
    /// which a sum would count again and again.
    fn search(&mut self, state: &State, limits: [u32; 2]) -> Result<Found, CountError> {
        self.pace.step()?;
        if self.history.len() > Self::MAX_DEPTH {
            let limit =
                "lines of 1000 plies do not settle the result, and longer ones would exhaust the call stack";
            return Err(CountError::TooLarge { size: self.board.size, limit });
        }
        let (mover, before) = (state.to_play, self.pace.steps);
        let mut children = self.children(state);
        loop {
            let is_winning =
                |child: &&Child| child.outcome.as_ref().is_some_and(|outcome| outcome.winner == mover);
            if let Some(child) = children.iter().find(is_winning) {
                let proof = self.note(state, mover, child.mv, std::slice::from_ref(child), before);
                return Ok(Found::Proof(proof));
            }
            let open = || children.iter().enumerate().filter(|(_, child)| child.outcome.is_none());
            let Some((best, child)) = open().min_by_key(|(_, child)| child.numbers[1]) else {
                let proof = self.note(state, mover.opponent(), NO_POINT, &children, before);
                return Ok(Found::Proof(proof));
            };
            let others = open().count() as u32 - 1;
            let hardest = open().map(|(_, child)| child.numbers[0]).max().unwrap_or(0);
            let second =
                open().filter(|&(number, _)| number != best).map(|(_, child)| child.numbers[1]).min();
            let numbers = [child.numbers[1], (hardest + others).min(INFINITE - 1)];
            if numbers[0] >= limits[0] || numbers[1] >= limits[1] {
                self.numbers.put(self.numbers_key(state), numbers);
                return Ok(Found::Numbers(numbers));
            }
            // A little beyond the second best, so that the search does not change between the two all the time.
            let second = second.map_or(INFINITE, |second| second + second / 4 + 1);
            let (next, visit) = (child.state, child.visit);
            self.push(visit);
            let found = self.search(&next, [limits[1] - others, limits[0].min(second)]);
            self.pop();
            match found? {
                Found::Proof(proof) => {
                    let outcome = Outcome { winner: proof.winner, reason: Reason::Proof(proof) };
                    children[best].outcome = Some(outcome);
                }
                Found::Numbers(numbers) => children[best].numbers = numbers,
            }
        }
    }

    /// Keeps a proof that follows from what is known of the states after these moves: that of the winner, or all.
    fn note(
        &mut self,
        state: &State,
        winner: Color,
        mv: u8,
        children: &[Child],
        before: u64,
    ) -> Rc<ConditionalProof> {
        // Where a repetition is lost for a player, all her stones must be new; where it is a draw, all stones of both, unless a draw will do.
        let must_be_new = match self.rules.ko {
            Ko::Simple => winner != self.winner_at(0),
            Ko::PositionalSuperko | Ko::SituationalSuperko => winner == state.to_play,
        };
        let mut draft = Draft::EMPTY;
        for child in children {
            match child.outcome.as_ref().map(|outcome| &outcome.reason) {
                Some(Reason::Repetition) => {
                    draft.need(child.visit.slot);
                    continue;
                }
                Some(Reason::Proof(proof)) => draft.include(proof),
                Some(Reason::Any) | None => {}
            }
            if must_be_new && child.mv != NO_POINT {
                draft.avoid(&child.visit);
            }
        }
        let names = (self.key(state), self.slot(state));
        self.proofs.put(names, (winner, self.goal, mv), draft, self.pace.steps - before + 1)
    }

    fn look_up(&mut self, state: &State) -> Option<Rc<ConditionalProof>> {
        let key = self.key(state);
        let Self { proofs, visited, history, goal, .. } = self;
        proofs.get(key, *goal, history, |slot| visited.contains_key(&slot))
    }

    /// Returns the states after all moves, the most promising first; none after one that wins.
    fn children(&mut self, state: &State) -> Vec<Child> {
        let moves = self.moves(state);
        let mut children = Vec::with_capacity(moves.len());
        for (mv, after) in moves {
            let visit = self.visit(&after);
            let outcome = self.outcome(state, mv, &after, &visit);
            let is_win = outcome.as_ref().is_some_and(|outcome| outcome.winner == state.to_play);
            let numbers = self.numbers.get(self.numbers_key(&after)).unwrap_or([1; 2]);
            children.push(Child { mv, state: after, visit, numbers, outcome });
            if is_win {
                break;
            }
        }
        children
    }

    /// Lists the moves that simple ko and the suicide rule allow, and the states after them; those that a symmetry of the start makes equal once.
    pub(super) fn moves(&self, state: &State) -> Vec<(u8, State)> {
        let mut points = self.board.empty(state.stones);
        if state.ban != NO_POINT {
            points &= !(1 << state.ban);
        }
        if self.history.len() == 1 {
            points = self.board.first_images(state, points);
        }
        let stones = bits(points).filter_map(|bit| Some((bit, self.after(state, bit)?)));
        let mut moves: Vec<(u8, State)> = stones.collect();
        let other = state.to_play.opponent().index();
        moves.sort_by_key(|(bit, after)| {
            20 * after.stones[other].count_ones() as i32 + self.board.eccentricity(*bit)
        });
        moves.push((NO_POINT, self.board.pass(state, true)));
        moves
    }

    /// Returns the state after a move.
    pub(super) fn after(&self, state: &State, mv: u8) -> Option<State> {
        if mv == NO_POINT {
            return Some(self.board.pass(state, true));
        }
        self.board.play(state, mv).map(|(after, _)| after)
    }

    /// Decides a state after a move without looking ahead, if possible.
    pub(super) fn outcome(&mut self, state: &State, mv: u8, after: &State, visit: &Visit) -> Option<Outcome> {
        let any = |winner| Outcome { winner, reason: Reason::Any };
        if mv == NO_POINT && state.is_after_pass {
            let margin = self.final_margin(state);
            return Some(any(self.winner_at(margin)));
        }
        if mv != NO_POINT && self.has_stood(visit) {
            let is_draw = self.rules.ko == Ko::Simple;
            let winner = if is_draw { self.winner_at(0) } else { state.to_play.opponent() };
            return Some(Outcome { winner, reason: Reason::Repetition });
        }
        if let Some(winner) = self.decided(after) {
            return Some(any(winner));
        }
        let proof = self.look_up(after)?;
        Some(Outcome { winner: proof.winner, reason: Reason::Proof(proof) })
    }

    /// Returns the player whose safe points give her the goal, thanks to chains that were not alive at the start.
    pub(super) fn decided(&self, state: &State) -> Option<Color> {
        Color::BOTH.into_iter().find(|color| {
            let (alive, safe) = self.board.steadily_safe_points(state.stones, *color);
            alive & !self.start_alive[color.index()] != 0 && self.suffices(safe, state, *color)
        })
    }

    /// Returns whether a player's safe points give her the goal.
    pub(super) fn is_safe(&self, state: &State, color: Color) -> bool {
        let (alive, safe) = self.board.steadily_safe_points(state.stones, color);
        alive != 0 && self.suffices(safe, state, color)
    }

    /// Under a tax it depends on the groups of the last position what points are worth, so that no points suffice before.
    fn suffices(&self, safe: Points, state: &State, color: Color) -> bool {
        if self.rules.tax != Tax::None {
            return false;
        }
        let points = self.board.all.count_ones() as i32;
        let mut sure = self.board.secured(safe, color);
        // The opponent's second pass would end the game as the position stands.
        if state.is_after_pass && state.to_play != color {
            sure = sure.min(color.sign() * self.board.margin(state.stones, [0; 2]));
        }
        if self.rules.ko == Ko::Simple && sure < points {
            sure = sure.min(0);
        }
        self.winner_at(color.sign() * sure) == color
    }

    pub(super) fn push(&mut self, visit: Visit) {
        self.history.push(visit);
        *self.visited.entry(visit.slot).or_default() += 1;
    }

    pub(super) fn pop(&mut self) {
        let Some(Visit { slot, .. }) = self.history.pop() else { return };
        match self.visited.get_mut(&slot) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = self.visited.remove(&slot),
        }
    }

    /// Goes back to the start.
    pub(super) fn rewind(&mut self) {
        while self.history.len() > 1 {
            self.pop();
        }
    }

    pub(super) fn has_stood(&self, visit: &Visit) -> bool {
        self.visited.contains_key(&visit.slot)
    }

    pub(super) fn visit(&self, state: &State) -> Visit {
        Visit { slot: self.slot(state), stones: state.stones }
    }

    /// Returns the number by which the ko rule knows a board, the same for two of them only by chance.
    fn slot(&self, state: &State) -> u64 {
        let counts_player = self.rules.ko != Ko::PositionalSuperko;
        let is_other = counts_player && state.to_play == Color::White;
        self.board.stones_key(state) ^ if is_other { WHITE_KEY } else { 0 }
    }

    /// Returns the key of a state for proofs.
    pub(super) fn key(&self, state: &State) -> u64 {
        let player = if state.to_play == Color::White { WHITE_KEY } else { 0 };
        let pass = if state.is_after_pass { PASS_KEY } else { 0 };
        self.board.stones_key(state) ^ player ^ pass ^ mix64(BAN_KEYS + u64::from(state.ban))
    }

    /// Returns the key of a state for proof numbers, which it shares with its images.
    fn numbers_key(&self, state: &State) -> u64 {
        self.board.key(state) ^ mix64(GOAL_KEYS.wrapping_add_signed(self.goal.into()))
    }
}

const WHITE_KEY: u64 = mix64(1 << 40);
const PASS_KEY: u64 = mix64(2 << 40);
const BAN_KEYS: u64 = 3 << 40;
const GOAL_KEYS: u64 = 4 << 40;
