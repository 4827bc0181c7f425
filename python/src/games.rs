//! Many games at a time, as batches of Arrow.

use arrow_array::{RecordBatch, RecordBatchReader, ffi_stream::FFI_ArrowArrayStream};
use arrow_schema::{ArrowError, SchemaRef, ffi::FFI_ArrowSchema};
use jigo_analysis::export::{CappedGames, PlySample, PositionBatches, Rate};
use jigo_engine::RuleSet;
use jigo_selfplay::{
    Policy, Progress, Run, RunConfig,
    dataset::{GameBatches, MovesColumn},
};
use pyo3::{
    exceptions::{PyIndexError, PyKeyboardInterrupt},
    prelude::*,
    types::{PyCapsule, PyDict, PyTuple},
};

use crate::{
    arguments::{MAX_GAMES, MAX_HANDICAP, Points, Size, Text, config, invalid, number, number_or, sides},
    background,
    game::PyGame,
    positions::PyPositions,
};

/// Games of a policy against itself, which are played when they are
/// read.
///
/// Everything that reads an Arrow C stream takes them, batch by batch
/// and without copies: ``pyarrow.table(games)``,
/// ``polars.DataFrame(games)``,
/// ``duckdb.from_arrow(pyarrow.RecordBatchReader.from_stream(games))``.
/// Each reader plays the same games anew. ``games[i]`` is one of them
/// as a :class:`Game`.
///
/// The columns are those of a dataset that ``jigo play`` writes, with a
/// row for each game: ``game_index``; ``moves``, a list of move numbers
/// (points in row-major order from the top left, then the pass);
/// ``plies``, ``passes``; ``capped``, whether the game was stopped at
/// the move limit; ``margin``, Black's area minus White's in points
/// before komi; areas, stones and prisoners of both; and the superko
/// events.
#[pyclass(name = "Games", module = "jigo", frozen)]
pub(crate) struct PyGames {
    run: Run,
    games: u64,
    moves: MovesColumn,
    ownership: bool,
    threads: usize,
}

/// Describes games of a policy against itself. They are played when
/// they are read.
///
/// Args:
///     size: Points on a side, a pair (width, height), or text such as
///         "9x13"; up to 25.
///     games: How many.
///     policy: How moves are chosen: "uniform", "eye-safe",
///         "guarded:k=3", "settled:k=3", or a search such as
///         "uct:playouts=100".
///     rules: A rule set such as "chinese", or values joined with +, as
///         in "area+simple-ko".
///     seed: Game i of a seed is the same on every machine, and the
///         same as that of ``jigo play``.
///     handicap: Handicap stones: 0, or 2 and more.
///     ply_cap: Plies after which a game is stopped, passes included; 3
///         per point unless it is given.
///     forbidden_candidates: Whether to list at every ply all moves
///         that superko forbids, in a column ``forbidden``. Slower.
///     moves: How moves are given: "list", "binary" (two bytes each,
///         little endian) or "none".
///     ownership: Whether to add a column ``ownership``: a bit for each
///         point in row-major order, first those of Black's area, then
///         those of White's.
///     threads: How many threads play; one per processor unless it is
///         given.
///
/// Raises:
///     InvalidArgument: A value is not one of these.
#[pyfunction]
#[pyo3(signature = (
    size = Size::nine(), games = None, policy = Text(Policy::EYE_SAFE), rules = Text::tromp_taylor(), seed = None, *, handicap = None, ply_cap = None,
    forbidden_candidates = false, moves = Text(MovesColumn::List), ownership = false, threads = None
), text_signature = "(size=9, games=100_000, policy='eye-safe', rules='tromp-taylor', seed=1, *, handicap=0, ply_cap=None, forbidden_candidates=False, moves='list', ownership=False, threads=None)")]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn play(
    size: Size,
    games: Option<&Bound<'_, PyAny>>,
    policy: Text<Policy>,
    rules: Text<RuleSet>,
    seed: Option<&Bound<'_, PyAny>>,
    handicap: Option<&Bound<'_, PyAny>>,
    ply_cap: Option<&Bound<'_, PyAny>>,
    forbidden_candidates: bool,
    moves: Text<MovesColumn>,
    ownership: bool,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyGames> {
    let handicap = number_or("handicap", handicap, 0, 0..=MAX_HANDICAP)?;
    let config = config(size.0, rules.0, policy.0, handicap, ply_cap, forbidden_candidates)?;
    Ok(PyGames {
        run: config.seed(number_or("seed", seed, 1, 0..=u64::MAX)?),
        games: number_or("games", games, 100_000, 0..=MAX_GAMES)?,
        moves: moves.0,
        ownership,
        threads: background::threads(threads)?,
    })
}

#[pymethods]
impl PyGames {
    /// The width and the height of the board.
    #[getter]
    fn size(&self) -> (usize, usize) {
        sides(self.run.config.size)
    }

    /// The rule set.
    #[getter]
    fn rules(&self) -> String {
        self.run.config.rules.to_string()
    }

    /// The policy.
    #[getter]
    fn policy(&self) -> String {
        self.run.config.policy.to_string()
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.run.seed
    }

    /// Returns positions of the games as NumPy arrays, sampled as
    /// ``jigo export --to npz`` does.
    ///
    /// Args:
    ///     per_game: Positions of each game, chosen at random without
    ///         repetition.
    ///     rate: Instead, the share of all positions that is taken, such as
    ///         0.05.
    ///     komi: Points added to White's score, for results.
    ///     capped: What happens to games that were stopped at the move
    ///         limit: "exclude", "include" or "only".
    ///
    /// Returns:
    ///     An iterator of dicts, each with some thousand positions; see
    ///     :class:`Positions`.
    #[pyo3(signature = (*, per_game = None, rate = None, komi = Points::ZERO, capped = Text(CappedGames::Exclude)),
           text_signature = "($self, *, per_game=1, rate=None, komi=0, capped='exclude')")]
    fn positions(
        &self,
        per_game: Option<&Bound<'_, PyAny>>,
        rate: Option<&Bound<'_, PyAny>>,
        komi: Points,
        capped: Text<CappedGames>,
    ) -> PyResult<PyPositions> {
        let sample = match (per_game, rate) {
            (Some(_), Some(_)) => return Err(invalid("per_game and rate exclude each other: leave one out")),
            (None, None) => PlySample::Count(1),
            (Some(count), None) => PlySample::Count(number("per_game", count, 1..=u32::MAX.into())? as u32),
            (None, Some(rate)) => PlySample::Rate(rate.str()?.to_string().parse::<Rate>().map_err(invalid)?),
        };
        let mut batches = PositionBatches::new(self.run, 0..self.games, sample);
        (batches.komi, batches.capped) = (komi.0, capped.0);
        Ok(PyPositions::new(batches, self.threads))
    }

    /// Returns an Arrow C stream, as the PyCapsule interface of Arrow
    /// demands.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to give what there is instead.
        drop(requested_schema);
        let reader = Reader { batches: self.batches(), threads: self.threads };
        stream(py, reader)
    }

    /// Returns the names and types of the columns, as the PyCapsule
    /// interface of Arrow demands.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.batches().schema()).map_err(invalid)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.games as usize
    }

    fn __getitem__(&self, py: Python<'_>, index: i64) -> PyResult<PyGame> {
        let from_end = if index < 0 { self.games } else { 0 };
        let index = from_end.checked_add_signed(index).filter(|&index| index < self.games);
        let index = index.ok_or_else(|| PyIndexError::new_err(format!("there are {} games", self.games)))?;
        let record = background::run(py, 1, || (), || self.run.game(index))?;
        PyGame::replay(&self.run.config, &record.moves)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let RunConfig { size, rules, policy, ply_cap, count_forbidden, handicap } = self.run.config;
        let arguments = PyDict::new(py);
        arguments.set_item("size", size.to_string())?;
        arguments.set_item("games", self.games)?;
        arguments.set_item("policy", policy.to_string())?;
        arguments.set_item("rules", rules.to_string())?;
        arguments.set_item("seed", self.run.seed)?;
        arguments.set_item("handicap", handicap)?;
        arguments.set_item("ply_cap", ply_cap)?;
        arguments.set_item("forbidden_candidates", count_forbidden)?;
        arguments.set_item("moves", self.moves.to_string())?;
        arguments.set_item("ownership", self.ownership)?;
        arguments.set_item("threads", (self.threads > 0).then_some(self.threads))?;
        let play = (py.import("jigo")?.getattr("play")?,);
        let again = py.import("functools")?.getattr("partial")?.call(play, Some(&arguments))?;
        Ok((again, PyTuple::empty(py)))
    }

    fn __repr__(&self) -> String {
        let RunConfig { size, rules, policy, .. } = self.run.config;
        let (games, seed) = (self.games, self.run.seed);
        format!("jigo.play('{size}', games={games}, policy='{policy}', rules='{rules}', seed={seed})")
    }
}

impl PyGames {
    fn batches(&self) -> GameBatches {
        GameBatches::new(self.run, 0..self.games, self.moves, self.ownership)
    }
}

/// Returns an Arrow C stream of what the reader gives.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    reader: impl RecordBatchReader + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
}

/// Plays games as they are read.
struct Reader {
    batches: GameBatches,
    threads: usize,
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.batches.schema()
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let Self { batches, threads } = self;
        if let Some(batch) = batches.next_played() {
            return Some(Ok(batch));
        }
        let progress = Progress::new();
        let next = |py: Python<'_>| {
            match background::play(py, *threads, &progress, || batches.next(&progress)) {
                Ok(batch) => Ok(batch),
                Err(error) => {
                    let (text, is_interruption) =
                        (error.to_string(), error.is_instance_of::<PyKeyboardInterrupt>(py));
                    if is_interruption {
                        // The reader makes an exception of its own, after which Python raises this one.
                        _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
                    }
                    Err(text)
                }
            }
        };
        let batch = Python::try_attach(next).unwrap_or_else(|| Err("Python has ended".to_owned()));
        batch.map_err(|error| ArrowError::from_external_error(error.into())).transpose()
    }
}
