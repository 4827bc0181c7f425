//! A proof, and how it is written.

use std::{
    io::{self, BufRead, Write},
    sync::{OnceLock, atomic::AtomicBool},
};

use super::{
    Claim, Problem,
    check::{Flaw, Verdict, check_strategy},
    game_graph::GameGraph,
    small_board::NO_POINT,
    strategy::{StateCode, Strategy},
    text::{Head, Lines, ReadProofError},
};
use crate::{Move, Rules};

/// A proof of a claim about a problem.
#[derive(Clone, Debug)]
pub struct Proof {
    pub(super) problem: Problem,
    pub(super) claim: Claim,
    pub(super) body: Body,
    /// What the check has found, once it was made.
    verdict: OnceLock<Result<Verdict, Flaw>>,
}

/// What a proof consists of.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// A reply for each state that can come up, whatever was played before.
    Strategy(Strategy),
    /// The games that can come up under one ko rule.
    Graph(GameGraph),
}

impl Proof {
    pub(super) const fn new(problem: Problem, claim: Claim, body: Body) -> Self {
        Self { problem, claim, body, verdict: OnceLock::new() }
    }

    /// Adds what a check has found.
    pub(super) fn checked(self, verdict: Verdict) -> Self {
        Self { verdict: Ok(verdict).into(), ..self }
    }

    /// Returns the position that the proof is about.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns what is proved.
    #[must_use]
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// Returns the rules under which a proof with the history of the game holds. Others hold under simple ko and, as the [check](Self::check) finds,
    /// under every superko rule.
    #[must_use]
    pub const fn rules(&self) -> Option<Rules> {
        match &self.body {
            Body::Strategy(_) => None,
            Body::Graph(graph) => Some(graph.rules),
        }
    }

    /// Returns the number of states of which it says what is played.
    #[must_use]
    pub fn state_count(&self) -> usize {
        match &self.body {
            Body::Strategy(strategy) => strategy.len(),
            Body::Graph(graph) => graph.len(),
        }
    }

    /// Returns the prover's first move, where she is to play.
    #[must_use]
    pub fn first_move(&self) -> Option<Move> {
        let Problem { board, start, .. } = &self.problem;
        if start.to_play != self.claim.prover {
            return None;
        }
        let bit = match &self.body {
            Body::Strategy(strategy) => {
                let (code, symmetry) = StateCode::new(board, start);
                // The move for the image, turned back.
                board.origin(strategy.get(code)?.place, symmetry)
            }
            Body::Graph(graph) => graph.first_move()?,
        };
        Some(if bit == NO_POINT { Move::Pass } else { Move::Play(board.point(bit)) })
    }

    /// Checks the proof without a search, once: later calls return the same.
    ///
    /// Cost: about two microseconds for each state on one core of a virtual machine (AMD EPYC). A proof with the history of the game is passed through
    /// once more for each 64 boards.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<Verdict, Flaw> {
        let check = || match &self.body {
            Body::Strategy(strategy) => {
                let never = AtomicBool::new(false);
                check_strategy(&self.problem, self.claim, strategy, &never).map(|(verdict, _)| verdict)
            }
            Body::Graph(graph) => graph.check(&self.problem, self.claim),
        };
        *self.verdict.get_or_init(check)
    }

    /// Writes the proof as text, in the format of `docs/solve.md`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (board, prover) = (&self.problem.board, self.claim.prover);
        Head::write(out, &self.problem, self.rules(), self.claim, self.state_count())?;
        match &self.body {
            Body::Strategy(strategy) => strategy.write(out, board, prover),
            Body::Graph(graph) => graph.write(out, board, prover),
        }
    }

    /// Reads the next proof of a text; nothing at its end. What it says is not checked.
    ///
    /// # Errors
    /// [`ReadProofError`], with the line.
    pub fn read(input: &mut Lines<impl BufRead>) -> Result<Option<Self>, ReadProofError> {
        let Some(Head { problem, rules, claim, states }) = Head::read(input)? else { return Ok(None) };
        let board = &problem.board;
        let body = match rules {
            None => Body::Strategy(Strategy::read(input, board, claim.prover, states)?),
            Some(rules) => Body::Graph(GameGraph::read(input, board, claim.prover, rules, states)?),
        };
        Ok(Some(Self::new(problem, claim, body)))
    }
}
