//! The earlier positions of one game, and which of them a move would recreate.
//!
//! A position's signature says where to look; an equal one is confirmed by undoing the moves since then, so that a repetition is exact.

use super::record::{Ply, last_position};
use crate::{BoardSize, Color, Repetition};

/// The stones that a game's moves removed.
pub(super) struct Removals {
    removals: Vec<Removal>,
    /// The stones of all removals, row by row, one removal after the other.
    rows: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Removal {
    /// Number of the ply, from 0.
    ply: usize,
    /// Colour of the stones.
    color: Color,
}

/// A game so far, and a move that may be played next.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) size: BoardSize,
    pub(super) plies: &'a [Ply],
    /// Row-major index of the point.
    pub(super) point: u16,
    /// The stones that it removes, row by row, the new one excluded.
    pub(super) removed: &'a [u32],
    /// Whether they are the mover's own.
    pub(super) gives_up: bool,
}

/// The player who moves after so many plies.
pub(super) fn mover(plies: usize) -> Color {
    if plies.is_multiple_of(2) { Color::Black } else { Color::White }
}

impl Removals {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { removals: Vec::new(), rows: Vec::new() }
    }

    /// Forgets them all.
    pub(super) fn clear(&mut self) {
        self.removals.clear();
        self.rows.clear();
    }

    /// Notes that ply number `ply` removed these stones of one colour, given row by row. The mover's own stones are those that he gave up,
    /// without the new one.
    #[inline(always)]
    pub(super) fn push(&mut self, ply: usize, color: Color, rows: impl ExactSizeIterator<Item = u32>) {
        self.removals.push(Removal { ply, color });
        let before = self.rows.len();
        self.rows.resize(before + rows.len(), 0);
        self.rows[before..].iter_mut().zip(rows).for_each(|(to, row)| *to = row);
    }

    /// The last earlier position that the candidate would recreate, and the last of them with the same player to move. `signature` is that of
    /// the position that the candidate would lead to; signatures are compared in the bits of `mask`.
    pub(super) fn repetitions(
        &self,
        candidate: &Candidate<'_>,
        signature: u16,
        mask: u16,
    ) -> [Option<Repetition>; 2] {
        let plies = candidate.plies.len();
        let mut found = [None; 2];
        let mut end = self.end_of_search(candidate);
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

    /// A move that gives up nothing recreates no position since its player last lost stones: its own stone is lost since.
    fn end_of_search(&self, candidate: &Candidate<'_>) -> usize {
        let plies = candidate.plies.len();
        if candidate.gives_up {
            return plies + 1;
        }
        let lost = self.removals.iter().rev().find(|removal| removal.color == mover(plies));
        lost.map_or(0, |removal| removal.ply + 1)
    }

    /// The repetition, if the position after `earlier` plies is indeed the one that the candidate leads to.
    fn confirm(&self, candidate: &Candidate<'_>, earlier: usize) -> Option<Repetition> {
        let Candidate { size, plies: earlier_plies, point, removed, gives_up } = *candidate;
        let (rows, plies) = (size.height(), earlier_plies.len());
        let mut differences = Differences { size, rows: [[0; BoardSize::MAX_SIDE]; 2] };
        let mut cycle_removed = [0; 2];
        let mut cycle_passes = 0;
        let mut remove = |differences: &mut Differences, ply: usize, point, color: Color, rows: &[u32]| {
            differences.toggle(color, rows);
            cycle_removed[color.index()] += rows.iter().map(|row| row.count_ones()).sum::<u32>();
            if color == mover(ply) {
                // Who gives up stones gives up the new one as well.
                differences.toggle_stone(color, point);
                cycle_removed[color.index()] += 1;
            }
        };
        let color = mover(plies);
        differences.toggle_stone(color, point);
        if !removed.is_empty() {
            let color = if gives_up { color } else { color.opponent() };
            remove(&mut differences, plies, point, color, removed);
        }
        for (ply, code) in earlier_plies.iter().map(|ply| ply.code()).enumerate().skip(earlier) {
            if usize::from(code) < size.point_count() {
                differences.toggle_stone(mover(ply), code);
            } else {
                cycle_passes += 1;
            }
        }
        let since = |(removal, _): &(&Removal, &[u32])| removal.ply >= earlier;
        for (removal, rows) in self.removals.iter().zip(self.rows.chunks_exact(rows)).rev().take_while(since)
        {
            remove(&mut differences, removal.ply, earlier_plies[removal.ply].code(), removal.color, rows);
        }
        differences.is_empty().then_some(Repetition {
            earlier_ply: earlier as u32,
            cycle_plies: (plies + 1 - earlier) as u32,
            cycle_passes,
            cycle_removed,
            same_player: (plies + 1 - earlier).is_multiple_of(2),
        })
    }
}

/// The stones in which two positions differ (Black, White).
struct Differences {
    size: BoardSize,
    rows: [[u32; BoardSize::MAX_SIDE]; 2],
}

impl Differences {
    fn toggle(&mut self, color: Color, rows: &[u32]) {
        self.rows[color.index()].iter_mut().zip(rows).for_each(|(difference, row)| *difference ^= row);
    }

    fn toggle_stone(&mut self, color: Color, point: u16) {
        let (row, column) = (usize::from(point) / self.size.width(), usize::from(point) % self.size.width());
        self.rows[color.index()][row] ^= 1 << column;
    }

    fn is_empty(&self) -> bool {
        self.rows.iter().flatten().all(|&row| row == 0)
    }
}
