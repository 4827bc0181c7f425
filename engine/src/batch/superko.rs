//! Which picks may recreate an earlier position.
//!
//! The rule of [`Recurrence`](crate::game::Recurrence) is tested in all games at once. The picks that it leaves in doubt, about one in a game of 9×9,
//! and those that give up their own chain are looked up one by one, unless the last stone is fresh and stays: the positions since the last fresh
//! stone that stands are compared by their [signatures](Log). Where these are equal, the stones are compared, so that a repetition is exact: the moves
//! since are taken back with the empty points, which are remembered for the last steps. For positions from further back, the game is played once more.
//! Positions from before a loaded game started are looked up in [its own history](Origin::repetitions).

use super::{
    candidates::lanes,
    driver::SuperkoEvent,
    legality::Verdict,
    log::{Entry, Log, signature},
    repetition::Candidate,
    start::{Origin, Starts},
    state::{Batch, Rows},
};
use crate::{
    BoardSize, Color, Ko, Point,
    simd::{Bits as _, Lanes as _, Mask as _, Vector},
};

/// What is known of the histories of all games.
pub(super) struct Repeats {
    ko: Ko,
    games: Vec<Events>,
}

/// What was found in a game.
#[derive(Default)]
struct Events {
    refused: Vec<SuperkoEvent>,
    repeated: Vec<SuperkoEvent>,
}

impl Repeats {
    /// No games yet.
    pub(super) fn new(ko: Ko, lanes: usize) -> Self {
        Self { ko, games: (0..lanes).map(|_| Events::default()).collect() }
    }

    /// Starts a game.
    pub(super) fn start(&mut self, lane: usize) {
        let game = &mut self.games[lane];
        game.refused.clear();
        game.repeated.clear();
    }

    /// The moves rejected by superko and the moves that recreated a position.
    pub(super) fn events(&self, lane: usize) -> [&[SuperkoEvent]; 2] {
        [&self.games[lane].refused, &self.games[lane].repeated]
    }
}

/// What is needed to note the points that the last step emptied.
#[derive(Clone, Copy)]
pub(super) struct Removals<V> {
    /// Where the empty points before the last step are.
    before: usize,
    /// The games in which the last step removed stones of Black, of White.
    of: [V; 2],
    /// The games in which Black is to move.
    is_black: V,
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// What [`note_emptied`](Self::note_emptied) needs in this step.
    #[inline(always)]
    pub(super) fn removals(&self) -> Removals<V> {
        Removals {
            before: self.empty_place(1),
            of: self.removed.map(|games| V::ones(self.isa, games)),
            is_black: V::ones(self.isa, self.black),
        }
    }

    /// Notes the points that the last step emptied in a row, whose empty points are given, and returns those where the player to move has lost
    /// stones. The new stone of a suicide does not count: it stood in no position.
    #[inline(always)]
    pub(super) fn note_emptied(&mut self, row: usize, empty: V, removals: &Removals<V>) -> V {
        let Removals { before, of: [of_black, of_white], is_black } = *removals;
        let removed = empty.without(self.recent_empty[before][row]);
        let [black, white] = &mut self.emptied;
        black[row] = black[row].or_and(removed, of_black);
        white[row] = white[row].or_and(removed, of_white);
        is_black.choose(black[row], white[row])
    }

    /// Finds the picks that recreate an earlier position, rejects those that superko forbids, and takes note of the fresh stones and losses of the
    /// others.
    #[inline(always)]
    pub(super) fn find_repeats(
        &mut self,
        mut verdict: Verdict<V::Mask>,
        emptied: V,
        repeats: &mut Repeats,
        log: &Log<V>,
        starts: &Starts,
    ) -> Verdict<V::Mask> {
        let black = self.black;
        let is_emptied = emptied.nonzero();
        let [black_lost, white_lost] = self.lost_since_fresh;
        let own_lost = black_lost.and(black).or(white_lost.without(black));
        let other_lost = white_lost.and(black).or(black_lost.without(black));
        let may_recur = is_emptied.and(own_lost).and(other_lost.or(verdict.captures));
        let in_doubt = may_recur.or(verdict.gives_up).and(verdict.plays);
        if in_doubt.any() {
            let mut forbidden = 0;
            let needs_look_up = |lane| u64::from(!self.leaves_fresh_stone(lane)) << lane;
            let to_look_up = lanes(in_doubt.bits()).fold(0, |games, lane| games | needs_look_up(lane));
            for lane in lanes(to_look_up) {
                if Pick::new(self, lane, &verdict).look_up(starts[lane].origin(), repeats, log) {
                    forbidden |= 1 << lane;
                }
            }
            if forbidden != 0 {
                let forbidden = V::Mask::from_bits(self.isa, forbidden);
                verdict.plays = verdict.plays.without(forbidden);
                verdict.captures = verdict.captures.without(forbidden);
                verdict.gives_up = verdict.gives_up.without(forbidden);
            }
        }
        let fresh = verdict.plays.without(is_emptied).without(verdict.gives_up);
        self.last_row = self.last_row.replace(verdict.plays, self.pick_row);
        self.last_bit = self.last_bit.replace(verdict.plays, self.pick_bit.keep(fresh));
        let (black_fresh, white_fresh) = (fresh.and(black), fresh.without(black));
        let (black_captures, white_captures) = (verdict.captures.and(black), verdict.captures.without(black));
        self.lost_since_fresh = [
            black_lost.without(black_fresh).or(white_captures).or(verdict.gives_up),
            white_lost.without(white_fresh).or(black_captures).or(verdict.gives_up),
        ];
        verdict
    }

    /// What a step did in each game, and the signatures of the positions before it.
    #[inline(always)]
    pub(super) fn entry(&self, plays: V::Mask, passes: V::Mask) -> Entry<V::Number, V> {
        let pass = V::Number::splat(self.isa, self.row_count() as u32 + 1);
        Entry {
            row: self.pick_row.keep(plays).replace(passes, pass),
            bit: self.pick_bit.keep(plays),
            signature: self.signature,
        }
    }

    /// Whether the last stone is fresh and stays on the board after the pick. Then the pick recreates nothing, as the players have only passed since
    /// that stone. This is known of half of the picks in doubt.
    #[inline(always)]
    fn leaves_fresh_stone(&self, lane: usize) -> bool {
        let row = self.last_row.lane(lane) as usize;
        self.reached[row].lane(lane) & self.last_bit.lane(lane) != 0
    }
}

/// One game's pick that may recreate an earlier position.
struct Pick<'a, V: Vector, R> {
    batch: &'a Batch<V, R>,
    lane: usize,
    mover: Color,
    captures: bool,
    gives_up: bool,
}

impl<'a, V: Vector, R: Rows> Pick<'a, V, R> {
    fn new(batch: &'a Batch<V, R>, lane: usize, verdict: &Verdict<V::Mask>) -> Self {
        let mover = if batch.black.has(lane) { Color::Black } else { Color::White };
        let (captures, gives_up) = (verdict.captures.has(lane), verdict.gives_up.has(lane));
        Self { batch, lane, mover, captures, gives_up }
    }

    /// Looks the pick up in the game's history; returns whether superko forbids it.
    #[inline(never)]
    fn look_up(&self, origin: Option<&Origin>, repeats: &mut Repeats, log: &Log<V>) -> bool {
        let Self { batch, lane, .. } = *self;
        // Of the opponent and of the mover: the stones, ones if the pick removes none of them, and where some were removed before.
        let sides = [
            (&batch.opponent, ones(!self.captures), &batch.emptied[self.mover.opponent().index()]),
            (&batch.own, ones(!self.gives_up), &batch.emptied[self.mover.index()]),
        ];
        // Back to the last fresh stone that stays. Without branches that depend on anything else, as they would often be mispredicted.
        let signature = self.next_signature();
        let mut has_same_signature = false;
        let mut is_own = 0;
        let mut start = batch.plies.lane(lane);
        for Entry { row, bit, signature: signature_before } in log.entries(lane).rev() {
            let (is_ply, row) = (row != 0, row as usize);
            let (stones, keeps, emptied) = sides[is_own];
            let stays = stones[row].lane(lane) & (batch.reached[row].lane(lane) | keeps);
            if stays & !emptied[row].lane(lane) & bit != 0 {
                break;
            }
            has_same_signature |= is_ply & (signature_before == signature);
            is_own ^= usize::from(is_ply);
            start -= u32::from(is_ply);
        }
        let may_recur = has_same_signature || start == 0 && origin.is_some();
        may_recur && self.recreates(start as usize, signature, origin, repeats, log)
    }

    /// The stones that the pick removes from a row, the new one included if it is given up.
    #[inline(always)]
    fn removed(&self, row: usize) -> u32 {
        let Self { batch, lane, .. } = *self;
        let captured = batch.opponent[row].lane(lane) & ones(self.captures);
        let given_up = (batch.own[row].lane(lane) | batch.pick[row].lane(lane)) & ones(self.gives_up);
        (captured | given_up) & !batch.reached[row].lane(lane)
    }

    /// The signature of the position after the pick.
    #[inline(always)]
    fn next_signature(&self) -> u32 {
        let Self { batch, lane, .. } = *self;
        let rows =
            (1..batch.row_count() + 1).map(|row| self.removed(row).wrapping_sub(batch.pick[row].lane(lane)));
        let sums = rows.fold([0; 2], |[a, b]: [u32; 2], row| [b, a.wrapping_add(row)]);
        let change = signature(sums, u32::wrapping_add);
        batch.signature.lane(lane).wrapping_add(change) & (u32::MAX >> (u32::BITS - V::LANE_BITS))
    }

    /// Whether superko forbids the pick because of a position after at least `start` plies since the start, or if that is zero, before the start.
    #[cold]
    #[inline(never)]
    fn recreates(
        &self,
        start: usize,
        signature: u32,
        origin: Option<&Origin>,
        repeats: &mut Repeats,
        log: &Log<V>,
    ) -> bool {
        let Self { batch, lane, mover, gives_up, .. } = *self;
        let plies = batch.plies.lane(lane) as usize;
        let mut removed = [0; BoardSize::MAX_SIDE];
        let removed = &mut removed[..batch.row_count()];
        (1..).zip(&mut *removed).for_each(|(row, to)| *to = self.removed(row));
        let stones = || {
            Color::BOTH.map(|color| {
                let mut rows = [0; BoardSize::MAX_SIDE];
                rows.iter_mut().zip(batch.stones(lane, color)).for_each(|(to, row)| *to = row);
                rows
            })
        };
        let (x, y) = (batch.pick_bit.lane(lane).trailing_zeros(), batch.pick_row.lane(lane) - 1);
        let point = Point::new(x as u8, y as u8);
        let candidate = Candidate {
            size: batch.size,
            lane,
            origin,
            log,
            plies,
            stones: &stones,
            empty_before: &|steps_ago, row| {
                batch.recent_empty[batch.empty_place(steps_ago)][row + 1].lane(lane)
            },
            mover,
            point,
            removed,
            gives_up,
        };
        let [any, same_player] = candidate.repetitions(start, signature);
        let rejected = match repeats.ko {
            Ko::Simple => None,
            Ko::PositionalSuperko => any,
            Ko::SituationalSuperko => same_player,
        };
        let (events, ply) = (&mut repeats.games[lane], candidate.first_ply() + plies as u32);
        match (rejected, any) {
            (Some(repetition), _) => events.refused.push(SuperkoEvent { ply, repetition }),
            (None, Some(repetition)) => events.repeated.push(SuperkoEvent { ply, repetition }),
            (None, None) => {}
        }
        rejected.is_some()
    }
}

/// All bits ones, or none.
const fn ones(all: bool) -> u32 {
    0_u32.wrapping_sub(all as u32)
}
