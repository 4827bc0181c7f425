//! Measured games, and the fair komi of margins.

use std::path::PathBuf;

use arrow_array::{
    Array as _, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator,
    StringArray,
};
use arrow_schema::{Field, Schema};
use jigo_analysis::{
    MarginCounts, RunStats, Study, fair_komi as estimate_fair_komi,
    report::{self, Program, QuantityValue, ReportFolder, ReportMeta},
};
use jigo_engine::{RuleSet, rules::KomiChoice};
use jigo_selfplay::{Policy, Progress, RunConfig};
use numpy::PyReadonlyArray1;
use pyo3::{
    exceptions::PyAttributeError,
    prelude::*,
    types::{PyCapsule, PyDict, PyString},
};

use crate::{
    arguments::{
        Error, MAX_GAMES, MAX_HANDICAP, Size, Text, config, invalid, number, number_or, sides, whole_numbers,
    },
    background,
    games::stream,
};

/// Takes one value or several.
fn several<'py, T>(object: &Bound<'py, PyAny>) -> PyResult<Vec<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    if object.is_instance_of::<PyString>() || object.try_iter().is_err() {
        return Ok(vec![object.extract().map_err(Into::into)?]);
    }
    let values = object.try_iter()?.map(|item| item?.extract().map_err(Into::into));
    let values = values.collect::<PyResult<Vec<T>>>()?;
    if values.is_empty() { Err(invalid("a list is empty")) } else { Ok(values) }
}

/// Plays games and measures them: fair komi, who wins, superko, seki
/// and dead stones.
///
/// Args:
///     sizes: Board sizes: one, or a list. In a list a pair is (width,
///         height).
///     rules: A rule set, or a list. Several are compared game by game,
///         with the same random numbers.
///     policies: A policy, or a list; see :func:`play`.
///     games: Games for each combination of size, rules and policy.
///     seed: Game i of a seed is the same on every machine.
///     handicaps: Handicap stones, or a list.
///     komi: The komi at which wins are counted: a number, or "rules"
///         for the komi of each rule set.
///     ply_cap: Plies after which a game is stopped; 3 per point unless
///         it is given.
///     forbidden_candidates: Whether to count at every ply all moves
///         that superko forbids. Slower.
///     threads: How many threads play; one per processor unless it is
///         given.
///
/// Raises:
///     InvalidArgument: A value is not one of these.
#[pyfunction]
#[pyo3(signature = (
    sizes = None, rules = None, policies = None, games = None, seed = None, *, handicaps = None, komi = None, ply_cap = None, forbidden_candidates = false,
    threads = None
), text_signature = "(sizes=9, rules='tromp-taylor', policies='eye-safe', games=100_000, seed=1, *, handicaps=0, komi='rules', ply_cap=None, forbidden_candidates=False, threads=None)")]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn study(
    py: Python<'_>,
    sizes: Option<&Bound<'_, PyAny>>,
    rules: Option<&Bound<'_, PyAny>>,
    policies: Option<&Bound<'_, PyAny>>,
    games: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    handicaps: Option<&Bound<'_, PyAny>>,
    komi: Option<&Bound<'_, PyAny>>,
    ply_cap: Option<&Bound<'_, PyAny>>,
    forbidden_candidates: bool,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyStudy> {
    let sizes = sizes.map_or_else(|| Ok(vec![Size::nine()]), several)?;
    let rules: Vec<Text<RuleSet>> = rules.map_or_else(|| Ok(vec![Text::tromp_taylor()]), several)?;
    let policies: Vec<Text<Policy>> = policies.map_or_else(|| Ok(vec![Text(Policy::EYE_SAFE)]), several)?;
    let games = number_or("games", games, 100_000, 1..=MAX_GAMES)?;
    let seed = number_or("seed", seed, 1, 0..=u64::MAX)?;
    let handicaps: Vec<Bound<'_, PyAny>> = handicaps.map_or_else(|| Ok(vec![]), several)?;
    let handicaps = handicaps.iter().map(|stones| number("handicap", stones, 0..=MAX_HANDICAP));
    let handicaps = handicaps.collect::<PyResult<Vec<u64>>>()?;
    let handicaps = if handicaps.is_empty() { vec![0] } else { handicaps };
    let komi = komi.map_or(Ok(KomiChoice::Rules), |komi| komi.str()?.to_string().parse().map_err(invalid))?;
    let threads = background::threads(threads)?;
    let mut cells: Vec<Vec<RunConfig>> = Vec::new();
    for &Size(size) in &sizes {
        for &Text(policy) in &policies {
            for &stones in &handicaps {
                let config = |rules: &Text<RuleSet>| {
                    config(size, rules.0, policy, stones, ply_cap, forbidden_candidates)
                };
                cells.push(rules.iter().map(config).collect::<PyResult<_>>()?);
            }
        }
    }
    let command = command(&cells, games, seed, komi);
    let progress = Progress::new();
    let play = || {
        let mut study = Study::default();
        for configs in cells {
            study.play_missing(&configs, seed, 0..games, &progress, &mut |_| ())?;
        }
        Ok(study)
    };
    let study = background::play(py, threads, &progress, play)?;
    Ok(PyStudy { study, komi, command })
}

/// Returns the command that makes the report of the same games.
fn command(cells: &[Vec<RunConfig>], games: u64, seed: u64, komi: KomiChoice) -> String {
    let list = |value: &dyn Fn(&RunConfig) -> String| {
        let mut values: Vec<String> = Vec::new();
        for value in cells.iter().flatten().map(value) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values.join(",")
    };
    let mut command = format!(
        "jigo study --size {} --rules {} --policy {} --handicap {} --games {games} --seed {seed} --komi {komi}",
        list(&|config| config.size.to_string()),
        list(&|config| config.rules.to_string()),
        list(&|config| config.policy.to_string()),
        list(&|config| config.handicap.to_string()),
    );
    let first = &cells[0][0];
    if !first.has_default_ply_cap() {
        command += &format!(" --ply-cap {}", first.ply_cap);
    }
    if first.count_forbidden {
        command += " --forbidden-candidates";
    }
    command
}

/// Measured games of several runs.
///
/// ``study.runs`` has the estimates of each run, ``study.tables`` the
/// counts. In a notebook it shows the page of its report;
/// ``print(study)`` prints a summary.
#[pyclass(name = "Study", module = "jigo", frozen)]
pub(crate) struct PyStudy {
    study: Study,
    komi: KomiChoice,
    /// The command that makes the same report.
    command: String,
}

impl PyStudy {
    fn meta(&self) -> ReportMeta {
        let program =
            Program { version: env!("CARGO_PKG_VERSION").to_owned(), commit: env!("JIGO_COMMIT").to_owned() };
        ReportMeta { command_line: self.command.clone(), program, komi: self.komi }
    }
}

#[pymethods]
impl PyStudy {
    /// The runs, in the order of their sizes, rules and policies.
    #[getter]
    fn runs(&self) -> Vec<PyRun> {
        self.study.runs.iter().map(|run| PyRun::new(run, self.komi)).collect()
    }

    /// The tables by their names, in the order of the report: each an Arrow
    /// C stream, for ``pyarrow.table``, ``polars.DataFrame`` and others.
    /// Their columns are those of the CSV files in a report.
    #[getter]
    fn tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tables = PyDict::new(py);
        for (name, bytes) in report::csv_files(&self.study, self.komi) {
            tables.set_item(name.trim_end_matches(".csv"), PyTable::from_csv(&bytes)?)?;
        }
        Ok(tables)
    }

    /// Writes the report to a folder: ``report.html``, JSON and CSV files,
    /// as ``jigo study --out`` does.
    ///
    /// Args:
    ///     folder: A new or empty folder, or one with a report, which is
    ///         replaced.
    #[pyo3(signature = (folder))]
    fn save(&self, folder: PathBuf) -> PyResult<()> {
        let failed = |error: report::ReportFolderError| Error::new_err(error.to_string());
        let mut folder = ReportFolder::open(&folder, "study", false).map_err(failed)?;
        report::add_report(&mut folder, "", &self.study, &self.meta()).map_err(failed)?;
        folder.publish().map(drop).map_err(failed)
    }

    /// Returns a study of the games of both, which must not have a game in
    /// common.
    fn merge(&self, other: &Self) -> PyResult<Self> {
        let mut study = self.study.clone();
        study.merge(other.study.clone()).map_err(invalid)?;
        let command = format!("{}; {}; jigo merge", self.command, other.command);
        Ok(Self { study, komi: self.komi, command })
    }

    /// The page of the report.
    fn to_html(&self) -> String {
        report::study_page(&self.study, &self.meta())
    }

    fn _repr_html_(&self) -> String {
        // A frame of its own, so that the styles of the page and of the notebook do not meet.
        let page = self.to_html().replace('&', "&amp;").replace('"', "&quot;");
        format!(
            "<iframe srcdoc=\"{page}\" style=\"width:100%;height:44em;border:0\" title=\"jigo study\"></iframe>"
        )
    }

    fn __str__(&self) -> String {
        report::summary_table(&self.study, self.komi)
    }

    fn __repr__(&self) -> String {
        format!("Study(runs={}, games={})", self.study.runs.len(), self.study.games())
    }
}

/// The measured games of one run.
///
/// Every quantity of the report is an attribute: ``run.fair_komi``,
/// ``run.black_wins``, ``run.seki_positions``; ``run.quantities`` lists
/// all.
#[pyclass(name = "Run", module = "jigo", frozen)]
pub(crate) struct PyRun {
    config: RunConfig,
    games: u64,
    stopped_games: u64,
    komi: f64,
    margins: MarginCounts,
    quantities: Vec<QuantityValue>,
}

impl PyRun {
    fn new(run: &RunStats, komi: KomiChoice) -> Self {
        Self {
            config: run.config,
            games: run.games(),
            stopped_games: run.stopped.games,
            komi: komi.at(run.config.rules, run.config.size).to_f64(),
            margins: run.finished.margins.clone(),
            quantities: report::quantity_values(run, komi),
        }
    }
}

#[pymethods]
impl PyRun {
    /// The width and the height of the board.
    #[getter]
    fn size(&self) -> (usize, usize) {
        sides(self.config.size)
    }

    /// The rule set.
    #[getter]
    fn rules(&self) -> String {
        self.config.rules.to_string()
    }

    /// The policy.
    #[getter]
    fn policy(&self) -> String {
        self.config.policy.to_string()
    }

    /// Handicap stones.
    #[getter]
    fn handicap(&self) -> u32 {
        self.config.handicap
    }

    /// All games.
    #[getter]
    fn games(&self) -> u64 {
        self.games
    }

    /// Games that were stopped at the move limit, which no quantity
    /// includes.
    #[getter]
    fn stopped_games(&self) -> u64 {
        self.stopped_games
    }

    /// The komi at which wins are counted.
    #[getter]
    fn komi(&self) -> f64 {
        self.komi
    }

    /// How many finished games have each margin, Black's points minus
    /// White's before komi: a dict.
    #[getter]
    fn margins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.margins.histogram().iter().try_for_each(|(margin, games)| dict.set_item(margin, games))?;
        Ok(dict)
    }

    /// All quantities by name.
    #[getter]
    fn quantities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let set = |quantity: &QuantityValue| dict.set_item(quantity.name, PyEstimate::new(quantity));
        self.quantities.iter().try_for_each(set)?;
        Ok(dict)
    }

    fn __getattr__(&self, name: &str) -> PyResult<PyEstimate> {
        let quantity = self.quantities.iter().find(|quantity| quantity.name == name);
        let unknown = || PyAttributeError::new_err(format!("a run has no quantity `{name}`"));
        quantity.map(PyEstimate::new).ok_or_else(unknown)
    }

    fn __dir__(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let object = slf.py().import("builtins")?.getattr("object")?;
        let mut names: Vec<String> = object.call_method1("__dir__", (slf,))?.extract()?;
        names.extend(slf.get().quantities.iter().map(|quantity| quantity.name.to_owned()));
        Ok(names)
    }

    fn __repr__(&self) -> String {
        let RunConfig { size, rules, policy, .. } = self.config;
        format!("Run({size}, {rules}, {policy}, games={})", self.games)
    }
}

/// A number with its 95 % interval. ``float(estimate)`` is the number.
#[pyclass(name = "Estimate", module = "jigo", frozen, get_all)]
pub(crate) struct PyEstimate {
    /// The number; None where there is none.
    value: Option<f64>,
    /// The lower end of the interval; None for quantities without one.
    lower: Option<f64>,
    /// The upper end of the interval; None for quantities without one.
    upper: Option<f64>,
    /// The unit. Shares are fractions of 1.
    unit: String,
    /// What it is.
    title: String,
    /// Why there is no number, where that is known.
    reason: Option<String>,
}

impl PyEstimate {
    fn new(quantity: &QuantityValue) -> Self {
        Self {
            value: quantity.value,
            lower: quantity.interval.map(|interval| interval.lower),
            upper: quantity.interval.map(|interval| interval.upper),
            unit: quantity.unit.to_owned(),
            title: quantity.title.to_owned(),
            reason: quantity.reason.clone(),
        }
    }
}

#[pymethods]
impl PyEstimate {
    fn __float__(&self) -> f64 {
        self.value.unwrap_or(f64::NAN)
    }

    fn __repr__(&self) -> String {
        let (title, unit) = (&self.title, &self.unit);
        match (self.value, self.lower, self.upper) {
            (Some(value), Some(lower), Some(upper)) => {
                format!("{value:.4} ({lower:.4}..{upper:.4}) {unit}: {title}")
            }
            (Some(value), ..) => format!("{value} {unit}: {title}"),
            (None, ..) => format!("no value: {}", self.reason.as_deref().unwrap_or("there are no games")),
        }
    }
}

/// The fair komi of a collection of games: see :func:`fair_komi`.
#[pyclass(name = "FairKomi", module = "jigo", frozen, get_all)]
pub(crate) struct PyFairKomi {
    /// The komi at which Black and White win equally often, interpolated.
    value: f64,
    /// The lower end of its 95 % interval.
    lower: f64,
    /// The upper end of its 95 % interval.
    upper: f64,
    /// The half-integer komi at which the wins of both differ least.
    half: f64,
    /// The whole komi at which neither side wins more than half of the
    /// games.
    whole: f64,
    /// The 95 % interval of the median margin, exact for any distribution:
    /// (lower, upper).
    median_interval: (i32, i32),
    /// The number of games.
    games: u64,
}

#[pymethods]
impl PyFairKomi {
    fn __float__(&self) -> f64 {
        self.value
    }

    fn __repr__(&self) -> String {
        let Self { value, lower, upper, half, whole, games, .. } = self;
        format!("FairKomi({value:.3} ({lower:.3}..{upper:.3}), half={half}, whole={whole}, games={games})")
    }
}

/// Estimates the komi at which Black and White win equally often.
///
/// Args:
///     margins: Black's points minus White's before komi, a whole
///         number for each game: anything that ``numpy.asarray`` takes.
///
/// Raises:
///     InvalidArgument: There are fewer than 100 games, or the margins
///         are not whole numbers.
#[pyfunction]
pub(crate) fn fair_komi(margins: &Bound<'_, PyAny>) -> PyResult<PyFairKomi> {
    let array = whole_numbers("margins are whole numbers in a row", margins, |shape| shape.len() == 1)?;
    let array: PyReadonlyArray1<'_, i64> = array.extract()?;
    let mut counts = MarginCounts::new();
    for &margin in array.as_array() {
        let within = i32::try_from(margin).ok().filter(|margin| margin.abs() <= MarginCounts::LIMIT);
        counts.add(within.ok_or_else(|| invalid(format!("{margin} is not a margin of a game")))?);
    }
    let fair = estimate_fair_komi(&counts).map_err(invalid)?;
    Ok(PyFairKomi {
        value: fair.estimate.estimate,
        lower: fair.estimate.interval.lower,
        upper: fair.estimate.interval.upper,
        half: fair.half.komi.to_f64(),
        whole: fair.whole.komi.to_f64(),
        median_interval: (fair.median_interval.lower, fair.median_interval.upper),
        games: fair.games,
    })
}

/// A table as an Arrow C stream.
#[pyclass(name = "Table", module = "jigo", frozen)]
pub(crate) struct PyTable {
    batch: RecordBatch,
}

impl PyTable {
    /// Reads a CSV file of jigo. Columns are whole numbers, numbers, truth
    /// values or text, whatever all their cells are; empty cells are nulls.
    fn from_csv(bytes: &[u8]) -> PyResult<Self> {
        let unreadable = |error: csv::Error| Error::new_err(error.to_string());
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(unreadable)?.clone();
        let rows = reader.records().collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        let columns = header.iter().enumerate().map(|(index, name)| {
            let cells: Vec<Option<&str>> =
                rows.iter().map(|row| row.get(index).filter(|cell| !cell.is_empty())).collect();
            let array = column(&cells);
            (Field::new(name, array.data_type().clone(), true), array)
        });
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.unzip();
        let batch =
            RecordBatch::try_new(std::sync::Arc::new(Schema::new(fields)), arrays).map_err(invalid)?;
        Ok(Self { batch })
    }
}

/// Makes a column of these cells.
fn column(cells: &[Option<&str>]) -> ArrayRef {
    fn parsed<T: std::str::FromStr>(cells: &[Option<&str>]) -> Option<Vec<Option<T>>> {
        cells.iter().map(|cell| cell.map_or(Some(None), |cell| cell.parse().ok().map(Some))).collect()
    }
    if cells.iter().all(Option::is_none) {
        std::sync::Arc::new(Float64Array::new_null(cells.len()))
    } else if let Some(numbers) = parsed::<i64>(cells) {
        std::sync::Arc::new(Int64Array::from(numbers))
    } else if let Some(numbers) = parsed::<f64>(cells) {
        std::sync::Arc::new(Float64Array::from(numbers))
    } else if let Some(values) = parsed::<bool>(cells) {
        std::sync::Arc::new(BooleanArray::from(values))
    } else {
        std::sync::Arc::new(StringArray::from(cells.to_vec()))
    }
}

#[pymethods]
impl PyTable {
    /// Returns an Arrow C stream, as the PyCapsule interface of Arrow
    /// demands.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        stream(py, RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema()))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> =
            self.batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
        format!("Table(rows={}, columns=[{}])", self.batch.num_rows(), names.join(", "))
    }
}
