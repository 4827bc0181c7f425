//! What Python code may write for sizes, rules, numbers and moves, and the exceptions where it is wrong.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

use jigo_engine::{BoardSize, Color, Komi, Move, Point, RuleSet, Rules};
use jigo_selfplay::{Policy, RunConfig};
use pyo3::prelude::*;

pyo3::import_exception!(jigo.errors, Error);
pyo3::import_exception!(jigo.errors, IllegalMove);
pyo3::import_exception!(jigo.errors, InvalidArgument);
pyo3::import_exception!(jigo.errors, InvalidRecord);

/// Makes an exception of what is wrong with an argument.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    InvalidArgument::new_err(error.to_string())
}

/// A board size: points on a side, a pair (width, height), or text such
/// as "9x13".
pub(crate) struct Size(pub(crate) BoardSize);

impl Size {
    /// The default of many games.
    pub(crate) fn nine() -> Self {
        Self(BoardSize::square(9).expect("a size of boards"))
    }

    /// The default of one game.
    pub(crate) fn nineteen() -> Self {
        Self(BoardSize::square(19).expect("a size of boards"))
    }
}

impl<'py> FromPyObject<'_, 'py> for Size {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let size = if let Ok(text) = object.extract::<String>() {
            text.parse()
        } else if let Ok((width, height)) = object.extract::<(usize, usize)>() {
            BoardSize::new(width, height)
        } else {
            object.str()?.to_string().parse()
        };
        size.map(Self).map_err(invalid)
    }
}

/// A value that is written as text, such as a rule set or a policy.
pub(crate) struct Text<T>(pub(crate) T);

impl Text<RuleSet> {
    /// The default rules.
    pub(crate) fn tromp_taylor() -> Self {
        Self(Rules::TROMP_TAYLOR.into())
    }
}

impl<'py, T: FromStr<Err: Display>> FromPyObject<'_, 'py> for Text<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract::<String>()?.parse().map(Self).map_err(invalid)
    }
}

/// A komi: a number of points, whole or a half.
pub(crate) struct Points(pub(crate) Komi);

impl Points {
    pub(crate) const ZERO: Self = Self(Komi::ZERO);
}

impl<'py> FromPyObject<'_, 'py> for Points {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.str()?.to_string().parse().map(Self).map_err(invalid)
    }
}

/// A player, "black" or "white".
pub(crate) struct Player(pub(crate) Color);

impl<'py> FromPyObject<'_, 'py> for Player {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text: String = object.extract()?;
        let color = Color::BOTH.into_iter().find(|&color| name(color) == text.to_lowercase());
        color.map(Self).ok_or_else(|| invalid(format!("`{text}` is not a player: write black or white")))
    }
}

/// Returns how Python code writes a player.
pub(crate) fn name(color: Color) -> String {
    color.name().to_lowercase()
}

/// Takes a whole number within a range.
pub(crate) fn number(what: &str, object: &Bound<'_, PyAny>, range: RangeInclusive<u64>) -> PyResult<u64> {
    let is_index = object.call_method0("__index__").is_ok();
    let number = object.call_method0("__index__").and_then(|index| index.extract::<u64>()).ok();
    match number.filter(|number| range.contains(number)) {
        Some(number) => Ok(number),
        None if is_index => {
            let (least, most) = range.into_inner();
            Err(invalid(format!("{what} is {object}, but must be from {least} to {most}")))
        }
        None => Err(pyo3::exceptions::PyTypeError::new_err(format!("{what} must be a whole number"))),
    }
}

/// Takes a whole number within a range, which has a default.
pub(crate) fn number_or(
    what: &str,
    object: Option<&Bound<'_, PyAny>>,
    default: u64,
    range: RangeInclusive<u64>,
) -> PyResult<u64> {
    object.map_or(Ok(default), |object| number(what, object, range))
}

/// Makes the configuration of games.
pub(crate) fn config(
    size: BoardSize,
    rules: RuleSet,
    policy: Policy,
    handicap: u64,
    ply_cap: Option<&Bound<'_, PyAny>>,
    count_forbidden: bool,
) -> PyResult<RunConfig> {
    policy.check(size).map_err(invalid)?;
    let config = RunConfig::new(size, rules, policy).with_handicap(handicap as u32).map_err(invalid)?;
    let most = RunConfig::MAX_PLY_CAP.into();
    let ply_cap = number_or("ply_cap", ply_cap, config.ply_cap.into(), 1..=most)? as u32;
    Ok(RunConfig { ply_cap, count_forbidden, ..config })
}

/// The most games: programs that read counts as floating-point numbers
/// keep them exactly up to here.
pub(crate) const MAX_GAMES: u64 = 1 << 53;

/// The most handicap stones that are looked at; how many there may be
/// depends on the rules and the board.
pub(crate) const MAX_HANDICAP: u64 = BoardSize::MAX_POINTS as u64;

/// Takes a move: a name such as "C4" or "pass", the number of a point
/// or of the pass, or column and row from the top left.
pub(crate) fn mv(object: &Bound<'_, PyAny>, size: BoardSize) -> PyResult<Move> {
    if let Ok(name) = object.extract::<String>() {
        return Move::from_gtp(&name, size).map_err(invalid);
    }
    if let Ok((column, row)) = object.extract::<(usize, usize)>() {
        let is_on_board = column < size.width() && row < size.height();
        let outside = || invalid(format!("({column}, {row}) is outside a {size} board"));
        return is_on_board.then(|| Move::Play(Point::new(column as u8, row as u8))).ok_or_else(outside);
    }
    let code = number("the number of a move", object, 0..=size.point_count() as u64)?;
    Ok(Move::from_code(code as u16, size).expect("the number of a point or of the pass"))
}

/// Takes whole numbers of a shape as an array of int64.
pub(crate) fn whole_numbers<'py>(
    what: &str,
    object: &Bound<'py, PyAny>,
    is_shape: impl FnOnce(&[usize]) -> bool,
) -> PyResult<Bound<'py, PyAny>> {
    let array = object.py().import("numpy")?.call_method1("asarray", (object,))?;
    let (dtype, shape) = (array.getattr("dtype")?, array.getattr("shape")?);
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") || !is_shape(&shape.extract::<Vec<usize>>()?) {
        return Err(invalid(format!("{what}, not {dtype} of shape {shape}")));
    }
    array.call_method1("astype", ("int64",))
}

/// Returns the width and the height of a board.
pub(crate) fn sides(size: BoardSize) -> (usize, usize) {
    (size.width(), size.height())
}

/// Takes points, each written as a move; none unless they are given.
pub(crate) fn points(object: Option<&Bound<'_, PyAny>>, size: BoardSize) -> PyResult<Vec<Point>> {
    object.map_or(Ok(Vec::new()), |object| object.try_iter()?.map(|item| point(&item?, size)).collect())
}

/// Takes a point, written as a move.
fn point(object: &Bound<'_, PyAny>, size: BoardSize) -> PyResult<Point> {
    mv(object, size)?.point().ok_or_else(|| invalid("a pass is not a point"))
}
