//! Life and death in final positions.

use jigo_engine::{
    Komi,
    life::{Proof, SekiKind, Status},
};
use serde::Serialize;

use super::{Rate, Spread};
use crate::study::{ShapeCounts, ShiftCounts, SideStatus, StatusCounts};

/// The most shapes that a summary lists; `status_shapes.csv` has all.
const MAX_SHAPES: usize = 20;

/// Life and death in final positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct StatusSummary {
    pub(crate) positions: u64,
    /// Positions in which every chain has a status.
    pub(crate) decided_positions: Rate,
    /// Positions in which unconditional life alone decides every chain.
    pub(crate) benson_positions: Rate,
    /// Positions with at least one chain of each status.
    pub(crate) positions_with: Vec<StatusRate>,
    pub(crate) black: SideShares,
    pub(crate) white: SideShares,
    pub(crate) both: SideShares,
    /// Stones per chain.
    pub(crate) dead_sizes: Option<Spread>,
    pub(crate) seki_sizes: Option<Spread>,
    pub(crate) sekis: Vec<SekiCount>,
    /// Dead chains taken off, against all stones as they stand.
    pub(crate) without_dead: ShiftSummary,
    /// Points in seki not counted, against all points, dead chains taken off in both.
    pub(crate) without_seki_points: ShiftSummary,
    /// The most frequent shapes of parts with seki or dead chains.
    pub(crate) shapes: Vec<ShapeSummary>,
    /// Parts with seki or dead chains that are too large for that.
    pub(crate) larger_parts: u64,
}

/// Positions with at least one chain of a status.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct StatusRate {
    pub(crate) status: &'static str,
    pub(crate) positions: Rate,
}

/// Sekis of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct SekiCount {
    pub(crate) kind: &'static str,
    pub(crate) sekis: u64,
}

/// Shares of chains and stones as fractions of 1, over all final positions; nothing without stones. The stones of one position are not
/// independent, so these have no exact interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct SideShares {
    pub(crate) chains: u64,
    pub(crate) stones: u64,
    /// By status and proof; every status that can be proved like this.
    pub(crate) rows: Vec<StatusShare>,
    /// Chains whose status is known.
    pub(crate) decided_chain_share: Option<f64>,
    /// Their stones.
    pub(crate) decided_stone_share: Option<f64>,
    /// Points of unconditional territory per position.
    pub(crate) territory_per_position: Option<f64>,
}

/// Chains of one status that is known in one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct StatusShare {
    pub(crate) status: &'static str,
    pub(crate) proof: &'static str,
    pub(crate) chains: u64,
    pub(crate) chain_share: Option<f64>,
    pub(crate) stones: u64,
    pub(crate) stone_share: Option<f64>,
}

/// What a way of counting changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ShiftSummary {
    /// Games with another margin.
    pub(crate) games: Rate,
    /// Games with another result at the komi of the report.
    pub(crate) changed_results: Rate,
    /// The mean change over all games, in points for Black.
    pub(crate) mean: Option<f64>,
    /// Its standard error.
    pub(crate) standard_error: Option<f64>,
}

/// Parts of one shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ShapeSummary {
    pub(crate) shape: String,
    pub(crate) kind: &'static str,
    pub(crate) parts: u64,
    pub(crate) first_source: String,
    pub(crate) first_index: u64,
}

impl StatusSummary {
    pub(crate) fn new(status: &StatusCounts, komi: Komi) -> Self {
        let positions = status.positions;
        let shares = |side: &SideStatus| SideShares::new(side, positions);
        let rate = |count| Rate::new(count, positions);
        let with = |found: Status| StatusRate {
            status: found.name(),
            positions: rate(status.positions_with(found)),
        };
        let kinds = SekiKind::ALL.into_iter().zip(status.sekis);
        Self {
            positions,
            decided_positions: rate(status.decided_positions),
            benson_positions: rate(status.benson_positions),
            positions_with: Status::ALL.map(with).to_vec(),
            black: shares(&status.black),
            white: shares(&status.white),
            both: shares(&status.both()),
            dead_sizes: Spread::of(&status.dead_sizes),
            seki_sizes: Spread::of(&status.seki_sizes),
            sekis: kinds.map(|(kind, sekis)| SekiCount { kind: kind.name(), sekis }).collect(),
            without_dead: ShiftSummary::new(&status.dead, positions, komi),
            without_seki_points: ShiftSummary::new(&status.seki, positions, komi),
            shapes: shapes(&status.shapes).collect(),
            larger_parts: status.shapes.larger,
        }
    }

    /// Positions with at least one chain of this status.
    pub(crate) fn with(&self, status: Status) -> Rate {
        self.positions_with[status as usize].positions
    }
}

fn shapes(counts: &ShapeCounts) -> impl Iterator<Item = ShapeSummary> {
    counts.ranking().into_iter().take(MAX_SHAPES).map(|(shape, count)| ShapeSummary {
        shape: shape.to_owned(),
        kind: count.kind.name(),
        parts: count.parts,
        first_source: count.first.source.clone(),
        first_index: count.first.index,
    })
}

/// Every status with every proof that it can have.
pub(crate) fn status_proofs() -> impl Iterator<Item = (Status, Proof)> {
    let all = Status::ALL.into_iter().flat_map(|status| Proof::ALL.map(|proof| (status, proof)));
    all.filter(|&(status, proof)| (status == Status::Unknown) == (proof == Proof::None))
}

impl SideShares {
    fn new(side: &SideStatus, positions: u64) -> Self {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let (all, decided) = (side.table.total(), side.table.decided());
        let row = |(status, proof): (Status, Proof)| {
            let counts = side.table.of(status, proof);
            StatusShare {
                status: status.name(),
                proof: proof.name(),
                chains: counts.chains,
                chain_share: share(counts.chains, all.chains),
                stones: counts.stones,
                stone_share: share(counts.stones, all.stones),
            }
        };
        Self {
            chains: all.chains,
            stones: all.stones,
            rows: status_proofs().map(row).collect(),
            decided_chain_share: share(decided.chains, all.chains),
            decided_stone_share: share(decided.stones, all.stones),
            territory_per_position: share(side.territory, positions),
        }
    }

    /// The share of the stones that have this status.
    pub(crate) fn stone_share(&self, status: Status) -> Option<f64> {
        let rows = self.rows.iter().filter(|row| row.status == status.name());
        let stones: u64 = rows.map(|row| row.stones).sum();
        (self.stones > 0).then(|| stones as f64 / self.stones as f64)
    }
}

impl ShiftSummary {
    fn new(shift: &ShiftCounts, games: u64, komi: Komi) -> Self {
        let moments = shift.moments(games);
        Self {
            games: Rate::new(shift.changes.count(), games),
            changed_results: Rate::new(shift.changed_results(komi), games),
            mean: moments.map(|moments| moments.mean()),
            standard_error: moments.and_then(|moments| moments.standard_error()),
        }
    }
}
