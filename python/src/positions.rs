//! Positions of many games, as NumPy arrays.

use std::sync::{Mutex, PoisonError};

use jigo_analysis::export::{Array, PositionBatches};
use jigo_selfplay::Progress;
use numpy::PyArray1;
use pyo3::{prelude::*, types::PyDict};

use crate::background;

/// Positions of games, an iterator of batches. Games are played when a
/// batch is asked for.
///
/// A batch is a dict of arrays with a row for each position, named as
/// in KataGo's training data where that fits. H and W are the height
/// and width of the board, M its points and the pass; values for a
/// point are in rows from the top.
///
/// ``binaryInputNCHW``: uint8 N,22,H,W
///     Stones, liberties, forbidden moves and last moves, as the player
///     to move sees them.
/// ``globalInputNC``: float32 N,19
///     Passes before, komi and rules.
/// ``policyTargetsNCMove``: int16 N,2,M
///     1 for the move that was played, and for the next one.
/// ``globalTargetsNC``: float32 N,64
///     Result, margin and weights.
/// ``valueTargetsNCHW``: int8 N,1,H,W
///     1 for points that the player to move owned at the end, -1 for
///     the opponent's.
/// ``stones``: int8 N,H,W
///     1 for a black stone, -1 for a white one.
/// ``ownership``: int8 N,H,W
///     1 for points that Black owned at the end, -1 for White's.
/// ``move``: uint16 N
///     Number of the move that was played: points in row-major order,
///     then the pass.
/// ``to_play``: uint8 N
///     0 for Black, 1 for White.
/// ``margin``: int16 N
///     Black's area minus White's at the end, before komi.
/// ``result``: float32 N
///     Black's points minus White's after komi; NaN if the game was
///     stopped.
/// ``game_index``, ``ply``: uint64, uint16
///     Where the position comes from.
/// ``policy``: float32 N,M
///     Share of the visits of each move; only of policies that search.
/// ``search_margin``: float32 N
///     Mean margin of the search before komi; only of policies that
///     search.
#[pyclass(name = "Positions", module = "jigo", frozen)]
pub(crate) struct PyPositions {
    batches: Mutex<PositionBatches>,
    threads: usize,
}

impl PyPositions {
    pub(crate) fn new(batches: PositionBatches, threads: usize) -> Self {
        Self { batches: Mutex::new(batches), threads }
    }
}

#[pymethods]
impl PyPositions {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let progress = Progress::new();
        let next = || self.batches.lock().unwrap_or_else(PoisonError::into_inner).next(&progress);
        let batch = background::play(py, self.threads, &progress, next)?;
        batch.map(|arrays| to_dict(py, arrays)).transpose()
    }
}

fn to_dict(py: Python<'_>, arrays: Vec<Array>) -> PyResult<Bound<'_, PyDict>> {
    let (dict, mut board) = (PyDict::new(py), None);
    let mut packed = None;
    for Array { name, dtype, shape, bytes } in arrays {
        let array = PyArray1::from_vec(py, bytes).call_method1("view", (dtype,))?;
        let array = array.call_method1("reshape", (shape.clone(),))?;
        match name {
            "binaryInputNCHWPacked" => packed = Some((array, shape)),
            _ => {
                if name == "stones" {
                    board = Some((shape[1], shape[2]));
                }
                dict.set_item(name, array)?;
            }
        }
    }
    if let (Some((packed, shape)), Some((height, width))) = (packed, board) {
        let options = PyDict::new(py);
        options.set_item("axis", 2)?;
        options.set_item("count", height * width)?;
        let planes = py.import("numpy")?.getattr("unpackbits")?.call((packed,), Some(&options))?;
        let planes = planes.call_method1("reshape", ((shape[0], shape[1], height, width),))?;
        dict.set_item("binaryInputNCHW", planes)?;
    }
    Ok(dict)
}
