//! Best play under one ko rule, with the whole history of the game.
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
    Color, Counting, Ko, Move, Position, Rules,
    count::{CountError, Pace, Report},
    rules::Tax,
    score::ScoringContext,
    zobrist::{MixMap, mix64},
};

/// The result of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Black's area minus White's, before komi.
    pub margin: i32,
    /// A line of best play by both, to the second pass; under simple ko possibly to the stone that recreates an earlier position.
    pub line: Vec<Move>,
    /// States looked at.
    pub nodes: u64,
}

impl Problem {
    /// Finds Black's margin by area when both players play best. Of the rules, ko and tax matter; suicide is the problem's. `bounds` are the least and
    /// the greatest margin that are possible, never more than the number of points: a group that pays a tax has three points.
    ///
    /// Under a superko rule the result is exact with the full history. Under simple ko the stone that recreates an earlier position with the same
    /// player to move ends the game as a draw, margin 0.
    ///
    /// The tables take about `memory` bytes; when they are full, results of little work are replaced. A step of progress is one state.
    /// Cost: grows exponentially. On one core of a virtual machine (AMD EPYC) 2×5, 3×3 and 1×9 take a tenth of a second, 3×4 half a second and 4×4
    /// less than a minute; under a tax 2×5 takes a second and a half.
    ///
    /// # Errors
    /// [`CountError::TooLarge`] where only a part of the board is open, because a move elsewhere makes boards different, or when lines of 1000 plies do
    /// not settle the result; [`CountError::StoppedBetween`].
    ///
    /// # Examples
    /// ```
    /// use jigo_engine::{Board, BoardSize, Ko, Rules, Suicide, solve::Problem};
    /// use std::ops::ControlFlow;
    /// let board: Board = Board::new(BoardSize::square(2)?, Suicide::Forbidden);
    /// let problem = Problem::from_board(&board)?;
    /// let rules = |ko| Rules { ko, ..Rules::TROMP_TAYLOR };
    /// let value = |ko| problem.best_play(rules(ko), (-4, 4), 1 << 20, &mut |_| ControlFlow::Continue(()));
    /// assert_eq!(value(Ko::PositionalSuperko)?.margin, 1);
    /// assert_eq!(value(Ko::Simple)?.margin, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_play(
        &self,
        rules: Rules,
        bounds: (i32, i32),
        memory: usize,
        report: Report<'_>,
    ) -> Result<Solution, CountError> {
        let mut search = self.history_search(rules, memory, report)?;
        let margin = search.margin(bounds)?;
        let line = search.line(margin)?;
        Ok(Solution { margin, line, nodes: search.pace.steps })
    }

    /// Finds the moves that begin best play, as [`best_play`](Self::best_play) understands it: all after which the margin is this one, which must be
    /// that of best play.
    ///
    /// # Errors
    /// As [`best_play`](Self::best_play).
    pub fn best_moves(
        &self,
        rules: Rules,
        margin: i32,
        memory: usize,
        report: Report<'_>,
    ) -> Result<Vec<Move>, CountError> {
        self.history_search(rules, memory, report)?.best_moves(margin)
    }

    fn history_search<'a>(
        &'a self,
        rules: Rules,
        memory: usize,
        report: Report<'a>,
    ) -> Result<HistorySearch<'a>, CountError> {
        let board = &self.board;
        if board.open.len() < board.size.point_count() {
            let limit =
                "best play with the history of the game is found where all points of a board are open";
            return Err(CountError::TooLarge { size: board.size, limit });
        }
        Ok(HistorySearch::new(self, rules, memory, report))
    }
}

/// Adds to an error of a search that was stopped what was known then.
fn stopped_between(error: CountError, least: i32, most: i32) -> CountError {
    match error {
        CountError::Stopped => CountError::StoppedBetween { least, most },
        other => other,
    }
}

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
struct Outcome {
    winner: Color,
    reason: Reason,
}

enum Reason {
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
    board: &'a SmallBoard,
    /// Of these, ko and tax.
    rules: Rules,
    /// The board, on which the stones are set anew for each count with a tax.
    position: Position,
    start: State,
    /// What is unconditionally alive at the start.
    start_alive: Stones,
    goal: i32,
    /// The boards from the start on, and how often each slot is among them.
    history: Vec<Visit>,
    visited: MixMap<u64, u32>,
    proofs: Proofs,
    numbers: ProofNumbers,
    /// Counts the states looked at.
    pace: Pace<'a>,
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

    /// Finds Black's margin, which is known to be within these bounds.
    pub(super) fn margin(&mut self, bounds: (i32, i32)) -> Result<i32, CountError> {
        let (mut least, mut most) = bounds;
        while least < most {
            self.goal = (least + most + 1).div_euclid(2);
            let start = self.start;
            let safe = Color::BOTH.into_iter().find(|&color| self.is_safe(&start, color));
            let winner = safe.map_or_else(|| Ok(self.prove(&start)?.winner), Ok);
            match winner.map_err(|error| stopped_between(error, least, most))? {
                Color::Black => least = self.goal,
                Color::White => most = self.goal - 1,
            }
        }
        Ok(least)
    }

    /// Finds all moves from the start that keep this margin, which must be that of best play.
    pub(super) fn best_moves(&mut self, margin: i32) -> Result<Vec<Move>, CountError> {
        let start = self.start;
        self.goal = self.goal_of(start.to_play, margin);
        let mut best: Vec<Move> = Vec::new();
        for (mv, state) in self.moves(&start) {
            let visit = self.visit(&state);
            let winner = match self.outcome(&start, mv, &state, &visit) {
                Some(outcome) => outcome.winner,
                None => {
                    self.push(visit);
                    let proof = self.prove(&state);
                    self.pop();
                    proof.map_err(|error| stopped_between(error, margin, margin))?.winner
                }
            };
            if winner == start.to_play {
                for symmetry in self.own_symmetries() {
                    let image = self.board.move_image(mv, symmetry);
                    if !best.contains(&image) {
                        best.push(image);
                    }
                }
            }
        }
        Ok(best)
    }

    /// Returns a line of best play from the start, whose margin this is.
    ///
    /// Whoever is to play keeps the margin. Once her safe points suffice for that, she plays as the [module](self) says.
    pub(super) fn line(&mut self, margin: i32) -> Result<Vec<Move>, CountError> {
        let line = self.extend_line(margin).map_err(|error| stopped_between(error, margin, margin));
        while self.history.len() > 1 {
            self.pop();
        }
        line
    }

    fn extend_line(&mut self, margin: i32) -> Result<Vec<Move>, CountError> {
        let mut line = Vec::new();
        let mut state = self.start;
        loop {
            self.goal = self.goal_of(state.to_play, margin);
            let is_safe = self.is_safe(&state, state.to_play);
            let mv = if is_safe { self.safe_move(&state) } else { self.prove(&state)?.mv };
            line.push(self.board.move_image(mv, 0));
            let after = self.after(&state, mv).expect("proofs hold legal moves");
            let is_end =
                if mv == NO_POINT { state.is_after_pass } else { self.has_stood(&self.visit(&after)) };
            if is_end {
                return Ok(line);
            }
            self.push(self.visit(&after));
            state = after;
        }
    }

    /// The goal that the player to move must win to keep the margin: Black must still reach it, White must still keep Black below the next.
    fn goal_of(&self, to_play: Color, margin: i32) -> i32 {
        if to_play == Color::Black { margin } else { margin + 1 }
    }

    /// Returns Black's margin when the game ends with this state.
    fn final_margin(&mut self, state: &State) -> i32 {
        if self.rules.tax == Tax::None {
            return self.board.margin(state.stones, [0; 2]);
        }
        for &point in &self.board.open {
            self.position.set_stone(point, self.board.stone(state, point));
        }
        self.position.score(self.rules, &ScoringContext::default()).margin()
    }

    /// The winner when the game ends with this margin.
    fn winner_at(&self, margin: i32) -> Color {
        if margin >= self.goal { Color::Black } else { Color::White }
    }

    /// Finds out who reaches the goal from the last state of the history.
    fn prove(&mut self, state: &State) -> Result<Rc<ConditionalProof>, CountError> {
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
    fn moves(&self, state: &State) -> Vec<(u8, State)> {
        let mut points = self.board.empty(state.stones);
        if state.ban != NO_POINT {
            points &= !(1 << state.ban);
        }
        if self.history.len() == 1 {
            let is_first = |bit: &u8| {
                self.own_symmetries().all(|symmetry| self.board.image(1 << bit, symmetry) >= 1 << bit)
            };
            points = bits(points).filter(is_first).fold(0, |set: Points, bit| set | 1 << bit);
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

    /// The symmetries that leave the start as it is.
    fn own_symmetries(&self) -> impl Iterator<Item = usize> {
        let State { stones, ban, .. } = self.start;
        let numbers = (0..).zip(self.board.symmetries()).map(|(number, _)| number);
        numbers.filter(move |&number| {
            (ban == NO_POINT || number == 0) && stones.iter().all(|&set| self.board.image(set, number) == set)
        })
    }

    /// Returns the state after a move.
    fn after(&self, state: &State, mv: u8) -> Option<State> {
        if mv == NO_POINT {
            return Some(self.board.pass(state, true));
        }
        self.board.play(state, mv).map(|(after, _)| after)
    }

    /// Decides a state after a move without looking ahead, if possible.
    fn outcome(&mut self, state: &State, mv: u8, after: &State, visit: &Visit) -> Option<Outcome> {
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
        for color in Color::BOTH {
            let (alive, safe) = self.board.steadily_safe_points(after.stones, color);
            if alive & !self.start_alive[color.index()] != 0 && self.suffices(safe, after, color) {
                return Some(any(color));
            }
        }
        let proof = self.look_up(after)?;
        Some(Outcome { winner: proof.winner, reason: Reason::Proof(proof) })
    }

    /// Returns whether a player's safe points give her the goal.
    fn is_safe(&self, state: &State, color: Color) -> bool {
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

    /// Returns the move of a player whose safe points give her the goal.
    fn safe_move(&self, state: &State) -> u8 {
        let other = state.stones[state.to_play.opponent().index()];
        let (alive, safe) = self.board.steadily_safe_points(state.stones, state.to_play);
        let unclean = self.board.parts(safe & !alive).find(|region| region & other != 0);
        unclean.map_or(NO_POINT, |region| (region & self.board.empty(state.stones)).trailing_zeros() as u8)
    }

    fn push(&mut self, visit: Visit) {
        self.history.push(visit);
        *self.visited.entry(visit.slot).or_default() += 1;
    }

    fn pop(&mut self) {
        let Some(Visit { slot, .. }) = self.history.pop() else { return };
        match self.visited.get_mut(&slot) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = self.visited.remove(&slot),
        }
    }

    fn has_stood(&self, visit: &Visit) -> bool {
        self.visited.contains_key(&visit.slot)
    }

    fn visit(&self, state: &State) -> Visit {
        Visit { slot: self.slot(state), stones: state.stones }
    }

    /// Returns the number by which the ko rule knows a board, the same for two of them only by chance.
    fn slot(&self, state: &State) -> u64 {
        let counts_player = self.rules.ko != Ko::PositionalSuperko;
        let is_other = counts_player && state.to_play == Color::White;
        self.board.stones_key(state) ^ if is_other { WHITE_KEY } else { 0 }
    }

    /// Returns the key of a state for proofs.
    fn key(&self, state: &State) -> u64 {
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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{Board, BoardSize, Game, Point, Suicide};

    /// One player finds each move with the search, which must know the whole game; the other plays at random. The margin is kept, and each move is legal.
    #[test]
    fn margins_are_kept_against_random_play() {
        let mut random = 1;
        let mut below = |count: usize| {
            random = mix64(random);
            random as usize % count
        };
        let sizes = [(7, 1), (2, 3), (2, 4), (3, 3)].map(|size| (size, Tax::None));
        let taxed = [((5, 1), Tax::All), ((2, 2), Tax::All), ((4, 1), Tax::Seki)];
        for ((width, height), tax) in sizes.into_iter().chain(taxed) {
            let size = BoardSize::new(width, height).unwrap();
            for (ko, suicide) in [Ko::PositionalSuperko, Ko::SituationalSuperko, Ko::Simple]
                .into_iter()
                .flat_map(|ko| [Suicide::Forbidden, Suicide::Allowed].map(|suicide| (ko, suicide)))
            {
                let rules = Rules { ko, suicide, tax, ..Rules::TROMP_TAYLOR };
                let problem = Problem::from_board(&Board::<1>::new(size, suicide)).expect("few points");
                let board = &problem.board;
                let points = size.point_count() as i32;
                let mut go_on = |_| ControlFlow::Continue(());
                let mut search = HistorySearch::new(&problem, rules, 1 << 22, &mut go_on);
                let margin = search.margin((-points, points)).unwrap();
                for solver in Color::BOTH.into_iter().flat_map(|color| [color; 40]) {
                    let mut game: Game<1> = Game::new(size, rules);
                    let mut state = problem.start;
                    let is_kept = |result: i32| solver.sign() * result >= solver.sign() * margin;
                    loop {
                        let mover = state.to_play;
                        search.goal = search.goal_of(mover, margin);
                        let legal: Vec<Point> = game.legal_points().collect();
                        let mv = if mover != solver {
                            // Now and then a pass, so that games end.
                            legal.get(below(legal.len() + 1)).map_or(NO_POINT, |&point| board.bit(point))
                        } else if search.is_safe(&state, mover) {
                            search.safe_move(&state)
                        } else {
                            let proof = search.prove(&state).unwrap();
                            assert_eq!(proof.winner, mover, "{rules}\n{}", game.board());
                            proof.mv
                        };
                        let played = game.play(board.move_image(mv, 0)).expect("a legal move");
                        if played.repetition.is_some_and(|repetition| repetition.same_player) {
                            assert!(is_kept(0), "{rules}\n{}", game.board());
                            break;
                        }
                        if game.is_over() {
                            let result = game.score(&[], 0).margin();
                            assert!(is_kept(result), "{rules}\n{}", game.board());
                            break;
                        }
                        state = search.after(&state, mv).unwrap();
                        search.push(search.visit(&state));
                    }
                    while search.history.len() > 1 {
                        search.pop();
                    }
                }
            }
        }
    }
}
