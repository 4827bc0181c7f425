//! The candidates of each game, and the one that it picks at random.

use super::state::{Batch, Rows, StepOptions, WINDOW};
use crate::{
    BoardSize,
    simd::{Bits as _, Lanes as _, Mask, Number as _, Vector, Wide, WideOf},
};

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

/// Rows of a group, where the row of a pick is found in two steps: first a group of rows, then the row.
const GROUP: usize = 5;
// So the last group ends within the rows of the largest board.
const _: () = assert!(BoardSize::MAX_SIDE.is_multiple_of(GROUP));

/// From this number of rows a second step costs less than looking at each row, with AVX-512.
const GROUPED_ROWS: usize = 12;

/// The rows of a group, for vectors that count the ones of one row at a time.
#[inline(always)]
fn group_rows<V: Vector>(rows: usize) -> usize {
    if V::HAS_TERNARY && rows >= GROUPED_ROWS { GROUP } else { 1 }
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// Finds the empty points and the candidates of each game, and returns how many candidates it has.
    ///
    /// A candidate is an empty point that is not forbidden and, where eyes are spared, not eye-like for the player to move: a neighbour is not
    /// that player's stone, or opposing stones stand on two of its diagonal neighbours (on one at the edge of the board).
    #[inline(always)]
    pub(super) fn find_candidates(&mut self, options: StepOptions) -> V::Number {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let mut total = V::Number::splat(self.isa, 0);
        let same_ply = V::ones(self.isa, self.same_ply);
        let board = self.board;
        let before_last = board.and(board.down());
        let group_rows = group_rows::<V>(rows);
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
            // In a game that has not moved, the points that were no candidates may be rejected picks.
            let forbidden = self.pick[row].or_without(same_ply, self.candidates[row]);
            let candidates = if options.spares_eyes {
                let spoiled = others.up().or3(others.down(), spoils_above);
                let two_of = one_above.majority(one_below, self.edge[row]);
                let not_eye_like = spoiled.or3(spoils_below, two_of);
                not_eye_like.and_without(empty, forbidden)
            } else {
                empty.without(forbidden)
            };
            empty_points[row] = empty;
            self.candidates[row] = candidates;
            if const { V::COUNTED_TOGETHER == 1 } {
                total = total.plus(candidates.count_ones());
                if row % group_rows == 0 || row == rows {
                    self.candidates_to[row.div_ceil(group_rows)] = total;
                }
            }
            (one_above, spoils_above) = (one, spoils);
            (others, one, spoils) = (others_below, one_below, spoils_below);
            (own, opponent) = (own_below, opponent_below);
        }
        match const { V::COUNTED_TOGETHER } {
            2 => self.count_candidates::<2>(),
            3 => self.count_candidates::<3>(),
            _ => total,
        }
    }

    /// Counts the candidates of each game, those of so many rows together.
    #[inline(always)]
    fn count_candidates<const ROWS: usize>(&mut self) -> V::Number {
        let zero = V::splat(self.isa, 0);
        let mut total = V::Number::splat(self.isa, 0);
        for group in 0..self.row_count().div_ceil(ROWS) {
            let mut sets = [zero; ROWS];
            for (place, set) in sets.iter_mut().enumerate() {
                *set = self.candidates[group * ROWS + 1 + place];
            }
            total = total.plus_fitting(V::count_ones_of(sets));
            self.candidates_to[group + 1] = total;
        }
        total
    }

    /// Picks one of the `total` candidates of each game that has no pick yet, uniformly by its sample.
    ///
    /// The rank in row-major order is the upper half of sample times total, unless the lower half shows that this rank would come up too often
    /// (Lemire's method): then the sample is used up and the game has no pick in this step.
    #[inline(always)]
    pub(super) fn pick(&mut self, samples: WideOf<V>, total: V::Number) -> Picks<V::Mask> {
        let rows = self.row_count();
        let isa = self.isa;
        let stalled = self.stalled;

        let has_candidates = total.nonzero();
        let total = total.widen();
        let (rank, low) = samples.widening_product(total);
        let rank = V::Number::narrow(rank);
        let mut in_vain = low.less(total);
        if in_vain.any() {
            in_vain = too_often(isa, in_vain, &low, &total);
        }
        let in_vain = V::Number::narrow_mask(in_vain);
        let used = has_candidates.without(stalled);
        let fresh = used.without(in_vain);

        let (pick_row, row_set, row_rank) = match const { V::COUNTED_TOGETHER } {
            2 => self.find_row::<2>(rank),
            3 => self.find_row::<3>(rank),
            _ if group_rows::<V>(rows) == GROUP => self.find_row::<GROUP>(rank),
            _ => self.find_row::<1>(rank),
        };
        self.pick_row = pick_row.keep(fresh).replace(stalled, self.pick_row);
        self.pick_bit = row_set.nth_one(isa, row_rank, self.size.width()).replace(stalled, self.pick_bit);
        Picks { used, active: fresh.or(stalled), pass: self.playing.without(has_candidates).without(stalled) }
    }

    /// Finds the row of the candidate of this rank, by groups of so many rows. Returns the row's element, its candidates, and the rank among these.
    #[inline(always)]
    fn find_row<const ROWS: usize>(&self, rank: V::Number) -> (V::Number, V, V::Number) {
        // The first group to whose end there are more candidates than the rank says, and their number before it.
        let last = self.row_count().div_ceil(ROWS) - 1;
        let zero = V::Number::splat(self.isa, 0);
        let (mut sets, mut before, mut first_row) = ([V::splat(self.isa, 0); ROWS], zero, zero);
        for group in (0..last + 1).rev() {
            // The last group needs no comparison. Without it AVX-512 is 1 % faster, but plain integers are slower.
            let here = if V::HAS_TERNARY && group == last {
                V::Mask::from_bits(self.isa, u64::MAX)
            } else {
                rank.less(self.candidates_to[group + 1])
            };
            for (place, set) in sets.iter_mut().enumerate() {
                *set = set.replace(here, self.candidates[group * ROWS + 1 + place]);
            }
            before = before.replace(here, self.candidates_to[group]);
            first_row = first_row.replace(here, self.number[group * ROWS + 1]);
        }
        // In the same way, the row of the group.
        let rank = rank.minus(before);
        let mut counts = [zero; ROWS];
        for place in 1..ROWS {
            counts[place] = counts[place - 1].plus(sets[place - 1].count_ones());
        }
        let (mut row_set, mut before, mut place_in_group) =
            (sets[ROWS - 1], counts[ROWS - 1], self.number[ROWS - 1]);
        for place in (0..ROWS - 1).rev() {
            let here = rank.less(counts[place + 1]);
            row_set = row_set.replace(here, sets[place]);
            before = before.replace(here, counts[place]);
            place_in_group = place_in_group.replace(here, self.number[place]);
        }
        (first_row.plus(place_in_group), row_set, rank.minus(before))
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
