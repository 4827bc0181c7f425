//! Drawing one candidate.

use super::{fields::Rows, state::Batch};
use crate::simd::{Mask, Vector};

/// What the games do in this step.
#[derive(Clone, Copy)]
pub(super) struct Picks<M> {
    /// Games that used a draw, be it in vain.
    pub(super) used: M,
    /// Games that have a pick, new or kept.
    pub(super) active: M,
    /// Games without candidates, which pass.
    pub(super) pass: M,
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// Turns the draw of each game that has no pick into one: uniformly among its `total` candidates, in row-major order.
    ///
    /// The rank is the upper half of draw times total, unless the lower half shows that this rank would come up too often (Lemire's method):
    /// then the draw is used up and the game has no pick in this step.
    #[inline(always)]
    pub(super) fn pick(&mut self, draws: V, total: V) -> Picks<V::Mask> {
        let rows = self.row_count();
        let isa = self.isa;
        let zero = V::splat(isa, 0);
        let one = V::splat(isa, 1);
        let stalled = self.stalled;

        let (rank, low) = draws.widening_product(total);
        let has_candidates = total.nonzero();
        let mut in_vain = low.less(total);
        if in_vain.bits() != 0 {
            in_vain = too_often(isa, in_vain, &low, &total);
        }
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
fn too_often<V: Vector>(isa: V::Isa, games: V::Mask, low: &V, total: &V) -> V::Mask {
    let rejected = lanes(games.bits()).filter(|&lane| low.lane(lane) < (1 << 16) % total.lane(lane).max(1));
    V::Mask::from_bits(isa, rejected.fold(0, |bits, lane| bits | 1 << lane))
}

/// The lanes whose bits are ones, in ascending order.
#[inline(always)]
pub(super) fn lanes(bits: u32) -> impl Iterator<Item = usize> {
    let mut rest = bits;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}
