//! Why chains have their statuses: in words, and as JSON.

use jigo_engine::{
    Color, Move, Point, Position, Suicide,
    life::{ChainStatus, Line, LineEnd, Proof, Question, Status, StatusReport, ZoneClaim, ZoneProof},
};
use serde_json::{Value, json};

use crate::stats::quantity;

/// Plies in a printed row of a line of play.
const PLIES_PER_ROW: usize = 8;

/// Says why the chains of a position have their statuses: a line of play with either player moving first, or what makes them unconditionally
/// alive or dead.
///
/// ```
/// use jigo_analysis::report::Reasons;
/// use jigo_engine::{Board, Color, Ko, Suicide, life::StatusSolver};
/// let board: Board = Board::from_diagram(". X . X O .\nX X X X O O\nO O O O O .\n. O . O . O\n", Suicide::Forbidden)?;
/// let position = board.position();
/// let report = StatusSolver::new(Suicide::Forbidden, Ko::Simple).solve(&position);
/// let reasons = Reasons { position: &position, suicide: Suicide::Forbidden, report: &report };
/// let chain = report.chains().find(|chain| chain.color == Color::Black).unwrap();
/// let (text, json) = reasons.of(chain);
/// assert!(text.starts_with("Black B4 D4 A3 B3 C3 D3: alive, proof: benson\nIt cannot be captured even if Black always passes."));
/// assert_eq!(json["vital_regions"].as_array().unwrap().len(), 2);
/// # Ok::<(), jigo_engine::board::InvalidDiagram>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reasons<'a> {
    /// The position.
    pub position: &'a Position,
    /// The rule on suicide of its statuses.
    pub suicide: Suicide,
    /// Its chains with their statuses.
    pub report: &'a StatusReport,
}

impl Reasons<'_> {
    /// Returns a chain with its status as JSON: `color`, `status`, `proof` and `stones`.
    #[must_use]
    pub fn chain_json(&self, chain: &ChainStatus) -> Value {
        json!({
            "color": chain.color.to_string(),
            "status": chain.status.name(),
            "proof": chain.proof.name(),
            "stones": self.names(&chain.stones),
        })
    }

    /// Returns why a chain has its status: in words, and as [JSON](Self::chain_json) with what proves it.
    ///
    /// Cost: about that of the searches that found it.
    #[must_use]
    pub fn of(&self, chain: &ChainStatus) -> (String, Value) {
        let Self { position, suicide, report } = *self;
        let ChainStatus { color, stones, status, proof } = chain;
        let point = stones[0];
        let mut value = self.chain_json(chain);
        let reason = match (proof, status) {
            (Proof::Benson, Status::Dead) => {
                let chains = position.enclosing_chains(point, suicide);
                value["enclosing_chains"] = self.sets_json(&chains);
                let chains = self.rows(&chains);
                format!("It cannot make two eyes inside these unconditionally alive chains:\n{chains}")
            }
            (Proof::Benson, _) => {
                let regions = position.vital_regions(point, suicide);
                value["vital_regions"] = self.sets_json(&regions);
                let regions = self.rows(&regions);
                format!(
                    "It cannot be captured even if {color} always passes. Regions vital to it:\n{regions}"
                )
            }
            (_, Status::Unknown) => "Nothing is proved. A higher limit may help.\n".to_owned(),
            _ => match report.zone_proof(point) {
                Some(proof) => {
                    value["zone"] = self.zone_json(&proof);
                    self.zone_text(chain, &proof)
                }
                None => {
                    let region = report.part(point);
                    let (texts, lines): (Vec<String>, Vec<Value>) = questions(chain)
                        .map(|(first, question)| self.line(chain, first, question))
                        .into_iter()
                        .unzip();
                    value["part"] = json!(self.names(&region));
                    value["lines"] = lines.into();
                    format!("Only these points matter:\n  {}\n{}", self.list(&region), texts.concat())
                }
            },
        };
        (format!("{color} {}: {status}, proof: {proof}\n{reason}", self.list(stones)), value)
    }

    /// Says what becomes of a chain in answer to a question when this player moves first: in words and as JSON.
    fn line(&self, chain: &ChainStatus, first: Color, question: Question) -> (String, Value) {
        let line = self.report.line(chain.stones[0], question, first);
        let line = line.as_ref();
        let answer = line.map(|line| answer_name(question, line.end));
        let end = line.map(|line| end_text(chain, question, line));
        let value = json!({
            "first": first.to_string(),
            "question": match question {
                Question::Capture => "capture",
                Question::Life => "life",
            },
            "answer": answer,
            "visits": line.map(|line| line.visits),
            "plies": line.map(|line| self.plies(&line.moves)),
            "end": end,
        });
        let role = if first == chain.color { "the owner" } else { "the opponent" };
        let text = match (line, answer, end) {
            (Some(line), Some(answer), Some(end)) => {
                let (states, plies) = (quantity(line.visits, "state"), self.line_text(&line.moves));
                format!("\n{first} ({role}) first: {answer}, {states} visited\n{plies}{end}\n")
            }
            _ => format!(
                "\n{first} ({role}) first: no single line decides. The result depends on ko or on the rule for repetition, or the \
                 region is too large to show a line.\n"
            ),
        };
        (text, value)
    }

    fn zone_text(&self, chain: &ChainStatus, proof: &ZoneProof) -> String {
        let (owner, opponent) = (proof.owner, proof.owner.opponent());
        let chains = self.rows(&proof.chains);
        let anchors = match proof.anchors.as_slice() {
            [] => String::new(),
            anchors => format!("These stones next to them are already safe:\n  {}\n", self.list(anchors)),
        };
        let points = self.list(&proof.points);
        let (line, states) = (self.line_text(&proof.moves), quantity(proof.visits, "state"));
        let ZoneClaim::Safe { answers } = &proof.claim else {
            return format!(
                "{owner} captures it with these chains and loses no stone:\n{chains}{anchors}Only these points matter, wherever else \
                 {opponent} has stones:\n  {points}\n\n{opponent} first, {states} visited:\n{line}{opponent}'s chain is captured.\n"
            );
        };
        let pairs = answers.iter().map(|&(attack, answer)| self.names(&[attack, answer]).join(" with "));
        let answers = match pairs.collect::<Vec<_>>().as_slice() {
            [] => format!("No move of {opponent} needs an answer.\n"),
            pairs => format!("{owner} answers {}; no other move needs an answer.\n", pairs.join(", ")),
        };
        let how = match chain.proof {
            Proof::Static => "Proved without search, from eyes and connections.\n",
            _ => "",
        };
        format!(
            "{how}{owner} keeps these chains, whatever {opponent} plays:\n{chains}{anchors}Only these points matter:\n  \
             {points}\n{answers}\n{opponent} first, {states} visited:\n{line}After this, no move of {opponent} needs an answer.\n"
        )
    }

    fn zone_json(&self, proof: &ZoneProof) -> Value {
        let (claim, answers) = match &proof.claim {
            ZoneClaim::Safe { answers } => ("holds", answers.as_slice()),
            ZoneClaim::Captures(_) => ("captures", [].as_slice()),
        };
        json!({
            "owner": proof.owner.to_string(),
            "claim": claim,
            "chains": self.sets_json(&proof.chains),
            "anchors": self.names(&proof.anchors),
            "points": self.names(&proof.points),
            "answers": answers.iter().map(|&(attack, answer)| self.names(&[attack, answer])).collect::<Vec<_>>(),
            "visits": proof.visits,
            "plies": self.plies(&proof.moves),
        })
    }

    fn names(&self, points: &[Point]) -> Vec<String> {
        points.iter().map(|point| point.to_gtp(self.position.size())).collect()
    }

    fn list(&self, points: &[Point]) -> String {
        self.names(points).join(" ")
    }

    /// Prints sets of points, each in a row.
    fn rows(&self, sets: &[Vec<Point>]) -> String {
        sets.iter().map(|set| format!("  {}\n", self.list(set))).collect()
    }

    fn sets_json(&self, sets: &[Vec<Point>]) -> Value {
        sets.iter().map(|set| self.names(set)).collect()
    }

    /// Prints a line of play and the position at its end.
    fn line_text(&self, moves: &[(Color, Move)]) -> String {
        let plies: Vec<String> =
            (1..).zip(self.plies(moves)).map(|(number, ply)| format!("{number} {ply}")).collect();
        let rows = plies.chunks(PLIES_PER_ROW).map(|plies| format!("  {}\n", plies.join(", ")));
        let end = self.position.after_plies(moves.iter().copied(), self.suicide).expect("legal moves");
        format!("{}{end:#}", rows.collect::<String>())
    }

    fn plies(&self, moves: &[(Color, Move)]) -> Vec<String> {
        let size = self.position.size();
        moves.iter().map(|(color, mv)| format!("{color} {}", mv.to_gtp(size))).collect()
    }
}

/// Returns what to ask about a chain when its opponent moves first, and when its owner does.
const fn questions(chain: &ChainStatus) -> [(Color, Question); 2] {
    let owners_question = match chain.status {
        Status::Alive | Status::Seki => Question::Life,
        _ => Question::Capture,
    };
    [(chain.color.opponent(), Question::Capture), (chain.color, owners_question)]
}

/// Says why a line is over.
fn end_text(chain: &ChainStatus, question: Question, line: &Line) -> String {
    let owner = chain.color;
    match line.end {
        LineEnd::Captured if chain.status == Status::Seki => {
            format!("{owner}'s chain is captured, but that costs at least as many stones as it gains.")
        }
        LineEnd::Captured => format!("{owner}'s chain is captured."),
        LineEnd::Alive if line.moves.is_empty() => format!("{owner}'s chain is already alive."),
        LineEnd::Alive => format!("{owner}'s chain is unconditionally alive."),
        LineEnd::NoMove => {
            let attacker = if question == Question::Life { owner } else { owner.opponent() };
            format!("{attacker} can only pass here.")
        }
    }
}

const fn answer_name(question: Question, end: LineEnd) -> &'static str {
    match (question, end) {
        (Question::Capture, LineEnd::Captured) => "captured",
        (Question::Capture, _) => "saved",
        (Question::Life, LineEnd::Alive) => "made unconditionally alive",
        (Question::Life, _) => "not made unconditionally alive",
    }
}
