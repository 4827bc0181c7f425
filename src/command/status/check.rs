//! Statuses checked by their definitions.

use jigo_engine::{
    ChainStatus, Judge, Point, Proof, Status,
    reference::{Colouring, ReferenceStatus},
};

use super::Findings;
use crate::output::Failure;

/// Points of a part that is checked, at most.
const MOST_POINTS: usize = 12;
/// Positions that such a part may have.
const MOST_POSITIONS: usize = 20_000;

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// No search proved this status.
    NotNeeded,
    Agrees,
    /// The definitions give another status.
    Differs(Status),
    /// The part has too many positions.
    TooLarge,
}

impl Check {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::NotNeeded => "",
            Self::Agrees => "checked",
            Self::Differs(_) => "differs",
            Self::TooLarge => "too large",
        }
    }
}

/// Checks every chain whose status is not proved by unconditional life: by all positions of its part, with moves of the naive reference.
pub(super) fn all(findings: &Findings, judge: &Judge) -> Vec<Check> {
    let size = findings.position.size();
    let colouring: Colouring = size.points().map(|point| findings.position.stone(point)).collect();
    let mut known: Vec<(Vec<Point>, Option<ReferenceStatus>)> = Vec::new();
    let mut check = |chain: &ChainStatus| {
        if [Proof::Benson, Proof::None].contains(&chain.proof) {
            return Check::NotNeeded;
        }
        let part = judge.part(&findings.position, chain.stones[0]);
        if part.is_empty() || part.len() > MOST_POINTS {
            return Check::TooLarge;
        }
        let place = known.iter().position(|(points, _)| *points == part).unwrap_or_else(|| {
            let suicide = findings.rules.suicide;
            let all = ReferenceStatus::new(size, suicide, colouring.clone(), &part, MOST_POSITIONS);
            known.push((part, all));
            known.len() - 1
        });
        let Some(reference) = &known[place].1 else { return Check::TooLarge };
        match reference.status(chain.stones[0], findings.rules.ko) {
            status if status == chain.status => Check::Agrees,
            status => Check::Differs(status),
        }
    };
    findings.chains.iter().map(&mut check).collect()
}

/// An error for the first chain on which the check does not agree.
pub(super) fn result(findings: &Findings) -> Result<(), Failure> {
    let size = findings.position.size();
    for (chain, check) in findings.chains.iter().zip(findings.checks.iter().flatten()) {
        if let Check::Differs(status) = check {
            return Err(Failure::ProblemsFound(format!(
                "{} {} is {}, but {status} by the definitions: please report this position",
                chain.color,
                chain.stones[0].to_gtp(size),
                chain.status
            )));
        }
    }
    Ok(())
}
