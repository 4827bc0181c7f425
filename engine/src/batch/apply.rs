//! Playing the picks.

use super::{
    candidates::Picks,
    legality::Verdict,
    state::{Batch, Rows, StepOptions},
};
use crate::simd::{Bits as _, Lanes as _, Mask as _, Number as _, Vector, WideOf};

impl<V: Vector, R: Rows> Batch<V, R> {
    /// Plays the picks that are played and passes for the games without candidates. In `pick`, the point that simple ko forbids
    /// replaces a pick that was played. Returns the games that are over.
    #[inline(always)]
    pub(super) fn apply(
        &mut self,
        options: StepOptions,
        picks: &Picks<V::Mask>,
        verdict: &Verdict<V::Mask>,
    ) -> V::Mask {
        let rows = self.row_count();
        let isa = self.isa;
        let zero = V::splat(isa, 0);
        let moved = verdict.plays.or(picks.pass);
        let moves = V::ones(isa, moved);
        let captures = V::ones(isa, verdict.captures);
        let gives_up = V::ones(isa, verdict.gives_up);
        let black = V::ones(isa, self.black);
        let may_ban = verdict.captures.and(verdict.is_alone);
        // Columns with a captured stone, and with two or more.
        let (mut one, mut two) = (zero, zero);
        for row in 1..rows + 1 {
            let (own, opponent, pick) = (self.own[row], self.opponent[row], self.pick[row]);
            let captured = opponent.and_without(captures, self.reached[row]);
            let given_up = if options.plays_suicide {
                own.without(self.reached[row]).or(pick).and(gives_up)
            } else {
                zero
            };
            two = two.or_and(one, captured);
            one = one.or(captured);
            if options.notes_first {
                let [black_first, white_first] = &mut self.first;
                let fresh = pick.and_without(moves, black_first[row]).without(white_first[row]);
                black_first[row] = black_first[row].or_and(fresh, black);
                white_first[row] = white_first[row].or_without(fresh, black);
            }
            let mut stones = own.or(pick);
            if options.plays_suicide {
                stones = stones.without(given_up);
                // The new stone is gone again, and the point may be picked next.
                self.pick[row] = pick.without(gives_up);
            }
            self.opponent[row] = moves.choose(stones, opponent);
            self.own[row] = moves.choose(opponent.without(captured), own);
        }
        if options.finds_repeats {
            let (of_opponent, of_own) = (verdict.captures, verdict.gives_up);
            self.removed = [
                of_opponent.without(self.black).or(of_own.and(self.black)),
                of_opponent.and(self.black).or(of_own.without(self.black)),
            ];
        }
        let two_or_more = two.or_and(one, one.minus(V::splat(isa, 1)));
        let bans = may_ban.without(two_or_more.nonzero());
        if bans.any() {
            // All neighbours of the pick are opposing stones, of which the one taken is not reached; taking back would restore the position.
            let bans = V::ones(isa, bans);
            for row in 1..rows + 1 {
                let taken = self.near_pick[row].without(self.reached[row]);
                self.pick[row] = bans.choose(taken, self.pick[row]);
            }
        }
        self.stalled = verdict.stalls;
        self.same_ply = self.playing.without(moved);
        let count = |games| WideOf::<V>::splat(isa, 1).keep(V::Number::widen_mask(games));
        self.plies = self.plies.plus(count(moved));
        self.passes[0] = self.passes[0].plus(count(picks.pass.and(self.black)));
        self.passes[1] = self.passes[1].plus(count(picks.pass.without(self.black)));
        self.black = self.black.without(moved).or(moved.without(self.black));
        self.over = picks.pass.and(self.passed);
        self.passed = self.passed.without(moved).or(picks.pass);
        self.over.or(V::Number::narrow_mask(self.plies.equal(self.ply_cap)))
    }
}
