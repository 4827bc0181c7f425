//! Whether a move that may recreate an earlier position does, found out by comparing the stones.

use super::{
    log::Log,
    start::{BoardRows, NextPosition, Origin},
    state::WINDOW,
};
use crate::{Board, BoardSize, Color, Move, Point, Suicide, for_width, game::Repetition, simd::Vector};

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
        let mut earlier = self.plies;
        for (steps_ago, step) in (1..).zip(self.log.entries(self.lane).rev()) {
            let Some(ply) = step.ply() else { continue };
            if earlier == start {
                break;
            }
            earlier -= 1;
            let same_player = self.same_player(earlier);
            if ply.signature == signature
                && (found[0].is_none() || same_player)
                && let Some(repetition) = self.confirm(earlier, steps_ago)
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
        let mut removed = [0; 2];
        removed[self.loser().index()] = stone_count(self.removed);
        let stones = self.next_stones();
        let found = origin.repetitions(&NextPosition { stones: &stones, mover: self.mover, removed });
        if found == [None; 2] {
            return found;
        }
        // The stones removed since the start are those that were there then or put down since, and are not there now.
        let (passes, put) = self.moves_since(0);
        let now = (self.stones)();
        let removed = [0, 1].map(|color| {
            stone_count(&origin.placement.stones[color]) + put[color] - stone_count(&now[color])
        });
        found.map(|repetition| {
            repetition.map(|repetition| Repetition {
                cycle_plies: repetition.cycle_plies + self.plies as u32,
                cycle_passes: repetition.cycle_passes + passes,
                cycle_removed: [0, 1].map(|color| repetition.cycle_removed[color] + removed[color]),
                ..repetition
            })
        })
    }

    /// The repetition, if the position after `earlier` plies is indeed the one that the candidate leads to. The ply after
    /// it was played `steps_ago` steps ago.
    #[inline(never)]
    fn confirm(&self, earlier: usize, steps_ago: usize) -> Option<Repetition> {
        let is_same = if steps_ago < WINDOW {
            self.fills_same_points(steps_ago) && self.stones_before(steps_ago) == self.next_stones()
        } else {
            for_width!(self.size, W => self.replayed::<W>(earlier)) == self.next_stones()
        };
        if !is_same {
            return None;
        }
        // A cycle removes as many stones as it puts down.
        let (cycle_passes, mut cycle_removed) = self.moves_since(earlier);
        cycle_removed[self.mover.index()] += 1;
        Some(Repetition {
            earlier_ply: self.first_ply() + earlier as u32,
            cycle_plies: (self.plies + 1 - earlier) as u32,
            cycle_passes,
            cycle_removed,
            same_player: self.same_player(earlier),
        })
    }

    /// The passes after so many plies, and the stones of Black and White put down.
    fn moves_since(&self, earlier: usize) -> (u32, [u32; 2]) {
        let (mut passes, mut put) = (0, [0; 2]);
        let mut mover = self.mover;
        for played in self.log.plies(self.lane).rev().take(self.plies - earlier) {
            mover = mover.opponent();
            match played.mv {
                Move::Play(_) => put[mover.index()] += 1,
                Move::Pass => passes += 1,
            }
        }
        (passes, put)
    }

    /// The player whose stones the candidate removes.
    fn loser(&self) -> Color {
        if self.gives_up { self.mover } else { self.mover.opponent() }
    }

    /// The stones after the candidate.
    fn next_stones(&self) -> BoardRows {
        let mut stones = (self.stones)();
        stones[self.mover.index()][usize::from(self.point.y)] |= 1 << self.point.x;
        let rows = &mut stones[self.loser().index()];
        rows.iter_mut().zip(self.removed).for_each(|(row, removed)| *row &= !removed);
        stones
    }

    /// Whether the candidate leaves the points empty that were empty before the step so many steps ago.
    fn fills_same_points(&self, steps_ago: usize) -> bool {
        self.removed.iter().enumerate().all(|(row, removed)| {
            let put = u32::from(row == usize::from(self.point.y)) << self.point.x;
            let next = (self.empty_before)(0, row) & !put | removed;
            (self.empty_before)(steps_ago, row) == next
        })
    }

    /// The stones before the step so many steps ago, by taking back what the steps since did.
    fn stones_before(&self, steps_ago: usize) -> BoardRows {
        let mut stones = (self.stones)();
        let mut mover = self.mover;
        for (steps_ago, step) in (1..=steps_ago).zip(self.log.entries(self.lane).rev()) {
            let Some(ply) = step.ply() else { continue };
            mover = mover.opponent();
            let Move::Play(Point { x, y }) = ply.mv else { continue };
            let (put_row, put) = (usize::from(y), 1 << x);
            let before = |row| (self.empty_before)(steps_ago, row);
            let after = |row| (self.empty_before)(steps_ago - 1, row);
            // After a suicide, the point that was played is empty.
            let is_suicide = after(put_row) & put != 0;
            let loser = if is_suicide { mover } else { mover.opponent() };
            stones[mover.index()][put_row] &= !put;
            for (row, stones) in stones[loser.index()].iter_mut().take(self.size.height()).enumerate() {
                *stones |= after(row) & !before(row);
            }
        }
        stones
    }

    /// The stones after so many plies, by playing the game from its start.
    fn replayed<const W: usize>(&self, plies: usize) -> BoardRows {
        let mut board: Board<W> = Board::new(self.size, Suicide::Allowed);
        if let Some(origin) = self.origin {
            let stones = Color::BOTH.into_iter().flat_map(|color| {
                let has_stone = move |point: &Point| {
                    origin.placement.stones[color.index()][usize::from(point.y)] >> point.x & 1 == 1
                };
                self.size.points().filter(has_stone).map(move |point| (point, color))
            });
            board
                .set_position(stones, origin.placement.to_play)
                .expect("a game holds no chain without liberties");
        }
        for played in self.log.plies(self.lane).take(plies) {
            match played.mv {
                Move::Play(point) => _ = board.play_unchecked(point),
                Move::Pass => board.pass(),
            }
        }
        Color::BOTH.map(|color| board.geometry().rows_of(board.stone_set(color)))
    }
}
