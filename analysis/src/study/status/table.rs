//! Chains and stones by status and proof.

use jigo_engine::life::{Proof, Status};
use serde::{Deserialize, Serialize};

/// Chains and their stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainCounts {
    /// Chains.
    pub chains: u64,
    /// Their stones.
    pub stones: u64,
}

impl ChainCounts {
    const fn merge(&mut self, other: Self) {
        self.chains += other.chains;
        self.stones += other.stones;
    }
}

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
        self.0[status as usize][proof as usize].merge(counts);
    }

    /// Adds the counts of other positions.
    pub fn merge(&mut self, other: &Self) {
        for (status, proof, counts) in other.iter() {
            self.add(status, proof, counts);
        }
    }

    /// What occurred, in the order of [`Status::ALL`], then of [`Proof::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Status, Proof, ChainCounts)> {
        let cells = Status::ALL.into_iter().flat_map(|status| Proof::ALL.map(|proof| (status, proof)));
        let cells = cells.map(|(status, proof)| (status, proof, self.of(status, proof)));
        cells.filter(|(.., counts)| *counts != ChainCounts::default())
    }

    /// Chains of this status that is known like this.
    #[must_use]
    pub const fn of(&self, status: Status, proof: Proof) -> ChainCounts {
        self.0[status as usize][proof as usize]
    }

    /// Chains of this status, by whatever proof.
    #[must_use]
    pub fn of_status(&self, status: Status) -> ChainCounts {
        self.sum(|found, _| found == status)
    }

    /// Chains whose status is known like this.
    #[must_use]
    pub fn by_proof(&self, proof: Proof) -> ChainCounts {
        self.sum(|_, found| found == proof)
    }

    /// Chains whose status is known.
    #[must_use]
    pub fn decided(&self) -> ChainCounts {
        self.sum(|status, _| status != Status::Unknown)
    }

    /// All chains.
    #[must_use]
    pub fn total(&self) -> ChainCounts {
        self.sum(|_, _| true)
    }

    fn sum(&self, is_in: impl Fn(Status, Proof) -> bool) -> ChainCounts {
        let mut sum = ChainCounts::default();
        for (_, _, counts) in self.iter().filter(|&(status, proof, _)| is_in(status, proof)) {
            sum.merge(counts);
        }
        sum
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
