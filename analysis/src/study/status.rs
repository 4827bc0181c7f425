//! Counts of life and death in final positions.

use jigo_engine::{
    Color, Komi,
    life::{FinalStatus, OpenStatus, Proof, SekiKind, Status},
};
use serde::{Deserialize, Serialize};

use super::{GameName, LifeExamples, ShapeCounts};
use crate::{
    Histogram,
    rules::MovedMargins,
    stats::{Merge, merge_fields},
};

/// One side's chains and their status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStatus {
    /// Chains and stones by status and proof.
    pub table: StatusTable,
    /// Points, empty or under opposing stones, of unconditional territory.
    pub territory: u64,
}

merge_fields!(SideStatus: table, territory);

/// Sums over final positions. Unknown chains are counted beside the solved ones, so that every rate can be read with its coverage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusCounts {
    /// Final positions.
    pub positions: u64,
    /// Positions in which every chain has a status.
    pub decided_positions: u64,
    /// Of these the ones that unconditional life decides alone.
    pub benson_positions: u64,
    /// Black's sums.
    pub black: SideStatus,
    /// White's sums.
    pub white: SideStatus,
    /// Positions with at least one chain of each status, in the order of [`Status::ALL`].
    pub positions_with: [u64; Status::ALL.len()],
    /// Stones of unknown status, of both sides, per position.
    pub unknown_stones: Histogram,
    /// Stones per dead chain.
    pub dead_sizes: Histogram,
    /// Stones per chain in seki.
    pub seki_sizes: Histogram,
    /// Sekis by kind, in the order of [`SekiKind::ALL`].
    pub sekis: [u64; SekiKind::ALL.len()],
    /// What taking dead chains off changes in the margin.
    pub dead: ShiftCounts,
    /// What it changes then if points in seki do not count.
    pub seki: ShiftCounts,
    /// The parts of the board with seki or dead chains.
    pub shapes: ShapeCounts,
    /// Games to look at, which are offered one by one; not among what is counted. Files leave out what has none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub examples: LifeExamples,
}

merge_fields!(StatusCounts: positions, decided_positions, benson_positions, black, white, positions_with, unknown_stones, dead_sizes, seki_sizes, sekis, dead, seki, shapes, examples);

impl StatusCounts {
    /// Counts the final position of a game, which has this margin before dead stones are removed.
    #[inline]
    pub fn add(&mut self, found: &FinalStatus, margin: i32, game: GameName<'_>) {
        self.positions += 1;
        for (side, life) in [&mut self.black, &mut self.white].into_iter().zip(&found.life) {
            side.territory += u64::from(life.territory);
            if found.open.is_none() {
                let counts = ChainCounts { chains: life.chains.into(), stones: life.stones.into() };
                side.table.add(Status::Alive, Proof::Benson, counts);
            }
        }
        if let Some(open) = &found.open {
            return self.add_open(open, margin, game);
        }
        self.decided_positions += 1;
        self.benson_positions += 1;
        self.positions_with[Status::Alive as usize] += u64::from(found.has(Status::Alive));
        self.unknown_stones.add(0);
    }

    fn add_open(&mut self, open: &OpenStatus, margin: i32, game: GameName<'_>) {
        let mut with = [0; Status::ALL.len()];
        let mut unknown = 0;
        for chain in &open.chains {
            let stones = chain.stones.len();
            let side = match chain.color {
                Color::Black => &mut self.black,
                Color::White => &mut self.white,
            };
            side.table.add(chain.status, chain.proof, ChainCounts { chains: 1, stones: stones as u64 });
            with[chain.status as usize] = 1;
            match chain.status {
                Status::Dead => self.dead_sizes.add(stones as i32),
                Status::Seki => self.seki_sizes.add(stones as i32),
                Status::Unknown => unknown += stones,
                _ => {}
            }
        }
        self.decided_positions += u64::from(unknown == 0);
        let by_benson = open.chains.iter().all(|chain| chain.proof == Proof::Benson);
        self.benson_positions += u64::from(by_benson);
        self.positions_with.merge(&with);
        self.unknown_stones.add(unknown as i32);
        for seki in &open.sekis {
            self.sekis[seki.kind as usize] += 1;
        }
        self.dead.add(margin, open.dead_margin);
        let [black, white] = open.points_in_seki.map(|points| points as i32);
        self.seki.add(margin + open.dead_margin, white - black);
        self.shapes.add(&open.parts, game);
    }

    /// Returns both sides together.
    #[must_use]
    pub fn both(&self) -> SideStatus {
        let mut both = self.black.clone();
        both.merge(&self.white);
        both
    }

    /// Returns the number of positions with at least one chain of this status.
    #[must_use]
    pub fn positions_with(&self, status: Status) -> u64 {
        self.positions_with[status as usize]
    }
}

/// Chains and their stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainCounts {
    /// Chains.
    pub chains: u64,
    /// Their stones.
    pub stones: u64,
}

merge_fields!(ChainCounts: chains, stones);

/// Chains and stones by status and proof. As JSON a list of what occurred, by name, so that files outlive new kinds of proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<StoredRow>", into = "Vec<StoredRow>")]
pub struct StatusTable([[ChainCounts; Proof::ALL.len()]; Status::ALL.len()]);

#[derive(Clone, Serialize, Deserialize)]
struct StoredRow {
    status: String,
    proof: String,
    #[serde(flatten)]
    counts: ChainCounts,
}

impl StatusTable {
    /// Counts chains.
    #[inline]
    pub fn add(&mut self, status: Status, proof: Proof, counts: ChainCounts) {
        self.0[status as usize][proof as usize].merge(&counts);
    }

    /// Iterates over what occurred, in the order of [`Status::ALL`], then of [`Proof::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Status, Proof, ChainCounts)> {
        let cells = Status::ALL.into_iter().flat_map(|status| Proof::ALL.map(|proof| (status, proof)));
        let cells = cells.map(|(status, proof)| (status, proof, self.counts(status, proof)));
        cells.filter(|(.., counts)| *counts != ChainCounts::default())
    }

    /// Returns the chains of this status by this proof.
    #[must_use]
    pub const fn counts(&self, status: Status, proof: Proof) -> ChainCounts {
        self.0[status as usize][proof as usize]
    }

    /// Returns the chains of this status, by any proof.
    #[must_use]
    pub fn by_status(&self, status: Status) -> ChainCounts {
        self.sum(|found| found == status)
    }

    /// Returns the chains whose status is solved.
    #[must_use]
    pub fn decided(&self) -> ChainCounts {
        self.sum(|status| status != Status::Unknown)
    }

    /// Returns all chains.
    #[must_use]
    pub fn total(&self) -> ChainCounts {
        self.sum(|_| true)
    }

    fn sum(&self, is_in: impl Fn(Status) -> bool) -> ChainCounts {
        let mut sum = ChainCounts::default();
        self.iter().filter(|found| is_in(found.0)).for_each(|(.., counts)| sum.merge(&counts));
        sum
    }
}

impl Merge for StatusTable {
    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }
}

impl From<StatusTable> for Vec<StoredRow> {
    fn from(table: StatusTable) -> Self {
        let row = |(status, proof, counts): (Status, Proof, ChainCounts)| StoredRow {
            status: status.to_string(),
            proof: proof.to_string(),
            counts,
        };
        table.iter().map(row).collect()
    }
}

impl TryFrom<Vec<StoredRow>> for StatusTable {
    type Error = String;

    fn try_from(rows: Vec<StoredRow>) -> Result<Self, String> {
        let mut table = Self::default();
        for StoredRow { status, proof, counts } in rows {
            let unknown = |what: &str, name: &str| format!("`{name}` is not a {what} of this version");
            let row = Status::from_name(&status).ok_or_else(|| unknown("status", &status))?;
            let column = Proof::from_name(&proof).ok_or_else(|| unknown("proof", &proof))?;
            let place = &mut table.0[row as usize][column as usize];
            if *place != ChainCounts::default() {
                return Err(format!("{status} by {proof} is listed twice"));
            }
            *place = counts;
        }
        Ok(table)
    }
}

/// Margins of games before and after a change that depends on the final position alone. All other games keep theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShiftCounts {
    /// The changes other than 0, in points for Black.
    pub changes: Histogram,
    /// Games whose margin fell.
    pub fallen: MovedMargins,
    /// Games whose margin rose.
    pub risen: MovedMargins,
}

merge_fields!(ShiftCounts: changes, fallen, risen);

impl ShiftCounts {
    /// Counts one game by its margin before, and the change.
    pub fn add(&mut self, before: i32, change: i32) {
        match change {
            0 => return,
            ..0 => self.fallen.add(before, before + change),
            1.. => self.risen.add(before, before + change),
        }
        self.changes.add(change);
    }

    /// Counts the games with another result (Black wins, White wins, jigo) at this komi.
    #[must_use]
    pub fn changed_results(&self, komi: Komi) -> u64 {
        self.fallen.changed_results(komi) + self.risen.changed_results(komi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_change_where_the_komi_is_crossed() {
        let games = [(10, -4), (7, 1), (7, -1), (-3, 30), (2, 0), (8, 3)];
        let mut counts = ShiftCounts::default();
        games.iter().for_each(|&(margin, change)| counts.add(margin, change));
        for half_points in -10..60 {
            let komi = Komi::from_half_points(half_points);
            let result = |margin| komi.apply(margin).signum();
            let changed = games.iter().filter(|(margin, change)| result(*margin) != result(margin + change));
            assert_eq!(counts.changed_results(komi), changed.count() as u64, "{komi}");
        }
        assert_eq!(counts.changes.with_zeros(6).spread().unwrap().mean, 29.0 / 6.0);
    }
}
