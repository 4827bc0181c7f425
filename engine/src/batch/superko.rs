//! Which picks may recreate an earlier position.
//!
//! Call a stone *fresh* that is put where none of its colour was ever removed. As long as it stands, no position from before it can come back. So
//! a pick recreates nothing if it is fresh itself, or if
//!
//! - the last fresh stone of either colour was put down within the last [`WINDOW`] steps, still stands, and is not captured by the pick, and
//! - the pick leads to a position with another signature than those of these steps.
//!
//! This is tested in all games at once. The other picks, less than one in a game of 9×9, are looked up one by one, and so are those that give up
//! their own chain: each position since the last fresh stone that stands is compared by its signature. An equal signature is confirmed by undoing the
//! moves since then, so that a repetition is exact. What the last steps removed is remembered; where that does not reach far enough, the game is
//! played once more. Positions from before a loaded game started are looked up in [its own history](Origin::repetitions).

use super::{
    candidates::lanes,
    driver::SuperkoEvent,
    legality::{Reach, Verdict},
    log::{Log, ROW_STEP, WHITE_FACTOR, WINDOW, highest},
    repetition::Candidate,
    start::{Origin, Starts},
    state::{Batch, Rows, StepOptions},
};
use crate::{
    BoardSize, Color, Ko, Point,
    simd::{Bits as _, Mask as _, Vector, Wide},
};

/// What is known of the histories of all games.
pub(super) struct Repeats {
    ko: Ko,
    /// The bits in which signatures are compared.
    mask: u16,
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
    pub(super) fn new(ko: Ko, lanes: usize, signature_bits: u32) -> Self {
        Self {
            ko,
            mask: u16::MAX.checked_shr(u16::BITS.saturating_sub(signature_bits)).unwrap_or(0),
            games: (0..lanes).map(|_| Events::default()).collect(),
        }
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

/// The last fresh stone of one colour in each game.
#[derive(Clone, Copy)]
pub(super) struct LastFresh<V: Vector> {
    /// The element of its row; 0 where there is none.
    pub(super) row: V,
    /// Its bit in the row.
    pub(super) bit: V,
    /// For how many more steps it is tested, if it stands so long: [`WINDOW`] when it was just put down.
    pub(super) steps_left: V::Wide,
}

impl<V: Vector> LastFresh<V> {
    /// Starts a game, in which there is none. With `steps_left` there is no position before the start either.
    pub(super) fn start(&mut self, lane: usize, steps_left: usize) {
        self.row.set_lane(lane, 0);
        self.bit.set_lane(lane, 0);
        self.steps_left.set_lane(lane, steps_left as u32);
    }

    /// The games in which it stands and is tested, without those in which it is lost.
    #[inline(always)]
    fn stands(&self, lost: V::Mask) -> V::Mask {
        V::narrow_mask(self.steps_left.nonzero()).without(lost)
    }

    /// Takes a step: in the games in `stands` it still does, and in those in `fresh` the pick is a fresh stone.
    #[inline(always)]
    fn step(&mut self, isa: V::Isa, stands: V::Mask, fresh: V::Mask, pick_row: V, pick_bit: V) {
        let wide = |value| V::Wide::splat(isa, value);
        let left = self.steps_left.minus_in(V::widen_mask(stands), wide(1)).keep(V::widen_mask(stands));
        self.steps_left = left.replace(V::widen_mask(fresh), wide(WINDOW as u32));
        self.row = self.row.replace(fresh, pick_row);
        self.bit = self.bit.replace(fresh, pick_bit);
    }
}

/// Whose stones a pick removes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Removes {
    Nothing,
    Own,
    Opponent,
}

impl<V: Vector, R: Rows> Batch<V, R> {
    /// Finds the picks that recreate an earlier position, rejects those that superko forbids, and takes note of the fresh stones among the others.
    #[inline(always)]
    pub(super) fn find_repeats(
        &mut self,
        options: StepOptions,
        mut verdict: Verdict<V::Mask>,
        seen: &Reach<V>,
        repeats: &mut Repeats,
        log: &Log<V>,
        starts: &Starts,
    ) -> Verdict<V::Mask> {
        self.find_next_signature(options, &verdict, seen);
        let is_emptied = seen.is_emptied.nonzero();
        let takes_last = seen.takes_last_fresh.nonzero().and(verdict.captures);
        let gives_up = verdict.gives_up;
        let [black, white] = &self.last_fresh;
        let stand = [
            black.stands(takes_last.without(self.black).or(gives_up.and(self.black))),
            white.stands(takes_last.and(self.black).or(gives_up.without(self.black))),
        ];
        let excluded = log.without_signature(stand[0].or(stand[1]), self.next_signature);
        let in_doubt = is_emptied.without(excluded).or(verdict.gives_up).and(verdict.plays).bits();
        if in_doubt != 0 {
            let mut forbidden = 0;
            for lane in lanes(in_doubt) {
                let has = |games: V::Mask| games.bits() >> lane & 1 == 1;
                let removes = match (has(verdict.captures), has(verdict.gives_up)) {
                    (false, false) => Removes::Nothing,
                    (true, _) => Removes::Opponent,
                    (false, true) => Removes::Own,
                };
                if self.look_up(lane, starts[lane].origin(), removes, repeats, log) {
                    forbidden |= 1 << lane;
                }
            }
            let forbidden = V::Mask::from_bits(self.isa, forbidden);
            verdict.plays = verdict.plays.without(forbidden);
            verdict.captures = verdict.captures.without(forbidden);
            verdict.gives_up = verdict.gives_up.without(forbidden);
        }
        let fresh = verdict.plays.without(is_emptied).without(gives_up);
        let [black, white] = &mut self.last_fresh;
        black.step(self.isa, stand[0], fresh.and(self.black), self.pick_row, self.pick_bit);
        white.step(self.isa, stand[1], fresh.without(self.black), self.pick_row, self.pick_bit);
        verdict
    }

    /// Computes the signatures of the positions that the picks lead to if they are played.
    #[inline(always)]
    fn find_next_signature(&mut self, options: StepOptions, verdict: &Verdict<V::Mask>, seen: &Reach<V>) {
        let isa = self.isa;
        let wide = |value| V::Wide::splat(isa, value);
        let one = wide(1);
        let factor = self.pick_row.widen().times(wide(ROW_STEP)).plus(one);
        let [captured, given_up] = seen.unreached_signature;
        let stone = self.pick_bit.widen().times(factor);
        let own = if options.plays_suicide {
            stone.replace(V::widen_mask(verdict.gives_up), wide(0).minus(given_up))
        } else {
            stone
        };
        let black = V::Wide::ones(isa, V::widen_mask(self.black));
        let white = wide(WHITE_FACTOR);
        let gain = own.times(black.choose(one, white));
        let loss = captured.keep(V::widen_mask(verdict.captures)).times(black.choose(white, one));
        self.next_signature = self.signature.plus(gain).minus(loss);
    }

    /// Looks one pick up in its game's history; returns whether superko forbids it.
    #[cold]
    #[inline(never)]
    fn look_up(
        &self,
        lane: usize,
        origin: Option<&Origin>,
        removes: Removes,
        repeats: &mut Repeats,
        log: &Log<V>,
    ) -> bool {
        let gives_up = removes == Removes::Own;
        let mover = if self.black.bits() >> lane & 1 == 1 { Color::Black } else { Color::White };
        let plies = self.plies.lane(lane) as usize;
        let signature = highest::<V::Wide>(self.next_signature.lane(lane));
        let has_same_signature = |other: u16| (other ^ signature) & repeats.mask == 0;
        let Some(start) = self.first_possible(lane, origin, mover, removes, log, has_same_signature) else {
            return false;
        };
        let mut removed = [0; BoardSize::MAX_SIDE];
        removed.iter_mut().zip(self.removed_by_pick(lane, gives_up)).for_each(|(to, row)| *to = row);
        let removed = if removes == Removes::Nothing { &[] } else { &removed[..self.row_count()] };
        let stones = || {
            Color::BOTH.map(|color| {
                let mut rows = [0; BoardSize::MAX_SIDE];
                rows.iter_mut().zip(self.stones(lane, color)).for_each(|(to, row)| *to = row);
                rows
            })
        };
        let candidate = Candidate {
            size: self.size,
            lane,
            origin,
            log,
            plies,
            stones: &stones,
            mover,
            point: self.point(lane),
            removed,
            gives_up,
        };
        let [any, same_player] = candidate.repetitions(start, has_same_signature);
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

    /// The number of plies before the first position that this game's pick can recreate: those before were without a fresh stone that still
    /// stands after it. None if no position since then has the same signature; zero where there may be positions from before the start.
    fn first_possible(
        &self,
        lane: usize,
        origin: Option<&Origin>,
        mover: Color,
        removes: Removes,
        log: &Log<V>,
        has_same_signature: impl Fn(u16) -> bool,
    ) -> Option<usize> {
        let mut plies = self.plies.lane(lane) as usize;
        let mut is_own = false;
        let mut is_possible = false;
        for ply in log.plies(lane).rev() {
            is_possible |= has_same_signature(ply.signature);
            if let Some(Point { x, y }) = ply.point(self.size) {
                let row = usize::from(y) + 1;
                let (color, stones) =
                    if is_own { (mover, &self.own) } else { (mover.opponent(), &self.opponent) };
                let is_removed = removes == if is_own { Removes::Own } else { Removes::Opponent };
                let reached = if is_removed { self.reached[row].lane(lane) } else { u32::MAX };
                if stones[row].lane(lane) & reached & !self.emptied[color.index()][row].lane(lane) & 1 << x
                    != 0
                {
                    return is_possible.then_some(plies);
                }
            }
            plies -= 1;
            is_own = !is_own;
        }
        (is_possible || origin.is_some() || has_same_signature(0)).then_some(0)
    }

    /// This game's pick.
    fn point(&self, lane: usize) -> Point {
        Point::new(self.pick_bit.lane(lane).trailing_zeros() as u8, self.pick_row.lane(lane) as u8 - 1)
    }

    /// The stones that this game's pick removes, row by row, if it removes any, the new one included if it is given up.
    #[inline(always)]
    fn removed_by_pick(&self, lane: usize, gives_up: bool) -> impl Iterator<Item = u32> {
        (1..self.row_count() + 1).map(move |row| {
            if gives_up {
                self.own[row].lane(lane) & !self.reached[row].lane(lane) | self.pick[row].lane(lane)
            } else {
                self.opponent[row].lane(lane) & !self.reached[row].lane(lane)
            }
        })
    }
}
