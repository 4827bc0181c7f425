//! Lines of play that show what a proof-number search has proved.

use super::{
    goal::{Goal, Value},
    local_board::{Chain, LocalBoard, Stones},
    proof_number::ProofNumberSearch,
    states::{State, States},
};
use crate::{Color, life::LineEnd};

/// A move on a local board: a point, or `None` for a pass.
pub(in crate::life) type LocalMove = Option<usize>;

/// Says whether a point may be shown as the next move after these.
pub(in crate::life) type MoveFilter<'a> = &'a dyn Fn(&[LocalMove], usize) -> bool;

/// A move with the number of the state after it.
type Way = (LocalMove, usize);

/// The number of plies to an end that is not proved.
const NEVER: u32 = u32::MAX;

impl ProofNumberSearch<'_> {
    /// Searches a position and returns the line of play that shows its value, why it ends and the visits made, if at most `limit` decide it.
    ///
    /// The winner plays the shortest way and the other player the longest, by moves that `allowed` admits.
    pub(in crate::life) fn line(
        mut self,
        stones: Stones,
        first: Color,
        limit: usize,
        allowed: MoveFilter<'_>,
    ) -> Option<(Vec<LocalMove>, LineEnd, usize)> {
        let (value, visits) = self.search(stones, first, limit);
        let (board, goal) = (self.board, self.goal);
        let mut moves = self.moves_to(value?, State::new(stones, first), allowed)?;
        let play = |(stones, to_move): (Stones, Color), mv: &LocalMove| {
            let played = mv.map(|point| board.play(stones, to_move, point).expect("a legal move"));
            (played.map_or(stones, |played| played.stones), to_move.opponent())
        };
        let (stones, to_move) = moves.iter().fold((stones, first), play);
        let last = evaluated_moves(board, goal, stones, to_move);
        let (stones, to_move) = last.iter().fold((stones, to_move), play);
        moves.extend(last);
        let end = if stones[goal.color.index()] >> goal.point & 1 == 0 {
            LineEnd::Captured
        } else if goal.evaluate(board, &State::new(stones, to_move)).is_some() {
            LineEnd::Alive
        } else {
            LineEnd::NoMove
        };
        Some((moves, end, visits))
    }

    /// Returns the moves to a value that the search has proved, up to a state that needs no search.
    fn moves_to(&self, value: Value, root: State, allowed: MoveFilter<'_>) -> Option<Vec<LocalMove>> {
        let (states, ways) = self.ways_to(value, root);
        let plies = self.plies_to(value, &states, &ways);
        let mut moves = Vec::new();
        let mut number = 0;
        while plies[number] > 0 {
            if plies[number] == NEVER {
                return None;
            }
            let ways = ways[number].iter();
            let &(mv, next) = if self.mover_wins(&states[number], value) {
                ways.min_by_key(|&&(_, next)| plies[next])
            } else {
                let is_allowed = |(mv, _): &&Way| mv.is_none_or(|point| allowed(&moves, point));
                // The first of the longest: a pass comes last.
                ways.filter(is_allowed).min_by_key(|&&(_, next)| u32::MAX - plies[next])
            }?;
            moves.push(mv);
            number = next;
        }
        Some(moves)
    }

    /// Returns whether the player to move is the one who wins by this value.
    fn mover_wins(&self, state: &State, value: Value) -> bool {
        (state.to_move == self.goal.attacker()) == (value == Value::Proven)
    }

    /// Lists the states that the proof of a value consists of, the first one first, each with its moves to others.
    fn ways_to(&self, value: Value, root: State) -> (States, Vec<Vec<Way>>) {
        let (mut states, mut ways) = (States::default(), Vec::new());
        states.add(root);
        while ways.len() < states.len() {
            let state = states[ways.len()];
            let is_end = self.goal.evaluate(self.board, &state).is_some();
            let moves = self.moves(&state).filter(|_| !is_end);
            let after = moves.filter_map(|mv| Some((mv, self.after(&state, mv)?)));
            let proved = after.filter(|(_, after)| self.value_after(&state, after) == Some(value));
            ways.push(proved.map(|(mv, after)| (mv, states.add(after))).collect());
        }
        (states, ways)
    }

    /// Returns after how many plies each state ends with a value, as far as the first one needs it.
    fn plies_to(&self, value: Value, states: &States, ways: &[Vec<Way>]) -> Vec<u32> {
        let mut plies: Vec<u32> = ways.iter().map(|ways| if ways.is_empty() { 0 } else { NEVER }).collect();
        for ply in 1.. {
            let mut found = Vec::new();
            for number in (0..plies.len()).filter(|&number| plies[number] == NEVER) {
                let mut ends = ways[number].iter().map(|&(_, next)| plies[next] != NEVER);
                let wins = self.mover_wins(&states[number], value);
                if wins && ends.any(|ends| ends) || !wins && ends.all(|ends| ends) {
                    found.push(number);
                }
            }
            if plies[0] != NEVER || found.is_empty() {
                break;
            }
            found.into_iter().for_each(|number| plies[number] = ply);
        }
        plies
    }
}

/// Returns the last moves, which evaluation saves the search: the capture of a chain in atari, or its last connection to safe stones.
fn evaluated_moves(board: &LocalBoard, goal: Goal, stones: Stones, to_move: Color) -> Vec<LocalMove> {
    let color = goal.color;
    let chain = goal.chain(board, stones, Chain::default());
    let liberties = chain.near & board.empty(stones);
    let value = goal.evaluate(board, &State::new(stones, to_move));
    if chain.stones == 0 || value.is_none() || board.is_anchored(color, chain.stones) {
        return Vec::new();
    }
    if value == Some(Value::Proven) && goal.attacker() != color {
        return vec![Some(liberties.trailing_zeros() as usize)];
    }
    if board.is_unconditionally_alive(stones, color, chain) {
        return Vec::new();
    }
    let mut connections: Vec<usize> =
        LocalBoard::points(liberties & board.beside_safe[color.index()]).collect();
    if to_move == color {
        return vec![Some(connections[0])];
    }
    // The opponent blocks one of two connections, if a move there is legal.
    let is_legal = |&point: &usize| board.play(stones, to_move, point).is_some();
    let block = connections.iter().position(is_legal).map(|place| connections.remove(place));
    vec![block, Some(connections[0])]
}
