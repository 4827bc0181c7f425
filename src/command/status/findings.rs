//! What was found out about a position.

use jigo_engine::{
    Point, Position, Rules,
    life::{ChainStatus, Proof, Status},
};

use super::check::Check;

/// The chains of a position with their statuses, and what they were judged by.
pub(super) struct Findings<'a> {
    pub(super) position: &'a Position,
    pub(super) rules: Rules,
    /// States that a search might look at.
    pub(super) limit: usize,
    pub(super) chains: Vec<ChainStatus>,
    /// For each chain what a check came to, if one was asked for.
    pub(super) checks: Option<Vec<Check>>,
}

impl Findings<'_> {
    /// The chain with a stone on this point.
    pub(super) fn chain_at(&self, point: Point) -> Option<&ChainStatus> {
        self.chains.iter().find(|chain| chain.stones.contains(&point))
    }

    /// The statuses that occur, best for the owner first.
    pub(super) fn statuses(&self) -> impl Iterator<Item = Status> {
        let occurs = |status: &Status| self.chains.iter().any(|chain| chain.status == *status);
        Status::ALL.into_iter().filter(occurs)
    }

    /// Number of stones with this status (any, if `None`) by this proof.
    pub(super) fn stone_count(&self, status: Option<Status>, proof: Proof) -> usize {
        let is_meant =
            |chain: &&ChainStatus| chain.proof == proof && status.is_none_or(|status| chain.status == status);
        self.chains.iter().filter(is_meant).map(|chain| chain.stones.len()).sum()
    }
}
