//! Which picks may recreate an earlier position.
//!
//! Few can, and most of the others are recognised without looking at the history. Let a pick that gives up nothing recreate the position after
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
//!
//! A look-up compares signatures of positions. An equal one is confirmed by undoing the moves since then, so that a repetition is exact. What the
//! last steps removed is remembered for all games together; where that does not reach far enough, the game is played once more. Positions from
//! before a loaded game started are looked up in [its own history](Origin::repetitions).

use super::{
    candidates::lanes,
    driver::SuperkoEvent,
    legality::Verdict,
    log::{Log, NOTHING, Ply, WHITE_FACTOR, last_position, row_factor},
    start::{BoardRows, NextPosition, Origin, Starts},
    state::{Batch, Rows},
};
use crate::{
    Board, BoardSize, Color, Ko, Point, Suicide,
    game::Repetition,
    simd::{Bits as _, Mask as _, Vector},
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
#[derive(Default)]
struct Events {
    refused: Vec<SuperkoEvent>,
    repeated: Vec<SuperkoEvent>,
}

impl<V: Vector> Repeats<V> {
    /// No games yet.
    pub(super) fn new(ko: Ko, lanes: usize, steps: Steps<V>, signature_bits: u32) -> Self {
        Self {
            ko,
            mask: u16::MAX.checked_shr(u16::BITS.saturating_sub(signature_bits)).unwrap_or(0),
            own_fresh: [0; 2],
            other_fresh: [0; 2],
            steps,
            games: (0..lanes).map(|_| Events::default()).collect(),
        }
    }

    /// Starts a game: on the empty board, or where another game stands.
    pub(super) fn start(&mut self, lane: usize, origin: Option<&Origin>) {
        for (kind, games) in [&mut self.own_fresh, &mut self.other_fresh].into_iter().enumerate() {
            for (color, games) in games.iter_mut().enumerate() {
                let is_fresh = origin.is_some_and(|origin| origin.fresh[color][kind]);
                *games = *games & !(1 << lane) | u32::from(is_fresh) << lane;
            }
        }
        let game = &mut self.games[lane];
        game.refused.clear();
        game.repeated.clear();
    }

    /// The moves rejected by superko and the moves that recreated a position.
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
    /// Finds the picks that recreate an earlier position, rejects those that superko forbids, and takes note of the others.
    #[inline(always)]
    pub(super) fn find_repeats(
        &mut self,
        verdict: Verdict<V::Mask>,
        repeats: &mut Repeats<V>,
        log: &mut Log,
        starts: &Starts,
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
            if self.look_up(lane, starts[lane].origin(), removes, repeats, log) {
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
    fn look_up(
        &self,
        lane: usize,
        origin: Option<&Origin>,
        removes: Removes,
        repeats: &mut Repeats<V>,
        log: &mut Log,
    ) -> bool {
        let gives_up = removes == Removes::Own;
        let mut removed = [0; BoardSize::MAX_SIDE];
        removed.iter_mut().zip(self.removed_by_pick(lane, gives_up)).for_each(|(to, row)| *to = row);
        let removed = if removes == Removes::Nothing { &[] } else { &removed[..self.row_count()] };
        let signature = self.signature_after(lane, gives_up, removed);
        let plies = log.plies(lane);
        let stones = || {
            Color::BOTH.map(|color| {
                let mut rows = [0; BoardSize::MAX_SIDE];
                rows.iter_mut().zip(self.stones(lane, color)).for_each(|(to, row)| *to = row);
                rows
            })
        };
        let mover = if self.black.bits() >> lane & 1 == 1 { Color::Black } else { Color::White };
        let candidate = Candidate {
            size: self.size,
            lane,
            origin,
            plies,
            stones: &stones,
            mover,
            point: self.point(lane),
            removed,
            gives_up,
        };
        // A move that gives up nothing recreates no position since its player last lost stones: its own stone is lost since.
        let before_loss = self.before_loss[mover.index()].lane(lane) as usize;
        let count = if gives_up { plies.len() + 1 } else { before_loss };
        let [any, same_player] = repeats.steps.repetitions(&candidate, count, signature, repeats.mask);
        let rejected = match repeats.ko {
            Ko::Simple => None,
            Ko::PositionalSuperko => any,
            Ko::SituationalSuperko => same_player,
        };
        let (events, ply) = (&mut repeats.games[lane], candidate.first_ply() + plies.len() as u32);
        match (rejected, any) {
            (Some(repetition), _) => events.refused.push(SuperkoEvent { ply, repetition }),
            (None, Some(repetition)) => events.repeated.push(SuperkoEvent { ply, repetition }),
            (None, None) => {}
        }
        rejected.is_some()
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

/// What the last steps did in all games.
pub(super) struct Steps<V> {
    steps: Vec<Step>,
    /// The stones that each step removed, row by row, new ones excluded.
    removed: Vec<V>,
    row_count: usize,
    /// The steps taken so far; the last ones are remembered.
    taken: usize,
}

/// The games, one bit each, in which a step did something.
#[derive(Clone, Copy, Default)]
pub(super) struct Step {
    /// Played or passed.
    pub(super) moved: u32,
    /// Captured.
    pub(super) captures: u32,
    /// Gave up own stones.
    pub(super) gives_up: u32,
}

fn stone_count(rows: &[u32]) -> u32 {
    rows.iter().map(|row| row.count_ones()).sum()
}

/// A game so far, and a move that may be played next.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    size: BoardSize,
    lane: usize,
    origin: Option<&'a Origin>,
    /// The plies since the start.
    plies: &'a [Ply],
    /// The stones on the board.
    stones: &'a dyn Fn() -> BoardRows,
    mover: Color,
    point: Point,
    /// The stones that it removes, row by row, the new one excluded.
    removed: &'a [u32],
    /// Whether they are the mover's own.
    gives_up: bool,
}

impl Candidate<'_> {
    /// The number of plies played before the start.
    fn first_ply(&self) -> u32 {
        self.origin.map_or(0, |origin| origin.ply_count)
    }

    /// The player who moved after so many plies.
    fn mover_after(&self, plies: usize) -> Color {
        if (self.plies.len() - plies).is_multiple_of(2) { self.mover } else { self.mover.opponent() }
    }

    /// Whether the player to move after so many plies is the one to move after the candidate.
    fn same_player(&self, plies: usize) -> bool {
        let to_play = match self.origin {
            Some(origin) if plies == 0 => origin.recorded_to_play,
            _ => self.mover_after(plies),
        };
        to_play != self.mover
    }

    /// The last position before the start that the candidate would recreate, and the last of them with the same player to move.
    fn repetitions_before_start(&self) -> [Option<Repetition>; 2] {
        let Some(origin) = self.origin.filter(|origin| origin.ply_count > 0) else { return [None; 2] };
        let loser = if self.gives_up { self.mover } else { self.mover.opponent() };
        let now = (self.stones)();
        let mut stones = now;
        let bit = 1 << self.point.x;
        stones[self.mover.index()][usize::from(self.point.y)] |= bit;
        stones[loser.index()].iter_mut().zip(self.removed).for_each(|(row, removed)| *row &= !removed);
        if self.gives_up {
            stones[loser.index()][usize::from(self.point.y)] &= !bit;
        }
        let mut removed = [0; 2];
        removed[loser.index()] = stone_count(self.removed) + u32::from(self.gives_up);
        let found = origin.repetitions(&NextPosition { stones: &stones, mover: self.mover, removed });
        if found == [None; 2] {
            return found;
        }
        // The stones removed since the start are those that were there then or put down since, and are not there now.
        let mut cycle_removed = [0, 1].map(|color| stone_count(&origin.placement.stones[color]));
        let mut cycle_passes = 0;
        for (ply, played) in self.plies.iter().enumerate() {
            match played.point(self.size) {
                Some(_) => cycle_removed[self.mover_after(ply).index()] += 1,
                None => cycle_passes += 1,
            }
        }
        for (removed, rows) in cycle_removed.iter_mut().zip(&now) {
            *removed -= stone_count(rows);
        }
        found.map(|repetition| {
            repetition.map(|repetition| Repetition {
                cycle_plies: repetition.cycle_plies + self.plies.len() as u32,
                cycle_passes: repetition.cycle_passes + cycle_passes,
                cycle_removed: [0, 1].map(|color| repetition.cycle_removed[color] + cycle_removed[color]),
                ..repetition
            })
        })
    }
}

impl<V: Vector> Steps<V> {
    /// Remembers so many steps.
    pub(super) fn new(isa: V::Isa, row_count: usize, count: usize) -> Self {
        let removed = vec![V::splat(isa, 0); row_count * count];
        Self { steps: vec![Step::default(); count], removed, row_count, taken: 0 }
    }

    /// Takes note of a step, and gives out the place for the stones that it removes, row by row.
    #[inline(always)]
    pub(super) fn take(&mut self, step: Step) -> &mut [V] {
        let place = self.taken % self.steps.len();
        self.steps[place] = step;
        self.taken += 1;
        &mut self.removed[place * self.row_count..][..self.row_count]
    }

    /// The last steps, the latest first, and the stones that each removed.
    fn latest_first(&self) -> impl Iterator<Item = (Step, &[V])> {
        let last = self.taken.saturating_sub(self.steps.len())..self.taken;
        last.rev().map(|step| {
            let place = step % self.steps.len();
            (self.steps[place], &self.removed[place * self.row_count..][..self.row_count])
        })
    }

    /// The last position that the candidate would recreate, and the last of them with the same player to move: among the first `count` positions
    /// since the start and all before. `signature` is that of the position that the candidate would lead to; signatures are compared in the bits
    /// of `mask`.
    fn repetitions(
        &self,
        candidate: &Candidate<'_>,
        count: usize,
        signature: u16,
        mask: u16,
    ) -> [Option<Repetition>; 2] {
        let first = candidate.origin.map_or(0, |origin| origin.signature as u16);
        let mut found = [None; 2];
        let mut end = count;
        while let Some(earlier) = last_position(candidate.plies, end, first, signature, mask) {
            let same_player = candidate.same_player(earlier);
            if (found[0].is_none() || same_player)
                && let Some(repetition) = self.confirm(candidate, earlier)
            {
                found[0].get_or_insert(repetition);
                if same_player {
                    found[1] = Some(repetition);
                    return found;
                }
            }
            end = earlier;
        }
        let [any, same_player] = candidate.repetitions_before_start();
        [found[0].or(any), same_player]
    }

    /// The repetition, if the position after `earlier` plies is indeed the one that the candidate leads to.
    fn confirm(&self, candidate: &Candidate<'_>, earlier: usize) -> Option<Repetition> {
        let mut cycle = Cycle::new(candidate);
        let mut plies = candidate.plies.len();
        let mut steps = self.latest_first();
        while plies > earlier {
            let Some((step, removed)) = steps.next() else {
                cycle = Cycle::replayed(candidate, earlier);
                break;
            };
            let has = |games: u32| games >> candidate.lane & 1 == 1;
            if has(step.moved) {
                plies -= 1;
                let Some(point) = candidate.plies[plies].point(candidate.size) else {
                    cycle.passes += 1;
                    continue;
                };
                let mover = candidate.mover_after(plies);
                cycle.toggle(mover, point);
                if has(step.captures | step.gives_up) {
                    let rows = removed.iter().map(|row| row.lane(candidate.lane));
                    cycle.undo_removal(mover, point, has(step.gives_up), rows);
                }
            }
        }
        let plies = candidate.plies.len();
        cycle.is_closed().then_some(Repetition {
            earlier_ply: candidate.first_ply() + earlier as u32,
            cycle_plies: (plies + 1 - earlier) as u32,
            cycle_passes: cycle.passes,
            cycle_removed: cycle.removed,
            same_player: candidate.same_player(earlier),
        })
    }
}

/// The moves from an earlier position to the one that a candidate leads to, as far as they are undone.
struct Cycle {
    /// The stones in which the positions at its ends differ (Black, White).
    differences: [[u32; BoardSize::MAX_SIDE]; 2],
    passes: u32,
    /// Stones removed (Black, White).
    removed: [u32; 2],
}

impl Cycle {
    /// The candidate alone.
    fn new(candidate: &Candidate<'_>) -> Self {
        let Candidate { mover, point, removed, gives_up, .. } = *candidate;
        let mut cycle = Self { differences: [[0; BoardSize::MAX_SIDE]; 2], passes: 0, removed: [0; 2] };
        cycle.toggle(mover, point);
        if !removed.is_empty() {
            cycle.undo_removal(mover, point, gives_up, removed.iter().copied());
        }
        cycle
    }

    /// Puts back what a move on this point removed, given row by row without the new stone, which is removed too when its own chain is given up.
    fn undo_removal(&mut self, mover: Color, point: Point, gives_up: bool, rows: impl Iterator<Item = u32>) {
        let color = if gives_up { mover } else { mover.opponent() };
        let removed = &mut self.removed[color.index()];
        for (difference, row) in self.differences[color.index()].iter_mut().zip(rows) {
            *difference ^= row;
            *removed += row.count_ones();
        }
        if gives_up {
            *removed += 1;
            self.toggle(color, point);
        }
    }

    /// The whole cycle from the position after `earlier` plies on, at least one ply, by playing the game from its start.
    fn replayed(candidate: &Candidate<'_>, earlier: usize) -> Self {
        let mut cycle = Self::new(candidate);
        for (rows, stones) in cycle.differences.iter_mut().zip((candidate.stones)()) {
            rows.iter_mut().zip(stones).for_each(|(row, stones)| *row ^= stones);
        }
        let mut board: Board = Board::new(candidate.size, Suicide::Allowed);
        if let Some(origin) = candidate.origin {
            let stones = Color::BOTH.into_iter().flat_map(|color| {
                let has_stone = move |point: &Point| {
                    origin.placement.stones[color.index()][usize::from(point.y)] >> point.x & 1 == 1
                };
                candidate.size.points().filter(has_stone).map(move |point| (point, color))
            });
            board
                .set_position(stones, origin.placement.to_play)
                .expect("a game holds no chain without liberties");
        }
        for (ply, played) in candidate.plies.iter().enumerate() {
            if ply == earlier {
                for color in Color::BOTH {
                    board.stones(color).for_each(|point| cycle.toggle(color, point));
                }
            }
            let Some(point) = played.point(candidate.size) else {
                board.pass();
                cycle.passes += u32::from(ply >= earlier);
                continue;
            };
            let mover = board.to_play();
            let outcome = board.play_unchecked(point);
            if ply >= earlier {
                cycle.removed[mover.index()] += u32::from(outcome.given_up);
                cycle.removed[mover.opponent().index()] += u32::from(outcome.captured);
            }
        }
        cycle
    }

    /// Whether the positions at its ends are the same.
    fn is_closed(&self) -> bool {
        self.differences.iter().flatten().all(|&row| row == 0)
    }

    fn toggle(&mut self, color: Color, point: Point) {
        self.differences[color.index()][usize::from(point.y)] ^= 1 << point.x;
    }
}
