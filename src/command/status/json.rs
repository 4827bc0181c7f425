//! Statuses for programs.

use jigo_engine::{
    Point,
    life::{ChainStatus, Proof, Status},
};
use serde_json::{Map, Value, json};

use super::{Findings, check::Check, prove::Reasons};

/// All that is known, as JSON.
pub(super) fn of(findings: &Findings<'_>, reasons: Option<&Reasons<'_>>) -> String {
    let mut value = json!({
        "size": findings.position.size().to_string(),
        "rules": findings.rules.canonical(),
        "limit": findings.limit,
        "chains": findings.chains.iter().map(|chain| of_chain(findings, chain)).collect::<Vec<_>>(),
        "stones": Status::ALL.map(|status| (status.name().to_owned(), by_proof(findings, status)))
            .into_iter().collect::<Map<_, _>>(),
    });
    if let Some(checks) = &findings.checks {
        for (chain, check) in value["chains"].as_array_mut().into_iter().flatten().zip(checks) {
            chain["check"] = match check {
                Check::NotNeeded => Value::Null,
                check => check.name().into(),
            };
        }
    }
    if let Some(reasons) = reasons {
        value["reasons"] = reasons.as_json();
    }
    format!("{value:#}\n")
}

fn of_chain(findings: &Findings<'_>, chain: &ChainStatus) -> Value {
    let size = findings.position.size();
    let name = |point: &Point| point.to_gtp(size);
    json!({
        "color": chain.color.to_string(),
        "status": chain.status.name(),
        "proof": chain.proof.name(),
        "stones": chain.stones.iter().map(name).collect::<Vec<_>>(),
    })
}

/// Numbers of stones with a status.
fn by_proof(findings: &Findings<'_>, status: Status) -> Value {
    let count = |proof: Proof| json!(findings.stone_count(Some(status), proof));
    Proof::ALL.map(|proof| (proof.name().to_owned(), count(proof))).into_iter().collect::<Map<_, _>>().into()
}
