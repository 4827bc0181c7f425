//! jigo for Python: the compiled part of the package.
//!
//! | file | content |
//! | --- | --- |
//! | `arguments.rs` | what Python code may write for sizes, rules, numbers and moves |
//! | `background.rs` | work on threads, which Ctrl-C stops |
//! | `board.rs`, `game.rs` | one position, one game |
//! | `environment.rs` | many games side by side, for reinforcement learning |
//! | `games.rs`, `positions.rs` | many games, as Arrow; their positions, as NumPy arrays |
//! | `solution.rs` | best play on small boards |
//! | `study.rs` | measured games, fair komi |

mod arguments;
mod background;
mod board;
mod environment;
mod game;
mod games;
mod positions;
mod solution;
mod study;

use numpy::PyArray1;
use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        board::{PyBoard, PyChain, PyScore},
        environment::PyLockstep,
        game::{PyGame, PySearch},
        games::{PyGames, play},
        positions::PyPositions,
        solution::PySolution,
        study::{PyEstimate, PyFairKomi, PyRun, PyStudy, PyTable, fair_komi, study},
    };

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // NumPy is found now, where Ctrl-C is an exception as any other. The first array would find it later, and panic.
        numpy::get_array_module(module.py())?;
        drop(PyArray1::<u8>::zeros(module.py(), 0, false));
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
