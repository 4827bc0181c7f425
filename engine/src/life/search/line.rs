//! Lines of play that show what a proof-number search has proved.

use super::{
    goal::{Goal, Value},
    local_board::{LocalBoard, State, Stones},
    proof_number::ProofNumberSearch,
};
use crate::{Color, life::LineEnd};

/// A move on a local board: a point, or `None` for a pass.
pub(in crate::life) type LocalMove = Option<usize>;

/// Says whether a point may be shown as the next move after these.
pub(in crate::life) type MoveFilter<'a> = &'a dyn Fn(&[LocalMove], usize) -> bool;

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
        let mut moves = self.moves_to(value?, stones, first, allowed)?;
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
        } else if goal.evaluate(board, stones, to_move, 0).is_some() {
            LineEnd::Alive
        } else {
            LineEnd::NoMove
        };
        Some((moves, end, visits))
    }

    /// Returns the moves to a value that the search has proved, up to a state that needs no search.
    fn moves_to(
        &self,
        value: Value,
        stones: Stones,
        first: Color,
        allowed: MoveFilter<'_>,
    ) -> Option<Vec<LocalMove>> {
        let mut number = *self.index.get(&State::new(stones, first))? as usize;
        let plies = self.plies_to(value, number);
        let mut moves = Vec::new();
        while plies[number] > 0 {
            if plies[number] == NEVER {
                return None;
            }
            let children = self.nodes[number].children.as_ref()?.iter().map(|&child| child as usize);
            let next = if self.mover_wins(number, value) {
                children.min_by_key(|&child| plies[child])
            } else {
                let is_allowed = |&child: &usize| {
                    self.move_between(number, child).is_none_or(|point| allowed(&moves, point))
                };
                // The first of the longest: a pass comes last.
                children.filter(is_allowed).min_by_key(|&child| u32::MAX - plies[child])
            }?;
            moves.push(self.move_between(number, next));
            number = next;
        }
        Some(moves)
    }

    /// Returns whether the player to move is the one who wins by this value.
    fn mover_wins(&self, number: usize, value: Value) -> bool {
        (self.nodes[number].to_move == self.goal.attacker()) == (value == Value::Proven)
    }

    /// Returns after how many plies each state ends with a value, as far as the state `root` needs it.
    fn plies_to(&self, value: Value, root: usize) -> Vec<u32> {
        let ends_here = |number| if self.ends_with(number, value) { 0 } else { NEVER };
        let mut plies: Vec<u32> = (0..self.nodes.len()).map(ends_here).collect();
        for ply in 1.. {
            let mut found = Vec::new();
            for number in (0..plies.len()).filter(|&number| plies[number] == NEVER) {
                let Some(children) = &self.nodes[number].children else { continue };
                let mut ends = children.iter().map(|&child| plies[child as usize] != NEVER);
                let wins = self.mover_wins(number, value);
                if wins && ends.any(|ends| ends) || !wins && ends.all(|ends| ends) {
                    found.push(number);
                }
            }
            if plies[root] != NEVER || found.is_empty() {
                break;
            }
            found.into_iter().for_each(|number| plies[number] = ply);
        }
        plies
    }

    /// Returns whether play ends here with a value, by evaluation or because the attacker has no move.
    fn ends_with(&self, number: usize, value: Value) -> bool {
        let node = &self.nodes[number];
        match &node.children {
            Some(children) => children.is_empty() && value == Value::Disproven,
            None => self.goal.evaluate(self.board, node.stones, node.to_move, node.gone) == Some(value),
        }
    }

    fn move_between(&self, number: usize, next: usize) -> LocalMove {
        let (node, after) = (&self.nodes[number], self.nodes[next].stones);
        let mut moves = self.board.moves(node.stones, node.to_move);
        moves.find(|(_, played)| played.stones == after).map(|(point, _)| point)
    }
}

/// Returns the last moves, which evaluation saves the search: the capture of a chain in atari, or its last connection to safe stones.
fn evaluated_moves(board: &LocalBoard, goal: Goal, stones: Stones, to_move: Color) -> Vec<LocalMove> {
    let color = goal.color;
    let chain = board.connected(stones[color.index()], 1 << goal.point);
    let liberties = board.adjacent(chain) & board.empty(stones);
    let value = goal.evaluate(board, stones, to_move, 0);
    if chain == 0 || value.is_none() || board.is_anchored(color, chain) {
        return Vec::new();
    }
    if value == Some(Value::Proven) && goal.attacker() != color {
        return vec![Some(liberties.trailing_zeros() as usize)];
    }
    if board.are_unconditionally_alive(stones, color, chain) {
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
