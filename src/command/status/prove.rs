//! Why a chain has its status.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use jigo_engine::{
    Color, Move, Point, Position,
    life::{ChainStatus, Line, LineEnd, Proof, Question, Status, StatusReport, ZoneProof},
};
use serde_json::{Value, json};

use super::Findings;

/// Plies in a line of text.
const PLIES: usize = 8;

/// A chain and what its status rests on.
pub(super) struct Reasons<'a> {
    pub(super) findings: &'a Findings<'a>,
    pub(super) chain: &'a ChainStatus,
    because: Because,
}

enum Because {
    /// The vital regions of an unconditionally alive chain.
    Vital(Vec<Vec<Point>>),
    /// The alive chains around an unconditionally dead one.
    Enclosed(Vec<Vec<Point>>),
    /// The part of the board that was searched; what the opponent reaches who moves first, and the owner.
    Lines(Vec<Point>, Vec<Shown>),
    /// A proof in a zone of the open board.
    Zone(ZoneProof),
    Unknown,
}

/// A question and the line that answers it.
struct Shown {
    first: Color,
    question: Question,
    line: Option<Line>,
}

/// The point with this name, on which there must be a stone.
pub(super) fn stone(position: &Position, name: &str) -> anyhow::Result<Point> {
    let size = position.size();
    let point = Point::from_gtp(name, size).context("--prove names a point")?;
    if position.stone(point).is_none() {
        bail!("there is no stone on {}, which --prove names", point.to_gtp(size));
    }
    Ok(point)
}

impl<'a> Reasons<'a> {
    /// The reasons of the chain on this point, where there is a stone.
    pub(super) fn of(findings: &'a Findings<'a>, judgement: &StatusReport<'_>, point: Point) -> Self {
        let chain = findings.chain_at(point).expect("every stone belongs to a chain");
        let (position, suicide) = (findings.position, findings.rules.suicide);
        let because = match (chain.proof, chain.status) {
            (Proof::Benson, Status::Dead) => Because::Enclosed(position.enclosing_chains(point, suicide)),
            (Proof::Benson, _) => Because::Vital(position.vital_regions(point, suicide)),
            (_, Status::Unknown) => Because::Unknown,
            _ => match judgement.zone_proof(point) {
                Some(proof) => Because::Zone(proof),
                None => Because::Lines(judgement.part(point), lines(judgement, chain)),
            },
        };
        Self { findings, chain, because }
    }

    /// The reasons in words and pictures.
    pub(super) fn as_text(&self) -> String {
        let ChainStatus { color, stones, status, proof } = self.chain;
        let mut text = format!("\n{color} {}: {status}, proof: {proof}\n", self.names(stones));
        let list = |sets: &[Vec<Point>]| -> String {
            sets.iter().map(|set| format!("  {}\n", self.names(set))).collect()
        };
        match &self.because {
            Because::Vital(regions) => {
                let _ = write!(
                    text,
                    "It cannot be captured even if {color} always passes. Regions vital to it:\n{}",
                    list(regions)
                );
            }
            Because::Enclosed(chains) => {
                let _ = write!(
                    text,
                    "It cannot get two eyes among unconditionally alive stones:\n{}",
                    list(chains)
                );
            }
            Because::Lines(part, shown) => {
                let _ = writeln!(text, "It depends on these points:\n  {}", self.names(part));
                text.extend(shown.iter().map(|shown| self.shown(shown)));
            }
            Because::Zone(proof) => text.push_str(&self.zone(proof)),
            Because::Unknown => text.push_str("Nothing is proved. A larger --limit may help.\n"),
        }
        text
    }

    pub(super) fn names(&self, points: &[Point]) -> String {
        let size = self.findings.position.size();
        points.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>().join(" ")
    }

    fn shown(&self, Shown { first, question, line }: &Shown) -> String {
        let role = if *first == self.chain.color { "the owner" } else { "the opponent" };
        let Some(line) = line else {
            return format!(
                "\n{first} ({role}) first: no line alone decides. It depends on ko or on how repetition is judged, or the part of \
                 the board is too large to show one.\n"
            );
        };
        let (answer, visits) = (answer(*question, line.end), states(line.visits));
        let plies = self.plies(&line.moves);
        format!("\n{first} ({role}) first: {answer}, by {visits}\n{plies}{}\n", self.why(*question, line))
    }

    /// A line of play and the position at its end.
    pub(super) fn plies(&self, moves: &[(Color, Move)]) -> String {
        let size = self.findings.position.size();
        let plies = (1..).zip(moves).map(|(ply, (color, mv))| format!("{ply} {color} {}", mv.to_gtp(size)));
        let plies: Vec<String> = plies.collect();
        let lines = plies.chunks(PLIES).map(|plies| format!("  {}\n", plies.join(", ")));
        format!("{}{:#}", lines.collect::<String>(), self.after(moves))
    }

    /// The position at the end of a line.
    fn after(&self, moves: &[(Color, Move)]) -> Position {
        let Findings { position, rules, .. } = self.findings;
        position.after_plies(moves.iter().copied(), rules.suicide).expect("legal moves")
    }

    /// Why the line is over.
    fn why(&self, question: Question, line: &Line) -> String {
        let owner = self.chain.color;
        match line.end {
            LineEnd::Captured if self.chain.status == Status::Seki => {
                format!("{owner}'s chain is captured, but that costs at least as many stones as it brings.")
            }
            LineEnd::Captured => format!("{owner}'s chain is captured."),
            LineEnd::Alive if line.moves.is_empty() => format!("{owner}'s chain lives as it stands."),
            LineEnd::Alive => format!("{owner}'s chain is unconditionally alive."),
            LineEnd::NoMove => {
                let hunter = if question == Question::Life { owner } else { owner.opponent() };
                format!("{hunter} has no move left here but to pass.")
            }
        }
    }

    /// The reasons for programs.
    pub(super) fn as_json(&self) -> Value {
        let size = self.findings.position.size();
        let sets = |sets: &[Vec<Point>]| {
            let names = |set: &Vec<Point>| set.iter().map(|point| point.to_gtp(size)).collect::<Vec<_>>();
            sets.iter().map(names).collect::<Vec<_>>()
        };
        let mut value = json!({
            "color": self.chain.color.to_string(),
            "stones": sets(std::slice::from_ref(&self.chain.stones))[0],
            "status": self.chain.status.name(),
            "proof": self.chain.proof.name(),
        });
        match &self.because {
            Because::Vital(regions) => value["vital_regions"] = json!(sets(regions)),
            Because::Enclosed(chains) => value["enclosing_chains"] = json!(sets(chains)),
            Because::Lines(part, shown) => {
                value["part"] = json!(sets(std::slice::from_ref(part))[0]);
                value["lines"] = shown.iter().map(|shown| self.shown_json(shown)).collect()
            }
            Because::Zone(proof) => value["zone"] = self.zone_json(proof),
            Because::Unknown => {}
        }
        value
    }

    fn shown_json(&self, Shown { first, question, line }: &Shown) -> Value {
        let size = self.findings.position.size();
        let ply = |(color, mv): &(Color, Move)| format!("{color} {}", mv.to_gtp(size));
        json!({
            "first": first.to_string(),
            "question": match question {
                Question::Capture => "capture",
                Question::Life => "life",
            },
            "answer": line.as_ref().map(|line| answer(*question, line.end)),
            "visits": line.as_ref().map(|line| line.visits),
            "plies": line.as_ref().map(|line| line.moves.iter().map(ply).collect::<Vec<_>>()),
            "end": line.as_ref().map(|line| self.why(*question, line)),
        })
    }
}

/// What happens to a chain when its opponent moves first, and when its owner does.
fn lines(judgement: &StatusReport<'_>, chain: &ChainStatus) -> Vec<Shown> {
    let owners = match chain.status {
        Status::Alive | Status::Seki => Question::Life,
        _ => Question::Capture,
    };
    let asked = [(chain.color.opponent(), Question::Capture), (chain.color, owners)];
    let shown = asked.map(|(first, question)| {
        let line = judgement.line(chain.stones[0], question, first);
        Shown { first, question, line }
    });
    shown.into()
}

/// How much a search looked at.
pub(super) fn states(visits: usize) -> String {
    match visits {
        1 => "a look at 1 state".to_owned(),
        visits => format!("a search of {visits} states"),
    }
}

/// What a line shows.
const fn answer(question: Question, end: LineEnd) -> &'static str {
    match (question, end) {
        (Question::Capture, LineEnd::Captured) => "captured",
        (Question::Capture, _) => "saved",
        (Question::Life, LineEnd::Alive) => "made unconditionally alive",
        (Question::Life, _) => "not made unconditionally alive",
    }
}
