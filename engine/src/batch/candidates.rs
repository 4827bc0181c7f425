//! The points among which a game draws.

use super::{
    fields::Rows,
    state::{Ask, Batch},
};
use crate::simd::Vector;

impl<V: Vector, R: Rows> Batch<V, R> {
    /// Finds the empty points and the candidates of each game, and returns how many candidates it has.
    ///
    /// A candidate is an empty point that is not forbidden and, where eyes are spared, not eye-like for the mover: a neighbour is not his own
    /// stone, or of its diagonal neighbours two are opposing stones, one on the edge.
    #[inline(always)]
    pub(super) fn find_candidates<A: Ask>(&mut self) -> V {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let mut total = zero;
        let board = self.board;
        let before_last = board.and(board.down());
        // Of a row: what is not the mover's own, and the points beside one and beside two opposing stones of the row.
        let read = |own: V, opponent: V| {
            let (right, left) = (opponent.up(), opponent.down());
            (board.without(own), right.or(left), right.and(left))
        };
        let (mut others_above, mut one_above, mut two_above) = (zero, zero, zero);
        let (mut own, mut opponent) = (self.own[1], self.opponent[1]);
        let (mut others, mut one, mut two) = read(own, opponent);
        for row in 1..rows + 1 {
            let (own_below, opponent_below) = (self.own[row + 1], self.opponent[row + 1]);
            let (others_below, one_below, two_below) = read(own_below, opponent_below);
            let empty = others.without(opponent);
            let same_right = own.without(others.down()).or_and(opponent, opponent.down());
            self.joined_right[row] = same_right.and(before_last);
            self.joined_below[row] = own.and(own_below).or_and(opponent, opponent_below);
            let candidates = if A::SPARES_EYES {
                let beside_others = others.up().or3(others.down(), others_above);
                let two_diagonal = two_above.or_and(one_above, one_below).or3(two_below, others_below);
                let edge_and_diagonal = self.edge[row].and_or(one_above, one_below);
                let not_eye_like = beside_others.or3(two_diagonal, edge_and_diagonal);
                not_eye_like.and_without(empty, self.forbidden[row])
            } else {
                empty.without(self.forbidden[row])
            };
            self.empty[row] = empty;
            self.candidates[row] = candidates;
            total = total.plus(candidates.count_ones());
            self.candidates_to[row] = total;
            (others_above, one_above, two_above) = (others, one, two);
            (others, one, two) = (others_below, one_below, two_below);
            (own, opponent) = (own_below, opponent_below);
        }
        total
    }
}
