//! The earlier positions of one game, and which of them a move would recreate.
//!
//! A position's signature says where to look; an equal one is confirmed by undoing the moves since then, so that a repetition is exact. What the
//! last steps removed is remembered for all games together; where that does not reach far enough, the game is played once more.

use super::record::{Ply, last_position};
use crate::{Board, BoardSize, Color, Point, Suicide, game::Repetition, simd::Vector};

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

/// A game so far, and a move that may be played next.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) size: BoardSize,
    pub(super) lane: usize,
    pub(super) plies: &'a [Ply],
    /// The stones of a colour on the board, row by row.
    pub(super) stones: &'a dyn Fn(Color) -> [u32; BoardSize::MAX_SIDE],
    pub(super) point: Point,
    /// The stones that it removes, row by row, the new one excluded.
    pub(super) removed: &'a [u32],
    /// Whether they are the mover's own.
    pub(super) gives_up: bool,
}

/// The player who moves after so many plies.
pub(super) fn mover(plies: usize) -> Color {
    if plies.is_multiple_of(2) { Color::Black } else { Color::White }
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

    /// The last of the first `count` earlier positions that the candidate would recreate, and the last of them with the same player to move.
    /// `signature` is that of the position that the candidate would lead to; signatures are compared in the bits of `mask`.
    pub(super) fn repetitions(
        &self,
        candidate: &Candidate<'_>,
        count: usize,
        signature: u16,
        mask: u16,
    ) -> [Option<Repetition>; 2] {
        let plies = candidate.plies.len();
        let mut found = [None; 2];
        let mut end = count;
        while let Some(earlier) = last_position(candidate.plies, end, signature, mask) {
            let same_player = (plies + 1 - earlier).is_multiple_of(2);
            if (found[0].is_none() || same_player)
                && let Some(repetition) = self.confirm(candidate, earlier)
            {
                found[0].get_or_insert(repetition);
                if same_player {
                    found[1] = Some(repetition);
                    break;
                }
            }
            end = earlier;
        }
        found
    }

    /// The repetition, if the position after `earlier` plies is indeed the one that the candidate leads to.
    fn confirm(&self, candidate: &Candidate<'_>, earlier: usize) -> Option<Repetition> {
        let mut cycle = Cycle::of(candidate);
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
                cycle.toggle(mover(plies), point);
                if has(step.captures | step.gives_up) {
                    let rows = removed.iter().map(|row| row.lane(candidate.lane));
                    cycle.undo_removal(plies, point, has(step.gives_up), rows);
                }
            }
        }
        let plies = candidate.plies.len();
        cycle.is_closed().then_some(Repetition {
            earlier_ply: earlier as u32,
            cycle_plies: (plies + 1 - earlier) as u32,
            cycle_passes: cycle.passes,
            cycle_removed: cycle.removed,
            same_player: (plies + 1 - earlier).is_multiple_of(2),
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
    fn of(candidate: &Candidate<'_>) -> Self {
        let Candidate { plies, point, removed, gives_up, .. } = *candidate;
        let mut cycle = Self { differences: [[0; BoardSize::MAX_SIDE]; 2], passes: 0, removed: [0; 2] };
        let ply = plies.len();
        cycle.toggle(mover(ply), point);
        if !removed.is_empty() {
            cycle.undo_removal(ply, point, gives_up, removed.iter().copied());
        }
        cycle
    }

    /// Puts back what a ply on this point removed, given row by row without the new stone, which who gives up stones gives up as well.
    fn undo_removal(&mut self, ply: usize, point: Point, gives_up: bool, rows: impl Iterator<Item = u32>) {
        let color = if gives_up { mover(ply) } else { mover(ply).opponent() };
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

    /// The whole cycle from the position after `earlier` plies on, at least one ply, by playing the game from its beginning.
    fn replayed(candidate: &Candidate<'_>, earlier: usize) -> Self {
        let mut cycle = Self::of(candidate);
        for color in Color::BOTH {
            let stones = (candidate.stones)(color);
            cycle.differences[color.index()].iter_mut().zip(stones).for_each(|(row, stones)| *row ^= stones);
        }
        let mut board: Board = Board::new(candidate.size, Suicide::Allowed);
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
            let outcome = board.play_unchecked(point);
            if ply >= earlier {
                cycle.removed[mover(ply).index()] += u32::from(outcome.given_up);
                cycle.removed[mover(ply).opponent().index()] += u32::from(outcome.captured);
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
