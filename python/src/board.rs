//! One position.

use std::sync::Arc;

use jigo_analysis::report::Reasons;
use jigo_engine::{
    Board, BoardSize, Color, Position, RuleSet, Suicide,
    life::{ChainStatus, StatusReport, StatusSolver},
    score::{Score, ScoringContext},
    solve::{Effort, Problem, solved_rules},
};
use numpy::{PyArray2, PyReadonlyArray2, ndarray::Array2};
use pyo3::prelude::*;
use serde_json::Value;

use crate::{
    arguments::{Player, Size, Text, invalid, name, number_or, points, sides, whole_numbers},
    background,
    solution::PySolution,
};

/// The stones on a board, without who is to play or what was played
/// before: see :class:`Game` for these. It does not change.
///
/// ``Board(9)`` is empty; :meth:`from_diagram` and :meth:`from_array`
/// make others. Arrays have the shape (height, width); row 0 is the
/// top.
#[pyclass(name = "Board", module = "jigo", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyBoard {
    position: Position,
}

/// Returns an array of values for all points, one row of the board
/// after the other.
pub(crate) fn by_point<'py, T: numpy::Element>(
    py: Python<'py>,
    size: BoardSize,
    values: impl IntoIterator<Item = T>,
) -> Bound<'py, PyArray2<T>> {
    let shape = (size.height(), size.width());
    let values = Array2::from_shape_vec(shape, values.into_iter().collect()).expect("a value for each point");
    PyArray2::from_owned_array(py, values)
}

/// Returns 1 for Black, -1 for White and 0 for neither.
pub(crate) fn sign(color: Option<Color>) -> i8 {
    color.map_or(0, |color| color.sign() as i8)
}

impl PyBoard {
    pub(crate) fn new(position: Position) -> Self {
        Self { position }
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    fn board_size(&self) -> BoardSize {
        self.position.size()
    }
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (size = Size::nineteen()), text_signature = "(size=19)")]
    fn empty(size: Size) -> Self {
        Self::new(Position::new(size.0))
    }

    /// Reads a position from text: a line for each row from the top, X for
    /// Black, O for White, a dot for an empty point.
    #[staticmethod]
    fn from_diagram(text: &str) -> PyResult<Self> {
        // No chain lacks liberties, whatever the rules.
        let board: Board = Board::from_diagram(text, Suicide::Forbidden).map_err(invalid)?;
        Ok(Self::new(board.position()))
    }

    /// Makes a position of an array of shape (height, width): 1 for a black
    /// stone, -1 for a white one, 0 for an empty point.
    #[staticmethod]
    fn from_array(stones: &Bound<'_, PyAny>) -> PyResult<Self> {
        let what = "stones are an array of whole numbers of shape (height, width)";
        let array = whole_numbers(what, stones, |shape| shape.len() == 2)?;
        let array: PyReadonlyArray2<'_, i64> = array.extract()?;
        let array = array.as_array();
        let size = BoardSize::new(array.ncols(), array.nrows()).map_err(invalid)?;
        let mut stones = Vec::new();
        for point in size.points() {
            match array[[point.y.into(), point.x.into()]] {
                0 => {}
                1 => stones.push((point, Color::Black)),
                -1 => stones.push((point, Color::White)),
                other => {
                    return Err(invalid(format!("a stone is 1 or -1 and an empty point 0, not {other}")));
                }
            }
        }
        let mut board: Board = Board::new(size, Suicide::Forbidden);
        board.set_position(stones, Color::Black).map_err(invalid)?;
        Ok(Self::new(board.position()))
    }

    /// The width and the height.
    #[getter]
    fn size(&self) -> (usize, usize) {
        sides(self.board_size())
    }

    /// The stones: an int8 array of shape (height, width), 1 for Black, -1
    /// for White, 0 for an empty point.
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        let size = self.board_size();
        by_point(py, size, size.points().map(|point| sign(self.position.stone(point))))
    }

    /// Whose area each point is by Tromp-Taylor counting, all stones being
    /// alive: an int8 array of shape (height, width), 1 for Black, -1 for
    /// White, 0 for neutral points.
    #[getter]
    fn area<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        let owners = jigo_engine::AnyPosition::new(&self.position).owners();
        by_point(py, self.board_size(), owners.into_iter().map(sign))
    }

    /// Counts the position as the end of a game, without prisoners;
    /// :meth:`Game.score` knows them.
    ///
    /// Args:
    ///     rules: Their counting, tax and handicap bonus matter.
    ///     dead: Dead stones, every one of them, named as moves.
    #[pyo3(signature = (rules = Text::tromp_taylor(), *, dead = None), text_signature = "($self, rules='tromp-taylor', *, dead=())")]
    fn score(&self, rules: Text<RuleSet>, dead: Option<&Bound<'_, PyAny>>) -> PyResult<PyScore> {
        let dead = points(dead, self.board_size())?;
        let context = ScoringContext { dead: &dead, ..ScoringContext::default() };
        Ok(PyScore::new(self.position.score(*rules.0, &context)))
    }

    /// The points of unconditionally alive stones and of the territory that
    /// they enclose (Benson): an int8 array of shape (height, width), 1 for
    /// Black's, -1 for White's.
    ///
    /// Args:
    ///     rules: Whether they allow suicide matters.
    #[pyo3(signature = (rules = Text::tromp_taylor()), text_signature = "($self, rules='tromp-taylor')")]
    fn unconditional_life<'py>(&self, py: Python<'py>, rules: Text<RuleSet>) -> Bound<'py, PyArray2<i8>> {
        let size = self.board_size();
        let mut signs = vec![0; size.point_count()];
        for color in Color::BOTH {
            let life = self.position.unconditional_life(color, rules.0.suicide);
            for point in life.stones().chain(life.territory()) {
                signs[point.index(size)] = sign(Some(color));
            }
        }
        by_point(py, size, signs)
    }

    /// Finds the status of every chain, with proofs.
    ///
    /// Args:
    ///     rules: Their ko and suicide matter.
    ///     limit: States that a search of one question may visit. A higher
    ///         limit never proves less.
    ///
    /// Returns:
    ///     The chains, Black's first. ``chain.explain()`` and
    ///     ``chain.evidence()`` show what proves a status.
    #[pyo3(signature = (rules = Text::tromp_taylor(), *, limit = None), text_signature = "($self, rules='tromp-taylor', *, limit=5000)")]
    fn status(
        &self,
        py: Python<'_>,
        rules: Text<RuleSet>,
        limit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<PyChain>> {
        let limit = number_or("limit", limit, StatusSolver::DEFAULT_LIMIT as u64, 0..=100_000_000)?;
        let mut solver = StatusSolver::with_limit(rules.0.suicide, rules.0.ko, limit as usize);
        let report = background::run(py, 1, || (), || solver.solve(&self.position))?;
        let found = Arc::new(Found { position: self.position.clone(), suicide: rules.0.suicide, report });
        let chain = |(index, chain)| PyChain::new(chain, index, &found);
        Ok(found.report.chains().enumerate().map(chain).collect())
    }

    /// Finds the result of best play by both, with proofs: up to 25 points,
    /// or fewer open ones on a larger board; see docs/solve.md.
    ///
    /// Args:
    ///     to_play: "black" or "white".
    ///     rules: Their ko, suicide and tax matter; area is counted.
    ///     memory: The bytes that the search may take. At the limit, what
    ///         was found is returned.
    ///     threads: How many threads search; one unless it is given. With
    ///         more, the states looked at vary.
    #[pyo3(signature = (to_play = Player(Color::Black), rules = Text::tromp_taylor(), *, memory = None, threads = None),
           text_signature = "($self, to_play='black', rules='tromp-taylor', *, memory=1_000_000_000, threads=1)")]
    fn solve(
        &self,
        py: Python<'_>,
        to_play: Player,
        rules: Text<RuleSet>,
        memory: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PySolution> {
        let memory = number_or("memory", memory, 1_000_000_000, 1..=1 << 50)? as usize;
        let threads = background::threads(threads)?.max(1);
        let rules = solved_rules(*rules.0).map_err(invalid)?;
        let problem = Problem::new(&self.position, to_play.0, None, rules.suicide).map_err(invalid)?;
        PySolution::find(py, &problem, rules, Effort { memory, threads, ..Effort::default() })
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("{:#}", self.position)
    }
}

/// Points of both sides at the end of a game. Pairs are (Black, White).
#[pyclass(name = "Score", module = "jigo", frozen, get_all)]
pub(crate) struct PyScore {
    /// Black's points minus White's before komi.
    margin: i32,
    /// The points of both before komi.
    points: (i32, i32),
    /// Living stones; none under territory counting.
    stones: (u32, u32),
    /// Points that are surrounded, those under dead stones included.
    surrounded: (u32, u32),
    /// Prisoners, dead stones included; none under area counting.
    prisoners: (u32, u32),
    /// Points that White receives for handicap stones.
    handicap_bonus: u32,
    /// Points that neither surrounds.
    dame: u32,
}

impl PyScore {
    pub(crate) fn new(score: Score) -> Self {
        Self {
            margin: score.margin(),
            points: Color::BOTH.map(|color| score.of(color)).into(),
            stones: score.stones.into(),
            surrounded: score.surrounded.into(),
            prisoners: score.prisoners.into(),
            handicap_bonus: score.handicap_bonus,
            dame: score.dame,
        }
    }
}

#[pymethods]
impl PyScore {
    fn __repr__(&self) -> String {
        let Self { margin, points: (black, white), .. } = self;
        format!("Score(margin={margin}, points=({black}, {white}))")
    }
}

/// The statuses of a position.
struct Found {
    position: Position,
    suicide: Suicide,
    report: StatusReport,
}

/// A chain with its status.
#[pyclass(name = "Chain", module = "jigo", frozen)]
pub(crate) struct PyChain {
    /// "black" or "white".
    #[pyo3(get)]
    color: String,
    /// The names of its points, row by row from the top.
    #[pyo3(get)]
    stones: Vec<String>,
    /// "alive", "seki", "unsettled", "ko", "dead" or "unknown".
    #[pyo3(get)]
    status: &'static str,
    /// How the status is proved: "benson", "static", "search", or "none" if
    /// it is unknown.
    #[pyo3(get)]
    proof: &'static str,
    /// Its place among the chains of the position.
    index: usize,
    found: Arc<Found>,
}

impl PyChain {
    fn new(chain: &ChainStatus, index: usize, found: &Arc<Found>) -> Self {
        let size = found.position.size();
        Self {
            color: name(chain.color),
            stones: chain.stones.iter().map(|stone| stone.to_gtp(size)).collect(),
            status: chain.status.name(),
            proof: chain.proof.name(),
            index,
            found: Arc::clone(found),
        }
    }

    /// Says why it has its status, in words and as JSON.
    fn reason(&self, py: Python<'_>) -> PyResult<(String, Value)> {
        let Found { position, suicide, report } = &*self.found;
        let reasons = Reasons { position, suicide: *suicide, report };
        let chain = report.chains().nth(self.index).expect("a chain of the position");
        background::run(py, 1, || (), || reasons.of(chain))
    }
}

#[pymethods]
impl PyChain {
    /// Says in words why it has its status, with lines of play.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.reason(py)?.0)
    }

    /// Returns what proves the status, as `jigo status --prove --json`
    /// prints it.
    ///
    /// ``lines`` has a line of play for each player who may move first: the
    /// question, the answer and the plies; ``part`` the points that matter.
    /// ``zone`` is a proof in a part of an open board. ``vital_regions``
    /// and ``enclosing_chains`` show unconditional life and death.
    fn evidence<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = self.reason(py)?.1.to_string();
        py.import("json")?.call_method1("loads", (json,))
    }

    fn __repr__(&self) -> String {
        let Self { color, stones, status, proof, .. } = self;
        format!("Chain({color} {}, stones={}, status='{status}', proof='{proof}')", stones[0], stones.len())
    }
}
