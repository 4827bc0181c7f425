//! Proofs in zones of an open board, in words and for programs.

use jigo_engine::{
    Color, Move, Point,
    life::{Proof, ZoneClaim, ZoneProof},
};
use serde_json::{Value, json};

use super::prove::{Reasons, states};

impl Reasons<'_> {
    /// What is shown in a zone.
    pub(super) fn zone(&self, proof: &ZoneProof) -> String {
        let (owner, opponent) = (proof.owner, proof.owner.opponent());
        let size = self.findings.position.size();
        let chains: String = proof.chains.iter().map(|chain| format!("  {}\n", self.names(chain))).collect();
        let anchors = match proof.anchors.as_slice() {
            [] => String::new(),
            anchors => format!("Beside them these hold already:\n  {}\n", self.names(anchors)),
        };
        let points = self.names(&proof.points);
        let (line, visits) = (self.plies(&proof.moves), states(proof.visits));
        match &proof.claim {
            ZoneClaim::Holds { answers } => {
                let answers: Vec<String> = answers
                    .iter()
                    .map(|(attack, answer)| format!("{} by {}", attack.to_gtp(size), answer.to_gtp(size)))
                    .collect();
                let answers = match answers.as_slice() {
                    [] => format!("No move of {opponent} needs an answer.\n"),
                    answers => format!("{owner} answers {}; no other move needs it.\n", answers.join(", ")),
                };
                let how = match self.chain.proof {
                    Proof::Static => "Theorems about eyes and links show this without reading ahead.\n",
                    _ => "",
                };
                format!(
                    "{how}{owner} keeps these chains, whatever {opponent} plays:\n{chains}{anchors}It rests on these points:\n  \
                     {points}\n{answers}\n{opponent} first, by {visits}:\n{line}No move of {opponent} needs an answer any more.\n"
                )
            }
            ZoneClaim::Captures(_) => format!(
                "{owner} captures it, losing no stone, with these chains:\n{chains}{anchors}Wherever else stones of {opponent} \
                 stand, it rests on these points:\n  {points}\n\n{opponent} first, by {visits}:\n{line}{opponent}'s chain is captured.\n"
            ),
        }
    }

    /// The same for programs.
    pub(super) fn zone_json(&self, proof: &ZoneProof) -> Value {
        let size = self.findings.position.size();
        let names = |points: &[Point]| points.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>();
        let ply = |(color, mv): &(Color, Move)| format!("{color} {}", mv.to_gtp(size));
        let (claim, answers) = match &proof.claim {
            ZoneClaim::Holds { answers } => ("holds", answers.as_slice()),
            ZoneClaim::Captures(_) => ("captures", [].as_slice()),
        };
        json!({
            "owner": proof.owner.to_string(),
            "claim": claim,
            "chains": proof.chains.iter().map(|chain| names(chain)).collect::<Vec<_>>(),
            "anchors": names(&proof.anchors),
            "points": names(&proof.points),
            "answers": answers.iter().map(|&(attack, answer)| names(&[attack, answer])).collect::<Vec<_>>(),
            "visits": proof.visits,
            "plies": proof.moves.iter().map(ply).collect::<Vec<_>>(),
        })
    }
}
