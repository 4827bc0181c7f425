//! Statuses checked by their definitions.

use jigo_engine::{
    Point,
    life::{ChainStatus, Proof, Status, StatusReport, ZoneClaim, ZoneProof},
    reference::{Colouring, ReferenceStatus},
};

use super::Findings;
use crate::output::Failure;

/// Points of a part that is checked, at most.
const MAX_POINTS: usize = 12;
/// Positions that such a part may have.
const MAX_POSITIONS: usize = 20_000;

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// No search proved this status.
    NotNeeded,
    Agrees,
    /// The definitions give another status.
    Differs(Status),
    /// What a proof says about a zone is not so.
    NotShown,
    /// The part or the zone has too many positions.
    TooLarge,
}

impl Check {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::NotNeeded => "",
            Self::Agrees => "checked",
            Self::Differs(_) | Self::NotShown => "differs",
            Self::TooLarge => "too large",
        }
    }
}

/// Checks every chain whose status is not proved by unconditional life: by all positions of its part, or of the zone of its proof, with naive moves.
pub(super) fn all(findings: &Findings<'_>, judgement: &StatusReport<'_>) -> Vec<Check> {
    let mut checker = Checker::new(findings, judgement);
    findings.chains.iter().map(|chain| checker.check(chain)).collect()
}

struct Checker<'a> {
    findings: &'a Findings<'a>,
    judgement: &'a StatusReport<'a>,
    colouring: Colouring,
    /// The positions of parts and of zones, `None` where they are too many.
    parts: Vec<(Vec<Point>, Option<ReferenceStatus>)>,
    zones: Vec<(ZoneProof, Option<ReferenceStatus>)>,
}

impl<'a> Checker<'a> {
    fn new(findings: &'a Findings<'a>, judgement: &'a StatusReport<'a>) -> Self {
        let points = findings.position.size().points();
        let colouring = points.map(|point| findings.position.stone(point)).collect();
        Self { findings, judgement, colouring, parts: Vec::new(), zones: Vec::new() }
    }

    fn check(&mut self, chain: &ChainStatus) -> Check {
        if [Proof::Benson, Proof::None].contains(&chain.proof) {
            return Check::NotNeeded;
        }
        let part = self.judgement.part(chain.stones[0]);
        if part.len() <= MAX_POINTS { self.by_part(chain, part) } else { self.by_zone(chain) }
    }

    fn by_part(&mut self, chain: &ChainStatus, part: Vec<Point>) -> Check {
        let Findings { position, rules, .. } = self.findings;
        let place = self.parts.iter().position(|(points, _)| *points == part).unwrap_or_else(|| {
            let start = self.colouring.clone();
            let all = ReferenceStatus::new(position.size(), rules.suicide, start, &part, MAX_POSITIONS);
            self.parts.push((part, all));
            self.parts.len() - 1
        });
        let Some(reference) = &self.parts[place].1 else { return Check::TooLarge };
        match reference.status(chain.stones[0], rules.ko) {
            status if status == chain.status => Check::Agrees,
            status => Check::Differs(status),
        }
    }

    fn by_zone(&mut self, chain: &ChainStatus) -> Check {
        let known = self.zones.iter().position(|(proof, _)| proof.shows(chain));
        let place = known.or_else(|| self.add_zone(chain));
        let Some((proof, Some(reference))) = place.map(|place| &self.zones[place]) else {
            return Check::TooLarge;
        };
        let (point, color, first) = (chain.stones[0], chain.color, proof.owner.opponent().index());
        let is_so = match proof.claim {
            ZoneClaim::Holds { .. } => reference.saved(point, color, self.findings.rules.ko)[0][first],
            ZoneClaim::Captures(_) => reference.captured(point, color)[0][first],
        };
        if is_so { Check::Agrees } else { Check::NotShown }
    }

    /// The place of the zone on which a status rests, if it is a zone.
    fn add_zone(&mut self, chain: &ChainStatus) -> Option<usize> {
        let proof = self.judgement.zone_proof(chain.stones[0])?;
        let (size, suicide) = (self.findings.position.size(), self.findings.rules.suicide);
        let positions = || ReferenceStatus::in_zone(size, suicide, &self.colouring, &proof, MAX_POSITIONS);
        let all = (proof.points.len() <= MAX_POINTS).then(positions).flatten();
        self.zones.push((proof, all));
        Some(self.zones.len() - 1)
    }
}

/// An error for the first chain on which the check does not agree.
pub(super) fn result(findings: &Findings<'_>) -> Result<(), Failure> {
    let size = findings.position.size();
    for (chain, check) in findings.chains.iter().zip(findings.checks.iter().flatten()) {
        let found = match check {
            Check::Differs(status) => status.name(),
            Check::NotShown => "not shown to be so",
            _ => continue,
        };
        return Err(Failure::ProblemsFound(format!(
            "{} {} is {}, but {found} by the definitions: please report this position",
            chain.color,
            chain.stones[0].to_gtp(size),
            chain.status
        )));
    }
    Ok(())
}
