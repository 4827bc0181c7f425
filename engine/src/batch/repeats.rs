//! Which picks may recreate an earlier position.
//!
//! Few can, and most of these are told from the others without looking at history. Let a pick that gives up nothing recreate the position after
//! ply *s*. Its stone stood there then, so the mover has lost a stone on this point since: the mover's last loss of stones, after ply *t*, has
//! *s* < *t*. On the other hand call a stone *fresh* that was put where none of its colour was ever removed. A fresh stone that still stands after the
//! pick stood at *s* too, and could only have been put there before: *s* is not before the ply of any fresh stone that still stands. So nothing is
//! recreated when a standing fresh stone was put down after ply *t* or by it. It is enough to know of the last ones: for both colours, whether
//! since its last loss
//!
//! - the colour itself has put down a fresh stone (which stands: the colour has lost nothing since), and
//! - its opponent has, and the opponent has lost nothing since that (nor with the pick).
//!
//! These are four truth values per game. A pick that gives up its own chain is always looked up.

use super::{
    fields::Rows,
    finished::SuperkoEvent,
    history::{Candidate, Steps, mover},
    judge::Verdict,
    pick::lanes,
    record::{Log, NOTHING, WHITE_FACTOR, row_factor},
    state::{Ask, Batch},
};
use crate::{
    BoardSize, Ko, Point,
    simd::{Mask as _, Vector},
};

/// What is known of the histories of all games.
pub(super) struct Repeats<V> {
    ko: Ko,
    /// The bits in which signatures are compared.
    mask: u16,
    /// For each colour the games in which it has put down a fresh stone since it last lost stones.
    own_fresh: [u32; 2],
    /// For each colour the games in which its opponent has, since it last lost stones, and the opponent has lost none since.
    other_fresh: [u32; 2],
    pub(super) steps: Steps<V>,
    games: Vec<Events>,
}

/// What was found in a game.
struct Events {
    refused: Vec<SuperkoEvent>,
    repeated: Vec<SuperkoEvent>,
}

impl<V: Vector> Repeats<V> {
    /// No games yet.
    pub(super) fn new(ko: Ko, lanes: usize, steps: Steps<V>, signature_bits: u32) -> Self {
        let game = || Events { refused: Vec::new(), repeated: Vec::new() };
        Self {
            ko,
            mask: u16::MAX.checked_shr(u16::BITS.saturating_sub(signature_bits)).unwrap_or(0),
            own_fresh: [0; 2],
            other_fresh: [0; 2],
            steps,
            games: (0..lanes).map(|_| game()).collect(),
        }
    }

    /// Begins a game.
    pub(super) fn start(&mut self, lane: usize) {
        for games in self.own_fresh.iter_mut().chain(&mut self.other_fresh) {
            *games &= !(1 << lane);
        }
        let game = &mut self.games[lane];
        game.refused.clear();
        game.repeated.clear();
    }

    /// The draws that superko refused and the moves that recreated a position.
    pub(super) fn events(&self, lane: usize) -> [&[SuperkoEvent]; 2] {
        [&self.games[lane].refused, &self.games[lane].repeated]
    }

    /// Takes note of moves: `fresh` of these were on fresh points, `captures` and `gives_up` removed stones.
    #[inline(always)]
    fn note(&mut self, black: u32, fresh: u32, captures: u32, gives_up: u32) {
        for (own, movers) in [(0, black), (1, !black)] {
            let other = 1 - own;
            let (fresh, captures, gives_up) = (fresh & movers, captures & movers, gives_up & movers);
            // The mover's side.
            self.own_fresh[own] = (self.own_fresh[own] | fresh) & !gives_up;
            self.other_fresh[own] &= !(captures | gives_up);
            // The opponent's: a fresh stone that captures was put down by the ply of the loss.
            self.own_fresh[other] &= !captures;
            self.other_fresh[other] = self.other_fresh[other] & !(captures | gives_up) | fresh;
        }
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
    /// Finds the picks that recreate an earlier position, takes back those that superko forbids, and takes note of the others.
    #[inline(always)]
    pub(super) fn find_repeats<A: Ask>(
        &mut self,
        verdict: Verdict<V::Mask>,
        repeats: &mut Repeats<V>,
        log: &mut Log,
    ) -> Verdict<V::Mask> {
        let black = self.black.bits();
        let black_to_move = V::ones(self.isa, self.black);
        let mut emptied = V::splat(self.isa, 0);
        for row in 1..self.row_count() + 1 {
            let own_emptied = black_to_move.choose(self.emptied[0][row], self.emptied[1][row]);
            emptied = emptied.or_and(own_emptied, self.pick[row]);
        }
        let (plays, captures, gives_up) =
            (verdict.plays.bits(), verdict.captures.bits(), verdict.gives_up.bits());
        let emptied = emptied.nonzero().bits();
        let of_mover = |games: [u32; 2]| games[0] & black | games[1] & !black;
        let fresh_since = of_mover(repeats.own_fresh) | of_mover(repeats.other_fresh) & !captures;
        let mut forbidden = 0;
        for lane in lanes(plays & (emptied & !fresh_since | gives_up)) {
            let removes = match (captures >> lane & 1, gives_up >> lane & 1) {
                (0, 0) => Removes::Nothing,
                (1, _) => Removes::Opponent,
                _ => Removes::Own,
            };
            if self.look_up(lane, removes, repeats, log) {
                forbidden |= 1 << lane;
            }
        }
        let plays = plays & !forbidden;
        repeats.note(black, plays & !emptied & !gives_up, captures & plays, gives_up & plays);
        if forbidden == 0 {
            return verdict;
        }
        let forbidden = V::Mask::from_bits(self.isa, forbidden);
        Verdict {
            plays: verdict.plays.without(forbidden),
            captures: verdict.captures.without(forbidden),
            gives_up: verdict.gives_up.without(forbidden),
            ..verdict
        }
    }

    /// Looks one pick up in its game's history; returns whether superko forbids it.
    #[cold]
    #[inline(never)]
    fn look_up(&self, lane: usize, removes: Removes, repeats: &mut Repeats<V>, log: &mut Log) -> bool {
        let gives_up = removes == Removes::Own;
        let mut removed = [0; BoardSize::MAX_SIDE];
        removed.iter_mut().zip(self.removed_by_pick(lane, gives_up)).for_each(|(to, row)| *to = row);
        let removed = if removes == Removes::Nothing { &[] } else { &removed[..self.row_count()] };
        let signature = self.signature_after(lane, gives_up, removed);
        let plies = log.plies(lane);
        let stones = |color| {
            let mut rows = [0; BoardSize::MAX_SIDE];
            rows.iter_mut().zip(self.stones(lane, color)).for_each(|(to, row)| *to = row);
            rows
        };
        let point = self.point(lane);
        let candidate = Candidate { size: self.size, lane, plies, stones: &stones, point, removed, gives_up };
        // A move that gives up nothing recreates no position since its player last lost stones: its own stone is lost since.
        let before_loss = self.before_loss[mover(plies.len()).index()].lane(lane) as usize;
        let count = if gives_up { plies.len() + 1 } else { before_loss };
        let [any, same_player] = repeats.steps.repetitions(&candidate, count, signature, repeats.mask);
        let refused = match repeats.ko {
            Ko::Simple => None,
            Ko::PositionalSuperko => any,
            Ko::SituationalSuperko => same_player,
        };
        let (events, ply) = (&mut repeats.games[lane], plies.len() as u32);
        match (refused, any) {
            (Some(repetition), _) => events.refused.push(SuperkoEvent { ply, repetition }),
            (None, Some(repetition)) => events.repeated.push(SuperkoEvent { ply, repetition }),
            (None, None) => {}
        }
        refused.is_some()
    }

    /// The lower half of the signature of the position after this game's pick.
    fn signature_after(&self, lane: usize, gives_up: bool, removed: &[u32]) -> u16 {
        let lost = (1..)
            .zip(removed)
            .fold(0_u32, |sum, (row, &stones)| sum.wrapping_add(stones.wrapping_mul(row_factor(row))));
        let stone = self.pick_bit.lane(lane).wrapping_mul(row_factor(self.pick_row.lane(lane)));
        let is_black = self.black.bits() >> lane & 1 == 1;
        let (own, opponent) = if is_black { (1, WHITE_FACTOR) } else { (WHITE_FACTOR, 1) };
        let (gain, loss) = if gives_up {
            (0, lost.wrapping_mul(own))
        } else {
            (stone.wrapping_mul(own), lost.wrapping_mul(opponent))
        };
        self.signature.lane(lane).wrapping_add(gain).wrapping_sub(loss) as u16
    }

    /// This game's pick.
    fn point(&self, lane: usize) -> Point {
        Point::new(self.pick_bit.lane(lane).trailing_zeros() as u8, self.pick_row.lane(lane) as u8 - 1)
    }

    /// Notes the moves of a step that was applied.
    #[inline(always)]
    pub(super) fn write_moves(&self, plays: V::Mask, passes: V::Mask, log: &mut Log) {
        let isa = self.isa;
        let one = V::splat(isa, 1);
        let width = V::splat(isa, self.size.width() as u32);
        let row_start = self.pick_row.minus(one).times(width);
        let point = row_start.plus(self.pick_bit.minus(one).count_ones());
        let pass = V::splat(isa, self.size.point_count() as u32);
        let codes = V::splat(isa, NOTHING.into()).replace(plays, point).replace(passes, pass);
        log.write(codes, self.signature);
    }

    /// The stones that this game's pick removes, row by row, if it removes any, the new one excluded.
    #[inline(always)]
    fn removed_by_pick(&self, lane: usize, gives_up: bool) -> impl Iterator<Item = u32> {
        (1..self.row_count() + 1).map(move |row| {
            if gives_up {
                self.own[row].lane(lane) & !self.reached[row].lane(lane)
            } else {
                self.opponent[row].lane(lane) & !self.reached[row].lane(lane)
            }
        })
    }
}
