//! The candidates of each game, and the one that it picks at random.

use super::{
    log::signature,
    state::{Batch, Rows, StepOptions, WINDOW},
};
use crate::simd::{Bits as _, Mask, Vector, Wide};

/// What the games do in this step.
#[derive(Clone, Copy)]
pub(super) struct Picks<M> {
    /// Games that used their sample, perhaps in vain.
    pub(super) used: M,
    /// Games that have a pick, new or kept.
    pub(super) active: M,
    /// Games without candidates, which pass.
    pub(super) pass: M,
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// Finds the empty points and the candidates of each game, and returns how many candidates it has.
    ///
    /// A candidate is an empty point that is not forbidden and, where eyes are spared, not eye-like for the player to move: a neighbour is not
    /// that player's stone, or opposing stones stand on two of its diagonal neighbours (on one at the edge of the board).
    #[inline(always)]
    pub(super) fn find_candidates(&mut self, options: StepOptions) -> V {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let (mut total, mut empty_sums) = (zero, [zero; 2]);
        let board = self.board;
        let before_last = board.and(board.down());
        let empty_points = if options.finds_repeats {
            self.place = (self.place + 1) % WINDOW;
            &mut self.recent_empty[self.place]
        } else {
            &mut self.empty
        };
        // Three sets of points of a row: without a stone of the player to move; beside an opposing stone; and without such a stone or between two
        // opposing ones. An empty point above or below a point of the last set is not eye-like.
        let read = |own: V, opponent: V| {
            let (right, left) = (opponent.up(), opponent.down());
            let others = board.without(own);
            (others, right.or(left), others.or_and(right, left))
        };
        let (mut one_above, mut spoils_above) = (zero, zero);
        let (mut own, mut opponent) = (self.own[1], self.opponent[1]);
        let (mut others, mut one, mut spoils) = read(own, opponent);
        for row in 1..rows + 1 {
            let (own_below, opponent_below) = (self.own[row + 1], self.opponent[row + 1]);
            let (others_below, one_below, spoils_below) = read(own_below, opponent_below);
            let empty = others.without(opponent);
            self.joined_right[row] =
                own.and_without(before_last, others.down()).or_and(opponent, opponent.down());
            self.joined_below[row] = own.and(own_below).or_and(opponent, opponent_below);
            let candidates = if options.spares_eyes {
                let spoiled = others.up().or3(others.down(), spoils_above);
                let two_of = one_above.majority(one_below, self.edge[row]);
                let not_eye_like = spoiled.or3(spoils_below, two_of);
                not_eye_like.and_without(empty, self.forbidden[row])
            } else {
                empty.without(self.forbidden[row])
            };
            empty_points[row] = empty;
            self.candidates[row] = candidates;
            total = total.plus(candidates.count_ones());
            self.candidates_to[row] = total;
            if options.finds_repeats {
                empty_sums = [empty_sums[1], empty_sums[0].plus(empty)];
            }
            (one_above, spoils_above) = (one, spoils);
            (others, one, spoils) = (others_below, one_below, spoils_below);
            (own, opponent) = (own_below, opponent_below);
        }
        if options.finds_repeats {
            self.signature = signature(empty_sums, V::plus);
        }
        total
    }

    /// Picks one of the `total` candidates of each game that has no pick yet, uniformly by its sample.
    ///
    /// The rank in row-major order is the upper half of sample times total, unless the lower half shows that this rank would come up too often
    /// (Lemire's method): then the sample is used up and the game has no pick in this step.
    #[inline(always)]
    pub(super) fn pick(&mut self, samples: V::Wide, total: V) -> Picks<V::Mask> {
        let rows = self.row_count();
        let isa = self.isa;
        let zero = V::splat(isa, 0);
        let one = V::splat(isa, 1);
        let stalled = self.stalled;

        let has_candidates = total.nonzero();
        let total = total.widen();
        let (rank, low) = samples.widening_product(total);
        let rank = V::narrow(rank);
        let mut in_vain = low.less(total);
        if in_vain.bits() != 0 {
            in_vain = too_often(isa, in_vain, &low, &total);
        }
        let in_vain = V::narrow_mask(in_vain);
        let used = has_candidates.without(stalled);
        let fresh = used.without(in_vain);

        // The first row to whose end there are more candidates than the rank says, and their number before it.
        let (mut row_set, mut before, mut pick_row) = (zero, zero, zero);
        for row in (1..rows + 1).rev() {
            let here = rank.less(self.candidates_to[row]);
            row_set = row_set.replace(here, self.candidates[row]);
            before = before.replace(here, self.candidates_to[row - 1]);
            pick_row = pick_row.replace(here, self.number[row]);
        }
        let mut row_rank = rank.minus(before);
        self.pick_row = pick_row.keep(fresh).replace(stalled, self.pick_row);

        // The bit: first the part of the row, then by taking away the lowest as often as the rank says.
        let width = self.size.width();
        let half = width / 2;
        let low = V::splat(isa, (1 << half) - 1);
        let count = row_set.and(low).count_ones();
        let in_low = row_rank.less(count);
        row_rank = row_rank.minus(count).replace(in_low, row_rank);
        row_set = row_set.without(low).replace(in_low, row_set);
        for below in 0..width - half - 1 {
            let more = self.number[below].less(row_rank);
            row_set = row_set.and(row_set.minus_in(more, one));
        }
        self.pick_bit = row_set.without(row_set.minus(one)).replace(stalled, self.pick_bit);
        Picks { used, active: fresh.or(stalled), pass: self.playing.without(has_candidates).without(stalled) }
    }
}

/// The games among these in which the lower half of the product is less than 2¹⁶ mod total: rare.
#[inline(always)]
fn too_often<N: Wide>(isa: N::Isa, games: N::Mask, low: &N, total: &N) -> N::Mask {
    let rejected = lanes(games.bits()).filter(|&lane| low.lane(lane) < (1 << 16) % total.lane(lane).max(1));
    N::Mask::from_bits(isa, rejected.fold(0, |bits, lane| bits | 1 << lane))
}

/// The lanes whose bits are ones, in ascending order.
#[inline(always)]
pub(super) fn lanes(bits: u64) -> impl Iterator<Item = usize> {
    let mut rest = bits;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (lane < 64).then_some(lane)
    })
}
