//! Life and death in final positions by status, proof, kind of seki and shape.

use jigo_engine::life::{Proof, SekiKind, Status};
use serde::Serialize;

use crate::study::{ShapeCount, SideStatus, StatusCounts};

/// The most shapes that a summary lists; `status_shapes.csv` has all.
const MAX_SHAPES: usize = 20;

/// The counts of life and death that are more than one number each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct StatusTables {
    pub(crate) black: SideShares,
    pub(crate) white: SideShares,
    pub(crate) both: SideShares,
    pub(crate) sekis: Vec<SekiCount>,
    /// The most frequent shapes of parts of the board with seki or dead chains.
    pub(crate) shapes: Vec<ShapeSummary>,
    /// Such parts that are too large for that.
    pub(crate) larger_parts: u64,
}

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
    pub(crate) territory: u64,
    /// By status and proof; every status that can be proved like this.
    pub(crate) rows: Vec<StatusShare>,
    /// Chains whose status is solved.
    pub(crate) solved_chain_share: Option<f64>,
    /// Their stones.
    pub(crate) solved_stone_share: Option<f64>,
}

/// Chains of one status that is proved in one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct StatusShare {
    pub(crate) status: &'static str,
    pub(crate) proof: &'static str,
    pub(crate) chains: u64,
    pub(crate) chain_share: Option<f64>,
    pub(crate) stones: u64,
    pub(crate) stone_share: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ShapeSummary {
    pub(crate) shape: String,
    pub(crate) kind: &'static str,
    pub(crate) parts: u64,
    pub(crate) first_source: String,
    pub(crate) first_index: u64,
}

impl StatusTables {
    pub(crate) fn new(status: &StatusCounts) -> Self {
        let kinds = SekiKind::ALL.into_iter().zip(status.sekis);
        Self {
            black: SideShares::new(&status.black),
            white: SideShares::new(&status.white),
            both: SideShares::new(&status.both()),
            sekis: kinds.map(|(kind, sekis)| SekiCount { kind: kind.name(), sekis }).collect(),
            shapes: status.shapes.ranking().into_iter().take(MAX_SHAPES).map(ShapeSummary::new).collect(),
            larger_parts: status.shapes.larger,
        }
    }
}

impl ShapeSummary {
    fn new((shape, count): (&str, &ShapeCount)) -> Self {
        Self {
            shape: shape.to_owned(),
            kind: count.kind.name(),
            parts: count.parts,
            first_source: count.first.source.clone(),
            first_index: count.first.index,
        }
    }
}

/// Every status with every proof that it can have.
pub(crate) fn status_proofs() -> impl Iterator<Item = (Status, Proof)> {
    let all = Status::ALL.into_iter().flat_map(|status| Proof::ALL.map(|proof| (status, proof)));
    all.filter(|&(status, proof)| (status == Status::Unknown) == (proof == Proof::None))
}

impl SideShares {
    fn new(side: &SideStatus) -> Self {
        let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
        let (all, solved) = (side.table.total(), side.table.decided());
        let row = |(status, proof): (Status, Proof)| {
            let counts = side.table.counts(status, proof);
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
            territory: side.territory,
            rows: status_proofs().map(row).collect(),
            solved_chain_share: share(solved.chains, all.chains),
            solved_stone_share: share(solved.stones, all.stones),
        }
    }
}
