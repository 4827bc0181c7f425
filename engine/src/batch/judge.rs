//! Which picks are played.

use super::{
    pick::Picks,
    reach::Reach,
    state::{Ask, Batch},
};
use crate::simd::{Mask as _, Vector};

/// What is done with each game's pick.
#[derive(Clone, Copy)]
pub(super) struct Verdict<M> {
    /// Not decided yet: the floods go on in the next step.
    pub(super) stalls: M,
    /// Played.
    pub(super) plays: M,
    /// Of these, those that capture.
    pub(super) captures: M,
    /// Of these, those that give up the own chain.
    pub(super) gives_up: M,
    /// Games in which the pick has neither an empty nor an own neighbour.
    pub(super) is_alone: M,
}

impl<V: Vector, R> Batch<V, R> {
    /// Decides by the rules (captures, suicide) and the policy (suicide, self-atari). Superko comes later.
    ///
    /// `guard` is the size from which a chain is not put into atari, where that is asked for.
    #[inline(always)]
    pub(super) fn judge<A: Ask>(
        &self,
        picks: &Picks<V::Mask>,
        seen: &Reach<V>,
        guard: V,
    ) -> Verdict<V::Mask> {
        let all = V::Mask::from_bits(self.isa, u32::MAX);
        let active = picks.active;
        let joins = seen.joins.nonzero();
        let grows = seen.grows.nonzero();

        // A chain that was not reached though the flood is at its end is captured.
        let unreached = seen.unreached.nonzero().and(active);
        let captures = unreached.without(grows);
        let mut plays = seen.liberty.nonzero().or(captures).and(active);
        // The rest is suicide once the flood is at its end; that of a single stone is never played.
        let without = active.and(joins).without(plays);
        let mut stalls = unreached.or(without).and(grows);
        let gives_up = if A::PLAYS_SUICIDE {
            let gives_up = without.without(grows);
            plays = plays.or(gives_up);
            gives_up
        } else {
            V::Mask::from_bits(self.isa, 0)
        };
        if A::GUARDS {
            let one = V::splat(self.isa, 1);
            let in_doubt = plays.without(captures).without(gives_up).without(stalls);
            let in_atari = in_doubt.without(one.less(seen.own_liberties));
            // The pick is a stone of its chain too.
            let is_large = guard.less(seen.own_stones.plus(one)).or(guard.equal(seen.own_stones.plus(one)));
            stalls = stalls.or(in_atari.and(seen.own_grows.nonzero()));
            plays = plays.without(in_atari.and(is_large));
        }
        let plays = plays.without(stalls);
        Verdict {
            stalls,
            plays,
            captures: captures.and(plays),
            gives_up: gives_up.and(plays),
            is_alone: all.without(joins),
        }
    }
}
