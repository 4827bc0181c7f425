//! Best play on small boards, with proofs.

use std::{ops::ControlFlow, path::PathBuf};

use jigo_analysis::proofs::{check_target, write_proofs};
use jigo_engine::{
    BoardSize, Move, Rules,
    rules::Tax,
    solve::{Bounds, Effort, Problem, Progress, Proof, Value, Verdict},
};
use pyo3::prelude::*;

use crate::{
    arguments::{Error, invalid, name},
    background,
};

/// The result of best play by both, as far as it is known.
#[pyclass(name = "Solution", module = "jigo", frozen)]
pub(crate) struct PySolution {
    size: BoardSize,
    value: Value,
    proofs: Vec<(Proof, Verdict)>,
    states: u64,
}

impl PySolution {
    /// Solves a position under these
    /// [rules](jigo_engine::solve::solved_rules).
    pub(crate) fn find(py: Python<'_>, problem: &Problem, rules: Rules, effort: Effort) -> PyResult<Self> {
        let progress = Progress::new();
        let found = background::run(
            py,
            effort.threads,
            || progress.stop(),
            || {
                // Bounds are proved without a tax.
                let is_taxed = rules.tax != Tax::None;
                let bounds =
                    if is_taxed { Bounds::unknown(problem) } else { problem.bounds(effort, &progress) };
                let mut report = |_| {
                    if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let value = problem.value(rules, &bounds, effort.memory / 2, &mut report)?;
                let exact = value.exact.iter().flat_map(|solution| solution.proofs.iter().cloned());
                let proofs = bounds.proofs.into_iter().chain(exact).flatten();
                let proofs = proofs.filter_map(|proof| Some((proof.clone(), proof.check().ok()?))).collect();
                Ok((value, proofs))
            },
        )?;
        let (value, proofs) = found.map_err(|error: jigo_engine::count::CountError| invalid(error))?;
        let states = progress.states() + value.exact.as_ref().map_or(0, |solution| solution.nodes);
        Ok(Self { size: problem.size(), value, proofs, states })
    }
}

#[pymethods]
impl PySolution {
    /// Black's area minus White's when both play best, before komi; None if
    /// it is not known.
    #[getter]
    fn margin(&self) -> Option<i32> {
        self.value.margin()
    }

    /// What the margin is at least and at most.
    #[getter]
    fn bounds(&self) -> (i32, i32) {
        (self.value.least, self.value.most)
    }

    /// Whether the margin is proved under every ko rule, not only under
    /// that of the rules.
    #[getter]
    fn holds_under_every_ko_rule(&self) -> bool {
        !self.proofs.is_empty() && self.proofs.iter().all(|(_, verdict)| verdict.holds_under_superko)
    }

    /// A best first move; None if none is proved.
    #[getter]
    fn first_move(&self) -> Option<String> {
        let of_line = self.value.exact.as_ref().and_then(|solution| solution.line.first().copied());
        let of_proof = || self.proofs.iter().find_map(|(proof, _)| proof.first_move());
        of_line.or_else(of_proof).map(|mv: Move| mv.to_gtp(self.size))
    }

    /// A line of best play, where the search knew the history of the game;
    /// else empty.
    #[getter]
    fn line(&self) -> Vec<String> {
        let moves = self.value.exact.iter().flat_map(|solution| &solution.line);
        moves.map(|mv| mv.to_gtp(self.size)).collect()
    }

    /// States that the search looked at.
    #[getter]
    fn states(&self) -> u64 {
        self.states
    }

    /// Writes the proofs to a file, which ``jigo verify`` checks;
    /// compressed when its name ends with .gz.
    fn save_proofs(&self, path: PathBuf) -> PyResult<()> {
        if self.proofs.is_empty() {
            return Err(invalid("nothing is proved"));
        }
        let failed = |error: String| Error::new_err(format!("cannot write {}: {error}", path.display()));
        check_target(&path).map_err(|error| failed(error.to_string()))?;
        let proofs = self.proofs.iter().map(|(proof, _)| proof);
        write_proofs(&path, proofs).map_err(|error| failed(error.to_string()))
    }

    fn __repr__(&self) -> String {
        let proofs = self.proofs.iter().map(|(proof, verdict)| {
            let claim = proof.claim();
            format!("{} {:+} in {} states", name(claim.prover), claim.margin, verdict.states)
        });
        let (least, most) = self.bounds();
        let margin = if least == most { format!("{least:+}") } else { format!("{least:+} to {most:+}") };
        format!("Solution(margin {margin}; proofs: {})", proofs.collect::<Vec<_>>().join(", "))
    }
}
