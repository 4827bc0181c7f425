//! Life and death in final positions.

mod judged;
mod shapes;
mod shift;
mod table;

use jigo_engine::{
    Color,
    life::{Proof, SekiKind, Status},
};
use serde::{Deserialize, Serialize};

pub use judged::{FinalStatus, FinalStatusSolver};
pub use shapes::{Occurrence, ShapeCount, ShapeCounts, ShapeKind};
pub use shift::ShiftCounts;
pub use table::{ChainCounts, StatusTable};

use super::LifeExamples;
use crate::Histogram;

/// One side's chains and what is known about them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStatus {
    /// Chains and stones by status and proof.
    pub table: StatusTable,
    /// Points, empty or under opposing stones, of unconditional territory.
    pub territory: u64,
}

impl SideStatus {
    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Self) {
        self.table.merge(&other.table);
        self.territory += other.territory;
    }
}

/// Sums over final positions. What is `unknown` stands beside all that is known, so that every rate can be read with its coverage.
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
    /// Games to look at. Not in files from before there were any.
    #[serde(default, skip_serializing_if = "LifeExamples::is_empty")]
    pub examples: LifeExamples,
}

impl StatusCounts {
    /// Counts one final position of a game with this margin as it stands; `source` and `index` name the game.
    #[inline]
    pub fn add(&mut self, found: &FinalStatus, margin: i32, source: &str, index: u64) {
        self.positions += 1;
        for (side, life) in [&mut self.black, &mut self.white].into_iter().zip(&found.life) {
            side.territory += u64::from(life.territory);
        }
        match &found.open {
            None => self.add_plain(found),
            Some(open) => {
                self.add_open(open);
                self.dead.add(margin, open.dead_margin);
                let [black, white] = open.points_in_seki.map(|points| points as i32);
                self.seki.add(margin + open.dead_margin, white - black);
                self.shapes.add(&open.shapes, source, index);
                self.examples.add(&open.chains, &open.sekis, source, index);
            }
        }
    }

    /// All chains are unconditionally alive.
    #[inline]
    fn add_plain(&mut self, found: &FinalStatus) {
        let mut has_chain = false;
        for (side, life) in [&mut self.black, &mut self.white].into_iter().zip(&found.life) {
            let counts = ChainCounts { chains: life.chains.into(), stones: life.stones.into() };
            side.table.add(Status::Alive, Proof::Benson, counts);
            has_chain |= life.chains > 0;
        }
        self.decided_positions += 1;
        self.benson_positions += 1;
        self.positions_with[Status::Alive as usize] += u64::from(has_chain);
        self.unknown_stones.add(0);
    }

    fn add_open(&mut self, open: &judged::Open) {
        let mut with = [false; Status::ALL.len()];
        let mut unknown = 0;
        for chain in &open.chains {
            let stones = chain.stones.len();
            let side = match chain.color {
                Color::Black => &mut self.black,
                Color::White => &mut self.white,
            };
            side.table.add(chain.status, chain.proof, ChainCounts { chains: 1, stones: stones as u64 });
            with[chain.status as usize] = true;
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
        for (count, with) in self.positions_with.iter_mut().zip(with) {
            *count += u64::from(with);
        }
        self.unknown_stones.add(unknown as i32);
        for seki in &open.sekis {
            self.sekis[seki.kind as usize] += 1;
        }
    }

    /// Both sides together.
    #[must_use]
    pub fn both(&self) -> SideStatus {
        let mut both = self.black.clone();
        both.merge(&self.white);
        both
    }

    /// Positions with at least one chain of this status.
    #[must_use]
    pub fn positions_with(&self, status: Status) -> u64 {
        self.positions_with[status as usize]
    }

    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Self) {
        self.positions += other.positions;
        self.decided_positions += other.decided_positions;
        self.benson_positions += other.benson_positions;
        self.black.merge(&other.black);
        self.white.merge(&other.white);
        super::measures::add_each(&mut self.positions_with, &other.positions_with);
        self.unknown_stones.merge(&other.unknown_stones);
        self.dead_sizes.merge(&other.dead_sizes);
        self.seki_sizes.merge(&other.seki_sizes);
        super::measures::add_each(&mut self.sekis, &other.sekis);
        self.dead.merge(&other.dead);
        self.seki.merge(&other.seki);
        self.shapes.merge(&other.shapes);
        self.examples.merge(&other.examples);
    }
}
