//! Which picks are played: captures, suicide and self-atari, found by flood filling all games at once.

use super::{
    candidates::Picks,
    log::signature,
    state::{Batch, Rows, StepOptions},
};
use crate::simd::{Bits as _, Lanes as _, Mask as _, Number as _, Vector};

/// What a step's floods have shown, one truth value (any bit) or number in each lane.
#[derive(Clone, Copy)]
pub(super) struct Reach<V: Vector> {
    /// The pick has an empty or own neighbour.
    pub(super) joins: V,
    /// The pick has a liberty, or an own neighbour that reaches one, as far as is known.
    pub(super) liberty: V,
    /// An opposing neighbour reaches no empty point other than the pick, as far as is known.
    pub(super) unreached: V,
    /// The flood is not at its end.
    pub(super) grows: V,
    /// Where self-atari is guarded against: stones connected to the pick, liberties of the pick with them, as far as is known, and whether more
    /// stones are.
    pub(super) own_stones: V::Number,
    pub(super) own_liberties: V::Number,
    pub(super) own_grows: V,
    /// The pick is where a stone of the player to move was ever removed. Only where repetitions are found.
    pub(super) emptied: V,
}

impl<V: Vector> Reach<V> {
    /// Nothing yet.
    #[inline(always)]
    pub(super) fn nothing(isa: V::Isa) -> Self {
        let zero = V::splat(isa, 0);
        Self {
            joins: zero,
            liberty: zero,
            unreached: zero,
            grows: zero,
            own_stones: V::Number::splat(isa, 0),
            own_liberties: V::Number::splat(isa, 0),
            own_grows: zero,
            emptied: zero,
        }
    }
}

/// From this number of rows the last sweep goes along the rows too, where that is four instructions: there the steps that it saves cost more.
const LAST_SWEEP_ALONG: usize = 12;

/// Goes along a row wherever two neighbours are `joined`, each pair named by its lower point: to the upper end, by the carry of an addition, and
/// one step down.
#[inline(always)]
fn along<V: Vector>(set: V, joined: V) -> V {
    let up = set.or_xor(joined, joined.plus_fitting(set.and(joined)));
    up.or_and(up.down(), joined)
}

// All stones are flooded from the empty points other than the pick: what the flood does not reach has no liberty but the pick. One flood serves
// both players, since it goes from stone to stone of one colour. Two sweeps down and two up leave little to be done in a few games of a hundred: with
// that the next step goes on.
impl<V: Vector, R: Rows> Batch<V, R> {
    /// Puts down the pick, finds where the flood begins, and sweeps down.
    #[inline(always)]
    pub(super) fn seed_and_sweep_down(&mut self, options: StepOptions) {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let stalled = V::ones(self.isa, self.stalled);
        let (bit, pick_row) = (self.pick_bit, self.pick_row);
        let sides = bit.up().or(bit.down()).and(self.board);
        let now = self.empty_place(0);
        let mut reached = zero;
        let (mut pick_above, mut empty_above, mut joined_above) = (zero, zero, zero);
        let mut is_here = self.number[1].equal(pick_row);
        let mut pick = bit.keep(is_here);
        let mut empty = self.empty(options, now)[1].without(pick);
        self.pick[1] = pick;
        for row in 1..rows + 1 {
            let is_below = self.number[row + 1].equal(pick_row);
            let pick_below = bit.keep(is_below);
            let empty_below = self.empty(options, now)[row + 1].without(pick_below);
            self.pick[row + 1] = pick_below;
            let near_pick = sides.keep(is_here).or3(pick_above, pick_below);
            self.near_pick[row] = near_pick;

            let beside_empty = empty.up().or3(empty.down(), empty_above);
            let seed = empty.or3(beside_empty, empty_below).or_and(self.reached[row], stalled);
            reached = along(seed, self.joined_right[row]).or_and(reached, joined_above);
            self.reached[row] = reached;

            (pick_above, empty_above, joined_above) = (pick, empty, self.joined_below[row]);
            (is_here, pick, empty) = (is_below, pick_below, empty_below);
        }
    }

    /// Sweeps up over the rows, and once more down.
    ///
    /// This mostly waits, as each row needs the one before, and stores little. So the signature is found here, and the points that the last step emptied
    /// are noted.
    #[inline(always)]
    pub(super) fn sweep_up_and_down(&mut self, options: StepOptions) -> Reach<V> {
        let rows = self.row_count();
        let mut reached = self.reached[rows];
        for row in (1..rows).rev() {
            reached = self.reached[row].or_and(reached, self.joined_below[row]);
            self.reached[row] = reached;
        }
        let zero = V::splat(self.isa, 0);
        let (mut joined_above, mut empty_sums) = (zero, [zero; 2]);
        let mut seen = Reach::<V>::nothing(self.isa);
        let now = self.empty_place(0);
        let removals = self.removals();
        for row in 1..rows + 1 {
            reached = along(self.reached[row], self.joined_right[row]).or_and(reached, joined_above);
            self.reached[row] = reached;
            joined_above = self.joined_below[row];
            if options.finds_repeats {
                let empty = self.recent_empty[now][row];
                empty_sums = [empty_sums[1], empty_sums[0].plus(empty)];
                let emptied = self.note_emptied(row, empty, &removals);
                seen.emptied = seen.emptied.or_and(self.pick[row], emptied);
            }
        }
        if options.finds_repeats {
            self.signature = signature(empty_sums, V::plus);
        }
        seen
    }

    /// Sweeps up a last time, and sees what the flood shows and whether it is at its end.
    ///
    /// After a sweep up nothing can grow up any more; whether it can grow down is seen one row later, when the row above is done too.
    #[inline(always)]
    pub(super) fn sweep_up_and_look(&mut self, seen: &mut Reach<V>) {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let (mut joins, mut unreached, mut liberty, mut grows) = (zero, zero, zero, zero);
        let mut reached_below = zero;
        for row in (1..rows + 1).rev() {
            let joined_below = if row < rows { self.joined_below[row] } else { zero };
            let mut reached = self.reached[row];
            if V::HAS_TERNARY && rows >= LAST_SWEEP_ALONG {
                reached = along(reached, self.joined_right[row]);
            }
            reached = reached.or_and(reached_below, joined_below);
            self.reached[row] = reached;
            let (near_pick, opponent) = (self.near_pick[row], self.opponent[row]);
            joins = joins.or_without(near_pick, opponent);
            unreached = unreached.or(near_pick.and_without(opponent, reached));
            liberty = liberty.or(near_pick.and_without(reached, opponent));
            let grows_along = reached.xor_and(reached.down(), self.joined_right[row]);
            let grows_down = reached.and_without(joined_below, reached_below);
            grows = grows.or3(grows_along, grows_down);
            reached_below = reached;
        }
        (seen.joins, seen.liberty, seen.unreached, seen.grows) = (joins, liberty, unreached, grows);
    }

    /// Floods the own stones from the pick, sweeping down and up.
    #[inline(always)]
    pub(super) fn connect(&mut self, seen: &mut Reach<V>) {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let stalled = V::ones(self.isa, self.stalled);
        let (mut connected, mut joined_above) = (zero, zero);
        for row in 1..rows + 1 {
            let seed = self.own[row].and(self.near_pick[row]).or_and(self.connected[row], stalled);
            connected = along(seed, self.joined_right[row]).or_and(connected, joined_above);
            self.connected[row] = connected;
            joined_above = self.joined_below[row];
        }
        let mut connected_below = zero;
        for row in (1..rows + 1).rev() {
            let joined_below = if row < rows { self.joined_below[row] } else { zero };
            let connected = self.connected[row].or_and(connected_below, joined_below);
            self.connected[row] = connected;
            let grows_along = connected.xor_and(connected.down(), self.joined_right[row]);
            let grows_down = connected.and_without(joined_below, connected_below);
            seen.own_grows = seen.own_grows.or3(grows_along, grows_down);
            connected_below = connected;
        }
    }

    /// Counts the stones connected to the pick, and the liberties that they and the pick have.
    #[inline(always)]
    pub(super) fn count_own_liberties(&self, options: StepOptions, seen: &mut Reach<V>) {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let empty = self.empty(options, self.empty_place(0));
        let mut above = zero;
        let mut here = self.connected[1].or(self.pick[1]);
        for row in 1..rows + 1 {
            let below = if row < rows { self.connected[row + 1].or(self.pick[row + 1]) } else { zero };
            let near = here.up().or3(here.down(), above).or(below);
            let liberties = near.and_without(empty[row], self.pick[row]);
            seen.own_liberties = seen.own_liberties.plus(liberties.count_ones());
            seen.own_stones = seen.own_stones.plus(self.connected[row].count_ones());
            (above, here) = (here, below);
        }
    }
}

/// What happens to each game's pick.
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
    /// Decides by the rules (captures, suicide) and the policy (suicide, self-atari). Superko is decided later.
    ///
    /// `guard` is the size from which a chain is not put into atari, if self-atari is rejected.
    #[inline(always)]
    pub(super) fn decide(
        &self,
        options: StepOptions,
        picks: &Picks<V::Mask>,
        seen: &Reach<V>,
        guard: V::Number,
    ) -> Verdict<V::Mask> {
        let all = V::Mask::from_bits(self.isa, u64::MAX);
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
        let gives_up = if options.plays_suicide {
            let gives_up = without.without(grows);
            plays = plays.or(gives_up);
            gives_up
        } else {
            V::Mask::from_bits(self.isa, 0)
        };
        if options.guards {
            let one = V::Number::splat(self.isa, 1);
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
