//! Which chains reach an empty point: flood filling all games at once.

use super::{
    fields::Rows,
    state::{Ask, Batch},
};
use crate::backend::Vector;

/// What a step's floods have shown, one truth value (any bit) or number in each lane.
#[derive(Clone, Copy)]
pub(super) struct Reach<V> {
    /// An empty point lies beside the pick.
    pub(super) liberty: V,
    /// An own stone lies beside the pick.
    pub(super) joins: V,
    /// A touched opposing stone reaches no empty point other than the pick, as far as is known.
    pub(super) unreached: V,
    /// The own chains beside the pick reach an empty point other than it.
    pub(super) own_liberty: V,
    /// The flood of opposing stones is not at its end.
    pub(super) opponent_grows: V,
    /// The flood of own stones is not at its end.
    pub(super) own_grows: V,
    /// Where self-atari is guarded against: stones connected to the pick, and liberties of the pick with them, as far as is known.
    pub(super) own_stones: V,
    pub(super) own_liberties: V,
}

/// Fills the runs of `within` that meet `set` to the upper end, by the carry of an addition, and takes one step down.
#[inline(always)]
fn along<V: Vector>(set: V, within: V) -> V {
    let up = set.or_without(within, within.plus_fitting(set));
    up.or_and(up.down(), within)
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// Floods the opposing stones from the empty points other than the pick, and the own stones from the pick.
    ///
    /// Each sweep goes along the rows and one way over them. Opposing stones get two sweeps down and two up, own stones one each: what they
    /// leave undone in a few games of a hundred the next step goes on with.
    #[inline(always)]
    pub(super) fn reach<A: Ask>(&mut self) -> Reach<V> {
        let (liberty, joins) = self.seed_and_sweep_down();
        self.sweep_opponent_again();
        self.sweep_up_and_look::<A>(liberty, joins)
    }

    /// Puts down the pick and finds where the floods begin, and sweeps down. Returns whether the pick has a liberty and own neighbours.
    #[inline(always)]
    fn seed_and_sweep_down(&mut self) -> (V, V) {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let stalled = V::ones(self.isa, self.stalled);
        let (bit, pick_row) = (self.pick_bit, self.pick_row);
        let sides = bit.up().or(bit.down());
        let (mut liberty, mut joins) = (zero, zero);
        let (mut reached, mut connected) = (zero, zero);
        let (mut pick_above, mut empty_above) = (zero, zero);
        let mut is_here = self.number[1].equal(pick_row);
        let mut pick = bit.keep(is_here);
        let mut empty = self.empty[1].without(pick);
        self.pick[1] = pick;
        for row in 1..rows + 1 {
            let is_below = self.number[row + 1].equal(pick_row);
            let pick_below = bit.keep(is_below);
            let empty_below = self.empty[row + 1].without(pick_below);
            self.pick[row + 1] = pick_below;
            let near_empty = empty.up().or3(empty.down(), empty_above).or(empty_below);
            let near_pick = sides.keep(is_here).or3(pick_above, pick_below);
            self.near_empty[row] = near_empty;

            let (own, opponent) = (self.own[row], self.opponent[row]);
            self.touched[row] = opponent.and(near_pick);
            liberty = liberty.or_and(near_pick, empty);
            let beside = own.and(near_pick);
            joins = joins.or(beside);
            let seed = opponent.and(near_empty).or_and(self.reached[row], stalled);
            reached = along(seed, opponent).or_and(reached, opponent);
            self.reached[row] = reached;
            let seed = beside.or_and(self.connected[row], stalled);
            connected = along(seed, own).or_and(connected, own);
            self.connected[row] = connected;

            (pick_above, empty_above) = (pick, empty);
            (is_here, pick, empty) = (is_below, pick_below, empty_below);
        }
        (liberty, joins)
    }

    /// Sweeps the flood of opposing stones up and down.
    #[inline(always)]
    fn sweep_opponent_again(&mut self) {
        let rows = self.row_count();
        let mut reached = V::splat(self.isa, 0);
        for row in (1..rows + 1).rev() {
            reached = self.reached[row].or_and(reached, self.opponent[row]);
            self.reached[row] = reached;
        }
        let mut reached = V::splat(self.isa, 0);
        for row in 1..rows + 1 {
            let opponent = self.opponent[row];
            reached = along(self.reached[row], opponent).or_and(reached, opponent);
            self.reached[row] = reached;
        }
    }

    /// Sweeps both floods up, and sees what they show and whether they are at their end.
    ///
    /// After a sweep up nothing can grow up any more; whether it can grow along a row or down is seen one row later, when the row above is
    /// done too.
    #[inline(always)]
    fn sweep_up_and_look<A: Ask>(&mut self, liberty: V, joins: V) -> Reach<V> {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let mut seen = Reach {
            liberty,
            joins,
            unreached: zero,
            own_liberty: zero,
            opponent_grows: zero,
            own_grows: zero,
            own_stones: zero,
            own_liberties: zero,
        };
        let (mut reached_below, mut connected_below) = (zero, zero);
        let (mut opponent_below, mut own_below) = (zero, zero);
        for row in (1..rows + 1).rev() {
            let (opponent, own) = (self.opponent[row], self.own[row]);
            let reached = self.reached[row].or_and(reached_below, opponent);
            let connected = self.connected[row].or_and(connected_below, own);
            self.reached[row] = reached;
            self.connected[row] = connected;
            seen.unreached = seen.unreached.or_without(self.touched[row], reached);
            seen.own_liberty = seen.own_liberty.or_and(connected, self.near_empty[row]);
            let near = reached_below.up().or3(reached_below.down(), reached);
            seen.opponent_grows = seen.opponent_grows.or(near.and_without(opponent_below, reached_below));
            let near = connected_below.up().or3(connected_below.down(), connected);
            seen.own_grows = seen.own_grows.or(near.and_without(own_below, connected_below));
            (reached_below, connected_below) = (reached, connected);
            (opponent_below, own_below) = (opponent, own);
        }
        let near = reached_below.up().or(reached_below.down());
        seen.opponent_grows = seen.opponent_grows.or(near.and_without(opponent_below, reached_below));
        let near = connected_below.up().or(connected_below.down());
        seen.own_grows = seen.own_grows.or(near.and_without(own_below, connected_below));
        if A::GUARDS {
            self.count_own_liberties(&mut seen);
        }
        seen
    }

    /// Counts the stones connected to the pick, and the liberties that they and the pick have.
    #[inline(always)]
    fn count_own_liberties(&self, seen: &mut Reach<V>) {
        let rows = self.row_count();
        let zero = V::splat(self.isa, 0);
        let mut above = zero;
        let mut here = self.connected[1].or(self.pick[1]);
        for row in 1..rows + 1 {
            let below = if row < rows { self.connected[row + 1].or(self.pick[row + 1]) } else { zero };
            let near = here.up().or3(here.down(), above).or(below);
            let liberties = near.and_without(self.empty[row], self.pick[row]);
            seen.own_liberties = seen.own_liberties.plus(liberties.count_ones());
            seen.own_stones = seen.own_stones.plus(self.connected[row].count_ones());
            (above, here) = (here, below);
        }
    }
}
