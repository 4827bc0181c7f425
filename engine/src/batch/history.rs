//! The earlier positions of one game, and which of them a move would recreate.
//!
//! Nothing is kept of a position while the game goes on but the moves and the stones they removed. Only when a move may recreate a position
//! are the hashes of all positions caught up with; an equal hash is confirmed by undoing the moves since then.

use crate::{BoardSize, Color, Repetition, zobrist};

/// Hash keys of all stones.
pub(super) struct Keys {
    size: BoardSize,
    /// By row-major index (Black, White).
    keys: [Vec<u64>; 2],
    /// Cuts hashes short, so that tests can make them collide.
    mask: u64,
}

impl Keys {
    /// The keys of a board size; of each hash only so many bits are used.
    pub(super) fn new(size: BoardSize, hash_bits: u32) -> Self {
        let keys = Color::BOTH.map(|color| size.points().map(|point| zobrist::key(color, point)).collect());
        Self { size, keys, mask: u64::MAX.checked_shr(u64::BITS.saturating_sub(hash_bits)).unwrap_or(0) }
    }

    fn of_stone(&self, color: Color, point: u16) -> u64 {
        self.keys[color.index()][usize::from(point)] & self.mask
    }

    fn of_rows(&self, color: Color, rows: &[u32]) -> u64 {
        let keys = self.keys[color.index()].chunks_exact(self.size.width());
        let hash = rows.iter().zip(keys).fold(0, |mut hash, (&row, keys)| {
            let mut rest = row;
            while rest != 0 {
                hash ^= keys[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            hash
        });
        hash & self.mask
    }
}

/// The history of one game, as far as its moves do not tell it.
pub(super) struct History {
    removals: Vec<Removal>,
    /// The stones of all removals, row by row, one removal after the other.
    rows: Vec<u32>,
    /// The hashes of the positions after 0, 1, … plies, as far as they were asked for.
    hashes: Vec<u64>,
    /// Removals that these hashes contain.
    hashed_removals: usize,
}

/// Stones that a move removed.
#[derive(Clone, Copy)]
struct Removal {
    /// Number of the ply, from 0.
    ply: usize,
    /// Colour of the stones.
    color: Color,
}

/// A move that may be played next.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    /// Row-major index of the point.
    pub(super) point: u16,
    /// The stones that it removes, row by row, the new one excluded.
    pub(super) removed: &'a [u32],
    /// Whether they are the mover's own.
    pub(super) gives_up: bool,
}

/// The player who moves after so many plies.
fn mover(plies: usize) -> Color {
    if plies.is_multiple_of(2) { Color::Black } else { Color::White }
}

impl History {
    /// The beginning of a game.
    pub(super) fn new() -> Self {
        Self { removals: Vec::new(), rows: Vec::new(), hashes: vec![0], hashed_removals: 0 }
    }

    /// Forgets everything but the empty board.
    pub(super) fn clear(&mut self) {
        self.removals.clear();
        self.rows.clear();
        self.hashes.truncate(1);
        self.hashed_removals = 0;
    }

    /// Notes that ply number `ply` removed these stones of one colour, given row by row. The mover's own stones are those that he gave up,
    /// without the new one.
    #[inline]
    pub(super) fn remove(&mut self, ply: usize, color: Color, rows: impl Iterator<Item = u32>) {
        self.removals.push(Removal { ply, color });
        self.rows.extend(rows);
    }

    /// The last earlier position that the candidate would recreate, and the last of them with the same player to move, after these moves
    /// (row-major indices; anything beyond the board is a pass).
    pub(super) fn repetitions(
        &mut self,
        keys: &Keys,
        moves: &[u16],
        candidate: &Candidate<'_>,
    ) -> [Option<Repetition>; 2] {
        self.catch_up(keys, moves);
        let plies = moves.len();
        let color = mover(plies);
        let removed_color = if candidate.gives_up { color } else { color.opponent() };
        let mut hash = self.hashes[plies] ^ keys.of_rows(removed_color, candidate.removed);
        if !candidate.gives_up {
            hash ^= keys.of_stone(color, candidate.point);
        }
        let mut found = [None; 2];
        let mut end = plies + 1;
        while let Some(earlier) = self.hashes[..end].iter().rposition(|&other| other == hash) {
            let same_player = (plies + 1 - earlier).is_multiple_of(2);
            if found[0].is_none() || same_player {
                if let Some(repetition) = self.confirm(keys.size, moves, candidate, earlier) {
                    found[0].get_or_insert(repetition);
                    if same_player {
                        found[1] = Some(repetition);
                        break;
                    }
                }
            }
            end = earlier;
        }
        found
    }

    /// Hashes the positions after all these moves.
    fn catch_up(&mut self, keys: &Keys, moves: &[u16]) {
        let points = keys.size.point_count();
        let rows = keys.size.height();
        for (ply, &point) in moves.iter().enumerate().skip(self.hashes.len() - 1) {
            let mut hash = self.hashes[ply];
            if usize::from(point) < points {
                hash ^= keys.of_stone(mover(ply), point);
            }
            if let Some(removal) =
                self.removals.get(self.hashed_removals).filter(|removal| removal.ply == ply)
            {
                let start = self.hashed_removals * rows;
                hash ^= keys.of_rows(removal.color, &self.rows[start..start + rows]);
                if removal.color == mover(ply) {
                    hash ^= keys.of_stone(mover(ply), point);
                }
                self.hashed_removals += 1;
            }
            self.hashes.push(hash);
        }
    }

    /// The repetition, if the position after `earlier` plies is indeed the one that the candidate leads to.
    fn confirm(
        &self,
        size: BoardSize,
        moves: &[u16],
        candidate: &Candidate<'_>,
        earlier: usize,
    ) -> Option<Repetition> {
        let rows = size.height();
        let width = size.width();
        let plies = moves.len();
        let color = mover(plies);
        // The stones in which the two positions differ: those of the candidate, and of all plies since.
        let mut differences = [[0_u32; BoardSize::MAX_SIDE]; 2];
        let mut toggle_rows = |color: Color, rows: &[u32]| {
            let differences: &mut [u32; BoardSize::MAX_SIDE] = &mut differences[color.index()];
            differences.iter_mut().zip(rows).for_each(|(difference, row)| *difference ^= row);
        };
        let stone = |point: u16| {
            let mut rows = [0; BoardSize::MAX_SIDE];
            rows[usize::from(point) / width] = 1 << (usize::from(point) % width);
            rows
        };
        let removed_color = if candidate.gives_up { color } else { color.opponent() };
        let mut cycle_removed = [0; 2];
        let count = |rows: &[u32]| rows.iter().map(|row| row.count_ones()).sum::<u32>();
        toggle_rows(removed_color, candidate.removed);
        cycle_removed[removed_color.index()] += count(candidate.removed) + u32::from(candidate.gives_up);
        if !candidate.gives_up {
            toggle_rows(color, &stone(candidate.point));
        }
        let mut cycle_passes = 0;
        for (ply, &point) in moves.iter().enumerate().skip(earlier) {
            if usize::from(point) < size.point_count() {
                toggle_rows(mover(ply), &stone(point));
            } else {
                cycle_passes += 1;
            }
        }
        for (removal, rows) in self.removals.iter().zip(self.rows.chunks_exact(rows)).rev() {
            if removal.ply < earlier {
                break;
            }
            toggle_rows(removal.color, rows);
            cycle_removed[removal.color.index()] += count(rows);
            if removal.color == mover(removal.ply) {
                toggle_rows(removal.color, &stone(moves[removal.ply]));
                cycle_removed[removal.color.index()] += 1;
            }
        }
        let is_equal = differences.iter().flatten().all(|&difference| difference == 0);
        is_equal.then(|| Repetition {
            earlier_ply: earlier as u32,
            cycle_plies: (plies + 1 - earlier) as u32,
            cycle_passes,
            cycle_removed,
            same_player: (plies + 1 - earlier).is_multiple_of(2),
        })
    }
}
