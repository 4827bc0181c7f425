//! Reading input: files, standard input, positions in diagrams.

use std::path::Path;

use anyhow::Context as _;
use jigo_engine::{Board, Position, Suicide};
use jigo_selfplay::files::{MAX_TEXT_BYTES, read_bounded, read_named};

/// Text that a user handed in, and what to call it in messages.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file; `-` is standard input. A path with a line break in it is not a path but a diagram.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let mut name = path.display().to_string();
        if name.contains('\n') {
            return Ok(Self { bytes: name.into_bytes(), name: "the argument".to_owned() });
        }
        let bytes = if path == Path::new("-") {
            name = "standard input".to_owned();
            read_bounded(std::io::stdin().lock(), MAX_TEXT_BYTES)
        } else {
            read_named(path, MAX_TEXT_BYTES)
        };
        let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
        Ok(Self { name, bytes })
    }
}

/// Reads a position from a diagram: X, O and . in rows.
pub(crate) fn diagram(text: &str) -> anyhow::Result<Position> {
    let board: Board = Board::from_diagram(text, Suicide::Allowed)?;
    Ok(board.position())
}
