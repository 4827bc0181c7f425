//! Whether a move that may recreate an earlier position does, found out by undoing the moves since then.

use super::{
    log::Log,
    start::{BoardRows, NextPosition, Origin},
    state::WINDOW,
};
use crate::{Board, BoardSize, Color, Point, Suicide, for_width, game::Repetition, simd::Vector};

fn stone_count(rows: &[u32]) -> u32 {
    rows.iter().map(|row| row.count_ones()).sum()
}

/// A game so far, and a move that may be played next.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a, V: Vector> {
    pub(super) size: BoardSize,
    pub(super) lane: usize,
    pub(super) origin: Option<&'a Origin>,
    pub(super) log: &'a Log<V>,
    /// The number of plies since the start.
    pub(super) plies: usize,
    /// The stones on the board.
    pub(super) stones: &'a dyn Fn() -> BoardRows,
    /// The empty points in a row (from 0) before a step that was so many steps ago, less than [`WINDOW`]; 0 is the one that may play the candidate.
    pub(super) empty_before: &'a dyn Fn(usize, usize) -> u32,
    pub(super) mover: Color,
    pub(super) point: Point,
    /// The stones that it removes, row by row, the new one included if it is given up.
    pub(super) removed: &'a [u32],
    /// Whether they are the mover's own.
    pub(super) gives_up: bool,
}

impl<V: Vector> Candidate<'_, V> {
    /// The last position that the candidate would recreate, and the last of them with the same player to move: among those after at least
    /// `start` plies since the start, and if that is zero, among those before the start.
    pub(super) fn repetitions(&self, start: usize, signature: u32) -> [Option<Repetition>; 2] {
        let mut found = [None; 2];
        for (earlier, ply) in (start..self.plies).rev().zip(self.log.plies(self.lane).rev()) {
            let same_player = self.same_player(earlier);
            if ply.signature == signature
                && (found[0].is_none() || same_player)
                && let Some(repetition) = self.confirm(earlier)
            {
                found[0].get_or_insert(repetition);
                if same_player {
                    found[1] = Some(repetition);
                    return found;
                }
            }
        }
        if start > 0 {
            return found;
        }
        let [any, same_player] = self.repetitions_before_start();
        [found[0].or(any), same_player]
    }

    /// The number of plies played before the start.
    pub(super) fn first_ply(&self) -> u32 {
        self.origin.map_or(0, |origin| origin.ply_count)
    }

    /// The player who moved after so many plies.
    fn mover_after(&self, plies: usize) -> Color {
        if (self.plies - plies).is_multiple_of(2) { self.mover } else { self.mover.opponent() }
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
        stones[self.mover.index()][usize::from(self.point.y)] |= 1 << self.point.x;
        stones[loser.index()].iter_mut().zip(self.removed).for_each(|(row, removed)| *row &= !removed);
        let mut removed = [0; 2];
        removed[loser.index()] = stone_count(self.removed);
        let found = origin.repetitions(&NextPosition { stones: &stones, mover: self.mover, removed });
        if found == [None; 2] {
            return found;
        }
        // The stones removed since the start are those that were there then or put down since, and are not there now.
        let mut cycle_removed = [0, 1].map(|color| stone_count(&origin.placement.stones[color]));
        let mut cycle_passes = 0;
        for (ply, played) in self.log.plies(self.lane).enumerate() {
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
                cycle_plies: repetition.cycle_plies + self.plies as u32,
                cycle_passes: repetition.cycle_passes + cycle_passes,
                cycle_removed: [0, 1].map(|color| repetition.cycle_removed[color] + cycle_removed[color]),
                ..repetition
            })
        })
    }

    /// The repetition, if the position after `earlier` plies is indeed the one that the candidate leads to.
    #[inline(never)]
    fn confirm(&self, earlier: usize) -> Option<Repetition> {
        let mut cycle = Cycle::new(self);
        let mut plies = self.plies;
        let mut steps = (1..WINDOW).zip(self.log.steps(self.lane).rev());
        while plies > earlier {
            let Some((steps_ago, ply)) = steps.next() else {
                cycle = Cycle::replayed(self, earlier);
                break;
            };
            let Some(ply) = ply else { continue };
            plies -= 1;
            let Some(point) = ply.point(self.size) else {
                cycle.passes += 1;
                continue;
            };
            let removed = (0..self.removed.len()).map(|row| {
                let now = (self.empty_before)(steps_ago - 1, row);
                let new_stone = if row == usize::from(point.y) { 1 << point.x } else { 0 };
                now & (!(self.empty_before)(steps_ago, row) | new_stone)
            });
            cycle.undo(self.mover_after(plies), point, removed);
        }
        cycle.is_closed().then_some(Repetition {
            earlier_ply: self.first_ply() + earlier as u32,
            cycle_plies: (self.plies + 1 - earlier) as u32,
            cycle_passes: cycle.passes,
            cycle_removed: cycle.removed,
            same_player: self.same_player(earlier),
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
    fn new<V: Vector>(candidate: &Candidate<'_, V>) -> Self {
        let mut cycle = Self { differences: [[0; BoardSize::MAX_SIDE]; 2], passes: 0, removed: [0; 2] };
        cycle.undo(candidate.mover, candidate.point, candidate.removed.iter().copied());
        cycle
    }

    /// Undoes a move that removed these stones, given row by row: its own chain if the new stone is among them.
    fn undo(&mut self, mover: Color, point: Point, removed: impl Iterator<Item = u32> + Clone) {
        self.toggle(mover, point);
        let gives_up = removed.clone().nth(point.y.into()).is_some_and(|row| row >> point.x & 1 == 1);
        let color = if gives_up { mover } else { mover.opponent() };
        let count = &mut self.removed[color.index()];
        for (difference, row) in self.differences[color.index()].iter_mut().zip(removed) {
            *difference ^= row;
            *count += row.count_ones();
        }
    }

    /// The whole cycle from the position after `earlier` plies on, at least one ply, by playing the game from its start.
    fn replayed<V: Vector>(candidate: &Candidate<'_, V>, earlier: usize) -> Self {
        let mut cycle = Self::new(candidate);
        for (rows, stones) in cycle.differences.iter_mut().zip((candidate.stones)()) {
            rows.iter_mut().zip(stones).for_each(|(row, stones)| *row ^= stones);
        }
        for_width!(candidate.size, W => cycle.replay::<V, W>(candidate, earlier));
        cycle
    }

    fn replay<V: Vector, const W: usize>(&mut self, candidate: &Candidate<'_, V>, earlier: usize) {
        let mut board: Board<W> = Board::new(candidate.size, Suicide::Allowed);
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
        for (ply, played) in candidate.log.plies(candidate.lane).enumerate() {
            if ply == earlier {
                for color in Color::BOTH {
                    board.stones(color).for_each(|point| self.toggle(color, point));
                }
            }
            let Some(point) = played.point(candidate.size) else {
                board.pass();
                self.passes += u32::from(ply >= earlier);
                continue;
            };
            let mover = board.to_play();
            let outcome = board.play_unchecked(point);
            if ply >= earlier {
                self.removed[mover.index()] += u32::from(outcome.given_up);
                self.removed[mover.opponent().index()] += u32::from(outcome.captured);
            }
        }
    }

    /// Whether the positions at its ends are the same.
    fn is_closed(&self) -> bool {
        self.differences.iter().flatten().all(|&row| row == 0)
    }

    fn toggle(&mut self, color: Color, point: Point) {
        self.differences[color.index()][usize::from(point.y)] ^= 1 << point.x;
    }
}
